import Events
import Peer
import Projection
import Ratings
import Rules
import Terminal

/// What the games of a match between two bots say of their strength, in the order of their numbers: so it repeats from
/// the same seed at any concurrency.
///
/// Games 1 and 2, 3 and 4 and so on are pairs in which the bots swap seats, and count as such.
struct MatchStrength {
  /// The test that ends the match; `nil` for none.
  let test: SequentialTest?
  /// What the test has decided, once it has; later games do not count.
  private(set) var decision = SequentialTest.Decision.undecided
  /// How many games there are up to the first that is not over.
  private(set) var games = 0
  private var wins = 0
  private var draws = 0
  private var losses = 0
  /// Pairs by half points of the first bot.
  private var pairs = [0, 0, 0, 0, 0]
  /// The half points of the first game of a pair.
  private var opened: Int?
  /// Games that are over and stand behind others that are not; half points of the first bot, `nil` for void ones.
  private var waiting: [Int: Int?] = [:]

  init(_ test: SequentialTest?) { self.test = test }

  /// Takes a game that is over.
  /// - Parameter room: the number of its room in the match, from 0.
  mutating func take(_ game: GameRecord, room: Int) {
    let outcome = game.ending?.outcome
    waiting[room * Int(Create.limitGames) + game.number] = outcome.map { outcome in
      outcome.winner.map { $0.index == 0 ? 2 : 0 } ?? 1
    }
    while decision == .undecided, let next = waiting.removeValue(forKey: games) { count(next) }
  }

  private mutating func count(_ halfPoints: Int?) {
    switch halfPoints {
    case 2: wins += 1
    case 1: draws += 1
    case 0: losses += 1
    default: break
    }
    if games % 2 == 0 {
      opened = halfPoints
    } else if let first = opened, let second = halfPoints {
      pairs[first + second] += 1
    }
    games += 1
    guard let test, games % 2 == 0 || test.scale == .bayesian else { return }
    decision = test.decision(counted(by: test))
  }

  /// Pairs where there are two or more, else games.
  var statistics: MatchStatistics { pairs.reduce(0, +) >= 2 ? byPairs : byGames }

  private var byGames: MatchStatistics { MatchStatistics(wins: wins, draws: draws, losses: losses) }
  private var byPairs: MatchStatistics {
    MatchStatistics(pairs: (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))
  }

  private func counted(by test: SequentialTest) -> MatchStatistics {
    test.scale == .bayesian ? byGames : byPairs
  }

  /// The logarithm of the ratio of the likelihoods of the test's hypotheses; `nil` without a test.
  var ratio: Double? { test.map { $0.logLikelihoodRatio(counted(by: $0)) } }
}

// MARK: - Showing it

extension MatchStrength {
  /// The ratio and its bounds, for the line of progress; empty without a test.
  var words: String {
    guard let test, let ratio else { return "" }
    return "LLR \(DecimalText.signed(ratio, digits: 2)) \(Self.bounds(of: test))"
  }

  private static func bounds(of test: SequentialTest) -> String {
    "(\(DecimalText.text(test.lowerBound, digits: 2)), \(DecimalText.text(test.upperBound, digits: 2)))"
  }

  /// What is said of two bots after the table.
  func sentences(_ labels: [String]) -> [String] {
    guard games > 0 else { return [] }
    let statistics = statistics
    let unit = statistics.unit == .pair ? ", counted in pairs with seats swapped" : ""
    let counted = test == nil ? "" : ", over the \(Room.count(games, "game")) that the test counts"
    let superiority = DecimalText.percent(statistics.superiority)
    let name = SafeText(labels[0], limitColumns: 40).text
    var sentences = [
      "Elo difference of \(name): \(DecimalText.signed(statistics.elo, digits: 1))"
        + (statistics.eloError.map { " ± \(DecimalText.text($0, digits: 1)) (95 %)" } ?? "")
        + ", likelihood of superiority \(superiority)\(unit)\(counted)."
    ]
    guard let test, let ratio else { return sentences }
    let hypotheses =
      "elo0 = \(DecimalText.text(test.elo0, digits: 1)), elo1 = \(DecimalText.text(test.elo1, digits: 1))"
    let found =
      switch decision {
      case .upper: "elo1 is accepted: \(name) is better by \(DecimalText.text(test.elo1, digits: 1)) or more"
      case .lower:
        "elo0 is accepted: \(name) is better by no more than \(DecimalText.text(test.elo0, digits: 1))"
      case .undecided: "undecided"
      }
    sentences.append(
      "SPRT (\(test.scale.rawValue), \(hypotheses)) after \(Room.count(games, "game")): LLR"
        + " \(DecimalText.signed(ratio, digits: 2)) of \(Self.bounds(of: test)); \(found).")
    return sentences
  }

  /// What ``json`` is.
  static let summary =
    "of two bots how much better the first one is; null otherwise. An object with `games` that count (up to"
    + " the first that is not over, or that decided the test), `unit` (`pair` where games are counted in pairs"
    + " with seats swapped, else `game`), `counts` of each sum of points in a unit, the lowest first,"
    + " `difference` in Elo with its `error` of 95 %, `normalized` Elo with its `normalized-error`, each null"
    + " where the games bound none, `superiority` from 0 to 1, and `sprt`: null, or an object with `elo0`,"
    + " `elo1`, `alpha`, `beta`, `model`, `llr`, its bounds `lower` and `upper`, and `accepted`, `elo0`, `elo1`"
    + " or null"

  /// The same for programs.
  var json: JSONValue {
    let statistics = statistics
    return .object([
      "games": .integer(Int64(games)), "unit": .string(statistics.unit == .pair ? "pair" : "game"),
      "counts": .array(statistics.counts.map { .integer(Int64($0)) }), "difference": .real(statistics.elo),
      "error": statistics.eloError.map { .real($0) } ?? .null, "normalized": .real(statistics.normalizedElo),
      "normalized-error": statistics.normalizedEloError.map { .real($0) } ?? .null,
      "superiority": .real(statistics.superiority), "sprt": testMembers,
    ])
  }

  private var testMembers: JSONValue {
    guard let test, let ratio else { return .null }
    return .object([
      "elo0": .real(test.elo0), "elo1": .real(test.elo1), "alpha": .real(test.alpha),
      "beta": .real(test.beta),
      "model": .string(test.scale.rawValue), "llr": .real(ratio), "lower": .real(test.lowerBound),
      "upper": .real(test.upperBound),
      "accepted": decision == .undecided ? .null : .string(decision == .upper ? "elo1" : "elo0"),
    ])
  }
}
