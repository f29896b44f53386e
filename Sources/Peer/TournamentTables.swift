package import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

// What a tournament asks of its entrants' peers and of its organizer's, where the games are played at players' tables.

/// The rooms of a tournament's games that a store lists, by their attempts.
package struct PlayersTables: Sendable {
  private struct Listing {
    let room: RoomID
    let create: Create
    let creator: PeerID
    let createdAt: UInt64
  }

  private var listings: [String: [Listing]] = [:]

  package init(_ rooms: [RoomListing]) {
    for listing in rooms {
      let event = listing.create
      guard case .create(let create) = event.action, case .games(_, let pairing, let attempt) = create.purpose
      else { continue }
      listings[PairingAttempt.key(pairing, attempt), default: []].append(
        Listing(room: listing.room, create: create, creator: event.author, createdAt: event.wallTime))
    }
  }

  /// The players' own table of an attempt; `nil` where it is not among them.
  package func table(of attempt: PairingAttempt, in tournament: TournamentRoom) -> RoomID? {
    listings[attempt.key]?.first {
      tournament.isTable($0.create, by: $0.creator, at: $0.createdAt, of: attempt)
    }?.room
  }
}

extension PeerCore {
  /// Has a member that has a seat in an attempt at a pairing come to its table. The first seat opens it and invites the
  /// other one, which asks for its seat.
  /// - Parameter table: the room, open in memory; `nil` while it is not here.
  /// - Returns: the room, where anything was written.
  package mutating func come(
    to attempt: PairingAttempt, of tournament: TournamentRoom, _ table: RoomID?, by member: Int = 0
  ) throws(PeerError) -> RoomID? {
    let me = keys.ids[member]
    let peers = attempt.entrants.map { tournament.entrants[$0.index] }
    guard let table else {
      guard peers[0].peer == me else { return nil }
      let room = try create(tournament.table(of: attempt), at: tournament.createdAt, by: member)
      _ = try write(.invite(peers[1].peer), in: room, by: member)
      return room
    }
    guard peers[1].peer == me, let state = state(of: table), state.phase == .waiting, state.mayRequest(me),
      state.seat(of: me) == nil, !state.openRequests.contains(where: { $0.peer == me })
    else { return nil }
    _ = try write(.request(seat: 1, peers[1].profile), in: table, by: member)
    return table
  }
}

extension TournamentRoom {
  /// The attempts at pairings on which the organizer has said nothing: those that are to be played, and those that
  /// count because all seats signed. Its own pairings are left out: it decides nothing there.
  package func attemptsWithoutWord(_ words: [RoomState.TournamentWord]) -> [PairingAttempt] {
    var said: Set<String> = []
    for case .result(let word, let event) in words where !revoked.contains(event) {
      said.insert(PairingAttempt.key(word.pairing, word.attempt))
    }
    let counted = rooms.compactMap { room in
      state.record(PairingNumber(room.pairing))?.pairing.attempt(Int(room.attempt))
    }
    return (counted + state.ready).filter { attempt in
      !said.contains(attempt.key) && !attempt.entrants.contains { entrants[$0.index].peer == organizer }
    }
  }

  /// Whether the organizer has said its last word on a tournament that is over. It needs none on what an absence has
  /// decided.
  package func isEnded(by words: [RoomState.TournamentWord]) -> Bool {
    let gone = Set(state.withdrawn)
    return state.isComplete && attemptsWithoutWord(words).allSatisfy { !gone.isDisjoint(with: $0.entrants) }
  }
}

extension EventLog {
  /// The players' own table of an attempt; `nil` where it is not here.
  package func table(
    of attempt: PairingAttempt, in tournament: TournamentRoom
  ) throws(LogError) -> RoomID? {
    PlayersTables(try rooms(of: tournament.room)).table(of: attempt, in: tournament)
  }

  /// What an organizer says of an attempt, from its table as it is stored; `nil` while the players go on.
  package func word(
    on attempt: PairingAttempt, of tournament: TournamentRoom, at table: RoomID, _ catalog: GameCatalog
  ) throws(LogError) -> Action.PairingResult? {
    let log = try load(table, verify: false)
    var projection = try log.projection(catalog)
    let state = projection.state
    return tournament.word(on: attempt, state, heads: log.heads(of: state.participants))
      .flatMap { tournament.provable($0, on: attempt, log, catalog) }
  }
}

extension TournamentRoom {
  /// A word of the organizer's that its room does not contradict. Of forked feeds the room can give something else at
  /// the heads of those who take part than it gives as a whole: an absence names no room then.
  func provable(
    _ word: Action.PairingResult, on attempt: PairingAttempt, _ log: RoomLog, _ catalog: GameCatalog
  ) -> Action.PairingResult? {
    guard !log.graph.forks.isEmpty, let room = PairingRoom(log.graph, heads: word.heads, catalog),
      isFalse(word, on: attempt, in: room)
    else { return word }
    guard word.walkover != .played else { return nil }
    return Action.PairingResult(
      pairing: word.pairing, attempt: word.attempt, room: .none, heads: [], walkover: word.walkover, games: []
    )
  }
}
