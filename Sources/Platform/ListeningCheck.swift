import Glibc

/// Whether this process may wait for connections.
package enum ListeningCheck {
  /// Makes a TCP socket that waits on a port of the system's choice, and closes it: nothing is sent.
  package static func run() throws(SystemError) {
    let isNew = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number: Int32
    let family: Int32
    do throws(SystemError) {
      number = try SystemError.check("socket") { socket(AF_INET6, isNew, 0) }
      family = AF_INET6
    } catch {
      // A machine may be without the sixth version.
      guard error.code == EAFNOSUPPORT else { throw error }
      number = try SystemError.check("socket") { socket(AF_INET, isNew, 0) }
      family = AF_INET
    }
    defer { Descriptor(number).forget() }
    // Zeros mean any address and any port.
    var address = sockaddr_storage()
    address.ss_family = sa_family_t(family)
    let size = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    _ = try SystemError.check("bind") {
      unsafe withUnsafePointer(to: &address) { pointer in
        // SAFETY: the storage has room for each family's address, of which bind reads as much as it is told.
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(number, $0, socklen_t(size))
        }
      }
    }
    _ = try SystemError.check("listen") { listen(number, 1) }
  }
}
