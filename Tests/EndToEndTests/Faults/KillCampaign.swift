import BotKit
import Foundation
import TestKit
import Testing

/// One data folder whose programs are killed again and again.
final class KillCampaign {
  /// What is killed.
  private enum Victim: CaseIterable {
    case identity
    case newGame
    case resumedGame
    case match
    case tournament
  }

  private static let games = [
    ["tic-tac-toe", "--against", "greedy", "--seat", "first"],
    ["tic-tac-toe", "--against", "random"],
    ["connect-four", "--against", "lookahead:3", "--seat", "second"],
    ["prisoners-dilemma", "--against", "random", "--set", "rounds=30"],
  ]
  /// Lines that play any of the games to its end; those that are no moves are complained about.
  private static let moves =
    (0..<9).flatMap { _ in (1...9).map { "\($0)" } } + (0..<40).flatMap { _ in ["C", "D", "C"] }
  private static let matches = [
    ["tic-tac-toe", "--players", "greedy,random", "--games", "20"],
    ["connect-four", "--players", "lookahead:1,random", "--games", "4"],
    ["prisoners-dilemma", "--players", "joss,random", "--games", "2", "--set", "rounds=40"],
    ["tic-tac-toe", "--players", "random,random", "--games", "260"],
  ]
  /// Small enough to be played often. Not two of one game, so that the game tells which one it is.
  private static let plans = [TournamentPlan.quick, .quickChoices]

  let home: TemporaryFolder
  private var random: RandomStream
  private let restarts: Restarts
  /// What makes flushes slow; `nil` where that cannot be.
  private let slowDisk: SlowDisk?
  private var audit: StoreAudit
  private var acknowledged = Acknowledged()
  /// The kills that hit a run at work.
  private(set) var kills = 0

  /// What was acknowledged, in lines.
  var lines: Int { acknowledged.lines }
  /// Events whose ids were compared.
  var events: Int { audit.events }

  init(seed: UInt64, restarts: Restarts, slowDisk: SlowDisk?) throws {
    home = try TemporaryFolder()
    random = RandomStream(seed: seed)
    self.restarts = restarts
    self.slowDisk = slowDisk
    audit = StoreAudit(home)
  }

  /// Kills until so many runs were hit.
  func run(kills wanted: Int) throws {
    while kills < wanted { try killOnce() }
    try finish()
  }

  private func killOnce() throws {
    let victim = kills == 0 ? Victim.allCases.randomElement(using: &random) ?? .identity : Self.next(&random)
    let flushMicroseconds = Bool.random(using: &random) ? 0 : 6_000
    let run = try start(victim, slowDisk?.environment(microseconds: flushMicroseconds) ?? [:])
    // The first kills meet a folder that is not there yet.
    let isEarly = kills < 2 || Int.random(in: 0..<3, using: &random) == 0
    let moment: KillMoment =
      isEarly ? .starting(&random) : .working(lines: Self.lines(of: victim), &random)
    if try run.kill9(at: moment) {
      kills += 1
    } else {
      let status = run.process.terminationStatus
      // There is no game to go on with, or an identity already.
      let isFine = status == 0 || [.resumedGame: 66, .identity: 73][victim] == status
      let errors = try run.errors()
      #expect(isFine, "\(victim) ended with \(status): \(errors)")
    }
    let new = try acknowledged.take(run)
    let restart = try restarts.measure(
      ["play", "--resume", "last", "--json", "--data", "data"], home: home)
    #expect([0, 66].contains(restart.status), "killed \(victim) \(moment): \(restart.errors)")
    try audit.look(everything: false)
    try new.check(audit)
  }

  private static func next(_ random: inout RandomStream) -> Victim {
    [.newGame, .resumedGame, .resumedGame, .match, .match, .tournament, .tournament].randomElement(
      using: &random) ?? .match
  }

  /// About how many lines a run prints that acknowledge something.
  private static func lines(of victim: Victim) -> Int {
    switch victim {
    case .identity: 0
    case .newGame, .resumedGame: 8
    case .match: 4
    case .tournament: 5
    }
  }

  private func start(_ victim: Victim, _ environment: [String: String]) throws -> Dialogue {
    let place = ["--json", "--data", "data"]
    func run(_ words: [String]) throws -> Dialogue {
      try Dialogue(words + place, home: home, environment: environment)
    }
    switch victim {
    case .identity: return try run(["identity", "create"])
    case .newGame, .resumedGame:
      let game = Self.games.randomElement(using: &random) ?? []
      let isNew = victim == .newGame
      let run = try run(["play"] + (isNew ? game : ["--resume", "last"]))
      let input = (0..<40).map { _ in Self.moves.randomElement(using: &random) ?? "" }
      run.typeIfItListens(input.joined(separator: "\n") + "\n")
      // Or it would wait for more when the moment of the kill never comes.
      try run.endInput()
      return run
    case .match:
      let match = Self.matches.randomElement(using: &random) ?? []
      return try run(["match"] + match)
    case .tournament:
      let open = try audit.read("tournament", "list").contains { !Self.isComplete($0) }
      let plan = Self.plans.randomElement(using: &random)?.words ?? []
      return try run(["tournament"] + (open ? ["resume"] : ["run"] + plan))
    }
  }

  private static func isComplete(_ tournament: [String: Any]) -> Bool {
    tournament["decided"] as? Int == tournament["pairings"] as? Int
  }

  // MARK: - The end

  /// Plays on what is open, and looks at everything once more.
  private func finish() throws {
    while try audit.read("tournament", "list").contains(where: { !Self.isComplete($0) }) {
      let run = try Dialogue(["tournament", "resume", "--json", "--data", "data"], home: home)
      let end = try run.finish()
      _ = try acknowledged.take(run)
      try #require(end.status == 0, "\(end.errors)")
    }
    try finishGames()
    let last = try Program.run(
      "match", "tic-tac-toe", "--players", "random,random", "--data", "data", home: home)
    #expect(last.status == 0, "\(last.errors)")
    try audit.look(everything: true)
    try acknowledged.check(audit)
    try checkTournaments()
    let files = try home.tree().map(\.path)
    let log = ["data.mdb", "lock.mdb", "writer.lock"].map { "data/log/\($0)" }
    let marks = ["data/shared", "data/shared.seal"]
    #expect(files == ["data", "data/closed", "data/identity.key", "data/log"] + log + marks)
  }

  /// Every game can be gone on with, until none waits.
  private func finishGames() throws {
    while true {
      let run = try Dialogue(["play", "--resume", "last", "--json", "--data", "data"], home: home)
      run.typeIfItListens(Self.moves.joined(separator: "\n") + "\n")
      try run.endInput()
      let end = try run.finish()
      _ = try acknowledged.take(run)
      guard end.status == 0 else {
        #expect(end.status == 66, "\(end.errors)")
        return
      }
    }
  }

  /// Every tournament came to the end that it comes to without kills, each attempt was played once.
  private func checkTournaments() throws {
    let rooms = try audit.read("log", "list", "--all")
    for tournament in try audit.read("tournament", "list") {
      let id = try #require(tournament["id"] as? String)
      let isFirst = tournament["game"] as? String == "tic-tac-toe"
      let reference = try (isFirst ? TournamentKillTests.quick : TournamentKillTests.quickChoices).get()
      let standings = try audit.read("tournament", "standings", id)[0]
      #expect(standings["standingsDigest"] as? String == reference.digest)
      let results = try audit.read("log", "show", id).count { $0["kind"] as? String == "pairing-result" }
      let attempts = reference.results.count
      #expect(rooms.count { $0["tournament"] as? String == id } == attempts, "each attempt has one room")
      // What all seats have signed counts without a word of the organizer's.
      #expect(results <= attempts, "each attempt has one result at most")
    }
  }
}
