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

  /// Every format of tournament has a picture and a page, the same bytes each time, and others' words are text.
  @Test(arguments: [
    "single-elimination --third-place", "double-elimination", "round-robin", "swiss", "gauntlet", "ladder",
    "groups --groups 2 --third-place",
  ])
  func picturesAndPages(_ format: String) throws {
    let title = "</title></script><script>alert(1)</script>"
    _ = try Program.start(
      [
        "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random,greedy,random,random",
        "--format",
      ]
        + format.split(separator: " ").map(String.init) + ["--title", title, "--data", "data"], home: home
    ).finish()
    for command in ["show", "standings", "bracket"] {
      let picture = try run("\(command) --format svg")
      #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n") && !picture.contains("<script"))
      #expect(try picture == run("bracket --format svg"))
    }
    let page = try run("show --format html")
    #expect(page.components(separatedBy: "<script").count == 3, "its own two")
    #expect(page.contains("M1 ") && page.contains("class=\"ratings\"") && page.contains("&lt;script&gt;"))
    #expect(try run("show --format html --output a.html --force") == "Written to a.html.\n")
    #expect(try text("a.html") == page)
  }

  /// A page has at most 200 games, and says what is left out.
  @Test(.enabled(if: !Effort.isQuick)) func manyGamesAreLeftOut() throws {
    _ = try run(
      "run --game tic-tac-toe --format round-robin --entrants random,random,random --games 70 --concurrency 2"
    )
    let page = try run("show --format html")
    #expect(page.components(separatedBy: "<option ").count == 201)
    #expect(
      page.contains("<p>10 games more: a page has at most 200 games") && page.contains("`parlor replay ROOM`")
    )
  }

  /// Somebody steps through the games of a page, at every width.
  @Test(.inABrowser) func aPageIsReadInABrowser() throws {
    for words in [
      "connect-four --format double-elimination --entrants greedy,random,random,random",
      "prisoners-dilemma --set rounds=3 --format round-robin --entrants tit-for-tat,defector,random",
      "othello --format swiss --entrants random,random,random",
    ] {
      _ = try run("run --game \(words)")
      _ = try run("show --format html --output cup.html --force")
      let reader = try Dialogue(
        [
          PackageFolder.file("Tests/EndToEndTests/Web/report.py").path, Browser.path,
          home.file("cup.html"),
        ], home: home, program: LogReader.python)
      let end = try reader.finish()
      #expect(end.status == 0 && end.output == "read\n", "\(words): \(end.output)\n\(end.errors)")
    }
  }

  /// A picture of ratings is of one game.
  @Test func ratingsHaveAPicture() throws {
    _ = try run("run --game tic-tac-toe --entrants greedy,random")
    func ratings(_ words: String...) throws -> Program.Finished {
      try Program.start(["ratings", "--format", "svg", "--data", "data"] + words, home: home).finish()
    }
    let one = try ratings()
    #expect(one.status == 0 && one.output.hasPrefix("<svg class=\"ratings\""), "\(one.errors)")
    #expect(one.output.contains("class=\"dot\"") && one.output.contains(">greedy<"))
    _ = try run("run --game connect-four --entrants greedy,random")
    let two = try ratings()
    #expect(two.status == 69 && two.output.isEmpty && two.errors.contains("--game"), "\(two.errors)")
    #expect(try ratings("--game", "connect-four").status == 0)
    #expect(try ratings("--json").status == 64)
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
