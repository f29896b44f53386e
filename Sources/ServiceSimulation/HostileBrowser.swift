import BotKit
import Events
import JSON
import Simulation

/// A dishonest browser at a peer's page: it sends garbage and requests without number, guesses, and reads nothing.
///
/// It belongs to the run, on the machine's thread.
final class HostileBrowser {
  /// What it does.
  enum Manner: CaseIterable {
    /// It sends what is no request.
    case garbage
    /// It asks for what it may have and for what it may not.
    case requests
    /// It asks for more than is taken.
    case flood
    /// It watches all, and reads nothing.
    case deaf
    /// It opens tables, and plays at none.
    case tables
    /// It opens a socket and says nothing.
    case silence
  }

  /// What must be refused.
  struct Forbidden {
    let what: String
    let promise: Violation.Promise
  }

  private let manner: Manner
  private var random: RandomStream
  var wire: SimulatedWire?
  private var lastID: Int64 = 0
  /// By the id of a request.
  private var forbidden: [Int64: Forbidden] = [:]
  /// Where it has asked for a seat.
  private var own: Set<String> = []

  init(_ manner: Manner, _ random: RandomStream) { (self.manner, self.random) = (manner, random) }

  /// Does what it has come for.
  /// - Parameter rooms: those of the peer.
  func begin(_ rooms: [String]) {
    switch manner {
    case .silence: break
    case .garbage: for _ in 0..<random.draw(1...8) { wire?.send(garbage()) }
    case .requests: for _ in 0..<random.draw(4...25) { request(rooms) }
    case .flood: for _ in 0..<random.draw(40...400) { request(rooms) }
    case .deaf:
      hello()
      ask(["type": "list", "follow": true])
      for room in rooms.prefix(14) { ask(["type": "watch", "room": .string(room)]) }
      ask(["type": "games"])
      wire?.setReading(false)
    case .tables:
      hello()
      for _ in 0..<random.draw(1...24) { host() }
    }
  }

  private func ask(_ members: KeyValuePairs<String, JSONValue>, forbidden: Forbidden? = nil) {
    lastID += 1
    if let forbidden { self.forbidden[lastID] = forbidden }
    wire?.send(
      JSONLine([JSONMember("id", .integer(lastID))] + members.map { JSONMember($0.key, $0.value) }).text)
  }

  private func hello() { ask(["type": "hello", "name": "Mallory"]) }

  private func host() {
    let game = random.pick(["tic-tac-toe", "gomoku", "no-such-game", "quiz", "memory-match"]) ?? ""
    ask(["type": "host", "game": .string(game), "scope": random.oneIn(2) ? "public" : "local"])
  }

  /// Something that is no request.
  private func garbage() -> String {
    switch random.below(5) {
    case 0: String(decoding: random.bytes(random.draw(1...64)), as: UTF8.self)
    case 1: String(repeating: "[", count: random.draw(1...4_000))
    case 2: String(repeating: "x", count: random.draw(4_000...9_000))
    case 3: "{\"id\":\(random.next()),\"type\":\"choose\",\"room\":[{}],\"code\":-1e999}"
    default: "{\"id\":\"\u{0}\u{202e}\",\"type\":\"hello\",\"name\":null,\"name\":{}}"
    }
  }

  private func digits(_ bytes: Int) -> JSONValue { .string(random.bytes(bytes).hex) }

  // MARK: - Requests

  private func request(_ rooms: [String]) {
    let room = random.pick(rooms) ?? random.bytes(32).hex
    let name = JSONValue.string(room)
    switch random.below(9) {
    case 0: hello()
    case 1: guess()
    case 2: ask(["type": .string(random.pick(["games", "list", "challenge"]) ?? ""), "follow": true])
    case 3: host()
    case 4: look(at: name)
    case 5 where random.oneIn(4):
      own.insert(room)
      ask(["type": "join", "room": name])
    case 6: write(to: name)
    default: play(in: room)
    }
  }

  /// Tries to be somebody else.
  private func guess() {
    let forbidden = Forbidden(what: "a guessed secret", promise: .conduct)
    switch random.below(3) {
    case 0: ask(["type": "hello", "token": digits(16)], forbidden: forbidden)
    case 1: ask(["type": "hello", "secret": digits(22)], forbidden: forbidden)
    default: ask(["type": "prove", "peer": digits(32), "signature": digits(64)], forbidden: forbidden)
    }
  }

  /// Asks for what may be long.
  private func look(at room: JSONValue) {
    switch random.below(5) {
    case 0: ask(["type": "watch", "room": room])
    case 1: ask(["type": "positions", "room": room, "number": .integer(Int64(random.draw(0...70_000)))])
    case 2: ask(["type": "export", "room": room, "from": .integer(Int64(random.draw(0...100_000)))])
    case 3: ask(["type": "analyze", "room": room])
    default: ask(["type": "qr", "text": .string(String(repeating: "y", count: random.draw(1...600)))])
    }
  }

  /// Writes what nobody has signed.
  private func write(to room: JSONValue) {
    let forbidden = Forbidden(what: "an event that nobody has signed", promise: .integrity)
    let event = digits(random.draw(1...200))
    switch random.below(3) {
    case 0: ask(["type": "create", "event": event, "signature": digits(64)], forbidden: forbidden)
    case 1:
      ask(["type": "write", "room": room, "event": event, "signature": digits(64)], forbidden: forbidden)
    default: ask(["type": "follow", "room": room], forbidden: forbidden)
    }
  }

  /// Acts where others play.
  private func play(in room: String) {
    let forbidden =
      own.contains(room) ? nil : Forbidden(what: "an act at a table of others", promise: .integrity)
    let name = JSONValue.string(room)
    switch random.below(4) {
    case 0:
      ask(
        ["type": "choose", "room": name, "code": .integer(Int64(random.draw(0...9)))], forbidden: forbidden)
    case 1: ask(["type": "say", "room": name, "text": "hm"], forbidden: forbidden)
    case 2: ask(["type": "enter", "room": name, "text": "1"], forbidden: forbidden)
    default:
      let acts = [
        "resign", "undo", "agree", "claim", "offer-draw", "agree-draw", "start", "leave", "rematch",
      ]
      ask(["type": .string(random.pick(acts) ?? ""), "room": name], forbidden: forbidden)
    }
  }

  // MARK: - Answers

  /// Reads an answer.
  /// - Returns: what was done that must be refused; `nil` for anything else.
  func hear(_ message: [UInt8]) -> Forbidden? {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: message) } catch { return nil }
    guard value["type"]?.string == "done" else { return nil }
    return value["id"]?.number.flatMap { forbidden[$0] }
  }
}
