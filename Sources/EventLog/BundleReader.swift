package import Events

/// Reads a bundle and checks all of it in one pass, from a file or a pipe.
///
/// It keeps an index of 130 to 230 bytes an event and no bodies. An entry that `next` returns is proven only
/// when
/// `next` has returned `nil`: the heads, the counts and the digest come last.
package struct BundleReader: ~Copyable {
  /// The room that the bundle says it holds.
  package let room: RoomID
  /// The network that the bundle says it belongs to.
  package let network: NetworkID
  /// How many events it says it holds.
  package let events: UInt64

  private let signatures: UInt64
  private let heads: [OrderKey]
  private var input: BundleInput
  private var index: BundleIndex
  private let limitBytes: UInt64
  private var bodyBytes: UInt64 = 0
  private var signaturesRead: UInt64 = 0
  private var end: Result<Void, BundleError>?

  /// Reads and checks the header.
  /// - Parameters:
  ///   - network: the network that it must belong to; any when `nil`.
  ///   - source: gives the next bytes, in pieces of any size; none at the end.
  package init(
    network: NetworkID?, limits: Bundle.Limits = .init(), scheme: any SignatureScheme = Ed25519(),
    source: @escaping () throws(BundleError) -> [UInt8]
  ) throws(BundleError) {
    var input = BundleInput(limitBytes: limits.bytes, source: source)
    try Self.checkMagic(try input.take(Bundle.magic.count))
    let header = try BundleHeader(&input)
    guard network == nil || header.network == network else { throw .otherNetwork(header.network) }
    guard header.events <= min(limits.events, UInt64(Int32.max)) else {
      throw .limit("\(header.events) events")
    }
    guard header.signatures <= header.events else { throw .wrongSignatureCount }
    heads = try header.readHeads(&input)
    room = header.room
    self.network = header.network
    events = header.events
    limitBytes = limits.bytes
    signatures = header.signatures
    index = BundleIndex(
      room: header.room, hasher: EventHasher(network: header.network), scheme: scheme)
    self.input = input
  }

  private static func checkMagic(_ bytes: [UInt8]) throws(BundleError) {
    guard bytes != Bundle.magic else { return }
    guard bytes.dropLast() == Bundle.magic.dropLast(), let last = bytes.last, (0x30...0x39).contains(last)
    else {
      throw .notABundle
    }
    throw .otherVersion(last - 0x30)
  }

  /// The next event with its signature, if it has one; `nil` when all was read and everything holds.
  package mutating func next() throws(BundleError) -> RoomLog.Entry? {
    if let end {
      try end.get()
      return nil
    }
    do throws(BundleError) {
      if UInt64(index.count) < events { return try readEntry() }
      try finish()
      end = .success(())
      return nil
    } catch {
      end = .failure(error)
      throw error
    }
  }

  private mutating func readEntry() throws(BundleError) -> RoomLog.Entry {
    let (count, isSigned) = try readRecordLength()
    let event = try index.take(try input.take(count))
    // A short record may stand for a long body, and whoever imports holds the bodies.
    bodyBytes += UInt64(event.bodyBytes)
    guard bodyBytes <= limitBytes else { throw .limit("\(limitBytes) bytes of events") }
    if isSigned { return RoomLog.Entry(event: event, signature: try readSignature(of: event)) }
    // The last event is nobody's previous, so it is a head, and every head is signed.
    guard UInt64(index.count) < events else { throw .event(event.id, .unsigned) }
    return RoomLog.Entry(event: event, signature: nil)
  }

  private mutating func readRecordLength() throws(BundleError) -> (count: Int, isSigned: Bool) {
    let number = UInt64(index.count) + 1
    let bytes = try input.takeNumber()
    var reader = ByteReader(bytes)
    let mark: UInt64
    do throws(FormatError) { mark = try reader.number() } catch { throw .badEvent(error, number: number) }
    guard mark / 2 <= UInt64(RecordCoder.limitBytes) else {
      throw .badEvent(.tooLong(Int(mark / 2), limit: RecordCoder.limitBytes), number: number)
    }
    return (Int(mark / 2), mark % 2 == 1)
  }

  private mutating func readSignature(of event: Event) throws(BundleError) -> Signature {
    guard let signature = Signature(try input.take(64)) else { throw .truncated(at: input.offset) }
    do throws(RoomVerifier.Fault) { try index.sign(event, signature) } catch { throw BundleError(error) }
    signaturesRead += 1
    return signature
  }

  private mutating func finish() throws(BundleError) {
    guard signaturesRead == signatures else { throw .wrongSignatureCount }
    do throws(RoomVerifier.Fault) { try index.checkCoverage() } catch { throw BundleError(error) }
    guard index.ends(in: heads) else { throw .wrongHeads }
    let digest = input.digestSoFar
    let end = input.offset
    guard try input.takeUnhashed(32) == digest.bytes.bytes else { throw .wrongDigest }
    guard try input.peek() == nil else { throw .trailing(at: end + 32) }
  }
}

/// The numbers before a bundle's heads.
private struct BundleHeader {
  let network: NetworkID
  let room: RoomID
  let heads: UInt32
  let events: UInt64
  let signatures: UInt64

  init(_ input: inout BundleInput) throws(BundleError) {
    let bytes = try input.take(Bundle.headerBytes - Bundle.magic.count)
    var fields = ByteReader(bytes)
    do throws(FormatError) {
      network = try fields.identifier()
      room = try fields.identifier()
      heads = try fields.integer()
      events = try fields.integer()
      signatures = try fields.integer()
    } catch { throw .truncated(at: input.offset) }
  }

  /// Reads the heads one by one, so that a great number of them costs nothing before they come.
  func readHeads(_ input: inout BundleInput) throws(BundleError) -> [OrderKey] {
    guard heads > 0, events > 0 else { throw .badHeads }
    guard signatures > 0 else { throw .wrongSignatureCount }
    guard heads <= Bundle.limitHeads else { throw .limit("\(heads) heads") }
    var list: [OrderKey] = []
    for _ in 0..<heads {
      let bytes = try input.take(72)
      var fields = ByteReader(bytes)
      let head: OrderKey
      do throws(FormatError) {
        head = OrderKey(
          author: try fields.identifier(), sequence: try fields.integer(), id: try fields.identifier())
      } catch { throw .truncated(at: input.offset) }
      if let last = list.last, (last.author, last.id) >= (head.author, head.id) { throw .badHeads }
      list.append(head)
    }
    return list
  }
}
