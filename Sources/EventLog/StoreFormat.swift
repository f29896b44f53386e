internal import Events
package import LMDB

/// The bytes of keys and values of a stored log; `LMDBEventLog` draws them.
enum StoreFormat {
  /// The version of the layout that this program writes and reads.
  static let version: UInt32 = 3
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

  /// The key of when a room of strangers was used last.
  static func useKey(number: UInt32) -> [UInt8] { Array("host".utf8) + key(number: number) }

  /// What the keys of forgotten rooms begin with, and the first text after them.
  static let forgottenPrefix = Array("gone".utf8)
  static let afterForgotten = Array("gonf".utf8)
  static func forgottenKey(_ room: RoomID) -> [UInt8] { forgottenPrefix + room.bytes.bytes }

  static func key(number: UInt32, arrival: Int) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(8)
    key.append(bigEndian: number)
    key.append(bigEndian: UInt32(clamping: arrival))
    return key
  }

  /// The position of the first event of a value, by its key; `nil` for the key of another room.
  static func first(_ key: RawSpan, number: UInt32) -> Int? {
    guard key.byteCount == 8 else { return nil }
    // SAFETY: a number may hold any bits, and the load is checked.
    let stored = unsafe UInt64(bigEndian: key.unsafeLoadUnaligned(as: UInt64.self))
    return stored >> 32 == UInt64(number) ? Int(stored & 0xFFFF_FFFF) : nil
  }

  static func key(tournament: RoomID, number: UInt32) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(36)
    key.append(tournament)
    key.append(bigEndian: number)
    return key
  }
}

/// What the store keeps of a room beside its events.
struct RoomRecord {
  let room: RoomID
  var events: UInt32
  /// The sum of the bytes of bodies.
  var bytes: UInt64
  /// The sum of the first eight bytes of all ids, modulo 2⁶⁴: events that are made again from damaged records do not
  /// add up to it.
  var sum: UInt64

  init(room: RoomID) {
    self.room = room
    events = 0
    bytes = 0
    sum = 0
  }

  init(_ value: RawSpan) throws(LogError) {
    var reader = ByteReader(value)
    do throws(FormatError) {
      room = try reader.identifier()
      events = try reader.integer()
      bytes = try reader.integer()
      sum = try reader.integer()
      try reader.end()
    } catch {
      throw .corrupt(event: nil, reason: "the record of a room is \(error)")
    }
  }

  /// Counts an event that is stored.
  mutating func add(_ event: borrowing Event) {
    events += 1
    bytes &+= UInt64(event.bodyBytes)
    sum &+= event.id.bytes.prefix64
  }

  var value: [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(52)
    value.append(room)
    value.append(bigEndian: events)
    value.append(bigEndian: bytes)
    value.append(bigEndian: sum)
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
