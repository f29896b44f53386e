import Foundation
import TestKit
import Testing

@testable import NATS
@testable import Queue

/// Tournaments over real servers of NATS and real workers: the end of a single machine, whatever dies or lies.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: QueueServers.areThere, QueueServers.missing))
struct QueueTests {
  /// Random bots, so that other random numbers are other games.
  private static let plan = TournamentPlan(
    words: [
      "--game", "tic-tac-toe", "--format", "round-robin", "--seed", "21", "--games", "4", "--entrants",
      "random,random,lookahead:2,random,greedy,random",
    ], limitAttempts: 1, pairings: 15)
  private static let reference = Result { try TournamentKillTests.Reference(plan) }
  /// Games in which chance says what lies under a card.
  private static let chance = TournamentPlan(
    words: [
      "--game", "memory-match", "--format", "round-robin", "--seed", "21", "--games", "2", "--entrants",
      "memory,level:3,random,memory:4",
    ], limitAttempts: 1, pairings: 6)

  private func worker(_ servers: QueueServers, _ home: TemporaryFolder, _ more: String...) throws -> Dialogue
  {
    try Dialogue(["worker", "--queue", servers.addresses, "--json"] + more, home: home)
  }

  private func checkEnd(
    _ campaign: TournamentCampaign, _ reference: TournamentKillTests.Reference, _ servers: QueueServers,
    isKilled: Bool = false
  ) async throws {
    #expect(try campaign.digest() == reference.digest)
    // What was durable when the organizer was killed, and not shown yet, nobody shows any more.
    let shown = try campaign.results()
    #expect(isKilled ? Set(shown).isSubset(of: reference.results) : shown == reference.results)
    try campaign.checkLog()
    #expect(try await servers.loseStreams(), "the streams of a complete tournament are gone")
  }

  /// Ends a worker as its user would.
  private func stop(_ worker: Dialogue) throws {
    worker.send(SIGINT)
    let end = try worker.finish()
    #expect(end.status == 130, "\(end.errors)")
    try DescribedCommand.of(["worker"]).check(worker.objects())
  }

  @Test func workersPlayWhatOneProcessPlays() async throws {
    let campaign = try TournamentCampaign(Self.plan)
    try await play(campaign, as: Self.reference.get())
  }

  /// Chance follows from the owner's key, the seed and the place, and is the same wherever a game is played.
  @Test func workersPlayGamesOfChanceAsOneProcessDoes() async throws {
    let alone = try TournamentKillTests.Reference(TournamentCampaign(Self.chance, owner: 1))
    let others = try TournamentKillTests.Reference(TournamentCampaign(Self.chance, owner: 2))
    #expect(others.results != alone.results)
    try await play(TournamentCampaign(Self.chance, owner: 1), as: alone)
  }

  private func play(
    _ campaign: TournamentCampaign, as reference: TournamentKillTests.Reference
  ) async throws {
    let servers = try await QueueServers()
    let run = try campaign.start("--queue", servers.addresses)
    let workers = try (0..<2).map { try worker(servers, campaign.home, "--name", "w\($0)") }
    try campaign.finish(run)
    try await checkEnd(campaign, reference, servers)
    var rooms: Set<String> = []
    for worker in workers {
      try stop(worker)
      rooms.formUnion(try worker.objects("job").compactMap { $0["room"] as? String })
    }
    #expect(rooms == Set(campaign.decided.map(\.room)), "the workers played every room")
  }

  @Test func whatALiarGivesBackDoesNotCount() async throws {
    let reference = try Self.reference.get()
    let servers = try await QueueServers()
    let campaign = try TournamentCampaign(Self.plan)
    let run = try campaign.start("--queue", servers.addresses)
    let connection = try await servers.connect()
    try await LyingWorker(source: JobSource(connection)).lie(9)
    let answers = try #require(try await servers.streams().first { $0.hasSuffix("-answers") })
    let subject = answers.replacing("parlor-", with: "parlor.").replacing("-answers", with: ".answers")
    try await JetStream(connection: connection).store(Array("no answer".utf8), as: "noise", in: subject)
    let honest = try worker(servers, campaign.home)
    try campaign.finish(run)
    let said = try run.errors()
    #expect(said.components(separatedBy: "what Liar gave back does not count").count == 10, "\(said)")
    #expect(said.contains("Something came through the queue that is no answer"), "\(said)")
    try stop(honest)
    try await checkEnd(campaign, reference, servers)
  }

  /// A killed worker's jobs go to others, and a killed organizer's answers wait for it.
  @Test func killedWorkersAndAKilledOrganizerLoseNothing() async throws {
    let reference = try TournamentKillTests.roundRobin.get()
    let servers = try await QueueServers()
    let campaign = try TournamentCampaign(.roundRobin)
    let run = try campaign.start("--queue", servers.addresses)
    let workers = try (0..<3).map { _ in try worker(servers, campaign.home, "--concurrency", "1") }
    // Any of them may be the first that has a game, and another may never get one.
    var first: Int?
    try workers[0].wait(for: "a first game of any of them") {
      first = try workers.firstIndex { try !$0.objects("job").isEmpty }
      return first != nil
    }
    let dead = try #require(first)
    workers[dead].kill9()
    _ = try run.waitOrEnd { try run.objects("decided").count >= 4 }
    // A machine may have been so fast that nothing was left.
    let isKilled = run.kill9()
    try campaign.note(run)
    workers[(dead + 1) % 3].kill9()
    if isKilled, try campaign.read("tournament", "list")[0]["decided"] as? Int != Self.plan.pairings {
      try campaign.finish(try campaign.resume("--queue", servers.addresses))
    }
    try stop(workers[(dead + 2) % 3])
    try await checkEnd(campaign, reference, servers, isKilled: isKilled)
  }

  @Test func threeServersOutliveTheOneThatLeads() async throws {
    let reference = try TournamentKillTests.roundRobin.get()
    let servers = try await QueueServers(3)
    let campaign = try TournamentCampaign(.roundRobin)
    let run = try campaign.start("--queue", servers.addresses)
    let workers = try (0..<2).map { _ in try worker(servers, campaign.home, "--concurrency", "1") }
    try run.wait(for: "some results") { try run.objects("decided").count >= 3 }
    let jobs = try await servers.streams().first { $0.hasSuffix("-jobs") }
    if let jobs, let leader = try await servers.leader(of: jobs) {
      try servers.kill9(leader)
      try run.wait(for: "more results") { try run.objects("decided").count >= 6 }
      try servers.restart(leader)
    } else {
      #expect(try run.objects("decided").count == 15, "the stream has nobody who leads it")
    }
    try campaign.finish(run)
    for worker in workers { try stop(worker) }
    try await checkEnd(campaign, reference, servers)
  }

  @Test func aProgramPlaysOnlyWhereItsUserNamesIt() async throws {
    let servers = try await QueueServers()
    let plan = TournamentPlan(
      words: [
        "--game", "tic-tac-toe", "--format", "round-robin", "--seed", "2", "--games", "2", "--entrants",
        "./mybot.py,greedy,random",
      ], limitAttempts: 1, pairings: 3)
    func campaign() throws -> TournamentCampaign {
      let campaign = try TournamentCampaign(plan)
      let bot = PackageFolder.file("Tests/LineBotsTests/Bots/bot.py")
      try campaign.home.write("mybot.py", try Data(contentsOf: bot))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: campaign.home.file("mybot.py"))
      return campaign
    }
    let alone = try campaign()
    try alone.finish(try alone.start())
    let shared = try campaign()
    let run = try shared.start("--queue", servers.addresses)
    let without = try worker(servers, shared.home, "--concurrency", "1")
    try without.wait(for: "a job that it gives back") { try !without.objects("returned").isEmpty }
    // It would be given the same jobs again and again.
    try stop(without)
    let with = try worker(servers, shared.home, "--with", "./mybot.py", "--name", "Ada")
    try shared.finish(run)
    let said = try run.errors()
    #expect(said.contains("moves of ./mybot.py are taken on the word of Ada"), "\(said)")
    try stop(with)
    #expect(try shared.digest() == alone.digest())
    #expect(try shared.results() == alone.results())
  }

  @Test func aTournamentIsPlayedOverTLSByThoseWithCredentials() async throws {
    let reference = try Self.reference.get()
    let secrets = try QueueSecrets()
    let servers = try await QueueServers(secrets: secrets)
    let campaign = try TournamentCampaign(Self.plan)
    let words = ["worker", "--queue", servers.addresses]
    for (lacking, error) in [
      (secrets.authority + secrets.certificate, "Authorization Violation"),
      (secrets.authority + secrets.credentials, "cannot be reached"),
      (secrets.certificate + secrets.credentials, "unable to get local issuer certificate"),
    ] {
      let end = try Program.start(words + ["--idle", "1"] + lacking, home: campaign.home).finish()
      #expect(end.status == 69 && end.errors.contains(error), "\(lacking): \(end.errors)")
    }
    let run = try campaign.start(["--queue", servers.addresses] + secrets.options)
    let worker = try Dialogue(words + ["--json"] + secrets.options, home: campaign.home)
    try campaign.finish(run)
    try stop(worker)
    #expect(!(try worker.objects("job").isEmpty))
    try await checkEnd(campaign, reference, servers)
  }

  @Test func whoMayNotUseAQueueIsToldSo() async throws {
    let home = try TemporaryFolder()
    let servers = try await QueueServers(user: (name: "ada", password: "s3cret"))
    let right = try Program.run("worker", "--queue", servers.addresses, "--idle", "1", home: home)
    #expect(right.status == 0 && !right.errors.contains("s3cret"), "\(right.errors)")
    let wrong = try Program.run(
      "worker", "--queue", servers.addresses.replacing("s3cret", with: "wr0ng"), "--idle", "1", home: home)
    #expect(wrong.status == 69 && wrong.errors.contains("Auth"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("wr0ng"), "\(wrong.errors)")
    let nobody = try Program.run("worker", "--queue", "nats://127.0.0.1:1", "--idle", "1", home: home)
    #expect(nobody.status == 69 && nobody.errors.contains("cannot be reached"), "\(nobody.errors)")
    let file = try Program.run(
      "worker", "--queue", servers.addresses, "--queue-credentials", "none.creds", home: home)
    #expect(file.status == 66 && file.errors.contains("none.creds is not there"), "\(file.errors)")
    for words in [["--queue", "ftp://a"], ["--queue", "nats://a,"], ["--queue", "a", "--with", "greedy"]] {
      let odd = try Program.start(["worker"] + words, home: home).finish()
      #expect(odd.status == 64, "\(words): \(odd.errors)")
    }
    let alone = try Program.run("tournament", "resume", "--queue-tls-key", "x", home: home)
    #expect(alone.status == 64 && alone.errors.contains("--queue"), "\(alone.errors)")
  }

  /// The library leaves out the signature of about one call in 300 that it makes with credentials.
  @Test(arguments: [(1, true, 2), (3, true, 4), (9, true, 4), (9, false, 1)])
  func aRefusalOfCredentialsIsNotBelievedAtOnce(_ refusals: Int, hasCredentials: Bool, calls: Int)
    async throws
  {
    let secrets = try QueueSecrets()
    let output = Pipe()
    let script = PackageFolder.file("Tests/EndToEndTests/Queue/refusing.py").path
    let server = try ChildProcess([LogReader.python, script, "\(refusals)"], output: .pipe(output))
    var port = ""
    while !port.hasSuffix("\n") {
      port += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
    var settings = try NATSSettings(servers: "127.0.0.1:\(port.dropLast())")
    if hasCredentials { settings.credentials = secrets.file("user.creds") }
    do throws(NATSError) {
      _ = try await NATSConnection.connect(settings, as: "test", pulls: false)
      #expect(refusals < calls)
    } catch { #expect(refusals >= calls && "\(error)".contains("Auth"), "\(error)") }
    server.send(SIGKILL)
    server.waitUntilExit()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(lines.split(separator: "\n").count { $0 == "connect" } == calls, "\(lines)")
  }
}
