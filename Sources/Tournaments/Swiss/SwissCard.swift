/// A player as the pairing of one round sees it: score, colours, floats.
struct SwissCard {
  /// How much a player wants a colour, weakest first.
  enum Strength: Int, Comparable {
    case none
    case mild
    case strong
    case absolute

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
  }

  enum Float {
    case none
    case down
    case up
  }

  var index: Int
  var number: Int
  /// Whether the pairing number is odd, when only those count who have entered the tournament.
  var isOdd: Bool
  var score: Int
  /// The colours of the games that were played.
  var colours: [SwissColour]
  /// Games with white minus games with black, without its sign.
  var imbalance: Int
  var preference: SwissColour?
  var strength: Strength
  /// The colour of the last two games, if they had the same.
  var repeated: SwissColour?
  /// Those whom the player has met, over the board.
  var met: Set<Int>
  var mayHaveBye: Bool
  var unplayed: Int
  /// Floats one and two rounds ago.
  var floats: [Float]

  var isTorn: Bool { imbalance > 1 }

  init(_ index: Int, of players: [SwissPlayer], scores: [[Int]], isOdd: Bool, _ rules: SwissRules) {
    let player = players[index]
    let played = player.games.filter(\.isPlayed)
    self.index = index
    number = player.number
    self.isOdd = isOdd
    score = scores[index].last ?? 0
    colours = played.compactMap(\.colour)
    met = Set(played.compactMap(\.opponent))
    unplayed = player.games.count - played.count
    mayHaveBye = !player.games.contains { game in
      !game.isPlayed && (game.points >= rules.winPoints || (game.isPaired && game.opponent == nil))
    }
    let difference = colours.reduce(0) { $0 + ($1 == .white ? 1 : -1) }
    imbalance = abs(difference)
    let last = colours.suffix(2)
    repeated = last.count == 2 && last.first == last.last ? last.last : nil
    let rarer: SwissColour = difference > 0 ? .black : .white
    if imbalance > 1 {
      (preference, strength) = (rarer, .absolute)
    } else if let repeated {
      (preference, strength) = (repeated.opposite, .absolute)
    } else if imbalance == 1 {
      (preference, strength) = (rarer, .strong)
    } else if let last = colours.last {
      (preference, strength) = (last.opposite, .mild)
    } else {
      (preference, strength) = (nil, .none)
    }
    floats = [1, 2].map { back in
      let round = player.games.count - back
      guard round >= 0 else { return .none }
      let game = player.games[round]
      guard game.isPlayed, let opponent = game.opponent else {
        return game.points > rules.lossPoints ? .down : .none
      }
      let (own, other) = (scores[index][round], scores[opponent][round])
      return own > other ? .down : own < other ? .up : .none
    }
  }

  /// Whether two want the same colour, and so one of them will not have it.
  func clashes(with other: SwissCard) -> Bool { preference != nil && preference == other.preference }
}

extension SwissCard {
  /// Who of two that meet has which colour: article 5.2.
  /// - Parameters:
  ///   - higher: the one with more points, or the lower pairing number.
  ///   - initial: the colour drawn by lot.
  /// - Returns: the colour of `higher`.
  static func colour(of higher: SwissCard, against lower: SwissCard, initial: SwissColour) -> SwissColour {
    guard let wish = higher.preference else {
      if let wish = lower.preference { return wish.opposite }
      return higher.isOdd ? initial : initial.opposite
    }
    guard higher.clashes(with: lower) else { return wish }
    if higher.strength != lower.strength { return higher.strength > lower.strength ? wish : wish.opposite }
    if higher.strength == .absolute, higher.imbalance != lower.imbalance {
      return higher.imbalance > lower.imbalance ? wish : wish.opposite
    }
    for (own, other) in zip(higher.colours.reversed(), lower.colours.reversed()) where own != other {
      return other
    }
    return wish
  }
}
