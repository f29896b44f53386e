internal import Network

/// Where something was heard: an interface and a version of IP.
struct Link: Hashable, Sendable {
  let interface: Int32
  let version: Int32
}

/// What is known of peers nearby, and what of that was told already. A value of bounded size, whatever others announce.
struct SightingTable: Sendable {
  /// How many names are followed.
  static let limitNames = 256
  /// On how many links one name is followed.
  static let limitLinks = 16

  private struct Entry {
    let name: String
    /// The links on which it is announced, with the address that it has there as far as it is known.
    var places: [(link: Link, address: Address?)] {
      didSet { sortAddresses() }
    }
    /// The links on which it is not known yet where it is reached.
    var unknown: Set<Link> = []
    /// What was told last; `nil` when that was nothing, or that it is lost.
    var told: [Address]? {
      didSet { isNews = addresses != told }
    }
    /// Each address once: this machine itself first, then the fourth version of IP before the sixth. Kept, because all
    /// names are looked through for each that is announced.
    private(set) var addresses: [Address]?
    /// Whether what is known is not what was told.
    private(set) var isNews = false

    init(name: String, link: Link) {
      self.name = name
      places = [(link, nil)]
      unknown = [link]
    }

    private mutating func sortAddresses() {
      let known = Set(places.compactMap(\.address)).sorted {
        (Entry.rank($0), $0.host, $0.port) < (Entry.rank($1), $1.host, $1.port)
      }
      addresses = known.isEmpty ? nil : known
      isNews = addresses != told
    }

    private static func rank(_ address: Address) -> Int {
      if address.host.hasPrefix("127.") || address.host == "::1" { return 0 }
      return address.host.contains(":") ? 2 : 1
    }
  }

  /// Those of which there is news are told in this order; who was told goes to the end, so that nobody is kept waiting
  /// by others who change all the time.
  private var entries: [Entry] = []
  /// Whether whoever is there had the time to say so.
  var hasHeardAll = false
  /// Whether it was told that all that is there was told.
  private var hasToldAll = false
  /// The name that this process announces, which is no news.
  var ownName: String?
  /// Whether a name was passed over for want of room.
  private(set) var isCrowded = false

  /// How many names are followed.
  var count: Int { entries.count { !$0.places.isEmpty } }

  /// Notes that a name is announced on a link.
  ///
  /// Where there is no room, whoever waits longest without an address makes some: names alone cost nothing to announce.
  /// - Returns: whether it is to be followed there, and a name that is to be followed no more.
  mutating func follow(_ name: String, on link: Link) -> (isFollowed: Bool, dropped: String?) {
    guard name != ownName else { return (false, nil) }
    if let at = entries.firstIndex(where: { $0.name == name && !$0.places.isEmpty }) {
      if entries[at].places.contains(where: { $0.link == link }) { return (true, nil) }
      guard entries[at].places.count < Self.limitLinks else { return (false, nil) }
      entries[at].places.append((link, nil))
      entries[at].unknown.insert(link)
      return (true, nil)
    }
    var dropped: String?
    if count >= Self.limitNames {
      isCrowded = true
      guard let at = entries.firstIndex(where: { !$0.places.isEmpty && $0.addresses == nil }) else {
        return (false, nil)
      }
      dropped = entries[at].name
      (entries[at].places, entries[at].unknown) = ([], [])
      removeForgotten(at)
    }
    if let at = entries.firstIndex(where: { $0.name == name }) {
      entries[at].places = [(link, nil)]
      entries[at].unknown = [link]
    } else {
      entries.append(Entry(name: name, link: link))
    }
    return (true, dropped)
  }

  /// Notes where a followed name is reached on a link; `nil` for nowhere.
  mutating func note(_ address: Address?, of name: String, on link: Link) {
    guard let at = entries.firstIndex(where: { $0.name == name }) else { return }
    guard let place = entries[at].places.firstIndex(where: { $0.link == link }) else { return }
    entries[at].places[place].address = address
    entries[at].unknown.remove(link)
  }

  /// Notes that a name is announced no more on a link.
  mutating func unfollow(_ name: String, on link: Link) {
    guard let at = entries.firstIndex(where: { $0.name == name }) else { return }
    entries[at].places.removeAll { $0.link == link }
    entries[at].unknown.remove(link)
    removeForgotten(at)
  }

  /// Whether names that were passed over can be looked at again.
  mutating func takeRoom() -> Bool {
    guard isCrowded, count < Self.limitNames else { return false }
    isCrowded = false
    return true
  }

  /// The next news.
  mutating func take() -> Sighting? {
    guard let at = entries.firstIndex(where: { $0.isNews }) else {
      guard hasHeardAll, !hasToldAll, entries.allSatisfy(\.unknown.isEmpty) else { return nil }
      hasToldAll = true
      return .settled
    }
    var entry = entries.remove(at: at)
    entry.told = entry.addresses
    entries.append(entry)
    removeForgotten(entries.count - 1)
    guard let addresses = entry.told else { return .lost(name: entry.name) }
    return .found(name: entry.name, addresses: addresses)
  }

  private mutating func removeForgotten(_ at: Int) {
    if entries[at].places.isEmpty, entries[at].told == nil { entries.remove(at: at) }
  }
}
