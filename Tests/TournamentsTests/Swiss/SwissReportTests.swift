import TestKit
import Testing

@testable import Tournaments

/// What is read of tournament reports, and what is refused in words.
struct SwissReportTests {
  private static let rounds = [["3w1", "2b="], ["4b1", "1w="], ["1b0", "4w+"], ["2w0", "3b-"]]
  private static let points = ["1.5", "1.5", "1.0", "0.0"]

  private func lines(_ change: (inout [String]) -> Void = { _ in }) -> String {
    var lines = (0..<4).map {
      SwissFixture.line(number: $0 + 1, points: Self.points[$0], rounds: Self.rounds[$0])
    }
    change(&lines)
    return lines.joined(separator: "\n")
  }

  private func read(_ text: String) throws(SwissReportError) -> SwissReport {
    try SwissReport(Array(text.utf8))
  }

  private func words(_ text: String) -> String {
    do throws(SwissReportError) {
      _ = try read(text)
      return "read"
    } catch {
      #expect(!error.hint.isEmpty)
      return error.description
    }
  }

  @Test func gamesAreRead() throws {
    let report = try read("012 Open\n" + lines() + "\nXXR 5\nXXC black1\n")
    #expect(report.name == "Open")
    #expect(report.roundCount == 2)
    #expect(report.rules == SwissRules(rounds: 5, initialColour: .black))
    let third = report.players[2].games
    #expect(third[0] == SwissGame(opponent: 0, colour: .black, isPlayed: true, isPaired: true, points: 0))
    #expect(third[1] == SwissGame(opponent: 3, colour: .white, isPlayed: false, isPaired: true, points: 10))
  }

  @Test(arguments: ["\n", "\r", "\r\n"]) func linesEndInAnyWay(_ end: String) throws {
    let text = "\u{FEFF}012 Open\n\(lines())\n142 5\n152 B\n".split(separator: "\n").joined(separator: end)
    let report = try read(text)
    #expect(report.players.count == 4 && report.rules.rounds == 5 && report.rules.initialColour == .black)
  }

  /// Names in an older encoding keep all that follows in its place.
  @Test func latinNamesAreRead() throws {
    var bytes = Array(lines().utf8)
    bytes[20] = 0xE9
    #expect(try SwissReport(bytes).players.count == 4)
  }

  @Test func otherPointsAreRead() throws {
    let three = lines { lines in
      for (place, points) in ["4.0", "4.0", "3.0", "0.0"].enumerated() {
        lines[place] = SwissFixture.line(number: place + 1, points: points, rounds: Self.rounds[place])
      }
    }
    #expect(words(three).hasPrefix("line 1: it has 4.0 points, and the results give 1.5"))
    #expect(try read(three + "\nBBW 3.0\nBBD 1.0\n").rules.winPoints == 30)
  }

  @Test func firstColourIsToldByTheFirstRound() throws {
    #expect(try read(lines()).rules.initialColour == .white)
    let away = SwissFixture.line(number: 1, points: "0.0", rounds: ["Z", "Z"])
    let others = [["3b1"], ["2w0"]].enumerated().map {
      SwissFixture.line(number: $0 + 2, points: $0 == 0 ? "1.0" : "0.0", rounds: $1)
    }
    #expect(try read(([away] + others).joined(separator: "\n")).rules.initialColour == .black)
  }

  @Test(arguments: [
    ("XXA    1  1.0", "acceleration"), ("250", "acceleration"), ("XXP 1 2", "forbidden pairs"),
    ("013 Team", "teams"), ("XXC rank", "by rank"), ("192 FIDE_DUBOV", "FIDE_DUBOV"),
    ("092 FIDE_DUTCH_2026_BAKU", "acceleration"), ("XXR 1", "says 1 rounds"), ("XXR x", "“x”"),
    ("152 green", "“green”"), ("BBW much", "“much”"),
  ])
  func whatIsNotKnownIsRefused(_ line: String, _ reason: String) {
    let words = words(lines() + "\n" + line)
    #expect(words.hasPrefix("line 5: ") && words.contains(reason), "\(words)")
  }

  @Test(arguments: [
    "092 Individual: Swiss-System", "092 FIDE_DUTCH_2025", "192 FIDE_DUTCH", "XXZ 3", "### words", "x",
  ])
  func whatDoesNotMatterIsPassedOver(_ line: String) { #expect(words(lines() + "\n" + line) == "read") }

  @Test(arguments: [
    (1, "1.5", ["9w1", "2b="], "line 1: round 1 is against 9"),
    (1, "1.5", ["1w1", "2b="], "line 1: round 1 is against “1”"),
    (1, "1.5", ["4w1", "2b="], "line 1: round 1 is against 4, who in line 4"),
    (1, "1.5", ["3b1", "2b="], "line 1: the colours of round 1"),
    (1, "0.5", ["3w-", "2b="], "line 1: round 1 was played by this line or line 3"),
    (1, "1.5", ["3w1", "2bX"], "line 1: the result of round 2 is “X”"),
    (1, "1.5", ["3x1", "2b="], "line 1: the colour of round 1 is “x”"),
    (1, "1.5", ["3w1", "2bH"], "line 1: round 2 has an opponent and the result H"),
    (1, "1.5", ["3w1", "1"], "line 1: round 2 has the result 1 and no opponent"),
    (1, "2.5", ["3w1", "2b="], "line 1: it has 2.5 points, and the results give 1.5"),
    (2, "1.5", ["4b1", "1w="], "line 2: the pairing number 2 is also that of line 1"),
    (0, "1.5", ["4b1", "1w="], "line 1: places 5 to 8 hold “0”"),
  ])
  func linesThatContradict(_ number: Int, _ points: String, _ rounds: [String], _ reason: String) {
    let text = lines { $0[0] = SwissFixture.line(number: number, points: points, rounds: rounds) }
    #expect(words(text).hasPrefix(reason), "\(words(text))")
  }

  @Test func noReportAtAll() {
    for text in ["", "hello", "\n\n\n", "{}"] { #expect(words(text).contains("no tournament report")) }
    #expect(throws: SwissReportError.tooLong) {
      try SwissReport([UInt8](repeating: 0x20, count: SwissReport.mostBytes + 1))
    }
    #expect(words("001").hasPrefix("line 1: places 5 to 8 hold “”"))
    #expect(words("001    1").hasPrefix("line 1: places 81 to 84 hold “”"))
  }

  /// Files with bytes changed, moved and cut are read or refused, and what is read is paired or is not.
  @Test func changedFilesNeverTrap() throws {
    var random = SeededGenerator(state: 7)
    let small = SwissFixture.all.filter { $0.players.count <= 9 }
    try #require(!small.isEmpty)
    var read = 0
    for _ in 0..<Effort.size(6_000, quick: 1_500) {
      var bytes = Array(small.randomElement(using: &random)?.report.utf8 ?? "".utf8)
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = "0123456789 wb=+-HUZ.\r".utf8.randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...12, using: &random)))
        case 3: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 10)], at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let report: SwissReport
      do throws(SwissReportError) { report = try SwissReport(bytes) } catch {
        #expect(!error.description.isEmpty)
        continue
      }
      read += 1
      for round in 0..<report.roundCount {
        #expect(throws: Never.self) { try SwissCheck(report).check(round) }
      }
    }
    #expect(read > 100)
  }
}
