/// Where a peer listens: a host's name or number, and a port.
package struct Address: Hashable, Sendable, CustomStringConvertible {
  /// A name, or numbers without brackets.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT` or `[HOST]:PORT`.
  package init(_ text: String) throws(NetworkError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw .notAnAddress(text)
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw .notAnAddress(text)
    }
    // What a name may hold, and nothing that a terminal or a resolver could take for something else.
    let isClean = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "[") }
    guard !host.isEmpty, host.utf8.count <= 255, isClean else { throw .notAnAddress(text) }
    self.init(host: String(host), port: port)
  }

  /// The text that `init` reads.
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether the host is a number of this machine or of a network that is not routed: then the other end sees
  /// this one so as well.
  package var isNearby: Bool {
    if host.hasPrefix("127.") || host.hasPrefix("10.") || host.hasPrefix("192.168.") { return true }
    if host.hasPrefix("169.254.") || host == "::1" || host == Address.inProcess { return true }
    let parts = host.split(separator: ".")
    if parts.count == 4, parts[0] == "172", let second = UInt8(parts[1]) { return (16...31).contains(second) }
    let first = host.lowercased().prefix(4)
    let isLocal = ["fe8", "fe9", "fea", "feb"].contains { first.hasPrefix($0) }
    return host.contains(":") && (isLocal || first.hasPrefix("fc") || first.hasPrefix("fd"))
  }

  /// The host of peers in the same process.
  package static let inProcess = "in-process"
}
