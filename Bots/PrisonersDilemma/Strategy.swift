import BotKit
import Games
import Rules

/// A way to choose in each round of the iterated prisoner's dilemma.
///
/// The lists of strategies are in `Strategy+….swift`, machines and tables as data. Each is written from its published
/// definition and compared, move by move, with recorded games (PrisonersDilemmaReferenceTests). What is compared with
/// whole numbers there stays in whole numbers here; where a definition has fractions, they are computed in the same
/// order on every machine.
package struct Strategy: Sendable {
  typealias Choice = PrisonersDilemma.Choice

  /// The name on the command line.
  package let name: String
  /// The strategy in one line.
  package let summary: String
  /// Where it was published.
  package let source: Source
  /// How many rounds back it looks, `nil` for all.
  package let memory: Int?
  /// Whether it draws random numbers.
  package let isStochastic: Bool
  /// How it chooses.
  let decision: Decision

  /// How a strategy chooses.
  enum Decision: Sendable {
    /// From what both chose before.
    case direct(@Sendable (Past, inout RandomStream) -> Choice)
    /// From what both chose before and a state that it carries from round to round; makes that of the first round.
    case carried(@Sendable () -> any Player)
  }

  /// A strategy that chooses from the past alone.
  init(
    _ name: String, _ summary: String, _ source: Source, memory: Int? = nil,
    choose: @escaping @Sendable (Past) -> Choice
  ) {
    self.init(name, summary, source, memory: memory, isStochastic: false, .direct { past, _ in choose(past) })
  }

  /// A strategy that chooses from the past and random numbers.
  init(
    _ name: String, _ summary: String, _ source: Source, memory: Int? = nil,
    drawing choose: @escaping @Sendable (Past, inout RandomStream) -> Choice
  ) {
    self.init(name, summary, source, memory: memory, isStochastic: true, .direct(choose))
  }

  /// A strategy that carries a state from round to round.
  init<State: Sendable>(
    _ name: String, _ summary: String, _ source: Source, memory: Int? = nil, from start: State,
    choose: @escaping @Sendable (inout State, Past) -> Choice
  ) {
    self.init(
      name, summary, source, memory: memory, isStochastic: false,
      .carried { Carrier(state: start) { state, past, _ in choose(&state, past) } })
  }

  /// A strategy that carries a state from round to round and draws random numbers.
  init<State: Sendable>(
    _ name: String, _ summary: String, _ source: Source, memory: Int? = nil, from start: State,
    drawing choose: @escaping @Sendable (inout State, Past, inout RandomStream) -> Choice
  ) {
    self.init(
      name, summary, source, memory: memory, isStochastic: true,
      .carried { Carrier(state: start, choose: choose) })
  }

  private init(
    _ name: String, _ summary: String, _ source: Source, memory: Int?, isStochastic: Bool,
    _ decision: Decision
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.memory = memory
    self.isStochastic = isStochastic
    self.decision = decision
  }

  /// All strategies, in the order of lists.
  package static let all =
    basics + reciprocators + punishers + probers + firstTournament + secondTournament
    + secondTournamentCounts + cyclers + majorities + hunters + observers + endings + machines + tables
    + memoryOne + drawing
}

/// One seat of one game, as a strategy with a state plays it: it chooses in each round in turn, from the first.
protocol Player: Sendable {
  mutating func choose(_ past: Past, _ random: inout RandomStream) -> Strategy.Choice
}

private struct Carrier<State: Sendable>: Player {
  var state: State
  let choose: @Sendable (inout State, Past, inout RandomStream) -> Strategy.Choice

  mutating func choose(_ past: Past, _ random: inout RandomStream) -> Strategy.Choice {
    choose(&state, past, &random)
  }
}

extension PrisonersDilemma.Choice {
  /// Defects exactly when the condition holds.
  static func defect(if condition: Bool) -> Self { condition ? .defect : .cooperate }

  /// The choice at a place of a text of the letters C and D.
  static func letter(_ place: Int, of text: String) -> Self {
    text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: place)] == 0x43 ? .cooperate : .defect
  }

  /// Cooperates in `cases` of `all` cases.
  static func cooperate(_ cases: Int, in all: Int, _ random: inout RandomStream) -> Self {
    random.below(UInt64(all)) < UInt64(max(0, cases)) ? .cooperate : .defect
  }
}
