import TestKit
import Testing

@testable import Tournaments

/// Every round of tournaments that another program paired.
struct SwissReferenceTests {
  static let fixtures = SwissFixture.all.filter { $0.players.count <= Effort.size(.max, quick: 25) }

  @Test func thereAreTournaments() {
    #expect(SwissFixture.all.count == 179)
    #expect(SwissFixture.all.reduce(0) { $0 + $1.players[0].count - 1 } == 1_035)
  }

  @Test(arguments: fixtures) func roundsAreThoseOfTheReference(_ fixture: SwissFixture) throws {
    let report = try SwissReport(Array(fixture.report.utf8))
    #expect(report.name == fixture.name)
    for round in 0..<report.roundCount {
      let found = try SwissCheck(report).check(round)
      #expect(found.agrees, "round \(round + 1): expected \(found.expected), found \(found.found)")
    }
  }

  @Test(.enabled(if: ReferenceData.has("swiss-dutch"), "\(ReferenceData.absence)"))
  func filesOfTheReferenceAreRead() throws {
    var count = 0
    for name in try ReferenceData.names("swiss-dutch").sorted() where name.hasSuffix(".trf") {
      let report = try SwissReport(ReferenceData.bytes("swiss-dutch/\(name)"))
      count += 1
      guard report.players.count <= Effort.size(.max, quick: 14) else { continue }
      for round in 0..<report.roundCount {
        #expect(try SwissCheck(report).check(round).agrees, "\(name) \(round + 1)")
      }
    }
    #expect(count > 0)
  }
}
