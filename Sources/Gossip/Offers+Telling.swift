import EventLog
import Events

// Telling neighbours what is new: pushed to a few, announced to the others.

extension Offers {
  /// A feed has more than before, or is forked.
  /// - Parameter isGathered: whether it is no use to the neighbours before more of the room comes.
  mutating func noteNews(_ feed: UInt32, before: UInt64, isGathered: Bool = false, at now: Tick) {
    let key = directory.feeds[Int(feed)].key
    linkTable.noteChangeForAbsent(key, from: before)
    for link in links.indices where isShown(feed, to: link) {
      links[link].baseline.noteChange(key, from: before)
      let given = links[link].baseline.given.removeValue(forKey: key) ?? 0
      if directory.feeds[Int(feed)].isForked {
        serveFirst([feed], of: link)
      } else if given < directory.feeds[Int(feed)].sequence {
        links[link].news.append((feed, max(before, given)))
      } else {
        continue
      }
      let push = isGathered ? settings.gatherMilliseconds : settings.pushMilliseconds
      let pause = links[link].isPushing ? push : settings.announceMilliseconds
      links[link].tellAt = min(links[link].tellAt ?? now + pause, now + pause)
    }
  }

  /// Tells those who are to be told without a pause.
  mutating func tellAtOnce(at now: Tick) {
    for link in links.indices {
      if let due = links[link].tellAt, due <= now { tell(link, at: now) }
    }
  }

  /// Tells one neighbour what is new, but for what it has.
  mutating func tell(_ link: Int, at now: Tick) {
    links[link].tellAt = nil
    var seen: Set<UInt32> = []
    var news: [(feed: UInt32, after: UInt64)] = []
    for (feed, after) in links[link].news where seen.insert(feed).inserted {
      let after = max(after, links[link].baseline.known[directory.feeds[Int(feed)].key] ?? 0)
      if after < directory.feeds[Int(feed)].sequence { news.append((feed, after)) }
    }
    links[link].news = []
    guard links[link].isPushing else { return announce(news.map(\.feed), .news, to: link) }
    let wants = news.map { Want(key: directory.feeds[Int($0.feed)].key, after: $0.after) }
    serve(wants, to: link, isNews: true)
  }

  /// Tells a neighbour how feeds stand.
  mutating func announce(_ feeds: [UInt32], _ reason: Announcement.Reason, to link: Int) {
    let salt = draws.next()
    var rest = feeds[...]
    repeat {
      let entries = rest.prefix(Message.limitItems).map { directory.entry(of: $0, salt: salt) }
      rest = rest.dropFirst(Message.limitItems)
      // Only an exchange has a meaning when it is empty.
      guard !entries.isEmpty || reason == .exchange else { return }
      let isLast = rest.isEmpty || reason != .exchange
      linkTable.send(
        .have(.init(reason: isLast ? reason : .difference, salt: salt, entries: Array(entries))), to: link)
    } while !rest.isEmpty
  }

  // MARK: - Being compared with

  /// How many parts may be asked for in one message.
  private static let limitParts = 256

  /// Answers which parts hold what.
  mutating func answer(_ parts: [PartName], salt: UInt64, to link: Int) {
    guard isReady(link) else { return askForInterest(of: link, asksBack: true) }
    linkTable.send(
      .parts(salt: salt, contents(of: parts.prefix(Self.limitParts), link, salt: salt)), to: link)
  }

  /// What either said that it wants may be lost: it is said again, here and there.
  mutating func askForInterest(of link: Int, asksBack: Bool) {
    guard !links[link].said.isTheirsHeard else { return }
    if links[link].said.isMineTold { linkTable.sendInterest(to: link) }
    if asksBack { linkTable.send(.digest(.init(root: root(link), asksForAnswer: false)), to: link) }
  }
}
