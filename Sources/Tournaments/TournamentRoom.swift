package import Events
package import Projection
package import Rules

/// A tournament as its room tells it: settings, entrants, and what follows from the organizer's words.
package struct TournamentRoom: Sendable {
  /// The room's id.
  package let room: RoomID
  /// What was fixed at creation.
  package let create: Create
  /// The tournament's name for people; may be empty.
  package let title: String
  /// The seed of all random numbers of its bots.
  package let seed: UInt64
  /// The entrants, by seed.
  package let entrants: [RoomState.Occupant]
  /// Where it stands.
  package let state: TournamentState
  /// The counted rooms of each attempt at a pairing, in the organizer's order.
  package let rooms: [Action.PairingResult]

  /// Reads a tournament from the state of its room.
  /// - Throws: what is wrong with its settings; `nil` is returned for a room that is no started tournament.
  package init?(_ room: RoomState, _ catalog: GameCatalog) throws(TournamentError) {
    guard case .tournament(let code, let deciders, let seed, let title) = room.create.purpose,
      room.start != nil
    else { return nil }
    let entrants = room.seats.compactMap { $0 }
    guard let format = TournamentFormat(rawValue: code), entrants.count == room.seats.count else {
      return nil
    }
    let game = catalog.definition(room.create.rules, version: room.create.rulesVersion)
    let settings = try TournamentSettings(
      format: format, entrants: entrants.count, games: Int(room.create.games), deciders: Int(deciders),
      ranking: game?.ranksByScore == true ? .score : .points)
    var state = TournamentState(settings: settings)
    var rooms: [Action.PairingResult] = []
    for word in room.tournamentWords {
      guard let entry = TournamentEntry(word), state.apply(entry) == nil else { continue }
      if case .result(let result) = word { rooms.append(result) }
    }
    self.room = room.room
    create = room.create
    self.title = title
    self.seed = seed
    self.entrants = entrants
    self.state = state
    self.rooms = rooms
  }

  /// The entrants' labels, by seed.
  package var labels: [String] { entrants.map(\.profile.name) }

  /// The hash that compares runs of one tournament: of labels, rules and results, not of keys, ids or times.
  package func standingsDigest() throws(TournamentError) -> Digest {
    var hash = Blake2b(domain: "parlor-standings-digest-1")
    hash.update(Array(create.rules.utf8) + [0])
    hash.update(bigEndian: create.rulesVersion)
    hash.update(create.parameters)
    hash.update(try state.canonicalStandings(labels: labels))
    return Digest(hash.digest())
  }
}

extension TournamentEntry {
  /// Reads an entry from the room's words; `nil` when it is none of any tournament.
  fileprivate init?(_ word: RoomState.TournamentWord) {
    switch word {
    case .withdrawal(let seat):
      guard let number = UInt8(exactly: seat.rawValue) else { return nil }
      self = .withdrawal(EntrantIndex(rawValue: number))
    case .result(let result):
      guard let absence = Absence(rawValue: result.walkover.rawValue) else { return nil }
      self = .result(
        PairingResult(
          pairing: PairingNumber(result.pairing), attempt: result.attempt, absence: absence,
          games: result.games.map { Outcome(scores: $0) }))
    }
  }
}
