import EventLog
package import Events

/// What this peer holds and wants, and how it stands with its neighbours: what of it they are told, what they have
/// beyond it, and what is asked of them.
///
/// Two replicas compare hashes of all that they may share (`+Compare`), tell each other what they want
/// (`+Interest`), and ask each other for what they lack (`+Request`).
package struct Replica: Sendable {
  /// The rooms that are open, and what of them is offered to whom.
  package var offers: Offers
  /// What is asked of neighbours, by feeds.
  var requests = Requests()
  /// What this peer wants, and what it does not take in.
  var interest = OwnInterest()
  var unwanted = UnwantedRooms()
  /// How much of whom is here.
  var shares = StoredShares()
  /// Whether events of others are asked for and taken in; not while there is no space to store them.
  package var takesIn = true {
    didSet { if !takesIn { requests = Requests() } }
  }
  /// Whether this peer knows how far its own feeds go.
  var watch: OwnFeedWatch
  /// When a neighbour is compared with next.
  private var compareAt: Tick?
  /// When something was done last.
  package private(set) var lastAct = Tick.start

  init(_ settings: GossipSettings, seed: UInt64) {
    offers = Offers(settings, draws: Draws(seed: seed))
    watch = OwnFeedWatch(settings)
  }

  var settings: GossipSettings { offers.settings }
  var rooms: RoomTable {
    _read { yield offers.rooms }
    _modify { yield &offers.rooms }
  }
  var directory: Directory {
    _read { yield offers.directory }
  }
  var linkTable: LinkTable {
    _read { yield offers.linkTable }
    _modify { yield &offers.linkTable }
  }
  var links: [Link] {
    _read { yield offers.linkTable.links }
    _modify { yield &offers.linkTable.links }
  }

  /// Of how many feeds nothing more is taken, because their authors have used up what they may store here.
  package var barredFeeds: Int { shares.barredFeeds }

  /// How many feeds are asked for and have not come.
  package var missingFeeds: Int { requests.count }

  /// The rooms that are offered and said to be games of tournaments in which this peer takes part.
  package var roomsOfOwnTournaments: Set<RoomID> {
    Set(interest.tournaments.flatMap { offers.games(of: $0) })
  }
}

// MARK: - Connections and time

extension Replica {
  /// How long after a difference was found the neighbour is compared with again.
  static let recheckMilliseconds: UInt64 = 500

  /// A connection stands.
  mutating func add(_ link: Link, at now: Tick) {
    var link = link
    link.compareAt = link.begins || watch.looksThrough ? now : nil
    tellInterest(to: linkTable.add(link), at: now)
    if compareAt == nil { compareAt = now + settings.compareMilliseconds }
  }

  /// A connection is gone.
  mutating func remove(_ link: Int, at now: Tick) {
    let link = linkTable.remove(at: link)
    for room in link.serving.served { rooms.noteUnneeded(room) }
    for key in requests.forget(link.neighbour, at: now) { offers.noteGivenUp(key) }
    if link.said.theirs != nil { interest.noteNeighbours() }
  }

  /// When something is due.
  var deadline: Tick? {
    var first = compareAt
    func consider(_ tick: Tick?) { if let tick, tick < first ?? tick + 1 { first = tick } }
    consider(requests.deadline)
    consider(interest.deadline(links, last: lastAct))
    if offers.isShareComing { consider(lastAct) }
    for link in links {
      consider(link.said.late?.due)
      consider(link.tellAt)
      consider(link.compareAt)
      consider(link.descent?.deadline)
      consider(watch.deadline(of: link))
    }
    consider(watch.checkAt)
    return first
  }

  /// Does what is due.
  mutating func act(at now: Tick) {
    for link in links.indices { takeLateInterest(from: link, at: now) }
    if let due = interest.deadline(links, last: lastAct), due <= now { tellInterests(at: now) }
    offers.shareSome(settings.budget.sharedRooms, at: now)
    compareWithSomebody(at: now)
    for at in links.indices {
      if let due = links[at].compareAt, due <= now {
        links[at].compareAt = nil
        compare(with: at, at: now)
      }
      if let due = links[at].tellAt, due <= now { offers.tell(at, at: now) }
      lookThroughAgain(at, at: now)
      if let descent = links[at].descent, descent.deadline <= now {
        links[at].descent = nil
        links[at].testimony.silence += 1
        if watch.looksThrough, !links[at].testimony.isCompared { compare(with: at, at: now) }
      }
    }
    fireRequests(at: now)
  }

  /// Notes who has answered by now, after all that was due was done.
  mutating func noteAnswers(at now: Tick) {
    watch.check(links, requests, at: now)
    watch.noteAnswers(&offers.links, requests, at: now)
    lastAct = max(lastAct, now)
  }

  /// Who recovers its own heads looks through a neighbour again of whom it has not seen everything, whatever ended
  /// the walk: too much at once, or another interest.
  private mutating func lookThroughAgain(_ link: Int, at now: Tick) {
    guard watch.looksThrough, !links[link].testimony.isCompared, links[link].descent == nil,
      links[link].compareAt == nil
    else { return }
    links[link].compareAt = now + settings.answerMilliseconds
  }

  private mutating func compareWithSomebody(at now: Tick) {
    guard let due = compareAt, due <= now else { return }
    compareAt = links.isEmpty ? nil : now + settings.compareMilliseconds
    guard !links.isEmpty else { return }
    let chosen = Int(offers.draws.next() % UInt64(links.count))
    links[chosen].isRechecking = false
    compare(with: chosen, at: now)
  }
}

// MARK: - What is durable

extension Replica {
  /// Brings the directory up to what is durable, and tells the neighbours.
  mutating func offer(_ at: Int, through count: Int, at now: Tick) {
    let before = rooms.open.span[at].durable
    let count = min(count, rooms.open.span[at].log.graph.events.count)
    guard count > before else { return }
    rooms.open[at].durable = count
    var changed: [(feed: UInt32, before: UInt64, isGathered: Bool)] = []
    let (isHost, isNew) = (
      rooms.open.span[at].isHosted(by: interest.own),
      rooms.open.span[at].number.flatMap(directory.access) == nil
    )
    var authors: [PeerID] = []
    for feed in rooms.open.span[at].touchedFeeds(from: before) {
      guard let change = offers.offerFeed(feed, at) else { continue }
      let author = rooms.open.span[at].log.graph.author(ofFeed: feed)
      changed.append((change.feed, change.before, isHost && !interest.own.contains(author)))
      if change.before == 0 { authors.append(author) }
    }
    // What is here is not unwanted any more.
    if isNew, rooms.open.span[at].number != nil { unwanted.release(rooms.open.span[at].id) }
    let names = offers.note(at, authors, since: before, isNew: isNew)
    if let create = rooms.open.span[at].create {
      interest.noteTournament(rooms.open.span[at].id, create, naming: names)
    }
    if isNew || !names.isEmpty, offers.isLimited {
      offers.shareNews(of: at, naming: names, isNew: isNew, at: now)
    }
    for (feed, sequence, isGathered) in changed {
      offers.noteNews(feed, before: sequence, isGathered: isGathered, at: now)
    }
    offers.tellAtOnce(at: now)
  }
}
