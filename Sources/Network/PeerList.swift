internal import CLibuv
package import Events

/// A peer, and where it waits for connections.
package struct Acquaintance: Hashable, Sendable {
  package let peer: PeerID
  /// Of numbers.
  package let address: Address

  package init(peer: PeerID, address: Address) {
    self.peer = peer
    self.address = address
  }
}

/// What one end says of where peers are to be found (Docs/PROTOCOL.md §8.8).
///
/// ```
/// u16 port · u8 count · count × (32 bytes peer id · u8 4 or 6 · 4 or 16 bytes of address · u16 port)
/// ```
package struct PeerList: Hashable, Sendable {
  /// The most others in one list.
  package static let limit = 16

  /// Where this end waits for connections, at the address from which it is seen; 0 for nowhere.
  package var port: UInt16
  /// Peers that this end is connected with.
  package var others: [Acquaintance]

  package init(port: UInt16, others: [Acquaintance]) {
    self.port = port
    self.others = others
  }

  /// The bytes. Addresses that are names are left out, and so are those beyond the limit.
  package var encoded: [UInt8] {
    let known = others.compactMap { other in other.address.numbers.map { (other, $0) } }.prefix(Self.limit)
    var bytes: [UInt8] = []
    bytes.append(bigEndian: port)
    bytes.append(UInt8(known.count))
    for (other, numbers) in known {
      bytes.append(other.peer)
      bytes.append(numbers.count == 4 ? 4 : 6)
      bytes += numbers
      bytes.append(bigEndian: other.address.port)
    }
    return bytes
  }

  /// Reads a list.
  /// - Throws: for anything but the one form of a list.
  package init(decoding bytes: [UInt8]) throws(FormatError) {
    var reader = ByteReader(bytes)
    port = try reader.integer()
    others = []
    let count = try reader.integer(UInt8.self)
    guard count <= Self.limit else { throw .badField("\(count) peers", at: 2) }
    for _ in 0..<count {
      let peer = try reader.identifier(PeerID.self)
      let at = reader.offset
      let version = try reader.integer(UInt8.self)
      guard version == 4 || version == 6 else { throw .badField("version \(version) of IP", at: at) }
      let numbers = try reader.take(version == 4 ? 4 : 16)
      let port = try reader.integer(UInt16.self)
      guard port != 0, let address = Address(numbers: numbers, port: port) else {
        throw .badField("address", at: at)
      }
      others.append(Acquaintance(peer: peer, address: address))
    }
    guard reader.remaining == 0 else { throw .trailing(at: reader.offset) }
  }
}

extension Address {
  /// The four or sixteen bytes of an address that everybody understands alike; `nil` for names, and for addresses that
  /// hold on one link of this machine alone.
  var numbers: [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    // SAFETY: the array has room for addresses of both kinds, and the text ends with zero.
    if unsafe uv_inet_pton(AF_INET, host, &bytes) == 0 {
      bytes.removeLast(12)
    } else {
      guard !host.contains("%"), unsafe uv_inet_pton(AF_INET6, host, &bytes) == 0 else { return nil }
    }
    return Address(numbers: bytes, port: port) == nil ? nil : bytes
  }

  /// An address of one host; `nil` for bytes that mean nobody, many, or an address in another form.
  init?(numbers: [UInt8], port: UInt16) {
    let isFour = numbers.count == 4
    guard isFour || numbers.count == 16 else { return nil }
    if isFour {
      guard numbers[0] != 0, numbers[0] < 224 else { return nil }
    } else {
      let isMapped = numbers.prefix(10).allSatisfy { $0 == 0 } && numbers[10] == 0xFF && numbers[11] == 0xFF
      let isLinkLocal = numbers[0] == 0xFE && numbers[1] & 0xC0 == 0x80
      guard numbers[0] != 0xFF, !isMapped, !isLinkLocal, numbers.contains(where: { $0 != 0 }) else {
        return nil
      }
    }
    var name = [CChar](repeating: 0, count: 64)
    // SAFETY: the bytes are those of an address of this family, and the name has room for each.
    let family = isFour ? AF_INET : AF_INET6
    guard unsafe uv_inet_ntop(family, numbers, &name, name.count) == 0 else { return nil }
    let text = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(host: String(decoding: text, as: UTF8.self), port: port)
  }

  /// Whether the host is a number of this machine.
  var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// Whether somebody who is seen at `other` can mean the same by this address: what holds on one machine or one local
  /// network is told and believed there alone.
  func means(theSameAt other: Address) -> Bool {
    if isLoopback { return other.isLoopback }
    return !isNearby || other.isNearby
  }
}
