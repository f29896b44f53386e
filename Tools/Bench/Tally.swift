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

  /// Counts the games of a room.
  mutating func count(_ games: [GameRecord]) {
    for game in games.indices {
      count(moves: games[game].plies.count, games[game].ending?.outcome, isAgreed: games[game].isAgreed)
    }
  }

  /// Counts a game; one that is not over counts as moves only.
  private mutating func count(moves count: Int, _ outcome: Outcome?, isAgreed: Bool) {
    moves += count
    guard let outcome else { return }
    games += 1
    if isAgreed { agreed += 1 }
    if let winner = outcome.winner { wins[winner.index] += 1 } else { draws += 1 }
  }

  /// The counts in words.
  var words: String {
    "\(rooms) rooms, \(events) events, \(moves) moves, \(games) games (\(agreed) agreed, \(wins[0]) and \(wins[1]) won"
      + " by the seats, \(draws) drawn)"
  }
}
