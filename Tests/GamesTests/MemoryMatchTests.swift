import Games
import Rules
import TestKit
import Testing

/// Memory match: the shared suite, and that drawing cards one by one is the same as shuffling them.
@Suite struct MemoryMatchTests {
  private func rules(_ settings: String...) throws -> MemoryMatch { try MemoryMatch(parameters(settings)) }

  @Test func keepsTheSuite() {
    RulesSuite.check(
      MemoryMatch.self, codes: 0...110,
      settings: [[], ["cards=8"], ["cards=8", "players=3"], ["cards=14", "players=8"]], games: 8)
  }

  @Test func keepsTheSuiteWithAllCards() {
    RulesSuite.check(
      MemoryMatch.self, codes: 0...110, settings: [["cards=100", "players=5"]], games: 2)
  }

  @Test func goldenPlaythroughs() throws {
    try Playthrough.check(MemoryMatch.self, settings: [["cards=8"], ["cards=10", "players=3"]])
  }

  @Test func refusesOddNumbersOfCards() {
    #expect(throws: RulesError.self) { try rules("cards=9") }
    #expect(throws: RulesError.self) { try rules("players=9") }
    #expect(throws: RulesError.self) { try rules("players=1") }
  }

  /// A chance whose first number below `bound` is `wanted`.
  private func chance(_ wanted: Int, below bound: Int) -> Chance {
    for seed in UInt64(0)... {
      var chance = Chance(seed: seed)
      if chance.below(UInt64(bound)) == UInt64(wanted) { return Chance(seed: seed) }
    }
    preconditionFailure("no seed gives \(wanted) below \(bound)")
  }

  /// The deals that lead from a position, each with how likely it is as one in so many, turning up cards in an order.
  private func deals(
    _ rules: MemoryMatch, _ position: MemoryMatch.Position, order: [UInt8], oneIn: Int,
    _ found: inout [[UInt8]: Int],
    _ likelihoods: inout Set<Int>
  ) {
    var position = position
    guard case .round = rules.turn(in: position) else {
      let next = order.first { position.face(of: card(rules, $0)) == nil }
      guard let next, case .seat = rules.turn(in: position) else {
        found[position.cards.map { position.face(of: $0)?.number ?? 99 }, default: 0] += 1
        likelihoods.insert(oneIn)
        return
      }
      rules.play(card(rules, next), in: &position)
      return deals(rules, position, order: order, oneIn: oneIn, &found, &likelihoods)
    }
    let left = position.facesLeft
    for index in left.indices where index == 0 || left[index] != left[index - 1] {
      // Faces of which two are left come up by either.
      for place in left.indices where left[place] == left[index] {
        var next = position
        var chance = chance(place, below: left.count)
        rules.resolve([nil, nil], by: &chance, in: &next)
        deals(rules, next, order: order, oneIn: oneIn * left.count, &found, &likelihoods)
      }
    }
  }

  private func card(_ rules: MemoryMatch, _ index: UInt8) -> MemoryMatch.Card {
    guard let card = rules.move(code: MoveCode(UInt32(index))) else {
      preconditionFailure("no card \(index)")
    }
    return card
  }

  /// Every arrangement of eight cards is as likely as every other, in whatever order they are turned up: 8! draws in
  /// all, less those that are certain, and each of the 8!/2⁴ arrangements by equally many of them.
  @Test(arguments: [[0, 1, 2, 3, 4, 5, 6, 7], [7, 2, 5, 0, 3, 6, 1, 4]] as [[UInt8]])
  func drawsAreAShuffledDeck(_ order: [UInt8]) throws {
    let rules = try rules("cards=8")
    var found: [[UInt8]: Int] = [:]
    var likelihoods: Set<Int> = []
    deals(rules, rules.start(first: Seat(0)), order: order, oneIn: 1, &found, &likelihoods)
    // Draws that are certain are not made: weigh each path by its likelihood instead of counting it.
    #expect(found.count == 2520)
    #expect(found.keys.allSatisfy { deal in (0..<4).allSatisfy { face in deal.count { $0 == face } == 2 } })
    var exact: [[UInt8]: Double] = [:]
    for deal in found.keys { exact[deal] = likelihood(of: deal, order: order) }
    #expect(exact.values.allSatisfy { abs($0 - 1 / 2520) < 1e-15 })
    // Each arrangement was met in proportion to how its draws were made.
    #expect(found.allSatisfy { deal, count in count == paths(to: deal, order: order) })
  }

  /// How likely an arrangement is when cards are drawn in an order from what is left.
  private func likelihood(of deal: [UInt8], order: [UInt8]) -> Double {
    var left = [2, 2, 2, 2]
    return order.reduce(1.0) { likelihood, card in
      let face = Int(deal[Int(card)])
      defer { left[face] -= 1 }
      return likelihood * Double(left[face]) / Double(left.reduce(0, +))
    }
  }

  /// By how many draws an arrangement comes about, when certain ones are not made.
  private func paths(to deal: [UInt8], order: [UInt8]) -> Int {
    var left = [2, 2, 2, 2]
    return order.reduce(1) { paths, card in
      let face = Int(deal[Int(card)])
      defer { left[face] -= 1 }
      return left.count { $0 > 0 } > 1 ? paths * left[face] : paths
    }
  }

  @Test func aPairIsKeptAndItsFinderGoesOn() throws {
    let rules = try rules("cards=8")
    var position = rules.start(first: Seat(1))
    for (index, pick) in [(UInt8(0), 0), (4, 0)] {
      rules.play(card(rules, index), in: &position)
      var chance = chance(pick, below: position.facesLeft.count)
      rules.resolve([nil, nil], by: &chance, in: &position)
    }
    #expect(position.pairs(of: Seat(1)) == 1)
    #expect(position.owner(of: card(rules, 4)) == Seat(1))
    #expect(rules.turn(in: position) == .seat(Seat(1)))
    #expect(!rules.isLegal(card(rules, 0), by: Seat(1), in: position))
  }

  @Test func whoeverLeavesBetweenTwoLosesAll() throws {
    let rules = try rules("cards=8")
    let outcome = rules.forfeit(by: Seat(0), in: rules.start(first: Seat(0)))
    #expect(outcome == Outcome(scores: [0, 4]))
  }

  @Test func turnsWithoutAnythingNewEndTheGame() throws {
    let rules = try rules("cards=8", "players=3")
    var position = rules.start(first: Seat(0))
    for (index, pick) in [(UInt8(0), 0), (1, 2)] {
      rules.play(card(rules, index), in: &position)
      var chance = chance(pick, below: position.facesLeft.count)
      rules.resolve([nil, nil, nil], by: &chance, in: &position)
    }
    for turn in 0..<6 {
      #expect(rules.turn(in: position) == .seat(Seat(UInt16((turn + 1) % 3))))
      rules.play(card(rules, 0), in: &position)
      rules.play(card(rules, 1), in: &position)
    }
    #expect(rules.turn(in: position) == .over(Outcome(scores: [0, 0, 0])))
  }

  @Test func aSeatThatDropsOutIsPassedOver() throws {
    let rules = try rules("cards=8", "players=4")
    var position = rules.start(first: Seat(1))
    rules.dropOut(Seat(2), in: &position)
    #expect(rules.turn(in: position) == .seat(Seat(1)))
    rules.dropOut(Seat(1), in: &position)
    #expect(rules.turn(in: position) == .seat(Seat(3)))
    rules.dropOut(Seat(0), in: &position)
    #expect(rules.turn(in: position) == .over(Outcome(scores: [0, 0, 0, 4])))
  }
}
