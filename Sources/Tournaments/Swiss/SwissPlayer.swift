/// The colour of a player's pieces in one game.
package enum SwissColour: Int8, Sendable {
  case white
  case black

  /// The other one.
  package var opposite: SwissColour { self == .white ? .black : .white }
}

/// What one round was for one player.
package struct SwissGame: Equatable, Sendable {
  /// The opponent's place among the players, from 0; nil for a bye or an absence.
  package var opponent: Int?
  /// The colour that was given; nil without an opponent.
  package var colour: SwissColour?
  /// Whether it was played over the board. A game won by forfeit was not.
  package var isPlayed: Bool
  /// Whether the player was among those who were paired: also who then got the pairing-allocated bye.
  package var isPaired: Bool
  /// What it was worth, in tenths of a point.
  package var points: Int

  /// One round of one player.
  package init(opponent: Int?, colour: SwissColour?, isPlayed: Bool, isPaired: Bool, points: Int) {
    self.opponent = opponent
    self.colour = colour
    self.isPlayed = isPlayed
    self.isPaired = isPaired
    self.points = points
  }
}

/// One who takes part in a Swiss tournament.
package struct SwissPlayer: Sendable {
  /// The pairing number: 1 for the strongest by the initial order.
  package var number: Int
  /// The rounds so far, absences too.
  package var games: [SwissGame]
  /// Whether the player is to be paired in the coming round.
  package var isPresent: Bool

  /// One player.
  package init(number: Int, games: [SwissGame], isPresent: Bool = true) {
    self.number = number
    self.games = games
    self.isPresent = isPresent
  }
}

/// What all rounds of a Swiss tournament have in common.
package struct SwissRules: Equatable, Sendable {
  /// How many rounds there will be.
  package var rounds: Int
  /// The colour of the first player in the first round, drawn by lot.
  package var initialColour: SwissColour
  /// What a win is worth, in tenths of a point.
  package var winPoints: Int
  /// What a draw is worth, in tenths of a point.
  package var drawPoints: Int
  /// What a lost game is worth, in tenths of a point.
  package var lossPoints: Int

  /// The rules of one tournament.
  package init(
    rounds: Int, initialColour: SwissColour, winPoints: Int = 10, drawPoints: Int = 5, lossPoints: Int = 0
  ) {
    self.rounds = rounds
    self.initialColour = initialColour
    self.winPoints = winPoints
    self.drawPoints = drawPoints
    self.lossPoints = lossPoints
  }
}

/// The pairing of one round.
package struct SwissPairing: Equatable, Sendable {
  /// The games, by board: places among the players, from 0.
  package var boards: [Board]
  /// Who has the pairing-allocated bye, where the number of players is odd.
  package var bye: Int?

  /// One game.
  package struct Board: Hashable, Sendable {
    package var white: Int
    package var black: Int

    /// A game of two.
    package init(white: Int, black: Int) {
      self.white = white
      self.black = black
    }
  }
}

/// Why a round cannot be paired.
package enum SwissError: Error, Equatable {
  /// No pairing of all players keeps to the absolute criteria; the arbiter decides then.
  case noPairing
  /// More players than are paired here.
  case tooManyPlayers(Int)
  /// A bracket has players of more scores than are told apart here.
  case tooManyScores
}

extension SwissError: CustomStringConvertible {
  /// What happened.
  package var description: String {
    switch self {
    case .noPairing: "no pairing keeps to the absolute criteria"
    case .tooManyPlayers(let count):
      "a Swiss tournament takes at most \(SwissDutch.mostPlayers) players, not \(count)"
    case .tooManyScores:
      "so many players of different scores were left over that they are not told apart here"
    }
  }
}
