package import Events

/// How patient a channel is, and what it keeps.
package struct ChannelSettings: Sendable {
  /// A playing peer's settings.
  package static let standard = ChannelSettings()

  /// How long the handshake may take, from the connection to the last message.
  package var handshakeMilliseconds: UInt64 = 10_000
  /// After how long without a frame the other end is asked whether it is there, and how often.
  package var pingMilliseconds: UInt64 = 5_000
  /// After how long without a frame it counts as gone.
  package var silenceMilliseconds: UInt64 = 15_000
  /// The most bytes that may lie in the outbox.
  package var limitOutboxBytes = 8 << 20

  package init() {}
}

/// One end of a connection between two peers, as a value without input or output: it proves to both who the other
/// is, seals what they say to each other, and notices when one is gone (Docs/PROTOCOL.md §8).
///
/// What the other end sent goes in through `receive`, in any portions; what is to be sent lies in the outbox, whole
/// messages that came lie in the inbox. Times are milliseconds of a clock that only goes forward.
package struct Channel: Sendable {
  /// The longest message, in bytes.
  package static let limitMessageBytes = 131_072
  /// The longest list of peers, in bytes.
  package static let limitPeersBytes = 4_096
  /// The most lists of peers that are kept until they are taken.
  private static let limitLists = 16

  /// How a channel stands.
  package enum State: Hashable, Sendable {
    /// Both ends are finding out who the other is.
    case handshaking
    /// Both ends have proven who they are; the other one is this peer.
    case open(PeerID)
    /// Nothing more is sent or taken.
    case closed(ChannelError)
  }

  private enum Phase {
    case greeting(Greeting)
    /// The initiator has sent its proof, and waits to hear that it was taken.
    case confirming(PeerID)
    case open
    case closed
  }

  /// How it stands.
  package private(set) var state = State.handshaking
  package let settings: ChannelSettings
  /// The other end's long-lived key of this channel, once it is proven: another process of the same peer has
  /// another one.
  package private(set) var otherKey: Bytes32?
  /// The other end, once it has proven who it is, also when the channel has closed since.
  package private(set) var otherPeer: PeerID?
  private let role: Role
  private var phase: Phase
  private var pieces = StreamPieces(first: Preamble.headBytes)
  private var frames: FrameCipher?
  /// Whether a frame's length comes next, and not a frame.
  private var isAtLength = true
  private var outbox: [UInt8] = []
  private var inbox: [[UInt8]] = []
  private var lists: [[UInt8]] = []
  /// The beginning of a message that comes in parts.
  private var parts: [UInt8] = []
  /// Whether an answer to a ping lies in the outbox.
  private var hasAnswered = false
  private let started: UInt64
  private var heard: UInt64
  private var pinged: UInt64
  private var isReading = true

  /// A channel over a connection that stands.
  /// - Parameters:
  ///   - ephemeral: keys for this channel alone; `nil` for new ones, made when they are needed.
  ///   - wanted: who must be at the other end; `nil` for anybody.
  package init(
    _ role: Role, _ credentials: Credentials, ephemeral: KeyPair? = nil, wanted: PeerID? = nil,
    settings: ChannelSettings = .standard, at now: UInt64
  ) {
    self.role = role
    self.settings = settings
    (started, heard, pinged) = (now, now, now)
    var greeting = Greeting(role, credentials, ephemeral: ephemeral, wanted: wanted)
    do throws(ChannelError) {
      outbox = try greeting.begin()
      phase = .greeting(greeting)
    } catch {
      phase = .closed
      state = .closed(error)
    }
  }

  // MARK: - What is to be sent

  /// Sends a message.
  /// - Throws: why the channel is closed; `.unread` when too much waits to be sent, which closes it.
  package mutating func send(_ message: [UInt8]) throws(ChannelError) {
    precondition(message.count <= Self.limitMessageBytes, "a message of \(message.count) bytes")
    guard case .open = phase else { throw closing ?? .cut(inHandshake: true) }
    var rest = message[...]
    while rest.count > FrameCipher.sentBytes {
      try seal(.part, rest.prefix(FrameCipher.sentBytes))
      rest = rest.dropFirst(FrameCipher.sentBytes)
    }
    try seal(.message, rest)
  }

  /// Says where peers are to be found.
  /// - Throws: as `send`.
  package mutating func sendPeers(_ list: [UInt8]) throws(ChannelError) {
    precondition(list.count <= Self.limitPeersBytes, "a list of \(list.count) bytes")
    guard case .open = phase else { throw closing ?? .cut(inHandshake: true) }
    try seal(.peers, list[...])
  }

  /// Ends the channel with a word to the other end, which lies in the outbox; does nothing when it is closed.
  package mutating func end(_ farewell: Farewell) {
    if case .open = phase {
      do throws(ChannelError) { try seal(.farewell, [farewell.rawValue]) } catch { return }
    }
    close(.ended(farewell, byOther: false))
  }

  /// How many bytes wait to be sent.
  package var outboxBytes: Int { outbox.count }

  /// Takes the bytes that are to be sent, of a closed channel as well.
  package mutating func takeOutbox() -> [UInt8] {
    hasAnswered = false
    defer { outbox = [] }
    return outbox
  }

  private mutating func seal(_ kind: FrameKind, _ content: ArraySlice<UInt8> = []) throws(ChannelError) {
    guard outbox.count + content.count <= settings.limitOutboxBytes else { throw close(.unread) }
    do throws(NoiseError) { try frames?.seal(kind, content, into: &outbox) } catch {
      throw close(.exhausted)
    }
  }

  // MARK: - What comes

  /// Takes bytes that the other end sent, as they come.
  /// - Throws: why they close the channel. What came before lies in the inbox; a closed channel takes nothing.
  package mutating func receive(_ bytes: [UInt8], at now: UInt64) throws(ChannelError) {
    var offset = 0
    while offset < bytes.count, closing == nil {
      guard let piece = pieces.next(bytes, at: &offset) else {
        return try checkBeginning()
      }
      do throws(ChannelError) { try take(piece, at: now) } catch { throw close(error) }
    }
  }

  /// Takes the messages that have come whole.
  package mutating func takeInbox() -> [[UInt8]] {
    defer { inbox = [] }
    return inbox
  }

  /// Takes what the other end said of where peers are to be found.
  package mutating func takePeers() -> [[UInt8]] {
    defer { lists = [] }
    return lists
  }

  /// The connection has ended.
  package mutating func endOfStream() {
    let isGreeting = state == .handshaking
    close(.cut(inHandshake: isGreeting))
  }

  private mutating func checkBeginning() throws(ChannelError) {
    guard case .greeting(let greeting) = phase else { return }
    do throws(ChannelError) { try greeting.check(beginning: pieces.held[...]) } catch { throw close(error) }
  }

  private mutating func take(_ piece: StreamPieces.Piece, at now: UInt64) throws(ChannelError) {
    switch phase {
    case .greeting(var greeting):
      // The value is moved out and in again, so that its keys are not copied.
      phase = .closed
      defer { if case .closed = phase, closing == nil { phase = .greeting(greeting) } }
      try greeting.take(Array(piece.bytes[piece.range]), answer: &outbox)
      try go(on: greeting, at: now)
    case .confirming, .open:
      if isAtLength { try takeLength(piece) } else { try takeFrame(piece, at: now) }
    case .closed: break
    }
  }

  /// After a step of the greeting: goes on with it, or with frames.
  private mutating func go(on greeting: Greeting, at now: UInt64) throws(ChannelError) {
    guard greeting.isComplete else { return pieces.want(greeting.wantedBytes) }
    guard let peer = greeting.peer else { preconditionFailure("a handshake without an identity") }
    frames = greeting.frames()
    (otherKey, otherPeer) = (greeting.otherKey, peer)
    pieces.want(2)
    heard = now
    pinged = now
    switch role {
    case .initiator: phase = .confirming(peer)
    case .responder:
      try seal(.ready)
      phase = .open
      state = .open(peer)
    }
  }

  private mutating func takeLength(_ piece: StreamPieces.Piece) throws(ChannelError) {
    let length = piece.bytes[piece.range].reduce(0) { $0 << 8 | Int($1) }
    // Before the handshake ends only a frame without content comes.
    guard length == FrameCipher.leastBytes || (length > FrameCipher.leastBytes && state != .handshaking)
    else {
      throw .badLength(length)
    }
    isAtLength = false
    pieces.want(length)
  }

  private mutating func takeFrame(_ piece: StreamPieces.Piece, at now: UInt64) throws(ChannelError) {
    isAtLength = true
    pieces.want(2)
    let before = parts.count
    let value = try openFrame(piece)
    heard = max(heard, now)
    guard let kind = FrameKind(rawValue: value) else { throw .badFrame("kind \(value)") }
    if case .confirming(let peer) = phase {
      guard kind == .ready else { throw .badFrame("kind \(value) before the handshake ends") }
      phase = .open
      state = .open(peer)
      return
    }
    try take(kind, contentBytes: parts.count - before)
  }

  private mutating func openFrame(_ piece: StreamPieces.Piece) throws(ChannelError) -> UInt8 {
    guard frames != nil else { preconditionFailure("a frame before the handshake ends") }
    do throws(NoiseError) {
      return try frames?.open(piece.bytes, piece.range, into: &parts) ?? 0
    } catch { throw error == .exhausted ? .exhausted : .frameBroken }
  }

  /// Takes a frame whose content is the last bytes of `parts`.
  private mutating func take(_ kind: FrameKind, contentBytes: Int) throws(ChannelError) {
    // Lists of peers may come between the parts of a message, and are none of them.
    guard parts.count - (kind == .peers ? contentBytes : 0) <= Self.limitMessageBytes else {
      throw .messageTooLong
    }
    switch kind {
    case .message:
      inbox.append(parts)
      parts = []
    case .part: guard contentBytes > 0 else { throw .badFrame("an empty part") }
    case .ping:
      guard contentBytes == 0 else { throw .badFrame("a ping with content") }
      // Who does not read the answers gets one.
      if !hasAnswered { try seal(.pong) }
      hasAnswered = true
    case .pong: guard contentBytes == 0 else { throw .badFrame("a pong with content") }
    case .farewell:
      guard contentBytes == 1, let code = parts.last, let farewell = Farewell(rawValue: code) else {
        throw .badFrame("a farewell of \(contentBytes) bytes")
      }
      close(.ended(farewell, byOther: true))
    case .peers:
      guard contentBytes <= Self.limitPeersBytes else { throw .badFrame("peers of \(contentBytes) bytes") }
      if lists.count < Self.limitLists { lists.append(Array(parts.suffix(contentBytes))) }
      parts.removeLast(contentBytes)
    case .ready: throw .badFrame("a second ready")
    }
  }

  // MARK: - Time

  /// When `advance` has something to do; `nil` when nothing is waited for.
  package var deadline: UInt64? {
    switch phase {
    case .greeting, .confirming: Self.sum(started, settings.handshakeMilliseconds)
    case .open:
      isReading
        ? min(
          Self.sum(heard, settings.silenceMilliseconds),
          Self.sum(max(heard, pinged), settings.pingMilliseconds)) : nil
    case .closed: nil
    }
  }

  /// Time has passed: asks whether the other end is there, or gives it up.
  package mutating func advance(to now: UInt64) {
    guard let deadline, now >= deadline else { return }
    if case .open = phase {
      guard now < Self.sum(heard, settings.silenceMilliseconds) else {
        close(.silent)
        return
      }
      pinged = now
      // What this closes the channel for stands in its state.
      do throws(ChannelError) { try seal(.ping) } catch { return }
    } else {
      close(.handshakeTooSlow)
    }
  }

  /// Asks whether the other end is there, at once; whatever comes after it is the answer.
  package mutating func probe(at now: UInt64) {
    guard case .open = phase else { return }
    pinged = now
    // What this closes the channel for stands in its state.
    do throws(ChannelError) { try seal(.ping) } catch { return }
  }

  /// Says whether what the other end sends is being read: while it is not, its silence counts for nothing.
  package mutating func setReading(_ isReading: Bool, at now: UInt64) {
    if isReading, !self.isReading {
      heard = max(heard, now)
      pinged = max(pinged, now)
    }
    self.isReading = isReading
  }

  private static func sum(_ time: UInt64, _ more: UInt64) -> UInt64 {
    let (sum, isOver) = time.addingReportingOverflow(more)
    return isOver ? .max : sum
  }

  // MARK: - What is kept

  /// How many bytes of the other end's are kept that make nothing whole yet.
  package var heldBytes: Int { pieces.held.count + parts.count }

  /// Goes on with other ciphers, for tests of what an end could send that goes its own ways.
  mutating func replaceCiphers(_ sending: CipherState, _ receiving: CipherState) {
    frames = FrameCipher(sending: sending, receiving: receiving)
  }

  // MARK: - The end

  /// Why the channel is closed; `nil` while it is not.
  package var closing: ChannelError? {
    if case .closed(let error) = state { error } else { nil }
  }

  /// Closes the channel unless it is closed, and lets go of its keys.
  /// - Returns: why it is closed.
  @discardableResult private mutating func close(_ reason: ChannelError) -> ChannelError {
    if let closing { return closing }
    state = .closed(reason)
    phase = .closed
    frames = nil
    parts = []
    return reason
  }
}
