import Events
import Terminal

/// How long a series of games is, as its options say.
struct SeriesLength {
  /// How many games it has; with `wins` at the most.
  let games: Int
  /// How many of them one side must win for the series to be over before.
  let wins: Int?

  /// - Parameters:
  ///   - standard: how many games there are when nothing is said.
  ///   - side: who plays, such as a bot.
  static func options(standard: Int, side: String) -> [OptionDefinition] {
    [
      .value(
        "games", "N", "how many games; with --wins at the most, \(Create.limitGames) when not given",
        standard: "\(standard)"),
      .value("wins", "N", "end with the first \(side) that has won this many games"),
    ]
  }

  /// - Parameter limit: the most games without `--wins`. With it a series is one room, which says when it is over.
  init(_ parsed: ParsedCommand, standard: Int, limit: Int) throws {
    let room = Int(Create.limitGames)
    let given = parsed.givenOptions.contains("games") ? try parsed.integer("games", in: 1...limit) : nil
    wins = try parsed.integer("wins", in: 1...room)
    games = given ?? (wins == nil ? standard : room)
    guard let wins else { return }
    guard games <= room else {
      throw parsed.badValue("games", "with --wins there are \(room) games at the most")
    }
    guard wins <= games else {
      throw parsed.badValue("wins", "nobody can win that many of \(Room.count(games, "game"))")
    }
  }
}
