import Events
import NATS
import Network
import Platform
import TestKit

@testable import Relay

/// A client of a relay's servers that sees all that goes through it, and says it again, says it changed, or makes
/// something up.
final class RelayMeddler: Sendable {
  private struct Memory {
    var random: SeededGenerator
    var inboxes: [RelayID] = []
    /// What it has seen or said.
    var known: Set<[UInt8]> = []
    var said = 0
  }

  private let memory: Guarded<Memory>
  private let connection: NATSConnection
  private let subscription: NATSSubscription
  /// The most that it says.
  private static let limit = 3_000

  init(_ connection: NATSConnection, seed: UInt64) throws {
    let memory = Guarded(Memory(random: SeededGenerator(state: seed)))
    self.memory = memory
    self.connection = connection
    subscription = try NATSSubscription(connection, "parlor.relay.>", limit: 64 << 20) { bytes in
      for (place, bytes) in memory.withLock({ Self.answers(to: bytes, &$0) }) {
        connection.send(RelayNames(.standard).subject(place), bytes)
      }
    }
  }

  /// How many messages it has sent.
  var said: Int { memory.withLock { $0.said } }

  /// Says nothing more.
  func stop() { subscription.stop() }

  private static func answers(
    to bytes: [UInt8], _ memory: inout Memory
  ) -> [(RelayTransport.Place, [UInt8])] {
    // What it has said itself comes back to it.
    guard memory.known.insert(bytes).inserted, memory.said < limit,
      let message = read(bytes)
    else { return [] }
    switch message {
    case .here(let inbox), .ask(let inbox), .part(.open(let inbox), _):
      if !memory.inboxes.contains(inbox) { memory.inboxes.append(inbox) }
    default: break
    }
    let stranger = RelayID(random: (0..<16).map { _ in .random(in: .min ... .max, using: &memory.random) })
    var said = [bytes, RelayMessage.here(stranger).encoded, RelayMessage.ask(stranger).encoded]
    said.append(RelayMessage.part(.open(from: stranger), of: stranger).encoded)
    // Each changed message ends the stream that it is of.
    if Int.random(in: 0..<100, using: &memory.random) == 0 {
      var changed = bytes
      changed[Int.random(in: 0..<changed.count, using: &memory.random)] ^= 1
      said.append(changed)
      if case .part(_, let stream) = message { said.append(RelayMessage.part(.cut, of: stream).encoded) }
    }
    memory.known.formUnion(said)
    var answers: [(RelayTransport.Place, [UInt8])] = said.map { (.everybody, $0) }
    for inbox in memory.inboxes { answers += said.map { (.inbox(inbox), $0) } }
    memory.said += answers.count
    return answers
  }

  private static func read(_ bytes: [UInt8]) -> RelayMessage? {
    do throws(FormatError) { return try RelayMessage(decoding: bytes) } catch { return nil }
  }
}
