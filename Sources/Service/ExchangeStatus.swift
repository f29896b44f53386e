package import Events
internal import Gossip
internal import Network
internal import Peer

/// How far the exchange with others is, and what came of it: all of one moment.
package struct ExchangeStatus: Sendable {
  /// The most rooms that are remembered as not taken in.
  package static let limitNotTaken = Effects.limitNotTaken

  /// How many events were made durable since the start.
  package let storedEvents: Int
  /// How many events were sent to others since the start.
  package let sentEvents: Int
  /// How many feeds are asked for and have not come.
  package let missingFeeds: Int
  /// Of how many feeds nothing more is taken, because their authors have used up what they may store here.
  package let barredFeeds: Int
  /// The rooms that were not taken in, because their editions are not known here; the first `limitNotTaken`.
  package let roomsNotTaken: [(room: RoomID, edition: UInt16)]
  /// Why nothing can be stored at present, in words: there is no space. `nil` when nothing is known against it.
  package let shortage: String?
  /// Whether another process with this peer's key was met, or heard of.
  package let hasTwin: Bool

  init(_ peer: isolated NetworkPeer) {
    let core = peer.read { core in
      (
        sent: core.effects.sentEvents, missing: core.gossip.replica.missingFeeds,
        barred: core.gossip.replica.barredFeeds,
        notTaken: core.effects.notTaken.map { (room: $0.room, edition: $0.edition) },
        hasTwin: core.ownHeads.hasTwin
      )
    }
    storedEvents = peer.storedEvents
    sentEvents = core.sent
    missingFeeds = core.missing
    barredFeeds = core.barred
    roomsNotTaken = core.notTaken
    shortage = peer.shortage
    hasTwin = core.hasTwin
  }
}
