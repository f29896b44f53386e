import EventLog
import Events
import Games
import Gossip
import Peer
import Simulation
import Terminal

/// What it costs to follow a room that somebody fills with events that are allowed and lead nowhere, signatures apart.
///
/// A peer that shows a room reads its state whenever something has come, so it is read after each so many events.
struct Bombs: Figure {
  /// One figure for each kind.
  static let all: [any Figure] = Bomb.all.map(Bombs.init)

  private let bomb: Bomb

  var name: String { "bombs.\(bomb.name)" }
  var summary: String { "seconds of CPU to follow a room with 40,000 of them, beside as many honest moves" }

  /// How many events come between two looks at the room.
  private static let batch = 64

  func measure(_ bench: Bench) async throws {
    let count = bench.size(40_000, quick: 1_000)
    bench.tell("\(name): \(count) events")
    let honest = try Self.seconds(HonestRooms.events(count))
    let hostile = try Self.seconds([bomb.events(count)])
    var line = FigureLine(
      name, value: hostile, unit: "s of CPU time", floor: honest, ratio: honest / hostile)
    line.add("floor_is", .text("as many honest moves"))
    line.add("events", .integer(count))
    let signatures = try Self.signatureSeconds(count)
    line.add("signatures_seconds", .decimal(signatures))
    line.add("ratio_with_signatures", .decimal((honest + signatures) / (hostile + signatures)))
    try bench.print(line)
  }

  /// The processor time to check the signatures of so many events that each have one, from a tenth of them.
  private static func signatureSeconds(_ count: Int) throws -> Double {
    let (key, scheme, checked) = (SigningKey(seed: [UInt8](repeating: 17, count: 32)), Ed25519(), count / 10)
    let (id, author) = (EventID.none, key.peer)
    let signature = key.sign(id)
    let (span, valid) = Span.of { (0..<checked).count { _ in scheme.isValid(signature, of: id, by: author) } }
    guard valid == checked else { throw BenchFailure(.software, "a valid signature does not count") }
    return span.cpu * Double(count) / Double(checked)
  }

  /// The processor time to follow rooms.
  private static func seconds(_ rooms: [[Event]]) throws -> Double {
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      throw BenchFailure(.software, "a signature of 64 bytes is none")
    }
    var messages: [(room: RoomID, messages: [[UInt8]])] = []
    for events in rooms {
      let runs = events.map { Run(events: [$0], signature: signature) }
      messages.append(
        (
          events[0].id,
          stride(from: 0, to: runs.count, by: batch).map { first in
            Message.runs(RunsMessage(room: events[0].id, runs: Array(runs[first...].prefix(batch)))).encoded()
          }
        ))
    }
    return try Span.of {
      var follower = Follower()
      for (room, messages) in messages { try follower.follow(room, messages) }
    }
    .0.cpu
  }
}

/// A peer with one neighbour, from which all comes: it takes the events in, has them durable, offers them, and reads
/// the room; at the end it closes the room and opens it again.
private struct Follower {
  private struct Unchecked: SignatureScheme {
    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool { true }
  }

  private var core: PeerCore
  private var now: UInt64 = 0

  init() {
    core = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 13, count: 32)), network: .standard, catalog: Games.catalog,
      scheme: Unchecked(), now: { 0 })
    let other = SigningKey(seed: [UInt8](repeating: 11, count: 32)).peer
    core.connect(Neighbour(0), as: other, isNearby: true, at: Tick(milliseconds: now))
  }

  mutating func follow(_ room: RoomID, _ messages: [[UInt8]]) throws {
    for message in messages {
      // Slowly enough for what a neighbour may send.
      now += 100
      core.receive(message, from: Neighbour(0), at: Tick(milliseconds: now))
      try store(room)
      core.advance(to: Tick(milliseconds: now))
      _ = core.takeOutbox(at: Tick(milliseconds: now))
      if let (_, reason) = core.effects.takeRefused().first { throw BenchFailure(.software, "\(reason)") }
      guard core.state(of: room) != nil else { throw BenchFailure(.software, "a room is not taken in") }
    }
    _ = core.storedClock(of: room, rule: 1)
    guard let log = core.log(of: room) else { throw BenchFailure(.software, "a room is gone") }
    core.close(room)
    core.open(log, isDurable: true, at: Tick(milliseconds: now))
    _ = core.state(of: room)
    core.close(room)
  }

  private mutating func store(_ room: RoomID) throws {
    for room in core.effects.takeChanged() {
      if let change = try core.prepareCommit(room) { core.markDurable(change, at: Tick(milliseconds: now)) }
    }
  }
}

/// Rooms of drawn games, to compare with.
private enum HonestRooms {
  private static let cells: [UInt32] = [0, 2, 1, 3, 5, 4, 6, 7, 8]

  static func events(_ count: Int) throws(FormatError) -> [[Event]] {
    var rooms: [[Event]] = []
    var left = count
    while left > 0 {
      var room = Bomb.room()
      var node = try room.begin(Bomb.create(games: 256, number: UInt8(rooms.count)))
      for number in 0..<min(left, 256 * cells.count) {
        let (game, ply) = number.quotientAndRemainder(dividingBy: cells.count)
        let step = Action.Step(game: UInt16(game), ply: UInt16(ply), node: node)
        node = try room.write(.move(step, code: cells[ply], nil), by: (game + ply) % 2)
      }
      left -= 256 * cells.count
      rooms.append(room.events)
    }
    return rooms
  }
}
