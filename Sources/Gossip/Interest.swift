package import EventLog
package import Events

/// Which rooms a peer wants, as it tells a neighbour, which evaluates it (Docs/PROTOCOL.md §7.4).
///
/// A room is wanted when one of its classes holds: it names one of these peers; its id begins so, or that of its
/// tournament does; it is a game that can be joined, and its creator has not too many of those.
package struct Interest: Hashable, Sendable {
  /// How often what somebody wants is passed on from neighbour to neighbour.
  static let limitHops: UInt8 = 4
  /// The most peers, and the most beginnings of ids, in one interest.
  package static let limitPeers = 2_048
  package static let limitRooms = 512
  /// The fewest digits of an id by which a room is wanted, as a code has: fewer would mean too many rooms.
  static let leastDigits = 6
  /// What a neighbour's share has at the least.
  private static let leastShare = 8
  /// The most games of one creator that can be joined and are wanted for that alone.
  package static let limitOpenGames: UInt8 = 64

  /// Something that is wanted, and how many peers it was passed on by.
  package struct Wanted<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    package let value: Value
    package let hops: UInt8

    package init(_ value: Value, hops: UInt8 = 0) {
      self.value = value
      self.hops = hops
    }
  }

  /// How many games that can be joined are wanted of each creator.
  package var openGames: UInt8
  /// Rooms that name these peers: the first eight bytes of their keys, ascending.
  package private(set) var peers: [Wanted<UInt64>]
  /// Rooms whose ids begin so, and the games of tournaments whose ids do, ascending.
  package private(set) var rooms: [Wanted<RoomPrefix>]

  /// Of what is named twice, the one that was passed on less often counts; what is beyond the limits is left out, first
  /// what was passed on most often.
  package init(openGames: UInt8 = 0, peers: [Wanted<UInt64>] = [], rooms: [Wanted<RoomPrefix>] = []) {
    self.openGames = min(openGames, Self.limitOpenGames)
    self.peers = Self.list(peers, limit: Self.limitPeers)
    self.rooms = Self.list(rooms.filter { $0.value.digits >= Self.leastDigits }, limit: Self.limitRooms)
  }

  /// An interest in these rooms alone.
  package init(in chosen: Set<RoomID>) {
    self.init(rooms: chosen.sorted().map { Wanted(RoomPrefix($0)) })
  }

  private static func list<Value>(_ wanted: [Wanted<Value>], limit: Int) -> [Wanted<Value>] {
    var list = wanted
    if !zip(wanted, wanted.dropFirst()).allSatisfy({ $0.value < $1.value }) {
      list = []
      for next in wanted.sorted(by: { ($0.value, $0.hops) < ($1.value, $1.hops) })
      where list.last?.value != next.value {
        list.append(next)
      }
    }
    guard list.count > limit else { return list }
    return list.sorted { ($0.hops, $0.value) < ($1.hops, $1.value) }.prefix(limit)
      .sorted { $0.value < $1.value }
  }

  /// What a neighbour wants of this one that is passed on to others: of each list one of so many equal shares, lest one
  /// neighbour that names thousands crowds out what the others want.
  func passedOn(shares: Int) -> Interest {
    func next<Value>(_ wanted: [Wanted<Value>], limit: Int) -> [Wanted<Value>] {
      let share = Self.list(wanted, limit: max(limit / max(1, shares), Self.leastShare))
      return share.filter { $0.hops < Self.limitHops }.map { Wanted($0.value, hops: $0.hops + 1) }
    }
    return Interest(peers: next(peers, limit: Self.limitPeers), rooms: next(rooms, limit: Self.limitRooms))
  }

  // MARK: - Asking

  /// Whether rooms that name a peer are wanted.
  func names(_ peer: UInt64) -> Bool { Self.find(peer, in: peers) != nil }

  /// Whether a message has events of a wanted peer, or invites one.
  func names(someoneOf message: RunsMessage) -> Bool {
    message.runs.contains { run in
      if let author = run.events.first?.author, names(author.bytes.prefix64) { return true }
      return run.events.contains { event in
        if case .invite(let peer) = event.action { names(peer.bytes.prefix64) } else { false }
      }
    }
  }

  /// Whether a peer is named by whoever wants this, and was not passed on.
  func isOwn(_ peer: UInt64) -> Bool { Self.find(peer, in: peers)?.hops == 0 }

  /// Whether a room is wanted by its id, or by that of its tournament.
  func names(_ room: RoomID, of tournament: RoomID?) -> Bool {
    names(room) || tournament.map(names) ?? false
  }

  private func names(_ room: RoomID) -> Bool {
    // Those with the same first digits lie together.
    func first(_ id: RoomID) -> UInt64 { id.bytes.prefix64 >> (64 - 4 * UInt64(Self.leastDigits)) }
    let place = rooms.partitioningIndex { first($0.value.lowest) >= first(room) }
    return rooms[place...].prefix { first($0.value.lowest) == first(room) }
      .contains { $0.value.matches(room) }
  }

  private static func find<Value>(_ value: Value, in list: [Wanted<Value>]) -> Wanted<Value>? {
    let place = list.partitioningIndex { $0.value >= value }
    return place < list.count && list[place].value == value ? list[place] : nil
  }

  /// What is wanted here and was not before.
  func beyond(_ before: Interest) -> Interest {
    Interest(
      openGames: openGames > before.openGames ? openGames : 0,
      peers: peers.filter { Self.find($0.value, in: before.peers) == nil },
      rooms: rooms.filter { Self.find($0.value, in: before.rooms) == nil })
  }

  var isEmpty: Bool { openGames == 0 && peers.isEmpty && rooms.isEmpty }
}

// MARK: - Coding

extension Interest {
  /// Appends the bytes of what a peer wants; `nil` for everything.
  static func append(_ interest: Interest?, to bytes: inout [UInt8]) {
    guard let interest else { return bytes.append(0) }
    bytes.append(1)
    bytes.append(interest.openGames)
    bytes.append(number: UInt64(interest.peers.count))
    for wanted in interest.peers {
      bytes.append(bigEndian: wanted.value)
      bytes.append(wanted.hops)
    }
    bytes.append(number: UInt64(interest.rooms.count))
    // tidy: order does not matter because these are a list
    for wanted in interest.rooms {
      bytes.append(UInt8(wanted.value.digits))
      bytes += wanted.value.lowest.bytes.bytes.prefix((wanted.value.digits + 1) / 2)
      bytes.append(wanted.hops)
    }
  }

  /// Reads what a peer wants: in its one form, or it is none.
  static func read(_ reader: inout ByteReader) throws(FormatError) -> Interest? {
    let start = reader.offset
    switch try reader.integer(UInt8.self) {
    case 0: return nil
    case 1: break
    default: throw .badField("interest", at: start)
    }
    let openGames = try reader.integer(UInt8.self)
    let peers: [Wanted<UInt64>] = try list(&reader, limit: limitPeers) { r throws(FormatError) in
      try r.integer()
    }
    let rooms = try list(&reader, limit: limitRooms) { r throws(FormatError) in try prefix(&r) }
    let interest = Interest(openGames: openGames, peers: peers, rooms: rooms)
    // Sorted, each once, within the limits.
    guard interest.openGames == openGames, interest.peers == peers, interest.rooms == rooms else {
      throw .badField("interest", at: start)
    }
    return interest
  }

  private static func list<Value>(
    _ reader: inout ByteReader, limit: Int,
    _ value: (inout ByteReader) throws(FormatError) -> Value
  ) throws(FormatError) -> [Wanted<Value>] {
    let start = reader.offset
    let count = try reader.number()
    guard count <= limit else { throw .badField("a list of \(count)", at: start) }
    var list: [Wanted<Value>] = []
    for _ in 0..<count {
      let next = try value(&reader)
      let hops = try reader.integer(UInt8.self)
      guard hops <= limitHops else { throw .badField("\(hops) hops", at: reader.offset - 1) }
      list.append(Wanted(next, hops: hops))
    }
    return list
  }

  private static func prefix(_ reader: inout ByteReader) throws(FormatError) -> RoomPrefix {
    let start = reader.offset
    let digits = Int(try reader.integer(UInt8.self))
    guard (leastDigits...RoomPrefix.limitDigits).contains(digits) else {
      throw .badField("\(digits) digits", at: start)
    }
    let bytes = try reader.take((digits + 1) / 2)
    let isCanonical = digits % 2 == 0 || bytes.last.map { $0 & 15 == 0 } ?? true
    let padded = bytes + [UInt8](repeating: 0, count: RoomPrefix.limitDigits / 2 - bytes.count)
    guard isCanonical, let lowest = Bytes32(padded) else { throw .badField("digits", at: start) }
    return RoomPrefix(lowest: RoomID(lowest), digits: digits)
  }
}
