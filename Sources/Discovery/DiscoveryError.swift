/// Why peers on the local network cannot be looked for.
package enum DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No interface is up on which multicast is possible.
  case noInterface
  /// The library refused; what was tried, and its words.
  case refused(String, String)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .noInterface:
      "no network interface is up, so no peer can be found nearby; connect to a network, or name addresses by hand"
    case .refused(let attempt, let words):
      "\(attempt): \(words); peers nearby cannot be found, addresses can still be named by hand"
    }
  }
}
