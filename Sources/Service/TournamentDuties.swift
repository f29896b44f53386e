internal import EventLog
internal import Events
internal import Gossip
internal import Network
internal import Peer
internal import Projection
internal import Tournaments

/// What this process does in tournaments whose games are played by the entrants' own peers: who comes to which table,
/// and the organizer's words.
final class TournamentDuties {
  private let rooms: Rooms
  private let presence: Presence
  /// The tournaments that are under way.
  var known = NotedTournaments()

  init(_ rooms: Rooms, _ presence: Presence) {
    self.rooms = rooms
    self.presence = presence
  }

  /// Does what is owed to a tournament in which something has changed.
  nonisolated(nonsending) func tend(_ room: RoomID) async {
    do throws(ServiceError) { try await doDuties(in: room) } catch {
      // It is tried again, unless its own log cannot be read.
      if error.passes { known.due.insert(room) }
    }
  }

  nonisolated(nonsending) private func doDuties(in room: RoomID) async throws(ServiceError) {
    guard let state = try await state(of: room) else { return }
    if known.noted[room] == nil { await rooms.networkPeer.ask(for: RoomPrefix(room)) }
    let memory = known.noted[room]?.memory ?? PairingRoomMemory()
    let folded: TournamentRoom?
    let tables: PlayersTables
    do throws(LogError) {
      folded = try rooms.log.tournament(state, rooms.games, memory)
      tables = PlayersTables(try rooms.log.rooms(of: room))
    } catch { throw .peer(.log(error.description)) }
    guard let folded else { return }
    known.note(folded, memory)
    if state.creator == presence.peer { try await sayWords(on: folded, state, tables) }
    for entrant in presence.entrants(of: state) {
      for attempt in folded.attempts(of: entrant.peer, all: entrant.comesToAll) {
        try await come(to: attempt, of: folded, tables.table(of: attempt, in: folded), as: entrant.peer)
      }
    }
  }

  /// A tournament's room that is durable, in which somebody here has a part, and that is under way, or was when it was
  /// looked at last; `nil` of all others.
  nonisolated(nonsending) private func state(of room: RoomID) async throws(ServiceError) -> RoomState? {
    let noted = known.noted[room]
    let found: RoomState?
    if await rooms.networkPeer.read({ $0.log(of: room) != nil }) {
      found = await rooms.networkPeer.read { $0.isDurable(room) ? $0.state(of: room) : nil }
    } else {
      // A stranger's table may name any tournament: it is not read from the disk for that.
      guard noted != nil || presence.attendance.isAttended(room) else { return nil }
      found = try await rooms.state(of: room)
    }
    guard let state = found, state.isTournament, presence.hasPart(in: state) else { return nil }
    if noted?.read.state.isComplete == false || Steward.isUnderWay(state) { return state }
    return try isFalselyOver(state) ? state : nil
  }

  /// Whether the organizer's words alone end a tournament that somebody here has made or waits in, and what the seats
  /// have signed stands against them. An organizer may hear of that after it has called somebody absent.
  private func isFalselyOver(_ state: RoomState) throws(ServiceError) -> Bool {
    guard presence.waits(in: state) else { return false }
    let memory = known.noted[state.room]?.memory
    return try rooms.log.storedTournament(state.room, rooms.games, memory)?.state.isComplete == false
  }

  /// Whether a tournament is over, as far as it is durable.
  func isComplete(_ room: RoomID) throws(ServiceError) -> Bool {
    if let noted = known.noted[room] { return noted.read.state.isComplete }
    return try rooms.log.storedTournament(room, rooms.games)?.state.isComplete ?? false
  }

  /// Comes to the table of an attempt: whoever has the first seat opens it, and the other one asks for its seat.
  /// - Parameter table: the table, where it is here.
  nonisolated(nonsending) private func come(
    to attempt: PairingAttempt, of tournament: TournamentRoom, _ table: RoomID?, as entrant: PeerID
  ) async throws(ServiceError) {
    let networkPeer = rooms.networkPeer
    if let table {
      known.noted[tournament.room]?.opened[attempt] = nil
      if known.noted[tournament.room]?.over.contains(table) == true {
        guard await networkPeer.read({ $0.log(of: table) != nil }) else { return }
      }
      try await rooms.open(table)
      let isOver = await networkPeer.read { core in core.state(of: table).map { !Steward.isUnderWay($0) } }
      if isOver == true { known.noted[tournament.room]?.over.insert(table) }
    } else if let opened = known.noted[tournament.room]?.opened[attempt] {
      guard await networkPeer.read({ $0.log(of: opened) == nil }) else { return }
    }
    let written: [RoomID]
    do throws(PeerError) {
      written = try await networkPeer.update { core throws(PeerError) in
        guard let member = core.keys.number(of: entrant) else { return [] }
        return try core.come(to: attempt, of: tournament, table, by: member).map { [$0] } ?? []
      }
    } catch { throw .peer(error) }
    if table == nil { known.noted[tournament.room]?.opened[attempt] = written.first }
  }

  /// Says what the tables amount to that have come to their end.
  nonisolated(nonsending) private func sayWords(
    on tournament: TournamentRoom, _ state: RoomState, _ tables: PlayersTables
  ) async throws(ServiceError) {
    let networkPeer = rooms.networkPeer
    for attempt in tournament.attemptsWithoutWord(state.tournamentWords) {
      guard let table = tables.table(of: attempt, in: tournament) else { continue }
      // Most tables are in memory and go on: what is stored of those need not be read.
      let isOver = await networkPeer.read { core in
        core.state(of: table).map { tournament.word(on: attempt, $0, heads: []) != nil } ?? true
      }
      guard isOver else { continue }
      let word: Action.PairingResult?
      do throws(LogError) {
        word = try rooms.log.word(on: attempt, of: tournament, at: table, rooms.games)
      } catch { throw .peer(.log(error.description)) }
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
