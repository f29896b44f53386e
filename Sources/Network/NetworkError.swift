internal import CLibuv

/// Why something on the network fails.
package enum NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text that is no address.
  case notAnAddress(String)
  /// The system refused; what was tried, and its words.
  case system(String, String)
  /// The system has no more of what that takes, such as open files or memory; what was tried, and its words.
  case exhausted(String, String)
  /// Nothing answered in time.
  case noAnswer(Address)
  /// The peer has stopped.
  case stopped

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .notAnAddress(let text):
      "“\(text)” is no address; write HOST:PORT, or [HOST]:PORT with colons in HOST"
    case .system(let what, let words), .exhausted(let what, let words): "\(what): \(words)"
    case .noAnswer(let address): "\(address) did not answer in time"
    case .stopped: "this peer has left the network"
    }
  }

  /// The codes that say that the system has no more of something.
  private static let exhausting = [UV_EMFILE, UV_ENFILE, UV_ENOBUFS, UV_ENOMEM, UV_ENOSPC].map(\.rawValue)

  /// The error of libuv's code.
  static func code(_ code: Int32, _ what: String) -> NetworkError {
    // SAFETY: libuv gives a terminated text for every code; for unknown ones it keeps it for ever.
    let words = unsafe uv_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return exhausting.contains(code) ? .exhausted(what, words) : .system(what, words)
  }
}
