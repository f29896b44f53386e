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
    case wrongMark = "wrong-mark"
    case toldAnother = "told-another"

    /// What the host did.
    package var words: String {
      switch self {
      case .wrongSolution: "opened another answer than it had committed to"
      case .wrongEntry: "opened a player's answer as another one than was sealed"
      case .wrongMark: "said of an answer that it was right or wrong, and it was not"
      case .toldAnother: "told the player who drew another word than it had committed to"
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

  /// A guess that the host has said something of, or opened; of a right one nobody else is shown the words.
  package struct Guess: Hashable, Sendable {
    /// The player's number, from 1.
    package var number = 0
    /// Its place among the entries of the round, from 1.
    package var entry = 0
    package var isRight = false
    package var text: String?
    package var milliseconds = 0
  }

  /// A line of a drawing, or a dot.
  package struct Stroke: Hashable, Sendable {
    package var colour = ""
    package var width = 0
    /// The coordinates of its points, with blanks between.
    package var points = ""
  }

  /// What one player draws, and what the others guess.
  package struct Sheet: Hashable, Sendable {
    /// The drawer's number, from 1.
    package var drawer = 0
    /// The word, for the drawer alone until it is opened; `nil` too where the host has told none that can be read.
    package var word: String?
    /// Whether the host is bound to the word that it has told; for the drawer.
    package var isBound = true
    package var strokes: [Stroke] = []
    /// When the drawer had drawn last, in milliseconds.
    package var drawnAt: Int?
    package var guesses: [Guess] = []
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
    /// The drawing, where one player draws.
    package var sheet: Sheet?
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
    elapsed: UInt64?, told: (solution: [UInt8], isBound: Bool)? = nil
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
        round, hosted.rules, player: player, elapsed: isLast ? elapsed.map { Int(clamping: $0) } : nil,
        isLast: isLast, told: told)
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
    _ round: HostedState.Round, _ rules: (any HostedRules)?, player: UInt16?, elapsed: Int?,
    isLast: Bool, told: (solution: [UInt8], isBound: Bool)?
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
        if let choice = entry.choice, case .sealed = entry.written {
          counts[rules.text(of: choice, in: round.content), default: 0] += 1
        }
      }
      chosen = counts.sorted { $0.key < $1.key }.map { .init(text: $0.key, count: $0.value) }
    }
    if let rules, let drawer = rules.told(round.content)?.player {
      sheet = HostedView.Sheet(round, rules, drawer: drawer, isLast: isLast, told: told)
    }
    if let player { setOwn(round, player, rules) }
  }

  private mutating func setOwn(
    _ round: HostedState.Round, _ player: UInt16, _ rules: (any HostedRules)?
  ) {
    guard sheet == nil else { return setOwnGuess(round, player) }
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

  /// The own entries where one player draws: what matters of guesses is whether one of them was right.
  private mutating func setOwnGuess(_ round: HostedState.Round, _ player: UInt16) {
    let mine = round.entries.filter { $0.player == player }
    points = mine.reduce(0) { $0 + Int($1.points) }
    guard let last = mine.last(where: { $0.isMarkedRight == true }) ?? mine.last else {
      own = round.waiting.contains(player) ? .sent : .none
      return
    }
    milliseconds = Int(last.milliseconds)
    let isDrawer = sheet.map { $0.drawer == Int(player) + 1 } ?? false
    let isRight = round.phase == .settled ? points > 0 : last.isMarkedRight == true
    own =
      isDrawer
      ? .taken : isRight ? .right : last.isMarkedRight == false || round.phase == .settled ? .wrong : .taken
  }
}

extension HostedView.Sheet {
  fileprivate init(
    _ round: HostedState.Round, _ rules: any HostedRules, drawer: UInt16, isLast: Bool,
    told: (solution: [UInt8], isBound: Bool)?
  ) {
    self.drawer = Int(drawer) + 1
    if let solution = round.solution {
      word = rules.text(of: solution, in: round.content)
    } else if isLast, let told {
      word = told.solution.isEmpty ? nil : rules.text(of: told.solution, in: round.content)
      isBound = told.isBound
    }
    // Drawings are large, and those of earlier rounds were seen.
    let drawn = isLast ? rules.strokes(round.played) : []
    strokes = drawn.map {
      .init(colour: $0.colour, width: Int($0.width), points: $0.coordinates)
    }
    drawnAt = round.entries.last { $0.player == drawer }.map { Int($0.milliseconds) }
    for (at, entry) in round.entries.enumerated() where entry.isMarkedRight != nil || entry.choice != nil {
      guard case .sealed = entry.written else { continue }
      let isRight = round.solution.flatMap { solution in entry.choice.map { $0 == solution } }
      guesses.append(
        .init(
          number: Int(entry.player) + 1, entry: at + 1, isRight: isRight ?? entry.isMarkedRight ?? false,
          text: entry.choice.map { rules.text(of: $0, in: round.content) },
          milliseconds: Int(entry.milliseconds)))
    }
  }
}

extension HostedView.Proven {
  package init(_ fault: HostedState.Fault) {
    (self.fault, event) =
      switch fault {
      case .wrongSolution(let opening): (.wrongSolution, opening)
      case .wrongEntry(let entry): (.wrongEntry, entry)
      case .wrongMark(let entry): (.wrongMark, entry)
      case .toldAnother(let opening): (.toldAnother, opening)
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
      .init("milliseconds", \.milliseconds), .init("points", \.points), .init("sheet", \.sheet),
    ]
  }
}

extension HostedView.Sheet: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("drawer", \.drawer), .init("word", \.word), .init("bound", \.isBound),
      .init("strokes", \.strokes), .init("drawn", \.drawnAt),
      .init("guesses", \.guesses),
    ]
  }
}

extension HostedView.Stroke: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("colour", \.colour), .init("width", \.width), .init("points", \.points)]
  }
}

extension HostedView.Guess: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("number", \.number), .init("entry", \.entry), .init("right", \.isRight), .init("text", \.text),
      .init("milliseconds", \.milliseconds),
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
