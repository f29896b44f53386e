public import Events
public import Rules

/// What a room of hosted rounds amounts to: who plays, what was asked and answered, and the scores.
public struct HostedState: Sendable {
  /// Somebody whom the host has taken in.
  public struct Player: Hashable, Sendable {
    /// Whose score it is.
    public let peer: PeerID
    /// The player's number, from 0.
    public let number: UInt16
    /// How the player is shown.
    public let profile: Profile
    /// The grant that took the player in.
    public let grant: EventID
    /// The key with which the player is told solutions, where it has named one.
    package let named: NamedKey?
    /// The sum of all points.
    public internal(set) var score: Int
    /// Whether the player has left, and not come back.
    public internal(set) var hasLeft = false
  }

  /// A key on the other curve that a player has named by a join proof: the one that had sealed it.
  package struct NamedKey: Hashable, Sendable {
    /// Its 32 bytes.
    package let key: [UInt8]
    /// The proof's place in the player's feed.
    package let sequence: UInt64
  }

  /// A request that the host has not answered.
  public struct Request: Hashable, Sendable {
    /// The request's event.
    public let id: EventID
    /// Its place in the author's feed.
    public let sequence: UInt64
    /// Who asks.
    public let peer: PeerID
    /// How the peer would like to be shown.
    public let profile: Profile
    /// What shows the host that the peer knows the join code; `nil` where the peer has written no such thing before.
    public let proof: [UInt8]?
  }

  /// How far a round is.
  public enum Phase: Hashable, Sendable {
    /// Players enter.
    case open
    /// The host has closed it: what was under way may still come.
    case closed
    /// The host has opened all that was sealed, and points are given.
    case settled
    /// It counts nothing: the host has asked anew, or opened another solution than it was bound to.
    case void
  }

  /// An entry that the host has acknowledged.
  public struct Entry: Hashable, Sendable {
    /// The entry's event.
    public let event: EventID
    /// Whose it is, by number.
    public let player: UInt16
    /// Milliseconds since the round was opened, by the host's clock.
    public let milliseconds: UInt32
    /// What was entered; `nil` while it is sealed, and where it cannot be read.
    public internal(set) var choice: [UInt8]?
    /// What it is worth, once the round is settled.
    public internal(set) var points: UInt32 = 0
    /// What the host said of it at the end that its author can disprove.
    public internal(set) var fault: Fault?
    /// The entry as it was written.
    public let written: HostedAction.Entry
    /// Whether the host said while the round was on that it is right; `nil` where it said nothing.
    public internal(set) var isMarkedRight: Bool?
    /// Whether the host called it unreadable.
    public internal(set) var isUnreadable = false
  }

  /// A round.
  public struct Round: Hashable, Sendable {
    /// Its number, from 0; rounds that are void have that of the one asked in their place.
    public let number: Int
    /// The event that opened it.
    public let opening: EventID
    /// What it asks.
    public let content: [UInt8]
    /// The limit after which the host closes it by itself.
    public let limitMilliseconds: UInt32
    /// How far it is.
    public internal(set) var phase = Phase.open
    /// When it was closed; `nil` while it is open.
    public internal(set) var closedMilliseconds: UInt32?
    /// What was entered, in the order of receipts.
    public internal(set) var entries: [Entry] = []
    /// The players of whom something has come that is not acknowledged, by number.
    public internal(set) var waiting: [UInt16] = []
    /// The solution, once the host has opened it.
    public internal(set) var solution: [UInt8]?
    /// Whether the host opened another solution than it was bound to.
    public internal(set) var hasWrongSolution = false
    /// Whether the host told the player who had to know the solution another one.
    public internal(set) var hasToldAnother = false
    /// The places of the sealed entries among all.
    package internal(set) var sealed: [Int] = []
    /// Whether the host called any entry unreadable.
    package internal(set) var hasUnreadable = false
    /// How many of the sealed entries the host has opened.
    package internal(set) var opened = 0
    /// What the host committed to, and with which salt it opened that.
    package let commitment: Digest
    /// The host's clock when it opened the round, and how much later it was when the host wrote last while it was open.
    let openedWallTime: UInt64
    package internal(set) var passedMilliseconds: UInt32 = 0
    var salt = Digest.none

    /// The round as rules see it.
    public var played: HostedRound {
      HostedRound(
        content: content, solution: solution ?? [], limitMilliseconds: limitMilliseconds,
        closedMilliseconds: closedMilliseconds ?? .max,
        entries: entries.map { .init(player: $0.player, milliseconds: $0.milliseconds, choice: $0.choice) })
    }
  }

  /// What anybody can prove against the host.
  public enum Fault: Hashable, Sendable {
    /// It opened another solution in this round than it was bound to.
    case wrongSolution(opening: EventID)
    /// It opened this entry as another one than its author was bound to.
    case wrongEntry(EventID)
    /// It said of this entry that it is right where it is wrong, or the reverse.
    case wrongMark(EventID)
    /// It told the player who had to know the solution of this round another one than it was bound to.
    case toldAnother(opening: EventID)
    /// It called this entry unreadable, and the author has shown that it can be read.
    case deniedEntry(EventID)
  }

  /// The rules; `nil` where they are not known here.
  public let rules: (any HostedRules)?
  /// Who plays, by number.
  public internal(set) var players: [Player] = []
  /// Requests that wait for the host, in the order of their keys.
  public internal(set) var requests: [Request] = []
  /// Whom the host has refused last, and why.
  public internal(set) var refusals: [PeerID: HostedAction.Refusal] = [:]
  /// All rounds, in the order in which they were asked.
  public internal(set) var rounds: [Round] = []
  /// What can be proven against the host, by round.
  public var faults: [Fault] {
    var faults: [Fault] = []
    for round in rounds {
      if round.hasWrongSolution { faults.append(.wrongSolution(opening: round.opening)) }
      if round.hasToldAnother { faults.append(.toldAnother(opening: round.opening)) }
      faults += round.entries.compactMap(\.fault)
    }
    return faults
  }
  /// Scores from the room that goes on here, by key, and the event of the other host at which they stood.
  public internal(set) var carried: (head: EventID, scores: [PeerID: UInt32])?
  /// Whether the host has ended it.
  public internal(set) var hasEnded = false

  init(rules: (any HostedRules)?) { self.rules = rules }

  /// The round that was asked last.
  public var round: Round? { rounds.last }
  /// How many rounds are settled.
  public var settledRounds: Int { rounds.count { $0.phase == .settled } }

  /// A player's place in the standings.
  public struct Standing: Hashable, Sendable {
    /// The rank, from 1; players of equal scores have the same.
    public let rank: Int
    /// Who it is.
    public let player: Player
  }

  /// The players by score; those of equal scores share a rank, and stand by number.
  public var standings: [Standing] {
    let sorted = players.sorted { ($1.score, $0.number) < ($0.score, $1.number) }
    var standings: [Standing] = []
    for (index, player) in sorted.enumerated() {
      let isTied = index > 0 && sorted[index - 1].score == player.score
      standings.append(Standing(rank: isTied ? standings[index - 1].rank : index + 1, player: player))
    }
    return standings
  }

  /// The player who has this key.
  public func player(_ peer: PeerID) -> Player? { players.first { $0.peer == peer } }
}
