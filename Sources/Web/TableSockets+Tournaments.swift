internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Service

// Tournaments: which there are, and how they stand, for those who watch one.

extension TableSockets {
  /// A tournament that somebody watches, as it was read last.
  struct WatchedTournament {
    let memory = PairingRoomMemory()
    /// What it was read by, and how often it was.
    var (key, revision) = ([Int](), 0)
    var form: TournamentForm?
    /// What is the same for all who watch, without its last brace.
    var shared: [UInt8] = []
  }

  /// The tournaments of the list that are over, and those that were under way when these were looked for.
  struct ListedTournaments {
    var underWay: Set<RoomID>?
    var over: [RoomState] = []
  }

  /// The most tournaments of a list, and the newest rooms among which those are looked for that are over.
  static let (limitTournaments, limitRooms) = (50, 2_000)

  // MARK: - The list

  /// The tournaments that a client may see: those under way, and the newest that are over.
  func tournaments(_ states: [RoomState], _ client: Client) async throws(ServiceError) -> JSONMember {
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
    let peer = viewer(client)
    var listed: [JSONValue] = []
    for state in here + listedTournaments.over where isVisible(state, client) {
      guard listed.count < Self.limitTournaments else { break }
      listed.append(
        .object(
          Self.named(state.room) + TournamentForm.heading(state, games) + [
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
  func watchTournament(_ room: RoomID, _ client: Client) throws(ServiceError) {
    try watch(room, client)
    if watchedTournaments[room] == nil { watchedTournaments[room] = WatchedTournament() }
  }

  /// Tells those who watch tournaments what has changed.
  func tellTournaments() async {
    guard !watchedTournaments.isEmpty else { return }
    var watchers: [RoomID: [Client]] = [:]
    for number in clients.keys.sorted() {
      guard let client = clients[number] else { continue }
      // tidy: order does not matter because each is put into a list of its own
      for room in client.watches.keys where watchedTournaments[room] != nil {
        watchers[room, default: []].append(client)
      }
    }
    watchedTournaments = watchedTournaments.filter { watchers[$0.key] != nil }
    for room in watchers.keys.sorted() {
      do throws(ServiceError) { try await readAgain(room) } catch { continue }
      for client in watchers[room] ?? [] where !client.isBusy { tell(room, client) }
    }
  }

  /// Reads a tournament that may have changed.
  private func readAgain(_ room: RoomID) async throws(ServiceError) {
    guard let watched = watchedTournaments[room] else { return }
    let key = try await service.sightKey(of: room)
    guard key != watched.key, let sight = try await service.sight(of: room, watched.memory) else { return }
    let form = TournamentForm(sight, games)
    watchedTournaments[room]?.form = form
    watchedTournaments[room]?.shared = Array(JSONLine(form.shared).text.utf8).dropLast()
    watchedTournaments[room]?.revision += 1
    watchedTournaments[room]?.key = key
  }

  /// Tells one client how a tournament stands, where that is something new.
  private func tell(_ room: RoomID, _ client: Client) {
    guard let watched = watchedTournaments[room], let form = watched.form, let told = client.watches[room],
      !told.isTold || told.presence != watched.revision
    else { return }
    let own = JSONLine(form.own(of: viewer(client))).text.dropFirst()
    let message =
      Array("{\"type\":\"tournament\",\"tournament\":".utf8) + watched.shared + Array(",\(own)}".utf8)
    if told.message != message { client.socket.send(message) }
    client.watches[room] = Told(isTold: true, presence: watched.revision, message: message)
  }
}
