internal import BotKit
package import Events
internal import Gossip
internal import Peer
internal import Rules

/// What goes over the local socket between a command and the process that has its data folder: frames behind a
/// length of four bytes, numbers most significant byte first.
///
/// Both ends are of one user and one machine, and all the same nothing that comes is trusted: each frame is bounded
/// and read to its end. The first frame of each end says the version; other versions are refused.
package enum ServiceFrame: Equatable, Sendable {
  /// The first frame of a command.
  case hello
  /// The first answer: who the peer is.
  case welcome(PeerID)
  case perform(number: UInt32, Intent)
  case askNeighbours(number: UInt32)
  case askOpenGames(number: UInt32)
  case done(number: UInt32, RoomID)
  case failed(number: UInt32, ServiceError)
  /// Some of the neighbours, or of the rooms; all of them when the last have come.
  case neighbours(number: UInt32, isLast: Bool, [NeighbourStatus])
  case openGames(number: UInt32, isLast: Bool, [RoomID])
  /// Something may have changed.
  case changed
  /// Take the events of this message of runs, which the command has made; answered when all until the last are durable.
  case take(number: UInt32, isLast: Bool, [UInt8])
  /// Reserve this room for the command, which is about to read it and to write into it.
  case reserve(number: UInt32, RoomID)
  case askTable(number: UInt32, RoomID)
  /// A part of a table's JSON form, which is whole when the last has come; nothing at all for a room that is not here.
  case table(number: UInt32, isLast: Bool, [UInt8])
  /// The command sits at this table until it ends.
  case attend(number: UInt32, RoomID)
  /// Answered as `askOpenGames` is.
  case askLeftTables(number: UInt32)
  /// Forget these rooms; answered as `askOpenGames` is, by those that were forgotten.
  case forget(number: UInt32, Forgetting, [RoomID])

  /// The version that both ends must have: that of the program's own frames.
  package static let version: UInt16 = 11
  package static let limitBytes = Message.limitBytes + 16
  /// The most rooms of one frame.
  package static let limitRooms = 1_024
  /// The most neighbours of one frame.
  package static let limitNeighbours = 100
  /// The most bytes of a table in one frame.
  private static let limitTableBytes = 60_000
  private static let beginning = Array("parlor-local".utf8)

  /// The frame with its length in front.
  package func encoded() -> [UInt8] {
    var body: [UInt8] = []
    encode(to: &body)
    var frame: [UInt8] = []
    frame.append(bigEndian: UInt32(body.count))
    return frame + body
  }

  private func encode(to body: inout [UInt8]) {
    switch self {
    case .hello:
      body = [1] + Self.beginning
      body.append(bigEndian: Self.version)
    case .welcome(let peer):
      body = [2] + Self.beginning
      body.append(bigEndian: Self.version)
      body.append(peer)
    case .perform(let number, let intent):
      body = [3]
      body.append(bigEndian: number)
      intent.encode(to: &body)
    case .askNeighbours(let number):
      body = [4]
      body.append(bigEndian: number)
    case .askOpenGames(let number):
      body = [5]
      body.append(bigEndian: number)
    case .done(let number, let room): body = Self.frame(6, number, room)
    case .failed(let number, let error):
      body = [7]
      body.append(bigEndian: number)
      error.encode(to: &body)
    case .neighbours(let number, let isLast, let neighbours):
      body = [8]
      body.append(bigEndian: number)
      body.append(isLast ? 1 : 0)
      body.append(bigEndian: UInt16(neighbours.count))
      for status in neighbours { status.encode(to: &body) }
    case .openGames(let number, let isLast, let rooms):
      body = [9]
      body.append(bigEndian: number)
      body.append(isLast ? 1 : 0)
      body.append(bigEndian: UInt16(rooms.count))
      for room in rooms { body.append(room) }
    case .changed: body = [10]
    case .take(let number, let isLast, let bytes): body = [11] + Self.part(number, isLast, bytes)
    case .reserve(let number, let room): body = Self.frame(12, number, room)
    case .askTable(let number, let room): body = Self.frame(13, number, room)
    case .table(let number, let isLast, let bytes): body = [14] + Self.part(number, isLast, bytes)
    case .attend(let number, let room): body = Self.frame(15, number, room)
    case .askLeftTables(let number):
      body = [16]
      body.append(bigEndian: number)
    case .forget(let number, let which, let rooms):
      body = [17]
      body.append(bigEndian: number)
      body.append(which.rawValue)
      body.append(bigEndian: UInt16(rooms.count))
      for room in rooms { body.append(room) }
    }
  }

  private static func frame(_ kind: UInt8, _ number: UInt32, _ room: RoomID) -> [UInt8] {
    var body = [kind]
    body.append(bigEndian: number)
    body.append(room)
    return body
  }

  private static func part(_ number: UInt32, _ isLast: Bool, _ bytes: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.append(bigEndian: number)
    body.append(isLast ? 1 : 0)
    body.append(bigEndian: UInt32(bytes.count))
    return body + bytes
  }

  /// Which neighbours there are, in as many frames as that takes.
  package static func answer(_ number: UInt32, _ neighbours: [NeighbourStatus]) -> [ServiceFrame] {
    parts(neighbours, limitNeighbours) { .neighbours(number: number, isLast: $1, $0) }
  }

  /// Which games are open, in as many frames as that takes.
  package static func answer(_ number: UInt32, _ rooms: [RoomID]) -> [ServiceFrame] {
    parts(rooms, limitRooms) { .openGames(number: number, isLast: $1, $0) }
  }

  /// A table, in as many frames as that takes.
  package static func answer(_ number: UInt32, _ table: TableView?) -> [ServiceFrame] {
    parts(table?.json ?? [], limitTableBytes) { .table(number: number, isLast: $1, $0) }
  }

  private static func parts<Item>(
    _ items: [Item], _ limit: Int, _ frame: ([Item], _ isLast: Bool) -> ServiceFrame
  ) -> [ServiceFrame] {
    stride(from: 0, to: max(1, items.count), by: limit).map { start in
      frame(Array(items[start...].prefix(limit)), start + limit >= items.count)
    }
  }

  /// Reads a frame without its length.
  package init(decoding bytes: [UInt8]) throws(FormatError) {
    var reader = ByteReader(bytes)
    self = try Self.frame(&reader)
    try reader.end()
  }

  private static func frame(_ reader: inout ByteReader) throws(FormatError) -> ServiceFrame {
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 1:
      try begin(&reader)
      return .hello
    case 2:
      try begin(&reader)
      return .welcome(try reader.identifier())
    case 10: return .changed
    default: break
    }
    let number: UInt32 = try reader.integer()
    switch kind {
    case 3: return .perform(number: number, try Intent(&reader))
    case 4: return .askNeighbours(number: number)
    case 5: return .askOpenGames(number: number)
    case 6: return .done(number: number, try reader.identifier())
    case 7: return .failed(number: number, try ServiceError(&reader))
    case 8:
      let isLast = try reader.flag()
      var found: [NeighbourStatus] = []
      for _ in 0..<(try count(&reader, limit: limitNeighbours)) { found.append(try NeighbourStatus(&reader)) }
      return .neighbours(number: number, isLast: isLast, found)
    case 9:
      let isLast = try reader.flag()
      return .openGames(number: number, isLast: isLast, try rooms(&reader))
    case 11, 14:
      let isLast = try reader.flag()
      let count: UInt32 = try reader.integer()
      let bytes = try reader.take(Int(count))
      return kind == 11
        ? .take(number: number, isLast: isLast, bytes) : .table(number: number, isLast: isLast, bytes)
    case 12: return .reserve(number: number, try reader.identifier())
    case 13: return .askTable(number: number, try reader.identifier())
    case 15: return .attend(number: number, try reader.identifier())
    case 16: return .askLeftTables(number: number)
    case 17:
      guard let which = Forgetting(rawValue: try reader.integer()) else {
        throw .badField("forgetting", at: 5)
      }
      return .forget(number: number, which, try rooms(&reader))
    default: throw .badField("frame kind \(kind)", at: 0)
    }
  }

  private static func begin(_ reader: inout ByteReader) throws(FormatError) {
    guard try reader.take(beginning.count) == beginning else { throw .badField("beginning", at: 1) }
    let version: UInt16 = try reader.integer()
    guard version == Self.version else { throw .badField("version \(version)", at: 13) }
  }

  private static func rooms(_ reader: inout ByteReader) throws(FormatError) -> [RoomID] {
    var rooms: [RoomID] = []
    for _ in 0..<(try count(&reader, limit: limitRooms)) { rooms.append(try reader.identifier()) }
    return rooms
  }

  private static func count(_ reader: inout ByteReader, limit: Int) throws(FormatError) -> Int {
    let count: UInt16 = try reader.integer()
    guard count <= limit else { throw .tooLong(Int(count), limit: limit) }
    return Int(count)
  }
}

/// Takes frames out of what comes in any portions.
package struct FrameAssembler: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// Takes in what came.
  /// - Returns: the whole frames in it.
  /// - Throws: for a frame that is too long, or none that there is; nothing is to be read after that.
  package mutating func take(_ bytes: [UInt8]) throws(FormatError) -> [ServiceFrame] {
    pending += bytes
    var frames: [ServiceFrame] = []
    var start = 0
    while pending.count - start >= 4 {
      let length = pending[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length > 0, length <= ServiceFrame.limitBytes else {
        throw .tooLong(length, limit: ServiceFrame.limitBytes)
      }
      guard pending.count - start >= 4 + length else { break }
      frames.append(try ServiceFrame(decoding: Array(pending[start + 4..<start + 4 + length])))
      start += 4 + length
    }
    pending.removeFirst(start)
    return frames
  }
}
