import Games

/// What a strategy may see when it chooses: all rounds before this one, and the game's settings.
struct Past {
  /// What one seat chose in the rounds before this one.
  struct Choices {
    private let history: PrisonersDilemma.History
    /// How many rounds were played.
    let count: Int

    init(_ history: PrisonersDilemma.History, before round: Int) {
      self.history = history
      count = round
    }

    /// What was chosen in a round, counted from 0.
    subscript(round: Int) -> Strategy.Choice { history[round] }

    /// What was chosen last, `nil` in the first round.
    var last: Strategy.Choice? { count == 0 ? nil : history[count - 1] }
    /// What was chosen in the round before the last, `nil` in the first two rounds.
    var secondLast: Strategy.Choice? { count < 2 ? nil : history[count - 2] }

    /// Whether the seat ever defected.
    var hasDefected: Bool { defections > 0 }
    /// How many times the seat defected.
    var defections: Int { history.defections(in: 0..<count) }
    /// How many times the seat cooperated.
    var cooperations: Int { count - defections }
    /// How many times the seat cooperated in these rounds.
    func cooperations(in rounds: Range<Int>) -> Int { rounds.count - history.defections(in: rounds) }
    /// How many times the seat defected in the last rounds, at most `rounds` of them.
    func defections(inLast rounds: Int) -> Int { history.defections(in: max(0, count - rounds)..<count) }
    /// How many times the seat cooperated in the last rounds, at most `rounds` of them.
    func cooperations(inLast rounds: Int) -> Int { min(rounds, count) - defections(inLast: rounds) }

    /// Whether the last choices were these, written as letters.
    func ends(with letters: String) -> Bool {
      matches(letters, from: count - letters.utf8.count)
    }
    /// Whether the first choices were these, written as letters.
    func starts(with letters: String) -> Bool { matches(letters, from: 0) }

    private func matches(_ letters: String, from start: Int) -> Bool {
      let length = letters.utf8.count
      guard start >= 0, start + length <= count else { return false }
      return (0..<length).allSatisfy { history[start + $0] == .letter($0, of: letters) }
    }

    /// The choices of these rounds as letters.
    func letters(_ rounds: ClosedRange<Int>) -> String {
      String(rounds.map { history[$0] == .cooperate ? "C" : "D" })
    }
    /// The last choices as letters, the earliest first; what was before the first round counts as cooperation.
    func letters(last rounds: Int) -> String {
      String((count - rounds..<count).map { $0 < 0 || history[$0] == .cooperate ? "C" : "D" })
    }
  }

  /// What the seat that chooses did; with noise, what counted.
  let own: Choices
  /// What the other seat did.
  let other: Choices
  /// The rules with their settings.
  let game: PrisonersDilemma

  init(
    own: PrisonersDilemma.History, other: PrisonersDilemma.History, before round: Int,
    in game: PrisonersDilemma
  ) {
    self.own = Choices(own, before: round)
    self.other = Choices(other, before: round)
    self.game = game
  }

  /// How many rounds were played.
  var rounds: Int { own.count }
  /// The number of rounds, `nil` where chance ends the game.
  var length: Int? { game.ending == 0 ? game.rounds : nil }
  /// Whether these rounds are the last ones, as far as is known.
  func isInLast(_ count: Int) -> Bool { length.map { rounds >= $0 - count } ?? false }

  /// What both chose in a round: 0 for CC, 1 for CD, 2 for DC, 3 for DD, the own choice first.
  func outcome(_ round: Int) -> Int { Int(own[round].rawValue) * 2 + Int(other[round].rawValue) }
  /// What both chose last, `nil` in the first round.
  var lastOutcome: Int? { rounds == 0 ? nil : outcome(rounds - 1) }

  /// What both chose in a round, seen from the own seat.
  enum Outcome: Int {
    case cooperation, exploited, exploiting, defection
  }
  /// How many rounds had an outcome.
  func rounds(with outcome: Outcome) -> Int { (0..<rounds).count { self.outcome($0) == outcome.rawValue } }

  /// The sum of the own payoffs.
  var ownScore: Int { (0..<rounds).reduce(0) { $0 + Int(game.payoffs.payoff(own[$1], against: other[$1])) } }
  /// Tit-for-tat's choice.
  var titForTat: Strategy.Choice { other.last ?? .cooperate }
}
