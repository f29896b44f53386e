import BotKit
import CFloor
import EventLog
import Events
import Games
import LineBots
import Platform
import Rules
import Terminal

/// Games of tic-tac-toe between two line bots that are kept running, fully logged and signed by run on disk.
struct MatchLineBots: Figure {
  let name = "match.line-bots"
  let summary =
    "games a second: tic-tac-toe between two programs that play by lines, logged and signed by run"

  /// Moves of a game in which both play the first legal move: 1, 2, 3 and on, and who began has 1, 5 and 7… first.
  private static let movesPerGame = 7

  func measure(_ bench: Bench) async throws {
    let (count, rooms) = (bench.size(6, quick: 2), bench.size(20, quick: 1))
    let games = rooms * MatchPlay.gamesPerRoom
    bench.tell("\(name): \(count) rounds of \(games) games")
    let folder = try bench.folder.make("line-bots")
    defer { BenchFolder.remove(folder) }
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    let bots = LineBots()
    defer { bots.close() }
    // Two commands, so that each has a process of its own.
    let command = "\(quoted(Program.own)) \(Role.word) \(Role.Name.lineBot.rawValue)"
    let players = try [1, 2].map { try bots.specification(of: "\(command) \($0)") }
    let match = try MatchPlay(
      log: log, owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)), seed: 20, players: players,
      lineBots: bots)
    let passing = try PassedLines()
    let line = try turn()
    let rounds = try await Rounds(count) { _ in
      try Span.of { try passing.pass(line, turns: games * Self.movesPerGame) }.0
    } ours: { round in
      let (span, tally) = try await Span.of { try await match.play(round * rooms..<(round + 1) * rooms).0 }
      guard tally.games == games, tally.moves == games * Self.movesPerGame else {
        throw BenchFailure.differs(name, "\(tally.games) games of \(tally.moves) moves were played")
      }
      return span
    }
    // As `parlor match` plays them: a room, and a process of each bot, for each processor.
    let parts = CurrentProcess.processors
    let (atOnce, played) = try await Span.of {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for part in 0..<parts {
          let first = (count + part) * rooms
          group.addTask { try await match.play(first..<first + rooms).0.games }
        }
        return try await group.reduce(0, +)
      }
    }
    for room in try log.roomIDs().rooms where try !log.verify(room).isValid {
      throw BenchFailure.differs(name, "the room \(room.short) is false")
    }
    for (bot, tally) in bots.tallies where tally.restarts > 0 || !tally.faults.isEmpty {
      throw BenchFailure.differs(name, "\(bot) went wrong")
    }
    var figure = FigureLine(
      name, value: Double(games) / rounds.ourSpan.wall, unit: "games/s",
      floor: Double(games) / rounds.floorSpan.wall, ratio: rounds.wallRatio)
    figure.add(rounds)
    figure.add("rooms_at_once", .integer(parts))
    figure.add("games_per_second_at_once", .decimal(Double(played) / atOnce.wall))
    figure.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(figure)
  }

  /// A path as one word of a bot's command.
  private func quoted(_ path: String) -> String { "'" + path.replacing("'", with: "'\\''") + "'" }

  /// What a bot reads in the middle of a game.
  private func turn() throws -> [UInt8] {
    guard let definition = Games.catalog.newest("tic-tac-toe") else {
      throw BenchFailure(.software, "there is no game tic-tac-toe")
    }
    var game = try definition.rules().start(first: Seat(0))
    for code: UInt32 in 0..<3 where !game.play(MoveCode(code)) {
      throw BenchFailure(.software, "the move \(code) is not legal")
    }
    var hello = LineHello()
    hello.wants = [.moves]
    let source = RandomSource(seed: 20, seat: Seat(1), ply: 3)
    return LineText.go(
      BotTurn(game: game, seat: Seat(1), randomness: source), hello, milliseconds: 10_000
    ).bytes
  }
}

/// Two line bots to which plain C passes lines.
private final class PassedLines {
  private let processes: [OtherProcess]

  init() throws { processes = try (0..<2).map { _ in try OtherProcess(.lineBot, []) } }

  func pass(_ line: [UInt8], turns: Int) throws {
    let (to, from) = (processes.map(\.input.number), processes.map(\.output.number))
    // SAFETY: the call reads two numbers of each list and as many bytes of the line as it is told of, and keeps none.
    let code = unsafe line.withUnsafeBytes { bytes in
      unsafe floor_pass_lines(
        to, from, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, UInt64(turns))
    }
    try FloorError.check(code)
  }
}
