package import EventLog
package import Events
import Projection
package import Ratings
package import Rules
import Tournaments

/// Whose strength a rating tells.
package enum RatedPlayer: Hashable, Comparable, Sendable {
  /// A bot by what it says it is, in bytes of UTF-8, whoever runs it.
  case bot(specification: [UInt8], version: UInt16)
  /// A person.
  case person(PeerID)

  package static func < (one: RatedPlayer, other: RatedPlayer) -> Bool {
    switch (one, other) {
    case (.bot(let one, let version), .bot(let other, let otherVersion)):
      one == other ? version < otherVersion : one.lexicographicallyPrecedes(other)
    case (.person(let one), .person(let other)): one < other
    case (.bot, .person): true
    case (.person, .bot): false
    }
  }

  init(_ occupant: RoomState.Occupant) {
    guard let bot = occupant.profile.bot else {
      self = .person(occupant.peer)
      return
    }
    self = .bot(specification: Array(bot.specification.utf8), version: bot.version)
  }
}

/// The games of a store that count for ratings, of one game with two seats.
///
/// A result counts when all seats signed it, or when the tournament that the room is of counts it; of rooms in which a
/// creator lets bots play and is the referee, also when the game ended by its rules. Games that go on from a position
/// of another do not count. All of that follows from events, so equal stores give equal ratings.
package struct RatedGames: Sendable {
  /// The game's name.
  package let game: String
  /// Who played, ascending.
  package private(set) var players: [RatedPlayer] = []
  /// The name that each person gave itself in the newest room, as it came: a display must guard itself.
  package private(set) var names: [PeerID: String] = [:]
  /// The games that count; players by their places.
  package private(set) var duels: [Duel<Int>] = []
  /// How many games are over whose result does not count yet.
  package private(set) var provisional = 0

  /// The games of players against themselves, which say nothing of anybody's strength.
  package var mirrored: Int { duels.count { $0.first == $0.second } }

  private var places: [RatedPlayer: Int] = [:]
  private var newest: [PeerID: Place] = [:]

  /// A place in the order of rooms by their creators' clocks.
  private struct Place: Comparable {
    let milliseconds: UInt64
    let room: RoomID

    static func < (one: Place, other: Place) -> Bool {
      (one.milliseconds, one.room) < (other.milliseconds, other.room)
    }
  }

  fileprivate init(game: String) { self.game = game }

  /// Takes the games of a room.
  /// - Parameter sealed: the scores that count of its games, where a tournament has them.
  fileprivate mutating func take(_ state: RoomState, sealed: [[Int32]]?, created: UInt64) {
    let seats = state.seats.compactMap { $0 }
    // Who plays on from a position of another game has chosen it.
    guard seats.count == 2, state.seats.count == 2, state.create.branchOf == nil else { return }
    let isOfOwnBots = state.referee == state.creator && seats.allSatisfy { $0.profile.bot != nil }
    for game in state.games {
      guard let outcome = game.ending?.outcome, outcome.scores.count == 2 else { continue }
      let seal = sealed.flatMap { $0.indices.contains(game.number) ? $0[game.number] : nil }
      guard game.isAgreed || seal != nil || isOfOwnBots && game.ending?.cause == .rules else {
        provisional += 1
        continue
      }
      count(seal ?? outcome.scores, first: game.first, seats)
    }
    for seat in seats where seat.profile.bot == nil {
      note(seat, Place(milliseconds: created, room: state.room))
    }
  }

  private mutating func count(_ scores: [Int32], first: Seat, _ seats: [RoomState.Occupant]) {
    guard scores.count == 2, first.index < 2 else { return }
    let (own, other) = (scores[first.index], scores[1 - first.index])
    duels.append(
      Duel(
        first: place(RatedPlayer(seats[first.index])), second: place(RatedPlayer(seats[1 - first.index])),
        result: own > other ? .won : own < other ? .lost : .drawn))
  }

  private mutating func place(_ player: RatedPlayer) -> Int {
    if let place = places[player] { return place }
    places[player] = players.count
    players.append(player)
    return players.count - 1
  }

  private mutating func note(_ occupant: RoomState.Occupant, _ place: Place) {
    if let known = newest[occupant.peer], place < known { return }
    newest[occupant.peer] = place
    names[occupant.peer] = occupant.profile.name
  }

  /// The same with players in their own order and not in that of their rooms.
  fileprivate func sorted() -> RatedGames {
    var sorted = self
    sorted.players = players.sorted()
    for (place, player) in sorted.players.enumerated() { sorted.places[player] = place }
    let moved = players.map { sorted.places[$0] ?? 0 }
    sorted.duels = duels.map { Duel(first: moved[$0.first], second: moved[$0.second], result: $0.result) }
    return sorted
  }
}

extension EventLog {
  /// The games of a store that count for ratings, by game.
  /// - Parameters:
  ///   - game: the only game that is asked for; `nil` for all.
  ///   - tournament: the only tournament that is asked for; `nil` for all games.
  ///   - check: called before each room is read; throws to stop.
  package func ratedGames(
    of game: String? = nil, in tournament: RoomID? = nil, _ catalog: GameCatalog,
    check: () throws -> Void = {}
  ) throws -> [RatedGames] {
    var sealed: [RoomID: [[Int32]]] = [:]
    for listing in try tournaments() where tournament == nil || tournament == listing.room {
      try check()
      guard let found = try self.tournament(listing.room, catalog) else { continue }
      for counted in found.rooms { sealed[counted.room] = counted.games }
    }
    var tables: [String: RatedGames] = [:]
    for listing in try rooms(limit: nil) {
      guard case .create(let create) = listing.create.action, case .games(let owner, _, _) = create.purpose,
        game == nil || create.rules == game, tournament == nil || tournament == owner
      else { continue }
      try check()
      let state = try outline(of: listing.room, catalog).state
      tables[create.rules, default: RatedGames(game: create.rules)].take(
        state, sealed: sealed[listing.room], created: listing.create.wallTime)
    }
    return tables.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap {
      tables[$0]?.sorted()
    }.filter { !$0.duels.isEmpty || $0.provisional > 0 }
  }
}
