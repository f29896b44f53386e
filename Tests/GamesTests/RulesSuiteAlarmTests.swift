import Rules
import TestKit
import Testing

/// Each check of the shared suite finds a bug planted for it, and finds nothing where there is none.
@Suite struct RulesSuiteAlarmTests {
  private func findings(of bug: Pile.Bug, together: Bool) -> [RulesSuite.Finding] {
    RulesSuite.findings(
      Pile.self, settings: [["bug=\(bug.rawValue)", "together=\(together ? 1 : 0)"]],
      extent: RulesSuite.Extent(codes: 0...9, games: 10, illegalInputs: 2000, plyLimit: 50))
  }

  @Test(arguments: [false, true])
  func soundRulesPass(together: Bool) {
    #expect(findings(of: .none, together: together) == [])
  }

  private static let planted: [(bug: Pile.Bug, check: RulesSuite.Check)] = [
    (.descendingMoves, .legality), (.laxLegality, .legality), (.anySeat, .legality),
    (.firstMoveAlways, .random), (.unlistedMove, .random), (.stopsEarly, .random), (.wrongCode, .codec),
    (.wrongText, .codec), (.escapeInText, .codec), (.forgottenSetting, .replay),
    (.forgottenSetting, .parameters),
    (.poorEncoding, .encoding), (.richEncoding, .encoding), (.laxLegality, .refusal), (.endless, .outcome),
    (.missingScore, .outcome), (.movesAfterTheEnd, .outcome), (.silentSetting, .parameters),
    (.blindView, .views), (.sharpSpectator, .views), (.poorSight, .views), (.richSight, .views),
    (.raggedBoard, .display), (.deadLabel, .display),
  ]

  @Test(arguments: planted, [false, true])
  func plantedBugIsFound(planted: (bug: Pile.Bug, check: RulesSuite.Check), together: Bool) {
    let checks = Set(findings(of: planted.bug, together: together).map(\.check))
    #expect(checks.contains(planted.check), "\(planted.bug) was found by \(checks.map(\.rawValue).sorted())")
  }

  /// Where all choose together nobody moves first, so there the bug is none.
  @Test func wrongFirstMoverIsFound() {
    #expect(findings(of: .deafToFirst, together: false).contains { $0.check == .firstMover })
    #expect(findings(of: .deafToFirst, together: true) == [])
  }

  /// Chance has a part in rounds alone.
  @Test func chanceThatNobodyKnowsOfIsFound() {
    #expect(findings(of: .hiddenDie, together: true).contains { $0.check == .chance })
    #expect(findings(of: .hiddenDie, together: false) == [])
  }

  @Test func everyCheckAndEveryBugIsTried() {
    #expect(Set(Self.planted.map(\.check)).union([.firstMover, .chance]) == Set(RulesSuite.Check.allCases))
    let apart: Set<Pile.Bug> = [.none, .deafToFirst, .hiddenDie]
    #expect(Set(Self.planted.map(\.bug)).union(apart) == Set(Pile.Bug.allCases))
  }

  // MARK: - Hosted rounds

  private func findings(of bug: Guess.Bug) -> [RulesSuite.Finding] {
    RulesSuite.hostedFindings(
      Guess.self, settings: [["bug=\(bug.rawValue)"]], contents: [[7]], solutions: [[3]],
      typed: ["3", "4", "x", "12"])
  }

  private static let plantedInRounds: [(bug: Guess.Bug, check: RulesSuite.Check)] = [
    (.wrongText, .codec), (.laxEntry, .codec), (.laxReading, .codec), (.missingPoints, .outcome),
    (.paidSilence, .outcome), (.favourite, .outcome), (.reopened, .outcome), (.lastPlaceFirst, .outcome),
    (.forgottenSetting, .parameters), (.silentSetting, .parameters), (.escapeInQuestion, .display),
    (.oneChoice, .display), (.noQuestion, .display),
  ]

  @Test(arguments: plantedInRounds) func aBugInRoundsIsFound(_ bug: Guess.Bug, _ check: RulesSuite.Check) {
    #expect(findings(of: bug).map(\.check).contains(check))
  }

  @Test func soundRoundsPassAndEveryBugIsTried() {
    #expect(findings(of: Guess.Bug.none) == [])
    #expect(Set(Self.plantedInRounds.map(\.bug)).union([.none]) == Set(Guess.Bug.allCases))
  }

  @Test func wrongUseOfTheSuiteIsFound() {
    let narrow = RulesSuite.Extent(codes: 0...1, games: 1, illegalInputs: 100)
    #expect(RulesSuite.findings(Pile.self, extent: narrow).contains { $0.check == .legality })
    let refused = RulesSuite.findings(Pile.self, settings: [["bug=nonsense"]], extent: narrow)
    #expect(refused.contains { $0.check == .parameters })
  }

  @Test func changedPlaythroughIsFound() throws {
    let rules = try Pile(Parameters())
    let golden = Playthrough.text(
      rules, first: Seat(1), steps: [[MoveCode(2)], [MoveCode(3)], [MoveCode(2)]])
    #expect(Playthrough.difference(rules, golden: golden) == nil)
    for (old, new) in [
      ("encoded 050001", "encoded 050002"), ("seat 2\n", "seat 1\n"), ("over", "over "),
      ("first 2", "first 1"),
    ] {
      #expect(golden.contains(old), "\(golden)")
      #expect(
        Playthrough.difference(rules, golden: golden.replacing(old, with: new, maxReplacements: 1)) != nil)
    }
    #expect(Playthrough.difference(rules, golden: golden + "\n") != nil)
    #expect(Playthrough.difference(rules, golden: golden.replacing("play 3", with: "play 9")) != nil)
  }

  @Test func perftCountsAPile() throws {
    let rules = try Pile(Parameters())
    let perft = Perft(rules, from: rules.start(first: Seat(0)), depth: 3)
    #expect(perft.nodes == [1, 3, 9, 23])
    #expect(perft.wins == [[0, 0], [0, 0], [0, 0], [6, 0]])
    #expect(perft.draws == [0, 0, 0, 0])
  }
}
