import Peer
import Rules
import Terminal

/// Whether a match or tournament of one's own bots plays rounds of choices in the open.
enum OpenRoundsOption {
  static let definition = OptionDefinition.flag(
    "open-rounds",
    "play rounds of choices in the open, without commitments, which hide nothing where all keys are one owner's: half"
      + " as many events; for games of two without chance, such as the prisoner's dilemma without noise")

  /// What the options say.
  /// - Throws: where the game has no such rounds.
  static func value(_ parsed: ParsedCommand, for rules: any GameRules) throws -> Bool {
    guard parsed.has("open-rounds") else { return false }
    let game = rules.start(first: Seat(0))
    guard rules.seats == 2, game.turn.isRound else {
      throw parsed.badValue(
        "open-rounds", "\(rules.definition.name) is no game in which two choose together in each round")
    }
    guard !game.usesChance else {
      throw parsed.badValue(
        "open-rounds", "chance has a part in the game, as it is set, and is drawn from what rounds commit to")
    }
    return true
  }
}
