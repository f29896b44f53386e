import Games
import Rules
import Testing

@Suite struct PrisonersDilemmaEncountersTests {
  private func end(of choices: String) throws -> PrisonersDilemma.Position {
    var parameters = Parameters()
    parameters["payoffs"] = "axelrod"
    let rules = try PrisonersDilemma(parameters)
    var position = rules.start(first: Seat(0))
    for round in choices.split(separator: " ") {
      var chance = Chance.none
      rules.resolve(round.map { $0 == "C" ? .cooperate : .defect }, by: &chance, in: &position)
    }
    return position
  }

  /// Sums of both seats, over games on either seat, and of one against itself.
  @Test func sumsAreOfThePlayerNotOfTheSeat() throws {
    var encounters = PrisonersDilemma.Encounters(count: 3)
    encounters.add(try end(of: "CC CD DD"), of: (0, 1))
    encounters.add(try end(of: "CD CD"), of: (1, 0))
    encounters.add(try end(of: "CD"), of: (2, 2))
    let first = encounters[0, 1]
    #expect(first.rounds == 5 && first.cooperations == 2 && first.score == 3 + 0 + 1 + 5 + 5)
    let second = encounters[1, 0]
    #expect(second.rounds == 5 && second.cooperations == 3 && second.score == 3 + 5 + 1)
    #expect(second.meanScore == 1.8 && second.cooperationRate == 0.6)
    #expect(encounters[2, 2].rounds == 2 && encounters[2, 2].score == 5)
    #expect(encounters[0, 2].rounds == 0 && encounters[0, 2].meanScore == nil)
    #expect(encounters.total(of: 0) == first)
  }
}
