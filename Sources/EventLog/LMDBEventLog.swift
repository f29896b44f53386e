package import Events
internal import LMDB
internal import Platform
internal import Synchronization

/// A log in an LMDB store: one process writes, others read beside it.
///
/// A room gets the next free number when its first events come, and its events are stored side by side in the
/// order of their arrival, which is a causal order; so writing many rooms and reading one are both
/// sequential.
///
/// ```
/// database   key                                        value
/// meta       "format"                                   version u32, now 3
///            "network"                                  network id, 32 bytes
///            "gone" │ room id, 32                       of a room that was forgotten: see ForgottenRoom
///            "host" │ number u32                        of a room of strangers: see RoomUse
///            "room" │ number u32                        of a room that is over: see StoredClock
/// rooms      room id, 32                                number u32
/// numbers    number u32                                 RoomRecord: room id, 32 │ events u32 │ bytes of bodies u64 │
///                                                       sum of ids u64
/// events     number u32 │ position u32, from 0          the event that arrived so, and some that follow: StoredValue
/// children   tournament's room id, 32 │ number u32      nothing: game rooms whose create names it
/// ```
///
/// Numbers are big-endian, so that keys ascend with them. All changes of one `write` are in one transaction.
package final class LMDBEventLog: EventLog {
  /// Whether a log is opened for reading beside a writer, or as the writer.
  package enum Access: Sendable {
    case reading
    case writing
  }

  /// After so many writes dead readers are looked for, lest the pages they hold make the file grow.
  private static let writesBetweenReaderChecks = 256

  package let network: NetworkID
  /// The store, until it is closed.
  private let opened: Guarded<Environment?>
  let databases: Databases
  private let quotaBytes: Int
  private let scheme: any SignatureScheme
  let hasher: EventHasher
  private let isStopped = Atomic<Bool>(false)
  private let writes = Atomic<Int>(0)
  /// What is noted beside the store in its data folder, once there is a writer who keeps it.
  private let marks = Mutex<FolderMarks?>(nil)

  /// Opens the store in `folder`, whose parent must exist; a writer creates it when it is absent.
  /// - Parameters:
  ///   - mapBytes: the size of LMDB's sparse map, the same in every process.
  ///   - quotaBytes: the most bytes of pages in use, well below the map's.
  ///   - program: what a refused second writer is told of this process.
  /// - Throws: `.noStore` for a reader when nothing was written yet, `.locked`, `.otherNetwork`, `.full`, or
  ///   `.store` with the store's own words.
  package init(
    folder: String, access: Access, network: NetworkID, mapBytes: Int = 16 << 30,
    quotaBytes: Int = 12 << 30, program: String = "parlor", scheme: any SignatureScheme = Ed25519()
  ) throws(LogError) {
    let environment = try Self.open(folder, access, mapBytes: mapBytes, program: program)
    databases = try Databases(environment)
    opened = Guarded(environment)
    self.network = network
    self.quotaBytes = quotaBytes
    self.scheme = scheme
    hasher = EventHasher(network: network)
    try checkMeta(folder, access)
  }

  var environment: Environment {
    get throws(LogError) {
      guard let environment = opened.withLock({ $0 }) else { throw .stopped("The log was closed.") }
      return environment
    }
  }

  /// Closes the store, so that this or another process can open it again; what is being read or written ends before.
  /// Nothing can be read or written through this value any more.
  package func close() {
    _ = opened.withLock { environment in
      defer { environment = nil }
      return environment
    }
  }

  private static func open(
    _ folder: String, _ access: Access, mapBytes: Int, program: String
  ) throws(LogError) -> Environment {
    do throws(StoreError) {
      return try Environment(
        .init(
          folder: folder, access: access == .writing ? .writing : .reading, databases: Databases.names,
          mapBytes: mapBytes, program: program))
    } catch {
      // Nothing was written yet that could be in doubt.
      if case .inputOutput = error { throw .store(error.description) }
      throw LogError(error)
    }
  }

  /// Checks whose store this is, or says so in a new one.
  private func checkMeta(_ folder: String, _ access: Access) throws(LogError) {
    let databases = databases
    let (version, stored) = try environment.read { (transaction) throws(LogError) in
      let version = try transaction.bytes(at: StoreFormat.versionKey, in: databases.meta)
      return (version, try transaction.bytes(at: StoreFormat.networkKey, in: databases.meta))
    }
    guard let version, let stored else {
      guard access == .writing else { throw .noStore(folder) }
      return try writeMeta()
    }
    let own = StoreFormat.key(number: StoreFormat.version)
    guard version == own else {
      throw .store(
        "The store at \(folder) has version \(StoreFormat.number(version)) of the store's format, and this program "
          + "reads version \(StoreFormat.version). It is left as it is: use the program that wrote it, or another "
          + "data folder.")
    }
    guard stored == network.bytes.bytes else {
      guard let bytes = Bytes32(stored) else { throw .corrupt(event: nil, reason: "its network is no id") }
      throw .otherNetwork(stored: NetworkID(bytes), wanted: network)
    }
  }

  private func writeMeta() throws(LogError) {
    let databases = databases
    let (version, network) = (StoreFormat.key(number: StoreFormat.version), network.bytes.bytes)
    try environment.write { (transaction) throws(LogError) in
      guard try transaction.lastNumber(in: databases.numbers) == nil else {
        throw .corrupt(event: nil, reason: "it has rooms and does not say of which network")
      }
      try transaction.set(version, at: StoreFormat.versionKey, in: databases.meta)
      try transaction.set(network, at: StoreFormat.networkKey, in: databases.meta)
    }
  }

  /// Takes the marks of the data folder that the store is in, and keeps them from here on.
  package func takeMarks(of folder: String) throws(LogError) -> FolderMarks {
    let taken = try FolderMarks.take(folder, nextRoom: { () throws(LogError) in try nextRoom() }) {
      (number) throws(LogError) in try storedRooms(from: number, limit: .max).map(\.room)
    }
    marks.withLock { $0 = taken }
    return taken
  }

  /// The number that the next room will have.
  package func nextRoom() throws(LogError) -> UInt64 {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      try transaction.lastNumber(in: databases.numbers).map { UInt64($0) + 1 } ?? 0
    }
  }

  /// Frees what readers that died still hold; call it about once a minute.
  package func checkReaders() throws(LogError) {
    let environment = try environment
    do throws(StoreError) { _ = try environment.checkReaders() } catch { throw LogError(error) }
  }

  /// The bytes of pages in use, as the quota counts them.
  package func usedBytes() throws(LogError) -> Int {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      try transaction.usedBytes(of: databases)
    }
  }
}

extension LMDBEventLog {
  package func rooms(limit: Int?) throws(LogError) -> [RoomListing] {
    let (databases, hasher) = (databases, hasher)
    let limit = limit ?? .max
    guard limit > 0 else { return [] }
    return try environment.read { (transaction) throws(LogError) in
      var listings: [RoomListing] = []
      try transaction.forEachDescending(in: databases.numbers) { (key, value) throws(LogError) in
        let number = try StoreFormat.number(key)
        listings.append(try transaction.listing(number, RoomRecord(value), hasher, in: databases))
        return listings.count < limit ? .proceed : .stop
      }
      return listings
    }
  }

  package func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    guard let first = UInt32(exactly: number), limit > 0 else { return [] }
    let databases = databases
    let from = StoreFormat.key(number: first)
    return try environment.read { (transaction) throws(LogError) in
      var rooms: [StoredRoom] = []
      try transaction.forEach(in: databases.numbers, from: from.rawSpan) { (key, value) throws(LogError) in
        let (number, record) = (try StoreFormat.number(key), try RoomRecord(value))
        rooms.append(try transaction.storedRoom(number, record, in: databases))
        return rooms.count < limit ? .proceed : .stop
      }
      return rooms
    }
  }

  /// What is stored of what a room offers, where that holds for the events that are stored.
  package func storedClock(of room: RoomID) throws(LogError) -> StoredClock? {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      guard let number = try transaction.number(of: room, in: databases) else { return nil }
      return try transaction.clock(
        number, try transaction.record(number, in: databases), in: databases)
    }
  }

  /// The ids of all rooms, newest first, without reading any event: also those of rooms that are damaged.
  ///
  /// `faults` says in words what of the list of rooms itself cannot be read.
  package func roomIDs() throws(LogError) -> (rooms: [RoomID], faults: [String]) {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      try transaction.roomIDs(in: databases)
    }
  }

  /// What is wrong in words with how the store's pages are used, which nobody would notice before a writer
  /// overwrites what is stored; `nil` when all is well. It reads the whole file.
  package func pageFault() throws(LogError) -> String? {
    let environment = try environment
    do throws(StoreError) {
      return try environment.pageUse().fault.map { "\($0), so nothing must be written" }
    } catch { throw LogError(error) }
  }

  package func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] {
    let (databases, hasher) = (databases, hasher)
    let first = StoreFormat.key(tournament: tournament, number: 0)
    return try environment.read { (transaction) throws(LogError) in
      var numbers: [UInt32] = []
      try transaction.forEach(in: databases.children, from: first.rawSpan) { (key, _) throws(LogError) in
        let key = Array(copying: key)
        guard key.starts(with: first.prefix(32)) else { return .stop }
        numbers.append(try StoreFormat.number(key.suffix(4)))
        return .proceed
      }
      var listings: [RoomListing] = []
      for number in numbers {
        listings.append(
          try transaction.listing(
            number, try transaction.record(number, in: databases), hasher, in: databases))
      }
      return listings
    }
  }

  package func room(prefix text: String) throws(LogError) -> RoomID {
    guard let prefix = RoomPrefix(text) else { throw .unknownRoom(text) }
    let databases = databases
    let lowest = StoreFormat.key(prefix.lowest)
    let (found, count) = try environment.read { (transaction) throws(LogError) in
      var found: RoomID?
      var count = 0
      try transaction.forEach(in: databases.rooms, from: lowest.rawSpan) { (key, _) throws(LogError) in
        guard let bytes = Bytes32(Array(copying: key)), prefix.matches(RoomID(bytes)) else { return .stop }
        found = found ?? RoomID(bytes)
        count += 1
        return .proceed
      }
      return (found, count)
    }
    return try RoomPrefix.only(found, count: count, prefix: text)
  }

  package func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    do throws(LogError) { try readWhole(room, verify: verify, body, byPosition: byPosition) } catch {
      // Whoever verifies says of which room.
      guard !verify, case .corrupt(nil, let reason) = error else { throw error }
      throw .corrupt(event: nil, reason: "room \(room.short): \(reason)")
    }
  }

  private func readWhole(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    let databases = databases
    try environment.read { (transaction) throws(LogError) in
      guard let number = try transaction.number(of: room, in: databases) else {
        throw .unknownRoom(room.description)
      }
      let record = try transaction.record(number, in: databases)
      guard record.room == room else {
        throw .corrupt(event: nil, reason: "its number belongs to room \(record.room.short)")
      }
      var reader = RoomReader(record, hasher: hasher, scheme: verify ? scheme : nil)
      if try transaction.read(number, databases.events, &reader, body, byPosition) != .stop {
        try reader.finish()
      }
    }
  }
}

extension ReadTransaction {
  /// Calls with the events of a room, until it is asked to stop.
  fileprivate borrowing func read(
    _ number: UInt32, _ events: Database, _ reader: inout RoomReader, _ body: EventBody,
    _ byPosition: PositionBody
  ) throws(LogError) -> Reading {
    var failure: LogError?
    do throws(StoreError) {
      var cursor = try cursor(in: events)
      var entry = try cursor.seek(atOrAfter: StoreFormat.key(number: number, arrival: 0).rawSpan)
      while reader.wantsMore, let current = entry {
        do throws(LogError) {
          let first = StoreFormat.first(current.key, number: number)
          if try reader.take(current.value, at: first, body, byPosition: byPosition) == .stop { return .stop }
        } catch {
          failure = error
          break
        }
        entry = try cursor.next()
      }
    } catch { throw LogError(error) }
    if let failure { throw failure }
    return .goOn
  }
}

extension LMDBEventLog {
  package func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    for change in changes { try change.checkShape() }
    let (databases, quotaBytes) = (databases, quotaBytes)
    try change { (transaction) throws(LogError) in
      var batch = WriteBatch(databases, last: try transaction.lastNumber(in: databases.numbers))
      for change in changes { try batch.apply(change, to: &transaction) }
      let used = try transaction.usedBytes(of: databases)
      guard used <= quotaBytes else {
        throw .full("The store has reached its quota of \(quotaBytes) bytes. Nothing of this was stored.")
      }
      // What can be derived again must not take the space of what cannot.
      guard used <= quotaBytes - quotaBytes / 16 else { return }
      for clock in clocks { try transaction.store(clock, in: databases) }
    }
  }

  /// Changes the store in one transaction, unless an earlier one left it unknown.
  func change(_ body: (inout WriteTransaction) throws(LogError) -> Void) throws(LogError) {
    guard !isStopped.load(ordering: .acquiring) else { throw LogError(.poisoned) }
    let marks = marks.withLock { $0 }
    try marks?.checkPlace()
    let count = writes.wrappingAdd(1, ordering: .relaxed).newValue
    if count.isMultiple(of: Self.writesBetweenReaderChecks) { try checkReaders() }
    do throws(LogError) {
      try environment.write(body)
      marks?.noteCommit()
    } catch {
      switch error {
      case .stopped, .corrupt:
        // Neither what is on disk nor what is in memory is known any more.
        isStopped.store(true, ordering: .releasing)
      case .full: try checkReaders()
      default: break
      }
      throw error
    }
  }
}
