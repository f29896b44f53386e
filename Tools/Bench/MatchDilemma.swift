import EventLog
import Events

/// Rounds of the prisoner's dilemma in a bulk match, fully logged on disk: each is two commitments and two reveals.
struct MatchDilemma: Figure {
  let name = "match.prisoners-dilemma"
  let summary =
    "rounds a second of CPU: tit-for-tat against random, 200 rounds a game, logged and signed by run"

  private let roundsPerGame = 200

  func measure(_ bench: Bench) async throws {
    let (count, rooms) = (bench.size(5, quick: 1), bench.size(2, quick: 1))
    bench.tell("\(name): \(count) times \(rooms * MatchPlay.gamesPerRoom) games")
    let folder = try bench.folder.make("dilemma")
    defer { BenchFolder.remove(folder) }
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    let match = try MatchPlay(
      log: log, owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)), seed: 20,
      game: "prisoners-dilemma",
      settings: [("rounds", "\(roundsPerGame)")], players: ["tit-for-tat", "random"])
    var spans: [Span] = []
    for round in 0..<count {
      let (span, tally) = try await Span.of { try await match.play(round * rooms..<(round + 1) * rooms).0 }
      guard tally.moves == tally.games * roundsPerGame, tally.games == rooms * MatchPlay.gamesPerRoom else {
        throw BenchFailure.differs(name, "\(tally.games) games of \(tally.moves) rounds were played")
      }
      spans.append(span)
    }
    for room in try log.roomIDs().rooms where try !log.verify(room).isValid {
      throw BenchFailure.differs(name, "the room \(room.short) is false")
    }
    let played = Double(rooms * MatchPlay.gamesPerRoom * roundsPerGame)
    var line = FigureLine(
      name, value: played / spans.map(\.cpu).median, unit: "rounds/s of CPU time", floor: nil, ratio: nil)
    line.add("events_per_round", .integer(4))
    line.add("bytes", .integer(try log.usedBytes()))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }
}
