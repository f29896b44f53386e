internal import EventLog
package import Events
internal import Gossip
package import Network
internal import Peer
internal import Projection

// How far the exchange with others is, and what came of it.

extension PeerService {
  /// Whether a peer that is connected was last found to hold all that both may share.
  package func isEqual(with peer: PeerID) async -> Bool { await networkPeer.isEqual(with: peer) }

  /// Whether all that this peer has written since the start is with every peer that it is connected with, or is about
  /// to be.
  package func isHandedOver() async -> Bool { await networkPeer.isHandedOver() }

  /// What others have this peer keep at present.
  package func burden() async -> Burden { await networkPeer.burden }

  /// The rooms that are in memory.
  package func openRooms() async -> Set<RoomID> { Set(await networkPeer.read { $0.openRooms }) }

  /// How many events were sent to others since the start.
  package func sentEvents() async -> Int { await networkPeer.read { $0.effects.sentEvents } }

  /// How many feeds are asked for and have not come.
  package func missingFeeds() async -> Int { await networkPeer.read { $0.gossip.replica.missingFeeds } }

  /// How many plies of a room's game are durable here.
  package func storedPlies(of room: RoomID) async -> Int? {
    await networkPeer.read { core in
      guard let plies = core.state(of: room)?.currentGame?.plies else { return nil }
      let durable = core.gossip.durable(room)
      return core.withLog(of: room) { log in plies.count { log.position(of: $0.node) ?? durable < durable } }
    }
  }

  /// Why nothing can be stored at present, in words: there is no space. `nil` when nothing is known against it.
  package func shortage() async -> String? { await networkPeer.shortage }

  /// Measures from now on how long the loop works each time that it goes round.
  package func measureTurns() { networkPeer.loop.measureTurns() }

  /// The longest that the loop has worked between two looks at sockets since then, in milliseconds.
  package func longestTurn() -> Double { networkPeer.loop.longestTurn }

  /// How many events were made durable since the start.
  package func storedEvents() async -> Int { await networkPeer.storedEvents }

  /// A signal for each time that anything happened on the network, whether it changed a room or not.
  package func pulses() async -> Changes { await networkPeer.changes() }

  /// Why this peer refused last what came from an address that it connects to, in words.
  package func refusal(at address: Address) async -> String? {
    await networkPeer.refusal(at: address)?.description
  }

  /// Of how many feeds nothing more is taken, because their authors have used up what they may store here.
  package func barredFeeds() async -> Int { await networkPeer.read { $0.gossip.replica.barredFeeds } }

  /// The rooms that were not taken in, because their editions are not known here; the first `limitNotTaken`.
  package func roomsNotTaken() async -> [(room: RoomID, edition: UInt16)] {
    await networkPeer.read { core in core.effects.notTaken.map { ($0.room, $0.edition) } }
  }

  /// How many such rooms are remembered.
  package static let limitNotTaken = Effects.limitNotTaken
}
