import EventLog
import Events
import Testing

@testable import Gossip

/// Events that their author, who is no neighbour, hands over itself.
@Suite struct AuthorsRoomTests {
  /// The first event of a room opens it, and what follows comes behind it. What is false leaves nothing, and has no
  /// room taken in that was forgotten.
  @Test func theFirstEventOpensARoom() throws {
    let log = try RoomLog.chat(2)
    let (room, first, second) = (log.room, log.entries[0], log.entries[1])
    var core = GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard))
    _ = core.forget([ForgottenRoom(room, log.clock) { _ in false }], at: .start)

    let stranger = SigningKey(seed: [UInt8](repeating: 2, count: 32))
    let forged = Run(events: [first.event], signature: stranger.sign(first.event.id))
    #expect(throws: LogError.self) { try core.take(forged, ofAuthorIn: room) }
    let signature = try #require(second.signature)
    let early = Run(events: [second.event], signature: signature)
    #expect(throws: LogError.self) { try core.take(early, ofAuthorIn: room) }
    #expect(core.rooms.place(of: room) == nil && core.isForgotten(room))

    for entry in [first, second] {
      let run = Run(events: [entry.event], signature: try #require(entry.signature))
      try core.take(run, ofAuthorIn: room)
    }
    #expect(core.rooms.log(of: room)?.entries.count == 2 && !core.isForgotten(room))
  }
}
