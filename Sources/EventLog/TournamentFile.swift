package import Events

/// Names of the form in which a tournament and the rooms of its games are one file (Docs/PROTOCOL.md §6.4).
package enum TournamentFile {
  /// What such a file begins with.
  static let magic = Array("PARLORT1".utf8)
  /// The most rooms.
  package static let limitRooms = 262_144
}

/// Which rooms stand in the file of a tournament, and in which order: as its room tells it.
struct TournamentFileOrder {
  /// Where a room stands: rooms of the tournament's pairings first, then others that a result names.
  struct Place: Comparable {
    let isOther: Bool
    let pairing: UInt32
    let attempt: UInt8
    let room: RoomID

    static func < (a: Place, b: Place) -> Bool {
      (a.isOther ? 1 : 0, a.pairing, a.attempt, a.room) < (b.isOther ? 1 : 0, b.pairing, b.attempt, b.room)
    }
  }

  private let tournament: RoomID
  /// Who made the rooms of its games: the organizer, and the peers that it has granted a request.
  private let makers: Set<PeerID>
  /// The rooms that the organizer's results name.
  private let named: Set<RoomID>
  /// The first result that names each of them, in the order of the events.
  let results: [Action.PairingResult]

  /// The order of a tournament's rooms; `nil` where these events are no tournament's.
  init?(_ events: some Sequence<Event>) {
    var create: Event?
    var named: Set<RoomID> = []
    var results: [Action.PairingResult] = []
    var requests: [EventID: PeerID] = [:]
    var makers: Set<PeerID> = []
    for event in events {
      guard let create else {
        guard case .tournament? = event.createdPurpose else { return nil }
        create = event
        makers.insert(event.author)
        continue
      }
      switch event.action {
      case .request: requests[event.id] = event.author
      case .grant(let request, _) where event.author == create.author:
        if let peer = requests[request] { makers.insert(peer) }
      case .pairingResult(let result)
      where event.author == create.author && result.room.isSome && result.room != create.id:
        if named.insert(result.room).inserted { results.append(result) }
      default: break
      }
    }
    guard let create else { return nil }
    tournament = create.id
    self.makers = makers
    self.named = named
    self.results = results
  }

  /// Where a room with this `create` stands; `nil` where it has no part in the tournament: it was not made for it by
  /// its organizer or an entrant, and no result names it.
  func place(of create: Event) -> Place? {
    let isNamed = named.contains(create.id)
    if case .games(let tournament, let pairing, let attempt)? = create.createdPurpose,
      tournament == self.tournament, isNamed || makers.contains(create.author)
    {
      return Place(isOther: false, pairing: pairing, attempt: attempt, room: create.id)
    }
    return isNamed ? Place(isOther: true, pairing: 0, attempt: 0, room: create.id) : nil
  }
}

/// The rooms of a tournament's games that a store has, in the order of its file.
package struct TournamentRooms: Sendable {
  /// Those that are here.
  package let held: [RoomID]
  /// The results whose rooms are not here.
  package let missing: [Action.PairingResult]

  /// Looks for the rooms of a tournament.
  /// - Throws: `.wrongRoom` where the room is no tournament, or what the store throws.
  package init(of tournament: RoomLog, in log: any EventLog) throws(LogError) {
    guard let order = TournamentFileOrder(tournament.graph.events) else {
      throw .wrongRoom(tournament.room)
    }
    var creates: [RoomID: Event] = [:]
    for listing in try log.rooms(of: tournament.room) { creates[listing.room] = listing.create }
    var missing: [Action.PairingResult] = []
    for result in order.results where creates[result.room] == nil {
      do throws(LogError) {
        try log.read(result.room, verify: false) { (view, _) throws(LogError) in
          creates[result.room] = view.event
          return .stop
        }
      } catch {
        guard case .unknownRoom = error else { throw error }
        missing.append(result)
      }
    }
    held = creates.values.compactMap(order.place).sorted().map(\.room)
    self.missing = missing
  }
}
