/// How servers of NATS are reached.
package struct NATSSettings: Hashable, Sendable {
  /// The servers, as `nats://HOST:PORT` or `tls://HOST:PORT`, perhaps with `USER:PASSWORD@` or `TOKEN@` before HOST.
  package let servers: [String]
  /// A file of credentials, as `nsc` makes them; `nil` for none.
  package var credentials: String?
  /// A file of certificates that are trusted; `nil` for the system's.
  package var authority: String?
  /// Files of this client's certificate and its key; `nil` for none.
  package var certificate: String?
  package var key: String?

  /// The most servers.
  package static let limitServers = 32

  /// Reads a list of servers, with commas between. `nats://` and port 4222 may be left out.
  package init(servers list: String) throws(NATSError) {
    var servers: [String] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      servers.append(try Self.server(part))
    }
    guard servers.count <= Self.limitServers else {
      throw .badServer("there are more than \(Self.limitServers) servers")
    }
    self.servers = servers
  }

  private static func server(_ text: Substring) throws(NATSError) -> String {
    let (scheme, rest) =
      if let mark = text.firstRange(of: "://") {
        (String(text[..<mark.lowerBound]), text[mark.upperBound...])
      } else {
        ("nats", text)
      }
    guard ["nats", "tls"].contains(scheme) else {
      throw .badServer("a server is nats://HOST[:PORT] or tls://HOST[:PORT], and not \(scheme)://…")
    }
    // What stands before the host may be a secret, and is not shown.
    let host = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, !host.hasPrefix(":"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !host.contains("/")
    else { throw .badServer("a server of the list has no host, or characters that no address has") }
    return "\(scheme)://\(rest)"
  }

  /// Whether TLS is demanded.
  package var isSecure: Bool { servers.contains { $0.hasPrefix("tls://") } }

  /// The servers for people, without what is secret.
  package var shown: String {
    servers.map { server in
      guard let at = server.lastIndex(of: "@"), let mark = server.firstRange(of: "://") else { return server }
      return String(server[..<mark.upperBound] + server[server.index(after: at)...])
    }.joined(separator: ",")
  }
}
