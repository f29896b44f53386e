internal import Events
internal import LMDB

/// The databases of a stored log.
struct Databases: Sendable {
  static let names = ["meta", "rooms", "numbers", "events", "children"]

  let meta: Database
  let rooms: Database
  let numbers: Database
  let events: Database
  let children: Database

  init(_ environment: Environment) throws(LogError) {
    do throws(StoreError) {
      meta = try environment.database("meta")
      rooms = try environment.database("rooms")
      numbers = try environment.database("numbers")
      events = try environment.database("events")
      children = try environment.database("children")
    } catch { throw LogError(error) }
  }

  var all: [Database] { [meta, rooms, numbers, events, children] }
}

extension StoreFormat {
  /// The room number in a key or value of four bytes.
  static func number(_ bytes: some Collection<UInt8>) throws(LogError) -> UInt32 {
    guard bytes.count == 4 else { throw .corrupt(event: nil, reason: "a room's number is damaged") }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  static func number(_ span: RawSpan) throws(LogError) -> UInt32 { try number(Array(copying: span)) }
}

extension Transaction where Self: ~Copyable {
  /// A copy of the value at a key.
  borrowing func bytes(at key: [UInt8], in database: Database) throws(LogError) -> [UInt8]? {
    do throws(StoreError) {
      guard let value = try get(key.rawSpan, in: database) else { return nil }
      return Array(copying: value)
    } catch { throw LogError(error) }
  }

  /// The number of a room.
  borrowing func number(of room: RoomID, in databases: Databases) throws(LogError) -> UInt32? {
    guard let bytes = try bytes(at: StoreFormat.key(room), in: databases.rooms) else { return nil }
    return try StoreFormat.number(bytes)
  }

  /// The record of a room that has a number.
  borrowing func record(_ number: UInt32, in databases: Databases) throws(LogError) -> RoomRecord {
    guard let bytes = try bytes(at: StoreFormat.key(number: number), in: databases.numbers) else {
      throw .corrupt(event: nil, reason: "room number \(number) has no record")
    }
    return try RoomRecord(bytes.rawSpan)
  }

  /// The highest room number given away.
  borrowing func lastNumber(in numbers: Database) throws(LogError) -> UInt32? {
    var last: UInt32?
    try forEachDescending(in: numbers) { (key, _) throws(LogError) in
      last = try StoreFormat.number(key)
      return .stop
    }
    return last
  }

  /// All rooms that have a number or a record, by descending number, and what cannot be read of them.
  borrowing func roomIDs(in databases: Databases) throws(LogError) -> (rooms: [RoomID], faults: [String]) {
    var found: [UInt32: RoomID] = [:]
    var faults: [String] = []
    try forEach(in: databases.rooms) { (key, value) throws(LogError) in
      if let bytes = Bytes32(Array(copying: key)), value.byteCount == 4 {
        found[try StoreFormat.number(value)] = RoomID(bytes)
      } else {
        faults.append("an entry in the list of rooms is damaged")
      }
      return .proceed
    }
    try forEach(in: databases.numbers) { (key, value) throws(LogError) in
      guard key.byteCount == 4 else {
        faults.append("a room's number is damaged")
        return .proceed
      }
      let number = try StoreFormat.number(key)
      guard found[number] == nil else { return .proceed }
      do throws(LogError) { found[number] = try RoomRecord(value).room } catch {
        faults.append(error.description)
      }
      return .proceed
    }
    try forEach(in: databases.children) { (key, value) throws(LogError) in
      let key = Array(copying: key)
      let number = key.count == 36 ? try StoreFormat.number(key.suffix(4)) : nil
      if value.byteCount != 0 || number.flatMap({ found[$0] }) == nil {
        faults.append("an entry in the list of tournaments' rooms is damaged")
      }
      return .proceed
    }
    return (found.keys.sorted(by: >).compactMap { found[$0] }, faults)
  }

  /// What lists show of a room.
  borrowing func listing(
    _ number: UInt32, _ record: RoomRecord, _ hasher: EventHasher, in databases: Databases
  ) throws(LogError) -> RoomListing {
    let key = StoreFormat.key(number: number, arrival: 0)
    guard let value = try bytes(at: key, in: databases.events) else {
      throw .corrupt(event: nil, reason: "room \(record.room.short) has no events")
    }
    var reader = RoomReader(record, hasher: hasher, scheme: nil)
    var create: Event?
    _ = try reader.take(value.rawSpan, at: 0) { (view, _, _) throws(LogError) in
      create = view.event
      return .stop
    } byPosition: { _ throws(LogError) in
      .stop
    }
    guard let create, create.id == EventID(record.room.bytes) else {
      throw .corrupt(event: nil, reason: "room \(record.room.short) does not begin with its creation")
    }
    return RoomListing(room: record.room, number: UInt64(number), events: Int(record.events), create: create)
  }

  /// What is stored of what a room offers; `nil` where it does not hold for the events that are stored.
  borrowing func clock(
    _ number: UInt32, _ record: RoomRecord, in databases: Databases
  ) throws(LogError) -> StoredClock? {
    guard let value = try bytes(at: StoreFormat.clockKey(number: number), in: databases.meta),
      let clock = StoredClock.decode(value, of: record.room), clock.events == Int(record.events)
    else { return nil }
    return clock
  }

  /// A room as a start finds it.
  borrowing func storedRoom(
    _ number: UInt32, _ record: RoomRecord, in databases: Databases
  ) throws(LogError) -> StoredRoom {
    StoredRoom(
      room: record.room, number: UInt64(number), events: Int(record.events),
      bytes: Int(clamping: record.bytes),
      clock: try clock(number, record, in: databases),
      use: try bytes(at: StoreFormat.useKey(number: number), in: databases.meta).flatMap(RoomUse.decode))
  }

  /// The bytes of all pages in use; takes constant time.
  borrowing func usedBytes(of databases: Databases) throws(LogError) -> Int {
    var bytes = 0
    do throws(StoreError) {
      for database in databases.all { bytes += try size(of: database).bytes }
    } catch { throw LogError(error) }
    return bytes
  }
}

extension WriteTransaction {
  mutating func set(
    _ value: [UInt8], at key: [UInt8], in database: Database, _ mode: PutMode = .replace
  ) throws(LogError) {
    do throws(StoreError) {
      try put(value.rawSpan, at: key.rawSpan, in: database, mode)
    } catch { throw LogError(error) }
  }

  /// Stores what a room offers, unless the store has another number of its events, or this already.
  mutating func store(_ clock: StoredClock, in databases: Databases) throws(LogError) {
    guard let number = try number(of: clock.room, in: databases),
      Int(try record(number, in: databases).events) == clock.events
    else { return }
    let (key, value) = (StoreFormat.clockKey(number: number), clock.value)
    guard try bytes(at: key, in: databases.meta) != value else { return }
    try set(value, at: key, in: databases.meta)
  }
}

/// The changes of one write transaction: gives numbers to new rooms and keeps keys ascending.
struct WriteBatch {
  private let databases: Databases
  private var last: UInt32?

  /// A batch on a store whose highest room number is `last`.
  init(_ databases: Databases, last: UInt32?) {
    self.databases = databases
    self.last = last
  }

  /// Makes one change, whose shape was checked; what its entries must be is checked on the way.
  /// - Throws: `.stale` when the store has another number of events than the change was made for.
  mutating func apply(_ change: RoomChange, to transaction: inout WriteTransaction) throws(LogError) {
    let known = try transaction.number(of: change.room, in: databases)
    var record =
      if let known { try transaction.record(known, in: databases) } else { RoomRecord(room: change.room) }
    guard Int(record.events) == change.base else {
      throw .stale(change.room, base: change.base, stored: Int(record.events))
    }
    let given = if let known { known } else { try newNumber(for: change, in: &transaction) }
    guard let number = given else { return }
    try add(change, number: number, to: &record, in: &transaction)
    try transaction.set(
      record.value, at: StoreFormat.key(number: number), in: databases.numbers,
      known == nil ? .append : .replace)
    if let use = change.use {
      try transaction.set(use.value, at: StoreFormat.useKey(number: number), in: databases.meta)
    }
  }

  /// Gives the next number to a room whose first events come; none to one of which nothing comes.
  private mutating func newNumber(
    for change: RoomChange, in transaction: inout WriteTransaction
  ) throws(LogError) -> UInt32? {
    guard let create = change.entries.first?.event else { return nil }
    guard last ?? 0 < StoreFormat.limitRooms - 1 else { throw .limit("a store of \(last ?? 0) rooms") }
    let number = last.map { $0 + 1 } ?? 0
    last = number
    try transaction.set(
      StoreFormat.key(number: number), at: StoreFormat.key(change.room), in: databases.rooms, .insert)
    try transaction.noteReturn(of: change.room, in: databases)
    if let tournament = create.tournament {
      try transaction.set(
        [], at: StoreFormat.key(tournament: tournament, number: number), in: databases.children)
    }
    return number
  }

  private mutating func add(
    _ change: RoomChange, number: UInt32, to record: inout RoomRecord,
    in transaction: inout WriteTransaction
  ) throws(LogError) {
    guard UInt64(record.events) + UInt64(change.entries.count) < UInt64(UInt32.max) else {
      throw .limit("a room of more than \(UInt32.max) events")
    }
    let mode: PutMode = number == last ? .append : .insert
    for value in change.values {
      // As `StoreFormat.key` writes it, without an array.
      let key: [1 of UInt64] = [(UInt64(number) << 32 | UInt64(value.first)).bigEndian]
      do throws(StoreError) {
        // SAFETY: a number has no padding.
        try transaction.put(value.bytes.rawSpan, at: unsafe key.span.bytes, in: databases.events, mode)
      } catch { throw LogError(error) }
    }
    var runs = OpenRuns(room: change.room)
    let entries = change.entries.span
    for index in entries.indices {
      runs.add(entries[index])
      record.add(entries[index].event)
    }
    if !runs.hold { try change.checkBranches() }
  }
}
