import Foundation
import Testing

/// Games of tic-tac-toe or Connect Four that the real program played, each room in a bundle file.
///
/// Four parts of five are games of a tournament, three a room; the rest are a match with all its games in one
/// room, and games against a bot, one a room, in which both sides drew who starts.
struct PlayedBundles {
  let folder: TemporaryFolder
  let game: String
  /// The files, in the order of their rooms' ids.
  private(set) var paths: [String] = []
  /// What `parlor match` said of its games.
  private(set) var matched: [MatchedGame] = []
  /// The rooms in which who starts was drawn, and the seat, from 1, that the program says started.
  private(set) var drawn: [String: Int] = [:]

  /// A game as `parlor match` tells it.
  struct MatchedGame: Decodable {
    let type: String
    let room: String?
    let game: Int?
    let moves: [String]?
    let scores: [Int]?
  }

  private struct PlayedGame: Decodable {
    let type: String
    let room: String
    let first: Int?
  }

  private struct Listed: Decodable { let id: String }

  /// Plays at least this many games.
  init(games: Int, of game: String = "tic-tac-toe") throws {
    folder = try TemporaryFolder()
    self.game = game
    try playTournaments(games: games * 4 / 5)
    try playMatch(games: games / 16)
    for number in 0..<(games / 5 - games / 16 + 4) { try playDrawn(seed: number) }
    try export()
  }

  private func parlor(_ words: [String], input: String = "") throws -> Program.Finished {
    let run = try Program.start(
      words + ["--data", folder.file("data")], home: folder, input: Data(input.utf8)
    ).finish()
    try #require(run.status == 0, "\(words): \(run.errors)")
    return run
  }

  /// Round robins of at most 24 entrants: 276 pairings of three games.
  private func playTournaments(games: Int) throws {
    var left = games
    while left > 0 {
      let entrants = (2...24).first { $0 * ($0 - 1) / 2 * 3 >= left } ?? 24
      let bots = (0..<entrants).map { $0.isMultiple(of: 2) ? "random" : "greedy" }
      _ = try parlor([
        "tournament", "run", "--game", game, "--entrants", bots.joined(separator: ","), "--format",
        "round-robin", "--games", "3", "--seed", "\(left)",
      ])
      left -= entrants * (entrants - 1) / 2 * 3
    }
  }

  private mutating func playMatch(games: Int) throws {
    let run = try parlor([
      "match", game, "--players", "random,lookahead:1", "--games", "\(games)", "--seed", "7",
      "--json",
    ])
    matched = try LogReader.objects(MatchedGame.self, in: run).filter { $0.type == "game" }
    #expect(matched.count == games)
  }

  /// A person who types the cells or columns in an order of their own; what is not legal is refused and typed on.
  private mutating func playDrawn(seed: Int) throws {
    let choices = game == "tic-tac-toe" ? 9 : 7
    let round = (0..<choices).map { "\(($0 * 2 + seed) % choices + 1)\n" }.joined()
    let run = try parlor(
      ["play", game, "--against", "random", "--seat", "random", "--seed", "\(seed)", "--json"],
      input: String(repeating: round, count: game == "tic-tac-toe" ? 2 : 8))
    let objects = try LogReader.objects(PlayedGame.self, in: run)
    #expect(objects.last?.type == "result")
    drawn[objects[0].room] = objects[0].first
  }

  private mutating func export() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("bundles"), withIntermediateDirectories: true)
    let rooms = try LogReader.objects(Listed.self, in: try parlor(["log", "list", "--all", "--json"]))
    for room in rooms.map(\.id).sorted() {
      let path = folder.file("bundles/\(room).parlor")
      _ = try parlor(["log", "export", room, "--output", path])
      paths.append(path)
    }
  }
}
