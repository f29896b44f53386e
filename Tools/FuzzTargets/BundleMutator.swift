import EventLog
import Events

/// Changes one event of a bundle and links everything after it anew, so that deep code gets to see it.
///
/// Signatures are not made anew: the target takes any but all zero ones.
enum BundleMutator {
  private static let hasher = EventHasher(network: .standard)
  /// Offset of the number of parents in a body, and of the parents behind it.
  private static let parentsAt = 114

  /// One event of a bundle, and whether it is signed.
  private struct Record {
    /// What the others name it by.
    let id: EventID
    var body: [UInt8]
    var isSigned = false

    init(body: [UInt8]) {
      id = hasher.id(ofBody: body)
      self.body = body
    }
  }

  /// A changed bundle; `nil` where plain bytes are to be changed.
  static func mutate(_ input: [UInt8], limit: Int, seed: UInt32) -> [UInt8]? {
    var seed = seed
    func below(_ bound: Int) -> Int {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int(seed >> 16) % max(1, bound)
    }
    switch below(8) {
    case 0: return nil
    case 1: return withDigest(Fuzz.plainMutation(Array(input.dropLast(32)), limit: limit - 32))
    default: break
    }
    guard let old = records(of: input), let first = old.first else { return nil }
    var new = old
    let at = below(below(4) == 0 ? new.count : min(new.count, 24))
    switch below(6) {
    case 0: new.remove(at: max(1, at) % new.count)
    case 1: new[at].isSigned.toggle()
    case 2:
      // The author writes something else in its place as well: a fork.
      let body = Fuzz.plainMutation(new[at].body, limit: min(Event.limitBytes, new[at].body.count + 64))
      var other = Record(body: body)
      other.isSigned = new[at].isSigned
      new.insert(other, at: at + 1)
    case 3: new.removeSubrange(max(1, at)...)
    default:
      new[at].body = Fuzz.plainMutation(new[at].body, limit: min(Event.limitBytes, first.body.count + 512))
    }
    guard let bundle = linked(new), bundle.count <= limit else { return nil }
    return bundle
  }

  /// The bytes with the digest that a bundle ends with.
  static func withDigest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = RunningHash(domain: "parlor-bundle-1")
    hash.update(bytes)
    var bytes = bytes
    bytes.append(Digest(hash.digest()))
    return bytes
  }

  /// The records of something like a bundle, as far as they can be read; `nil` when the header cannot be.
  private static func records(of bytes: [UInt8]) -> [Record]? {
    var reader = ByteReader(bytes, from: 40)
    var records: [Record] = []
    do throws(FormatError) {
      let room: RoomID = try reader.identifier()
      let heads: UInt32 = try reader.integer()
      guard heads <= 64 else { return nil }
      _ = try reader.take(16 + Int(heads) * 72)
      var graph = CausalGraph()
      var events = RecordReader(room: room, hasher: hasher)
      while reader.remaining > 32 {
        let mark = try reader.number()
        let bytes = try reader.take(Int(clamping: mark / 2))
        try events.read(bytes)
        let event = try events.event
        var record = Record(body: event.body)
        guard graph.add(event) != nil else { return records }
        record.isSigned = mark % 2 == 1
        if record.isSigned { _ = try reader.take(64) }
        records.append(record)
      }
    } catch { return records }
    return records
  }

  /// The bundle of bodies whose names of each other follow the changes; those that do not fit are left out.
  private static func linked(_ records: [Record]) -> [UInt8]? {
    var renamed: [EventID: EventID] = [:]
    var log: RoomLog?
    for record in records {
      let event: Event
      do throws(FormatError) {
        event = try Event(body: rename(renamed, in: record.body), hasher: hasher)
      } catch {
        continue
      }
      renamed[record.id] = event.id
      if log == nil { log = RoomLog(room: event.room) }
      do throws(LogError) {
        try log?.adopt(.init(event: event, signature: record.isSigned ? signature : nil))
      } catch { continue }
    }
    guard var log else { return nil }
    let followed = Set(log.entries.map(\.event.previous))
    do throws(LogError) {
      for entry in log.entries where entry.signature == nil && !followed.contains(entry.event.id) {
        if let signature { try log.attach(signature, to: entry.event.id) }
      }
    } catch { return nil }
    var bytes: [UInt8] = []
    do throws(BundleError) { try BundleWriter(log, network: .standard).write { bytes += $0 } } catch {
      return nil
    }
    return bytes
  }

  private static let signature = Signature([UInt8](repeating: 0xA5, count: 64))

  /// The body with other ids in the place of those that changed, and its parents in order again.
  private static func rename(_ renamed: [EventID: EventID], in body: [UInt8]) -> [UInt8] {
    var body = body
    var at = 0
    while at + 32 <= body.count {
      if let new = renamed[EventID(Bytes32(body, at: at))] {
        body.replaceSubrange(at..<at + 32, with: new.bytes.bytes)
        at += 32
      } else {
        at += 1
      }
    }
    guard body.count > parentsAt else { return body }
    let count = Int(body[parentsAt])
    let end = parentsAt + 1 + 32 * count
    guard count <= Event.limitParents, body.count >= end else { return body }
    let parents = (0..<count).map { EventID(Bytes32(body, at: parentsAt + 1 + 32 * $0)) }
    body.replaceSubrange(parentsAt + 1..<end, with: Set(parents).sorted().flatMap(\.bytes.bytes))
    body[parentsAt] = UInt8(Set(parents).count)
    return body
  }
}
