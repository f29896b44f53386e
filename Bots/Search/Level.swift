import BotKit

/// How a bot finds a move: what it sees of the game.
enum Sight: Hashable, Sendable {
  /// As a beginner does: so many plies ahead all that ends the game, else what is counted at a glance
  /// (`Evaluated.glance`). With 0 it plays any move that comes to mind.
  case glance(Int)
  /// As somebody does who knows the game: so many plies ahead, with the game's estimate (`Evaluated.evaluation`).
  case look(Int)
  /// By so many random games (`MonteCarloBot`).
  case sample(Int)
  /// By proof, within so many positions (`SolverBot`).
  case prove(UInt64)

  /// The most positions that a look visits.
  static let lookNodes: UInt64 = 60_000
}

/// How strong a bot plays that is to be a match for somebody: what it sees, and how often it sees less.
///
/// Who sees fewer plies overlooks what lies farther off and nothing else: so do people.
struct Level: Hashable, Sendable {
  /// What it sees.
  let sight: Sight
  /// What it sees when it does not look closely.
  let lapse: Sight
  /// In how many of a hundred moves that is.
  let lapses: Int

  init(_ sight: Sight) { (self.sight, lapse, lapses) = (sight, sight, 0) }

  init(_ sight: Sight, in lapses: Int, sees lapse: Sight) {
    (self.sight, self.lapse, self.lapses) = (sight, lapse, lapses)
  }

  /// The levels that every game has.
  static let numbers = 1...10
}
