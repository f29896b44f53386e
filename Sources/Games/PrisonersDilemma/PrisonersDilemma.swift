public import Rules

/// The iterated prisoner's dilemma: each round both seats choose in secret to cooperate or to defect.
///
/// The payoffs of all rounds add up to the score. The number of rounds is fixed and known to both seats.
public struct PrisonersDilemma: Rules {
  public static let name = "prisoners-dilemma"
  public static let version: UInt16 = 1
  public static let title = "Iterated prisoner's dilemma"
  public static let summary = "Both choose in secret to cooperate or to defect, round after round; two seats."

  /// The number of rounds.
  public let rounds: Int
  /// What a round pays.
  public let payoffs: Payoffs

  public var seats: Int { 2 }

  /// As in the literature, who gains most in all rounds comes first, not who gains more than the other.
  public static var ranksByScore: Bool { true }

  /// The position before the first round. Both seats choose together, so nobody moves first.
  public func start(first: Seat) -> Position { Position() }

  public func turn(in position: Position) -> Turn {
    position.roundsPlayed < rounds ? .everyone : .over(Outcome(scores: position.scores))
  }

  public func isLegal(_ choice: Choice, by seat: Seat, in position: Position) -> Bool {
    seat.index < seats && position.roundsPlayed < rounds
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Choice) -> Void) {
    guard seat.index < seats, position.roundsPlayed < rounds else { return }
    for choice in Choice.allCases { body(choice) }
  }

  public func resolve(_ choices: [Choice], in position: inout Position) {
    precondition(
      choices.count == seats && position.roundsPlayed < rounds,
      "\(Self.name): \(choices) cannot be played after \(position.roundsPlayed) of \(rounds) rounds")
    position.append(choices[0], choices[1], payoffs: payoffs)
  }

  /// Each round that is left pays the loser S (the sucker's payoff) and the other T.
  public func forfeit(by seat: Seat, in position: Position) -> Outcome {
    let left = Int32(rounds - position.roundsPlayed)
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
  /// seat 0 and of seat 1, eight rounds a byte, the earliest in the lowest bit, a set bit for a defection.
  public func encode(_ position: Position) -> [UInt8] {
    let numbers =
      [UInt32(truncatingIfNeeded: position.roundsPlayed)] + position.scores.map { UInt32(bitPattern: $0) }
    let histories = [Seat(0), Seat(1)].map { position.history(of: $0).bytes }
    return numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
      + histories.joined()
  }

  /// Lines of text: the round that is being chosen, the scores, and what each chose in the last round.
  public func diagram(of position: Position) -> Diagram {
    let played = position.roundsPlayed
    let scores = position.scores
    var lines: [Diagram.Line] = [
      played < rounds ? "Round \(played + 1) of \(rounds)" : "\(rounds) of \(rounds) rounds played",
      "Score: \(Seat(0)) \(scores[0]), \(Seat(1)) \(scores[1])",
    ]
    if played > 0 {
      let chosen = [Seat(0), Seat(1)].map { seat -> Diagram.Line in
        "\(seat) \(position.history(of: seat)[played - 1] == .cooperate ? "cooperated" : "defected")"
      }
      lines.append("Round \(played): \(Diagram.Line.joined(chosen, separator: ", "))")
    }
    return Diagram(lines: lines)
  }
}
