/// How far a room's events may travel. The sender enforces it.
public enum Scope: UInt8, CaseIterable, Sendable {
  /// Nearby peers only.
  case local = 1
  /// The creator, the referee, the seats and invited peers only.
  case invited = 2
  /// Relays too.
  case open = 3
}

/// Everything that is fixed when a room is created.
///
/// The first fields have one layout in all editions, so that every program decides alike who may hold the room and
/// whom its members may name. The rest, the content, is read with the edition that stands in front.
public struct Create: Hashable, Sendable {
  /// The edition of meaning that this program reads and writes.
  public static let edition: UInt16 = 1
  /// The seat number that says “none”.
  public static let noSeat: UInt16 = .max
  /// The most games of a room.
  public static let limitGames: UInt16 = 256
  /// The most seats of a room of games.
  public static let limitPlayers: UInt16 = 16
  /// The most entrants of a tournament, and players of a room of hosted rounds.
  public static let limitEntrants: UInt16 = 4_096
  /// The most peers whom a creator may invite.
  public static let limitInvited = 64
  /// The most entrants of a tournament that takes some after its start, by the code of its format. Formats that are not
  /// here take nobody then.
  public static let limitLateEntrants: [UInt8: UInt16] = [2: 256, 3: 1_000, 5: 4_096, 6: 4_096]
  /// The longest title of a tournament or of hosted rounds, in bytes of UTF-8.
  public static let limitTitleBytes = 64
  /// The most bytes of parameters.
  public static let limitParameterBytes = 4_096
  /// The most that openings may be together: each counts its moves and one more.
  public static let limitOpenings = 2_048

  /// What the room is for.
  public enum Purpose: Hashable, Sendable {
    /// A series of games; in a tournament, the games of one attempt at a pairing.
    case games(tournament: RoomID, pairing: UInt32, attempt: UInt8)
    /// A tournament between the seats.
    ///
    /// What the byte of options says is the format's; unknown formats and options make no pairings.
    case tournament(format: UInt8, options: UInt8, seed: UInt64, title: String)
    /// Rounds whose time is the host's, as many as `games` says. A player writes at most so many entries in a round,
    /// and comes in by a join code where one is needed.
    case hosted(entries: UInt16, needsCode: Bool, title: String)

    /// The room's kind in its bytes.
    var code: UInt8 {
      switch self {
      case .games: 1
      case .tournament: 2
      case .hosted: 3
      }
    }

    /// A purpose of this kind, with plain values for all that is in the content.
    static func plain(code: UInt8) -> Purpose? {
      switch code {
      case 1: .games(tournament: .none, pairing: 0, attempt: 0)
      case 2: .tournament(format: 0, options: 0, seed: 0, title: "")
      case 3: .hosted(entries: 0, needsCode: false, title: "")
      default: nil
      }
    }
  }

  /// A position of an earlier game, from which a room plays on.
  public struct Branch: Hashable, Sendable {
    /// The room of that game.
    public var room: RoomID
    /// The game's number in its series, from 0.
    public var game: UInt16
    /// How many moves had been made there.
    public var ply: UInt16

    /// The position of a game after so many moves.
    public init(room: RoomID, game: UInt16, ply: UInt16) {
      self.room = room
      self.game = game
      self.ply = ply
    }
  }

  /// Who moves first in the first game; in a tournament, who has which seed.
  public enum Starter: UInt8, Sendable {
    /// Seat 0; seeds are the order of entry.
    case firstSeat = 0
    /// The seat that a joint draw of all seats names; seeds are by such a draw.
    case jointDraw = 1
  }

  /// Which bots may take a seat.
  public struct BotPolicy: Hashable, Sendable {
    /// Whether bots may, may not or must sit here.
    public enum Admission: UInt8, Sendable {
      /// Bots and people may sit here.
      case allowed
      /// Only people may.
      case excluded
      /// Only bots may.
      case required
    }

    /// Whether bots may, may not or must sit here.

    public var admission: Admission
    /// Whether a bot must declare a budget of nodes, so that anybody can compute its moves again.
    public var isRecomputableOnly: Bool
    /// The largest budget of nodes that a bot may declare; 0 for any.
    public var nodeLimit: UInt64

    /// A policy of these values; without any, every bot may sit.
    public init(admission: Admission = .allowed, isRecomputableOnly: Bool = false, nodeLimit: UInt64 = 0) {
      self.admission = admission
      self.isRecomputableOnly = isRecomputableOnly
      self.nodeLimit = nodeLimit
    }

    /// Whether somebody of this profile may take a seat.
    public func admits(_ profile: Profile) -> Bool {
      guard let bot = profile.bot else { return admission != .required }
      let hasBudget = bot.nodeBudget > 0
      return admission != .excluded && (hasBudget || !isRecomputableOnly)
        && (nodeLimit == 0 || (hasBudget && bot.nodeBudget <= nodeLimit))
    }
  }

  /// The edition with which the room's events are read.
  public var edition: UInt16
  /// How far the room's events may travel.
  public var scope: Scope
  /// Sixteen bytes that tell two rooms of the same moment apart.
  public var nonce: [UInt8]
  /// How many seats there are.
  public var seats: UInt16
  /// The creator's own seat, or `noSeat`.
  public var creatorSeat: UInt16
  /// Who rules on claims; none for a room without a referee.
  public var referee: PeerID
  /// What the room is for.
  public var purpose: Purpose
  /// The game's name.
  public var rules: String
  /// The version of its rules.
  public var rulesVersion: UInt16
  /// The rules' settings in their canonical bytes.
  public var parameters: [UInt8]
  /// Games of the series; in a tournament, of each pairing; in a room of hosted rounds, the rounds.
  public var games: UInt16
  /// How many games a seat must win for the series to be over, whatever games are left; 0 where all are played.
  public var target: UInt32
  /// Who moves first in the first game.
  public var starter: Starter
  /// Whether moves can be taken back when both seats agree.
  public var allowsUndo: Bool
  /// Whether rounds of choices are played in the open where that is possible: one seat after the other
  /// makes a move, and nothing is committed to. Whoever chooses later can see what was chosen before, so that this is
  /// for rooms whose keys are all one owner's.
  public var hasOpenRounds: Bool
  /// Which bots may take a seat.
  public var bots: BotPolicy
  /// Milliseconds a seat may take for a move before a claim is fair; 0 for no limit.
  public var moveLimitMilliseconds: UInt32
  /// Milliseconds a seat may take for all its moves of a game before a claim is fair; 0 for no limit.
  public var clockMilliseconds: UInt32
  /// Milliseconds that each move of a seat adds to those.
  public var incrementMilliseconds: UInt32
  /// The room that this is the rematch of, or whose hosted rounds go on here; none for another one.
  public var rematchOf: RoomID
  /// The moves from which games begin, by their codes: two games in a row have the same, then comes the next opening;
  /// none where all begin at the start. Rooms of hosted rounds have none.
  public var openings: [[UInt16]]
  /// The position from which a room of games plays on, as its creator says; `nil` for another room.
  public var branchOf: Branch?
  /// How the creator is shown.
  public var profile: Profile
  /// The content where this program cannot read it, being of another edition or of another form; then the fields
  /// behind `purpose`, and what is in that, have their plainest values.
  var unread: [UInt8]?

  /// A room of these values; what is not given has its plainest value.
  public init(
    rules: String, rulesVersion: UInt16, parameters: [UInt8], seats: UInt16, games: UInt16 = 1,
    target: UInt32 = 0, nonce: [UInt8], profile: Profile, creatorSeat: UInt16 = Create.noSeat,
    starter: Starter = .firstSeat, scope: Scope = .local, allowsUndo: Bool = false,
    hasOpenRounds: Bool = false,
    bots: BotPolicy = BotPolicy(), moveLimitMilliseconds: UInt32 = 0, clockMilliseconds: UInt32 = 0,
    incrementMilliseconds: UInt32 = 0, referee: PeerID = .none, rematchOf: RoomID = .none,
    openings: [[UInt16]] = [], branchOf: Branch? = nil,
    purpose: Purpose = .games(tournament: .none, pairing: 0, attempt: 0)
  ) {
    edition = Self.edition
    self.scope = scope
    self.nonce = nonce
    self.rules = rules
    self.rulesVersion = rulesVersion
    self.parameters = parameters
    self.games = games
    self.target = target
    self.seats = seats
    self.starter = starter
    self.allowsUndo = allowsUndo
    self.hasOpenRounds = hasOpenRounds
    self.bots = bots
    self.moveLimitMilliseconds = moveLimitMilliseconds
    self.clockMilliseconds = clockMilliseconds
    self.incrementMilliseconds = incrementMilliseconds
    self.referee = referee
    self.rematchOf = rematchOf
    self.openings = openings
    self.branchOf = branchOf
    self.creatorSeat = creatorSeat
    self.profile = profile
    self.purpose = purpose
  }

  /// Whether this program knows what the room's events mean.
  public var isReadable: Bool { unread == nil }

  /// The moves from which a game of the series begins.
  public func opening(ofGame number: Int) -> [UInt16] {
    openings.isEmpty ? [] : openings[number / 2 % openings.count]
  }

  /// Whether openings fit into a room: each has a move, and together they are within the limit.
  public static func canHold(_ openings: [[UInt16]]) -> Bool {
    openings.allSatisfy { !$0.isEmpty } && openings.reduce(0) { $0 + $1.count + 1 } <= limitOpenings
  }

  /// Whether the room is a tournament.
  public var isTournament: Bool {
    if case .tournament = purpose { true } else { false }
  }

  /// Whether the room is a tournament whose entrants draw their seeds together.
  public var drawsSeeds: Bool { isTournament && starter == .jointDraw }

  /// Whether the room is a series of games, whose members may name each other.
  public var isGames: Bool {
    if case .games = purpose { true } else { false }
  }

  /// Whether the room is for hosted rounds.
  public var isHosted: Bool {
    if case .hosted = purpose { true } else { false }
  }

  /// A room of another edition, with these bytes for its content: what a program of that edition would write.
  package func reading(edition: UInt16, content: [UInt8]) -> Create {
    var create = Create(
      rules: "", rulesVersion: 0, parameters: [], seats: seats, nonce: nonce, profile: Profile(name: ""),
      creatorSeat: creatorSeat, scope: scope, referee: referee, purpose: .plain(code: purpose.code) ?? purpose
    )
    create.edition = edition
    create.unread = content
    return create
  }
}

extension Event {
  /// What a `create` is for.
  package var createdPurpose: Create.Purpose? {
    if case .create(let create) = action { create.purpose } else { nil }
  }
}
