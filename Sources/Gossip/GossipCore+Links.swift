package import Events

// Connections, and what happens with time.

extension GossipCore {
  /// How long after a difference was found the neighbour is compared with again.
  static let recheckMilliseconds: UInt64 = 500

  /// A connection stands, with a peer whose identity was proven.
  /// - Parameters:
  ///   - isNearby: whether rooms of local scope may travel over it; both ends must see that alike.
  ///   - begins: whether this end compares first; the other end must not.
  package mutating func connect(
    _ neighbour: Neighbour, as peer: PeerID, isNearby: Bool, begins: Bool, at now: Tick
  ) -> [Directive] {
    precondition(linkTable.place(of: neighbour) == nil, "neighbour \(neighbour.number) connects twice")
    var link = Link(
      neighbour, circles: .init(peer: peer, isNearby: isNearby), begins: begins, budget: settings.budget,
      at: now)
    link.compareAt = begins || watch.looksThrough ? now : nil
    tellInterest(to: linkTable.add(link), at: now)
    if compareAt == nil { compareAt = now + settings.compareMilliseconds }
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour, at now: Tick) -> [Directive] {
    guard let at = linkTable.place(of: neighbour) else { return [] }
    let link = linkTable.remove(at: at)
    for room in link.serving.served { rooms.noteUnneeded(room) }
    for key in requests.forget(neighbour, at: now) { offers.noteGivenUp(key) }
    forgetGiver(neighbour, at: now)
    if link.said.theirs != nil { interest.noteNeighbours() }
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// When `advance` has something to do.
  package var deadline: Tick? {
    var first = compareAt
    func consider(_ tick: Tick?) { if let tick, tick < first ?? tick + 1 { first = tick } }
    consider(requests.deadline)
    consider(interest.deadline(links, last: lastAct))
    if offers.isShareComing { consider(lastAct) }
    consider(fetches.deadline)
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

  /// Time has passed.
  package mutating func advance(to now: Tick) -> [Directive] {
    act(at: now)
    return linkTable.takeDirectives()
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
    fetchWhatIsWaitedFor(at: now)
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
