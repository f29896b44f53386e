import EventLog
import Events

// What this peer wants, and tells its neighbours.

extension GossipCore {
  /// The shortest time between two rounds of telling what is wanted, which changes with every neighbour; longer for
  /// each of them, because each is told of all others.
  static let interestMilliseconds: UInt64 = 1_000
  private static let interestMillisecondsEach: UInt64 = 4

  /// Limits what this peer wants, besides the rooms that name its own keys or were asked for; `nil` lifts the limit.
  package mutating func subscribe(to wanted: Interest?, at now: Tick) -> [Directive] {
    subscription = wanted
    wantAgain()
    tellInterests(at: now)
    act(at: now)
    return takeDirectives()
  }

  // MARK: - What is wanted here

  /// What is wanted here and by the neighbours; `nil` for everything.
  private func allWants() -> Wants? {
    guard let subscription else { return nil }
    var (peers, rooms) = (Passing<UInt64>(), Passing<RoomPrefix>())
    for wanted in subscription.peers + own.map({ .init($0.bytes.prefix64) }) { peers.add(wanted, from: nil) }
    let asked = askedFor.filter { $0.digits >= Interest.leastDigits } + ownTournaments.map { RoomPrefix($0) }
    for wanted in subscription.rooms + asked.map({ .init($0) }) { rooms.add(wanted, from: nil) }
    for link in links.indices {
      guard let passed = links[link].theirs?.passedOn(shares: links.count) else { continue }
      for wanted in passed.peers { peers.add(wanted, from: link) }
      for wanted in passed.rooms { rooms.add(wanted, from: link) }
    }
    return Wants(openGames: subscription.openGames, peers: peers.sorted, rooms: rooms.sorted)
  }

  /// What a neighbour is to be told: what others want is passed on, so that two who are not connected meet here.
  private func interest(_ wants: Wants, for link: Int) -> Interest {
    // Rooms that name the neighbour itself are not carried for its own sake, whichever way it is said.
    Interest(
      openGames: wants.openGames,
      peers: wants.peers.compactMap { $0.wanted(but: link) }
        .filter { links[link].theirs?.isOwn($0.value) != true },
      rooms: wants.rooms.compactMap { $0.wanted(but: link) })
  }

  /// Tells the neighbours what is wanted, as far as that is news to them.
  mutating func tellInterests(at now: Tick) {
    isInterestStale = false
    interestToldAt = now
    let wants = allWants()
    for link in links.indices { say(wants.map { interest($0, for: link) }, to: link, at: now) }
  }

  /// Tells a new neighbour.
  mutating func tellInterest(to link: Int, at now: Tick) {
    if let wants = allWants() { say(interest(wants, for: link), to: link, at: now) }
  }

  private mutating func say(_ interest: Interest?, to link: Int, at now: Tick) {
    let before = links[link].told
    guard interest != before else { return }
    links[link].told = interest
    sendInterest(to: link)
    if let before, interest.map({ !$0.beyond(before).isEmpty }) ?? true { wantAgain() }
    limit(link)
    links[link].compareAt = now
  }

  /// A hash over what both have said that they want, in the order in which both see it.
  mutating func interestHash(_ link: Int) -> Digest {
    if let known = links[link].interestHash { return known }
    var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
    if links[link].knowsInterest { Interest.append(links[link].told, to: &mine) }
    if links[link].hasSaidInterest { Interest.append(links[link].theirs, to: &theirs) }
    var hash = Blake2b(domain: "parlor-interest-2")
    for bytes in links[link].begins ? [mine, theirs] : [theirs, mine] {
      hash.update(bigEndian: UInt32(bytes.count))
      hash.update(bytes)
    }
    let digest = Digest(hash.digest())
    links[link].interestHash = digest
    return digest
  }

  mutating func sendInterest(to link: Int) {
    links[link].knowsInterest = true
    send(.interest(links[link].told), to: link)
  }

  /// When it is told what is wanted.
  var interestDeadline: Tick? {
    guard isInterestStale, subscription != nil, !links.isEmpty else { return nil }
    let pause = Self.interestMilliseconds + UInt64(links.count) * Self.interestMillisecondsEach
    return interestToldAt.map { $0 + pause } ?? lastAct
  }

  /// More is wanted than before: what was not taken may be wanted now.
  private mutating func wantAgain() {
    guard notTaken.count > 0 else { return }
    notTaken = RoomsNotTaken()
    for link in links.indices { links[link].alike = nil }
  }

  /// Whether a room that is not here is wanted of a neighbour, by its `create` and what comes with it.
  func isWanted(_ message: RunsMessage, _ create: Create, of link: Int) -> Bool {
    guard let wanted = links[link].told, subscription != nil else { return true }
    if askedFor.contains(where: { $0.matches(message.room) }) { return true }
    if wanted.names(message.room, of: create.tournament) || isNaming(message, of: link) { return true }
    if create.referee.isSome, wanted.names(create.referee.bytes.prefix64) { return true }
    guard let creator = message.creator, create.isForStrangers, !message.hasStarted else { return false }
    return openGames.rooms(by: creator).count < Int(wanted.openGames)
  }

  /// Whether a message has events of a wanted peer, or invites one.
  func isNaming(_ message: RunsMessage, of link: Int) -> Bool {
    guard let wanted = links[link].told else { return true }
    return message.runs.contains { run in
      if let author = run.events.first?.author, wanted.names(author.bytes.prefix64) { return true }
      return run.events.contains { event in
        if case .invite(let peer) = event.action { wanted.names(peer.bytes.prefix64) } else { false }
      }
    }
  }

  /// Whether an open room is wanted of a neighbour because it is a game that can be joined, and for nothing else.
  func isWantedAsOpenGame(_ at: Int, of link: Int) -> Bool {
    guard subscription != nil, let wanted = links[link].told, let create = rooms[at].create else {
      return false
    }
    // tidy: order does not matter because one that is wanted is enough
    return !wanted.names(rooms[at].id, of: create.tournament)
      && !rooms[at].names.contains(where: wanted.names)
  }
}

/// What is wanted here and by the neighbours, and by whom of them.
private struct Wants {
  let openGames: UInt8
  let peers: [Passing<UInt64>.Best]
  let rooms: [Passing<RoomPrefix>.Best]
}

/// What several neighbours want, each at the fewest hops.
private struct Passing<Value: Hashable & Comparable & Sendable> {
  struct Best {
    let value: Value
    var hops: UInt8
    /// Who said it; `nil` for this peer itself.
    var link: Int?
    /// The fewest hops of somebody else.
    var others: UInt8?

    /// As it is told to a neighbour, which is not told what it alone has said.
    func wanted(but link: Int) -> Interest.Wanted<Value>? {
      guard link == self.link else { return .init(value, hops: hops) }
      return others.map { .init(value, hops: $0) }
    }
  }

  private var best: [Value: Best] = [:]

  mutating func add(_ wanted: Interest.Wanted<Value>, from link: Int?) {
    guard var known = best[wanted.value] else {
      best[wanted.value] = Best(value: wanted.value, hops: wanted.hops, link: link)
      return
    }
    if wanted.hops < known.hops {
      (known.others, known.hops, known.link) = (known.hops, wanted.hops, link)
    } else {
      known.others = min(known.others ?? wanted.hops, wanted.hops)
    }
    best[wanted.value] = known
  }

  /// All of it, ascending.
  var sorted: [Best] { best.values.sorted { $0.value < $1.value } }
}

extension Create {
  /// The tournament of which the room has games.
  var tournament: RoomID? {
    guard case .games(let tournament, _, _) = purpose, tournament.isSome else { return nil }
    return tournament
  }

  /// Whether somebody who is not invited may join.
  var isForStrangers: Bool { scope != .invited && tournament == nil }
}

extension RunsMessage {
  /// Whether the game is on, or the host has left: nobody joins any more.
  fileprivate var hasStarted: Bool {
    let creator = creator
    return runs.contains { run in
      run.events.contains { event in
        switch event.action {
        case .start: true
        case .leave: event.author == creator
        default: false
        }
      }
    }
  }
}
