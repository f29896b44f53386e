import EventLog
import Events
import Platform
import Terminal

/// Stored moves into game states, with or without checking hashes, links and signatures again.
struct ReplayFigure: Figure {
  let isVerified: Bool

  var name: String { isVerified ? "replay.verified" : "replay.trusted" }
  var summary: String {
    "stored moves a second of CPU into game states, "
      + (isVerified ? "hashes, chains and signatures checked again" : "the store being trusted")
  }

  func measure(_ bench: Bench) async throws {
    let folder = try await StoredMatch.folder(bench)
    let count = bench.size(5, quick: 2)
    bench.tell("\(name): \(count) rounds over the same store")
    var tallies: [Tally] = []
    let rounds = try await Rounds(count) { _ in
      let (span, tally) = try Span.of {
        try Floor(folder: folder, isWriter: false).replay(verify: isVerified)
      }
      tallies.append(tally)
      return span
    } ours: { _ in
      let (span, tally) = try Span.of { try StoredReplay.run(folder: folder, verify: isVerified) }
      tallies.append(tally)
      return span
    }
    for tally in tallies where tally != tallies[0] {
      throw BenchFailure.differs(name, "one found \(tallies[0].words); the other \(tally.words)")
    }
    let moves = Double(tallies[0].moves)
    var line = FigureLine(
      name, value: moves / rounds.ourSpan.cpu, unit: "moves/s of CPU time",
      floor: moves / rounds.floorSpan.cpu, ratio: rounds.cpuRatio)
    line.add(rounds)
    line.add("moves", .integer(tallies[0].moves))
    line.add("events", .integer(tallies[0].events))
    line.add("games", .integer(tallies[0].games))
    line.add("rooms", .integer(tallies[0].rooms))
    try bench.print(line)
  }
}

/// The store that replays read: a match as Parlor writes it, made once in a run.
enum StoredMatch {
  /// Moves of a game of random against random, about.
  private static let movesPerGame = 7.6

  /// The store's folder.
  static func folder(_ bench: Bench) async throws -> String {
    let path = "\(bench.folder.path)/replay"
    if FileSystem.exists(path) { return path }
    let moves = bench.size(1_000_000, quick: 20_000)
    let rooms = Int((Double(moves) / movesPerGame / Double(MatchPlay.gamesPerRoom)).rounded(.up))
    bench.tell("replay: playing \(rooms) rooms, about \(moves) moves, to be replayed")
    _ = try bench.folder.make("replay")
    let log = try LMDBEventLog(folder: path, access: .writing, network: .standard)
    let match = try MatchPlay(log: log, owner: SigningKey(seed: [UInt8](repeating: 8, count: 32)), seed: 30)
    _ = try await match.play(0..<rooms)
    return path
  }
}
