import Events

/// What is known of a dishonest peer's doings.
struct Forger: Sendable {
  /// Rooms in which each of its two programs has written since they parted, and the number of the first event there.
  private var written: [[(room: RoomID, sequence: UInt64)]] = [[], []]
  /// Messages that it has sent, to be sent again.
  var sent: [[UInt8]] = []
  /// To whom it sends nothing, until when.
  private var silentUntil: [UInt64] = []

  /// Notes that one of two programs has written in a room, after so many events.
  mutating func note(_ face: Int, wroteIn room: RoomID, after count: UInt64) {
    if let at = written[face].firstIndex(where: { $0.room == room }) {
      written[face][at].sequence = min(written[face][at].sequence, count + 1)
    } else {
      written[face].append((room, count + 1))
    }
  }

  /// The number of the first event in a room of which there are two; `nil` when it has told one story there.
  func fork(in room: RoomID) -> UInt64? {
    let first = written.compactMap { $0.first { $0.room == room }?.sequence }
    return first.count == written.count ? first.min() : nil
  }

  /// Says nothing to a peer for a while.
  mutating func silence(_ peer: Int, until time: UInt64, peers: Int) {
    while silentUntil.count < peers { silentUntil.append(0) }
    silentUntil[peer] = time
  }

  /// Whether it says nothing to a peer.
  func isSilent(to peer: Int, at time: UInt64) -> Bool {
    silentUntil.indices.contains(peer) && silentUntil[peer] > time
  }
}
