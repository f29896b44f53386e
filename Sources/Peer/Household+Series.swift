package import BotKit
import EventLog
package import Events
import Projection
package import Rules
import Tournaments

extension Household {
  /// Who enters a tournament of this household.
  struct Entrant: Sendable {
    let label: String
    let bot: any Bot
    let key: SigningKey
  }

  /// Plays one attempt at a pairing to its end: a new room, or the one that the log already has of it.
  /// - Returns: `nil` when the caller asked to stop.
  func play(
    _ attempt: PairingAttempt, in known: RoomID?, of tournament: TournamentRoom, _ rules: any GameRules,
    _ entrants: [Entrant], isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Organizer.Report) -> Void
  ) async throws(PeerError) -> PlayedRoom? {
    var session = try await session(attempt, in: known, of: tournament, rules, entrants)
    report(.started(attempt, session.room, ended: session.state.endedGames(from: 0)))
    let end = try await playOut(&session, isCancelled: isCancelled) { report(.ended(attempt, $0)) }
    return end == .finished ? try played(attempt, &session) : nil
  }

  /// The room of an attempt with all who play in it, ready to be played.
  func session(
    _ attempt: PairingAttempt, in known: RoomID?, of tournament: TournamentRoom, _ rules: any GameRules,
    _ entrants: [Entrant]
  ) async throws(PeerError) -> Session {
    var host = core(owner)
    let room = try await openRoom(of: attempt, known: known, in: tournament, rules, host: &host)
    let seats = attempt.entrants.map { entrants[$0.index] }
    var guests: [PeerID: UInt16] = [:]
    for (seat, entrant) in seats.enumerated() { guests[entrant.key.peer] = UInt16(seat) }
    let conduct = PeerCore.Conduct(profile: Profile(name: "organizer"), guests: guests)
    let place = Session.Occasion.pairing(attempt).place(seed: tournament.seed)
    let origin = rules.saltOrigin(in: room, place)
    let players = seats.enumerated().map { seat, entrant in
      player(
        bot: entrant.bot, key: RoomSigner(entrant.key, in: origin), name: entrant.label, seat: UInt16(seat),
        seed: tournament.seed, signsEachGame: false)
    }
    return try Session(room: room, core: host, conduct: conduct, guests: players, place: place)
  }

  private func played(_ attempt: PairingAttempt, _ session: inout Session) throws(PeerError) -> PlayedRoom {
    let state = session.state
    guard let log = session.core.log(of: session.room),
      let played = PlayedRoom(attempt, log, state)
    else { throw .unplayable("room \(session.room.short) did not come to an agreed end") }
    return played
  }

  /// The room of an attempt: as the log has it, or a new one. Where rounds draw random numbers it has no referee, who
  /// would have a share in each of them and sign it: whoever has both bots can play, and one owner has them here.
  private func openRoom(
    of attempt: PairingAttempt, known: RoomID?, in tournament: TournamentRoom, _ rules: any GameRules,
    host: inout PeerCore
  ) async throws(PeerError) -> RoomID {
    if let known {
      host.open(try await load(known), isDurable: true)
      return known
    }
    return try host.create(
      Create(
        rules: tournament.create.rules, rulesVersion: tournament.create.rulesVersion,
        parameters: tournament.create.parameters, seats: UInt16(rules.seats), games: UInt16(attempt.games),
        nonce: nonce("pairing \(tournament.room) \(attempt.key)"), profile: Profile(name: "organizer"),
        hasOpenRounds: tournament.create.hasOpenRounds,
        referee: rules.drawsChance ? .none : tournament.referee(of: attempt),
        openings: tournament.openings(of: attempt),
        purpose: .games(
          tournament: tournament.room, pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt)))
  }

  /// The bot that declared itself so in the log, in just that version.
  package func bot(_ entry: BotEntry, for rules: any GameRules) throws(PeerError) -> any Bot {
    try bot(BotCatalog.specification(entry.specification, version: entry.version), for: rules)
  }

  /// A bot by its name on the command line.
  package func bot(_ specification: String, for rules: any GameRules) throws(PeerError) -> any Bot {
    do throws(BotError) { return try bots.bot(specification, for: rules) } catch {
      throw .notAllowed(error.description)
    }
  }
}

extension GameRules {
  /// Whether rounds draw random numbers. A referee has a share in them, and signs in each such round.
  var drawsChance: Bool { start(first: Seat(0)).usesChance }

  /// What stands for the room where the secret is made from which an entrant's salts follow in a room of a tournament.
  /// Where salts make chance it is the place, so that the same seed gives the same games; else the room.
  func saltOrigin(in room: RoomID, _ place: Session.Place) -> RoomID { drawsChance ? place.saltName : room }
}
