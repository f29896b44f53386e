package import EventLog
package import Events

// Taking messages in.

extension GossipCore {
  /// Takes a message that was read already, or refuses whoever sent what is none.
  package mutating func receive(
    _ message: ReadMessage, from neighbour: Neighbour, at now: Tick
  ) -> [Directive] {
    switch message.content {
    case .success(let content): receive(content, signed: message.signed, from: neighbour, at: now)
    case .failure(let error): refuse(neighbour, .malformed(error))
    }
  }

  /// Takes a message.
  /// - Parameter signed: of the first runs in it, which have their authors' signatures; the others are checked here.
  package mutating func receive(
    _ message: Message, signed: [Bool] = [], from neighbour: Neighbour, at now: Tick
  ) -> [Directive] {
    guard let link = linkTable.place(of: neighbour), !links[link].account.isRefused else { return [] }
    guard links[link].account.work.take(replica.requests.work(of: message), at: now) else {
      linkTable.noteExcess(link, limit: settings.budget.excess)
      return linkTable.takeDirectives()
    }
    switch message {
    case .digest(let digest): replica.receive(digest, from: link, at: now)
    case .ask(let salt, let parts): offers.answer(parts, salt: salt, to: link)
    case .parts(let salt, let contents): replica.receive(contents, salt: salt, from: link, at: now)
    case .have(let announcement): replica.receive(announcement, from: link, at: now)
    case .want(let wants): offers.serve(wants, to: link)
    case .runs(let message): if replica.takesIn { take(message, signed: signed, from: link, at: now) }
    case .next(let next): if replica.takesIn { take(next, from: link, at: now) }
    case .fetch(let room, let ids): offers.serve(ids, in: room, to: link)
    case .push(let isWanted):
      linkTable.receive(isPushWanted: isWanted, from: link, needed: settings.pushLinks)
    case .interest(let interest): replica.receive(interest: interest, from: link, at: now)
    }
    replica.resumeDescents(at: now)
    replica.sendWants()
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// A neighbour did what it must not: it is heard no more, and its connection is to be ended.
  package mutating func refuse(_ neighbour: Neighbour, _ reason: Refusal) -> [Directive] {
    if let link = linkTable.place(of: neighbour) { linkTable.refuse(link, reason) }
    return linkTable.takeDirectives()
  }

  // MARK: - Runs

  /// Takes the next events of a feed where they fit what is here, and asks for them in whole where they do not.
  private mutating func take(_ next: NextEvents, from link: Int, at now: Tick) {
    for (at, feed) in offers.openFeeds(next.key) {
      if next.isHeld(in: rooms.open.span[at].log, feed) { return noteHeld(next, from: link, at: now) }
      guard let run = next.run(of: feed, in: rooms.open.span[at].log, hasher), isSigned(run, from: link)
      else {
        continue
      }
      let message = RunsMessage(room: rooms.open.span[at].log.room, runs: [run])
      return take(message, signed: [true], from: link, at: now)
    }
    // Of a room that the neighbour is not shown it is not told by a question that anything is held.
    let shown = offers.find(next.key, link).map { directory.feeds[Int($0)].sequence }.max()
    var held = shown ?? 0
    if directory.find(next.key).isEmpty {
      held = replica.unwanted.seen(of: next.key)
      guard held < next.last else { return }
    }
    // What does not fit may be another branch of what is held.
    let after = min(held, next.after)
    let before = replica.requests[next.key]
    replica.request(
      FeedEntry(key: next.key, sequence: next.last, tag: 0), after: after, isOfFork: false, of: link,
      isNews: false, at: now)
    // Somebody was asked before this was there to be had.
    if let before, before.isAsked, before.target < next.last {
      replica.requests.ask(links[link].neighbour, for: Want(key: next.key, after: after))
    }
  }

  /// Notes that a neighbour has sent what is here already.
  private mutating func noteHeld(_ next: NextEvents, from link: Int, at now: Tick) {
    links[link].account.work.spend(1, at: now)
    links[link].baseline.note(next.key, gave: next.last)
    linkTable.prune(link, needed: settings.pushLinks, at: now)
  }

  /// Whether a run that was made here of what a neighbour sent is its author's.
  private mutating func isSigned(_ run: Run, from link: Int) -> Bool {
    guard let last = run.events.last, links[link].account.misfits < Link.Account.limitMisfits else {
      return false
    }
    let isSigned = scheme.isValid(run.signature, of: last.id, by: last.author)
    if !isSigned { links[link].account.misfits += 1 }
    return isSigned
  }

  private mutating func take(_ message: RunsMessage, signed: [Bool], from link: Int, at now: Tick) {
    guard !passesOver(message, from: link), let at = placeForRuns(message, from: link) else { return }
    let room = message.room
    var taken: [Event] = []
    var authors: Set<PeerID> = []
    var isNew = false
    for (number, run) in message.runs.enumerated() {
      guard let author = run.events.first?.author, let last = run.events.last else { continue }
      let key = Feed.key(room: room, author: author)
      guard replica.isWithinBudget(run, key, author, of: at, from: link, at: now) else { continue }
      let waiting = rooms.open.span[at].log.waitingRoom.count
      do throws(LogError) {
        let isSigned = number < signed.count && signed[number]
        let scheme: any SignatureScheme = isSigned ? CheckedRun(run) : scheme
        let events = try rooms.open[at].log.receive(run, from: links[link].neighbour.number, scheme: scheme)
        let isNews = !events.isEmpty || rooms.open.span[at].log.waitingRoom.count != waiting
        isNew = isNew || isNews
        if rooms.open.span[at].log.waitingRoom.count > waiting { fetches.noteWaiting(bytes: run.bytes) }
        if isNews { links[link].account.misfits = 0 }
        // Nor was this asked for, when it is here already.
        if !isNews { links[link].account.work.spend(1, at: now) }
        replica.shares.add(events, of: author, &authors)
        if !events.isEmpty { rooms.open[at].takenBytes += run.bytes }
        taken += events
      } catch {
        isNew = true
        if isFault(error, run, key, at, link, at: now) {
          if !taken.isEmpty { linkTable.out.append(.taken(room, taken)) }
          linkTable.refuse(link, .broken(room, error))
          return
        }
        continue
      }
      links[link].account.unanswered = 0
      links[link].baseline.note(key, gave: last.sequence)
    }
    if !replica.requests.isEmpty {
      replica.noteProgress(
        of: authors.union(message.runs.compactMap { $0.events.first?.author }), in: at, at: now)
    }
    if taken.isEmpty {
      // It may have been opened for this alone, and nothing is to be stored after which it would be looked at.
      rooms.noteUnneeded(room)
    } else {
      links[link].testimony.fruitless = 0
      linkTable.out.append(.taken(room, taken))
      fetches.hurry(room, due: now + settings.graftMilliseconds)
    }
    // What had waited turned out to be false with the events that it names.
    for run in message.runs {
      if let error = rooms.open.span[at].log.refusal(of: run) {
        return linkTable.refuse(link, .broken(room, error))
      }
    }
    rooms.noteCreate(at)
    noteWaiting(at, from: link, at: now)
    limitWaiting()
    if !isNew { linkTable.prune(link, needed: settings.pushLinks, at: now) }
  }

  /// Takes runs that another process of this peer's data folder has made; they are checked like anybody's.
  /// - Throws: why not all runs were taken.
  package mutating func adopt(_ message: RunsMessage) throws(LogError) {
    let at = rooms.addPlace(of: message.room)
    // Who brings it by hand wants it.
    replica.unwanted.release(message.room)
    for run in message.runs { _ = try rooms.open[at].log.receive(run, scheme: scheme, isOwn: true) }
  }

  /// Takes the next events of a feed from their author, who is no neighbour and hands them over itself.
  ///
  /// They are checked like a neighbour's, and nothing of them waits: what they name is here, and they follow what is
  /// here of the feed. The first event of a room opens it.
  /// - Throws: why they were not taken.
  package mutating func take(_ run: Run, ofAuthorIn room: RoomID) throws(LogError) {
    let isHere = rooms.place(of: room) != nil || directory.number(of: room) != nil
    let isNew = !isHere && run.events.first?.id == room
    if isNew { _ = rooms.addPlace(of: room) }
    do throws(LogError) { try takeNext(run, ofAuthorIn: room) } catch {
      if isNew { close(room) }
      throw error
    }
    // Who brings it by hand wants it.
    if isNew { replica.unwanted.release(room) }
  }

  private mutating func takeNext(_ run: Run, ofAuthorIn room: RoomID) throws(LogError) {
    guard let at = rooms.place(of: room), let first = run.events.first, let last = run.events.last else {
      throw .unknownRoom(room.short)
    }
    let author = first.author
    guard replica.takesIn,
      rooms.open.span[at].log.hasPlace(for: run, strangersBytes: settings.budget.strangersBytes),
      replica.isOurs(at, author)
        || replica.shares.bytes(of: author) + run.bytes <= settings.budget.authorBytes
    else { throw .crowded("of this author, or of strangers in this room, no more is kept") }
    if rooms.open.span[at].log.contains(last.id) { return }
    let head = rooms.open.span[at].log.head(of: author)
    guard !head.isForked, first.sequence == (head.event?.sequence ?? 0) + 1,
      first.previous == head.event?.id ?? .none
    else { throw .brokenChain(first.id, sequence: first.sequence) }
    let own = run.events.map(\.id)
    for event in run.events {
      for index in 0..<event.parentCount {
        let parent = event.parent(index)
        guard rooms.open.span[at].log.contains(parent) || own.contains(parent) else { throw .missing(parent) }
      }
    }
    let events = try rooms.open[at].log.receive(run, scheme: scheme)
    guard rooms.open.span[at].log.contains(last.id) else { throw .missing(last.previous) }
    var others: Set<PeerID> = []
    replica.shares.add(events, of: author, &others)
    rooms.open[at].takenBytes += run.bytes
  }

  /// Where the room's log is; a room that is not known is opened, when it is wanted.
  private mutating func placeForRuns(_ message: RunsMessage, from link: Int) -> Int? {
    let room = message.room
    if let at = rooms.place(of: room) { return at }
    if directory.number(of: room) != nil {
      rooms.noteMissed(room)
      linkTable.out.append(.load(room))
      return nil
    }
    guard !message.runs.isEmpty else { return nil }
    if let oldest = rooms.noteNascent(room, limit: settings.budget.roomsWithoutCreate) { close(oldest) }
    let at = rooms.addPlace(of: room)
    rooms.open[at].source = links[link].neighbour
    return at
  }

  /// Whether an error is the neighbour's fault. What is not is repaired here.
  private mutating func isFault(
    _ error: LogError, _ run: Run, _ key: UInt64, _ at: Int, _ link: Int, at now: Tick
  ) -> Bool {
    switch error {
    case .missing(let id):
      guard let first = run.events.first else { return false }
      let room = rooms.open.span[at].log.room
      let held = rooms.open.span[at].log.feed(first.author)?.last ?? 0
      if id != room, first.sequence > held + 1 {
        // A gap: what lies between is asked for at once.
        replica.requests.ask(links[link].neighbour, for: Want(key: key, after: held))
      } else {
        // Another branch: it is followed back to where it parts from ours.
        linkTable.send(.fetch(room, [id]), to: link)
      }
      return false
    case .unprovenFork, .crowded, .notNeeded: return false
    default: return true
    }
  }

  // MARK: - What waits

  /// A neighbour's runs wait for events that may be on their way, or may have to be asked for by their ids.
  private mutating func noteWaiting(_ at: Int, from link: Int, at now: Tick) {
    let log = rooms.open.span[at].log
    fetches.keep(of: log.room) { log.waitingRoom.bytes(of: $0?.number) > 0 }
    let giver = links[link].neighbour
    guard log.waitingRoom.bytes(of: giver.number) > 0 else { return }
    fetches.note(log.room, by: giver, due: now + settings.graftMilliseconds)
  }

  /// Bounds what waits in all rooms together: whoever gave most of it loses all that it alone gave.
  private mutating func limitWaiting() {
    let limit = settings.budget.waitingBytes
    // To look goes through all rooms.
    guard fetches.takeIsMuch(limit / 8) else { return }
    var given: [UInt32?: Int] = [:]
    for at in rooms.open.indices where rooms.open.span[at].log.waitingRoom.count > 0 {
      given.merge(rooms.open.span[at].log.waitingRoom.bytesByGiver, uniquingKeysWith: +)
    }
    // tidy: order does not matter because it is a sum
    var all = given.values.reduce(0, +)
    // tidy: order does not matter because ties are broken by name
    while all > limit, let most = given.max(by: { ($0.value, $0.key ?? 0) < ($1.value, $1.key ?? 0) }) {
      for at in rooms.open.indices { rooms.open[at].log.dropWaiting(of: most.key) }
      all -= most.value
      given[most.key] = nil
    }
  }

  /// What a neighbour gave that is gone, and waits, is nobody's from now on.
  mutating func forgetGiver(_ neighbour: Neighbour, at now: Tick) {
    for room in fetches.rooms(of: neighbour) {
      guard let at = rooms.place(of: room) else { continue }
      rooms.open[at].log.forget(giver: neighbour.number)
      if rooms.open.span[at].log.waitingRoom.bytes(of: nil) > 0 {
        fetches.note(room, by: nil, due: now + settings.graftMilliseconds)
      }
    }
    for room in fetches.rooms(of: neighbour) { fetches.remove(room, of: neighbour) }
  }

  /// Takes in what waits and is linked, where to look for that was put off.
  private mutating func takeWhatWasPutOff(of room: RoomID, at now: Tick) {
    guard let at = rooms.place(of: room) else { return }
    let events = rooms.open[at].log.releaseWhatWasPutOff()
    guard let first = events.first?.author else { return }
    var authors: Set = [first]
    replica.shares.add(events, of: first, &authors)
    replica.noteProgress(of: authors, in: at, at: now)
    linkTable.out.append(.taken(room, events))
  }

  /// Asks for what waiting runs need: first their giver, who has all of it when it is honest, then one neighbour after
  /// the other, with longer and longer pauses.
  mutating func fetchWhatIsWaitedFor(at now: Tick) {
    for fetch in fetches.takeDue(pause: settings.graftMilliseconds, at: now) {
      if fetch.isLast { rooms.noteUnneeded(fetch.room) }
      takeWhatWasPutOff(of: fetch.room, at: now)
      guard let at = rooms.place(of: fetch.room),
        rooms.open.span[at].log.waitingRoom.bytes(of: fetch.giver?.number) > 0
      else {
        fetches.remove(fetch.room, of: fetch.giver)
        continue
      }
      guard let link = nextLink(for: fetch) else { continue }
      fetches.note(fetch, askedOf: links[link].neighbour)
      let missing = rooms.open.span[at].log.missing(
        of: fetch.giver?.number, limit: Event.limitParents, newest: fetch.depth)
      if !missing.isEmpty { linkTable.send(.fetch(fetch.room, missing), to: link) }
    }
  }

  /// The connection whose turn it is to be asked.
  private func nextLink(for fetch: Fetches.Fetch) -> Int? {
    if fetch.tries == 0, let link = fetch.giver.flatMap(linkTable.place) { return link }
    let turns = links.indices.filter { !links[$0].account.isRefused }
    guard let asked = fetch.asked else { return turns.first }
    return turns.first { links[$0].neighbour > asked } ?? turns.first
  }
}
