internal import CAvahi
import Glibc

/// Tells when interfaces or their addresses have changed: what the kernel says on a netlink socket.
@safe final class RouteNews {
  private let poll: CheckedPoll
  private let changed: () -> Void
  private let descriptor: Int32
  private var watch: OpaquePointer?

  /// Calls on the library's thread; `nil` where the kernel tells nothing, and then the first state is the last.
  init?(_ poll: CheckedPoll, _ changed: @escaping () -> Void) {
    self.poll = poll
    self.changed = changed
    let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_NETLINK, type, NETLINK_ROUTE)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
    // SAFETY: an address of the socket's family, with its size.
    let code = unsafe withUnsafePointer(to: &address) { address in
      let raw = unsafe UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self)
      return unsafe bind(descriptor, raw, socklen_t(MemoryLayout<sockaddr_nl>.size))
    }
    guard code == 0 else {
      Self.end(descriptor)
      return nil
    }
    // SAFETY: this object outlives the watch, which `close` ends.
    unsafe watch = poll.functions.pointee.watch_new(
      poll.functions, descriptor, AVAHI_WATCH_IN,
      { _, _, _, context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<RouteNews>.fromOpaque(context).takeUnretainedValue().read()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What has changed is asked for anew, so that the words themselves do not matter.
  private func read() {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    changed()
  }

  func close() {
    if let watch = unsafe watch { unsafe poll.functions.pointee.watch_free(watch) }
    unsafe watch = nil
    Self.end(descriptor)
  }

  private static func end(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}
