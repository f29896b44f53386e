/// What frames carry (Docs/PROTOCOL.md §8.4).
enum FrameKind: UInt8, CaseIterable, Sendable {
  /// The responder has taken the initiator's proof; its first frame, and no other.
  case ready = 0
  /// A message, or the end of one.
  case message = 1
  /// A part of a message; more follows.
  case part = 2
  /// “Are you there?”
  case ping = 3
  /// “I am.”
  case pong = 4
  /// “I end this”, and why.
  case farewell = 5
  /// Where this end and others are to be found.
  case peers = 6
}

/// Seals and opens frames once the handshake is done: each direction has its key and its numbers.
///
/// ```
/// u16 length · sealed (content · u8 kind) · 16 bytes that prove it
/// ```
struct FrameCipher: Sendable {
  /// The longest frame behind its length: the longest message of Noise.
  static let limitBytes = 65_535
  /// The shortest: a kind and its proof.
  static let leastBytes = 1 + CipherState.tagBytes
  /// The most of a message that goes into one frame that is sent, so that others need not wait long behind it.
  static let sentBytes = 16_384
  /// How many frames one key seals.
  static let framesPerKey: UInt64 = 1_024

  private var sending: CipherState
  private var receiving: CipherState

  init(sending: CipherState, receiving: CipherState) {
    self.sending = sending
    self.receiving = receiving
  }

  /// Appends a frame to `output`.
  mutating func seal(
    _ kind: FrameKind, _ content: ArraySlice<UInt8> = [], into output: inout [UInt8]
  ) throws(NoiseError) {
    let length = content.count + Self.leastBytes
    precondition(length <= Self.limitBytes, "a frame of \(length) bytes")
    output.append(UInt8(length >> 8))
    output.append(UInt8(length & 0xFF))
    let start = output.count
    output += content
    output.append(kind.rawValue)
    do throws(NoiseError) { try sending.seal(&output, from: start) } catch {
      output.removeLast(output.count - start + 2)
      throw error
    }
    Self.step(&sending)
  }

  /// Opens a frame and appends its content to `output`.
  /// - Returns: the kind as it was sent, known or not.
  mutating func open(
    _ bytes: [UInt8], _ range: Range<Int>, into output: inout [UInt8]
  ) throws(NoiseError) -> UInt8 {
    try receiving.open(bytes, range, into: &output)
    Self.step(&receiving)
    return output.removeLast()
  }

  /// After so many frames the key is replaced, at both ends alike.
  private static func step(_ cipher: inout CipherState) {
    if cipher.nonce.isMultiple(of: framesPerKey) { cipher.rekey() }
  }
}
