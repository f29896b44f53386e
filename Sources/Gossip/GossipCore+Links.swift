package import Events

// Connections, and what happens with time.

extension GossipCore {
  /// A connection stands, with a peer whose identity was proven.
  /// - Parameters:
  ///   - isNearby: whether rooms of local scope may travel over it; both ends must see that alike.
  ///   - begins: whether this end compares first; the other end must not.
  package mutating func connect(
    _ neighbour: Neighbour, as peer: PeerID, isNearby: Bool, begins: Bool, at now: Tick
  ) -> [Directive] {
    precondition(linkTable.place(of: neighbour) == nil, "neighbour \(neighbour.number) connects twice")
    let link = Link(
      neighbour, circles: .init(peer: peer, isNearby: isNearby), begins: begins, budget: settings.budget,
      at: now)
    replica.add(link, at: now)
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour, at now: Tick) -> [Directive] {
    guard let at = linkTable.place(of: neighbour) else { return [] }
    replica.remove(at, at: now)
    forgetGiver(neighbour, at: now)
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// When `advance` has something to do.
  package var deadline: Tick? {
    guard let first = replica.deadline, let second = fetches.deadline else {
      return replica.deadline ?? fetches.deadline
    }
    return min(first, second)
  }

  /// Time has passed.
  package mutating func advance(to now: Tick) -> [Directive] {
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// Does what is due.
  mutating func act(at now: Tick) {
    replica.act(at: now)
    fetchWhatIsWaitedFor(at: now)
    replica.noteAnswers(at: now)
  }

  /// Limits what this peer wants, besides the rooms that name its own keys or were asked for; `nil` lifts the limit.
  package mutating func subscribe(to wanted: Interest?, at now: Tick) -> [Directive] {
    replica.subscribe(to: wanted, at: now)
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// Compares with a neighbour once more, without waiting for its turn.
  package mutating func compareAgain(with neighbour: Neighbour, at now: Tick) -> [Directive] {
    if let at = linkTable.place(of: neighbour) { replica.compare(with: at, at: now) }
    return linkTable.takeDirectives()
  }

  /// After a start from an old copy, or one that may be old: nothing is written into rooms held before until
  /// every neighbour was asked what it holds.
  package mutating func beginRecovery(at now: Tick) -> [Directive] {
    replica.beginRecovery(at: now)
    return linkTable.takeDirectives()
  }

  /// Whether something of a room was asked for, and may come.
  package func isAwaiting(_ room: RoomID) -> Bool {
    replica.requests.isAsked(of: room) || fetches.isAwaiting(room)
  }
}
