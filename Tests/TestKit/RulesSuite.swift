package import Rules
package import Testing

/// The checks that every game passes, whatever its kind.
///
/// A new game calls `RulesSuite.check(NewGame.self, codes: …)` in a test of its own. Positions come from
/// seeded random games, so a finding repeats.
package enum RulesSuite {
  /// What the suite looks at; each check has a planted bug of its own in the suite's tests.
  package enum Check: String, CaseIterable, Sendable {
    /// Legal moves: order, agreement with `isLegal`, nobody out of turn.
    case legality
    /// Codes and texts lead back to the move.
    case codec
    /// Playing the codes again gives the same bytes.
    case replay
    /// Equal positions, equal bytes, and no other.
    case encoding
    /// What is not legal changes nothing.
    case refusal
    /// The game ends when nobody can move, with one score per seat.
    case outcome
    /// The seat that was named moves first.
    case firstMover
    /// Settings have one canonical spelling, and bad ones are refused with words.
    case parameters
    /// Random moves are legal, all equally likely, and random games those of single moves.
    case random
    /// Equal random numbers lead to equal positions; rules that draw none go by none.
    case chance
    /// What a seat sees decides what it is told besides, and what spectators see; equal views have equal bytes.
    case views
    /// Pictures can be drawn.
    case display
  }

  /// One fault, with where it was found.
  package struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The check that found it.
    package var check: Check
    /// What was found, and where.
    package var text: String

    package var description: String { "\(check.rawValue): \(text)" }
  }

  /// How much the suite does.
  package struct Extent: Sendable {
    /// Codes that are all tried at every position: every code that can be legal, and some beyond.
    package var codes: ClosedRange<UInt32>
    /// Random games per setting.
    package var games: Int
    /// Random illegal inputs per setting.
    package var illegalInputs: Int
    /// The most plies of a game; a longer one is a finding.
    package var plyLimit: Int
    /// The seed of everything random.
    package var seed: UInt64 = 1

    /// An extent; what is not said has its standard value.
    package init(
      codes: ClosedRange<UInt32>, games: Int = 60, illegalInputs: Int = 100_000, plyLimit: Int = 10_000
    ) {
      self.codes = codes
      self.games = games
      self.illegalInputs = illegalInputs
      self.plyLimit = plyLimit
    }
  }

  /// Records an issue for every fault of rules `R`.
  /// - Parameters:
  ///   - codes: every code that can be legal, and some beyond.
  ///   - settings: the settings to play with, as lists of `name=value`; by default the standard ones.
  package static func check<R: Rules>(
    _ rules: R.Type, codes: ClosedRange<UInt32>, settings: [[String]] = [[]], games: Int = 60,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let extent = Extent(
      codes: codes, games: Effort.size(games, quick: max(1, games / 10)),
      illegalInputs: Effort.size(100_000, quick: 5_000))
    for finding in findings(rules, settings: settings, extent: extent) {
      Issue.record("\(R.name): \(finding)", sourceLocation: sourceLocation)
    }
  }

  /// All faults of rules `R`, at most a few of each check.
  package static func findings<R: Rules>(
    _ rules: R.Type, settings: [[String]] = [[]], extent: Extent
  ) -> [Finding] {
    var findings = Findings()
    checkStatics(rules, &findings)
    checkHostileParameters(rules, &findings)
    for setting in settings {
      guard let rules = self.rules(rules, setting, &findings) else { continue }
      let games = randomGames(rules, extent: extent, &findings)
      checkFirstMover(rules, &findings)
      checkCodec(rules, games, extent: extent, &findings)
      checkEncoding(rules, games, &findings)
      var sights = Sights(rules)
      for game in games {
        checkLegality(rules, game, extent: extent, &findings)
        checkOutcome(rules, game, extent: extent, &findings)
        checkDropOut(rules, game, extent: extent, &findings)
        checkReplay(rules, game, &findings)
        checkChance(rules, game, &findings)
        checkDisplay(rules, game, &findings)
        sights.check(game, &findings)
      }
      checkRandomMoves(rules, games, extent: extent, &findings)
      checkPlayOuts(rules, games, extent: extent, &findings)
      checkRefusal(rules, games, extent: extent, &findings)
    }
    return findings.list
  }
}

extension RulesSuite {
  /// Collects faults, and keeps the first few of each check: one bug is met at thousands of positions.
  struct Findings {
    private(set) var list: [Finding] = []

    mutating func expect(_ holds: Bool, _ check: Check, _ text: @autoclosure () -> String) {
      guard !holds, list.count(where: { $0.check == check }) < 3 else { return }
      list.append(Finding(check: check, text: text()))
    }
  }
}
