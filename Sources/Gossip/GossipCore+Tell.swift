import EventLog
import Events

// Telling neighbours what is new: pushed to a few, announced to the others.

extension GossipCore {
  /// A feed has more than before, or is forked.
  mutating func noteNews(_ feed: UInt32, before: UInt64, at now: Tick) {
    let key = directory.feeds[Int(feed)].key
    for at in memories.indices { memories[at].memory.noteChange(key, from: before) }
    for link in links.indices where isShown(feed, to: link) {
      links[link].noteChange(key, from: before)
      if directory.feeds[Int(feed)].isForked {
        serveFirst([feed], of: link)
      } else {
        links[link].news.append(feed)
      }
      let pause = links[link].isPushedTo ? settings.pushMilliseconds : settings.announceMilliseconds
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
    let news = links[link].news.filter { feed in
      let known = links[link].known[directory.feeds[Int(feed)].key] ?? 0
      return seen.insert(feed).inserted && known < directory.feeds[Int(feed)].sequence
    }
    links[link].news = []
    guard links[link].isPushedTo else { return announce(news, .news, to: link) }
    push(news, to: link)
  }

  private mutating func push(_ feeds: [UInt32], to link: Int) {
    let wants = feeds.map { number in
      let key = directory.feeds[Int(number)].key
      return Want(key: key, after: links[link].known[key] ?? 0)
    }
    serve(wants, to: link)
  }
}
