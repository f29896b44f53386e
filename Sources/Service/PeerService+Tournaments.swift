internal import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer
internal import Projection
internal import Tournaments

// Tournaments whose games are played by the entrants' own peers: who comes to which table, and the organizer's words.

extension PeerService {
  /// Whether somebody sees who comes to a room: somebody who sits at it, or waits in its tournament.
  func isAttendedOrTournament(_ room: RoomID) async -> Bool {
    if isAttended(room) { return true }
    let tournament = await networkPeer.read { $0.state(of: room)?.tournament }
    return tournament.map(isAttended) ?? false
  }

  /// An attempt at a pairing of a tournament that is under way; `nil` where this process knows none.
  func attempt(_ attempt: Int, atPairing number: UInt32, of tournament: RoomID) -> PairingAttempt? {
    tournaments.noted[tournament]?.read.state.record(PairingNumber(number))?.pairing.attempt(attempt)
  }

  /// Does what is owed to tournaments in which something has changed.
  func tendTournaments() async {
    for room in tournaments.takeDue() where reservations[room] == nil {
      do throws(ServiceError) { try await tendTournament(room) } catch {
        // It is tried again, unless its own log cannot be read.
        if error.passes { tournaments.due.insert(room) }
      }
    }
  }

  private func tendTournament(_ room: RoomID) async throws(ServiceError) {
    let me = peer
    guard let state = try await tournamentState(room) else { return }
    if tournaments.noted[room] == nil { await networkPeer.ask(for: RoomPrefix(room)) }
    let memory = tournaments.noted[room]?.memory ?? PairingRoomMemory()
    let folded: TournamentRoom?
    let tables: PlayersTables
    do throws(LogError) {
      folded = try store.tournament(state, catalog, memory)
      tables = PlayersTables(try store.rooms(of: room))
    } catch { throw .peer(.log(error.description)) }
    guard let folded else { return }
    tournaments.note(folded, memory)
    if state.creator == me { try await sayWords(on: folded, state, tables) }
    let present = guests.present.filter { state.seat(of: $0) != nil }.sorted()
    for entrant in (isAttended(room) ? [me] : []) + present {
      for attempt in folded.attempts(of: entrant, all: entrant == me && policy.isBot) {
        try await come(to: attempt, of: folded, tables.table(of: attempt, in: folded), as: entrant)
      }
    }
  }

  /// Has the guests who are here come to the tables of their pairings, as a person does who waits in a tournament.
  package func attend(asGuests guests: Set<PeerID>) async {
    let come = self.guests.come(guests)
    guard !come.isEmpty else { return }
    let rooms = await networkPeer.read { core in
      core.openRooms.filter { room in
        guard let state = core.state(of: room), state.isTournament else { return false }
        return come.contains { state.seat(of: $0) != nil }
      }
    }
    guard !rooms.isEmpty else { return }
    tournaments.due.formUnion(rooms)
    await tend()
  }

  /// A tournament's room that is durable, in which somebody here has a part, and that is under way, or was when it was
  /// looked at last; `nil` of all others.
  private func tournamentState(_ room: RoomID) async throws(ServiceError) -> RoomState? {
    let noted = tournaments.noted[room]
    let found: RoomState?
    if await networkPeer.read({ $0.log(of: room) != nil }) {
      found = await networkPeer.read { $0.isDurable(room) ? $0.state(of: room) : nil }
    } else {
      // A stranger's table may name any tournament: it is not read from the disk for that.
      guard noted != nil || attendance.isAttended(room) else { return nil }
      found = try await state(of: room)
    }
    guard let state = found, state.isTournament,
      state.creator == peer || ([peer] + guests.people).contains(where: { state.seat(of: $0) != nil })
    else { return nil }
    if noted?.read.state.isComplete == false || Steward.isUnderWay(state) { return state }
    return try isFalselyOver(state) ? state : nil
  }

  /// Whether the organizer's words alone end a tournament that somebody here has made or waits in, and what the seats
  /// have signed stands against them. An organizer may hear of that after it has called somebody absent.
  private func isFalselyOver(_ state: RoomState) throws(ServiceError) -> Bool {
    guard
      isAttended(state.room) || state.creator == peer
        || guests.present.contains(where: { state.seat(of: $0) != nil })
    else { return false }
    return try tournament(state.room, tournaments.noted[state.room]?.memory)?.state.isComplete == false
  }

  /// Whether a tournament is over, as far as it is durable.
  package func isComplete(_ room: RoomID) throws(ServiceError) -> Bool {
    if let noted = tournaments.noted[room] { return noted.read.state.isComplete }
    return try tournament(room)?.state.isComplete ?? false
  }

  /// Comes to the table of an attempt: whoever has the first seat opens it, and the other one asks for its seat.
  /// - Parameter table: the table, where it is here.
  private func come(
    to attempt: PairingAttempt, of tournament: TournamentRoom, _ table: RoomID?, as entrant: PeerID
  ) async throws(ServiceError) {
    if let table {
      tournaments.noted[tournament.room]?.opened[attempt] = nil
      if tournaments.noted[tournament.room]?.over.contains(table) == true {
        guard await networkPeer.read({ $0.log(of: table) != nil }) else { return }
      }
      try await rooms.open(table)
      let isOver = await networkPeer.read { core in core.state(of: table).map { !Steward.isUnderWay($0) } }
      if isOver == true { tournaments.noted[tournament.room]?.over.insert(table) }
    } else if let opened = tournaments.noted[tournament.room]?.opened[attempt] {
      guard await networkPeer.read({ $0.log(of: opened) == nil }) else { return }
    }
    let written: [RoomID]
    do throws(PeerError) {
      written = try await networkPeer.update { core throws(PeerError) in
        guard let member = core.member(entrant) else { return [] }
        return try core.come(to: attempt, of: tournament, table, by: member).map { [$0] } ?? []
      }
    } catch { throw .peer(error) }
    if table == nil { tournaments.noted[tournament.room]?.opened[attempt] = written.first }
  }

  /// Says what the tables amount to that have come to their end.
  private func sayWords(
    on tournament: TournamentRoom, _ state: RoomState, _ tables: PlayersTables
  ) async throws(ServiceError) {
    for attempt in tournament.attemptsWithoutWord(state.tournamentWords) {
      guard let table = tables.table(of: attempt, in: tournament) else { continue }
      // Most tables are in memory and go on: what is stored of those need not be read.
      let isOver = await networkPeer.read { core in
        core.state(of: table).map { tournament.word(on: attempt, $0, heads: []) != nil } ?? true
      }
      guard isOver else { continue }
      let word: Action.PairingResult?
      do throws(LogError) { word = try store.word(on: attempt, of: tournament, at: table, catalog) } catch {
        throw .peer(.log(error.description))
      }
      guard let word else { continue }
      // Where its words had ended it, it is not in memory any more.
      try await rooms.withOpen([tournament.room]) { () async throws(ServiceError) in
        do throws(PeerError) {
          try await networkPeer.update { core throws(PeerError) in
            _ = try core.write(.pairingResult(word), in: tournament.room)
            return [tournament.room]
          }
        } catch { throw .peer(error) }
      }
    }
  }
}
