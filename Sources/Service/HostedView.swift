package import Events
package import Projection
import Rules

/// Hosted rounds as one peer sees them: who plays, what is asked, and how it stands. A part of `TableView`.
package struct HostedView: Hashable, Sendable {
  package enum Phase: String, Sendable {
    /// Players enter.
    case open
    /// The host has closed it.
    case closed
    /// Points are given.
    case settled
    /// It counts nothing, and is asked anew.
    case void
  }

  /// What has become of the own entry.
  package enum Own: String, Sendable {
    /// There is none.
    case none
    /// It is written, and the host has not acknowledged it.
    case sent
    /// The host has acknowledged it.
    case taken
    case right
    case wrong
    /// The host says that it cannot read it.
    case unreadable
    /// The host opened it as another one than was sealed.
    case misread
  }

  /// What can be proven against the host.
  package enum Fault: String, Sendable {
    case wrongSolution = "wrong-solution"
    case wrongEntry = "wrong-entry"
    case deniedEntry = "denied-entry"

    /// What the host did.
    package var words: String {
      switch self {
      case .wrongSolution: "opened another answer than it had committed to"
      case .wrongEntry: "opened a player's answer as another one than was sealed"
      case .deniedEntry: "called an answer unreadable that its player has shown to be readable"
      }
    }
  }

  /// Why the host has not taken somebody in.
  package enum Refusal: String, Sendable {
    case wrongCode = "wrong-code"
    case full
  }

  package struct Count: Hashable, Sendable {
    package var text = ""
    package var count = 0
  }

  /// How far a player is in a round in which entries add up.
  package struct Tally: Hashable, Sendable {
    /// The player's number, from 1, what counts of its entries, and its place; those who are level share one.
    package var number = 0
    package var count = 0
    package var place = 0
  }

  package struct Proven: Hashable, Sendable {
    package var fault = Fault.wrongSolution
    /// The round's opening, or the entry.
    package var event = EventID.none
  }

  package struct Round: Hashable, Sendable {
    /// Its number, from 1.
    package var number = 0
    package var phase = Phase.open
    package var opening = EventID.none
    package var question = ""
    package var choices: [String] = []
    /// The count that players want to reach, and how far each is by place, where entries add up.
    package var goal: Int?
    package var counts: [Tally] = []
    /// Its limit, and when it was closed, in milliseconds.
    package var limit = 0
    package var closed: Int?
    /// Milliseconds since the host opened it; the host alone knows.
    package var elapsed: Int?
    /// How much of that had passed, by the host's clock, when the host wrote last; it is open for longer now.
    package var passed = 0
    /// How many entries the host has acknowledged.
    package var entries = 0
    /// The solution as it is typed, and what was entered, once the round is settled.
    package var solution: String?
    package var chosen: [Count] = []
    /// What has become of the own entry, when it came, and its points.
    package var own = Own.none
    package var milliseconds: Int?
    package var points = 0

    package init() {}
  }

  package struct Player: Hashable, Sendable {
    package var peer = PeerID.none
    package var name = ""
    package var bot: String?
    /// The player's number, from 1, and its rank; those of equal scores share one.
    package var number = 0
    package var rank = 0
    package var score = 0
    /// What the last settled round was worth.
    package var points = 0
    /// Whether something of it was acknowledged in the round that is on, or was the last.
    package var hasEntered = false
    package var hasLeft = false
    package var isConnected = false
  }

  package var title = ""
  package var needsCode = false
  /// The join code; the host alone is told.
  package var code: String?
  /// How many rounds there are, and how many are settled.
  package var rounds = 0
  package var settled = 0
  /// The rounds asked last, of which the last one is on, or was the last of all: who looks now and then misses none.
  package var recent: [Round] = []
  /// The players by score.
  package var players: [Player] = []
  /// The own number, from 1; `nil` for who is no player.
  package var number: Int?
  /// Whether the one who looks has asked to be taken in, and why it was not.
  package var hasAsked = false
  package var refusal: Refusal?
  package var faults: [Proven] = []
  /// Whether the host is here, or connected.
  package var isHostThere = false

  /// How many of the rounds there are in `recent`.
  package static let limitRecent = 3

  /// The round that is on, or was the last.
  package var round: Round? { recent.last }

  init() {}

  /// How the rounds of a room look to a peer.
  /// - Parameters:
  ///   - connected: with whom this peer is connected.
  ///   - code: the join code, for the host.
  ///   - elapsed: how long the round is open, by the host's clock.
  init(
    _ hosted: HostedState, _ create: Create, by host: PeerID, for peer: PeerID, connected: Set<PeerID>,
    code: String?,
    elapsed: UInt64?
  ) {
    if case .hosted(_, let needsCode, let title) = create.purpose {
      (self.needsCode, self.title) = (needsCode, title)
    }
    self.code = code
    rounds = Int(create.games)
    settled = hosted.settledRounds
    players = Self.players(of: hosted, connected)
    number = hosted.player(peer).map { Int($0.number) + 1 }
    hasAsked = hosted.requests.contains { $0.peer == peer }
    refusal = hosted.refusals[peer].map { $0 == .full ? .full : .wrongCode }
    faults = hosted.faults.map(Proven.init)
    isHostThere = peer == host || connected.contains(host)
    let player = hosted.player(peer)?.number
    recent = hosted.rounds.suffix(Self.limitRecent).map { round in
      let isLast = round.opening == hosted.round?.opening
      return Round(
        round, hosted.rules, player: player, elapsed: isLast ? elapsed.map { Int(clamping: $0) } : nil)
    }
  }

  private static func players(of hosted: HostedState, _ connected: Set<PeerID>) -> [Player] {
    let entered = Set(hosted.round?.entries.map(\.player) ?? [])
    let last = hosted.rounds.last { $0.phase == .settled }
    var points: [UInt16: Int] = [:]
    for entry in last?.entries ?? [] { points[entry.player, default: 0] += Int(entry.points) }
    return hosted.standings.map { standing in
      let player = standing.player
      return Player(
        peer: player.peer, name: player.profile.name, bot: player.profile.bot?.specification,
        number: Int(player.number) + 1, rank: standing.rank, score: player.score,
        points: points[player.number] ?? 0, hasEntered: entered.contains(player.number),
        hasLeft: player.hasLeft, isConnected: connected.contains(player.peer))
    }
  }
}

extension HostedView.Round {
  fileprivate init(
    _ round: HostedState.Round, _ rules: (any HostedRules)?, player: UInt16?, elapsed: Int?
  ) {
    number = round.number + 1
    phase =
      switch round.phase {
      case .open: .open
      case .closed: .closed
      case .settled: .settled
      case .void: .void
      }
    opening = round.opening
    let asked = rules?.question(round.content)
    question = asked?.text ?? ""
    choices = asked?.choices ?? []
    goal = asked?.goal.map { Int($0) }
    counts =
      rules?.counts(round.played).map {
        .init(number: Int($0.player) + 1, count: Int($0.count), place: $0.place)
      } ?? []
    limit = Int(round.limitMilliseconds)
    closed = round.closedMilliseconds.map { Int($0) }
    self.elapsed = elapsed
    passed = Int(round.passedMilliseconds)
    entries = round.entries.count
    if phase == .settled, let rules, let opened = round.solution {
      solution = rules.text(of: opened, in: round.content)
      var counts: [String: Int] = [:]
      for entry in round.entries {
        if let choice = entry.choice { counts[rules.text(of: choice, in: round.content), default: 0] += 1 }
      }
      chosen = counts.sorted { $0.key < $1.key }.map { .init(text: $0.key, count: $0.value) }
    }
    if let player { setOwn(round, player) }
  }

  private mutating func setOwn(_ round: HostedState.Round, _ player: UInt16) {
    guard let entry = round.entries.last(where: { $0.player == player }) else {
      own = round.waiting.contains(player) ? .sent : .none
      return
    }
    milliseconds = Int(entry.milliseconds)
    points = round.entries.reduce(0) { $0 + ($1.player == player ? Int($1.points) : 0) }
    guard round.phase == .settled, let solution = round.solution else {
      own = .taken
      return
    }
    if case .wrongEntry? = entry.fault {
      own = .misread
    } else if entry.choice == nil {
      own = .unreadable
    } else {
      own = entry.choice == solution ? .right : .wrong
    }
  }
}

extension HostedView.Proven {
  package init(_ fault: HostedState.Fault) {
    (self.fault, event) =
      switch fault {
      case .wrongSolution(let opening): (.wrongSolution, opening)
      case .wrongEntry(let entry): (.wrongEntry, entry)
      case .deniedEntry(let entry): (.deniedEntry, entry)
      }
  }
}

// MARK: - JSON

extension HostedView.Phase: JSONForm { init() { self = .open } }
extension HostedView.Refusal: JSONForm { init() { self = .full } }
extension HostedView.Own: JSONForm { init() { self = .none } }
extension HostedView.Fault: JSONForm { init() { self = .wrongSolution } }

extension HostedView: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("title", \.title), .init("needs-code", \.needsCode), .init("code", \.code),
      .init("rounds", \.rounds),
      .init("settled", \.settled), .init("recent", \.recent), .init("players", \.players),
      .init("number", \.number), .init("has-asked", \.hasAsked), .init("refusal", \.refusal),
      .init("faults", \.faults), .init("host-connected", \.isHostThere),
    ]
  }
}

extension HostedView.Round: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("number", \.number), .init("phase", \.phase), .init("opening", \.opening),
      .init("question", \.question), .init("choices", \.choices), .init("goal", \.goal),
      .init("counts", \.counts), .init("limit", \.limit), .init("closed", \.closed),
      .init("elapsed", \.elapsed), .init("passed", \.passed), .init("entries", \.entries),
      .init("solution", \.solution), .init("chosen", \.chosen), .init("own", \.own),
      .init("milliseconds", \.milliseconds), .init("points", \.points),
    ]
  }
}

extension HostedView.Player: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("peer", \.peer), .init("name", \.name), .init("bot", \.bot), .init("number", \.number),
      .init("rank", \.rank), .init("score", \.score), .init("points", \.points),
      .init("entered", \.hasEntered), .init("left", \.hasLeft), .init("connected", \.isConnected),
    ]
  }
}

extension HostedView.Count: JSONObject {
  static var fields: [JSONField<Self>] { [.init("text", \.text), .init("count", \.count)] }
}

extension HostedView.Tally: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("number", \.number), .init("count", \.count), .init("place", \.place)]
  }
}

extension HostedView.Proven: JSONObject {
  static var fields: [JSONField<Self>] { [.init("fault", \.fault), .init("event", \.event)] }
}
