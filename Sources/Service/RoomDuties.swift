internal import EventLog
internal import Events
internal import Gossip
internal import Network
internal import Peer
internal import Projection
internal import Rules

/// What this process does by itself in a room where something has happened: it notes what lists show, keeps time, is
/// the host of rounds, and does what the protocol demands.
///
/// It belongs to one actor, and is used nowhere else; so do `TournamentDuties`, `RoomWriter` and `Presence`.
final class RoomDuties {
  /// The most rulings that wait to be told; of more, the oldest are forgotten.
  private static let limitRulings = 1_024

  private let rooms: Rooms
  private let presence: Presence
  private let tournaments: TournamentDuties
  private let writer: RoomWriter
  /// Milliseconds of a clock that only goes forward.
  private let elapsed: @Sendable () -> UInt64
  /// The peers with which its owner has nothing to do: their rooms are in no list.
  var blocked: BlockedPeers
  /// What its rooms amount to, for lists.
  private(set) var listed = ListedRooms()
  /// Where they could not be done.
  private var undone = UndoneDuties()
  /// What time limits ask of this peer.
  private var timekeeper: Timekeeper
  /// What it has ruled as a referee and nobody was told yet.
  private var rulings: [ToldRuling] = []

  init(
    _ rooms: Rooms, _ presence: Presence, _ tournaments: TournamentDuties, _ writer: RoomWriter,
    blocked: BlockedPeers, elapsed: @escaping @Sendable () -> UInt64
  ) {
    self.rooms = rooms
    self.presence = presence
    self.tournaments = tournaments
    self.writer = writer
    self.blocked = blocked
    self.elapsed = elapsed
    timekeeper = Timekeeper(presence.peer, claimsByItself: presence.policy.isBot)
  }

  /// Does what is owed in a room, unless that is reserved for a command.
  nonisolated(nonsending) func tend(_ room: RoomID) async {
    let (policy, people) = (presence.policy, presence.guests.people)
    await note(room)
    let isAttended = await isAttended(room)
    guard !undone.isFaulty(room), !writer.isReserved(room) else { return }
    do throws(PeerError) {
      try await keepTime(in: room)
      try await keepRounds(in: room)
      try await rooms.networkPeer.update { core throws(PeerError) in
        try Steward.doDuties(in: room, &core, policy, people: people, isAttended: isAttended) ? [room] : []
      }
      guard listed.rematches(of: room).isEmpty, !timekeeper.isWatching(room) else { return }
      let isForeign = await rooms.isForeign(room, people: people)
      await rooms.networkPeer.closeIfDurable(room, isForeign ? Steward.closingForeign : Steward.closing)
    } catch {
      undone.note(room, error)
    }
  }

  /// Takes note of what a room amounts to.
  nonisolated(nonsending) private func note(_ room: RoomID) async {
    let me = presence.peer
    let state = writer.isReserved(room) ? nil : await rooms.networkPeer.read { $0.state(of: room) }
    let hasDeclined = await rooms.hasDeclined(me, room)
    let isBlocked = state.map { blocked.peers.contains($0.creator) } ?? false
    if let state { tournaments.known.note(state) } else { tournaments.known.noteGone(room) }
    let isWanted = await rooms.isWanted(state)
    let standing = ListedRooms.Standing(hasDeclined: hasDeclined, isBlocked: isBlocked, isWanted: isWanted)
    listed.note(room, state, of: me, standing)
  }

  /// Whether somebody sees who comes to a room: somebody who sits at it, or waits in its tournament.
  nonisolated(nonsending) private func isAttended(_ room: RoomID) async -> Bool {
    if presence.isAttended(room) { return true }
    let tournament = await rooms.networkPeer.read { $0.state(of: room)?.tournament }
    return tournament.map(presence.isAttended) ?? false
  }

  /// Does what this peer owes as the host of a room's rounds, or as a player.
  nonisolated(nonsending) private func keepRounds(in room: RoomID) async throws(PeerError) {
    let (now, admits, me) = (elapsed(), presence.isAttended(room), presence.peer)
    let isHost = await rooms.networkPeer.read { core in
      core.state(of: room).map { $0.creator == me && $0.hosted != nil } ?? false
    }
    let sources = isHost ? presence.guests.sources(with: await rooms.surroundings.all()) : [:]
    try await rooms.networkPeer.update { core throws(PeerError) in
      let (hasHosted, hasProven) = (
        try core.host(room, admits: admits, sources: sources, at: now), try core.proveEntries(in: room)
      )
      return hasHosted || hasProven ? [room] : []
    }
  }

  // MARK: - Time

  /// Rules, or claims, where a seat's time is up.
  nonisolated(nonsending) private func keepTime(in room: RoomID) async throws(PeerError) {
    guard let state = await rooms.networkPeer.read({ $0.state(of: room) }),
      let act = timekeeper.look(at: state, at: elapsed())
    else { return }
    let written = try await rooms.networkPeer.update { core throws(PeerError) in
      try core.perform(act, in: room) ? [room] : []
    }
    guard !written.isEmpty, case .rule(_, let seat, let limit) = act else { return }
    if rulings.count == Self.limitRulings { rulings.removeFirst() }
    rulings.append(ToldRuling(room: room, seat: seat, limit: limit))
  }

  /// What this peer has ruled as a referee, each ruling once and when it is durable.
  nonisolated(nonsending) func takeRulings() async throws(ServiceError) -> [ToldRuling] {
    guard !rulings.isEmpty else { return [] }
    let told = rulings
    rulings = []
    do throws(PeerError) { try await rooms.networkPeer.flush() } catch {
      guard case .full = error else { throw .peer(error) }
    }
    // What was not stored is ruled again.
    return await rooms.networkPeer.shortage == nil ? told : []
  }

  /// The clocks of a room with time limits, as of now; `nil` where nothing is limited.
  func clocks(of state: RoomState, at now: UInt64) -> SeatClocks? { timekeeper.clocks(of: state, at: now) }

  /// The rooms where the time of a seat is up, and those where duties are to be tried again.
  /// - Parameter hasSpace: whether anything can be stored, as far as is known.
  func takeRooms(dueAt now: UInt64, hasSpace: Bool) -> [RoomID] {
    undone.takePostponed(hasSpace: hasSpace) + timekeeper.takeRooms(dueAt: now)
  }

  /// When a room is to be looked at although nothing changed; `nil` while none is.
  nonisolated(nonsending) func nextDue() async -> UInt64? {
    [timekeeper.nextDue, await rooms.networkPeer.read { $0.hosting.nextDue }].compactMap(\.self).min()
  }
}
