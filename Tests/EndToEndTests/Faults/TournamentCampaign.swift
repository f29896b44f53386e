import EventLog
import Foundation
import TestKit
import Testing

/// A tournament's command line, and what a run of it that nobody disturbed came to.
struct TournamentPlan: Sendable, CustomTestStringConvertible {
  let words: [String]
  /// The most attempts that a pairing can have.
  let limitAttempts: Int
  /// How many pairings there are.
  let pairings: Int

  var testDescription: String { words.joined(separator: " ") }

  /// Six entrants, fifteen pairings.
  static let roundRobin = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "round-robin", "--seed", "7", "--entrants",
      "lookahead:\(Effort.size(7, quick: 5)),lookahead:\(Effort.size(6, quick: 4)),lookahead:3,random,greedy,random",
    ], limitAttempts: 1, pairings: 15)

  /// Perfect players draw, so every pairing goes through its deciders to the better seed.
  static let deciders = TournamentPlan(
    words: [
      "--game", "tic-tac-toe", "--seed", "11", "--deciders", "3", "--entrants",
      "lookahead:9,lookahead:9,lookahead:9,greedy,random,lookahead:9",
    ], limitAttempts: 4, pairings: 5)

  /// A knock-out of bots that do not think long.
  static let quick = TournamentPlan(
    words: [
      "--game", "tic-tac-toe", "--seed", "12", "--deciders", "3", "--entrants",
      "lookahead:3,random,greedy,lookahead:2,random,greedy,random",
    ], limitAttempts: 4, pairings: 6)

  /// Few choices in secret.
  static let quickChoices = TournamentPlan(
    words: [
      "--game", "prisoners-dilemma", "--format", "round-robin", "--seed", "5", "--set", "rounds=12",
      "--entrants", "joss,random,grudger,random",
    ], limitAttempts: 1, pairings: 6)

  /// Sixty-four entrants who play quickly, in each format; the round robin has the most pairings.
  static let large = [
    large(["round-robin", "--games", "1"], pairings: 2_016),
    large(["single-elimination"], limitAttempts: 3, pairings: 63),
    large(["double-elimination"], limitAttempts: 3, pairings: 126),
    large(["swiss", "--rounds", "9"], pairings: 288),
    large(["gauntlet", "--cycles", "2"], pairings: 126),
    large(["ladder", "--rounds", "8"], pairings: 252),
    large(["groups", "--groups", "8", "--games", "1"], limitAttempts: 3, pairings: 239),
  ]

  private static func large(_ format: [String], limitAttempts: Int = 1, pairings: Int) -> TournamentPlan {
    let entrants = Array(repeating: "greedy,random,lookahead:2,random", count: 16).joined(separator: ",")
    return TournamentPlan(
      words: ["--game", "tic-tac-toe", "--seed", "64", "--entrants", entrants, "--format"] + format,
      limitAttempts: limitAttempts, pairings: pairings)
  }

  /// Seven entrants and five rounds, each with a bye.
  static let swiss = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "swiss", "--rounds", "5", "--seed", "19", "--entrants",
      "lookahead:4,lookahead:3,random,greedy,lookahead:5,random,greedy",
    ], limitAttempts: 1, pairings: 15)

  /// Two brackets for six entrants, every level pairing with its deciders.
  static let doubleElimination = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "double-elimination", "--seed", "26", "--entrants",
      "random,lookahead:4,greedy,lookahead:3,random,greedy",
    ], limitAttempts: 3, pairings: 11)

  /// One against four, twice.
  static let gauntlet = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "gauntlet", "--cycles", "2", "--seed", "29", "--entrants",
      "lookahead:4,random,greedy,lookahead:3,random",
    ], limitAttempts: 1, pairings: 8)

  /// Two groups of three and four, and a bracket of four.
  static let groups = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "groups", "--groups", "2", "--games", "1", "--seed", "37",
      "--entrants", "lookahead:4,random,greedy,lookahead:3,random,greedy,lookahead:5",
    ], limitAttempts: 3, pairings: 12)

  /// Five on a ladder: two pairings in each of six rounds.
  static let ladder = TournamentPlan(
    words: [
      "--game", "connect-four", "--format", "ladder", "--rounds", "6", "--seed", "31", "--entrants",
      "random,greedy,random,lookahead:3,lookahead:4",
    ], limitAttempts: 1, pairings: 12)

  /// Simultaneous choices, by bots that throw dice.
  static let simultaneous = TournamentPlan(
    words: [
      "--game", "prisoners-dilemma", "--format", "round-robin", "--seed", "3", "--set", "rounds=60",
      "--entrants", "tit-for-tat,joss,random,grudger,random",
    ], limitAttempts: 1, pairings: 10)
}

/// A tournament in a data folder of its own, its runs, and what they said.
final class TournamentCampaign {
  /// One `decided` line: the result stands in the log.
  struct Decided: Hashable {
    let pairing: String
    let attempt: Int
    let room: String
    let scores: [[Int]]

    init(_ object: [String: Any]) throws {
      pairing = try #require(object["pairing"] as? String)
      attempt = try #require(object["attempt"] as? Int)
      room = try #require(object["room"] as? String)
      scores = try #require(object["scores"] as? [[Int]])
    }

    /// What does not differ between runs.
    var result: [String] { [pairing, "\(attempt)", "\(scores)"] }
  }

  let plan: TournamentPlan
  let home: TemporaryFolder
  /// Everything that was shown as decided, by any of the runs.
  private(set) var decided: [Decided] = []
  /// How many runs were killed.
  private(set) var kills = 0

  init(_ plan: TournamentPlan) throws {
    self.plan = plan
    home = try TemporaryFolder()
  }

  /// A tournament whose owner has the key of a seed.
  convenience init(_ plan: TournamentPlan, owner seed: UInt8) throws {
    try self.init(plan)
    _ = try Identity.create(folder: home.file("data"), seed: [UInt8](repeating: seed, count: 32))
  }

  // MARK: - Runs

  /// Starts the tournament.
  func start(_ more: String...) throws -> Dialogue { try start(more) }

  /// Starts the tournament.
  func start(_ more: [String]) throws -> Dialogue {
    try Dialogue(["tournament", "run", "--json", "--data", "data"] + plan.words + more, home: home)
  }

  /// Goes on with it.
  func resume(_ more: String...) throws -> Dialogue {
    try Dialogue(["tournament", "resume", "--json", "--data", "data"] + more, home: home)
  }

  /// Notes what a run has shown.
  func note(_ run: Dialogue) throws {
    for object in try run.objects("decided") { decided.append(try Decided(object)) }
  }

  /// Kills a run, unless it has ended well before.
  func kill(_ run: Dialogue, at moment: KillMoment) throws {
    if try run.kill9(at: moment) {
      kills += 1
    } else {
      let status = run.process.terminationStatus
      let errors = try run.errors()
      #expect(status == 0, "\(errors)")
    }
    try note(run)
  }

  /// Lets a run end by itself.
  func finish(_ run: Dialogue) throws {
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    try note(run)
  }

  /// What goes on after a kill: nothing when all is done, the same again when nothing was durable.
  func next(_ restarts: Restarts = Restarts()) throws -> Dialogue? {
    // A writer that has nothing to do: no game of a person waits.
    let restart = try restarts.measure(["play", "--resume", "last", "--data", "data"], home: home)
    #expect(restart.status == 66, "\(restart.errors)")
    let list = try read("tournament", "list")
    guard let tournament = list.first else {
      #expect(decided.isEmpty, "a tournament that was shown is lost")
      return try start()
    }
    #expect(list.count == 1)
    let stored = try #require(tournament["decided"] as? Int)
    // Where there are deciders a result need not decide its pairing.
    if plan.limitAttempts == 1 {
      #expect(
        stored >= Set(decided.map(\.pairing)).count, "a result that was shown is lost")
    }
    guard tournament["decided"] as? Int != tournament["pairings"] as? Int else {
      // All is played; the words on what all seats signed are written where the kill came before them.
      let last = try resume()
      let end = try last.finish()
      try note(last)
      #expect([0, 66].contains(end.status), "\(end.errors)")
      if end.status == 0 { #expect(try resume().finish().status == 66) }
      return nil
    }
    return try resume()
  }

  /// The objects of a command that reads.
  func read(_ words: String...) throws -> [[String: Any]] { try objects(startReading(words)) }

  /// The rooms in the log while a run stands still; none where it holds what readers wait for, as it does while it
  /// opens its store. Then it goes on.
  func rooms(besideStopped stopped: Dialogue) throws -> [[String: Any]] {
    let reader = try startReading(["log", "list"])
    let end = ContinuousClock.now + .seconds(10)
    while reader.process.isRunning, ContinuousClock.now < end { usleep(1000) }
    guard reader.process.isRunning else { return try objects(reader) }
    stopped.send(SIGCONT)
    _ = try objects(reader)
    return []
  }

  private func startReading(_ words: [String]) throws -> Program.Running {
    try Program.start(words + ["--json", "--data", "data"], home: home)
  }

  private func objects(_ reader: Program.Running) throws -> [[String: Any]] {
    let run = try reader.finish()
    #expect(run.status == 0, "\(reader.process.words): \(run.errors)")
    return try run.objects()
  }

  /// The moves of a room, a line for each game.
  func moves(of room: String) throws -> String {
    let run = try Program.run("replay", room, "--format", "moves", "--data", "data", home: home)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  // MARK: - What must hold

  /// The digest of the standings.
  func digest() throws -> String {
    let standings = try read("tournament", "standings")[0]
    #expect(standings["complete"] as? Bool == true)
    return try #require(standings["standingsDigest"] as? String)
  }

  /// The results, in the order of pairings and attempts.
  func results() throws -> [[String]] {
    Set(decided.map(\.result)).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Nothing is lost, doubled or false.
  func checkLog() throws {
    let pairings = try read("tournament", "show").filter { $0["type"] as? String == "pairing" }
    #expect(pairings.count == plan.pairings)
    let tournament = try #require(try read("tournament", "list")[0]["id"] as? String)
    var rooms: Set<String> = []
    for pairing in pairings {
      let own = try #require(pairing["rooms"] as? [String])
      #expect((1...plan.limitAttempts).contains(own.count), "\(pairing)")
      #expect(pairing["winner"] is String || pairing["reason"] as? String == "games", "\(pairing)")
      for room in own { #expect(rooms.insert(room).inserted, "\(room) is of two pairings") }
      let shown = decided.filter { $0.pairing == pairing["pairing"] as? String }
      for one in shown { #expect(own.contains(one.room), "\(one) was shown and is lost") }
    }
    let results = try read("log", "show", tournament).filter { $0["kind"] as? String == "pairing-result" }
    #expect(results.count == rooms.count, "each attempt has one result")
    #expect(results.allSatisfy { $0["verdict"] as? String == "effective" })
    try checkRooms(rooms, of: tournament)
  }

  private func checkRooms(_ rooms: Set<String>, of tournament: String) throws {
    let listed = try read("log", "list", "--all")
    #expect(listed.count == rooms.count + 1, "a room was made twice for one attempt")
    #expect(Set(listed.compactMap { $0["id"] as? String }) == rooms.union([tournament]))
    #expect(listed.allSatisfy { $0["status"] as? String == "finished" })
    let verified = try read("log", "verify")
    #expect(verified.count == listed.count)
    for room in verified {
      #expect(room["valid"] as? Bool == true, "\(room)")
      #expect((room["forks"] as? [Any])?.isEmpty == true, "\(room)")
      #expect((room["notes"] as? [Any])?.isEmpty == true, "\(room)")
    }
  }
}
