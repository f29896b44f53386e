import EventLog
import Events

/// Games of a bulk match, fully logged on disk.
struct MatchTicTacToe: Figure {
  let name = "match.tic-tac-toe"
  let summary = "games a second of CPU: random against random, logged and signed by run, 256 games a room"

  private let seed: UInt64 = 20

  func measure(_ bench: Bench) async throws {
    let (count, rooms) = (bench.size(6, quick: 2), bench.size(20, quick: 4))
    bench.tell("\(name): \(count) rounds of \(rooms * MatchPlay.gamesPerRoom) games")
    let (ours, theirs) = (try bench.folder.make("match-ours"), try bench.folder.make("match-floor"))
    let log = try LMDBEventLog(folder: ours, access: .writing, network: .standard)
    let match = try MatchPlay(log: log, owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)), seed: seed)
    // The first room also tells the floor what the payloads are.
    let first = try await match.play(0..<1)
    let copied = try log.load(first.1[0], verify: true)
    var floor: Floor? = try Floor(folder: theirs, isWriter: true)
    let floorMatch = try FloorMatch(like: copied, seed: seed)
    _ = try floor?.play(floorMatch, rooms: 0..<1)
    var tallies: [[Tally]] = (0..<count).map { _ in [] }
    let rounds = try await Rounds(count) { round in
      let played = 1 + round * rooms..<1 + (round + 1) * rooms
      let (span, tally) = try Span.of { try floor?.play(floorMatch, rooms: played) ?? Tally() }
      tallies[round].append(tally)
      return span
    } ours: { round in
      let played = 1 + round * rooms..<1 + (round + 1) * rooms
      let (span, tally) = try await Span.of { try await match.play(played).0 }
      tallies[round].append(tally)
      return span
    }
    let bytes = (ours: try log.usedBytes(), floor: try floor?.usedBytes() ?? 0)
    floor = nil
    try check(tallies, theirs, rooms: count * rooms + 1)
    let games = Double(rooms * MatchPlay.gamesPerRoom)
    var line = FigureLine(
      name, value: games / rounds.ourSpan.cpu, unit: "games/s of CPU time",
      floor: games / rounds.floorSpan.cpu, ratio: rounds.cpuRatio)
    line.add(rounds)
    line.add("games_per_room", .integer(MatchPlay.gamesPerRoom))
    line.add("bytes", .integer(bytes.ours))
    line.add("floor_bytes", .integer(bytes.floor))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
    BenchFolder.remove(ours)
    BenchFolder.remove(theirs)
  }

  /// Both must have played the same games, and what the floor stored must be what Parlor takes for genuine.
  private func check(_ tallies: [[Tally]], _ folder: String, rooms: Int) throws {
    for both in tallies {
      guard both[0].games == both[1].games, both[0].moves == both[1].moves, both[0].wins == both[1].wins
      else {
        throw BenchFailure.differs(name, "the floor played \(both[0].words); Parlor \(both[1].words)")
      }
    }
    let log = try LMDBEventLog(folder: folder, access: .reading, network: .standard)
    let stored = try log.roomIDs().rooms
    guard stored.count == rooms else {
      throw BenchFailure.differs(name, "the floor stored \(stored.count) rooms of \(rooms)")
    }
    for room in [stored.first, stored.last].compactMap(\.self) {
      let report = try log.verify(room)
      guard report.isValid else {
        throw BenchFailure.differs(name, "the floor's room is false: \(report.reason ?? "")")
      }
    }
  }
}
