import EventLog
import Events
import Games
import Gossip
import Peer
import Simulation
import Terminal

/// What rooms of strangers cost in each of which something waits for an event that never comes, signatures apart.
struct WaitingRooms: Figure {
  let name = "rooms.waiting"
  let summary =
    "seconds of CPU to take in 12,000 strangers' rooms in which something waits, beside as many without"

  private struct Unchecked: SignatureScheme {
    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool { true }
  }

  func measure(_ bench: Bench) async throws {
    let count = bench.size(12_000, quick: 1_000)
    bench.tell("\(name): \(count) rooms")
    let others = try Self.seconds(count, areWaiting: false)
    let waiting = try Self.seconds(count, areWaiting: true)
    var line = FigureLine(name, value: waiting, unit: "s of CPU time", floor: others, ratio: others / waiting)
    line.add("floor_is", .text("as many rooms in which nothing waits"))
    line.add("rooms", .integer(count))
    try bench.print(line)
  }

  private static func seconds(_ count: Int, areWaiting: Bool) throws -> Double {
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      throw BenchFailure(.software, "a signature of 64 bytes is none")
    }
    let hasher = Bomb.room().hasher
    let messages = try (0..<count).map { number throws(FormatError) in
      let first = try Event.author(
        .create(Bomb.create()), room: .none, author: Bomb.peer(number), sequence: 1, previous: .none,
        parents: [], wallTime: 0, hasher: hasher)
      let parent = areWaiting ? EventID(Bomb.peer(2 * count + number).bytes) : first.id
      let second = try Event.author(
        .chat("x"), room: first.id, author: Bomb.peer(count + number), sequence: 1, previous: .none,
        parents: [parent], wallTime: 0, hasher: hasher)
      let runs = [first, second].map { Run(events: [$0], signature: signature) }
      return Message.runs(RunsMessage(room: first.id, runs: runs)).encoded()
    }
    var core = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 13, count: 32)), network: .standard, catalog: Games.catalog,
      scheme: Unchecked(), now: { 0 })
    var now = Tick.start
    core.connect(
      Neighbour(0), as: SigningKey(seed: [UInt8](repeating: 11, count: 32)).peer, isNearby: true, at: now)
    return try Span.of {
      for message in messages {
        // Slowly enough for what a neighbour may send.
        now = now + 20
        core.receive(message, from: Neighbour(0), at: now)
        for room in core.effects.takeChanged() {
          if let change = try core.prepareCommit(room) { core.markDurable(change, at: now) }
        }
        core.advance(to: now)
        _ = core.takeOutbox(at: now)
        if let (_, reason) = core.effects.takeRefused().first { throw BenchFailure(.software, "\(reason)") }
      }
      guard core.openRooms.count == count else { throw BenchFailure(.software, "rooms are not taken in") }
    }
    .0.cpu
  }
}
