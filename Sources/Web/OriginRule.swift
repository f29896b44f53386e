internal import Network

/// Which web pages may connect (RFC 6455, 10.2): browsers say where a page is from, and other programs say nothing.
///
/// A page of this server's own address may, where that is of numbers or `localhost`. A name is not enough: whoever owns
/// a name can have it mean this machine, and then its pages have the origin that they ask for. Others are listed.
package struct OriginRule {
  private let listed: [String]
  private let isSecure: Bool

  /// - Parameters:
  ///   - listed: the origins that may connect.
  ///   - isSecure: whether this server speaks TLS, so that a page of its own came by that. A server that does not may
  ///     stand behind a proxy that does.
  package init(_ listed: [String], isSecure: Bool = false) {
    self.listed = listed.map { $0.lowercased() }
    self.isSecure = isSecure
  }

  /// Whether a request with this origin, to this host, is answered.
  package func allows(_ origin: String?, host: String?) -> Bool {
    guard let origin = origin?.lowercased() else { return true }
    if listed.contains(origin) { return true }
    guard let host = host?.lowercased(), Self.isOwnName(host) else { return false }
    // Some libraries of clients that are no browsers make an origin of the address that they connect to, with its
    // scheme; no page has such a one.
    let schemes = isSecure ? ["https", "wss"] : ["http", "https", "ws", "wss"]
    return schemes.contains { origin == "\($0)://\(host)" }
  }

  /// Whether the page is shown to a browser that believes to speak with this host: one of numbers, `localhost`, or that
  /// of a listed origin. Else whoever owns a name could have it mean this machine, and read what the page keeps.
  package func showsPage(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    let schemes = isSecure ? ["https"] : ["http", "https"]
    return Self.isOwnName(host) || schemes.contains { listed.contains("\($0)://\(host)") }
  }

  /// Whether nobody else can have this mean another machine.
  private static func isOwnName(_ host: String) -> Bool {
    let name: String
    do throws(NetworkError) { name = try Address(host).host } catch {
      name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
    if name == "localhost" || name.contains(":") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether a text is an origin: a scheme, a host, and no path.
  package static func isOrigin(_ text: String) -> Bool {
    guard let mark = text.firstRange(of: "://"), text.utf8.count <= limitBytes else { return false }
    let (scheme, rest) = (text[..<mark.lowerBound], text[mark.upperBound...])
    let isClean = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    return !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && $0.isLetter } && !rest.isEmpty && isClean
  }

  private static let limitBytes = 255
}
