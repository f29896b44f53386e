/// One entry of a feed: its canonical body, the body's id, and the fields read from it.
///
/// An event is immutable. It is made by `author`ing a new one or by decoding bytes; both ways end in the same
/// checks, so the header of an `Event` that exists is in canonical form. What its payload means concerns only those
/// who derive something from it: one that cannot be read here is kept and passed on like any other, and has no effect.
/// Its signature is kept apart from it.
public struct Event: Hashable, Sendable, Identifiable {
  /// The version of the format.
  package static let version: UInt8 = 2
  /// The longest body, in bytes.
  public static let limitBytes = 8_192
  /// The most parents.
  public static let limitParents = 32

  /// What was read from a body.
  private struct Fields {
    let header: EventHeader
    let action: Action
    let bodyBytes: Int
  }

  // One reference, so that passing an event on costs one count, to memory of just the size that it takes: what was
  // read, then the id, then the body.
  // SAFETY: written in `init` only.
  @safe nonisolated(unsafe) private let memory: ManagedBuffer<Fields, UInt8>

  /// The hash that names the event.
  public var id: EventID { EventID(bytes32(at: -32)) }
  /// The body, as it travels and is stored: a copy.
  public var body: [UInt8] { unsafe withBytes { unsafe Array($0[32...]) } }
  /// How long the body is.
  package var bodyBytes: Int { read { $0.bodyBytes } }
  /// What the event does; `nil` when its kind is not known here, or its payload cannot be read.
  public var kind: Kind? { read { $0.action.kind } }
  /// The name of its kind, in tables and `--json`; of one that cannot be read here its number.
  public var kindName: String { kind?.name ?? "kind-\(code)" }
  /// The number of its kind, known here or not.
  public var code: UInt8 { header.code }
  /// The room; for a `create` the event's own id.
  public var room: RoomID { header.isCreate ? id : RoomID(bytes32(at: EventHeader.roomOffset)) }
  /// Who wrote it.
  public var author: PeerID { PeerID(bytes32(at: EventHeader.authorOffset)) }
  /// Its place in the author's feed of this room, from 1.
  public var sequence: UInt64 { header.sequence }
  /// The author's event before this one.
  public var previous: EventID { EventID(bytes32(at: EventHeader.previousOffset)) }
  /// Milliseconds since 1970 by the author's clock, for people to read.
  public var wallTime: UInt64 { header.wallTime }
  /// Events of other feeds that the author had newly seen, ascending: a list that is made for the caller.
  public var parents: [EventID] { (0..<parentCount).map(parent) }
  /// How many parents there are.
  package var parentCount: Int { header.parentCount }
  /// What the payload says.
  public var action: Action { read { $0.action } }

  var header: EventHeader { read { $0.header } }

  /// What was read. Asked for itself, `memory.header` looks each time whether somebody writes it meanwhile.
  @inline(__always)
  private func read<Value>(_ field: (Fields) -> Value) -> Value {
    // SAFETY: the pointer is used during the call only.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe field($0.pointee) }
  }

  /// One of the parents, counted from 0.
  package func parent(_ index: Int) -> EventID {
    precondition(index >= 0 && index < parentCount, "parent \(index) of \(parentCount)")
    return EventID(bytes32(at: EventHeader.parentsOffset + 32 * index))
  }

  /// Appends the body, or with its id in front.
  package func append(to bytes: inout [UInt8], withID: Bool) {
    unsafe withBytes { unsafe bytes.append(contentsOf: $0[(withID ? 0 : 32)...]) }
  }

  /// Events are equal when their ids are.
  public static func == (a: Event, b: Event) -> Bool { a.id == b.id }
  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Reads a body and computes its id.
  package init(body: [UInt8], hasher: EventHasher) throws(FormatError) {
    try self.init(body: body, id: hasher.id(ofBody: body))
  }

  /// Reads a body whose id is known from a store that this program wrote.
  package init(body: [UInt8], id: EventID) throws(FormatError) {
    let header = try EventHeader(body.rawSpan)
    let action = try Action(of: header, in: body.rawSpan)
    self.init(id: id, body: body.rawSpan, header, action)
  }

  /// An event whose parts were read from its body.
  init(id: EventID, body: RawSpan, _ header: EventHeader, _ action: Action) {
    let bodyBytes = body.byteCount
    memory = .create(minimumCapacity: 32 + bodyBytes) { _ in
      Fields(header: header, action: action, bodyBytes: bodyBytes)
    }
    unsafe body.withUnsafeBytes { body in
      unsafe memory.withUnsafeMutablePointerToElements { bytes in
        // SAFETY: there is room for the id and the body behind it.
        var writer = unsafe BodyWriter(UnsafeMutableRawBufferPointer(start: bytes, count: 32))
        writer.append(id)
        guard let from = body.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(bytes + 32).copyMemory(from: from, byteCount: body.count)
      }
    }
  }

  /// The body where it lies.
  package var bodySpan: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      // SAFETY: `init` wrote so many bytes behind the id; they stay there and never change while the event is
      // borrowed, which keeps its memory.
      let body = unsafe memory.withUnsafeMutablePointerToElements { unsafe UnsafeRawPointer($0 + 32) }
      return unsafe _overrideLifetime(RawSpan(_unsafeStart: body, byteCount: bodyBytes), borrowing: self)
    }
  }

  /// Calls with the id and the body behind it.
  @unsafe private func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe memory.withUnsafeMutablePointers { fields, bytes in
      // SAFETY: `init` wrote so many.
      unsafe read(UnsafeRawBufferPointer(start: bytes, count: 32 + fields.pointee.bodyBytes))
    }
  }

  /// Thirty-two bytes from an offset in the body, whose header was checked to be there.
  @inline(__always)
  private func bytes32(at offset: Int) -> Bytes32 {
    unsafe memory.withUnsafeMutablePointerToElements { bytes in
      // SAFETY: the id stands in front of the body, and a body is at least as long as its header with its parents.
      unsafe Bytes32(UnsafeRawBufferPointer(start: bytes + 32 + offset, count: 32))
    }
  }
}

// MARK: - Writing

extension Event {
  /// Writes a new event.
  /// - Parameters:
  ///   - room: the room; ignored for a `create`, whose room is its own id.
  ///   - parents: ids of other feeds' events in any order, at most 32.
  package static func author(
    _ action: Action, room: RoomID, author: PeerID, sequence: UInt64, previous: EventID, parents: [EventID],
    wallTime: UInt64, hasher: borrowing EventHasher
  ) throws(FormatError) -> Event {
    let parents = parents.count > 1 ? parents.sorted() : parents
    let room = action.code == Kind.create.rawValue ? .none : room
    let header = try EventHeader(
      action.code, room: room, sequence: sequence, previous: previous, wallTime: wallTime, parents: parents)
    func write(_ memory: UnsafeMutableRawBufferPointer) -> Result<Event, FormatError> {
      // SAFETY: the writer does not outlive the memory, and the event copies what was written.
      var body = unsafe BodyWriter(memory)
      header.encode(to: &body, room: room, author: author, previous: previous, parents: parents)
      let lengthAt = body.count
      body.append(bigEndian: UInt16(0))
      action.encode(to: &body)
      body.set(bigEndian: UInt16(truncatingIfNeeded: body.count - lengthAt - 2), at: lengthAt)
      guard body.isWhole else { return .failure(.tooLong(body.count, limit: limitBytes)) }
      let written = unsafe UnsafeRawBufferPointer(rebasing: memory[..<body.count]).bytes
      return .success(Event(id: hasher.id(ofBody: written), body: written, header, action))
    }
    // The stack gives room of a constant and small size; all else comes from the heap.
    let isShort = action.hasFixedLength && parents.count <= 4
    let event =
      isShort
      ? unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { unsafe write($0) }
      : unsafe withUnsafeTemporaryAllocation(byteCount: limitBytes, alignment: 16) { unsafe write($0) }
    return action.hasFixedLength ? try event.get() : try event.get().readable()
  }

  /// The event, unless its payload would be read as another or not at all.
  private func readable() throws(FormatError) -> Event {
    guard try Event(body: body, id: id).action == action else {
      let payloadAt = EventHeader.parentsOffset + 32 * parentCount + 2
      throw .badField("what is to be written is over a limit of the format", at: payloadAt)
    }
    return self
  }
}
