package import Events

/// Reads a bundle and checks all of it in one pass, from a file or a pipe.
///
/// It keeps an index of 100 to 200 bytes an event and no bodies. An entry that `next` returns is proven only
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
  private let hasher: EventHasher
  private var input: BundleInput
  private var index: BundleIndex
  private var eventsRead: UInt64 = 0
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
    signatures = header.signatures
    hasher = EventHasher(network: header.network)
    index = BundleIndex(room: header.room, hasher: hasher, scheme: scheme)
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
      if eventsRead < events { return try readEntry() }
      try finish()
      end = .success(())
      return nil
    } catch {
      end = .failure(error)
      throw error
    }
  }

  private mutating func readEntry() throws(BundleError) -> RoomLog.Entry {
    let start = input.offset
    guard try input.take(1) == [Bundle.eventRecord] else { throw .badRecord(at: start) }
    let length = try input.take(2)
    let body = try input.take(Int(length[0]) << 8 | Int(length[1]))
    eventsRead += 1
    let event: Event
    do throws(FormatError) { event = try Event(body: body, hasher: hasher) } catch {
      throw .badEvent(error, number: eventsRead)
    }
    do throws(RoomVerifier.Fault) { try index.take(event) } catch { throw BundleError(error) }
    // The last event is nobody's previous, so it is a head, and every head is signed.
    let isSigned = if eventsRead == events { true } else { try input.peek() == Bundle.signatureRecord }
    guard isSigned else { return RoomLog.Entry(event: event, signature: nil) }
    return RoomLog.Entry(event: event, signature: try readSignature(of: event))
  }

  private mutating func readSignature(of event: Event) throws(BundleError) -> Signature {
    let start = input.offset
    guard try input.take(1) == [Bundle.signatureRecord] else { throw .event(event.id, .unsigned) }
    guard signaturesRead < signatures else { throw .wrongSignatureCount }
    guard let signature = Signature(try input.take(64)) else { throw .badRecord(at: start) }
    do throws(RoomVerifier.Fault) { try index.sign(event, signature) } catch { throw BundleError(error) }
    signaturesRead += 1
    if eventsRead < events, try input.peek() == Bundle.signatureRecord {
      throw .event(event.id, .doubledSignature)
    }
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
