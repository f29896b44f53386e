package import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

extension EventLog {
  /// A stored room that was played straight on, replayed in one pass: what it amounts to, how many events it has and
  /// its clock. `nil` for all others, which `projection` derives.
  /// - Parameter verify: checks links and signatures again, up to where the room is not straight.
  package func straightState(
    of room: RoomID, verify: Bool, _ catalog: GameCatalog
  ) throws(LogError) -> (state: RoomState, events: Int, clock: VectorClock)? {
    guard let replay = try straightReplay(of: room, verify: verify, byPosition: false, catalog) else {
      return nil
    }
    let (events, clock) = (replay.events, replay.clock)
    guard let state = replay.finish() else { return nil }
    return (state, events, clock)
  }

  private func straightReplay(
    of room: RoomID, verify: Bool, byPosition: Bool, _ catalog: GameCatalog
  ) throws(LogError) -> StraightReplay? {
    var replay: StraightReplay?
    var isFirst = true
    try read(room, verify: verify) { (view, fields, _) throws(LogError) in
      guard !isFirst else {
        isFirst = false
        replay = StraightReplay(create: view, catalog: catalog)
        return .goOn
      }
      guard replay?.take(view, fields) == true else { return .stop }
      return byPosition && replay?.hasStarted == true ? .goOnByPosition : .goOn
    } byPosition: { fields throws(LogError) in
      replay?.take(fields) == true ? .goOn : .stop
    }
    return replay.take()
  }

  /// What a stored room amounts to, the quick way where there is one.
  /// - Parameter verify: checks links and signatures again; otherwise the store is trusted.
  /// - Throws: `.corrupt` when the room has no `create`, or `verify` finds something false.
  package func state(
    of room: RoomID, verify: Bool, _ catalog: GameCatalog
  ) throws(LogError) -> RoomState {
    if let straight = try straightState(of: room, verify: verify, catalog) { return straight.state }
    var projection = try load(room, verify: verify).projection(catalog)
    return projection.state
  }

  /// What a stored room amounts to, for lists, the quickest way: trusts the store, and where it can computes no id of
  /// what came after the start: those are zero.
  /// - Throws: `.corrupt` when the room has no `create`.
  package func outline(of room: RoomID, _ catalog: GameCatalog) throws(LogError) -> (
    state: RoomState, events: Int
  ) {
    if let replay = try straightReplay(of: room, verify: false, byPosition: true, catalog) {
      let events = replay.events
      if let state = replay.finish() { return (state, events) }
    }
    let log = try load(room, verify: false)
    var projection = try log.projection(catalog)
    return (projection.state, log.graph.count)
  }

  /// What a stored room amounts to; trusts the store.
  /// - Throws: `.corrupt` when the room has no `create`.
  package func projection(of room: RoomID, _ catalog: GameCatalog) throws(LogError) -> RoomProjection {
    try load(room, verify: false).projection(catalog)
  }

  /// A stored tournament by its organizer's words alone, as the organizer goes on with it; `nil` as in `tournament`.
  package func tournament(
    byWords room: RoomID, _ catalog: GameCatalog
  ) throws(LogError) -> TournamentRoom? {
    var projection = try projection(of: room, catalog)
    do throws(TournamentError) { return try TournamentRoom(projection.state, catalog) } catch { return nil }
  }

  /// A stored tournament with the rooms of its games; `nil` when the room is none, has not started, or has settings
  /// that no tournament takes.
  package func tournament(
    _ room: RoomID, _ catalog: GameCatalog, _ memory: PairingRoomMemory? = nil
  ) throws(LogError) -> TournamentRoom? {
    var projection = try projection(of: room, catalog)
    return try tournament(projection.state, catalog, memory)
  }

  /// The tournament of a room in this state, with the rooms of its games that are stored; `nil` as for a room's id.
  /// - Parameter memory: what rooms were found to be before, where it is read again and again.
  package func tournament(
    _ state: RoomState, _ catalog: GameCatalog, _ memory: PairingRoomMemory? = nil
  ) throws(LogError) -> TournamentRoom? {
    let unplayed: TournamentRoom?
    do throws(TournamentError) { unplayed = try TournamentRoom(unplayed: state, catalog) } catch {
      return nil
    }
    guard let unplayed else { return nil }
    return try unplayed.folded(state, in: self, catalog, memory)
  }

  /// The newest tournament of this organizer that is to be gone on with: one that is not complete, or in which a word
  /// of the organizer's is missing, as after a kill between the end of a game and the word on it.
  /// - Parameter isOwn: whether all of its entrants are played by the organizer's process.
  package func openTournament(
    of organizer: PeerID, _ catalog: GameCatalog, where isOwn: (TournamentRoom) -> Bool = { _ in true }
  ) throws(LogError) -> RoomID? {
    for listing in try tournaments() where listing.create.author == organizer {
      guard let written = try tournament(byWords: listing.room, catalog), isOwn(written) else { continue }
      if !written.state.isComplete { return listing.room }
      if try tournament(listing.room, catalog)?.state.isComplete == false { return listing.room }
    }
    return nil
  }

  /// A stored room of a pairing; `nil` when it is not here, or damaged, which its own check says.
  package func pairingRoom(
    _ room: RoomID, heads: [Action.PairingResult.Head]?, _ catalog: GameCatalog
  ) throws(LogError) -> PairingRoom? {
    do throws(LogError) {
      guard let heads else { return PairingRoom(try outline(of: room, catalog).state) }
      if let (state, _, clock) = try straightState(of: room, verify: false, catalog),
        let whole = PairingRoom(state, clock, heads: heads)
      {
        return whole
      }
      return PairingRoom(try load(room, verify: false).graph, heads: heads, catalog)
    } catch {
      switch error {
      case .unknownRoom, .corrupt: return nil
      default: throw error
      }
    }
  }

  /// The tournaments that are stored, newest first, with their rooms' listings.
  package func tournaments() throws(LogError) -> [RoomListing] {
    try rooms(limit: nil).filter { listing in
      if case .tournament? = listing.create.createdPurpose { true } else { false }
    }
  }
}

extension TournamentRoom {
  /// The tournament, unplayed so far, with all that its room tells and the rooms of its games.
  /// - Parameter store: where those are looked for; `nil` for nowhere.
  func folded(
    _ state: RoomState, in store: (any EventLog)?, _ catalog: GameCatalog, _ memory: PairingRoomMemory? = nil
  ) throws(LogError) -> TournamentRoom {
    let listings = try store?.rooms(of: room) ?? []
    memory?.note(listings)
    let held = listings.compactMap { listing in
      if case .create(let create) = listing.create.action {
        (room: listing.room, create: create)
      } else {
        nil
      }
    }
    return try folded(state, rooms: held) { (room, heads) throws(LogError) in
      if let known = memory?.find(room, heads) { return known }
      let found = try store?.pairingRoom(room, heads: heads, catalog)
      if let found { memory?.remember(found, room, heads) }
      return found
    }
  }

  /// The same with the rooms that are found otherwise; the parameters are those of ``TournamentFold``.
  func folded<Failure: Error>(
    _ state: RoomState, rooms: [(room: RoomID, create: Create)], find: @escaping TournamentFold<Failure>.Find
  ) throws(Failure) -> TournamentRoom {
    var fold = TournamentFold<Failure>(self, rooms: rooms, find: find)
    try fold.take(state.tournamentWords)
    return fold.tournament
  }
}

extension RoomLog {
  /// What the room amounts to.
  /// - Throws: `.corrupt` when it has no `create`.
  package func projection(_ catalog: GameCatalog) throws(LogError) -> RoomProjection {
    guard let projection = RoomProjection(graph, catalog: catalog) else {
      throw .corrupt(event: nil, reason: "the room \(room.short) does not begin with its creation")
    }
    return projection
  }
}
