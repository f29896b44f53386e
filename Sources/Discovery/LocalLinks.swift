import Glibc
internal import Network

/// An address of one of this machine's interfaces.
struct InterfaceAddress: Hashable, Sendable {
  /// The interface's number and name.
  let index: UInt32
  let interface: String
  /// Four bytes or sixteen.
  let bytes: [UInt8]
  /// How many bits it has in common with the others on the link.
  let prefixBits: Int

  /// Whether the address is one of the sixth version that holds on its link alone (fe80::/10).
  static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
    bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether the address means the machine itself.
  static func isLoopback(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether another address is on the same link.
  func isNeighbour(_ other: [UInt8]) -> Bool {
    guard other.count == bytes.count, (0...bytes.count * 8).contains(prefixBits) else { return false }
    for (at, (own, its)) in zip(bytes, other).enumerated() {
      let bits = min(max(prefixBits - at * 8, 0), 8)
      if (own ^ its) & ~(UInt8.max >> bits) != 0 { return false }
    }
    return true
  }

  /// Whether it is announced. Of the sixth version only what holds on the link: every neighbour reaches it, and it
  /// tells nobody more than that the machine is there.
  var isAnnounced: Bool { bytes.count == 4 || Self.isLinkLocal(bytes) || Self.isLoopback(bytes) }
}

/// The links that this machine is on: what it says of itself there, and which addresses it believes.
struct LocalLinks: Equatable, Sendable {
  /// How many addresses are announced at most.
  static let limitAnnounced = 32

  /// In the system's order.
  var addresses: [InterfaceAddress]

  /// Where a peer listens that was heard of on an interface; `nil` for what is not on that link: nobody may send this
  /// machine to somewhere else.
  func address(_ bytes: [UInt8], port: UInt16, on interface: UInt32) -> Address? {
    let own = addresses.filter { $0.index == interface }
    guard port != 0, !Self.isManifold(bytes), let first = own.first else { return nil }
    let isLinkLocal = InterfaceAddress.isLinkLocal(bytes)
    let isIPv4LinkLocal = bytes.count == 4 && bytes[0] == 169 && bytes[1] == 254
    guard isLinkLocal || isIPv4LinkLocal || own.contains(where: { $0.isNeighbour(bytes) }) else { return nil }
    guard let text = Self.text(bytes) else { return nil }
    return Address(host: isLinkLocal ? "\(text)%\(first.interface)" : text, port: port)
  }

  /// Whether an address means nobody, or many.
  private static func isManifold(_ bytes: [UInt8]) -> Bool {
    if bytes.count == 16 { return bytes[0] == 0xFF || bytes.allSatisfy { $0 == 0 } }
    return bytes.count != 4 || bytes[0] == 0 || bytes[0] >= 224 || bytes == [255, 255, 255, 255]
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    var name = [CChar](repeating: 0, count: 64)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    // SAFETY: the bytes are those of an address of this family, and the name has room for each.
    guard unsafe inet_ntop(family, bytes, &name, socklen_t(name.count)) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Those that are up and carry multicast, now.
  static func current() -> LocalLinks {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return LocalLinks(addresses: []) }
    defer { unsafe freeifaddrs(list) }
    var found: [InterfaceAddress] = []
    var next = unsafe list
    // SAFETY: the list ends with `nil`, and is freed when it was read.
    while let entry = unsafe next {
      if let address = unsafe Self.address(entry.pointee) { found.append(address) }
      unsafe next = entry.pointee.ifa_next
    }
    return LocalLinks(addresses: found)
  }

  private static func address(_ entry: ifaddrs) -> InterfaceAddress? {
    let flags = unsafe Int(entry.ifa_flags)
    guard flags & Int(IFF_UP) != 0, flags & Int(IFF_POINTOPOINT) == 0 else { return nil }
    guard flags & Int(IFF_MULTICAST) != 0 || flags & Int(IFF_LOOPBACK) != 0 else { return nil }
    guard let bytes = unsafe Self.bytes(entry.ifa_addr), let mask = unsafe Self.bytes(entry.ifa_netmask)
    else {
      return nil
    }
    // SAFETY: the system gives each entry a name that ends with zero.
    let name = unsafe String(cString: entry.ifa_name)
    let bits = mask.reduce(0) { $0 + $1.nonzeroBitCount }
    return unsafe InterfaceAddress(
      index: if_nametoindex(entry.ifa_name), interface: name, bytes: bytes, prefixBits: bits)
  }

  /// The bytes of an address in the system's form; `nil` unless it is one of IP.
  static func bytes(_ address: UnsafePointer<sockaddr>?) -> [UInt8]? {
    guard let address = unsafe address else { return nil }
    let raw = unsafe UnsafeRawPointer(address)
    // SAFETY: the family says which form the address has.
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET: return unsafe copy(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
    case AF_INET6: return unsafe copy(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default: return nil
    }
  }

  private static func copy<Value>(_ value: Value) -> [UInt8] {
    // SAFETY: the two forms of addresses have bytes and nothing else.
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }
}

/// This machine's interfaces to others.
package enum LocalInterfaces {
  /// The names of those on which peers nearby can be found, now, in the system's order.
  package static var names: [String] {
    var names: [String] = []
    for address in LocalLinks.current().addresses
    where address.isAnnounced && !InterfaceAddress.isLoopback(address.bytes)
      && !names.contains(address.interface)
    {
      names.append(address.interface)
    }
    return names
  }
}
