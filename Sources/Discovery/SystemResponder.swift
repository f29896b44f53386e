#if canImport(dnssd)
  internal import Dispatch
  internal import Events
  internal import dnssd

  /// The system's own service for DNS-SD, through the interface of `dns_sd.h`.
  ///
  /// Everything of it happens on one queue. The system watches interfaces, and takes care of hosts and of names that
  /// somebody else has.
  @safe final class SystemResponder: Sendable {
    /// A name on an interface, with the request that is under way for it: where it is, then what addresses that has.
    @safe private final class Followed {
      unowned let responder: SystemResponder
      let name: String
      let interface: UInt32
      var request: DNSServiceRef?
      var port: UInt16 = 0

      init(_ responder: SystemResponder, _ name: String, _ interface: UInt32) {
        self.responder = responder
        self.name = name
        self.interface = interface
      }

      /// One link for each version of IP.
      func link(_ bytes: [UInt8]) -> Link {
        Link(interface: Int32(clamping: interface), version: bytes.count == 4 ? 0 : 1)
      }
      var links: [Link] { [link([0, 0, 0, 0]), link([])] }
    }

    /// What was asked of the system.
    @safe private struct Request {
      // SAFETY: only handed back to the system, once.
      let pointer: DNSServiceRef
    }

    private let network: NetworkID
    private let sightings: SightingQueue
    private let queue = DispatchQueue(label: "parlor.discovery")
    // SAFETY: touched on the queue alone, and in `init` before anything is on it.
    nonisolated(unsafe) private var requests: [Request] = []
    // SAFETY: as for the requests.
    nonisolated(unsafe) private var followed: [Followed] = []

    init(network: NetworkID, port: UInt16?, queue sightings: SightingQueue) throws(DiscoveryError) {
      self.network = network
      self.sightings = sightings
      guard !LocalLinks.current().addresses.isEmpty else { throw .noInterface }
      do throws(DiscoveryError) {
        try unsafe start("cannot look for peers") { request in
          unsafe DNSServiceBrowse(
            &request, 0, 0, ServiceRecord.type, ServiceRecord.domain, Self.browsed, context)
        }
        if let port { try announce(port) }
      } catch {
        stop()
        throw error
      }
    }

    /// Ends all requests; the system says goodbye.
    func stop() { queue.sync { self.endAll() } }

    private func endAll() {
      for item in unsafe followed { end(item) }
      unsafe followed = []
      for request in unsafe requests { unsafe DNSServiceRefDeallocate(request.pointer) }
      unsafe requests = []
    }

    private var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    private func announce(_ port: UInt16) throws(DiscoveryError) {
      let (name, text) = (ServiceRecord.randomName(), ServiceRecord.text(of: network))
      sightings.change { $0.ownName = name }
      try unsafe start("cannot announce this peer") { request in
        unsafe DNSServiceRegister(
          &request, 0, 0, name, ServiceRecord.type, ServiceRecord.domain, nil, port.bigEndian,
          UInt16(text.count), text,
          { _, _, _, name, _, _, context in
            guard let name = unsafe name, let context = unsafe context else { return }
            // SAFETY: the context is the responder, which outlives its requests.
            let responder = unsafe Unmanaged<SystemResponder>.fromOpaque(context).takeUnretainedValue()
            // The system may have chosen another one.
            let chosen = unsafe String(cString: name)
            responder.sightings.change { $0.ownName = chosen }
          }, context)
      }
    }

    private func start(
      _ attempt: String, _ make: (inout DNSServiceRef?) -> DNSServiceErrorType
    ) throws(DiscoveryError) {
      var request: DNSServiceRef?
      var code = unsafe make(&request)
      if code == 0, let request = unsafe request {
        unsafe requests.append(Request(pointer: request))
        code = unsafe DNSServiceSetDispatchQueue(request, queue)
      }
      guard code == 0 else { throw .refused(attempt, "error \(code) of the system's DNS service") }
    }

    // MARK: - Others

    private static let browsed: DNSServiceBrowseReply = { _, flags, interface, code, name, _, _, context in
      guard code == 0, let name = unsafe name, let context = unsafe context else { return }
      // SAFETY: as for announcements.
      let responder = unsafe Unmanaged<SystemResponder>.fromOpaque(context).takeUnretainedValue()
      guard let name = unsafe ServiceRecord.name(Array(String(cString: name).utf8)) else { return }
      if flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0 {
        responder.follow(name, on: interface)
      } else {
        responder.forget(name, on: interface)
      }
    }

    private func follow(_ name: String, on interface: UInt32) {
      guard unsafe !followed.contains(where: { $0.name == name && $0.interface == interface }) else { return }
      let item = Followed(self, name, interface)
      for link in item.links {
        let (isFollowed, dropped) = sightings.change { $0.follow(name, on: link) }
        if let dropped {
          unsafe followed.filter { $0.name == dropped }.forEach { forget(dropped, on: $0.interface) }
        }
        guard isFollowed else { return }
      }
      unsafe followed.append(item)
      unsafe ask(item) { request in
        unsafe DNSServiceResolve(
          &request, 0, interface, name, ServiceRecord.type, ServiceRecord.domain, Self.resolved,
          Unmanaged.passUnretained(item).toOpaque())
      }
    }

    private func forget(_ name: String, on interface: UInt32) {
      for item in unsafe followed where item.name == name && item.interface == interface {
        end(item)
        sightings.change { table in for link in item.links { table.unfollow(name, on: link) } }
      }
      unsafe followed.removeAll { $0.name == name && $0.interface == interface }
    }

    private func end(_ item: Followed) {
      if let request = unsafe item.request { unsafe DNSServiceRefDeallocate(request) }
      unsafe item.request = nil
    }

    private func ask(_ item: Followed, _ make: (inout DNSServiceRef?) -> DNSServiceErrorType) {
      end(item)
      var request: DNSServiceRef?
      guard unsafe make(&request) == 0, let request = unsafe request else { return }
      unsafe item.request = request
      if unsafe DNSServiceSetDispatchQueue(request, queue) != 0 { end(item) }
    }

    private static let resolved: DNSServiceResolveReply = {
      _, _, interface, code, _, host, port, textCount, text, context in
      guard code == 0, let host = unsafe host, let context = unsafe context else { return }
      // SAFETY: the context is kept by the responder as long as its request; the text has so many bytes.
      let item = unsafe Unmanaged<Followed>.fromOpaque(context).takeUnretainedValue()
      let bytes = unsafe Array(UnsafeBufferPointer(start: text, count: Int(textCount)))
      guard ServiceRecord.isText(bytes, of: item.responder.network) else { return }
      item.port = UInt16(bigEndian: port)
      let name = unsafe String(cString: host)
      unsafe item.responder.ask(item) { request in
        unsafe DNSServiceGetAddrInfo(&request, 0, interface, 0, name, SystemResponder.addressed, context)
      }
    }

    private static let addressed: DNSServiceGetAddrInfoReply = {
      _, flags, interface, code, _, address, _, context in
      guard code == 0, let context = unsafe context else { return }
      // SAFETY: as for names that are resolved.
      let item = unsafe Unmanaged<Followed>.fromOpaque(context).takeUnretainedValue()
      guard let bytes = unsafe LocalLinks.bytes(address) else { return }
      let isThere = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
      let found = isThere ? LocalLinks.current().address(bytes, port: item.port, on: interface) : nil
      item.responder.sightings.change { $0.note(found, of: item.name, on: item.link(bytes)) }
    }
  }
#endif
