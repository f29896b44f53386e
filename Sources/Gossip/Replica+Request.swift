import EventLog
import Events

// Asking for what neighbours have.

extension Replica {
  /// A neighbour that did not answer so often in a row is asked last.
  private static let limitUnanswered = 3

  /// Asks for a feed, unless somebody was asked already; news only when nobody pushes them.
  mutating func request(
    _ entry: FeedEntry, after: UInt64, isOfFork: Bool, of link: Int, isNews: Bool, at now: Tick
  ) {
    guard takesIn, !shares.isBarred(entry.key), !isCrowdedOut(entry.key, of: link), after < entry.sequence
    else {
      return
    }
    let isTrusted = links[link].account.unanswered < Self.limitUnanswered
    // Who announces and does not answer must not fill the table for all.
    let limit = settings.budget.requests / (isTrusted ? 1 : 2)
    guard requests[entry.key] != nil || requests.count < limit else {
      links[link].testimony.isCutShort = true
      return
    }
    let isAsked = !isNews && isTrusted
    let pause = isAsked ? settings.answerMilliseconds : settings.graftMilliseconds
    let request = Requests.Request(
      neighbour: links[link].neighbour, isAsked: isAsked, after: after, target: entry.sequence,
      isOfFork: isOfFork, deadline: now + pause)
    switch requests.add(entry.key, request) {
    case .toBeAsked: requests.ask(links[link].neighbour, for: Want(key: entry.key, after: after))
    case .noted: break
    case .tooMany: links[link].testimony.isCutShort = true
    }
  }

  /// Sends the wants that came together.
  mutating func sendWants() {
    for (neighbour, wants) in requests.takeWants() {
      if let link = linkTable.place(of: neighbour) { linkTable.send(.want(wants), to: link) }
    }
  }

  /// What did not come by itself is asked for; what was asked for and did not come is asked of another.
  mutating func fireRequests(at now: Tick) {
    var fruitless: [Neighbour] = []
    for (key, request) in requests.takeDue(at: now) {
      var request = request
      if request.isAsked {
        if let link = linkTable.place(of: request.neighbour) { links[link].account.unanswered += 1 }
        if !fruitless.contains(request.neighbour) { fruitless.append(request.neighbour) }
        guard !request.others.isEmpty else {
          offers.noteGivenUp(key)
          continue
        }
        request.neighbour = request.others.removeFirst()
      } else if let link = linkTable.place(of: request.neighbour), !links[link].isPushing {
        links[link].isPushing = true
        linkTable.send(.push(true), to: link)
      }
      guard linkTable.place(of: request.neighbour) != nil else { continue }
      request.isAsked = true
      request.deadline = now + settings.answerMilliseconds
      requests.set(key, request)
      requests.ask(request.neighbour, for: Want(key: key, after: request.after))
    }
    for neighbour in fruitless { askAgain(neighbour, at: now) }
    sendWants()
  }

  /// What came of a room before it was open is asked for again.
  mutating func askForMissed(of room: RoomID, at now: Tick) {
    guard rooms.takeMissed(room) else { return }
    for (key, request) in requests.asked(of: room) {
      requests.postpone(key, to: now + settings.answerMilliseconds)
      requests.ask(request.neighbour, for: Want(key: key, after: request.after))
    }
    sendWants()
  }

  /// What was asked of a neighbour did not come. Who recovers its own heads does not know them before it does, and
  /// others who say that they have it may lie.
  private mutating func askAgain(_ neighbour: Neighbour, at now: Tick) {
    guard watch.recovery != .none, let link = linkTable.place(of: neighbour) else { return }
    links[link].testimony.noteWithheld()
    links[link].compareAt = now
  }

  /// A feed came further: what was asked of it may be settled.
  private mutating func noteProgress(_ key: UInt64, of feed: CausalGraph.Feed, at now: Tick) {
    guard var request = requests[key] else { return }
    let isThere = feed.last >= request.target || feed.forkSequence != nil
    if isThere, !request.isOfFork || feed.forkSequence != nil {
      requests.remove(key)
    } else if request.isAsked, !request.isOfFork, feed.last > request.after {
      // Only what brings the feed further buys time: the same events again would put off the answer for ever.
      request.after = feed.last
      request.deadline = now + settings.answerMilliseconds
      requests.set(key, request)
    }
  }

  /// Notes how far the feeds of some authors are here, of whom somebody was asked for more.
  mutating func noteProgress(of authors: Set<PeerID>, in place: Int, at now: Tick) {
    let room = rooms.open.span[place].id
    for author in authors.sorted() {
      if let feed = rooms.open.span[place].log.feed(author) {
        noteProgress(Feed.key(room: room, author: author), of: feed, at: now)
      }
    }
  }
}
