public import Rules

/// The iterated prisoner's dilemma: each round both seats choose in secret to cooperate or to defect.
///
/// The payoffs of all rounds add up to the score. The number of rounds is fixed and known to both seats, unless
/// chance ends the game. With noise some choices are turned into their opposite before they count. Both are drawn
/// jointly, after the choices are fixed: seat 0's noise, seat 1's, then the end.
public struct PrisonersDilemma: Rules {
  public static let name = "prisoners-dilemma"
  public static let version: UInt16 = 1
  public static let title = "Iterated prisoner's dilemma"
  public static let summary = "Both choose in secret to cooperate or to defect, round after round; two seats."

  /// The number of rounds; where chance ends the game, the most of them.
  public let rounds: Int
  /// In how many of 1,000 cases a choice is turned into its opposite.
  public let noise: Int
  /// In how many of 1,000 cases a round is the last one.
  public let ending: Int
  /// What a round pays.
  public let payoffs: Payoffs

  public var seats: Int { 2 }

  /// As in the literature, who gains most in all rounds comes first, not who gains more than the other.
  public static var ranksByScore: Bool { true }

  /// The position before the first round. Both seats choose together, so nobody moves first.
  public func start(first: Seat) -> Position { Position() }

  public func turn(in position: Position) -> Turn {
    isOver(position) ? .over(Outcome(scores: position.scores)) : .round(.all(seats))
  }

  /// Whether no round is left.
  package func isOver(_ position: Position) -> Bool {
    position.roundsPlayed >= rounds || position.wasEndedByChance
  }

  public var usesChance: Bool { noise > 0 || ending > 0 }

  public func isLegal(_ choice: Choice, by seat: Seat, in position: Position) -> Bool {
    seat.index < seats && !isOver(position)
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Choice) -> Void) {
    guard seat.index < seats, !isOver(position) else { return }
    for choice in Choice.allCases { body(choice) }
  }

  public func resolve(_ choices: [Choice?], by chance: inout Chance, in position: inout Position) {
    guard choices.count == seats, let choice0 = choices[0], let choice1 = choices[1], !isOver(position) else {
      preconditionFailure(
        "\(Self.name): \(choices) cannot be played after \(position.roundsPlayed) of \(rounds) rounds")
    }
    play(choice0, choice1, by: &chance, in: &position)
  }

  /// Plays one round: what `resolve` does with choices that were checked.
  package func play(
    _ choice0: Choice, _ choice1: Choice, by chance: inout Chance, in position: inout Position
  ) {
    let turned0 = draw(noise, from: &chance)
    let turned1 = draw(noise, from: &chance)
    position.append(choice0, choice1, turned: (turned0, turned1), payoffs: payoffs)
    if draw(ending, from: &chance) { position.endByChance() }
  }

  /// Whether something happens that does so in `cases` of 1,000 cases. What cannot happen draws no number.
  private func draw(_ cases: Int, from chance: inout Chance) -> Bool {
    cases > 0 && chance.below(1000) < UInt64(cases)
  }

  /// Each round that is left pays the loser S (the sucker's payoff) and the other T. Where chance ends the game, as
  /// many rounds count as left as are to be expected, rounded up.
  public func forfeit(by seat: Seat, in position: Position) -> Outcome {
    let expected = ending > 0 ? (1000 + ending - 1) / ending : rounds
    let left = Int32(min(rounds - position.roundsPlayed, expected))
    let scores = position.scores.enumerated().map { index, score in
      score + left * Int32(index == seat.index ? payoffs.sucker : payoffs.temptation)
    }
    return Outcome(scores: scores)
  }

  public func code(of choice: Choice) -> MoveCode { MoveCode(UInt32(choice.rawValue)) }

  public func move(code: MoveCode) -> Choice? {
    UInt8(exactly: code.rawValue).flatMap { Choice(rawValue: $0) }
  }

  public func text(of choice: Choice) -> String { choice == .cooperate ? "C" : "D" }

  /// Reads `C`, `D`, `cooperate` and `defect` in any case.
  public func move(text: String) -> Choice? {
    guard text.utf8.count <= 9 else { return nil }
    switch text.lowercased() {
    case "c", "cooperate": return .cooperate
    case "d", "defect": return .defect
    default: return nil
    }
  }

  /// The number of rounds played and both scores in four bytes each, the high byte first; then the choices of
  /// seat 0 and of seat 1 as they counted, eight rounds a byte, the earliest in the lowest bit, a set bit for a
  /// defection. Where rounds draw random numbers, one byte more: bit 0 and bit 1 for seats whose last choice was
  /// turned, bit 2 when chance has ended the game.
  public func encode(_ position: Position) -> [UInt8] {
    let numbers =
      [UInt32(truncatingIfNeeded: position.roundsPlayed)] + position.scores.map { UInt32(bitPattern: $0) }
    let histories = [Seat(0), Seat(1)].map { position.history(of: $0).bytes }
    return numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
      + histories.joined() + (usesChance ? [position.chanceBits] : [])
  }

  /// Lines of text: the round that is being chosen, the scores, and what each chose in the last round.
  public func diagram(of position: Position) -> Diagram {
    let played = position.roundsPlayed
    let scores = position.scores
    var lines: [Diagram.Line] = [
      Diagram.Line(stringLiteral: roundWords(position)),
      "Score: \(Seat(0)) \(scores[0]), \(Seat(1)) \(scores[1])",
    ]
    if played > 0 {
      let chosen = [Seat(0), Seat(1)].map { seat -> Diagram.Line in
        let deed = position.history(of: seat)[played - 1] == .cooperate ? "cooperated" : "defected"
        return position.wasTurned(seat) ? "\(seat) \(deed) by noise" : "\(seat) \(deed)"
      }
      lines.append("Round \(played): \(Diagram.Line.joined(chosen, separator: ", "))")
    }
    return Diagram(lines: lines)
  }

  /// Which round is on, and how long the game may last.
  private func roundWords(_ position: Position) -> String {
    let played = position.roundsPlayed
    if position.wasEndedByChance {
      return "\(played) \(played == 1 ? "round" : "rounds") played; chance ended the game"
    }
    if played >= rounds { return "\(rounds) of \(rounds) rounds played" }
    if ending == 0 { return "Round \(played + 1) of \(rounds)" }
    return "Round \(played + 1) of at most \(rounds); each is the last one in \(ending) of 1,000 cases"
  }
}
