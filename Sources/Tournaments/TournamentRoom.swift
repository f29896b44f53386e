package import Events
package import Projection
package import Rules

/// A tournament as its room tells it: settings, entrants, and what follows from the organizer's words.
///
/// Read by its words alone it is what the organizer goes by, who writes them. ``TournamentFold`` reads it with the
/// rooms of its games, as everybody is shown it.
package struct TournamentRoom: Sendable {
  /// A room whose result counts.
  package struct CountedRoom: Hashable, Sendable {
    /// The pairing's number.
    package let pairing: UInt32
    /// Which of its rooms, from 0.
    package let attempt: UInt8
    /// The room; zero for a walkover without one.
    package let room: RoomID
    /// The two seats' scores of each game.
    package let games: [[Int32]]
  }

  /// The room's id.
  package let room: RoomID
  /// What was fixed at creation.
  package let create: Create
  /// Who created it.
  package let organizer: PeerID
  /// Milliseconds since 1970 when it was created, by the organizer's clock.
  package let createdAt: UInt64
  /// The tournament's name for people; may be empty.
  package let title: String
  /// The seed of all random numbers of its bots.
  package let seed: UInt64
  /// The entrants, by seed, with those who came in after the start behind the others.
  package let entrants: [RoomState.Occupant]
  /// Where it stands.
  package internal(set) var state: TournamentState
  /// The counted rooms of each attempt at a pairing, in the order in which they count.
  package internal(set) var rooms: [CountedRoom] = []
  /// Whom the organizer has disqualified, and why.
  package internal(set) var disqualified: [EntrantIndex: String] = [:]
  /// The events of the organizer's decisions that it has taken back, in the order of that.
  package internal(set) var revoked: [EventID] = []
  /// What was found of each word that has an effect or would have one; empty when it was read by words alone, but
  /// for what is refused.
  package internal(set) var findings: [PairingFinding] = []

  /// Reads a tournament from the state of its room by the organizer's words alone.
  /// - Throws: what is wrong with its settings; `nil` is returned for a room that is no started tournament.
  package init?(_ room: RoomState, _ catalog: GameCatalog) throws(TournamentError) {
    guard let unplayed = try TournamentRoom(unplayed: room, catalog) else { return nil }
    var fold = TournamentFold<Never>(unplayed)
    fold.take(room.tournamentWords)
    self = fold.tournament
  }

  /// A tournament at its start.
  package init?(unplayed room: RoomState, _ catalog: GameCatalog) throws(TournamentError) {
    guard case .tournament(let code, let options, let seed, let title) = room.create.purpose,
      room.start != nil
    else { return nil }
    let entrants = room.seats.compactMap { $0 }
    guard entrants.count == room.seats.count else { return nil }
    guard let format = TournamentFormat(rawValue: code) else { throw .unknownFormatCode(code) }
    let game = catalog.definition(room.create.rules, version: room.create.rulesVersion)
    let settings = try TournamentSettings(
      format: format, entrants: Int(room.create.seats), games: Int(room.create.games), byte: options,
      ranking: game?.ranksByScore == true ? .score : .points)
    self.room = room.room
    create = room.create
    organizer = room.creator
    createdAt = room.createdAt
    self.title = title
    self.seed = seed
    self.entrants = entrants
    state = TournamentState(settings: settings, follows: settings.format.followsWords)
  }

  /// Whether nothing is left to be played before the organizer's results open a round.
  package var waitsForOrganizer: Bool { !state.isComplete && state.ready.isEmpty }

  /// What the entrants call themselves, by seed; several may have one name where they come from elsewhere.
  package var labels: [String] { entrants.map(\.profile.name) }

  /// The labels; those that several have with the first digits of each one's key behind them.
  package var distinctLabels: [String] {
    let counts = Dictionary(labels.map { ($0, 1) }, uniquingKeysWith: +)
    return entrants.map { entrant in
      let name = entrant.profile.name
      return counts[name] == 1 ? name : "\(name) (\(entrant.peer.description.prefix(6)))"
    }
  }

  /// The hash that compares runs of one tournament: of labels, rules and results, not of keys, ids or times.
  package func standingsDigest() throws(TournamentError) -> Digest {
    var hash = Blake2b(domain: "parlor-standings-digest-1")
    hash.update(Array(create.rules.utf8) + [0])
    hash.update(bigEndian: create.rulesVersion)
    hash.update(create.parameters)
    for opening in create.openings {
      hash.update(bigEndian: UInt16(truncatingIfNeeded: opening.count))
      for code in opening { hash.update(bigEndian: code) }
    }
    hash.update(try state.canonicalStandings(labels: labels))
    return Digest(hash.digest())
  }
}

// MARK: - An organizer that plays

extension TournamentRoom {
  /// The referee of the room of an attempt: the organizer; where the organizer plays, whom the tournament names, or
  /// nobody.
  package func referee(of attempt: PairingAttempt) -> PeerID {
    peers(of: attempt).contains(organizer) ? refereeOfOrganizer ?? .none : organizer
  }

  /// The referee of the organizer's own pairings: neither the organizer nor an entrant.
  private var refereeOfOrganizer: PeerID? {
    let referee = create.referee
    let isFree = referee.isSome && referee != organizer && !entrants.contains { $0.peer == referee }
    return isFree ? referee : nil
  }

  /// Why the organizer may not say this of a pairing; `nil` when it may.
  func refusal(of result: Action.PairingResult, in attempt: PairingAttempt) -> EntryRejection? {
    guard let seat = peers(of: attempt).firstIndex(of: organizer) else { return nil }
    if refereeOfOrganizer == nil { return .organizerPlays(attempt.pairing.number) }
    let ownAbsence: Action.PairingResult.Walkover = seat == 0 ? .firstAbsent : .secondAbsent
    let isAllowed = result.walkover == .played || result.walkover == ownAbsence
    return isAllowed ? nil : .organizerGains(attempt.pairing.number)
  }
}
