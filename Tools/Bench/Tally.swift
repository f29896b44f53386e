import CFloor
import EventLog
import Projection
import Rules

/// What was played or found, in Parlor's form; equal to the floor's when both did the same.
struct Tally: Equatable {
  var rooms = 0
  var events = 0
  var moves = 0
  var games = 0
  var agreed = 0
  var wins = [0, 0]
  var draws = 0

  init() {}

  init(_ floor: floor_tally) {
    rooms = Int(floor.rooms)
    events = Int(floor.events)
    moves = Int(floor.moves)
    games = Int(floor.games)
    agreed = Int(floor.agreed)
    wins = [Int(floor.wins.0), Int(floor.wins.1)]
    draws = Int(floor.draws)
  }

  /// Counts a game; one that is not over counts as moves only.
  mutating func count(_ game: GameRecord) {
    moves += game.plies.count
    guard let outcome = game.ending?.outcome else { return }
    games += 1
    if game.isAgreed { agreed += 1 }
    if let winner = outcome.winner { wins[winner.index] += 1 } else { draws += 1 }
  }

  /// The counts in words.
  var words: String {
    "\(rooms) rooms, \(events) events, \(moves) moves, \(games) games (\(agreed) agreed, \(wins[0]) and \(wins[1]) won"
      + " by the seats, \(draws) drawn)"
  }
}
