import EventLog
import Events

// Which rooms are compared with a neighbour, when it or this peer does not want everything.

extension GossipCore {
  /// A neighbour says what it wants; `nil` for everything. Whoever says so again and again is heard later: to find what
  /// is wanted may be much work.
  mutating func receive(interest: Interest?, from link: Int, at now: Tick) {
    guard links[link].lateInterest == nil, links[link].interests.take(1, at: now) else {
      let due = links[link].lateInterest?.due ?? now + Self.interestMilliseconds
      links[link].lateInterest = (interest, due)
      return
    }
    take(interest: interest, from: link, at: now)
  }

  /// Hears what was put off.
  mutating func takeLateInterest(from link: Int, at now: Tick) {
    guard let late = links[link].lateInterest, late.due <= now else { return }
    links[link].lateInterest = nil
    take(interest: late.interest, from: link, at: now)
  }

  private mutating func take(interest: Interest?, from link: Int, at now: Tick) {
    let (hadSaid, before) = (links[link].hasSaidInterest, links[link].theirs)
    links[link].hasSaidInterest = true
    guard !hadSaid || interest != before else { return }
    links[link].theirs = interest
    // Who wants everything says so to somebody who does not, and would wait for it.
    if interest != nil, !links[link].knowsInterest { sendInterest(to: link) }
    if hadSaid, let before, let interest {
      links[link].toShare += wanted(interest.beyond(before))
    } else {
      links[link].shared = nil
      limit(link)
    }
    isInterestStale = isInterestStale || subscription != nil
    links[link].compareAt = now
  }

  /// Whether a neighbour can be shown all that it wants. Before, it is shown nothing: it would take that for all there
  /// is, and a peer that looks for its own events would write others in their place.
  func isReady(_ link: Int) -> Bool {
    links[link].shared == nil
      || links[link].hasSaidInterest && links[link].toShare.isEmpty && links[link].lateInterest == nil
  }

  /// What either said that it wants may be lost: it is said again, here and there.
  mutating func askForInterest(of link: Int, asksBack: Bool) {
    guard !links[link].hasSaidInterest else { return }
    if links[link].knowsInterest { sendInterest(to: link) }
    if asksBack { send(.digest(.init(root: root(link), asksForAnswer: false)), to: link) }
  }

  /// Compares only rooms that the neighbour wants or shows, when either limits itself.
  mutating func limit(_ link: Int) {
    guard links[link].told != nil || links[link].theirs != nil else {
      links[link].stopSharing()
      return
    }
    guard links[link].shared == nil else { return }
    links[link].stopSharing()
    links[link].shared = []
    links[link].narrow = HashTrie()
    // Who has not said what it wants is shown nothing.
    guard links[link].hasSaidInterest else { return }
    links[link].toShare = links[link].theirs.map { wanted($0) } ?? Array(directory.rooms.indices)
  }

  /// The numbers of the rooms that are wanted by somebody, ascending.
  private func wanted(_ interest: Interest) -> [Int] {
    var found: Set<UInt32> = []
    for peer in interest.peers { found.formUnion(index.rooms(naming: peer.value)) }
    // tidy: order does not matter because the rooms become a set
    for prefix in interest.rooms {
      let rooms = directory.rooms(prefix.value)
      found.formUnion(rooms)
      // A tournament that is not here is known by its whole id only.
      for room in rooms { found.formUnion(index.games(of: directory.rooms[Int(room)])) }
      if rooms.isEmpty { found.formUnion(index.games(of: prefix.value.lowest)) }
    }
    for room in openGames.first(Int(interest.openGames)) {
      if let number = directory.number(of: room) { found.insert(UInt32(number)) }
    }
    return found.sorted().map(Int.init)
  }

  /// Adds rooms that are wanted to those that are compared, some in each turn.
  mutating func shareSome(at now: Tick) {
    var left = settings.budget.sharedRooms
    for link in links.indices where !links[link].toShare.isEmpty && left > 0 {
      let rooms = links[link].toShare.suffix(left)
      left -= rooms.count
      for room in rooms { share(room, with: link) }
      links[link].toShare.removeLast(rooms.count)
      if links[link].toShare.isEmpty { links[link].compareAt = now }
    }
  }

  /// When more rooms are added.
  var shareDeadline: Tick? { links.contains { !$0.toShare.isEmpty } ? lastAct : nil }

  /// Adds a room to those that are compared with a neighbour.
  /// - Returns: its feeds, where it was not among them and may be shown.
  @discardableResult
  mutating func share(_ room: Int, with link: Int) -> [UInt32] {
    guard links[link].shared?.contains(room) == false, directory.isShown(room, to: links[link].circles) else {
      return []
    }
    links[link].shared?.insert(room)
    let feeds = directory.feeds(of: directory.rooms[room])
    for feed in feeds {
      links[link].narrow?.insert(feed, directory.feeds)
      links[link].noteChange(directory.feeds[Int(feed)].key, from: 0)
    }
    return feeds
  }

  private func isShared(_ room: RoomID, with link: Int) -> Bool {
    directory.number(of: room).map { links[link].shared?.contains($0) == true } ?? false
  }

  /// Rooms have new numbers: those that were shared are shared again.
  /// - Parameter numbers: the new number of each room by its old one.
  mutating func share(again rooms: [RoomID]?, with link: Int, _ numbers: [Int?]) {
    guard let rooms else { return }
    links[link].toShare = links[link].toShare.compactMap { numbers[$0] }
    links[link].shared = []
    links[link].narrow = HashTrie()
    for room in rooms.sorted() { if let number = directory.number(of: room) { share(number, with: link) } }
  }

  /// A neighbour shows a feed that it is not shown: its room is compared from now on.
  mutating func shareWhatIsShown(_ key: UInt64, by link: Int) {
    guard links[link].shared != nil else { return }
    for feed in directory.find(key) { share(Int(directory.feeds[Int(feed)].room), with: link) }
  }

  /// A feed is offered for the first time.
  mutating func noteNewFeed(_ feed: UInt32) {
    let room = Int(directory.feeds[Int(feed)].room)
    for link in links.indices where links[link].shared?.contains(room) == true {
      links[link].narrow?.insert(feed, directory.feeds)
    }
  }

  /// Peers may have a room that they might not before, or are named there now: whoever wants it is told of all of it.
  /// - Parameter names: whom it names since.
  mutating func shareNews(_ at: Int, naming names: [UInt64], isNew: Bool, at now: Tick) {
    guard let number = rooms[at].number, let create = rooms[at].create,
      links.contains(where: { $0.shared != nil })
    else { return }
    let (room, creator) = (rooms[at].id, rooms[at].log.membership.creator)
    let open = openGames.rooms(by: creator)
    let keys = rooms[at].feeds.compactMap { $0.map { directory.feeds[Int($0)].key } }
    for link in links.indices where links[link].shared?.contains(number) == false {
      var isShared = keys.contains { links[link].known[$0] != nil || links[link].given[$0] != nil }
      if links[link].hasSaidInterest {
        if let wanted = links[link].theirs {
          isShared = isShared || names.contains(where: wanted.names)
          isShared = isShared || isNew && wanted.names(room, of: create.tournament)
          if !isShared, isNew, open.contains(room) {
            let known = open.count { self.isShared($0, with: link) }
            isShared = known < Int(wanted.openGames)
          }
        } else {
          isShared = true
        }
      }
      guard isShared else { continue }
      let given = keys.filter { links[link].given[$0] != nil }
      for feed in share(number, with: link) where !given.contains(directory.feeds[Int(feed)].key) {
        links[link].news.append((feed, 0))
        links[link].tellAt = min(links[link].tellAt ?? now, now)
      }
    }
  }

  // MARK: - What rooms tell

  /// Notes what newly durable events tell of who wants a room.
  /// - Parameters:
  ///   - authors: who has written there for the first time.
  ///   - before: how many events were durable before.
  ///   - isNew: whether nothing of the room was offered before.
  /// - Returns: whom the room names since.
  mutating func noteFacts(_ at: Int, _ authors: [PeerID], since before: Int, isNew: Bool) -> [UInt64] {
    guard let number = rooms[at].number, let create = rooms[at].create else { return [] }
    let (room, creator) = (rooms[at].id, rooms[at].log.membership.creator)
    var names = authors.map(\.bytes.prefix64)
    var isOver = false
    for position in before..<rooms[at].durable {
      switch rooms[at].log.graph.events[position].action {
      case .invite(let peer) where isNew || before > 0: names.append(peer.bytes.prefix64)
      case .start: isOver = true
      case .leave where rooms[at].log.graph.events[position].author == creator: isOver = true
      default: break
      }
    }
    if isNew {
      if create.referee.isSome { names.append(create.referee.bytes.prefix64) }
      if let tournament = create.tournament { index.add(number, of: tournament) }
    }
    for name in names {
      index.add(number, naming: name)
      rooms[at].names.insert(name)
    }
    if before == 0 {
      rooms[at].names.formUnion(rooms[at].log.feeds.map(\.author.bytes.prefix64))
      if create.isForStrangers { openGames.add(room, by: creator) }
    }
    if isOver { openGames.remove(room, by: creator) }
    noteOwnTournament(room, create, names)
    return names
  }

  /// The most tournaments whose games are wanted because this peer takes part.
  private static let limitOwnTournaments = 64

  private mutating func noteOwnTournament(_ room: RoomID, _ create: Create, _ names: [UInt64]) {
    guard case .tournament = create.purpose, !ownTournaments.contains(room),
      own.contains(where: { names.contains($0.bytes.prefix64) })
    else { return }
    ownTournaments.append(room)
    if ownTournaments.count > Self.limitOwnTournaments { ownTournaments.removeFirst() }
    isInterestStale = true
  }
}
