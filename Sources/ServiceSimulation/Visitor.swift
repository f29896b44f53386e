import BotKit
import Events
import JSON
import Simulation
import Web

/// Somebody with a browser at a peer's page: plays at tables there, by `parlor.1`, whatever befalls sockets and peers.
///
/// It knows what it was told, and nothing else. It belongs to the run, on the machine's thread.
final class Visitor {
  /// What it has asked for, and waits for the answer to.
  enum Request {
    case hello
    case list
    case host
    case join(String)
    case watch
    case choose(number: Int64, plies: Int64, code: Int64)
    case leave
    case act
  }

  let number: Int
  /// The host whose page it is at.
  let host: Int
  var random: RandomStream
  private(set) var wire: SimulatedWire?
  /// What brings it back to its seats, and who it is.
  private(set) var secret: String?
  private(set) var peer: PeerID?
  /// Of this socket: whether it has said hello, and follows the list.
  private(set) var (isKnown, followsList) = (false, false)
  private(set) var asked: (id: Int64, request: Request, time: UInt64)?
  private var lastID: Int64 = 0
  /// The tables that it was told of last, how often it was by this socket, and since when.
  private(set) var tables: [JSONValue] = []
  private(set) var (listCount, listsSince) = (0, UInt64(0))
  /// Where it plays or waits, since when, and what it was told of that last.
  private(set) var room: String?
  private(set) var since: UInt64 = 0
  private(set) var table: JSONValue?
  /// How many sockets it has had; and when the last one was sent an answer, and each table.
  private(set) var sockets = 0
  private var (lastAnswer, lastTables) = (UInt64(0), [String: UInt64]())
  /// When it was told last that somebody has moved there.
  private(set) var (lastStep, isWatching) = (UInt64(0), false)
  /// Rooms to which it does not go again.
  private(set) var avoided: Set<String> = []
  /// The games that it has come to the end of.
  private(set) var played = 0
  /// Whether it has waited in vain for somebody's move.
  var hasWaited = false
  /// Whether nobody came when it had opened a table last.
  var wantsBot = false

  init(_ number: Int, at host: Int, seed: UInt64) {
    (self.number, self.host) = (number, host)
    random = RandomStream(seed: seed, for: .visits, number + 1)
  }

  /// Whether it has played what it came for, and is needed nowhere.
  func isThrough(_ games: Int) -> Bool { played >= games && room == nil && followsList && seats.isEmpty }

  /// The rooms of the list where it has a seat and plays still.
  var seats: [String] { rooms { $0["seat"]?.number != nil } }

  /// The rooms of the list where it may have a seat, and that guests have opened whose name begins so.
  func openTables(by name: String) -> [String] {
    rooms { table in
      table["may-join"]?.isTrue == true && table["creator"]?["name"]?.string?.contains("(\(name)") == true
    }
  }

  private func rooms(_ fits: (JSONValue) -> Bool) -> [String] {
    tables.filter(fits).compactMap { $0["room"]?.string }.filter { !avoided.contains($0) }
  }

  /// Sends a request.
  func ask(_ request: Request, _ members: KeyValuePairs<String, JSONValue>, at now: UInt64) {
    lastID += 1
    asked = (lastID, request, now)
    wire?.send(
      JSONLine([JSONMember("id", .integer(lastID))] + members.map { JSONMember($0.key, $0.value) }).text)
  }

  /// Its page opens a socket.
  func connect(_ open: (Int) -> SimulatedWire) {
    (sockets, lastTables) = (sockets + 1, [:])
    wire = open(sockets)
  }

  /// Notes what its socket is sent.
  /// - Returns: for a table that it was sent before, how long ago that was, in milliseconds; `nil` where it was sent an
  ///   answer in the last quarter of a second.
  func pause(before message: JSONValue, at now: UInt64) -> UInt64? {
    switch message["type"]?.string {
    case "done", "error": lastAnswer = now
    case "table":
      guard let room = message["table"]?["room"]?.string else { return nil }
      defer { lastTables[room] = now }
      return now < lastAnswer + 250 ? nil : lastTables[room].map { now - $0 }
    default: break
    }
    return nil
  }

  /// Its socket has ended, or it has ended it.
  func disconnect() {
    (wire, asked, isKnown, followsList, isWatching) = (nil, nil, false, false, false)
    tables = []
  }

  /// The answer to what was asked is not awaited any more.
  func giveUpAsking() { asked = nil }

  /// Goes to a room.
  /// - Parameter isWatching: whether the page tells of it without being asked.
  func come(to room: String, at now: UInt64, isWatching: Bool = true) {
    (self.room, since, table, lastStep, self.isWatching) = (room, now, nil, now, isWatching)
  }

  /// Goes from the room where it is.
  /// - Parameter isDone: whether it has played there, and does not come back.
  func go(isDone: Bool) {
    if let room { avoided.insert(room) }
    if isDone { (played, wantsBot) = (played + 1, false) }
    (room, table, isWatching) = (nil, nil, false)
  }

  /// What it was sent, read.
  enum Heard {
    case done(Request, JSONValue)
    case refused(Request, String)
    case other
  }

  /// Reads what has come.
  /// - Returns: `nil` for what no page sends.
  func hear(_ message: [UInt8], at now: UInt64) -> Heard? {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: message) } catch { return nil }
    switch value["type"]?.string {
    case "done", "error":
      guard let (id, request, _) = asked, value["id"] == .integer(id) else { return nil }
      asked = nil
      guard value["type"]?.string == "done" else {
        return value["words"]?.string.map { .refused(request, $0) }
      }
      take(request, value, at: now)
      return .done(request, value)
    case "table":
      guard let table = value["table"], let id = table["room"]?.string else { return nil }
      guard id == room else { return .other }
      if table["plies"] != self.table?["plies"] || table["phase"] != self.table?["phase"] { lastStep = now }
      self.table = table
      return .other
    case "tables":
      guard let tables = value["tables"]?.array else { return nil }
      self.tables = tables
      listCount += 1
      return .other
    case "tournament": return .other
    default: return nil
    }
  }

  private func take(_ request: Request, _ answer: JSONValue, at now: UInt64) {
    switch request {
    case .hello:
      isKnown = true
      if let secret = answer["secret"]?.string { self.secret = secret }
      if let peer = answer["peer"]?.string.flatMap({ PeerID(hex: $0) }), self.peer == nil { self.peer = peer }
    case .list:
      (followsList, listCount, listsSince) = (true, 0, now)
      tables = answer["tables"]?.array ?? []
    case .watch: isWatching = true
    default: break
    }
  }
}

extension JSONValue {
  /// The whole number that this is; `nil` for anything else.
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// Whether this is the word true.
  var isTrue: Bool { self == .bool(true) }
}
