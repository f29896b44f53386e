import Rules
import TestKit
import Testing

@testable import Tournaments

/// Report files that are written of tournaments, and read and checked again.
struct SwissReportWritingTests {
  private static let hostile = "\u{202E}a\nb\r001 \u{0}\u{1B}[31mé́́́́"

  private func names(_ count: Int) -> [String] {
    (0..<count).map { $0 == 1 ? Self.hostile : "Player \($0 + 1) " + String(repeating: "é", count: $0) }
  }

  /// A tournament at a random moment, with absences and withdrawals, or at its end.
  private func played(_ settings: TournamentSettings, _ seed: UInt64) -> TournamentState {
    var random = SeededGenerator(state: seed)
    var state = TournamentState(settings: settings)
    var left = Bool.random(using: &random) ? Int.max : Int.random(in: 0..<60, using: &random)
    while left > 0, let room = state.ready.randomElement(using: &random) {
      left -= 1
      if Int.random(in: 0..<25, using: &random) == 0 {
        _ = state.apply(.withdrawal(EntrantIndex(index: .random(in: 0..<settings.entrants, using: &random))))
      } else {
        #expect(state.apply(.result(room.randomResult(seed: seed, absences: true))) == nil)
      }
    }
    return state
  }

  private func read(_ lines: SwissReportLines) throws -> SwissReport {
    try SwissReport(Array(lines.lines.map { $0 + "\n" }.joined().utf8))
  }

  @Test(arguments: 0..<Effort.size(200, quick: 40)) func aSwissIsReadAgain(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed) &+ 1_000)
    let entrants = Int.random(in: 2...30, using: &random)
    let settings = try TournamentSettings(
      format: .swiss, entrants: entrants, games: .random(in: 1...3, using: &random),
      options: ["rounds": .random(in: 1...min(9, entrants - 1 + entrants % 2), using: &random)])
    let state = played(settings, UInt64(seed))
    let lines = try SwissReportLines(state, title: "A\nB", names: names(entrants))
    let report = try read(lines)
    let isWhole = state.decidedCount == state.ledger.knownCount
    #expect((lines.openRound == nil) == isWhole && report.system == .dutch && report.name == "A?B")
    let over = state.ledger.roundCount - (isWhole ? 0 : 1)
    let players = Swiss(settings: settings).players(in: state.ledger)
    #expect(report.roundCount == over && report.rules.rounds == settings.value(of: .rounds))
    #expect(report.players.map(\.games) == players.map { Array($0.games.prefix(over)) })
    for round in 0..<over { #expect(try SwissCheck(report).check(round).agrees, "round \(round + 1)") }
  }

  @Test(arguments: 0..<Effort.size(200, quick: 40)) func aRoundRobinIsReadAgain(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed) &+ 2_000)
    let entrants = Int.random(in: 2...12, using: &random)
    let settings = try TournamentSettings(
      format: .roundRobin, entrants: entrants, games: .random(in: 1...5, using: &random),
      options: ["cycles": .random(in: 1...3, using: &random)])
    let state = played(settings, UInt64(seed))
    let report = try read(try SwissReportLines(state, title: "", names: names(entrants)))
    #expect(report.system == .roundRobin)
    for line in state.standings {
      let points = report.players[line.entrant.index].games.reduce(0) { $0 + $1.points }
      #expect(points == 5 * line.tally.halfPoints)
    }
    for round in 0..<report.roundCount {
      let found = try SwissCheck(report).check(round)
      #expect(found.agrees, "round \(round + 1): \(found)")
    }
  }

  /// The check of a round robin compares: colours the wrong way round are found.
  @Test func aRoundRobinThatDiffersIsFound() throws {
    let settings = try TournamentSettings(format: .roundRobin, entrants: 4, games: 1)
    var state = TournamentState(settings: settings)
    state.playOut { _ in .won }
    let lines = try SwissReportLines(state, title: "", names: names(4)).lines
    let turned = lines.map { line in
      line.hasPrefix("001")
        ? line.replacing(" w ", with: " x ").replacing(" b ", with: " w ").replacing(" x ", with: " b ")
        : line
    }
    let report = try SwissReport(Array(turned.joined(separator: "\n").utf8))
    let round = try SwissCheck(report).check(0)
    #expect(round.expected == [.init(white: 1, black: 4), .init(white: 2, black: 3)])
    #expect(round.found == [.init(white: 3, black: 2), .init(white: 4, black: 1)])
  }

  /// The places of TRF16, written down by hand.
  @Test func placesAreThoseOfTheForm() throws {
    var state = try TournamentState.swiss(3, rounds: 2)
    try state.play(0, .won)
    let lines = try SwissReportLines(state, title: "Club", names: ["Ada", "Bo", "Cy"]).lines
    #expect(
      lines[0...4] == ["012 Club", "062 3", "092 Individual: Swiss-System (Dutch)", "XXR 2", "XXC white1"])
    let blank = String(repeating: " ", count: 63)
    #expect(lines[5] == "001    1      Ada\(blank) 1.0    1     2 w 1")
    #expect(lines[6] == "001    2      Bo\(blank)  0.0    3     1 b 0")
    #expect(lines[7] == "001    3      Cy\(blank)  1.0    2  0000 - U")
  }

  @Test func whatHasNoReportIsRefusedInWords() throws {
    for format in TournamentFormat.allCases where format.report == nil {
      let state = try TournamentState(format, 4)
      #expect(throws: SwissReportLines.Refusal.format(format)) {
        try SwissReportLines(state, title: "", names: names(4))
      }
    }
    let long = try TournamentState(.roundRobin, 40, games: 6)
    #expect(throws: SwissReportLines.Refusal.rounds(234)) {
      try SwissReportLines(long, title: "", names: names(40))
    }
  }
}
