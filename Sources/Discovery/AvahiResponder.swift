internal import CAvahi
internal import Channel
internal import Events
import Glibc
internal import Network

/// The library avahi-core on a thread of its own, with what it browses, resolves and announces.
///
/// Everything here but `stop` runs on that thread, or before it runs.
@safe final class AvahiResponder: Sendable {
  private struct Resolving: Hashable {
    let name: String
    let link: Link
  }

  /// For how many seconds others may believe in an address. Less than what RFC 6762 recommends (120), so that who was
  /// killed and said no goodbye is not shown for long.
  static let addressSeconds: UInt32 = 30

  let network: NetworkID
  let queue: SightingQueue
  // SAFETY: made in `init`; the library's objects are used on its thread, and freed by `stop` after that has ended.
  nonisolated(unsafe) let poll: CheckedPoll
  // SAFETY: as for the thread; set once, before it runs.
  nonisolated(unsafe) private(set) var server: OpaquePointer
  // SAFETY: as for the thread.
  nonisolated(unsafe) private var browser: OpaquePointer?
  // SAFETY: as for the thread.
  nonisolated(unsafe) private var resolvers: [Resolving: AvahiObject] = [:]
  // SAFETY: as for the thread.
  nonisolated(unsafe) var announcement: AvahiAnnouncement?
  // SAFETY: as for the thread.
  nonisolated(unsafe) private var links = LocalLinks.current()
  // SAFETY: as for the thread.
  nonisolated(unsafe) private var news: RouteNews?

  init(network: NetworkID, port: UInt16?, queue: SightingQueue) throws(DiscoveryError) {
    unsafe avahi_set_log_function { _, _ in }
    self.network = network
    self.queue = queue
    guard !LocalLinks.current().addresses.isEmpty else { throw .noInterface }
    guard let poll = CheckedPoll() else { throw .refused("cannot make a thread", "no memory") }
    let name = ServiceRecord.randomName()
    unsafe self.poll = poll
    unsafe server = try Self.makeServer(poll, name)
    do throws(DiscoveryError) { try start(name, port) } catch {
      free()
      throw error
    }
  }

  private static func makeServer(_ poll: CheckedPoll, _ name: String) throws(DiscoveryError)
    -> OpaquePointer
  {
    var settings = unsafe AvahiServerConfig()
    unsafe avahi_server_config_init(&settings)
    defer { unsafe avahi_server_config_free(&settings) }
    unsafe avahi_free(settings.host_name)
    unsafe settings.host_name = avahi_strdup(ServiceRecord.hostName(of: name))
    // Addresses are announced by `AvahiAnnouncement`: the library would also announce the way back from the address
    // to the name, about which several processes of one machine would quarrel.
    unsafe settings.publish_addresses = 0
    unsafe settings.publish_hinfo = 0
    unsafe settings.publish_workstation = 0
    unsafe settings.publish_domain = 0
    unsafe settings.enable_wide_area = 0
    unsafe settings.enable_reflector = 0
    unsafe settings.disallow_other_stacks = 0
    // Who is not on the link cannot send packets with this lifetime.
    unsafe settings.check_response_ttl = 1
    unsafe settings.use_ipv4 = 1
    unsafe settings.use_ipv6 = 1
    var code: Int32 = 0
    let server = unsafe avahi_server_new(poll.functions, &settings, nil, nil, &code)
    guard let server = unsafe server else { throw .avahi(code, "cannot use multicast DNS") }
    return unsafe server
  }

  private func start(_ name: String, _ port: UInt16?) throws(DiscoveryError) {
    if let port {
      queue.change { $0.ownName = name }
      unsafe announcement = AvahiAnnouncement(
        poll, server, name: name, port: port, text: ServiceRecord.text(of: network)
      ) { [queue] name in queue.change { $0.ownName = name } }
    }
    unsafe news = RouteNews(poll) { [unowned self] in refreshLinks() }
    guard browse() else { throw .avahi(unsafe avahi_server_errno(server), "cannot look for peers") }
    try unsafe announcement?.start(links)
    let code = unsafe avahi_threaded_poll_start(poll.thread)
    guard code >= 0 else { throw .avahi(code, "cannot start a thread") }
  }

  /// Ends the thread, and tells others goodbye. To be called once, from another thread.
  func stop() {
    unsafe _ = avahi_threaded_poll_stop(poll.thread)
    free()
  }

  /// Frees all of the library's objects but its thread. The server says goodbye, and frees what was made with it.
  private func free() {
    unsafe news?.close()
    unsafe avahi_server_free(server)
  }

  private var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func of(_ context: UnsafeMutableRawPointer?) -> AvahiResponder? {
    guard let context = unsafe context else { return nil }
    // SAFETY: every context of ours is the responder, which outlives the library's objects.
    return unsafe Unmanaged<AvahiResponder>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: - Links

  private func refreshLinks() {
    let current = LocalLinks.current()
    guard unsafe current != links else { return }
    unsafe links = current
    unsafe announcement?.update(current)
  }

  // MARK: - Others

  @discardableResult private func browse() -> Bool {
    if let browser = unsafe browser { unsafe avahi_s_service_browser_free(browser) }
    unsafe browser = avahi_s_service_browser_new(
      server, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), ServiceRecord.type,
      ServiceRecord.domain,
      AvahiLookupFlags(rawValue: 0),
      { _, interface, version, event, name, _, _, _, context in
        guard let responder = unsafe AvahiResponder.of(context) else { return }
        if event == AVAHI_BROWSER_ALL_FOR_NOW { responder.queue.change { $0.hasHeardAll = true } }
        guard let name = unsafe name, let name = unsafe ServiceRecord.name(bytes(of: name)) else { return }
        let found = Resolving(name: name, link: Link(interface: interface, version: version))
        if event == AVAHI_BROWSER_NEW { responder.resolve(found) }
        if event == AVAHI_BROWSER_REMOVE { responder.forget(found) }
      }, context)
    return unsafe browser != nil
  }

  private func resolve(_ found: Resolving) {
    guard unsafe resolvers[found] == nil else { return }
    let (isFollowed, dropped) = queue.change { $0.follow(found.name, on: found.link) }
    if let dropped { freeResolvers(of: dropped) }
    guard isFollowed else { return }
    let resolver = unsafe avahi_s_service_resolver_new(
      server, found.link.interface, found.link.version, found.name, ServiceRecord.type,
      ServiceRecord.domain,
      found.link.version, AvahiLookupFlags(rawValue: 0),
      { _, interface, version, event, name, _, _, _, address, port, text, _, context in
        guard let name = unsafe name, let responder = unsafe AvahiResponder.of(context) else { return }
        guard let name = unsafe ServiceRecord.name(bytes(of: name)) else { return }
        let found = Resolving(name: name, link: Link(interface: interface, version: version))
        guard event == AVAHI_RESOLVER_FOUND, let address = unsafe address else {
          return responder.lose(found)
        }
        unsafe responder.note(found, bytes(of: address.pointee), port, bytes(of: text))
      }, context)
    if let resolver = unsafe resolver {
      unsafe resolvers[found] = AvahiObject(resolver)
    } else {
      queue.change { $0.unfollow(found.name, on: found.link) }
    }
  }

  private func note(_ found: Resolving, _ bytes: [UInt8], _ port: UInt16, _ text: [UInt8]?) {
    guard let text, ServiceRecord.isText(text, of: network) else { return lose(found) }
    let interface = UInt32(clamping: found.link.interface)
    var address = unsafe links.address(bytes, port: port, on: interface)
    if address == nil {
      // An interface may have got its address at this moment.
      refreshLinks()
      address = unsafe links.address(bytes, port: port, on: interface)
    }
    queue.change { $0.note(address, of: found.name, on: found.link) }
  }

  private func lose(_ found: Resolving) { queue.change { $0.note(nil, of: found.name, on: found.link) } }

  private func forget(_ found: Resolving) {
    if let resolver = unsafe resolvers.removeValue(forKey: found) {
      unsafe avahi_s_service_resolver_free(resolver.pointer)
    }
    let hasRoom = queue.change { table in
      table.unfollow(found.name, on: found.link)
      return table.takeRoom()
    }
    // A new browser tells all names anew; those that are followed stay as they are.
    if hasRoom { unsafe poll.after(milliseconds: 1_000) { [unowned self] in browse() } }
  }

  private func freeResolvers(of name: String) {
    let named = unsafe resolvers.filter { $0.key.name == name }
    for (found, resolver) in named {
      unsafe avahi_s_service_resolver_free(resolver.pointer)
      unsafe resolvers[found] = nil
    }
  }
}

extension DiscoveryError {
  /// The library refused.
  static func avahi(_ code: Int32, _ attempt: String) -> DiscoveryError {
    // SAFETY: the library's words are constants.
    .refused(attempt, unsafe avahi_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
  }
}

private func bytes(of name: UnsafePointer<CChar>) -> [UInt8] {
  // SAFETY: the library's texts end with zero.
  unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
}

private func bytes(of address: AvahiAddress) -> [UInt8] {
  var data = address.data
  let count = address.proto == AVAHI_PROTO_INET ? 4 : 16
  // SAFETY: the union has room for both kinds of addresses.
  return unsafe withUnsafeBytes(of: &data) { unsafe Array($0.prefix(count)) }
}

/// A text record as it stood in the packet; `nil` if it is too long.
private func bytes(of text: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8]? {
  let count = unsafe avahi_string_list_serialize(text, nil, 0)
  guard count <= ServiceRecord.limitTextBytes else { return nil }
  var bytes = [UInt8](repeating: 0, count: count)
  // SAFETY: the array has as many bytes as the list takes up.
  let written = unsafe avahi_string_list_serialize(text, &bytes, count)
  return Array(bytes.prefix(written))
}
