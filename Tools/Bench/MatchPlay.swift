import BotKit
import EventLog
import Events
import Games
import LineBots
import Peer
import Platform
import PrisonersDilemmaBots
import Rules
import SearchBots
import Terminal

/// Parlor's side of a match of two bots, through the calls of `parlor match`.
struct MatchPlay: Sendable {
  /// Games of a room.
  static let gamesPerRoom = Int(Create.limitGames)

  private let household: Household
  private let plan: Household.MatchPlan

  /// A match whose rooms are written into a log; random against random at tic-tac-toe unless said otherwise.
  init(
    log: any EventLog, owner: SigningKey, seed: UInt64, game: String = "tic-tac-toe",
    settings: [(name: String, value: String)] = [], players: [String] = ["random", "random"],
    hasOpenRounds: Bool = false, lineBots: LineBots? = nil
  ) throws {
    let named = BotCatalog(SearchBots.families + PrisonersDilemmaBots.families)
    household = Household(
      owner: owner, log: log, games: Games.catalog,
      bots: lineBots.map { bots in
        BotCatalog(named) { (name, rules) throws(BotError) in try bots.bot(name, for: rules) }
      } ?? named,
      now: { WallClock.milliseconds() },
      elapsed: { MonotonicClock.tickMilliseconds })
    guard let definition = household.games.newest(game) else {
      throw BenchFailure(.software, "there is no game \(game)")
    }
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    var plan = Household.MatchPlan(
      rules: try definition.rules(parameters), players: players, games: .max, seed: seed)
    plan.hasOpenRounds = hasOpenRounds
    self.plan = plan
  }

  /// The most events of a feed between two commits.
  static var runEvents: Int { Session.limitUnsignedEvents }

  /// Plays rooms, one after the other.
  func play(_ rooms: Range<Int>) async throws -> (Tally, [RoomID]) {
    var tally = Tally()
    var ids: [RoomID] = []
    for number in rooms {
      let room = try await household.playMatchRoom(number, of: plan, isCancelled: { false })
      tally.rooms += 1
      tally.count(room.games)
      ids.append(room.room)
    }
    return (tally, ids)
  }
}

extension FloorMatch {
  /// The match that Parlor wrote into a room, for the floor to play with the same payloads.
  init(like log: RoomLog, seed: UInt64) throws {
    var payloads: [Kind: [[UInt8]]] = [:]
    for entry in log.entries.prefix(8) {
      payloads[entry.event.kind ?? .create, default: []].append(entry.event.payload)
    }
    guard let create = payloads[.create]?.first, let requests = payloads[.request], requests.count == 2 else {
      throw BenchFailure(.software, "a room of a match does not begin as rooms of matches do")
    }
    self.create = create
    self.requests = requests.sorted { $0[0] < $1[0] }
    self.seed = seed
    host = try FloorKey(seed: [UInt8](repeating: 1, count: 32))
    players = [
      try FloorKey(seed: [UInt8](repeating: 2, count: 32)),
      try FloorKey(seed: [UInt8](repeating: 3, count: 32)),
    ]
    games = MatchPlay.gamesPerRoom
    runEvents = MatchPlay.runEvents
  }
}
