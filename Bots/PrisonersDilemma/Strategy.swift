import BotKit
import Games
import Rules

/// How to choose in a round, as a function of what both seats chose in the rounds before.
struct Strategy: Sendable {
  typealias Choice = PrisonersDilemma.Choice
  typealias History = PrisonersDilemma.History

  /// The name on the command line.
  let name: String
  /// The strategy in one line.
  let summary: String
  /// Chooses from the own history, the other's history, and the random numbers of this decision.
  let choose: @Sendable (_ own: History, _ other: History, _ random: inout RandomStream) -> Choice

  /// All strategies, in the order of lists.
  static let all = [titForTat, grudger, winStayLoseShift, defector, cooperator, random, joss]

  /// Anatol Rapoport's entry, the winner of both tournaments (Axelrod, Effective Choice in the Prisoner's
  /// Dilemma, Journal of Conflict Resolution 24, 1980).
  static let titForTat = Strategy(
    name: "tit-for-tat", summary: "cooperates first, then does what the other did in the round before"
  ) { _, other, _ in
    answer(to: other)
  }

  /// James W. Friedman's entry (Axelrod 1980), also called grim trigger.
  static let grudger = Strategy(
    name: "grudger", summary: "cooperates until the other defects once, then defects for ever"
  ) { _, other, _ in
    other.hasDefected ? .defect : .cooperate
  }

  /// Nowak & Sigmund, A strategy of win-stay, lose-shift that outperforms tit-for-tat in the Prisoner's
  /// Dilemma game, Nature 364, 1993; also called Pavlov.
  ///
  /// Temptation and reward count as wins, both of which need the other to cooperate: the choice is kept after
  /// the other cooperated and changed after it defected, which is to cooperate exactly when both chose alike.
  static let winStayLoseShift = Strategy(
    name: "win-stay-lose-shift",
    summary: "cooperates first, then keeps its choice exactly when the other cooperated"
  ) { own, other, _ in
    own.last == other.last ? .cooperate : .defect
  }

  /// Always defects.
  static let defector = Strategy(name: "defector", summary: "always defects") { _, _, _ in .defect }

  /// Always cooperates.
  static let cooperator = Strategy(name: "cooperator", summary: "always cooperates") { _, _, _ in .cooperate }

  /// Chooses evenly, as the entry RANDOM did (Axelrod 1980).
  static let random = Strategy(
    name: "random", summary: "cooperates or defects with equal probability"
  ) { _, _, random in
    random.below(2) == 0 ? .cooperate : .defect
  }

  /// Johann Joss's entry (Axelrod 1980): tit-for-tat that defects after one in ten of the other's
  /// cooperations.
  static let joss = Strategy(
    name: "joss", summary: "tit-for-tat that answers one cooperation in ten with a defection"
  ) { _, other, random in
    guard other.last == .cooperate else { return answer(to: other) }
    return random.below(10) < 9 ? .cooperate : .defect
  }

  private static func answer(to other: History) -> Choice { other.last ?? .cooperate }
}
