internal import BotKit
internal import Events
internal import Peer
internal import Projection
internal import Tournaments

/// What this process has noted of tournaments that are under way.
struct NotedTournaments {
  struct Noted {
    /// As it was read last, with the rooms of its games.
    fileprivate(set) var read: TournamentRoom
    /// How often it was read.
    fileprivate(set) var revision = 0
    let memory: PairingRoomMemory
    /// The tables that this process has opened and that are on their way to the disk: they are not opened again, unless
    /// there was no space for them.
    var opened: [PairingAttempt: RoomID] = [:]
    /// The tables that are over, although their pairings wait: they are not read again for each look at the tournament.
    /// What comes there brings them back by itself.
    var over: Set<RoomID> = []
  }

  var noted: [RoomID: Noted] = [:]
  /// Those that are to be looked at.
  var due: Set<RoomID> = []

  /// Has a room's tournament looked at, where what is new may change who is to do what.
  mutating func note(_ state: RoomState) {
    guard let tournament = state.tournament, state.isTournament || state.phase != .playing else { return }
    due.insert(tournament)
  }

  /// A room is not in memory. A table that was opened and taken back, for want of space, is opened again.
  mutating func noteGone(_ room: RoomID) {
    // tidy: order does not matter because they are taken sorted
    for (tournament, noted) in noted where noted.opened.values.contains(room) { due.insert(tournament) }
  }

  /// What a game is played for: an attempt at a pairing at the table of one, else a game of its own.
  func occasion(of state: RoomState) -> Session.Occasion {
    guard state.isPlayersTable, case .games(let tournament, let number, let count) = state.create.purpose,
      let record = noted[tournament]?.read.state.record(PairingNumber(number)),
      let found = record.pairing.attempt(Int(count))
    else { return .table }
    return .pairing(found)
  }

  /// Takes those that are to be looked at, ascending.
  mutating func takeDue() -> [RoomID] {
    defer { due = [] }
    return due.sorted()
  }

  /// A tournament was read.
  mutating func note(_ read: TournamentRoom, _ memory: PairingRoomMemory) {
    noted[read.room, default: Noted(read: read, memory: memory)].read = read
    noted[read.room]?.revision += 1
  }
}
