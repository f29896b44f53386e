internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Service

// Tournaments: which there are, and how they stand, for those who watch one.

extension TableSockets {
  /// The tournaments of the list that are over, and those that were under way when these were looked for.
  struct ListedTournaments {
    var underWay: Set<RoomID>?
    var over: [RoomState] = []
  }

  /// The most tournaments of a list, and the newest rooms among which those are looked for that are over.
  static let (limitTournaments, limitRooms) = (50, 2_000)

  // MARK: - The list

  /// The tournaments that a client may see: those under way, and the newest that are over.
  func tournaments(_ states: [RoomState], _ client: TableClient) async throws(ServiceError) -> JSONMember {
    let here = states.filter(\.isTournament)
    let underWay = Set(here.map(\.room))
    if listedTournaments.underWay != underWay {
      var over: [RoomState] = []
      let stored = try service.store.newestTournaments(
        limit: Self.limitTournaments, ofRooms: Self.limitRooms)
      for room in stored where !underWay.contains(room) {
        if let state = try await service.state(of: room) { over.append(state) }
      }
      listedTournaments = ListedTournaments(underWay: underWay, over: over)
    }
    let peer = client.viewer
    var listed: [JSONValue] = []
    for state in here + listedTournaments.over where isVisible(state, client) {
      guard listed.count < Self.limitTournaments else { break }
      listed.append(
        .object(
          state.room.members + TournamentForm.heading(state, games) + [
            JSONMember("phase", .string(TournamentForm.phase(state, isComplete: !Steward.isUnderWay(state)))),
            JSONMember("entrants", .integer(Int64(state.seats.count { $0 != nil }))),
            JSONMember("places", .integer(Int64(state.places))),
            JSONMember("may-join", .bool(TournamentForm.mayJoin(state, peer))),
          ]))
    }
    return JSONMember("tournaments", .array(listed))
  }

  // MARK: - Those that are watched

  /// Has a client told of a tournament from now on.
  func watchTournament(_ room: RoomID, _ client: TableClient) throws(ServiceError) {
    try client.watch(room)
    watchedTournaments.watch(room)
  }

  /// Tells those who watch tournaments what has changed.
  func tellTournaments() async {
    guard !watchedTournaments.isEmpty else { return }
    var watchers: [RoomID: [TableClient]] = [:]
    for number in clients.keys.sorted() {
      guard let client = clients[number] else { continue }
      // tidy: order does not matter because each is put into a list of its own
      for room in client.watches.keys where watchedTournaments.contains(room) {
        watchers[room, default: []].append(client)
      }
    }
    watchedTournaments.keep { watchers[$0] != nil }
    for room in watchers.keys.sorted() {
      do throws(ServiceError) { try await readAgain(room) } catch { continue }
      for client in watchers[room] ?? [] where !client.isBusy {
        watchedTournaments.tell(room, client)
      }
    }
  }

  /// Reads a tournament that may have changed.
  private func readAgain(_ room: RoomID) async throws(ServiceError) {
    guard let read = watchedTournaments.read(room) else { return }
    let key = try await service.sightKey(of: room)
    guard key != read.key, let sight = try await service.sight(of: room, read.memory) else { return }
    watchedTournaments.note(TournamentForm(sight, games), by: key, of: room)
  }
}
