import Events

// Comparing with a neighbour: one hash, then what changed since both were equal, or part by part.

extension Replica {
  /// How many parts are asked for in one message.
  private static let partsAtOnce = 64

  // MARK: - One hash

  /// Starts to compare. Whoever recovers its own heads looks through everything that the neighbour has.
  mutating func compare(with link: Int, at now: Tick) {
    guard !watch.looksThrough else { return descend(link, at: now) }
    guard !isBusy(link), !links[link].isShareComing else { return }
    let mine = offers.root(link)
    // Nothing is new here. When something is there, it is the neighbour who says so.
    if let alike = links[link].baseline.alike, alike.mine == mine.high, alike.theirs != nil { return }
    linkTable.send(
      .digest(.init(root: mine, agreed: links[link].baseline.root, asksForAnswer: true)), to: link)
  }

  mutating func receive(_ digest: DirectoryDigest, from link: Int, at now: Tick) {
    guard offers.isReady(link) else { return offers.askForInterest(of: link, asksBack: digest.asksForAnswer) }
    let mine = offers.root(link)
    if digest.root == mine {
      links[link].agree(on: mine)
      links[link].testimony.isCompared = true
      if digest.asksForAnswer { linkTable.send(.digest(.init(root: mine, asksForAnswer: false)), to: link) }
      return
    }
    if let alike = links[link].baseline.alike, alike == (mine.high, digest.root.high) { return }
    // What was said of the interest may be lost, and then both compare different rooms for ever.
    if links[link].said.isMineTold { linkTable.sendInterest(to: link) }
    if !digest.asksForAnswer || isBusy(link) {
      return
    } else if digest.root == .zero {
      // Who has nothing looks through what we have: it knows best what it can take.
      linkTable.send(.digest(.init(root: mine, asksForAnswer: true)), to: link)
    } else if let agreed = digest.agreed, agreed == links[link].baseline.root {
      offers.announce(offers.changedFeeds(link), .exchange, to: link)
      links[link].baseline.noteExchange()
    } else {
      descend(link, theirs: digest.root.high, at: now)
    }
  }

  /// Whether what a comparison found is still on its way: until it has come, another would find it again.
  private func isBusy(_ link: Int) -> Bool {
    links[link].descent != nil || requests.isWaiting(for: links[link].neighbour)
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
    links[link].testimony.isCutShort = false
    if links[link].testimony.silence > 0, links[link].said.isMineTold { linkTable.sendInterest(to: link) }
    links[link].descent = Link.Descent(
      parts: (0..<Directory.trieCount).reversed().map { PartName(trie: $0, .root) },
      theirs: theirs, deadline: now + settings.answerMilliseconds)
    askForParts(link, at: now)
  }

  private mutating func askForParts(_ link: Int, at now: Tick) {
    guard var descent = links[link].descent else { return }
    guard !descent.parts.isEmpty else {
      links[link].descent = nil
      links[link].testimony.isCompared = !links[link].testimony.isCutShort
      let isAlike = descent.differsInNotTaken && !descent.differs && descent.lacking.isEmpty
      links[link].baseline.alike = isAlike ? (offers.root(link).high, descent.theirs) : nil
      offers.announce(descent.lacking, .difference, to: link)
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
    descent.salt = offers.draws.next()
    descent.deadline = now + settings.answerMilliseconds
    links[link].descent = descent
    linkTable.send(.ask(salt: descent.salt, descent.asked), to: link)
  }

  /// Goes on with walks that waited for what they had found to come.
  mutating func resumeDescents(at now: Tick) {
    guard requests.count < settings.budget.requests / 2 else { return }
    for link in links.indices where links[link].descent?.asked.isEmpty == true {
      askForParts(link, at: now)
    }
  }

  mutating func receive(_ contents: [PartContent], salt: UInt64, from link: Int, at now: Tick) {
    guard let asked = links[link].descent?.asked, links[link].descent?.salt == salt,
      asked.count == contents.count
    else { return }
    links[link].testimony.silence = 0
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
    let mine = offers.withTrie(Int(part.trie), link) { trie, feeds in
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
    let mine = offers.withTrie(Int(part.trie), link) { trie, feeds in trie.all(part.prefix, feeds) } ?? []
    let there = Set(entries.map(\.key))
    var lacking = mine.filter { !there.contains(directory.feeds[Int($0)].key) }
    noteAbsent(lacking, of: link)
    for entry in entries where part.prefix.contains(entry.key) {
      lacking += consider(entry, salt: salt, from: link, isNews: false, at: now)
    }
    links[link].descent?.lacking += lacking.sorted()
  }

  // MARK: - Entries

  mutating func receive(_ announcement: Announcement, from link: Int, at now: Tick) {
    var equal: Set<UInt64> = []
    for entry in announcement.entries {
      _ = consider(
        entry, salt: announcement.salt, from: link, isNews: announcement.reason == .news, at: now)
      let mine = directory.find(entry.key)
      if mine.contains(where: { directory.entry(of: $0, salt: announcement.salt) == entry }) {
        equal.insert(entry.key)
      }
    }
    guard announcement.reason == .exchange, links[link].baseline.root != nil else { return }
    let mine = offers.changedFeeds(link).filter { !equal.contains(directory.feeds[Int($0)].key) }
    offers.announce(mine, .difference, to: link)
    links[link].testimony.isCompared = true
    // Where both were equal is not what both believe: next time all is compared, part by part.
    if mine.isEmpty, equal.count == announcement.entries.count { links[link].baseline.root = nil }
  }

  /// Compares how a feed stands there and here, and asks for what is lacking here.
  /// - Returns: the feed, when it is the neighbour who lacks something.
  mutating func consider(
    _ entry: FeedEntry, salt: UInt64, from link: Int, isNews: Bool, at now: Tick
  ) -> [UInt32] {
    var shown = offers.find(entry.key, link)
    if shown.isEmpty, links[link].shared != nil {
      offers.shareWhatIsShown(entry.key, by: link)
      shown = offers.find(entry.key, link)
    }
    // What the neighbour shows is not asked for again only because it is not shown the same.
    let mine = shown.isEmpty ? directory.find(entry.key) : shown
    links[link].baseline.note(entry.key, has: entry.isForked ? entry.sequence - 1 : entry.sequence)
    guard !mine.contains(where: { directory.entry(of: $0, salt: salt) == entry }) else { return [] }
    guard !unwanted.hasSeen(entry, salt: salt) else {
      links[link].descent?.differsInNotTaken = true
      return []
    }
    links[link].descent?.differs = true
    guard mine.count == 1, let feed = mine.first.map({ directory.feeds[Int($0)] }) else {
      let seen = unwanted.sequence(before: entry)
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
      offers.serveFirst(shown, of: link)
      return []
    case (_, true):
      let after = min(feed.sequence, entry.sequence) - 1
      request(entry, after: after, isOfFork: true, of: link, isNews: false, at: now)
      return []
    }
  }
}
