import Foundation
import TestKit
import Testing

/// `parlor dilemma`, as people and programs read it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DilemmaTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: String) throws -> Program.Finished {
    try Program.start(
      ["dilemma"] + words.split(separator: " ").map(String.init) + ["--data", home.file("data")], home: home
    ).finish()
  }

  private func run(_ words: String) throws -> String {
    let run = try start(words)
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  private static let axelrod = "--set rounds=10 --set payoffs=axelrod"

  /// Tit-for-tat and a defector get 30, 9, 14 and 10 in ten rounds: 13/21 and 8/21 after one generation.
  @Test func anEcologyByHand() throws {
    let words = "ecology --entrants tit-for-tat,defector \(Self.axelrod) --generations 2"
    #expect(
      try run("\(words) --format csv")
        == "generation,tit-for-tat,defector\n0,0.500000,0.500000\n1,0.619048,0.380952\n2,0.741298,0.258702\n")
    let objects = try Program.start(
      ["dilemma"] + words.split(separator: " ").map(String.init) + ["--json"], home: home
    ).finish().objects()
    #expect(objects.map { $0["generation"] as? Int } == [0, 1, 2, nil])
    #expect(objects.last?["scores"] as? [[Int]] == [[60, 9], [14, 20]])
    #expect(objects.last?["rounds"] as? [[Int]] == [[20, 10], [10, 20]])
    #expect(try run("\(words) --format json") == run("\(words) --json"))
    let shown = try run(words)
    #expect(shown.contains("2 generations; 10 rounds, payoffs 5,3,1,0, seed 0"))
    #expect(shown.firstMatch(of: #/1 +tit-for-tat +50.0 % +74.1 % +74.1 % +2/#) != nil, "\(shown)")
  }

  /// With payoffs 3, 2, 0, -1 gains are counted above -1 a round: 30, 0, 40 and 10 in ten rounds.
  @Test func payoffsBelowNothing() throws {
    let shares = try run("ecology --entrants cooperator,defector,cooperator --generations 1 --format csv")
    // Two thirds and one third gain 20 and 30; the mean is 70/3.
    #expect(shares.hasSuffix("0,0.666667,0.333333\n1,0.571429,0.428571\n"), "\(shares)")
  }

  @Test func theSameSeedTheSameBytes() throws {
    let words =
      "moran --entrants random,joss,axelrod-first,defector --copies 2 \(Self.axelrod) --games 3 --mutation 50"
      + " --steps 300 --set noise=20"
    for format in ["csv", "svg", "json", "text"] {
      let one = try run("\(words) --seed 4 --format \(format)")
      #expect(try one == run("\(words) --seed 4 --format \(format)"), "\(format)")
      #expect(try one != run("\(words) --seed 5 --format \(format)"), "\(format)")
    }
    #expect(!FileManager.default.fileExists(atPath: home.file("data")), "nothing is logged")
  }

  @Test func aPopulationIsTakenOver() throws {
    let words = "moran --entrants tit-for-tat,defector --copies 5 \(Self.axelrod) --seed 1"
    let lines = try run("\(words) --format csv").split(separator: "\n")
    #expect(lines.first == "step,tit-for-tat,defector" && lines[1] == "0,5,5")
    let last = try #require(lines.last?.split(separator: ",").compactMap { Int($0) })
    #expect(last.count == 3 && last[0] > 0 && [[10, 0], [0, 10]].contains(Array(last[1...])))
    let shown = try run(words)
    #expect(shown.contains("has taken over after \(last[0]) steps."), "\(shown)")
    let runs = try run("\(words) --runs 20 --format csv").split(separator: "\n")
    #expect(runs.count == 21 && runs[1].hasPrefix("1,\(last[0]),"))
    let many = try run("\(words) --runs 20")
    #expect(many.contains("20 runs of ") && many.contains("took over"))
    #expect(try run("\(words) --steps 1").contains("Nobody has taken over after 1 step."))
  }

  @Test(arguments: [
    ("moran", "--entrants"), ("moran --entrants tit-for-tat", "2 to 200 different"),
    ("ecology --entrants tit-for-tat,tit-for-tat", "2 to 200 different"),
    ("moran --entrants tit-for-tat,nobody", "no bot “nobody”"),
    ("moran --entrants tit-for-tat,,joss", "empty"),
    ("moran --entrants tit-for-tat,./joss.py", "strategies of this program"),
    ("ecology --entrants tit-for-tat,solver", "solver"),
    ("moran --entrants tit-for-tat,joss --copies 10001", "10000"),
    ("moran --entrants tit-for-tat,joss --copies 9999", "more than 10000"),
    ("moran --entrants tit-for-tat,joss --steps 99999999999999999999", "--steps"),
    ("moran --entrants tit-for-tat,joss --mutation 1001", "1000"),
    ("moran --entrants tit-for-tat,joss --runs 2 --format svg", "one run"),
    ("ecology --entrants tit-for-tat,joss --generations 0", "--generations"),
    ("ecology --entrants tit-for-tat,joss --games -1", "--games"),
    ("ecology --entrants tit-for-tat,joss --set rounds=0", "rounds"),
    ("ecology --entrants memory-one:1:2:3:4,joss", "memory-one"),
  ])
  func whatCannotBe(words: String, says: String) throws {
    let run = try start(words)
    #expect(run.status == 64 && run.output.isEmpty && run.errors.contains(says), "\(words): \(run.errors)")
  }

  @Test func itCanBeStopped() throws {
    let run = try Dialogue(
      ["dilemma", "moran", "--entrants", "tit-for-tat,defector", "--mutation", "10", "--steps", "100000000"],
      home: home)
    try run.wait(for: "the first step") { try run.errors().contains("moran") }
    run.send(SIGINT)
    let end = try run.finish()
    #expect(end.status == 130 && end.output.isEmpty)
    #expect(end.errors.contains("nothing is kept"), "\(end.errors)")
  }
}
