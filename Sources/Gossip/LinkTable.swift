import Events

/// The connections, by their numbers, what is to be said over them, and what is kept of neighbours that are gone.
struct LinkTable: Sendable {
  private static let limitMemories = 64
  /// The shortest time between two links that are taken out of those that carry pushes.
  private static let pruneMilliseconds: UInt64 = 1_000

  /// The links, by place. They are changed and read where they are: an accessor of this type would copy them.
  var links: [Link] = []
  /// What the shell is told to do, in order: what is to be sent, and all else.
  var out: [Directive] = []
  private var memories: [(peer: PeerID, memory: Baseline)] = []
  /// When a link may be taken out of those that carry pushes.
  private var pruneAt = Tick.start

  /// Where a connection lies; their numbers ascend.
  func place(of neighbour: Neighbour) -> Int? {
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].neighbour < neighbour { low = middle + 1 } else { high = middle }
    }
    return low < links.count && links[low].neighbour == neighbour ? low : nil
  }

  /// Adds a connection, which takes back what was known when its peer was here before.
  /// - Returns: its place.
  mutating func add(_ link: Link) -> Int {
    var link = link
    if let at = memories.firstIndex(where: { $0.peer == link.circles.peer }) {
      link.baseline.remember(memories.remove(at: at).memory)
    }
    let place = links.firstIndex { $0.neighbour > link.neighbour } ?? links.count
    links.insert(link, at: place)
    return place
  }

  /// Takes a connection out. Somebody is pushed to, as long as anybody is there.
  mutating func remove(at place: Int) -> Link {
    let link = links.remove(at: place)
    if let memory = link.memory {
      memories.removeAll { $0.peer == link.circles.peer }
      memories.append((link.circles.peer, memory))
      if memories.count > Self.limitMemories { memories.removeFirst() }
    }
    if !links.isEmpty, !links.contains(where: \.isPushing) { links[0].isPushing = true }
    return link
  }

  // MARK: - Memories

  /// A feed changed here: of it, those who are gone are believed to have what was here before.
  mutating func noteChangeForAbsent(_ key: UInt64, from sequence: UInt64) {
    for at in memories.indices { memories[at].memory.noteChange(key, from: sequence) }
  }

  /// Forgets those who are gone.
  mutating func forgetAbsent() { memories = [] }

  // MARK: - Directives

  mutating func takeDirectives() -> [Directive] {
    defer { out = [] }
    return out
  }

  mutating func send(_ message: Message, to place: Int) {
    out.append(.send(message, to: links[place].neighbour))
  }

  /// Tells a neighbour what it is to know that is wanted here.
  mutating func sendInterest(to place: Int) {
    links[place].said.isMineTold = true
    send(.interest(links[place].said.mine), to: place)
  }

  /// A neighbour did what it must not: it is heard no more, and its connection is to be ended.
  mutating func refuse(_ place: Int, _ reason: Refusal) {
    guard !links[place].account.isRefused else { return }
    links[place].account.isRefused = true
    out.append(.refuse(links[place].neighbour, reason))
  }

  /// Notes that a neighbour sent more than it may, which is too much in the end.
  mutating func noteExcess(_ place: Int, limit: Int) {
    links[place].account.excess += 1
    if links[place].account.excess > limit { refuse(place, .flood) }
  }

  // MARK: - Pushes

  /// Whether more links than needed carry pushes.
  private func canSpare(_ needed: Int) -> Bool { links.count(where: \.isPushing) > needed }

  /// A push brought nothing new: the link closes a circle, and so need not carry pushes, where more than `needed` do.
  /// Only one link is taken out at a time, lest a circle be cut in two places.
  mutating func prune(_ place: Int, needed: Int, at now: Tick) {
    guard links[place].isPushing, canSpare(needed), pruneAt <= now else { return }
    pruneAt = now + Self.pruneMilliseconds
    links[place].isPushing = false
    send(.push(false), to: place)
  }

  /// A neighbour wants to take a link out, or in again; whoever has no more than it needs keeps it.
  mutating func receive(isPushWanted: Bool, from place: Int, needed: Int) {
    if !isPushWanted, links[place].isPushing, !canSpare(needed) {
      send(.push(true), to: place)
    } else {
      links[place].isPushing = isPushWanted
    }
  }

  // MARK: - Comparing

  /// Has neighbours compared with again, whatever was found out of them, because something of what may be taken in has
  /// changed.
  mutating func compareAllAgain(at now: Tick) {
    for place in links.indices {
      links[place].baseline.alike = nil
      links[place].compareAt = now
    }
  }
}
