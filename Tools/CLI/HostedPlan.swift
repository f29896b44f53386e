import Events
import Games
import Projection
import Rules
import Terminal

/// What the host of rounds asks, one round after the other: all that differs from game to game.
protocol HostedPlan: Sendable {
  /// The options of `parlor host` that are for this game alone.
  static var options: [OptionDefinition] { get }
  /// Does what ends the command at once, such as showing a file.
  /// - Returns: the status to end with; `nil` where rounds are to be hosted.
  static func shows(_ parsed: ParsedCommand, _ context: Context) throws -> ExitStatus?

  /// The bots that `parlor join` has for it.
  static var bots: [String] { get }

  /// What the command line asks for.
  init(_ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context) throws

  /// What is hosted, for people.
  var title: String { get }
  /// The rules with their settings.
  var rules: any HostedRules { get }
  /// How many rounds there are.
  var rounds: Int { get }
  /// How many entries of a player count in a round.
  var entries: UInt16 { get }
  /// What must be said again for these rounds to go on, in words behind the command; empty where nothing must.
  var resumeHint: String { get }
  /// What a round asks, by its number from 0.
  func round(_ number: Int) -> HostedAsking
  /// The plan of a room of this peer that goes on.
  /// - Throws: a failure in words where this is not what that room began with.
  func resumed(in state: RoomState) throws -> Self
}

/// What a host says to open a round.
struct HostedAsking {
  let content: [UInt8]
  let solution: [UInt8]
  let limitMilliseconds: UInt32
}

/// The plans of all games of hosted rounds; a new game is added here.
enum HostedPlans {
  /// By the games' names, in the order of help texts.
  static let all: [(game: String, plan: any HostedPlan.Type)] = [
    (Quiz.name, QuizPlan.self), (TapRace.name, RacePlan.self), (DrawingGame.name, DrawingPlan.self),
  ]

  /// The bots that play a game.
  static func bots(_ game: String) -> [String] { all.first { $0.game == game }?.plan.bots ?? [] }

  /// The options of all of them.
  static var options: [OptionDefinition] { all.flatMap { $0.plan.options } }
}

/// How people call a game of hosted rounds in the middle of a sentence, and one of its rounds.
struct RoundWords {
  let game: String
  let round: String

  init(_ definition: HostedDefinition?) {
    game = definition?.title.lowercased() ?? "game"
    round = definition?.roundWord ?? "round"
  }

  /// The round's word at the beginning of a sentence.
  var capitalizedRound: String { round.prefix(1).uppercased() + round.dropFirst() }
}
