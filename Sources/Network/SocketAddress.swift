internal import CLibuv

/// An address in the system's form.
@safe struct SocketAddress {
  private var storage = sockaddr_storage()

  /// An address of numbers; `nil` for names.
  init?(_ address: Address) {
    let port = Int32(address.port)
    // SAFETY: the storage has room for addresses of every kind, and these write one of theirs.
    let isNumber = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let four = unsafe base.assumingMemoryBound(to: sockaddr_in.self)
      let six = unsafe base.assumingMemoryBound(to: sockaddr_in6.self)
      return unsafe uv_ip4_addr(address.host, port, four) == 0 || uv_ip6_addr(address.host, port, six) == 0
    }
    if !isNumber { return nil }
  }

  /// A copy of an address that the system gave, of so many bytes.
  init(_ address: UnsafePointer<sockaddr>, _ count: Int) {
    // SAFETY: the address has so many bytes, and no more than fit are copied.
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      let count = min(count, bytes.count)
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
    }
  }

  /// Calls `body` with the address where it lies.
  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    // SAFETY: every kind of address begins with a `sockaddr`.
    unsafe withUnsafeBytes(of: storage) { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("an address without a place") }
      return unsafe body(base.assumingMemoryBound(to: sockaddr.self))
    }
  }

  /// As numbers; addresses of the fourth version that were put into one of the sixth are of the fourth again.
  var address: Address? {
    unsafe withAddress { address in
      var name = [CChar](repeating: 0, count: 64)
      let raw = unsafe UnsafeRawPointer(address)
      switch Int32(unsafe address.pointee.sa_family) {
      case AF_INET:
        let four = unsafe raw.assumingMemoryBound(to: sockaddr_in.self)
        guard unsafe uv_ip4_name(four, &name, name.count) == 0 else { return nil }
        return Self.address(name, unsafe four.pointee.sin_port)
      case AF_INET6:
        let six = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self)
        guard unsafe uv_ip6_name(six, &name, name.count) == 0 else { return nil }
        return Self.address(name, unsafe six.pointee.sin6_port)
      default: return nil
      }
    }
  }

  private static func address(_ name: [CChar], _ port: in_port_t) -> Address {
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    var host = String(decoding: bytes, as: UTF8.self)
    if host.hasPrefix("::ffff:"), host.contains(".") { host = String(host.dropFirst(7)) }
    return Address(host: host, port: UInt16(bigEndian: port))
  }

  /// Who is at the other end of a socket's connection, or where the socket itself is bound.
  static func of(_ socket: UnsafeMutablePointer<uv_tcp_t>, isRemote: Bool) -> Address? {
    var found = SocketAddress()
    var count = Int32(MemoryLayout<sockaddr_storage>.size)
    // SAFETY: the storage has as many bytes as said, and the socket is open.
    let code = unsafe withUnsafeMutableBytes(of: &found.storage) { bytes in
      guard let base = bytes.baseAddress else { return Int32(-1) }
      let name = unsafe base.assumingMemoryBound(to: sockaddr.self)
      return unsafe isRemote
        ? uv_tcp_getpeername(socket, name, &count) : uv_tcp_getsockname(socket, name, &count)
    }
    return code == 0 ? found.address : nil
  }

  private init() {}
}
