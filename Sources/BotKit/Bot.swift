public import Rules

/// A program that plays one seat of a game.
///
/// A bot is a pure function: the same turn gives the same choice on every machine, at any concurrency and
/// after any restart. It keeps nothing from one turn to the next that could change a choice; tables it keeps
/// to be quick are cleared, or proven not to matter.
public protocol Bot: Sendable {
  /// What the bot says of itself in the log.
  var declaration: BotDeclaration { get }
  /// Chooses a move for `turn.seat`, which the position waits for.
  /// - Throws: `BotError` when the bot does not play this game, gives it up or was told to stop.
  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice
  /// Hears that a game is over in which it may have chosen. Standard is that nothing happens.
  func conclude(_ ending: BotEnding)
}

extension Bot {
  public func conclude(_ ending: BotEnding) {}
}

/// What a bot says of itself in the log, so that anybody can play its moves again.
public struct BotDeclaration: Hashable, Sendable {
  /// The bot's name with its argument, as on the command line: `lookahead:4`.
  public var specification: String
  /// The bot's version. A bot that would choose differently has another version.
  public var version: UInt16
  /// The most positions it visits for one move; 0 when it has no such limit.
  public var nodeBudget: UInt64

  /// A declaration of these values.
  public init(specification: String, version: UInt16, nodeBudget: UInt64) {
    self.specification = specification
    self.version = version
    self.nodeBudget = nodeBudget
  }
}

/// One decision that a bot is asked for.
public struct BotTurn: Sendable {
  /// The game as the bot's seat may see it.
  public var game: any GameView
  /// The bot's seat.
  public var seat: Seat
  /// Where its random numbers come from.
  public var randomness: RandomSource
  /// What was played of this game and stands, as everybody may see it: moves, and choices that were revealed.
  public var history: GameHistory
  /// Milliseconds that the seat has left for this move by its peer's clock; `nil` where nothing limits it. Who goes by
  /// it chooses otherwise on another machine: its games cannot be computed again from their logs.
  public var leftMilliseconds: UInt64?
  /// Answers `true` when the host no longer wants the choice; long searches ask it now and then.
  public var isCancelled: @Sendable () -> Bool

  /// A decision for `seat`, which gets to see its view of `game`.
  public init(
    game: any GameState, seat: Seat, randomness: RandomSource, history: GameHistory = GameHistory(),
    leftMilliseconds: UInt64? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.game = game.view(for: seat)
    self.seat = seat
    self.randomness = randomness
    self.history = history
    self.leftMilliseconds = leftMilliseconds
    self.isCancelled = isCancelled
  }
}

/// A game that is over, as a bot hears of it.
public struct BotEnding: Hashable, Sendable {
  /// Where the random numbers of its turns came from; `ply` says nothing.
  public var randomness: RandomSource
  /// The scores; `nil` for a game that does not count.
  public var outcome: Outcome?

  /// An ending of these values.
  public init(randomness: RandomSource, outcome: Outcome?) {
    self.randomness = randomness
    self.outcome = outcome
  }
}

/// A bot's move, with what it can say about it.
public struct BotChoice: Hashable, Sendable {
  /// The move.
  public var code: MoveCode
  /// What the search found, when the bot searches.
  public var note: MoveNote?

  /// A choice of this move.
  public init(_ code: MoveCode, note: MoveNote? = nil) {
    self.code = code
    self.note = note
  }
}

/// What a search found, as it stands in the move's event.
public struct MoveNote: Hashable, Sendable {
  /// The value for the mover in the game's own units; when not proven, the best bound known.
  public var value: Int32
  /// Whether the move is proven best.
  public var isProven: Bool
  /// Positions visited.
  public var nodes: UInt64

  /// A note of these values.
  public init(value: Int32, isProven: Bool, nodes: UInt64) {
    self.value = value
    self.isProven = isProven
    self.nodes = nodes
  }
}

/// Why a bot gives no move or does not exist.
public enum BotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No bot of this name; the second value lists the names known.
  case unknownBot(String, known: [String])
  /// The bot does not play this game; the last value lists bots that do.
  case wrongGame(bot: String, game: String, players: [String])
  /// The bot has no such version here; the last value lists those that it has.
  case unknownVersion(bot: String, version: String, known: [UInt16])
  /// The part after the colon is not what the bot takes.
  case badArgument(bot: String, argument: String, expected: String)
  /// The bot cannot be had here; why, in words.
  case unavailable(bot: String, reason: String)
  /// The bot gives up this game, and no other; why, in words. Its host resigns for it.
  case resigns(bot: String, reason: String)
  /// The host asked the bot to stop.
  case cancelled

  /// Names in a sentence: of a long list the first ones, and how many more there are.
  package static func list(_ names: [String]) -> String {
    let limit = 16
    guard names.count > limit else { return names.joined(separator: ", ") }
    return "\(names.prefix(limit).joined(separator: ", ")) and \(names.count - limit) more"
  }

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unknownBot(let name, let known):
      "no bot “\(name)” is known here\(known.isEmpty ? "" : "; bots: \(Self.list(known))")"
    case .wrongGame(let bot, let game, let players):
      "the bot \(bot) does not play \(game); these do: \(Self.list(players))"
    case .unknownVersion(let bot, let version, let known):
      "the bot \(bot) has no version “\(version)” here; there is \(known.map(String.init).joined(separator: " and "))"
    case .badArgument(let bot, let argument, let expected):
      "the bot \(bot) cannot \(argument.isEmpty ? "play with its name alone" : "take “\(argument)”"): \(expected)"
    case .unavailable(let bot, let reason): "the bot \(bot) cannot play: it \(reason)"
    case .resigns(let bot, let reason): "the bot \(bot) gives up a game: it \(reason)"
    case .cancelled:
      "the bot was asked to stop thinking"
    }
  }
}
