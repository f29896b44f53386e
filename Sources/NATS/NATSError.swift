/// Why servers of NATS cannot be used.
package enum NATSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library of NATS is not on this machine; why, in words.
  case noLibrary(String)
  /// A server's address cannot be; why, in words.
  case badServer(String)
  /// A file of credentials or certificates cannot be used; in words.
  case badFile(String)
  /// No server can be reached now, or it does not answer; in words.
  case unreachable(String)
  /// A server refused something; in words.
  case refused(String)
  /// A message is longer than the server takes.
  case tooLong(Int, limit: Int)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .noLibrary(let words):
      "NATS needs its library, and \(words); `Tools/setup --nats` installs it"
    case .badServer(let words): words
    case .badFile(let words): words
    case .unreachable(let words): "NATS cannot be reached: \(words)"
    case .refused(let words): "NATS refused: \(words)"
    case .tooLong(let bytes, let limit):
      "a message of \(bytes) bytes is longer than the server's max_payload of \(limit) bytes"
    }
  }

  /// Whether it may work later without anybody doing anything.
  package var isPassing: Bool { if case .unreachable = self { true } else { false } }
}
