import EventLog
package import Events

// Asking for what neighbours have, and sending what they ask for.

extension GossipCore {
  /// A neighbour that did not answer so often in a row is asked last.
  private static let limitUnanswered = 3

  // MARK: - Asking

  /// Asks for a feed, unless somebody was asked already; news only when nobody pushes them.
  mutating func request(
    _ entry: FeedEntry, after: UInt64, isOfFork: Bool, of link: Int, isNews: Bool, at now: Tick
  ) {
    guard takesIn, !shares.isBarred(entry.key), !isCrowdedOut(entry.key, of: link), after < entry.sequence
    else {
      return
    }
    let isTrusted = links[link].unanswered < Self.limitUnanswered
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
      if let link = linkTable.place(of: neighbour) { send(.want(wants), to: link) }
    }
  }

  /// What did not come by itself is asked for; what was asked for and did not come is asked of another.
  mutating func fireRequests(at now: Tick) {
    var fruitless: [Neighbour] = []
    for (key, request) in requests.takeDue(at: now) {
      var request = request
      if request.isAsked {
        if let link = linkTable.place(of: request.neighbour) { links[link].unanswered += 1 }
        if !fruitless.contains(request.neighbour) { fruitless.append(request.neighbour) }
        guard !request.others.isEmpty else {
          noteGivenUp(key)
          continue
        }
        request.neighbour = request.others.removeFirst()
      } else if let link = linkTable.place(of: request.neighbour), !links[link].isPushing {
        links[link].isPushing = true
        send(.push(true), to: link)
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
  mutating func noteProgress(_ key: UInt64, of feed: CausalGraph.Feed, at now: Tick) {
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

  // MARK: - Serving

  /// Prepares to send what was wanted, or is news.
  mutating func serve(_ wants: [Want], to link: Int, isNews: Bool = false) {
    var asked: [(room: RoomID, wanted: [(feed: Int, after: UInt64)])] = []
    for want in wants {
      for number in offers.find(want.key, link) {
        let room = directory.room(of: number)
        guard let at = rooms.place(of: room) else {
          links[link].serving.put(off: want, of: room, limit: settings.budget.requests)
          out.append(.load(room))
          continue
        }
        guard let inLog = rooms.open[at].number(of: number) else { continue }
        if let at = asked.firstIndex(where: { $0.room == room }) {
          asked[at].wanted.append((inLog, want.after))
        } else {
          asked.append((room, [(inLog, want.after)]))
        }
      }
    }
    for (room, wanted) in asked {
      guard let at = rooms.place(of: room), !links[link].serving.isFull else { continue }
      links[link].serving.append(Serving(wanted, of: rooms.open.span[at].log, isNews: isNews))
    }
  }

  /// Sends the proof of a fork before anything else.
  mutating func serveFirst(_ feeds: [UInt32], of link: Int) {
    for number in feeds {
      let feed = directory.feeds[Int(number)]
      guard feed.isForked, let at = rooms.place(of: directory.room(of: number)),
        let inLog = rooms.open[at].number(of: number)
      else { continue }
      let known = links[link].known[feed.key] ?? 0
      links[link].serving.prepend(
        Serving([(inLog, min(known, feed.sequence - 1))], of: rooms.open.span[at].log))
    }
  }

  /// A room was read from the store: those who waited for it get what they wanted.
  mutating func serveDeferred(_ room: RoomID, at now: Tick) {
    for link in links.indices {
      serve(links[link].serving.takeDeferred(of: room), to: link)
      let questions = links[link].serving.takeDeferredFetches(of: room)
      for ids in questions { serve(ids, in: room, to: link) }
      if !questions.isEmpty { rooms.noteUnneeded(room) }
    }
  }

  /// The next message of what a neighbour wanted; `nil` when there is none, or not yet.
  package mutating func nextServed(to neighbour: Neighbour, at now: Tick) -> Message? {
    guard let link = linkTable.place(of: neighbour) else { return nil }
    guard let served = offers.links[link].serving.next(from: &rooms, at: now) else { return nil }
    let next = served.isNews ? next(served.message, for: link, in: rooms.open.span[served.place].log) : nil
    for run in served.message.runs {
      guard let last = run.events.last else { continue }
      links[link].note(Feed.key(room: served.message.room, author: last.author), has: last.sequence)
    }
    return next.map { .next($0) } ?? .runs(served.message)
  }

  /// The short form of a message, where it goes on from what the neighbour is believed to hold.
  @_effects(readonly)
  private func next(_ message: RunsMessage, for link: Int, in log: borrowing RoomLog) -> NextEvents? {
    guard message.runs.count == 1, let first = message.runs[0].events.first,
      let known = links[link].known[Feed.key(room: message.room, author: first.author)],
      known >= first.sequence - 1
    else { return nil }
    return NextEvents(message.runs[0], in: log)
  }

  /// The neighbours to whom something is left to be sent, in order.
  package var servedNeighbours: [Neighbour] {
    links.compactMap { $0.serving.isEmpty ? nil : $0.neighbour }
  }

  /// Whether something of a room is left to be sent to anybody.
  @_effects(readonly)
  package func isServing(_ room: RoomID) -> Bool {
    links.contains { $0.serving.contains(room) }
  }

  /// Whether something of a room was asked for, and may come.
  package func isAwaiting(_ room: RoomID) -> Bool {
    requests.isAsked(of: room) || fetches.isAwaiting(room)
  }

  /// Takes the rooms that were served or awaited, and may not be any more, since the last call.
  package mutating func takeUnneeded() -> [RoomID] { rooms.takeUnneeded() }

  /// What was asked for did not come: its room waits for nothing.
  mutating func noteGivenUp(_ key: UInt64) {
    for number in directory.find(key) {
      let room = directory.room(of: number)
      if rooms.place(of: room) != nil { rooms.noteUnneeded(room) }
    }
  }

  /// Whether something is left to be sent to a neighbour.
  package func isServing(_ neighbour: Neighbour) -> Bool {
    linkTable.place(of: neighbour).map { !links[$0].serving.isEmpty } ?? false
  }

  /// Sends the runs of events that branches and gaps hide from numbers.
  mutating func serve(_ ids: [EventID], in room: RoomID, to link: Int) {
    guard let number = directory.number(of: room), directory.isShown(number, to: links[link].circles) else {
      return
    }
    let ids = ids.prefix(Event.limitParents)
    guard let at = rooms.place(of: room) else {
      links[link].serving.put(off: Array(ids), of: room)
      return out.append(.load(room))
    }
    var runs: [Run] = []
    for id in ids {
      guard let position = rooms.open.span[at].log.position(of: id),
        let run = rooms.open.span[at].log.run(covering: position, durable: rooms.open.span[at].durable)
      else { continue }
      runs.append(run)
    }
    for run in runs { send(.runs(RunsMessage(room: room, runs: [run])), to: link) }
  }
}

extension Run {
  /// The bytes of its bodies.
  var bytes: Int { events.reduce(0) { $0 + $1.bodyBytes } }
}
