import Foundation
import TestKit
import Testing

/// `tournament check` over report files that are whole, changed, broken or not there.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentCheckTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try home.write("good.trf", Data(Self.report(Self.rounds).utf8))
    var other = Self.rounds
    // Whoever should have met 3 and 4 in the first round meets the other one.
    (other[0][0], other[1][0], other[2][0], other[3][0]) = ("4w1", "3b1", "2w0", "1b0")
    (other[0][1], other[1][1], other[2][1], other[3][1]) = ("2b=", "1w=", "4b1", "3w0")
    try home.write("other.trf", Data(Self.report(other).utf8))
    try home.write("none.trf", Data("# no report\n".utf8))
  }

  /// Four players and two rounds, paired by the rules.
  private static let rounds = [["3w1", "2b="], ["4b1", "1w="], ["1b0", "4w1"], ["2w0", "3b0"]]

  private static func report(_ rounds: [[String]]) -> String {
    let lines = rounds.enumerated().map { place, rounds in
      let results = rounds.map(\.last)
      let half = results.reduce(0) { $0 + ($1 == "1" ? 2 : $1 == "=" ? 1 : 0) }
      let name = "Player \(place + 1)".padding(toLength: 76, withPad: " ", startingAt: 0)
      let games = rounds.map { "     \($0.prefix(1)) \($0.dropFirst().prefix(1)) \($0.suffix(1))" }
      let head = "001    \(place + 1) \(name)".padding(toLength: 80, withPad: " ", startingAt: 0)
      return "\(head) \(half / 2).\(half % 2 * 5)    \(place + 1)\(games.joined())"
    }
    return "012 Club\n" + lines.joined(separator: "\n") + "\nXXR 3\n"
  }

  private func check(_ words: String...) throws -> Program.Finished {
    try Program.start(["tournament", "check"] + words, home: home).finish()
  }

  @Test func aTournamentThatAgrees() throws {
    let run = try check("good.trf")
    #expect(run.output == "good.trf: 2 rounds agree\n")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  @Test func aTournamentThatDiffers() throws {
    let run = try check("other.trf")
    #expect(run.status == 1, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count >= 3, "\(run.output)")
    #expect(lines[0].hasPrefix("other.trf: ") && lines[0].contains(" of 2 rounds differ"))
    #expect(lines[1] == "  Round 1: expected 1 – 3, 4 – 2")
    #expect(lines[2] == "    in the file 1 – 4, 3 – 2")
  }

  @Test func objectsForPrograms() throws {
    let objects = try check("good.trf", "other.trf", "--json").objects()
    let rounds = objects.filter { $0["type"] as? String == "round" }
    #expect(rounds.map { $0["round"] as? Int } == [1, 2, 1, 2])
    #expect(rounds[0]["agrees"] as? Bool == true && rounds[2]["agrees"] as? Bool == false)
    let expected = try #require(rounds[2]["expected"] as? [[String: Int]])
    #expect(expected == [["white": 1, "black": 3], ["white": 4, "black": 2]])
    let checked = objects.filter { $0["type"] as? String == "checked" }
    #expect(checked.map { $0["path"] as? String } == ["good.trf", "other.trf"])
    #expect(checked[0]["differing"] as? Int == 0 && checked[0]["players"] as? Int == 4)
    #expect(checked[0]["name"] as? String == "Club")
  }

  @Test func whatIsNoReport() throws {
    let run = try check("none.trf")
    #expect(run.status == 65 && run.output.isEmpty)
    #expect(run.errors.contains("this is no tournament report") && run.errors.contains("hint: "))
    let missing = try check("missing.trf")
    #expect(missing.status == 66 && missing.errors.contains("missing.trf"), "\(missing.errors)")
    #expect(try check().status == 64)
  }

  @Test func oneBadFileKeepsNoOtherBack() throws {
    let run = try check("none.trf", "good.trf", "missing.trf")
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.output == "good.trf: 2 rounds agree\n")
    #expect(run.errors.contains("none.trf: this is no tournament report"))
    #expect(try check("missing.trf", "other.trf").status == 1)
  }
}
