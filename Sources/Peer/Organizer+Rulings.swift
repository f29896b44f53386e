import EventLog
package import Events
import Projection
import Rules
package import Tournaments

// What an organizer decides, and takes back, and who withdraws.

extension Organizer {
  /// Disqualifies an entrant of a tournament that is open here, complete or not; when it returns, that is durable.
  /// - Throws: where that has no effect: the entrant was disqualified before.
  package func disqualify(
    _ entrant: EntrantIndex, reason: String, in room: RoomID
  ) async throws(PeerError) -> TournamentRoom {
    let tournament = try ruled(room)
    guard tournament.disqualified[entrant] == nil else {
      throw .notAllowed("\(tournament.labels[entrant.index]) was disqualified before")
    }
    try await write(.disqualify(seat: entrant.rawValue, reason: reason), in: room)
    return try told(room, isPlayed: false)
  }

  /// Says who did not come to a pairing of a tournament that is open here, by the entrants of its open room; when it
  /// returns, that is durable.
  /// - Throws: where that has no effect: the pairing is decided or not known yet, nobody of it is named, or all of its
  ///   games are over.
  package func callAbsent(
    _ absent: Set<EntrantIndex>, in pairing: PairingNumber, of room: RoomID
  ) async throws(PeerError) -> TournamentRoom {
    let tournament = try ruled(room)
    guard let attempt = tournament.state.record(pairing)?.open, !absent.isEmpty,
      absent.isSubset(of: attempt.entrants)
    else { throw .notAllowed("pairing \(pairing) is not to be played by whoever is called absent") }
    let absence = Absence(
      isFirstSeat: absent.contains(attempt.entrants[0]), isSecondSeat: absent.contains(attempt.entrants[1]))
    let table = try mapped { () throws(LogError) in
      try household.log.table(of: attempt, in: tournament)
    }
    let begun = try knownRooms(of: room)[attempt.key] ?? table
    let walkover = Action.PairingResult.Walkover(rawValue: absence.rawValue) ?? .bothAbsent
    func word(
      _ table: RoomID, _ heads: [Action.PairingResult.Head], _ games: [[Int32]]
    ) -> Action.PairingResult {
      Action.PairingResult(
        pairing: pairing.rawValue, attempt: attempt.attempt, room: table, heads: heads, walkover: walkover,
        games: games)
    }
    var result = word(.none, [], [])
    if let begun {
      // It is only read: an organizer that goes on from another machine may not write there before a lost entrant has
      // come, and need not.
      let log = try household.read(begun)
      var projection = try mapped { () throws(LogError) in try log.projection(household.games) }
      let state = projection.state
      let scores = state.endedScores
      guard scores.count < attempt.games else {
        throw .notAllowed("all games of pairing \(pairing) are over: nobody was absent")
      }
      let seen = word(begun, log.heads(of: state.participants), scores)
      result = tournament.provable(seen, on: attempt, log, household.games) ?? result
    }
    try await write(.pairingResult(result), in: room)
    return try told(room, isPlayed: false)
  }

  /// Takes back the disqualification of an entrant of a tournament that is open here; when it returns, that is durable.
  /// - Throws: where that has no effect: it is not disqualified, or results rest on that.
  package func reinstate(_ entrant: EntrantIndex, in room: RoomID) async throws(PeerError) -> TournamentRoom {
    let tournament = try ruled(room)
    let label = tournament.labels[entrant.index]
    guard tournament.disqualified[entrant] != nil else { throw .notAllowed("\(label) is not disqualified") }
    let ruling = standing(on: tournament).last { word in
      if case .disqualification(let seat, _, _) = word { seat.rawValue == entrant.rawValue } else { false }
    }
    return try await takeBack(ruling, "the disqualification of \(label)", of: room)
  }

  /// Takes back who was called absent from a pairing of a tournament that is open here; when it returns, that is
  /// durable, and the pairing is to be played.
  /// - Throws: where that has no effect: nobody was called absent, the table itself says so, or results rest on it.
  package func reopen(_ pairing: PairingNumber, of room: RoomID) async throws(PeerError) -> TournamentRoom {
    let tournament = try ruled(room)
    let ruling = standing(on: tournament).last { word in
      if case .result(let result, _) = word { result.pairing == pairing.rawValue } else { false }
    }
    guard let ruling, case .result(let result, _) = ruling, ruling.isDecision,
      let attempt = tournament.state.record(pairing)?.pairing.attempt(Int(result.attempt))
    else { throw .notAllowed("pairing \(pairing) was not decided by a ruling of the organizer's") }
    let table = try mapped { () throws(LogError) in
      try household.log.table(of: attempt, in: tournament)
    }
    let isAtTable = try table.map { table throws(PeerError) in
      try mapped { () throws(LogError) in
        try household.log.word(on: attempt, of: tournament, at: table, household.games) != nil
      }
    }
    guard isAtTable != true else {
      throw .notAllowed("the table of pairing \(pairing) says itself who left it: that cannot be taken back")
    }
    return try await takeBack(ruling, "the ruling on pairing \(pairing)", of: room)
  }

  /// The organizer's words that stand.
  private func standing(on tournament: TournamentRoom) -> [RoomState.TournamentWord] {
    let said = core.state(of: tournament.room)?.tournamentWords ?? []
    return said.filter { word in word.event.map { !tournament.revoked.contains($0) } ?? false }
  }

  private func takeBack(
    _ ruling: RoomState.TournamentWord?, _ name: String, of room: RoomID
  ) async throws(PeerError) -> TournamentRoom {
    guard let event = ruling?.event else { throw .notAllowed("\(name) does not stand in the log") }
    var tried = core
    _ = try tried.write(.revoke(word: event), in: room)
    let before = try told(room, isPlayed: false)
    let after = try tried.state(of: room).flatMap { state throws(PeerError) in
      try mapped { () throws(LogError) in try household.log.tournament(state, household.games, nil) }
    }
    guard let after, after.revoked.contains(event) else {
      throw .notAllowed(
        "\(name) cannot be taken back: results rest on it, or too many rulings were taken back before")
    }
    // What players have signed meanwhile is not undone either.
    var undone = Set(before.rooms).subtracting(after.rooms)
    if case .result(let result, _) = ruling {
      undone = undone.filter { $0.pairing != result.pairing || $0.attempt != result.attempt }
    }
    guard undone.isEmpty else {
      throw .notAllowed("\(name) cannot be taken back: games that rest on it were played")
    }
    try await write(.revoke(word: event), in: room)
    return try told(room, isPlayed: false)
  }

  /// Has an entrant of this household withdraw from a tournament that is open here; when it returns, that is durable.
  package func withdraw(
    _ entrant: EntrantIndex, from room: RoomID
  ) async throws(PeerError) -> TournamentRoom {
    let tournament = try tournament(room)
    guard !tournament.state.isComplete else { throw .notAllowed("tournament \(room.short) is complete") }
    guard !tournament.state.withdrawn.contains(entrant) else {
      throw .notAllowed("\(tournament.labels[entrant.index]) has withdrawn before")
    }
    let peer = tournament.entrants[entrant.index].peer
    let keys = [household.owner, household.botKey(tournament.labels[entrant.index])]
    guard let key = keys.first(where: { $0.peer == peer }) else {
      throw .notAllowed("\(tournament.labels[entrant.index]) was entered with another identity")
    }
    var player = household.core(key)
    player.open(try await household.load(room), isDurable: true)
    _ = try player.write(.leave(node: .none), in: room)
    if let change = try player.prepareCommit(room) {
      try await household.store(change, allowed: player.ownHeads.takeAllowed())
      player.markDurable(change)
    }
    return try told(room, isPlayed: false)
  }

  /// A tournament on which this organizer may rule, as everybody is shown it: where players have signed what the
  /// organizer has not said yet, or where it has said what is not so, its words alone tell of other pairings.
  private func ruled(_ room: RoomID) throws(PeerError) -> TournamentRoom {
    let tournament = try told(room, isPlayed: false)
    guard tournament.organizer == core.id else {
      throw .notAllowed("the tournament was created with another identity; only that one rules on it")
    }
    return tournament
  }
}
