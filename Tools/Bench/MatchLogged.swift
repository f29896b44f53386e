import EventLog
import Events

/// Games of a bulk match, fully logged and signed by run on disk, and verified afterwards.
struct MatchLogged: Figure {
  /// What is counted.
  enum Unit: String {
    case games, rounds
  }

  private let game: String
  private let settings: [(name: String, value: String)]
  private let players: [String]
  private let unit: Unit
  /// Rooms of a measurement, of `MatchPlay.gamesPerRoom` games each.
  private let rooms: Int
  /// Whether rounds are played in the open.
  private var hasOpenRounds = false

  var name: String { "match.\(game)\(hasOpenRounds ? ".open" : "")" }
  var summary: String {
    "\(unit) a second of CPU: \(players.joined(separator: " against ")), logged and signed by run"
      + (hasOpenRounds ? ", rounds in the open" : "")
  }

  func measure(_ bench: Bench) async throws {
    let (count, rooms) = (bench.size(5, quick: 1), bench.size(rooms, quick: 1))
    bench.tell("\(name): \(count) times \(rooms * MatchPlay.gamesPerRoom) games")
    let folder = try bench.folder.make("match")
    defer { BenchFolder.remove(folder) }
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    let match = try MatchPlay(
      log: log, owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)), seed: 20,
      game: game, settings: settings, players: players, hasOpenRounds: hasOpenRounds)
    var spans: [Span] = []
    var moves = 0
    for round in 0..<count {
      let (span, tally) = try await Span.of { try await match.play(round * rooms..<(round + 1) * rooms).0 }
      guard tally.games == rooms * MatchPlay.gamesPerRoom else {
        throw BenchFailure.differs(name, "\(tally.games) games were played")
      }
      moves += tally.moves
      spans.append(span)
    }
    var (events, commitments) = (0, 0)
    for room in try log.roomIDs().rooms {
      guard try log.verify(room).isValid else {
        throw BenchFailure.differs(name, "the room \(room.short) is false")
      }
      let entries = try log.load(room, verify: false).entries
      events += entries.count
      commitments += entries.count { $0.event.kind == .commit }
    }
    let seconds = spans.map(\.cpu).median
    let (each, parts) = (Double(rooms * MatchPlay.gamesPerRoom), Double(count))
    let value = unit == .games ? each / seconds : Double(moves) / parts / seconds
    var line = FigureLine(name, value: value, unit: "\(unit)/s of CPU time", floor: nil, ratio: nil)
    line.add("moves_per_game", .decimal(Double(moves) / parts / each))
    line.add("events_per_game", .decimal(Double(events) / parts / each))
    // Two seats, each with a commitment in every round or draw.
    line.add("rounds_per_second", .decimal(Double(commitments / 2) / parts / seconds))
    line.add("bytes", .integer(try log.usedBytes()))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }

  /// Every game of turns or rounds but tic-tac-toe, which has a floor. The rounds of a memory match are its draws.
  static let all: [any Figure] =
    [false, true].map {
      MatchLogged(
        game: "prisoners-dilemma", settings: [("rounds", "200")], players: ["tit-for-tat", "random"],
        unit: .rounds, rooms: 2, hasOpenRounds: $0)
    }
    + ["connect-four", "gomoku", "k-in-a-row", "memory-match", "othello", "ultimate-tic-tac-toe"].map {
      MatchLogged(game: $0, settings: [], players: ["random", "random"], unit: .games, rooms: 2)
    }
}
