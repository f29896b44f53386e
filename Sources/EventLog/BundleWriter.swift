package import Events

/// Names of the bundle format (Docs/PROTOCOL.md §6).
package enum Bundle {
  /// What a bundle begins with.
  static let magic = Array("PARLORB2".utf8)
  /// Bytes before the heads.
  static let headerBytes = 8 + 32 + 32 + 4 + 8 + 8
  /// The most heads.
  static let limitHeads = 65_536
  /// The most events.
  static let limitEvents = UInt64(UInt32.max)

  /// What a bundle is read with: the most that is taken of a stranger.
  package struct Limits: Sendable {
    /// The most events.
    package var events: UInt64
    /// The most bytes of the whole bundle, and of the bodies of its events.
    package var bytes: UInt64

    /// A million events and 256 MiB unless told otherwise.
    package init(events: UInt64 = 1_000_000, bytes: UInt64 = 256 << 20) {
      self.events = events
      self.bytes = bytes
    }
  }
}

/// Writes a room as a bundle, in pieces.
package struct BundleWriter {
  private let log: RoomLog
  private let network: NetworkID
  private let order: [Int]

  /// A writer of a room of a network.
  /// - Throws: `.log(.unsigned)` when a feed does not end in a signed event, `.log(.corrupt)` when a run is
  ///   too long, `.limit` above the format's limits.
  package init(_ log: RoomLog, network: NetworkID) throws(BundleError) {
    self.log = log
    self.network = network
    guard !log.graph.events.isEmpty, UInt64(log.graph.events.count) <= Bundle.limitEvents else {
      throw .limit("\(log.graph.events.count) events")
    }
    do throws(LogError) { try Coverage.check(log) } catch { throw .log(error) }
    order = log.strictOrder()
    guard order.count == log.graph.events.count else {
      throw .log(.corrupt(event: nil, reason: "its events do not all have what they name"))
    }
  }

  /// Writes the bundle to `sink`, at most about 64 KiB at a time.
  package func write(
    to sink: (_ bytes: [UInt8]) throws(BundleError) -> Void
  ) throws(BundleError) {
    var digest = RunningHash(domain: "parlor-bundle-1")
    var buffer = try header()
    var graph = CausalGraph(capacity: order.count)
    var record: [UInt8] = []
    for at in order {
      let entry = log.entries[at]
      record.removeAll(keepingCapacity: true)
      guard graph.add(entry.event) != nil else {
        throw .log(.corrupt(event: entry.event.id, reason: "what it names is not before it"))
      }
      RecordCoder.append(at: graph.count - 1, of: graph, to: &record)
      buffer.append(number: UInt64(record.count) << 1 | (entry.signature == nil ? 0 : 1))
      buffer += record
      if let signature = entry.signature { buffer.append(contentsOf: signature.bytes) }
      guard buffer.count >= 56_000 else { continue }
      digest.update(buffer)
      try sink(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    digest.update(buffer)
    buffer.append(Digest(digest.digest()))
    try sink(buffer)
  }

  /// Everything up to the first record.
  private func header() throws(BundleError) -> [UInt8] {
    let heads = log.heads
    guard heads.count <= Bundle.limitHeads else { throw .limit("\(heads.count) heads") }
    let signatures = log.entries.reduce(0) { $1.signature == nil ? $0 : $0 + 1 }
    var bytes = Bundle.magic
    bytes.append(network)
    bytes.append(log.room)
    bytes.append(bigEndian: UInt32(clamping: heads.count))
    bytes.append(bigEndian: UInt64(log.graph.events.count))
    bytes.append(bigEndian: UInt64(signatures))
    for head in heads {
      bytes.append(head.author)
      bytes.append(bigEndian: head.sequence)
      bytes.append(head.id)
    }
    return bytes
  }
}

extension RoomLog {
  /// The last events of all feeds and branches, ascending by author and id.
  var heads: [OrderKey] {
    var isFollowed = [Bool](repeating: false, count: entries.count)
    for entry in entries where entry.event.sequence > 1 {
      if let before = position(of: entry.event.previous) { isFollowed[before] = true }
    }
    return entries.indices.filter { !isFollowed[$0] }.map { OrderKey(entries[$0].event) }
      .sorted { ($0.author, $0.id) < ($1.author, $1.id) }
  }

  /// The last events of these authors' feeds and branches, as a word on a pairing names them.
  package func heads(of authors: [PeerID]) -> [Action.PairingResult.Head] {
    let ends = feeds.filter { authors.contains($0.author) }.flatMap { feed in
      ([feed.positions] + feed.branches).compactMap(\.last)
    }
    return ends.map { entries[$0].event }.map {
      Action.PairingResult.Head(author: $0.author, sequence: $0.sequence, event: $0.id)
    }
  }
}
