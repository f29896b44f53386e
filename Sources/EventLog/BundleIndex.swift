internal import Events

/// What a reader remembers of the events of a bundle: enough to read and check the next one.
struct BundleIndex {
  private var verifier: RoomVerifier
  private var reader: RecordReader
  private var isFollowed: [Bool] = []
  private var order = OrderCheck()

  init(room: RoomID, hasher: EventHasher, scheme: any SignatureScheme) {
    reader = RecordReader(room: room, hasher: hasher)
    verifier = RoomVerifier(room: room, hasher: hasher, scheme: scheme)
  }

  /// How many events were taken.
  var count: Int { isFollowed.count }

  /// Takes the record of the next event.
  mutating func take(_ record: [UInt8]) throws(BundleError) -> Event {
    let event: Event
    do throws(FormatError) {
      try reader.read(record)
      for id in reader.writtenOut where verifier.holds(id) {
        throw .badField("the id of an event that has a place is written out", at: 0)
      }
      event = try reader.event
    } catch { throw .badEvent(error, number: UInt64(count) + 1) }
    do throws(RoomVerifier.Fault) { try take(event) } catch { throw BundleError(error) }
    return event
  }

  private mutating func take(_ event: Event) throws(RoomVerifier.Fault) {
    let position = isFollowed.count
    let links = try verifier.take(event)
    var readyAt = max(links.previous.map { $0 + 1 } ?? 0, min(position, 1))
    for number in 0..<links.parents { readyAt = max(readyAt, links.parent(number) + 1) }
    guard order.take(OrderKey(event), at: position, readyAt: readyAt) else {
      throw RoomVerifier.Fault(event.id, .wrongOrder)
    }
    isFollowed.append(false)
    if let previous = links.previous { isFollowed[previous] = true }
  }

  /// Takes the signature of the last event.
  mutating func sign(_ event: Event, _ signature: Signature) throws(RoomVerifier.Fault) {
    try verifier.sign(event, signature)
  }

  /// Throws unless all is covered.
  func checkCoverage() throws(RoomVerifier.Fault) { try verifier.finish() }

  /// Whether the feeds end in these events, ascending by author and id, and no others.
  func ends(in heads: [OrderKey]) -> Bool {
    let graph = verifier.graph
    let ends = isFollowed.indices.filter { !isFollowed[$0] }.map { at in
      OrderKey(author: graph.author(at), sequence: graph.sequence(at), id: graph.id(at))
    }
    return ends.sorted { ($0.author, $0.id) < ($1.author, $1.id) } == heads
  }
}
