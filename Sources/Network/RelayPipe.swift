/// One end of a stream that goes through a relay: a value, which is told what is written, what came and what was read.
///
/// A relay may lose messages, repeat them and change their order. Each says where its bytes belong, so the other end
/// reads all bytes in order, or sees that some are missing and the stream is broken. Nothing is sent again: whoever
/// uses streams makes a new one.
struct RelayPipe: Sendable {
  /// How many bytes may be on their way that the other end has not read.
  static let windowBytes = 1 << 18
  /// How many more must have been read before that is told.
  private static let toldBytes: UInt64 = UInt64(windowBytes / 4)

  private enum Stage {
    case open
    /// Nothing more is written; what was written goes out.
    case ending
    /// All has gone out, and that nothing follows.
    case ended
  }

  private let limitBytes: Int
  private var stage = Stage.open
  private var unsent: ArraySlice<UInt8> = []
  /// How many bytes went out, and how many of them the other end has read.
  private var sent: UInt64 = 0
  private var taken: UInt64 = 0
  private var unread: [UInt8] = []
  /// How many bytes came in order, how many of them were read, and what was told of that.
  private var received: UInt64 = 0
  private var read: UInt64 = 0
  private var told: UInt64 = 0
  /// Whether the other end has said that nothing follows.
  private var hasEnded = false
  /// Whether bytes are missing, or the other end has said what cannot be: nothing that comes is of use.
  private(set) var isBroken = false

  /// - Parameter limitBytes: the most bytes of one message.
  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// How many bytes wait to be sent.
  var unsentBytes: Int { unsent.count }
  /// Whether everything has gone out, and that nothing follows.
  var hasSentAll: Bool { stage == .ended }
  /// Whether nothing is left to be read, and nothing comes.
  var isOver: Bool { isBroken || (hasEnded && unread.isEmpty) }

  // MARK: - Out

  mutating func write(_ bytes: [UInt8]) {
    guard stage == .open else { return }
    if unsent.isEmpty { unsent = bytes[...] } else { unsent += bytes }
  }

  /// Nothing more is written.
  mutating func finish() { if stage == .open { stage = .ending } }

  /// Takes what is to be sent now.
  mutating func takeParts() -> [RelayPart] {
    var parts: [RelayPart] = []
    if read - told >= Self.toldBytes, !hasEnded, !isBroken {
      told = read
      parts.append(.taken(read))
    }
    while !unsent.isEmpty, case let room = Self.windowBytes - Int(sent - taken), room > 0 {
      let count = min(limitBytes, room, unsent.count)
      parts.append(.bytes(Array(unsent.prefix(count)), at: sent))
      sent += UInt64(count)
      unsent = count == unsent.count ? [] : unsent.dropFirst(count)
    }
    if stage == .ending, unsent.isEmpty {
      stage = .ended
      parts.append(.end(sent))
    }
    return parts
  }

  // MARK: - In

  /// Takes in what came.
  mutating func take(_ part: RelayPart) {
    guard !isBroken else { return }
    switch part {
    case .bytes(let bytes, let offset): take(bytes, at: offset)
    case .taken(let count):
      // What was told before is repeated, or late.
      guard count <= sent else { return isBroken = true }
      taken = max(taken, count)
    case .end(let count):
      guard count == received else { return isBroken = true }
      hasEnded = true
    case .cut: isBroken = true
    // Both are repeated: a stream that is there was opened and accepted.
    case .open, .accept: break
    }
  }

  private mutating func take(_ bytes: [UInt8], at offset: UInt64) {
    let (end, isOver) = offset.addingReportingOverflow(UInt64(bytes.count))
    guard !isOver else { return isBroken = true }
    // All of it was here before.
    if end <= received { return }
    let isInOrder = offset == received && !hasEnded
    guard isInOrder, end - told <= UInt64(Self.windowBytes) else { return isBroken = true }
    unread += bytes
    received = end
  }

  /// Reads all that came.
  mutating func takeUnread() -> [UInt8] {
    let bytes = unread
    unread = []
    read += UInt64(bytes.count)
    return bytes
  }
}
