package import Events

// Connections, and what happens with time.

extension GossipCore {
  private static let limitMemories = 64
  /// How long after a difference was found the neighbour is compared with again.
  static let recheckMilliseconds: UInt64 = 500

  /// A connection stands, with a peer whose identity was proven.
  /// - Parameters:
  ///   - isNearby: whether rooms of local scope may travel over it; both ends must see that alike.
  ///   - begins: whether this end compares first; the other end must not.
  package mutating func connect(
    _ neighbour: Neighbour, as peer: PeerID, isNearby: Bool, begins: Bool, at now: Tick
  ) -> [Directive] {
    precondition(link(neighbour) == nil, "neighbour \(neighbour.number) connects twice")
    var link = Link(
      neighbour, circles: .init(peer: peer, isNearby: isNearby), begins: begins, budget: settings.budget,
      at: now)
    if let at = memories.firstIndex(where: { $0.peer == peer }) {
      link.remember(memories.remove(at: at).memory)
    }
    link.compareAt = begins || looksThrough ? now : nil
    let at = links.firstIndex { $0.neighbour > neighbour } ?? links.count
    links.insert(link, at: at)
    tellInterest(to: at, at: now)
    if compareAt == nil { compareAt = now + settings.compareMilliseconds }
    act(at: now)
    return takeDirectives()
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour, at now: Tick) -> [Directive] {
    guard let at = link(neighbour) else { return [] }
    let link = links.remove(at: at)
    unneeded += link.servings.map(\.room)
    if let memory = link.memory {
      memories.removeAll { $0.peer == link.circles.peer }
      memories.append((link.circles.peer, memory))
      if memories.count > Self.limitMemories { memories.removeFirst() }
    }
    for key in requests.forget(neighbour, at: now) { noteGivenUp(key) }
    forgetGiver(neighbour, at: now)
    isInterestStale = isInterestStale || link.theirs != nil
    keepPushing()
    act(at: now)
    return takeDirectives()
  }

  /// Somebody is pushed to, as long as anybody is there.
  private mutating func keepPushing() {
    guard !links.isEmpty, !links.contains(where: \.isPushing) else { return }
    links[0].isPushing = true
  }

  /// When `advance` has something to do.
  package var deadline: Tick? {
    var first = compareAt
    func consider(_ tick: Tick?) { if let tick, tick < first ?? tick + 1 { first = tick } }
    consider(requests.deadline)
    consider(interestDeadline)
    consider(shareDeadline)
    for wait in waiting { consider(wait.due) }
    for link in links {
      consider(link.lateInterest?.due)
      consider(link.tellAt)
      consider(link.compareAt)
      consider(link.descent?.deadline)
      if attention == .watch, !link.wasAnswered, !link.isNotWaitedFor { consider(patience(with: link)) }
    }
    consider(recoveryCheckAt)
    return first
  }

  /// Time has passed.
  package mutating func advance(to now: Tick) -> [Directive] {
    act(at: now)
    return takeDirectives()
  }

  /// Does what is due.
  mutating func act(at now: Tick) {
    for link in links.indices { takeLateInterest(from: link, at: now) }
    if let due = interestDeadline, due <= now { tellInterests(at: now) }
    shareSome(at: now)
    compareWithSomebody(at: now)
    for at in links.indices {
      if let due = links[at].compareAt, due <= now {
        links[at].compareAt = nil
        compare(with: at, at: now)
      }
      if let due = links[at].tellAt, due <= now { tell(at, at: now) }
      lookThroughAgain(at, at: now)
      if let descent = links[at].descent, descent.deadline <= now {
        links[at].descent = nil
        links[at].silence += 1
        if looksThrough, !links[at].isCompared { compare(with: at, at: now) }
      }
    }
    fireRequests(at: now)
    fetchWhatIsWaitedFor(at: now)
    checkRecovery(at: now)
    noteAnswers(at: now)
    lastAct = max(lastAct, now)
  }

  /// Who recovers its own heads looks through a neighbour again of whom it has not seen everything, whatever ended
  /// the walk: too much at once, or another interest.
  private mutating func lookThroughAgain(_ link: Int, at now: Tick) {
    guard looksThrough, !links[link].isCompared, links[link].descent == nil,
      links[link].compareAt == nil
    else { return }
    links[link].compareAt = now + settings.answerMilliseconds
  }

  private mutating func compareWithSomebody(at now: Tick) {
    guard let due = compareAt, due <= now else { return }
    compareAt = links.isEmpty ? nil : now + settings.compareMilliseconds
    guard !links.isEmpty else { return }
    let chosen = Int(draw() % UInt64(links.count))
    links[chosen].isRechecking = false
    compare(with: chosen, at: now)
  }
}
