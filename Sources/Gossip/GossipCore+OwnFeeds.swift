package import Events

// What neighbours show of this peer's own feeds, when its store may be older than what they have.

/// How closely it is looked at what neighbours have of this peer's own feeds.
enum Attention: Sendable {
  /// Not at all: the store is this peer's only one.
  case none
  /// The store is as it was left, but a copy of it may have been used since.
  case watch
  /// The store may be old: all that a neighbour has is looked through.
  case doubt
}

/// What a neighbour has shown of one room.
package struct Witness: Hashable, Sendable {
  package let peer: PeerID
  /// Whether it has answered once what it holds, and given all of it.
  package let hasAnswered: Bool
  /// Whether it has been waited for long enough.
  package let isGivenUp: Bool
  /// Whether it has shown what it holds of the room, and had something of each of this peer's feeds there before it
  /// was given any.
  package let hasShown: Bool
}

extension GossipCore {
  /// After a start from an old copy, or one that may be old: nothing is written into rooms held before until
  /// every neighbour was asked what it holds.
  package mutating func beginRecovery(at now: Tick) -> [Directive] {
    recovery = .asking(since: now)
    attention = .doubt
    recoveryCheckAt = now + settings.recoveryMilliseconds
    for link in links.indices {
      links[link].isCompared = false
      links[link].silence = 0
      links[link].fruitless = 0
      links[link].hasWithheld = false
      links[link].askedSince = now
      links[link].wasAnswered = false
      links[link].isNotWaitedFor = false
      links[link].absent = []
      compare(with: link, at: now)
    }
    return takeDirectives()
  }

  private func isAnswered(_ link: Link) -> Bool {
    link.isCompared && !requests.isOwed(by: link.neighbour)
  }

  /// How often in a row a neighbour may leave a recovering peer without an answer before it is given up: often
  /// enough that a bad network does not look like it.
  private static let limitSilence = 12
  /// How often in a row it may say that it has something and give nothing of it.
  private static let limitFruitless = 16

  /// Who gives some of what it says that it has, and goes on to say more, is given up in the end.
  func isGivenUp(_ link: Link, at now: Tick) -> Bool {
    link.silence >= Self.limitSilence || link.fruitless >= Self.limitFruitless
      || (link.hasWithheld && now >= link.askedSince + settings.withholdingMilliseconds)
  }

  /// Recovery ends when time enough has passed for neighbours to come and all that came have answered, at least
  /// one; who never answers is not waited for.
  mutating func checkRecovery(at now: Tick) {
    let began: Tick
    switch recovery {
    case .none: return
    case .asking(let since), .alone(let since): began = since
    }
    let end = began + settings.recoveryMilliseconds
    recoveryCheckAt = end > now ? end : nil
    guard now >= end else { return }
    let answered = links.count(where: isAnswered)
    let silent = links.count { !isAnswered($0) && isGivenUp($0, at: now) }
    if answered > 0, answered + silent == links.count {
      recovery = .none
    } else if case .asking = recovery, answered == 0, silent == links.count {
      recovery = .alone(since: began)
    }
  }

  // MARK: - Witnesses

  /// Whether all that a neighbour has is looked through, and not only what differs.
  var looksThrough: Bool { recovery != .none || attention == .doubt }

  /// The store is as it was left; a copy of it may have been used since.
  package mutating func watchOwnFeeds() { if attention == .none { attention = .watch } }

  /// How long an answer is waited for where the store is as it was left.
  func patience(with link: Link) -> Tick { link.askedSince + settings.recoveryMilliseconds }

  /// Notes who has answered for the first time, and who has been waited for long enough.
  func isFirstAnswer(_ link: Link) -> Bool { !link.wasAnswered && isAnswered(link) }

  mutating func noteAnswers(at now: Tick) {
    guard attention != .none else { return }
    for at in links.indices where !links[at].wasAnswered {
      if isFirstAnswer(links[at]) { links[at].wasAnswered = true }
      if attention == .watch ? now >= patience(with: links[at]) : isGivenUp(links[at], at: now) {
        links[at].isNotWaitedFor = true
      }
    }
  }

  /// Notes which of this peer's own feeds a neighbour has nothing of, when it is looked through for the first time.
  mutating func noteAbsent(_ feeds: [UInt32], of link: Int) {
    guard attention == .doubt, !links[link].wasAnswered else { return }
    for feed in feeds {
      let feed = directory.feeds[Int(feed)]
      let room = directory.rooms[Int(feed.room)]
      if own.contains(where: { Feed.key(room: room, author: $0) == feed.key }) {
        links[link].absent.insert(feed.key)
      }
    }
  }

  /// What each neighbour has shown of a room.
  package func witnesses(of room: RoomID) -> [Witness] {
    let keys = own.map { Feed.key(room: room, author: $0) }
    let number = directory.number(of: room)
    return links.map { link in
      let isShown = number.map { directory.isShown($0, to: link.circles) } ?? false
      // Of rooms that are not compared with it nobody knows what it has.
      let isCompared = number.map { link.shared?.contains($0) ?? true } ?? false
      let isOwed = keys.contains { key in
        requests[key].map { $0.neighbour == link.neighbour || $0.others.contains(link.neighbour) } ?? false
      }
      return Witness(
        peer: link.circles.peer, hasAnswered: link.wasAnswered, isGivenUp: link.isNotWaitedFor,
        hasShown: link.wasAnswered && link.isCompared && isShown && isCompared && !isOwed
          && !keys.contains(where: link.absent.contains))
    }
  }
}
