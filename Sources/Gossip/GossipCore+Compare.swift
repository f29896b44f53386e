import Events

// Comparing with a neighbour: one hash, then what changed since both were equal, or part by part.

extension GossipCore {
  /// How many parts are asked for in one message.
  private static let partsAtOnce = 64
  /// How many parts may be asked for in one message.
  private static let limitParts = 256

  // MARK: - The tries of one neighbour

  /// Does something with one of the tries that are shared with a neighbour.
  private mutating func withTrie<Result>(
    _ trie: Int, _ link: Int, _ body: (inout HashTrie, FeedTable) -> Result
  ) -> Result? {
    guard links[link].shared == nil else {
      guard trie == 0, var narrow = links[link].narrow else { return nil }
      links[link].narrow = nil
      defer { links[link].narrow = narrow }
      return body(&narrow, directory.feeds)
    }
    return directory.withTrie(trie, links[link].circles, body)
  }

  /// The hash of what is compared with a neighbour.
  mutating func root(_ link: Int) -> ShortHash {
    guard links[link].shared != nil else { return directory.root(links[link].circles) }
    let root = withTrie(0, link) { trie, feeds in trie.root(feeds) } ?? .zero
    // What both want is in it, so that they notice when one has not heard what the other wants.
    var hash = Blake2b(domain: "parlor-interest-root-2")
    hash.update(interestHash(link))
    hash.update(root)
    return ShortHash(hash.digest())
  }

  /// Whether a neighbour may hear of a feed, and wants to.
  func isShown(_ feed: UInt32, to link: Int) -> Bool {
    let room = Int(directory.feeds[Int(feed)].room)
    return links[link].shared?.contains(room) ?? directory.isShown(room, to: links[link].circles)
  }

  /// The feeds with a key of which a neighbour may hear.
  mutating func find(_ key: UInt64, _ link: Int) -> [UInt32] {
    guard links[link].shared != nil else { return directory.find(key, links[link].circles) }
    return withTrie(0, link) { trie, feeds in trie.find(key, feeds) } ?? []
  }

  // MARK: - One hash

  /// Starts to compare. Whoever recovers its own heads looks through everything that the neighbour has.
  mutating func compare(with link: Int, at now: Tick) {
    guard !looksThrough else { return descend(link, at: now) }
    guard !isBusy(link), links[link].toShare.isEmpty else { return }
    let mine = root(link)
    // Nothing is new here. When something is there, it is the neighbour who says so.
    if let alike = links[link].alike, alike.mine == mine.high, alike.theirs != nil { return }
    send(
      .digest(.init(root: mine, agreed: links[link].agreed, asksForAnswer: true)), to: link)
  }

  mutating func receive(_ digest: DirectoryDigest, from link: Int, at now: Tick) {
    guard isReady(link) else { return askForInterest(of: link, asksBack: digest.asksForAnswer) }
    let mine = root(link)
    if digest.root == mine {
      links[link].agree(on: mine)
      links[link].isCompared = true
      if digest.asksForAnswer { send(.digest(.init(root: mine, asksForAnswer: false)), to: link) }
      return
    }
    if let alike = links[link].alike, alike == (mine.high, digest.root.high) { return }
    // What was said of the interest may be lost, and then both compare different rooms for ever.
    if links[link].knowsInterest { sendInterest(to: link) }
    if !digest.asksForAnswer || isBusy(link) {
      return
    } else if digest.root == .zero {
      // Who has nothing looks through what we have: it knows best what it can take.
      send(.digest(.init(root: mine, asksForAnswer: true)), to: link)
    } else if let agreed = digest.agreed, agreed == links[link].agreed {
      announce(changedFeeds(link), .exchange, to: link)
      links[link].noteExchange()
    } else {
      descend(link, theirs: digest.root.high, at: now)
    }
  }

  /// Whether what a comparison found is still on its way: until it has come, another would find it again.
  private func isBusy(_ link: Int) -> Bool {
    links[link].descent != nil || requests.isWaiting(for: links[link].neighbour)
  }

  /// The feeds that changed since both were equal.
  private mutating func changedFeeds(_ link: Int) -> [UInt32] {
    links[link].known.keys.sorted().flatMap { find($0, link) }
  }

  /// Compares once more when what was found has come.
  private mutating func recheck(_ link: Int, at now: Tick) {
    guard !links[link].isRechecking else { return }
    links[link].isRechecking = true
    links[link].compareAt = now + Self.recheckMilliseconds
  }

  // MARK: - Part by part

  private mutating func descend(_ link: Int, theirs: UInt64? = nil, at now: Tick) {
    guard links[link].descent == nil else { return }
    links[link].isCutShort = false
    if links[link].silence > 0, links[link].knowsInterest { sendInterest(to: link) }
    links[link].descent = Link.Descent(
      parts: (0..<Directory.trieCount).reversed().map { PartName(trie: $0, .root) },
      theirs: theirs, deadline: now + settings.answerMilliseconds)
    askForParts(link, at: now)
  }

  private mutating func askForParts(_ link: Int, at now: Tick) {
    guard var descent = links[link].descent else { return }
    guard !descent.parts.isEmpty else {
      links[link].descent = nil
      links[link].isCompared = !links[link].isCutShort
      let isAlike = descent.differsInNotTaken && !descent.differs && descent.lacking.isEmpty
      links[link].alike = isAlike ? (root(link).high, descent.theirs) : nil
      announce(descent.lacking, .difference, to: link)
      recheck(link, at: now)
      return
    }
    guard requests.count < settings.budget.requests / 2 else {
      // Enough is on its way: the walk goes on when some of it has come.
      descent.asked = []
      descent.deadline = now + 2 * settings.answerMilliseconds
      links[link].descent = descent
      return
    }
    descent.asked = Array(descent.parts.suffix(Self.partsAtOnce))
    descent.parts.removeLast(descent.asked.count)
    descent.salt = draw()
    descent.deadline = now + settings.answerMilliseconds
    links[link].descent = descent
    send(.ask(salt: descent.salt, descent.asked), to: link)
  }

  /// Goes on with walks that waited for what they had found to come.
  mutating func resumeDescents(at now: Tick) {
    guard requests.count < settings.budget.requests / 2 else { return }
    for link in links.indices where links[link].descent?.asked.isEmpty == true {
      askForParts(link, at: now)
    }
  }

  /// Answers which parts hold what.
  mutating func answer(_ parts: [PartName], salt: UInt64, to link: Int) {
    guard isReady(link) else { return askForInterest(of: link, asksBack: true) }
    let contents = parts.prefix(Self.limitParts).map { name in
      let part = withTrie(Int(name.trie), link) { trie, feeds in trie.part(name.prefix, feeds) }
      return content(of: part ?? .feeds([]), name, salt)
    }
    send(.parts(salt: salt, contents), to: link)
  }

  private func content(of part: HashTrie.Part, _ name: PartName, _ salt: UInt64) -> PartContent {
    switch part {
    case .feeds(let few):
      // More than a few have one key, which somebody has looked for: each salt shows others of them.
      let entries = few.map { entry(of: $0, salt: salt) }.sorted { $0.tag < $1.tag }
      return .feeds(Array(entries.prefix(PartContent.limitFeeds)))
    case .quarters(let smallest, let hashes):
      let isSame = smallest == name.prefix
      return .quarters(
        of: isSame ? nil : PartName(trie: Int(name.trie), smallest),
        (0..<4).map { hashes[$0].tag(salt: salt) })
    }
  }

  mutating func receive(_ contents: [PartContent], salt: UInt64, from link: Int, at now: Tick) {
    guard let asked = links[link].descent?.asked, links[link].descent?.salt == salt,
      asked.count == contents.count
    else { return }
    links[link].silence = 0
    for (part, content) in zip(asked, contents) {
      switch content {
      case .quarters(let smaller, let tags): compareQuarters(part, smaller ?? part, tags, salt, link)
      case .feeds(let entries): compareFeeds(part, entries, salt, link, at: now)
      }
    }
    askForParts(link, at: now)
  }

  private mutating func compareQuarters(
    _ asked: PartName, _ part: PartName, _ tags: [UInt32], _ salt: UInt64, _ link: Int
  ) {
    let isInside = part.depth >= asked.depth && asked.prefix.contains(part.bits) && part.trie == asked.trie
    guard isInside, part.depth < HashTrie.Prefix.limitDepth else { return }
    let mine = withTrie(Int(part.trie), link) { trie, feeds in
      (
        hashes: trie.quarters(part.prefix, feeds),
        outside: part == asked
          ? [] : trie.all(asked.prefix, feeds).filter { !part.prefix.contains(feeds[Int($0)].key) }
      )
    }
    noteAbsent(mine?.outside ?? [], of: link)
    links[link].descent?.lacking += mine?.outside.sorted() ?? []
    for quarter in (0..<4).reversed() {
      let tag = mine.map { $0.hashes[quarter].tag(salt: salt) } ?? 0
      guard tag != tags[quarter], let child = part.prefix.child(quarter) else { continue }
      links[link].descent?.parts.append(PartName(trie: Int(part.trie), child))
    }
  }

  private mutating func compareFeeds(
    _ part: PartName, _ entries: [FeedEntry], _ salt: UInt64, _ link: Int, at now: Tick
  ) {
    let mine = withTrie(Int(part.trie), link) { trie, feeds in trie.all(part.prefix, feeds) } ?? []
    let there = Set(entries.map(\.key))
    var lacking = mine.filter { !there.contains(directory.feeds[Int($0)].key) }
    noteAbsent(lacking, of: link)
    for entry in entries where part.prefix.contains(entry.key) {
      lacking += consider(entry, salt: salt, from: link, isNews: false, at: now)
    }
    links[link].descent?.lacking += lacking.sorted()
  }

  // MARK: - Entries

  func entry(of feed: UInt32, salt: UInt64) -> FeedEntry {
    directory.feeds[Int(feed)].entry(salt: salt)
  }

  /// Tells a neighbour how feeds stand.
  mutating func announce(_ feeds: [UInt32], _ reason: Announcement.Reason, to link: Int) {
    let salt = draw()
    var rest = feeds[...]
    repeat {
      let entries = rest.prefix(Message.limitItems).map { entry(of: $0, salt: salt) }
      rest = rest.dropFirst(Message.limitItems)
      // Only an exchange has a meaning when it is empty.
      guard !entries.isEmpty || reason == .exchange else { return }
      let isLast = rest.isEmpty || reason != .exchange
      send(
        .have(.init(reason: isLast ? reason : .difference, salt: salt, entries: Array(entries))), to: link)
    } while !rest.isEmpty
  }

  mutating func receive(_ announcement: Announcement, from link: Int, at now: Tick) {
    var equal: Set<UInt64> = []
    for entry in announcement.entries {
      _ = consider(
        entry, salt: announcement.salt, from: link, isNews: announcement.reason == .news, at: now)
      let mine = directory.find(entry.key)
      if mine.contains(where: { self.entry(of: $0, salt: announcement.salt) == entry }) {
        equal.insert(entry.key)
      }
    }
    guard announcement.reason == .exchange, links[link].agreed != nil else { return }
    let mine = changedFeeds(link).filter { !equal.contains(directory.feeds[Int($0)].key) }
    announce(mine, .difference, to: link)
    links[link].isCompared = true
    // Where both were equal is not what both believe: next time all is compared, part by part.
    if mine.isEmpty, equal.count == announcement.entries.count { links[link].agreed = nil }
  }

  /// Compares how a feed stands there and here, and asks for what is lacking here.
  /// - Returns: the feed, when it is the neighbour who lacks something.
  mutating func consider(
    _ entry: FeedEntry, salt: UInt64, from link: Int, isNews: Bool, at now: Tick
  ) -> [UInt32] {
    var shown = find(entry.key, link)
    if shown.isEmpty, links[link].shared != nil {
      shareWhatIsShown(entry.key, by: link)
      shown = find(entry.key, link)
    }
    // What the neighbour shows is not asked for again only because it is not shown the same.
    let mine = shown.isEmpty ? directory.find(entry.key) : shown
    links[link].note(entry.key, has: entry.isForked ? entry.sequence - 1 : entry.sequence)
    guard !mine.contains(where: { self.entry(of: $0, salt: salt) == entry }) else { return [] }
    guard !notTaken.hasSeen(entry, salt: salt), !forgotten.hasSeen(entry, salt: salt) else {
      links[link].descent?.differsInNotTaken = true
      return []
    }
    links[link].descent?.differs = true
    guard mine.count == 1, let feed = mine.first.map({ directory.feeds[Int($0)] }) else {
      let seen = max(notTaken.sequence(before: entry), forgotten.sequence(before: entry))
      let after = mine.isEmpty ? seen : 0
      request(entry, after: after, isOfFork: entry.isForked, of: link, isNews: isNews, at: now)
      return shown
    }
    switch (feed.isForked, entry.isForked) {
    case (false, false) where entry.sequence > feed.sequence:
      request(entry, after: feed.sequence, isOfFork: false, of: link, isNews: isNews, at: now)
      return []
    case (false, false) where entry.sequence < feed.sequence: return shown
    case (false, false):
      // As long, and another head: two branches.
      request(entry, after: feed.sequence - 1, isOfFork: true, of: link, isNews: false, at: now)
      return []
    case (true, true) where entry.sequence >= feed.sequence, (true, false):
      // The proof goes before everything else.
      serveFirst(shown, of: link)
      return []
    case (_, true):
      let after = min(feed.sequence, entry.sequence) - 1
      request(entry, after: after, isOfFork: true, of: link, isNews: false, at: now)
      return []
    }
  }
}
