internal import CAvahi

/// What the library says of this peer: the service, and the addresses of its host on each link.
///
/// Used on the library's thread, or before that runs.
@safe final class AvahiAnnouncement {
  private let poll: CheckedPoll
  private let server: OpaquePointer
  private let text: [UInt8]
  private let port: UInt16
  private let renamed: (String) -> Void
  private var name: String
  private var links = LocalLinks(addresses: [])
  private var service: OpaquePointer?
  /// A group of records for each address, so that one can go while the others stay.
  private var addresses: [(address: InterfaceAddress, group: AvahiObject)] = []
  private var isRenaming = false

  /// An announcement that is not made yet.
  /// - Parameter renamed: is told the new name when somebody else has the one before.
  init(
    _ poll: CheckedPoll, _ server: OpaquePointer, name: String, port: UInt16, text: [UInt8],
    _ renamed: @escaping (String) -> Void
  ) {
    self.poll = poll
    unsafe self.server = server
    self.name = name
    self.port = port
    self.text = text
    self.renamed = renamed
  }

  private var hostName: String { "\(ServiceRecord.hostName(of: name)).\(ServiceRecord.domain)" }

  /// Announces the service, and the addresses of these links.
  func start(_ links: LocalLinks) throws(DiscoveryError) {
    var strings: UnsafeMutablePointer<AvahiStringList>?
    var code = unsafe avahi_string_list_parse(text, text.count, &strings)
    defer { unsafe avahi_string_list_free(strings) }
    guard code >= 0 else { throw .avahi(code, "cannot make a text record") }
    let group = unsafe makeGroup()
    unsafe service = group
    code = unsafe avahi_server_add_service_strlst(
      server, group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
      AvahiPublishFlags(rawValue: 0), name, ServiceRecord.type, ServiceRecord.domain, hostName, port,
      strings)
    if code >= 0, let group = unsafe group { code = unsafe avahi_s_entry_group_commit(group) }
    guard code >= 0 else { throw .avahi(code, "cannot announce this peer") }
    update(links)
  }

  /// Announces the addresses of these links and no others.
  func update(_ links: LocalLinks) {
    self.links = links
    let wanted = links.addresses.filter(\.isAnnounced).prefix(LocalLinks.limitAnnounced)
    for item in addresses where !wanted.contains(item.address) {
      unsafe avahi_s_entry_group_free(item.group.pointer)
    }
    addresses.removeAll { !wanted.contains($0.address) }
    let known = addresses.map(\.address)
    for address in wanted where !known.contains(address) {
      if let group = announce(address) { addresses.append((address, group)) }
    }
  }

  /// - Returns: the records' group; `nil` where the library refuses, which leaves the other addresses.
  private func announce(_ address: InterfaceAddress) -> AvahiObject? {
    let isFourth = address.bytes.count == 4
    let kind = UInt16(isFourth ? AVAHI_DNS_TYPE_A : AVAHI_DNS_TYPE_AAAA)
    let record = unsafe avahi_record_new_full(
      hostName, UInt16(AVAHI_DNS_CLASS_IN), kind, AvahiResponder.addressSeconds)
    guard let record = unsafe record, let group = unsafe makeGroup() else { return nil }
    defer { unsafe avahi_record_unref(record) }
    // SAFETY: the record is of a kind whose data are these four or sixteen bytes.
    unsafe withUnsafeMutableBytes(of: &record.pointee.data) { unsafe $0.copyBytes(from: address.bytes) }
    let flags = AVAHI_PUBLISH_UNIQUE.rawValue | AVAHI_PUBLISH_ALLOW_MULTIPLE.rawValue
    var code = unsafe avahi_server_add(
      server, group, AvahiIfIndex(address.index),
      AvahiProtocol(isFourth ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6),
      AvahiPublishFlags(rawValue: flags), record)
    if code >= 0 { code = unsafe avahi_s_entry_group_commit(group) }
    if code >= 0 { return unsafe AvahiObject(group) }
    unsafe avahi_s_entry_group_free(group)
    return nil
  }

  private func makeGroup() -> OpaquePointer? {
    // SAFETY: this object outlives the groups, which the server frees at the latest.
    unsafe avahi_s_entry_group_new(
      server,
      { _, _, state, context in
        guard state == AVAHI_ENTRY_GROUP_COLLISION, let context = unsafe context else { return }
        unsafe Unmanaged<AvahiAnnouncement>.fromOpaque(context).takeUnretainedValue().rename()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Somebody else has the name: by chance hardly ever, so out of malice. The library delays who has to try often.
  private func rename() {
    guard !isRenaming else { return }
    isRenaming = true
    poll.after(milliseconds: 100) { [unowned self] in
      isRenaming = false
      let links = links
      update(LocalLinks(addresses: []))
      if let service = unsafe service { unsafe avahi_s_entry_group_free(service) }
      unsafe service = nil
      name = ServiceRecord.randomName()
      renamed(name)
      do throws(DiscoveryError) { try start(links) } catch { rename() }
    }
  }
}
