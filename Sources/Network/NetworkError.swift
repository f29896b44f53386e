internal import CLibuv

/// Why something on the network fails.
package enum NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text that is no address.
  case notAnAddress(String)
  /// The system refused; what was tried, and its words.
  case system(String, String)
  /// Nothing answered in time.
  case noAnswer(Address)
  /// The peer has stopped.
  case stopped

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .notAnAddress(let text):
      "“\(text)” is no address; write HOST:PORT, or [HOST]:PORT with colons in HOST"
    case .system(let what, let words): "\(what): \(words)"
    case .noAnswer(let address): "\(address) did not answer in time"
    case .stopped: "this peer has left the network"
    }
  }

  /// The error of libuv's code.
  static func code(_ code: Int32, _ what: String) -> NetworkError {
    // SAFETY: libuv gives a terminated text for every code; for unknown ones it keeps it for ever.
    .system(what, unsafe uv_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
  }
}
