package import Events

/// What is offered of a room that is over, stored beside its events so that a start need not read them.
///
/// It follows from the room's first `events` events, and because a log only grows it holds as long as the store has
/// no more of the room. Nothing else rests on it: where it is absent, damaged, of another version or of fewer events
/// than the store has, the room is read.
///
/// ```
/// version u8, now 3 │ rule u8 │ events u32 │ scope u8
/// of a tournament u8, 0 or 1 │ tournament, 32                        none where it is 0
/// members u16 │ each: peer, 32                                      in rooms of the invited
/// feeds u32 │ each: author, 32 │ sequence u32 │ forked u8 │ head, 32   no head where it is forked
/// the first 16 bytes of BLAKE2b-256("parlor-stored-clock-1" │ room id │ all before)
/// ```
package struct StoredClock: Hashable, Sendable {
  /// Another one when the bytes mean something else, or the same events give something else.
  private static let version: UInt8 = 3
  private static let hashBytes = 16

  package let room: RoomID
  /// How many events of the room it was derived from.
  package let events: Int
  /// By which rule the room was found to be over.
  package let rule: UInt8
  package let scope: Scope
  /// The tournament of which the room has games; none for other rooms.
  package let tournament: RoomID
  /// Who may hold a room of the invited, ascending.
  package let members: [PeerID]
  /// What is held of each feed.
  package let clock: VectorClock

  /// - Returns: `nil` for what no room can offer.
  package init?(
    room: RoomID, events: Int, rule: UInt8, scope: Scope, tournament: RoomID = .none, members: [PeerID],
    clock: VectorClock
  ) {
    self.room = room
    self.events = events
    self.rule = rule
    self.scope = scope
    self.tournament = tournament
    self.members = members
    self.clock = clock
    guard isPossible else { return nil }
  }

  private var isPossible: Bool {
    guard (1...Int(Int32.max)).contains(events), members.isEmpty == (scope != .invited),
      members.count <= Int(UInt16.max), (1...events).contains(clock.entries.count),
      Self.ascend(members), Self.ascend(clock.entries.map(\.author))
    else { return false }
    return clock.entries.allSatisfy { entry in
      (1...UInt64(events)).contains(entry.sequence) && entry.isForked != entry.head.isSome
    }
  }

  private static func ascend(_ peers: [PeerID]) -> Bool {
    zip(peers, peers.dropFirst()).allSatisfy { $0 < $1 }
  }

  // MARK: - Coding

  /// The bytes.
  package var value: [UInt8] {
    var value: [UInt8] = [Self.version, rule]
    value.append(bigEndian: UInt32(events))
    value.append(scope.rawValue)
    value.append(tournament.isSome ? 1 : 0)
    if tournament.isSome { value.append(tournament) }
    value.append(bigEndian: UInt16(members.count))
    for member in members { value.append(member) }
    value.append(bigEndian: UInt32(clock.entries.count))
    for entry in clock.entries {
      value.append(entry.author)
      value.append(bigEndian: UInt32(entry.sequence))
      value.append(entry.isForked ? 1 : 0)
      if !entry.isForked { value.append(entry.head) }
    }
    return value + Self.hash(value, of: room)
  }

  /// What the bytes say of a room; `nil` when they are damaged or of another version.
  package static func decode(_ value: [UInt8], of room: RoomID) -> StoredClock? {
    guard value.first == version, value.count > hashBytes else { return nil }
    let content = Array(value.dropLast(hashBytes))
    guard hash(content, of: room).elementsEqual(value.suffix(hashBytes)) else { return nil }
    do throws(FormatError) { return try read(content, of: room) } catch { return nil }
  }

  private static func hash(_ content: [UInt8], of room: RoomID) -> ArraySlice<UInt8> {
    var hash = Blake2b(domain: "parlor-stored-clock-1")
    hash.update(room)
    hash.update(content)
    return hash.digest().bytes.prefix(hashBytes)
  }

  private static func read(_ content: [UInt8], of room: RoomID) throws(FormatError) -> StoredClock? {
    var reader = ByteReader(content, from: 1)
    let rule = try reader.integer(UInt8.self)
    let events = try reader.integer(UInt32.self)
    let scope = Scope(rawValue: try reader.integer(UInt8.self))
    let isOfTournament = try reader.flag()
    let tournament = try isOfTournament ? reader.identifier(RoomID.self) : .none
    guard tournament.isSome == isOfTournament else { return nil }
    var members: [PeerID] = []
    for _ in 0..<(try reader.integer(UInt16.self)) { members.append(try reader.identifier()) }
    var entries: [VectorClock.Entry] = []
    for _ in 0..<(try reader.integer(UInt32.self)) { entries.append(try entry(&reader)) }
    try reader.end()
    guard let scope else { return nil }
    return StoredClock(
      room: room, events: Int(events), rule: rule, scope: scope, tournament: tournament,
      members: members, clock: VectorClock(entries))
  }

  private static func entry(_ reader: inout ByteReader) throws(FormatError) -> VectorClock.Entry {
    let author = try reader.identifier(PeerID.self)
    let sequence = try reader.integer(UInt32.self)
    let isForked = try reader.flag()
    let head = try isForked ? EventID.none : reader.identifier()
    return VectorClock.Entry(author: author, sequence: UInt64(sequence), head: head, isForked: isForked)
  }
}
