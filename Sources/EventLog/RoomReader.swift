internal import Events
internal import LMDB

/// Goes through the values of a stored room.
struct RoomReader {
  private let record: RoomRecord
  private var reader: RecordReader
  private var verifier: RoomVerifier?
  /// Whether there is a verifier; to compare one with `nil` copies it.
  private let isVerifying: Bool
  /// Whether events are made of the records.
  private var makesEvents = true
  private var feeds = 0
  private var read = 0

  init(_ record: RoomRecord, hasher: EventHasher, scheme: (any SignatureScheme)?) {
    let capacity = min(Int(record.events), StoredRecord.limitReserved)
    self.record = record
    reader = RecordReader(room: record.room, hasher: hasher, capacity: capacity)
    isVerifying = scheme != nil
    verifier = scheme.map { scheme in
      RoomVerifier(room: record.room, hasher: hasher, scheme: scheme, capacity: capacity)
    }
  }

  /// Whether there are events that were not read.
  var wantsMore: Bool { read < Int(record.events) }

  /// Calls with the events of the value that begins at a position.
  @inline(__always)
  mutating func take(
    _ value: RawSpan, at first: Int?, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) -> Reading {
    // With each key as it must be they ascend, so that no damaged page can lead around in circles.
    guard first == read, value.byteCount > 0 else { throw gap }
    var at = 0
    while at < value.byteCount {
      guard wantsMore else {
        throw .corrupt(event: nil, reason: "there are more than \(record.events) events")
      }
      let entry = try StoredEntry(value, at: at)
      at = entry.end
      let fields = try fields(of: entry)
      if fields.opensFeed { feeds += 1 }
      if makesEvents || isVerifying {
        do throws(FormatError) { try reader.read(entry.record) } catch { throw damaged(error) }
        if isVerifying { try Self.verify(reader, entry.signature, &verifier) }
      }
      let reading =
        if makesEvents {
          try show(fields, StoredRecord(signature: entry.signature, events: Int(record.events)), body)
        } else { try byPosition(fields) }
      read += 1
      switch reading {
      case .goOn: break
      case .goOnByPosition: makesEvents = false
      case .stop: return .stop
      }
    }
    return .goOn
  }

  /// Checks the event that was made last.
  @inline(__always)
  private static func verify(
    _ reader: borrowing RecordReader, _ signature: Signature?, _ verifier: inout RoomVerifier?
  ) throws(LogError) {
    let view: EventView
    do throws(FormatError) { view = try reader.view } catch {
      throw .corrupt(event: nil, reason: "its event \(reader.count) is damaged: \(error)")
    }
    do throws(RoomVerifier.Fault) { try verifier?.takeHashed(view, signature: signature) } catch {
      throw LogError(error)
    }
  }

  /// Calls with the event that was made last.
  @inline(__always)
  private func show(
    _ fields: borrowing RecordFields, _ stored: StoredRecord, _ body: EventBody
  ) throws(LogError) -> Reading {
    let view: EventView
    do throws(FormatError) { view = try reader.view } catch { throw damaged(error) }
    return try body(view, fields, stored)
  }

  @inline(__always)
  @_lifetime(copy entry)
  private func fields(of entry: borrowing StoredEntry) throws(LogError) -> RecordFields {
    do throws(FormatError) { return try RecordFields(entry.record, at: read, feeds: feeds) } catch {
      throw damaged(error)
    }
  }

  private func damaged(_ error: FormatError) -> LogError {
    .corrupt(event: nil, reason: "its event \(read + 1) is damaged: \(error)")
  }

  private var gap: LogError {
    .corrupt(event: nil, reason: "of \(record.events) events number \(read + 1) is gone")
  }

  /// Throws unless all was read and holds.
  func finish() throws(LogError) {
    guard !wantsMore else { throw gap }
    if isVerifying || makesEvents, reader.sum != record.sum {
      throw .corrupt(event: nil, reason: "its events are not those that were stored")
    }
    do throws(RoomVerifier.Fault) { try verifier?.finish() } catch { throw LogError(error) }
  }
}

extension StoredValue {
  /// The bytes where they lie.
  var span: RawSpan {
    @_lifetime(borrow self)
    borrowing get { bytes.rawSpan }
  }
}

/// One event in a value, where it lies.
private struct StoredEntry: ~Escapable {
  let record: RawSpan
  /// Where the next one begins.
  let end: Int
  private let signatureBytes: RawSpan

  @inline(__always)
  @_lifetime(copy value)
  init(_ value: RawSpan, at start: Int) throws(LogError) {
    var reader = ByteReader(value, from: start)
    let mark: UInt64
    do throws(FormatError) { mark = try reader.number() } catch {
      throw .corrupt(event: nil, reason: "the length of a record is damaged")
    }
    let (from, recordBytes) = (reader.offset + (mark & 1 == 1 ? 64 : 0), mark >> 1)
    guard recordBytes <= UInt64(RecordCoder.limitBytes), from + Int(recordBytes) <= value.byteCount else {
      throw .corrupt(event: nil, reason: "the record of an event is cut short")
    }
    end = from + Int(recordBytes)
    record = value.extracting(from..<end)
    signatureBytes = value.extracting(reader.offset..<from)
  }

  /// The signature in front of the record.
  @inline(__always)
  var signature: Signature? { signatureBytes.isEmpty ? nil : Signature(Array(copying: signatureBytes)) }
}
