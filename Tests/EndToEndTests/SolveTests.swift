import Foundation
import TestKit
import Testing

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SolveTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test(arguments: [("", 0), ("5", 0), ("12", 1), ("521", -1), ("14253", -1)])
  func ticTacToe(_ position: String, _ value: Int) throws {
    let arguments = ["solve", "tic-tac-toe", "--json"] + (position.isEmpty ? [] : [position])
    let solved = try Program.start(arguments, home: home).finish().objects()
    #expect(solved.count == 1)
    #expect(solved[0]["type"] as? String == "solved")
    #expect(solved[0]["proven"] as? Bool == true)
    #expect((solved[0]["value"] as? Int).map { $0.signum() } == value, "\(solved)")
  }

  @Test func aPositionIsALineOfWords() throws {
    let position = "27431475612667316366545723354545"
    let run = try Program.run("solve", "connect-four", position, home: home)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("\(position)  value "))
    #expect(run.output.contains("  best "))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  /// Each side has stacked three stones; the mover wins with its 4th, when 35 cells are still empty.
  static let won = "121212"

  @Test func aFileIsComparedWithTheValuesInIt() throws {
    let solved = try Program.run("solve", "connect-four", Self.won, "--json", home: home).objects()
    #expect(solved[0]["value"] as? Int == 18)
    #expect(solved[0]["best"] as? [String] == ["1"])
    let lines = "# a comment\n\n\(Self.won) 18\n\(Self.won)1\n"
    try home.write("good", Data(lines.utf8))
    try home.write("bad", Data((lines + "\(Self.won) 17\n").utf8))
    let good = try Program.run("solve", "connect-four", "--file", "good", "--json", home: home)
    #expect(good.status == 0, "\(good.errors)")
    let objects = try good.objects()
    #expect(objects.map { $0["type"] as? String } == ["solved", "solved", "compared"])
    #expect(objects[2]["positions"] as? Int == 1)
    #expect(objects[2]["differing"] as? Int == 0)
    let bad = try Program.run("solve", "connect-four", "--file", "bad", home: home)
    #expect(bad.status == 1)
    #expect(bad.output.contains("but 17 was expected"))
    #expect(bad.errors.contains("solving"))
    let piped = try Program.run(
      "solve", "connect-four", "--file", "-", home: home, input: Data("\(Self.won) 18".utf8))
    #expect(piped.status == 0)
    #expect(piped.output.hasSuffix("1 position: every value is as expected.\n"))
  }

  @Test(arguments: ["1 2 3", "1 x", "9", "11111111"])
  func aBadLineIsNamed(_ line: String) throws {
    let run = try Program.run(
      "solve", "connect-four", "--file", "-", home: home, input: Data("\(Self.won)\n\(line)\n".utf8))
    #expect(run.status == 65)
    #expect(run.errors.contains("line 2 of the file"))
  }

  /// What the solver makes once, which takes a thousand times as long as these positions, is not counted for the first
  /// one. One of some runs tells: others have the processor too.
  @Test func theFirstPositionIsNoSlowerThanOthers() throws {
    try home.write("positions", Data("12121\n12121\n12121\n".utf8))
    var ratios: [Int] = []
    for _ in 0..<10 where ratios.allSatisfy({ $0 >= 100 }) {
      let run = try Program.run(
        "solve", "connect-four", "--file", "positions", "--nodes", "1", "--json", home: home)
      let times = try run.objects().compactMap { $0["microseconds"] as? Int }
      #expect(times.count == 3, "\(run.output)\(run.errors)")
      ratios.append((times.first ?? .max) / max(1, times.dropFirst().max() ?? 1))
    }
    #expect(ratios.contains { $0 < 100 }, "\(ratios)")
  }

  @Test func aLimitOfNodesGivesBounds() throws {
    let solved = try Program.run("solve", "connect-four", "--nodes", "1000", "--json", home: home).objects()
    let (lower, upper) = (solved[0]["lower"] as? Int ?? 99, solved[0]["upper"] as? Int ?? -99)
    #expect(lower <= upper)
    #expect(solved[0]["proven"] as? Bool == (solved[0]["value"] is Int))
  }

  @Test func anInterruptEndsALongSearch() throws {
    // Thirteen plies in: far more positions than can be searched before the signal.
    let lines = String(repeating: "1\n", count: 10_000)
    let run = try Program.start(
      ["solve", "connect-four", "--file", "-", "--nodes", "100000"], home: home, input: Data(lines.utf8))
    while try run.printed().isEmpty, run.process.isRunning { usleep(1000) }
    run.process.send(SIGINT)
    let finished = try run.finish()
    #expect(finished.status == 130)
  }
}
