import Events
public import Rules

/// A projection in bytes, for a store that this program wrote itself: its events with their ids, which are
/// not hashed again, and one hash over everything, so that damage is noticed.
///
/// ```
/// 8 bytes  "PARLORP1"
/// u32      number of events
/// events   in the order in which they were applied: 32 bytes id · u16 length · body
/// 32 bytes BLAKE2b-256("parlor-snapshot-1" ‖ everything above)
/// ```
extension RoomProjection {
  private static let magic = Array("PARLORP1".utf8)
  private static let digestBytes = 32

  /// The projection's events in bytes.
  public func snapshot() -> [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: facts.graph.events.count))
    for event in facts.graph.events {
      bytes.append(event.id)
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: event.bodyBytes))
      event.append(to: &bytes, withID: false)
    }
    Self.digest(bytes[...]).append(to: &bytes)
    return bytes
  }

  /// The projection that `snapshot` wrote; `nil` when the bytes are damaged.
  public init?(snapshot bytes: [UInt8], catalog: GameCatalog) {
    let end = bytes.count - Self.digestBytes
    guard end >= 0, Self.digest(bytes[..<end]) == Bytes32(bytes[end...]) else { return nil }
    do throws(FormatError) {
      guard let read = try Self.read(Array(bytes[..<end]), catalog) else { return nil }
      self = read
    } catch {
      return nil
    }
  }

  private static func read(
    _ bytes: [UInt8], _ catalog: GameCatalog
  ) throws(FormatError) -> RoomProjection? {
    var reader = ByteReader(bytes)
    guard try reader.take(magic.count) == magic else { return nil }
    let count: UInt32 = try reader.integer()
    guard count > 0, var projection = RoomProjection(create: try event(&reader), catalog: catalog) else {
      return nil
    }
    for _ in 1..<count {
      guard projection.takeIn(try event(&reader)) else { return nil }
    }
    try reader.end()
    return projection
  }

  private static func event(_ reader: inout ByteReader) throws(FormatError) -> Event {
    let id: EventID = try reader.identifier()
    let count: UInt16 = try reader.integer()
    return try Event(body: try reader.take(Int(count)), id: id)
  }

  private static func digest(_ bytes: ArraySlice<UInt8>) -> Bytes32 {
    var hash = Blake2b(domain: "parlor-snapshot-1")
    hash.update(Array(bytes))
    return hash.digest()
  }
}
