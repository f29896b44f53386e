package import Events

/// Whether this peer knows how far its own feeds go, when its store may be older than what neighbours have.
package struct OwnFeedWatch: Sendable {
  /// Whether this peer knows how far its own feeds go.
  package enum Recovery: Hashable, Sendable {
    /// It does.
    case none
    /// It asks its neighbours, since this moment.
    case asking(since: Tick)
    /// Nobody could be asked so far.
    case alone(since: Tick)
  }

  /// How closely it is looked at what neighbours have of this peer's own feeds.
  enum Attention: Sendable {
    /// Not at all: the store is this peer's only one.
    case none
    /// The store is as it was left, but a copy of it may have been used since.
    case watch
    /// The store may be old: all that a neighbour has is looked through.
    case doubt
  }

  private(set) var recovery = Recovery.none
  private(set) var attention = Attention.none
  /// When it is looked whether recovery has ended.
  private(set) var checkAt: Tick?
  private let settings: GossipSettings

  init(_ settings: GossipSettings) { self.settings = settings }

  /// Whether all that a neighbour has is looked through, and not only what differs.
  var looksThrough: Bool { recovery != .none || attention == .doubt }

  /// Nothing is written into rooms held before until every neighbour was asked what it holds.
  mutating func begin(at now: Tick) {
    recovery = .asking(since: now)
    attention = .doubt
    checkAt = now + settings.recoveryMilliseconds
  }

  /// The store is as it was left; a copy of it may have been used since.
  mutating func watch() { if attention == .none { attention = .watch } }

  // MARK: - Answers

  private func isAnswered(_ link: Link, _ requests: Requests) -> Bool {
    link.testimony.isCompared && !requests.isOwed(by: link.neighbour)
  }

  /// Whether a neighbour answers for the first time.
  func isFirstAnswer(_ link: Link, _ requests: Requests) -> Bool {
    !link.testimony.wasAnswered && isAnswered(link, requests)
  }

  private func isGivenUp(_ link: Link, at now: Tick) -> Bool {
    link.testimony.isGivenUp(after: settings.withholdingMilliseconds, at: now)
  }

  /// How long an answer is waited for where the store is as it was left.
  private func patience(with link: Link) -> Tick {
    link.testimony.askedSince + settings.recoveryMilliseconds
  }

  /// When a neighbour's answer is not waited for any more.
  func deadline(of link: Link) -> Tick? {
    guard attention == .watch, !link.testimony.wasAnswered, !link.testimony.isNotWaitedFor else { return nil }
    return patience(with: link)
  }

  /// Recovery ends when time enough has passed for neighbours to come and all that came have answered, at least
  /// one; who never answers is not waited for.
  mutating func check(_ links: [Link], _ requests: Requests, at now: Tick) {
    let began: Tick
    switch recovery {
    case .none: return
    case .asking(let since), .alone(let since): began = since
    }
    let end = began + settings.recoveryMilliseconds
    checkAt = end > now ? end : nil
    guard now >= end else { return }
    let answered = links.count { isAnswered($0, requests) }
    let silent = links.count { !isAnswered($0, requests) && isGivenUp($0, at: now) }
    if answered > 0, answered + silent == links.count {
      recovery = .none
    } else if case .asking = recovery, answered == 0, silent == links.count {
      recovery = .alone(since: began)
    }
  }

  /// Notes who has answered for the first time, and who has been waited for long enough.
  func noteAnswers(_ links: inout [Link], _ requests: Requests, at now: Tick) {
    guard attention != .none else { return }
    for at in links.indices where !links[at].testimony.wasAnswered {
      if isFirstAnswer(links[at], requests) { links[at].testimony.wasAnswered = true }
      if attention == .watch ? now >= patience(with: links[at]) : isGivenUp(links[at], at: now) {
        links[at].testimony.isNotWaitedFor = true
      }
    }
  }
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
