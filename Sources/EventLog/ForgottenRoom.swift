package import Events

/// A room that a store has had and was told to forget: what is remembered, so that the room is not asked for again, and
/// so that its peer never contradicts there what it has written.
///
/// ```
/// order u32 │ own u16 │ others u16
/// each: author, 32 │ sequence u64 │ forked u8 │ head, 32   no head where it is forked
/// ```
package struct ForgottenRoom: Hashable, Sendable {
  /// The most feeds of others that are remembered of a room; of one with more, those beyond are asked for once more.
  package static let limitOthers = 16
  /// The most feeds of this peer's own keys.
  package static let limitOwn = 256

  package let room: RoomID
  /// How far the feeds of this machine's keys went.
  package let own: [VectorClock.Entry]
  /// How far the feeds of others went.
  package let others: [VectorClock.Entry]

  /// What is remembered of a room with this clock.
  /// - Parameter isOwn: whether a key is of this machine.
  package init(_ room: RoomID, _ clock: VectorClock, isOwn: (PeerID) -> Bool) {
    self.init(
      room, own: clock.entries.filter { isOwn($0.author) }, others: clock.entries.filter { !isOwn($0.author) }
    )
  }

  /// What is remembered of a room that cannot be read whole. Nobody knows how far these feeds went, so that whatever
  /// comes back is not all of them, and nothing more is written there.
  /// - Parameter events: by author, how many were read.
  init(damaged room: RoomID, events: [(author: PeerID, count: UInt64)]) {
    self.init(
      room, own: events.map { VectorClock.Entry(author: $0.author, sequence: $0.count, head: .none) },
      others: [])
  }

  /// How far a feed went of which that is not known.
  package static let unknown = UInt64.max

  private init(_ room: RoomID, own: [VectorClock.Entry], others: [VectorClock.Entry]) {
    self.room = room
    self.own = Array(own.prefix(Self.limitOwn))
    self.others = Array(others.prefix(Self.limitOthers))
  }

  /// Whether nobody on this machine has written into it.
  package var isOfStrangers: Bool { own.isEmpty }

  /// The same, where the room was forgotten before and did not come back whole.
  func merged(with earlier: ForgottenRoom) -> ForgottenRoom {
    let kept = earlier.own.filter { before in
      before.isUncertain
        || !own.contains {
          $0.author == before.author && ($0.isForked || $0.isUncertain || $0.sequence >= before.sequence)
        }
    }
    let mine = own.filter { entry in !kept.contains { $0.author == entry.author } }
    return ForgottenRoom(room, own: kept + mine, others: others)
  }

  // MARK: - Coding

  /// The bytes.
  /// - Parameter order: later ones have higher numbers.
  func value(order: UInt32) -> [UInt8] {
    var value: [UInt8] = []
    value.append(bigEndian: order)
    value.append(bigEndian: UInt16(own.count))
    value.append(bigEndian: UInt16(others.count))
    for entry in own + others {
      value.append(entry.author)
      value.append(bigEndian: entry.sequence)
      value.append(entry.isForked ? 1 : 0)
      if !entry.isForked { value.append(entry.head) }
    }
    return value
  }

  /// What the bytes say of a room.
  static func decode(
    _ value: RawSpan, of room: RoomID
  ) throws(LogError) -> (order: UInt32, room: ForgottenRoom) {
    var reader = ByteReader(value)
    do throws(FormatError) {
      let order: UInt32 = try reader.integer()
      let (ownCount, otherCount): (UInt16, UInt16) = (try reader.integer(), try reader.integer())
      var entries: [VectorClock.Entry] = []
      for _ in 0..<(Int(ownCount) + Int(otherCount)) {
        let (author, sequence): (PeerID, UInt64) = (try reader.identifier(), try reader.integer())
        let isForked = try reader.flag()
        let head = try isForked ? EventID.none : reader.identifier()
        entries.append(.init(author: author, sequence: sequence, head: head, isForked: isForked))
      }
      try reader.end()
      let own = Array(entries.prefix(Int(ownCount)))
      return (order, ForgottenRoom(room, own: own, others: Array(entries.dropFirst(Int(ownCount)))))
    } catch {
      throw .corrupt(event: nil, reason: "what is remembered of the forgotten room \(room.short) is \(error)")
    }
  }
}

extension VectorClock.Entry {
  /// Whether it is of a damaged room, so that nobody knows how far the feed went.
  package var isUncertain: Bool { !isForked && head == .none }
}

/// When a room of strangers was used last, and who brought it: by this a peer chooses what it forgets first.
///
/// ```
/// milliseconds u64 │ source: length u8 and text
/// ```
package struct RoomUse: Hashable, Sendable {
  /// When something of it was stored last: milliseconds since 1970, by this machine's clock.
  package let milliseconds: UInt64
  /// The host that it came from first.
  package let source: String

  package init(milliseconds: UInt64, source: String) {
    self.milliseconds = milliseconds
    self.source = source.utf8.count <= 255 ? source : ""
  }

  var value: [UInt8] {
    var value: [UInt8] = []
    value.append(bigEndian: milliseconds)
    value.append(UInt8(source.utf8.count))
    return value + Array(source.utf8)
  }

  /// What the bytes say; `nil` when they are damaged: nothing rests on it but what is forgotten first.
  static func decode(_ value: [UInt8]) -> RoomUse? {
    var reader = ByteReader(value)
    do throws(FormatError) {
      let (milliseconds, source): (UInt64, String) = (try reader.integer(), try reader.text8(0...255))
      try reader.end()
      return RoomUse(milliseconds: milliseconds, source: source)
    } catch { return nil }
  }
}
