internal import EventLog
package import Events
package import Network
internal import Peer
package import Projection
internal import Rules
internal import Tournaments

/// What a peer does by itself in rooms where it is the creator or has a seat, read from the log alone.
package enum Steward {
  /// How a peer behaves.
  package struct Policy: Sendable {
    /// A person's peer: who sits there decides about take-backs, draws and claims.
    package static let person = Policy(isBot: false, sitsEverywhere: false)
    /// A bot's, which sits at all of its tables.
    package static let bot = Policy(isBot: true, sitsEverywhere: true)
    /// That of a program which decides for a person, and sees all of its tables.
    package static let program = Policy(isBot: false, sitsEverywhere: true)

    /// Whether it agrees to take-backs, declines draws, and claims when another seat's time is up.
    let isBot: Bool
    /// Whether its process is always at its tables. Else commands are, and seats are granted while one is.
    let sitsEverywhere: Bool
  }

  /// The most duties done in a room at a time; each of them brings the next one up, and no room owes so many.
  private static let limitDuties = 256

  /// Does all that the keys of this process owe in a room. Guests' peers behave as bots' do, but for those of people.
  /// - Parameters:
  ///   - people: the guests who are people.
  ///   - isAttended: whether somebody sits at the table, if it is this peer's own.
  /// - Returns: whether anything was written.
  static func doDuties(
    in room: RoomID, _ core: inout PeerCore, _ policy: Policy, people: Set<PeerID>, isAttended: Bool
  ) throws(PeerError) -> Bool {
    guard let state = core.state(of: room),
      state.isCasual || state.isPlayersTable || state.isTournament && state.phase == .waiting
    else { return false }
    var hasWritten = false
    for member in core.keys.members(in: state) {
      let own = member == 0 ? policy : people.contains(core.keys.ids[member]) ? .person : .bot
      let conduct = conduct(state, &core, own, isAttended: isAttended || member > 0)
      if try doDuties(in: room, &core, conduct, by: member) { hasWritten = true }
    }
    return hasWritten
  }

  private static func doDuties(
    in room: RoomID, _ core: inout PeerCore, _ conduct: PeerCore.Conduct, by member: Int
  ) throws(PeerError) -> Bool {
    var written = 0
    do throws(PeerError) {
      while try core.doDuties(in: room, conduct, by: member) {
        written += 1
        guard written < limitDuties else { throw .unplayable("what is written into the room has no effect") }
      }
    } catch {
      // What was written before is stored all the same; what could not be is tried again.
      guard written > 0, written < limitDuties else { throw error }
    }
    return written > 0
  }

  private static func conduct(
    _ state: RoomState, _ core: inout PeerCore, _ policy: Policy, isAttended: Bool
  ) -> PeerCore.Conduct {
    var guests: [PeerID: UInt16]?
    if state.create.rematchOf.isSome {
      let players = core.state(of: state.create.rematchOf)?.seats.compactMap { $0?.peer } ?? []
      guests = Dictionary(players.map { ($0, Create.noSeat) }) { first, _ in first }
    }
    if state.isPlayersTable {
      guests = Dictionary(state.invited.map { ($0, 1) }) { first, _ in first }
    }
    // A creator without a seat plays with nobody, and need not see who comes; nor does an organizer see each entrant.
    if !isAttended, state.create.creatorSeat != Create.noSeat, !state.isTournament { guests = [:] }
    return PeerCore.Conduct(
      profile: Profile(name: ""), guests: guests, acceptsUndo: policy.isBot,
      declinesDraws: policy.isBot, startsTournaments: false)
  }

  /// Which rooms need nothing of anybody any more, and so are not kept in memory.
  package static let closing = ClosingRule(version: 3) { state in !Steward.isUnderWay(state) }

  /// The same in tournaments of which this peer is no part: once they have started they need nothing of it.
  static let closingForeign = ClosingRule(version: closing.version) { state in
    state.isTournament && state.phase != .waiting || !Steward.isUnderWay(state)
  }

  /// Whether a room may still need something of anybody. What is stored by `closing` goes by this.
  package static func isUnderWay(_ state: RoomState) -> Bool {
    switch state.phase {
    case .playing where state.isTournament: !state.isDecidedByWords
    case .waiting: state.isCasual || state.hosted != nil || state.isPlayersTable || state.isTournament
    case .playing: state.isCasual || state.hosted != nil || state.isPlayersTable
    case .finished: (state.isCasual || state.isPlayersTable) && state.games.contains { !$0.isAgreed }
    case .abandoned, .closed, .unknownRules, .unknownEdition: false
    }
  }
}

extension RoomState {
  /// Whether the room is for games that belong to no tournament.
  package var isCasual: Bool {
    if case .games(let tournament, _, _) = create.purpose { !tournament.isSome } else { false }
  }

  /// The tournament that the room is, or says that it belongs to; `nil` for none.
  package var tournament: RoomID? {
    switch create.purpose {
    case .tournament: room
    case .games(let tournament, _, _): tournament.isSome ? tournament : nil
    case .hosted: nil
    }
  }

  /// Whether the room is a table that an entrant of a tournament has opened for a pairing of its own.
  package var isPlayersTable: Bool {
    !isCasual && create.isGames && create.creatorSeat != Create.noSeat
  }

  /// Whether the words of the organizer's leave nothing of a tournament to be played, or it has settings that make no
  /// pairings.
  fileprivate var isDecidedByWords: Bool {
    do throws(TournamentError) {
      return try TournamentRoom(self, GameCatalog([]))?.state.isComplete ?? true
    } catch { return true }
  }

  /// Whether its games were played, to their end or until somebody left.
  package var isOver: Bool {
    switch phase {
    case .finished, .abandoned: true
    default: false
    }
  }

  /// Whether somebody has a seat in the room that this peer is to be told of: not one kept for another's rematch.
  package func hasFreeSeat(for peer: PeerID) -> Bool {
    if hosted != nil { return hasRoom(for: peer) }
    guard isCasual || isTournament, phase == .waiting, seats.contains(nil), !create.rematchOf.isSome else {
      return false
    }
    return create.scope != .invited || creator == peer || invited.contains(peer)
  }
}

extension RoomState {
  /// Whether a tournament has started into which somebody may still be let.
  package var takesLateEntrants: Bool { lateSeats > 0 && Steward.isUnderWay(self) }

  /// Whether a peer may ask for a seat of a tournament, before its start or later.
  package func mayEnter(_ peer: PeerID) -> Bool {
    isTournament && seat(of: peer) == nil && peer != creator
      && (hasFreeSeat(for: peer) || takesLateEntrants && mayRequest(peer))
  }

  /// Whether somebody may come into a room of hosted rounds, also while they go on.
  private func hasRoom(for peer: PeerID) -> Bool {
    guard phase == .waiting || phase == .playing, let hosted, hosted.players.count < seats.count else {
      return false
    }
    return create.scope != .invited || creator == peer || invited.contains(peer)
  }
}

extension RoomLog {
  /// Who created the room.
  var creator: PeerID? { entries.first?.event.author }

  /// Whether a peer who was invited has declined: the first that it says of a seat is that it leaves.
  func hasDeclined(_ peer: PeerID) -> Bool {
    let first = feed(peer)?.positions.lazy.map { entries[$0].event.kind }.first {
      $0 == .request || $0 == .leave
    }
    return first == .leave && peer != creator
  }
}

extension EventLog {
  /// How many of the newest rooms are looked through for one that was just made.
  private static var limitNewest: Int { 256 }

  /// The rooms among the newest that were created as rematches of another one, and by whom, newest first.
  func rematches(of room: RoomID) throws(ServiceError) -> [(room: RoomID, creator: PeerID)] {
    do throws(LogError) {
      return try rooms(limit: Self.limitNewest).compactMap { listing in
        guard case .create(let create) = listing.create.action, create.rematchOf == room else { return nil }
        return (listing.room, listing.create.author)
      }
    } catch { throw .peer(.log(error.description)) }
  }

  /// The newest room that a peer created as a rematch of another one.
  func rematch(of room: RoomID, by creator: PeerID) throws(ServiceError) -> RoomID? {
    try rematches(of: room).first { $0.creator == creator }?.room
  }

  /// The rooms among the newest in which a peer hosts rounds of these rules, newest first.
  func hostedRooms(of rules: String, by host: PeerID) throws(ServiceError) -> [RoomID] {
    do throws(LogError) {
      return try rooms(limit: Self.limitNewest).compactMap { listing in
        guard case .create(let create) = listing.create.action, create.isHosted, create.rules == rules,
          listing.create.author == host
        else { return nil }
        return listing.room
      }
    } catch { throw .peer(.log(error.description)) }
  }

  /// A tournament with the rooms of its games; `nil` while it is not here or has not started.
  func storedTournament(
    _ room: RoomID, _ games: GameCatalog, _ memory: PairingRoomMemory? = nil
  ) throws(ServiceError) -> TournamentRoom? {
    do throws(LogError) { return try tournament(room, games, memory) } catch {
      guard case .unknownRoom = error else { throw .peer(.log(error.description)) }
      return nil
    }
  }

  /// The room that an id, its first digits or a game code means; `nil` while there is none.
  func room(named name: String) throws(ServiceError) -> RoomID? {
    do throws(LogError) { return try room(prefix: GameCode.digits(of: name) ?? name) } catch {
      switch error {
      case .unknownRoom: return nil
      case .ambiguousRoom: throw .refused(error.description)
      default: throw .peer(.log(error.description))
      }
    }
  }
}
