import Events
import Rules

/// Who sits where, whether play has started and who moves first: derived from the lobby's events.
struct Roster: Sendable {
  var seats: [RoomState.Occupant?]
  var openRequests: [RoomState.OpenRequest] = []
  /// The start that stands, and what it starts with.
  var start: (position: Int, first: Seat)?
  /// Who closed the room before it started.
  var closedBy: PeerID?
  /// Events that had an effect.
  var used: Set<Int> = []

  /// Derives the roster of a room.
  /// - Parameter isAnchored: whether the event at a position is anchored.
  init(_ facts: Facts, create: Create, room: RoomID, creator: PeerID, isAnchored: (Int) -> Bool) {
    let lobby = facts.lobby.filter(isAnchored)
    let starts = lobby.filter { facts.event($0).kind == .start && facts.event($0).author == creator }
    let valid = starts.sorted { facts.event($0).sequence < facts.event($1).sequence }
      .compactMap { position -> (position: Int, first: Seat, roster: Roster)? in
        var roster = Roster(empty: create, room: room, creator: creator)
        roster.seat(
          facts, lobby: lobby, grants: Self.grants(facts, lobby: lobby, before: position), create: create)
        return roster.check(start: position, facts, lobby: lobby, create: create, room: room).map {
          (position, $0, roster)
        }
      }
    if let first = valid.first {
      self = first.roster
      let fork = facts.graph.forks[creator] ?? .max
      let rivals = valid.dropFirst().filter { other in
        facts.event(other.position).sequence >= fork
          && !facts.graph.isInPast(first.position, of: other.position)
      }
      guard rivals.isEmpty else {
        closedBy = creator
        return
      }
      start = (first.position, first.first)
      used.insert(first.position)
    } else {
      self.init(empty: create, room: room, creator: creator)
      let fork = facts.graph.forks[creator] ?? .max
      let grants = Self.grants(facts, lobby: lobby, before: nil)
        .filter { facts.event($0).author == creator && facts.event($0).sequence < fork }
      seat(facts, lobby: lobby, grants: grants, create: create)
      markReady(facts, lobby: lobby, create: create, room: room)
      closedBy = closer(facts, lobby: lobby, creator: creator)
    }
    openRequests = requests(facts, lobby: lobby, creator: creator)
  }

  private init(empty create: Create, room: RoomID, creator: PeerID) {
    seats = [RoomState.Occupant?](repeating: nil, count: Int(create.seats))
    if create.creatorSeat != Create.noSeat {
      seats[Int(create.creatorSeat)] = .init(peer: creator, profile: create.profile, grant: room)
    }
  }

  /// The creator's grants in its feed's order; of a start, those in the chain before it.
  private static func grants(_ facts: Facts, lobby: [Int], before start: Int?) -> [Int] {
    let grants = lobby.filter { facts.event($0).kind == .grant }
      .sorted { facts.event($0).sequence < facts.event($1).sequence }
    guard let start else { return grants }
    let author = facts.event(start).author
    return grants.filter { facts.event($0).author == author && facts.graph.isInPast($0, of: start) }
  }

  private mutating func seat(_ facts: Facts, lobby: [Int], grants: [Int], create: Create) {
    for position in grants {
      guard case .grant(let request, let seat) = facts.event(position).action, seat < create.seats,
        seats[Int(seat)] == nil, let asked = facts.graph.position(of: request),
        case .request(let wanted, let profile) = facts.event(asked).action,
        wanted == seat || wanted == Create.noSeat, facts.graph.isInPast(asked, of: position)
      else { continue }
      let peer = facts.event(asked).author
      guard !seats.contains(where: { $0?.peer == peer }) else { continue }
      let hasLeft = lobby.contains {
        facts.event($0).kind == .leave && facts.event($0).author == peer
          && facts.graph.isInPast($0, of: position)
      }
      guard !hasLeft else { continue }
      seats[Int(seat)] = .init(peer: peer, profile: profile, grant: facts.event(position).id)
      used.insert(position)
    }
  }

  /// The roster's hash, once every seat is taken.
  func digest(room: RoomID) -> Digest? {
    var taken: [(author: PeerID, grant: EventID)] = []
    for seat in seats {
      guard let seat else { return nil }
      taken.append((seat.peer, seat.grant))
    }
    return Commitments.roster(room: room, seats: taken)
  }

  /// Each seat's first ready over the full roster, with its draw commitment.
  private func readies(
    _ facts: Facts, lobby: [Int], room: RoomID
  ) -> [(position: Int, commitment: Digest)?] {
    guard let digest = digest(room: room) else { return seats.map { _ in nil } }
    return seats.map { seat in
      lobby.filter { facts.event($0).author == seat?.peer }
        .sorted { facts.event($0).sequence < facts.event($1).sequence }
        .compactMap { position -> (position: Int, commitment: Digest)? in
          guard case .ready(digest, let commitment) = facts.event(position).action else { return nil }
          return (position, commitment)
        }
        .first
    }
  }

  private mutating func markReady(_ facts: Facts, lobby: [Int], create: Create, room: RoomID) {
    for (index, ready) in readies(facts, lobby: lobby, room: room).enumerated() {
      guard let ready else { continue }
      seats[index]?.isReady = true
      used.insert(ready.position)
    }
    for draw in draws(facts, lobby: lobby, room: room) {
      if let draw { used.insert(draw.position) }
    }
  }

  /// Each seat's opening of its draw commitment that has every ready in its past.
  private func draws(
    _ facts: Facts, lobby: [Int], room: RoomID
  ) -> [(position: Int, nonce: Digest)?] {
    let readies = readies(facts, lobby: lobby, room: room)
    guard let digest = digest(room: room) else { return seats.map { _ in nil } }
    return seats.enumerated().map { index, seat in
      lobby.filter { facts.event($0).author == seat?.peer }
        .sorted { facts.event($0).sequence < facts.event($1).sequence }
        .compactMap { position -> (position: Int, nonce: Digest)? in
          guard case .draw(let nonce) = facts.event(position).action, let peer = seat?.peer,
            readies.allSatisfy({ $0.map { facts.graph.isInPast($0.position, of: position) } ?? false }),
            readies[index]?.commitment
              == Commitments.draw(
                nonce: nonce, room: room, roster: digest, seat: UInt8(truncatingIfNeeded: index), author: peer
              )
          else { return nil }
          return (position, nonce)
        }
        .first
    }
  }

  /// The seat that starts, when this start has everything it needs in its past.
  private mutating func check(
    start: Int, _ facts: Facts, lobby: [Int], create: Create, room: RoomID
  ) -> Seat? {
    guard case .start(let roster) = facts.event(start).action else { return nil }
    guard roster == digest(room: room) else { return nil }
    if case .tournament = create.purpose { return Seat(0) }
    let readies = readies(facts, lobby: lobby, room: room)
    for ready in readies {
      guard let ready, facts.graph.isInPast(ready.position, of: start) else { return nil }
    }
    let left = lobby.contains { position in
      facts.event(position).kind == .leave && seats.contains { $0?.peer == facts.event(position).author }
        && facts.graph.isInPast(position, of: start)
    }
    guard !left else { return nil }
    var first = Seat(0)
    if create.starter == .jointDraw {
      let draws = draws(facts, lobby: lobby, room: room).map { draw in
        draw.flatMap { facts.graph.isInPast($0.position, of: start) ? $0 : nil }
      }
      guard let starter = starter(draws, readies, start: start, facts, create: create, room: room) else {
        return nil
      }
      first = starter
    }
    markReady(facts, lobby: lobby, create: create, room: room)
    return first
  }

  /// The joint draw, or after the referee's ruling on a refused one the seat that claimed.
  private func starter(
    _ draws: [(position: Int, nonce: Digest)?], _ readies: [(position: Int, commitment: Digest)?], start: Int,
    _ facts: Facts, create: Create, room: RoomID
  ) -> Seat? {
    let nonces = draws.compactMap { $0?.nonce }
    if nonces.count == seats.count { return Seat(Commitments.starter(room: room, nonces: nonces)) }
    for (index, draw) in draws.enumerated() where draw == nil {
      guard let ready = readies[index] else { return nil }
      let node = facts.event(ready.position).id
      for position in (facts.steps[node] ?? []).sorted(by: {
        facts.event($0).sequence < facts.event($1).sequence
      }) {
        guard case .ruling(let id) = facts.event(position).action,
          facts.event(position).author == create.referee, facts.graph.isInPast(position, of: start),
          let claim = facts.graph.event(id), case .claim(_, UInt8(truncatingIfNeeded: index)) = claim.action,
          let seat = seats.firstIndex(where: { $0?.peer == claim.author }), draws[seat] != nil
        else { continue }
        return Seat(UInt8(truncatingIfNeeded: seat))
      }
    }
    return nil
  }

  /// Who closed the room: the creator or a seated peer who left before it started.
  private func closer(_ facts: Facts, lobby: [Int], creator: PeerID) -> PeerID? {
    if facts.graph.forks[creator] != nil { return creator }
    return lobby.map { facts.event($0) }
      .filter { event in
        event.kind == .leave
          && (event.author == creator || seats.contains { $0?.peer == event.author })
      }
      .map(\.author).min()
  }

  private func requests(_ facts: Facts, lobby: [Int], creator: PeerID) -> [RoomState.OpenRequest] {
    lobby.compactMap { position -> RoomState.OpenRequest? in
      let event = facts.event(position)
      guard case .request(let seat, let profile) = event.action, event.author != creator,
        !seats.contains(where: { $0?.peer == event.author }),
        !lobby.contains(where: { facts.event($0).kind == .leave && facts.event($0).author == event.author })
      else { return nil }
      return .init(id: event.id, peer: event.author, seat: seat, profile: profile)
    }
    .sorted { ($0.peer, $0.id) < ($1.peer, $1.id) }
  }
}
