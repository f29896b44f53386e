import BotKit
import EventLog
import Events
import Foundation
import Games
import LineBots
import Peer
import Platform
import Projection
import Rules
import SearchBots
import TestKit
import Testing

/// The bots of these tests, which are programs in Python.
enum TestBots {
  static let python = "/usr/bin/python3"
  static let isThere = FileManager.default.isExecutableFile(atPath: python)
  static let folder = PackageFolder.file("Tests/LineBotsTests").path

  /// The command of `Bots/bot.py` with these arguments.
  static func command(_ arguments: String...) -> String {
    ([python, "\(folder)/Bots/bot.py"] + arguments).joined(separator: " ")
  }

  /// Limits that no bot reaches on a busy machine, unless it goes wrong.
  static var patient: LineBotLimits {
    var limits = LineBotLimits()
    (limits.startMilliseconds, limits.moveMilliseconds, limits.quitMilliseconds) = (60_000, 60_000, 60_000)
    limits.hurryMilliseconds = 60_000
    return limits
  }

  /// The rules of a game, with its standard settings.
  static func rules(_ game: String, _ settings: [(String, String)] = []) throws -> any GameRules {
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    return try #require(Games.catalog.newest(game)).rules(parameters)
  }

  /// A household in memory that knows line bots.
  static func household(_ bots: LineBots) -> Household {
    household { (specification, rules) throws(BotError) in try bots.bot(specification, for: rules) }
  }

  /// The same with bots that are made so.
  static func household(
    commands: @escaping @Sendable (String, any GameRules) throws(BotError) -> any Bot
  ) -> Household {
    let ticks = Guarded<UInt64>(0)
    let now: @Sendable () -> UInt64 = {
      ticks.withLock { ticks in
        ticks += 1
        return ticks
      }
    }
    return Household(
      owner: SigningKey(seed: [UInt8](repeating: 1, count: 32)), log: MemoryEventLog(network: .standard),
      games: Games.catalog,
      bots: BotCatalog(BotCatalog(SearchBots.families), commands: commands), now: now, elapsed: now)
  }

  /// The first turn of a game.
  static func turn(_ game: String) throws -> BotTurn {
    let game = try rules(game).start(first: Seat(0))
    return BotTurn(game: game, seat: Seat(0), randomness: RandomSource(seed: 1, seat: Seat(0), ply: 0))
  }

  /// Plays games of a match in one room. The bots are called as the log calls them: their keys, and with those what
  /// chance does, depend on no folder of this machine.
  static func match(
    _ rules: any GameRules, _ players: [String], games: Int, _ bots: LineBots
  ) async throws -> (games: [GameRecord], log: RoomLog) {
    let home = household(bots)
    let names = try players.map { BotCatalog.isCommand($0) ? try bots.specification(of: $0) : $0 }
    let plan = Household.MatchPlan(rules: rules, players: names, games: games, seed: 5)
    let room = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    return (room.games, try home.log.load(room.room, verify: true))
  }
}

/// What bots were reported for, in order.
final class Reports: Sendable {
  private let reports = Guarded<[LineBot.Report]>([])

  var all: [LineBot.Report] { reports.withLock { $0 } }

  func note(_ report: LineBot.Report) { reports.withLock { $0.append(report) } }
}

/// A folder that is gone when the test lets go of it.
final class ScratchFolder {
  private let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("parlor-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}
