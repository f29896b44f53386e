internal import Events
package import LMDB

/// The bytes of keys and values of a stored log; `LMDBEventLog` draws them.
enum StoreFormat {
  /// The version of the layout that this program writes and reads.
  static let version: UInt32 = 2
  static let versionKey = Array("format".utf8)
  static let networkKey = Array("network".utf8)
  /// The most rooms of one store.
  static let limitRooms = UInt32.max

  /// The number that four bytes say; what is no number is none.
  static func number(_ bytes: [UInt8]) -> String {
    bytes.count == 4 ? "\(bytes.reduce(0) { $0 << 8 | UInt32($1) })" : "(unknown)"
  }

  static func key(_ room: RoomID) -> [UInt8] { room.bytes.bytes }

  static func key(number: UInt32) -> [UInt8] {
    var key: [UInt8] = []
    key.append(bigEndian: number)
    return key
  }

  /// The key of what a room offers. It comes after all others of its database, so that pages are filled where rooms
  /// follow each other.
  static func clockKey(number: UInt32) -> [UInt8] { Array("room".utf8) + key(number: number) }

  static func key(number: UInt32, arrival: Int) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(8)
    key.append(bigEndian: number)
    key.append(bigEndian: UInt32(clamping: arrival))
    return key
  }

  /// Whether this is the key of an event.
  static func isKey(_ key: RawSpan, number: UInt32, arrival: Int) -> Bool {
    guard key.byteCount == 8 else { return false }
    // SAFETY: a number may hold any bits, and the load is checked.
    let stored = unsafe UInt64(bigEndian: key.unsafeLoadUnaligned(as: UInt64.self))
    return stored == UInt64(number) << 32 | UInt64(UInt32(clamping: arrival))
  }

  static func key(tournament: RoomID, number: UInt32) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(36)
    key.append(tournament)
    key.append(bigEndian: number)
    return key
  }

  /// The event of a value, in the bytes where it lies.
  /// - Throws: `.corrupt`.
  @inline(__always)
  @_lifetime(copy value)
  static func view(_ value: RawSpan, from idFrom: Int) throws(LogError) -> EventView {
    do throws(FormatError) {
      return try EventView(idAndBody: value.extracting(droppingFirst: idFrom))
    } catch {
      throw .corrupt(event: EventID(Bytes32(value, at: idFrom)), reason: "\(error)")
    }
  }

  static func append(_ entry: borrowing RoomLog.Entry, to value: inout [UInt8]) {
    value.append(entry.signature == nil ? 0 : 1)
    if let signature = entry.signature { value.append(contentsOf: signature.bytes) }
    entry.event.append(to: &value, withID: true)
  }

  /// Where an event's id begins in a value; the body behind it goes to the end.
  /// - Throws: `.corrupt`.
  @inline(__always)
  static func idFrom(_ value: RawSpan) throws(LogError) -> Int {
    // SAFETY: a byte may hold any bits, and the load is checked.
    guard value.byteCount > 0, case let mark = unsafe value.unsafeLoad(as: UInt8.self), mark <= 1 else {
      throw .corrupt(event: nil, reason: "the record of an event does not say whether it is signed")
    }
    let idFrom = mark == 0 ? 1 : 65
    guard value.byteCount >= idFrom + 32 else {
      throw .corrupt(event: nil, reason: "the record of an event is cut short")
    }
    return idFrom
  }

  /// The signature in front of an event's id.
  @inline(__always)
  static func signature(_ value: RawSpan, before idFrom: Int) -> Signature? {
    idFrom == 1 ? nil : Signature(Array(copying: value.extracting(1..<idFrom)))
  }
}

/// What the store keeps of a room beside its events.
struct RoomRecord {
  let room: RoomID
  var events: UInt32
  /// The sum of the bytes of bodies.
  var bytes: UInt64

  init(room: RoomID) {
    self.room = room
    events = 0
    bytes = 0
  }

  init(_ value: RawSpan) throws(LogError) {
    var reader = ByteReader(value)
    do throws(FormatError) {
      room = try reader.identifier()
      events = try reader.integer()
      bytes = try reader.integer()
      try reader.end()
    } catch {
      throw .corrupt(event: nil, reason: "the record of a room is \(error)")
    }
  }

  var value: [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(44)
    value.append(room)
    value.append(bigEndian: events)
    value.append(bigEndian: bytes)
    return value
  }
}

extension LogError: StoreFailure {
  /// The store's error as the log's.
  package init(_ error: StoreError) {
    switch error {
    case .missing(let path): self = .noStore(path)
    case .locked: self = .locked(error.description)
    case .permission: self = .noPermission(error.description)
    case .mapFull, .diskFull: self = .full(error.description)
    case .commitFailed, .poisoned, .inputOutput: self = .stopped(error.description)
    case .corrupted, .truncated: self = .corrupt(event: nil, reason: error.description)
    default: self = .store(error.description)
    }
  }
}
