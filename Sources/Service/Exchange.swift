package import Events

/// One exchange with one peer, as `parlor sync` waits for its end: a value that is told what is so, and when.
package struct Exchange {
  /// How it stands.
  package enum Standing: Hashable {
    /// Nobody is there yet.
    case connecting
    case underWay
    /// Both hold the same.
    case complete(PeerID)
    /// The peer is there, and nothing has come or gone for a while, as with one that limits what it wants.
    case idle(PeerID)
    /// The connection ended, with the reason where one is known.
    case ended(PeerID, reason: String?)
    /// This end refused what the peer sent, and ended the connection.
    case refused(PeerID, reason: String)
    case unreachable(reason: String)
  }

  /// How long nothing may come or go before that is the end.
  package static let patienceMilliseconds: UInt64 = 30_000

  private var peer: PeerID?
  /// How many events had come and gone when something did last, and when that was.
  private var counts: (came: Int, went: Int) = (-1, -1)
  private var lastMilliseconds: UInt64 = 0

  package init() {}

  /// Takes note of what is so.
  /// - Parameter refusal: why this end refused what came, when it has.
  /// - Parameter came: how many events are here, `went` how many have gone.
  /// - Parameter now: milliseconds of a clock that only goes forward.
  package mutating func note(
    _ status: NeighbourStatus, refusal: String?, isEqual: Bool, came: Int, went: Int,
    atMilliseconds now: UInt64
  ) -> Standing {
    // Who was refused may be connected again already.
    if let refusal, let other = peer ?? status.peer { return .refused(other, reason: refusal) }
    guard status.state == .connected, let other = status.peer else {
      if let peer = peer ?? status.peer { return .ended(peer, reason: status.reason) }
      return status.reason.map { .unreachable(reason: $0) } ?? .connecting
    }
    peer = other
    if isEqual { return .complete(other) }
    if counts != (came, went) { (counts, lastMilliseconds) = ((came, went), now) }
    return now < lastMilliseconds + Self.patienceMilliseconds ? .underWay : .idle(other)
  }
}
