package import BotKit
import EventLog
package import Events
package import Projection
package import Rules
import Tournaments

extension Household {
  /// Plays one attempt at a pairing to its end: a new room, or the one that the log already has of it.
  /// - Returns: `nil` when the caller asked to stop.
  func play(
    _ attempt: PairingAttempt, in known: RoomID?, of tournament: TournamentRoom, _ rules: any GameRules,
    _ entrants: [(label: String, bot: any Bot, key: SigningKey)], isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Organizer.Report) -> Void
  ) async throws(PeerError) -> PlayedRoom? {
    var host = core(owner)
    let room = try await openRoom(of: attempt, known: known, in: tournament, rules, host: &host)
    let seats = attempt.entrants.map { entrants[$0.index] }
    var guests: [PeerID: UInt16] = [:]
    for (seat, entrant) in seats.enumerated() { guests[entrant.key.peer] = UInt16(seat) }
    let conduct = PeerCore.Conduct(profile: Profile(name: "organizer"), guests: guests)
    let players = seats.enumerated().map { seat, entrant in
      player(
        bot: entrant.bot, key: entrant.key, name: entrant.label, seat: UInt16(seat), seed: tournament.seed,
        signsEachGame: false)
    }
    let place = Session.Place(
      seed: tournament.seed, round: UInt32(truncatingIfNeeded: attempt.pairing.round),
      pairing: UInt32(truncatingIfNeeded: attempt.pairing.position * 256 + Int(attempt.attempt)),
      fixesSalts: true)
    var session = try Session(room: room, core: host, conduct: conduct, guests: players, place: place)
    report(.started(attempt, room))
    guard try await playOut(&session, isCancelled: isCancelled) == .finished else { return nil }
    return try played(attempt, &session)
  }

  private func played(_ attempt: PairingAttempt, _ session: inout Session) throws(PeerError) -> PlayedRoom {
    let state = session.state
    guard state.phase == .finished, state.games.count == attempt.games, state.games.allSatisfy(\.isAgreed),
      let log = session.core.log(of: session.room)
    else { throw .unplayable("room \(session.room.short) did not come to an agreed end") }
    return PlayedRoom(
      attempt: attempt, room: session.room, heads: log.heads(of: state.participants),
      scores: state.games.map { $0.ending?.outcome?.scores ?? [] })
  }

  /// The room of an attempt: as the log has it, or a new one.
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
        referee: tournament.referee(of: attempt),
        purpose: .games(
          tournament: tournament.room, pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt)))
  }

  // MARK: - Matches

  /// What a match of two bots is made from.
  package struct MatchPlan: Sendable {
    package var rules: any GameRules
    /// The two bots, as on the command line.
    package var players: [String]
    package var games: Int
    /// How many games one of them must win for the match to be over before that; `nil` to play all. Such a match has
    /// one room: the games of several are played at once, and none of them would know when it is over.
    package var wins: Int?
    package var seed: UInt64

    package init(rules: any GameRules, players: [String], games: Int, wins: Int? = nil, seed: UInt64) {
      precondition(
        wins == nil || games <= Int(Create.limitGames), "a match of \(games) games to \(wins ?? 0) wins")
      self.rules = rules
      self.players = players
      self.games = games
      self.wins = wins
      self.seed = seed
    }
  }

  /// One room's part of a match: the games that are over.
  package struct MatchRoom: Sendable {
    package let room: RoomID
    /// The number of its first game in the match, from 0.
    package let firstGame: Int
    package let games: [GameRecord]
  }

  /// Plays a match of bots: rooms of up to 256 games between the same seats, who take turns at moving first.
  /// - Parameters:
  ///   - room: the room's number in the match, from 0; it decides the random numbers.
  ///   - onGame: called as each game ends, which may be before it is durable.
  /// - Returns: the games that ended, all of them unless the caller asked to stop; `nil` when none did. What
  ///   was played is durable.
  package func playMatchRoom(
    _ room: Int, of plan: MatchPlan, isCancelled: @escaping @Sendable () -> Bool,
    onGame: (@Sendable (GameRecord) -> Void)? = nil
  ) async throws(PeerError) -> MatchRoom? {
    let perRoom = Int(Create.limitGames)
    let games = min(perRoom, plan.games - room * perRoom)
    var host = core(owner)
    let definition = plan.rules.definition
    let id = try host.create(
      Create(
        rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
        seats: UInt16(plan.rules.seats), games: UInt16(games),
        target: plan.wins.map { UInt32(clamping: $0) } ?? 0,
        nonce: nonce("match \(now()) \(elapsed()) \(plan.seed) \(room)"), profile: Profile(name: "host"),
        referee: host.id))
    let labels = Organizer.labels(of: plan.players)
    var guests: [PeerID: UInt16] = [:]
    var players: [Session.Player] = []
    for (seat, specification) in plan.players.enumerated() {
      let bot = try bot(specification, for: plan.rules)
      let key = botKey(labels[seat])
      guests[key.peer] = UInt16(seat)
      players.append(
        player(
          bot: bot, key: key, name: labels[seat], seat: UInt16(seat), seed: plan.seed, signsEachGame: false))
    }
    let conduct = PeerCore.Conduct(profile: Profile(name: "host"), guests: guests)
    let place = Session.Place(
      seed: plan.seed, pairing: UInt32(truncatingIfNeeded: room), fixesSalts: true)
    var session = try Session(room: id, core: host, conduct: conduct, guests: players, place: place)
    _ = try await playOut(&session, isCancelled: isCancelled, onGame: onGame)
    let ended = session.state.games.filter { $0.ending != nil }
    return ended.isEmpty ? nil : MatchRoom(room: id, firstGame: room * perRoom, games: ended)
  }

  /// A bot by its name on the command line.
  package func bot(_ specification: String, for rules: any GameRules) throws(PeerError) -> any Bot {
    do throws(BotError) { return try bots.bot(specification, for: rules) } catch {
      throw .notAllowed(error.description)
    }
  }
}

extension Event {
  /// What a `create` is for.
  package var createdPurpose: Create.Purpose? {
    if case .create(let create) = action { create.purpose } else { nil }
  }
}
