import EventLog
import Events

/// A bundle taken apart, to be put together wrongly.
struct BundleParts {
  /// What the bundle says of one event.
  struct Record {
    var bytes: [UInt8]
    var signature: [UInt8]?
  }

  var magic = Array("PARLORB2".utf8)
  var network = NetworkID.standard
  var room: RoomID
  var events: UInt64
  var signatures: UInt64
  var heads: [(author: PeerID, sequence: UInt64, id: EventID)] = []
  var records: [Record] = []
  var headCount: UInt32?
  var tail: [UInt8] = []

  init(_ log: RoomLog) throws {
    let bytes = try bundle(log)
    var reader = ByteReader(bytes, from: 40)
    room = try reader.identifier()
    let count = try reader.integer(UInt32.self)
    events = try reader.integer()
    signatures = try reader.integer()
    for _ in 0..<count {
      heads.append((try reader.identifier(), try reader.integer(), try reader.identifier()))
    }
    while reader.remaining > 32 {
      let mark = try reader.number()
      records.append(
        Record(
          bytes: try reader.take(Int(mark / 2)), signature: mark % 2 == 1 ? try reader.take(64) : nil))
    }
  }

  /// The bundle of these events in this order, whatever is wrong with them, under a manifest that fits.
  init(room: RoomID, _ entries: [(event: Event, signature: Signature?)]) throws {
    self.room = room
    (events, signatures) = (0, 0)
    var graph = CausalGraph()
    for (event, signature) in entries {
      var record: [UInt8] = []
      // No reader goes on behind an event that does not link.
      _ = graph.restore(event)
      RecordCoder.append(at: graph.count - 1, of: graph, to: &record)
      records.append(Record(bytes: record, signature: signature?.bytes))
    }
    setManifest(of: entries.map(\.event))
  }

  /// The bundle, with a digest that is right for what it holds.
  var bytes: [UInt8] {
    var bytes = magic
    bytes.append(network)
    bytes.append(room)
    bytes.append(bigEndian: headCount ?? UInt32(heads.count))
    bytes.append(bigEndian: events)
    bytes.append(bigEndian: signatures)
    for head in heads {
      bytes.append(head.author)
      bytes.append(bigEndian: head.sequence)
      bytes.append(head.id)
    }
    for record in records {
      bytes.append(number: UInt64(record.bytes.count) << 1 | (record.signature == nil ? 0 : 1))
      bytes += record.bytes + (record.signature ?? [])
    }
    var hash = Blake2b(domain: "parlor-bundle-1")
    hash.update(bytes)
    return bytes + hash.digest().bytes + tail
  }

  /// Counts events and signatures again, and takes the heads from the records.
  /// - Throws: when one of them cannot be read behind those before it.
  mutating func recount() throws {
    var graph = CausalGraph()
    var reader = RecordReader(room: room, hasher: EventHasher(network: network))
    for record in records {
      try reader.read(record.bytes)
      guard graph.add(try reader.event) != nil else { throw FormatError.badField("what it names", at: 0) }
    }
    setManifest(of: graph.events)
  }

  private mutating func setManifest(of written: [Event]) {
    events = UInt64(records.count)
    signatures = UInt64(records.count { $0.signature != nil })
    let followed = Set(written.map(\.previous))
    var seen: Set<EventID> = []
    heads = written.filter { !followed.contains($0.id) && seen.insert($0.id).inserted }
      .map { ($0.author, $0.sequence, $0.id) }.sorted { ($0.0, $0.2) < ($1.0, $1.2) }
  }
}
