import EventLog
import Events
import Games
import Network
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// A quiz with many players: how long it takes until a question is seen by all, and that every answer counts.
struct QuizLatency: Figure {
  /// How the players are spread.
  enum Spread: String {
    /// Ten in each process.
    case tens = "tens"
    /// All in one.
    case one = "one"
  }

  let spread: Spread
  /// Where the stores lie: in memory, or where the benchmark makes its stores.
  let place: MoveLatency.Place

  var name: String { "quiz.latency.\(spread.rawValue).\(place.rawValue)" }
  var summary: String {
    "milliseconds from the host's call until a question is seen, of 100 players the slowest; players "
      + (spread == .tens ? "ten a process" : "in one process") + ", stores "
      + (place == .disk ? "on disk" : "in memory")
  }

  /// How long after the settlement of a round the next question is asked.
  private static let pauseMilliseconds = 5_000

  func measure(_ bench: Bench) async throws {
    let (players, rounds) = (bench.size(200, quick: 20), bench.size(10, quick: 2))
    let folder = place == .disk ? bench.folder : try bench.folder(in: MoveLatency.memoryFolder)
    bench.tell("\(name): \(players) players, \(rounds) questions, on \(folder.fileSystem)")
    let stores = try folder.make("quiz")
    defer { BenchFolder.remove(stores) }
    let host = try await QuizHosting(stores + "/host")
    let each = spread == .tens ? 10 : players
    let others = try stride(from: 0, to: players, by: each).map { first in
      try OtherProcess(
        .quiz, [stores, "\(host.port)", "\(first)", "\(min(each, players - first))"])
    }
    for process in others { _ = try process.answer("playing") }
    // What each process had used before each question, when nothing was going on.
    var used: [[Double]] = []
    let asked = try await host.host(players: players, rounds: rounds, pause: Self.pauseMilliseconds) {
      for process in others { try process.order("rest") }
      used.append(try others.map { try $0.numbers("used", 1)[0] })
    }
    var (shown, counted, processor): ([Double], Int, Double) = ([], 0, 0)
    for (number, process) in others.enumerated() {
      try process.order("tell")
      var last = used.map { $0[number] }
      for _ in 0..<Int(try process.numbers("notes", 1)[0]) {
        let note = try process.numbers("note", 4)
        let round = Int(note[0])
        shown.append((note[1] - asked[round]) * 1e3)
        last[round] = max(last[round], note[2])
        counted += Int(note[3])
      }
      for round in last.indices { processor += last[round] - used[round][number] }
      try process.end()
    }
    await host.service.close()
    guard counted == players * rounds else {
      throw BenchFailure.differs(name, "\(counted) of \(players * rounds) answers were counted")
    }
    shown.sort()
    let redis = RedisFigures()
    let (latency, floor) = (shown[shown.count * 99 / 100], redis?.number("publish_p99_ms"))
    var line = FigureLine(
      name, value: latency, unit: "ms, of a hundred the slowest", floor: floor,
      ratio: floor.map { $0 / latency })
    line.add(
      "floor_is",
      .text(RedisFigures.words(redis, "PUBLISH to as many subscribers, which stores and signs nothing")))
    line.add("median", .decimal(shown[shown.count / 2]))
    line.add("slowest", .decimal(shown[shown.count - 1]))
    line.add("processor_ms", .decimal(processor * 1e3 / Double(players * rounds)))
    line.add("players", .integer(players))
    line.add("questions", .integer(rounds))
    line.add("answers_counted", .integer(counted))
    line.add("settled_ms", .decimal(host.slowestSettlement * 1e3))
    line.add("file_system", .text(folder.fileSystem))
    try bench.print(line)
  }
}

/// The host of a quiz in this process.
private final class QuizHosting {
  let service: PeerService
  let port: UInt16
  /// The seconds from a question to its points, the slowest.
  private(set) var slowestSettlement = 0.0
  /// How long before a question the processes say what they have used.
  private static let restMilliseconds = 500

  init(_ folder: String) async throws {
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    var settings = ServiceSettings(
      signer: SigningKey(seed: [UInt8](repeating: 1, count: 32)), log: log, games: Games.catalog,
      listen: Address(host: "127.0.0.1", port: 0), now: { WallClock.milliseconds() })
    settings.tellsOfPeers = false
    service = try await PeerService.open(settings)
    port = await service.address?.port ?? 0
  }

  /// Asks questions when all are there.
  /// - Parameter rest: what is done a moment before each question, when nothing goes on.
  /// - Returns: the moment of each question.
  func host(players: Int, rounds: Int, pause: Int, rest: () throws -> Void) async throws -> [Double] {
    let quiz = Quiz()
    let room = try await service.perform(
      .host(
        NewHostedRoom(
          rules: Quiz.name, rulesVersion: Quiz.version, parameters: quiz.parameters.encoded, title: "bench",
          rounds: UInt16(rounds), players: UInt16(players), entries: 1, needsCode: false, scope: .open,
          profile: Profile(name: "host"))))
    try await wait(room) { $0.players.count == players }
    let question = QuizQuestion(text: "Which?", choices: ["a", "b", "c", "d"])
    var asked: [Double] = []
    for round in 0..<rounds {
      try await Task.sleep(for: .milliseconds(pause - Self.restMilliseconds))
      try rest()
      try await Task.sleep(for: .milliseconds(Self.restMilliseconds))
      asked.append(Span.clockSeconds)
      _ = try await service.perform(
        .rounds(
          room, .open(content: question?.content ?? [], solution: [1], limitMilliseconds: 60_000)))
      try await wait(room) { $0.settledRounds == round + 1 }
      slowestSettlement = max(slowestSettlement, Span.clockSeconds - (asked.last ?? 0))
    }
    // The last points reach all.
    try await Task.sleep(for: .milliseconds(pause))
    return asked
  }

  private func wait(_ room: RoomID, until holds: (HostedState) -> Bool) async throws {
    var changes = await service.changes().makeAsyncIterator()
    repeat {
      if let hosted = try await service.state(of: room)?.hosted, holds(hosted) { return }
    } while await changes.next() != nil
  }
}
