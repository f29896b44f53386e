package import Events

/// What a store is told to make durable of one room, in one transaction with everything else in its batch.
package struct RoomChange: Sendable {
  /// The room.
  package let room: RoomID
  /// How many entries the store has before this change.
  package let base: Int
  /// Entries that follow those, in order. After the change the last event of each feed here is signed.
  package let entries: [RoomLog.Entry]
  /// The entries in the form in which a store has them.
  let values: [StoredValue]
  /// Of a room of strangers: that it is used now.
  package var use: RoomUse?

  /// All that a log has from a position on.
  package init(_ log: borrowing RoomLog, from base: Int) {
    room = log.room
    self.base = base
    var entries: [RoomLog.Entry] = []
    var values = StoredValues()
    for position in base..<max(base, log.graph.count) {
      let entry = RoomLog.Entry(event: log.graph.events[position], signature: log.signature(at: position))
      values.append(entry, at: position, of: log.graph)
      entries.append(entry)
    }
    self.entries = entries
    self.values = values.finished()
  }

  /// How many entries the store has after it.
  package var end: Int { base + entries.count }
}

/// Some events of a room that follow each other, as a store has them.
///
/// ```
/// for each event:   number: 2 × length of the record + 1 where a signature follows
///                   [signature, 64]
///                   record (Docs/PROTOCOL.md §6.1)
/// ```
///
/// What a record names is counted in the order of the store, in which the events arrived.
struct StoredValue: Sendable {
  /// Another event goes into a new value when this one would grow over so many bytes: two of them fit into a page.
  static let limitBytes = 1_000

  /// The position of the first event.
  let first: Int
  let bytes: [UInt8]
}

/// Writes events as values.
struct StoredValues {
  private var values: [StoredValue] = []
  private var first = 0
  private var bytes: [UInt8] = []
  private var record: [UInt8] = []

  /// Appends the event at a position of a graph that keeps its events.
  mutating func append(_ entry: RoomLog.Entry, at position: Int, of graph: borrowing CausalGraph) {
    record.removeAll(keepingCapacity: true)
    RecordCoder.append(at: position, of: graph, to: &record)
    let signatureBytes = entry.signature == nil ? 0 : 64
    if bytes.count + 3 + signatureBytes + record.count > StoredValue.limitBytes { cut() }
    if bytes.isEmpty { first = position }
    bytes.append(number: UInt64(record.count) << 1 | (entry.signature == nil ? 0 : 1))
    if let signature = entry.signature { bytes.append(contentsOf: signature.bytes) }
    bytes += record
  }

  private mutating func cut() {
    guard !bytes.isEmpty else { return }
    values.append(StoredValue(first: first, bytes: bytes))
    bytes.removeAll(keepingCapacity: true)
  }

  /// All values.
  consuming func finished() -> [StoredValue] {
    cut()
    return values
  }
}
