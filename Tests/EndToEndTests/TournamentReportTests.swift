import Foundation
import TestKit
import Testing

/// Tournaments as `tournament show`, `standings` and `bracket` write them for other programs.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentReportTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: String) throws -> Program.Finished {
    try Program.start(
      ["tournament"] + words.split(separator: " ").map(String.init) + ["--data", "data"], home: home
    ).finish()
  }

  private func run(_ words: String) throws -> String {
    let run = try start(words)
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: home.file(file), encoding: .utf8)
  }

  @Test func tablesOfARoundRobin() throws {
    _ = try run(
      "run --game prisoners-dilemma --format round-robin --entrants tit-for-tat,cooperator,defector --set rounds=5"
        + " --set payoffs=axelrod")
    #expect(
      try run("standings --format csv") == """
        rank,entrant,seed,won,drawn,lost,game-points,score,out,reason
        1,defector,3,4,0,0,4,68,,
        2,tit-for-tat,1,0,2,2,1,38,,
        3,cooperator,2,0,2,2,1,30,,

        """)
    #expect(
      try run("bracket --format csv") == """
        number,entrant,points,defector,tit-for-tat,cooperator
        1,defector,4,,2,2
        2,tit-for-tat,1,0,,1
        3,cooperator,1,0,1,

        """)
    let pairings = try run("show --format csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(pairings.count == 4 && pairings.allSatisfy { $0.count == 10 } && pairings[0][0] == "pairing")
    #expect(pairings.dropFirst().map { $0[2] } == ["", "", ""])
    #expect(try run("standings --format json") == run("standings --json"))
    #expect(try run("bracket --format json") == run("show --json"))
  }

  /// A Swiss tournament's report file is read by the program itself.
  @Test func aReportFileIsCheckedAgain() throws {
    for (format, entrants) in [
      ("swiss --rounds 3", "greedy,random,greedy,random,random"),
      ("round-robin", "greedy,random,greedy,random"),
    ] {
      _ = try run("run --game tic-tac-toe --format \(format) --entrants \(entrants)")
      let made = try run("standings --format trf --output \(format.prefix(5)).trf")
      #expect(made == "Written to \(format.prefix(5)).trf.\n")
      #expect(try text("\(format.prefix(5)).trf") == run("show --format trf"))
      let check = try run("check \(format.prefix(5)).trf")
      #expect(check.contains("rounds agree"), "\(check)")
    }
    #expect(try text("swiss.trf").contains("\n092 Individual: Swiss-System (Dutch)\nXXR 3\nXXC white1\n"))
    let rounds = try run("bracket --format csv").split(separator: "\n")
    #expect(rounds[0].hasPrefix("number,entrant,points,"))
  }

  @Test func whatCannotBeWritten() throws {
    _ = try run("run --game tic-tac-toe --entrants greedy,random")
    let trf = try start("bracket --format trf")
    #expect(trf.status == 69 && trf.output.isEmpty && trf.errors.contains("not of a single-elimination"))
    #expect(trf.errors.contains("--format csv"))
    let typo = try start("show --format cvs")
    #expect(typo.status == 64 && typo.errors.contains("did you mean csv?"), "\(typo.errors)")
    #expect(try start("show --format csv --json").status == 64)
    #expect(try start("show --output a").status == 64)
    #expect(try start("show --format csv --output data/a").status == 73)
    #expect(try start("show --format csv --output a").status == 0)
    let again = try start("show --format csv --output a")
    #expect(again.status == 73 && again.errors.contains("--force"), "\(again.errors)")
    #expect(try start("show --format csv --output a --force").status == 0)
    #expect(try start("show --format csv --output none/a").status == 73)
    #expect(try text("a") == run("bracket --format csv"), "an elimination has no crosstable")
  }
}
