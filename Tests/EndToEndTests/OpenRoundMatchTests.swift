import Foundation
import TestKit
import Testing

/// Matches and tournaments whose rounds are played in the open.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct OpenRoundMatchTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: String, in data: String) throws -> Program.Finished {
    try Program.start(
      words.split(separator: " ").map(String.init) + ["--data", home.file(data)], home: home
    ).finish()
  }

  private func run(_ words: String, in data: String) throws -> String {
    let run = try start(words, in: data)
    try #require(run.status == 0, "\(words): \(run.output) \(run.errors)")
    return run.output
  }

  private func games(_ words: String, in data: String) throws -> [[[String]]] {
    let run = try start(words + " --json", in: data)
    try #require(run.status == 0, "\(run.errors)")
    return try run.objects().compactMap { $0["moves"] as? [[String]] }
  }

  private static let match =
    "match prisoners-dilemma --players joss,random --games 3 --set rounds=40 --seed 5"

  @Test func theGamesAreThoseOfSecretRounds() throws {
    let open = try games("\(Self.match) --open-rounds", in: "open")
    #expect(try open == games(Self.match, in: "secret"))
    #expect(open.count == 3 && open.allSatisfy { $0.count == 40 && $0.allSatisfy { $0.count == 2 } })
    // Half as many events, besides those around play.
    func events(_ data: String) throws -> Int {
      let listing = try Program.start(["log", "list", "--json", "--data", home.file(data)], home: home)
      return try #require(try listing.finish().objects().first?["events"] as? Int)
    }
    #expect(try events("secret") - events("open") == 3 * 40 * 2)
    #expect(try run("log show last", in: "open").contains("rounds in the open"))
    #expect(try !run("log show last", in: "secret").contains("rounds in the open"))
    _ = try run("log verify", in: "open")
    #expect(try run("audit last", in: "open").contains("240 checked: all agree."))
    #expect(try !run("audit last", in: "open").contains("without effect"))
    let file = home.file("open.parlor")
    _ = try run("log export last --output \(file)", in: "open")
    #expect(try LogReader.run([LogReader.script, file], home: home).status == 0)
  }

  @Test func aTournamentIsProven() throws {
    let words =
      "tournament run --game prisoners-dilemma --entrants tit-for-tat,defector,joss --set rounds=20"
      + " --format round-robin"
    let open = try run("\(words) --open-rounds", in: "open")
    let digest = try #require(open.firstMatch(of: #/digest ([0-9a-f]{64})/#)?.1)
    #expect(try run(words, in: "secret").contains(digest))
    let file = home.file("open.parlor")
    _ = try run("tournament export last --output \(file)", in: "open")
    #expect(try run("tournament verify \(file)", in: "other").contains(digest))
    let read = try LogReader.run([LogReader.script, file], home: home)
    #expect(read.status == 0 && read.output.contains(digest), "\(read.output)")
  }

  @Test func gamesWithoutSuchRoundsAreRefused() throws {
    let others = [
      "match tic-tac-toe --players random,random", "match memory-match --players memory,memory",
      "match prisoners-dilemma --players joss,joss --set noise=10",
      "tournament run --game tic-tac-toe --entrants random,greedy --format round-robin",
    ]
    for words in others {
      let refused = try start("\(words) --open-rounds", in: "none")
      #expect(refused.status == 64 && refused.errors.contains("--open-rounds"), "\(refused.errors)")
    }
  }
}
