package import Events

/// What both ends say first, in clear: which protocol this is, so that whoever speaks another one is told so
/// (Docs/PROTOCOL.md §8.1).
///
/// ```
/// "parlor" · u16 version · u8 flags (1: there is a pre-shared key) · 16 bytes of a hash of the network id
/// ```
package struct Preamble: Hashable, Sendable {
  /// The version that this program speaks.
  package static let version: UInt16 = 2
  /// What every version begins with.
  static let magic = Array("parlor".utf8)
  /// The bytes that every version has: magic and version.
  static let headBytes = magic.count + 2
  /// All bytes of this version.
  static let bytes = headBytes + 1 + 16

  let network: NetworkID
  let isKeyed: Bool

  /// The one binary form.
  func encoded() -> [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: Self.version)
    bytes.append(isKeyed ? 1 : 0)
    bytes += Self.hash(of: network)
    return bytes
  }

  /// What is said of a network in clear: 16 bytes.
  package static func hash(of network: NetworkID) -> [UInt8] {
    var hash = Blake2b(domain: "parlor-network-hash-1")
    hash.update(network)
    return Array(hash.digest().bytes.prefix(16))
  }

  /// What the transcript begins with: the preamble, which is the same at both ends, and the whole network id.
  var prologue: [UInt8] {
    var bytes = encoded()
    bytes.append(network)
    return bytes
  }

  /// Whether bytes that came first may still become a preamble of some version.
  static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    zip(bytes, magic).allSatisfy { $0 == $1 }
  }

  /// Checks the first bytes of the other end's preamble.
  static func checkHead(_ head: ArraySlice<UInt8>) throws(ChannelError) {
    guard mayBegin(head) else { throw .notParlor }
    let version = head.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
    guard version == Self.version else { throw .version(version) }
  }

  /// Checks the rest of the other end's preamble against this one.
  func checkRest(_ rest: ArraySlice<UInt8>) throws(ChannelError) {
    guard let flags = rest.first, flags <= 1 else { throw .notParlor }
    guard rest.dropFirst().elementsEqual(Self.hash(of: network)) else { throw .otherNetwork }
    guard (flags == 1) == isKeyed else { throw .keyedAlone(isHere: isKeyed) }
  }
}
