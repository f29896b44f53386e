import EventLog
package import Events

/// The next events of a feed, short: in records in which events are named by the beginning of their ids
/// (Docs/PROTOCOL.md §7.6).
///
/// The receiver makes the bodies again from what it holds. Where it holds something else, the signature does not fit,
/// and it asks for the events in whole; nobody is at fault.
package struct NextEvents: Hashable, Sendable {
  /// The most events.
  package static let limitEvents = 4
  /// The most bytes of a record.
  package static let limitRecordBytes = 512
  /// An event is named so when it is one of so many last ones.
  package static let reach = 64

  /// The feed, by its key between peers.
  package var key: UInt64
  /// The sequence of the event before the first one.
  package var after: UInt64
  package var records: [[UInt8]]
  /// The author's signature over the last event.
  package var signature: Signature

  package init(key: UInt64, after: UInt64, records: [[UInt8]], signature: Signature) {
    self.key = key
    self.after = after
    self.records = records
    self.signature = signature
  }

  /// The sequence of the last event.
  package var last: UInt64 { after + UInt64(records.count) }
}

extension NextEvents {
  /// A run of a room in this form.
  /// - Returns: `nil` for what is too long for it, names something else than the last events of the log, or begins a
  ///   feed or a branch.
  init?(_ run: Run, in log: borrowing RoomLog) {
    guard let first = run.events.first, first.sequence > 1, run.events.count <= Self.limitEvents,
      log.event(of: first.author, at: first.sequence - 1)?.id == first.previous
    else { return nil }
    var named = Named()
    var isShort = true
    var wallTime: UInt64 = 0
    records = []
    for event in run.events {
      var record: [UInt8] = []
      RecordCoder.append(event, goesOn: true, after: wallTime, in: log.graph, to: &record) {
        id, graph, bytes in
        isShort = named.append(id, of: graph, to: &bytes) && isShort
      }
      guard isShort, record.count <= Self.limitRecordBytes else { return nil }
      records.append(record)
      named.note(event.id)
      wallTime = event.wallTime
    }
    key = Feed.key(room: log.room, author: first.author)
    after = first.sequence - 1
    signature = run.signature
  }

  /// Whether a log holds these events, on the first branch of a feed, under this signature.
  func isHeld(in log: borrowing RoomLog, _ feed: Int) -> Bool {
    let positions = log.graph.feeds[feed].positions
    return last <= UInt64(positions.count) && log.signature(at: positions[Int(last) - 1]) == signature
  }

  /// The run that this stands for in a room.
  /// - Parameter feed: the number of the feed in the log.
  /// - Returns: `nil` where the log does not hold what is named. Whether the run is the author's, its signature tells.
  @_effects(readonly)
  func run(of feed: Int, in log: borrowing RoomLog, _ hasher: EventHasher) -> Run? {
    let positions = log.graph.feeds[feed].positions
    guard after >= 1, after <= UInt64(positions.count) else { return nil }
    var named = Named()
    var events: [Event] = []
    var (previous, wallTime) = (log.graph.id(positions[Int(after) - 1]), UInt64(0))
    do throws(FormatError) {
      for record in records {
        // The chain goes on, so it is not written out.
        guard record.count > 1, record[1] & 1 == 0 else { return nil }
        var reader = ByteReader(record)
        let body = try RecordCoder.body(
          &reader, author: log.graph.feeds[feed].author, room: log.room,
          chain: (after + UInt64(events.count) + 1, previous), after: wallTime
        ) { reader throws(FormatError) in try named.read(&reader, log.graph) }
        let event = try Event(body: body, hasher: hasher)
        (previous, wallTime) = (event.id, event.wallTime)
        named.note(event.id)
        events.append(event)
      }
    } catch { return nil }
    return Run(events: events, signature: signature)
  }

  /// What was named in a message so far.
  private struct Named {
    private var ids: [EventID] = []

    mutating func note(_ id: EventID) { ids.append(id) }

    /// Names an event: 1 for what was named last, 2 for what was named before that and so on, else 0 and the first
    /// eight bytes of the id.
    /// - Returns: whether whoever has the same last events finds it.
    mutating func append(_ id: EventID, of graph: CausalGraph, to bytes: inout [UInt8]) -> Bool {
      if let at = ids.lastIndex(of: id) {
        bytes.append(number: UInt64(ids.count - at))
      } else {
        bytes.append(0)
        bytes.append(bigEndian: id.bytes.prefix64)
      }
      note(id)
      return ids.dropLast().contains(id) || graph.recent(id.bytes.prefix64, reach: NextEvents.reach) == id
    }

    mutating func read(_ reader: inout ByteReader, _ graph: CausalGraph) throws(FormatError) -> EventID {
      let at = reader.offset
      let number = try reader.number()
      guard number <= UInt64(ids.count) else { throw .badField("name \(number) of \(ids.count)", at: at) }
      let id =
        number > 0
        ? ids[ids.count - Int(number)] : graph.recent(try reader.integer(), reach: NextEvents.reach)
      guard let id else { throw .badField("an event that is not here", at: at) }
      note(id)
      return id
    }
  }
}
