import Events
import Rules

/// Who sits where, whether play has started and who moves first: derived from the lobby's events.
struct Roster: Sendable {
  var seats: [RoomState.Occupant?]
  /// The position of the request that each seat was granted for; `nil` for the creator's own seat.
  private(set) var requests: [Int?]
  /// The start that stands, and what it starts with.
  private(set) var start: (position: Int, first: Seat)?
  /// Of those who entered a tournament after its start the seats, by their grants.
  private(set) var lateSeats: [EventID: Seat] = [:]
  /// How many entrants a tournament may have after its start.
  private let placesAfterStart: Int
  /// Who closed the room before it started.
  private(set) var closedBy: PeerID?
  /// Events that had an effect.
  var used: Set<Int> = []

  /// What the creator fixed; with fewer seats where the room is played by those that sit.
  private(set) var create: Create
  let room: RoomID
  let creator: PeerID
  /// The events that it is derived from: of a start all of its past, without one all that are anchored.
  let lobby: Lobby
  /// Where the draw of a tournament's seeds stands, before its start.
  private(set) var seeding: SeedingDraw?

  /// Derives the roster of a room.
  /// - Parameter viewers: who reads it: where several starts stand, each has a table of its own, and they see theirs.
  init(_ facts: Facts, create: Create, room: RoomID, creator: PeerID, viewers: [PeerID]) {
    let anchors = facts.graph.forks.isEmpty ? nil : Anchors(facts.graph, members: [creator], start: nil)
    let lobby = anchors.map { anchors in facts.lobby.settling { anchors.isAnchored($0, facts.graph) } }
    self.init(empty: create, room: room, creator: creator, lobby: lobby ?? facts.lobby)
    let valid = validStarts(facts)
    let own = valid.first { roster in
      roster.seats.contains { seat in seat.map { viewers.contains($0.peer) } ?? false }
    }
    if let start = valid.count == 1 ? valid[0] : own {
      self = start
      return
    }
    let fork = facts.graph.forks[creator] ?? .max
    let ofCreator = { (positions: [Int]) in
      facts.inFeedOrder(positions.filter { facts.author($0) == creator && facts.graph.sequence($0) < fork })
    }
    seat(facts, grants: ofCreator(self.lobby.grants))
    if create.drawsSeeds {
      var called = Roster(empty: create, room: room, creator: creator, lobby: self.lobby)
      let feed = ofCreator(self.lobby.grants + self.lobby.readies + self.lobby.draws)
      seeding = called.drawSeeds(in: feed, facts)
      used.formUnion(called.used)
    }
    closeRanks { $0.isCalled(facts) }
    if !isTournament { mark(readies(facts), facts) }
    closedBy = valid.isEmpty ? forker(facts) ?? closer(facts) : creator
  }

  private init(empty create: Create, room: RoomID, creator: PeerID, lobby: Lobby) {
    self.create = create
    placesAfterStart = create.placesAfterStart
    self.room = room
    self.creator = creator
    self.lobby = lobby
    seats = [RoomState.Occupant?](repeating: nil, count: Int(create.seats))
    requests = seats.map { _ in nil }
    if create.creatorSeat != Create.noSeat {
      seats[Int(create.creatorSeat)] = .init(peer: creator, profile: create.profile, grant: room)
    }
  }

  private var isTournament: Bool { create.isTournament }

  // MARK: - Start

  /// The first start that has all it needs; more than one when a forked creator showed different ones to
  /// seats who went on from them.
  private func validStarts(_ facts: Facts) -> [Roster] {
    let starts = facts.inFeedOrder(facts.lobby.starts.filter { facts.author($0) == creator })
    guard let fork = facts.graph.forks[creator] else {
      for position in starts {
        if let roster = Roster(start: position, facts, of: self) { return [roster] }
      }
      return []
    }
    let complete = starts.compactMap { Roster(start: $0, facts, of: self) }
    let backed = Self.backed(complete, facts)
    var valid: [Roster] = []
    for (roster, isBacked) in zip(complete, backed) {
      guard let position = roster.start?.position, facts.event(position).sequence < fork || isBacked,
        !valid.contains(where: { facts.graph.isInPast($0.start?.position ?? position, of: position) })
      else { continue }
      valid.append(roster)
    }
    return valid
  }

  /// The roster that a start starts with; `nil` when the start lacks something in its past.
  private init?(start position: Int, _ facts: Facts, of room: Roster) {
    let past = facts.graph.past(of: position)
    self.init(
      empty: room.create, room: room.room, creator: room.creator,
      lobby: facts.lobby.settling { past.contains($0) })
    guard case .start(let digest) = facts.event(position).action else { return nil }
    let chain = Self.chain(before: position, facts)
    if create.drawsSeeds {
      guard let draw = drawSeeds(in: chain, facts), draw.result == digest else { return nil }
    } else {
      seat(facts, grants: chain.filter { facts.kind($0) == .grant })
      closeRanks { $0.digest == digest }
      guard digest == self.digest else { return nil }
    }
    if isTournament {
      start = (position, Seat(0))
    } else {
      let readies = readies(facts)
      guard closer(facts) == nil, !readies.contains(where: { $0 == nil }),
        let first = starter(facts, within: past)
      else { return nil }
      start = (position, first)
      mark(readies, facts)
    }
    used.insert(position)
  }

  /// An author's events before one, the first one first.
  private static func chain(before position: Int, _ facts: Facts) -> [Int] {
    var chain: [Int] = []
    var place = position
    while let previous = facts.graph.previous(place) {
      chain.append(previous)
      place = previous
    }
    return chain.reversed()
  }

  /// For each of a forked creator's starts whether a seat other than the creator's, without a fork of its own, went
  /// on from it first: another start, of which that seat heard later, takes nothing back.
  private static func backed(_ starts: [Roster], _ facts: Facts) -> [Bool] {
    let followed = starts.map { $0.followed(facts) }
    // tidy: order does not matter because the least is kept
    let first = followed.reduce(into: [PeerID: Int]()) { first, next in
      first.merge(next, uniquingKeysWith: min)
    }
    // tidy: order does not matter because one is enough
    return followed.map { next in next.contains { first[$0.key] == $0.value } }
  }

  /// The first event of each such seat that has the start in its past, by its place in its feed.
  private func followed(_ facts: Facts) -> [PeerID: Int] {
    guard let start else { return [:] }
    var followed: [PeerID: Int] = [:]
    for peer in seats.compactMap({ $0?.peer }) where peer != creator && facts.graph.forks[peer] == nil {
      let feed = facts.graph.feed(of: peer)?.positions ?? []
      let place = feed.partitioningIndex { facts.graph.isInPast(start.position, of: $0) }
      if place < feed.count { followed[peer] = place }
    }
    return followed
  }

  // MARK: - Seats

  mutating func seat(_ facts: Facts, grants: [Int]) {
    let leavings = lobby.leavings
    var seated = Set(seats.compactMap { $0?.peer })
    for position in grants {
      guard case .grant(let request, let seat) = facts.event(position).action, seat < create.seats,
        seats[Int(seat)] == nil, let asked = facts.graph.position(of: request),
        case .request(let wanted, let profile) = facts.event(asked).action,
        wanted == seat || wanted == Create.noSeat, facts.graph.isInPast(asked, of: position),
        !facts.surplus.contains(asked),
        !isOfUninvited(position, facts)
      else { continue }
      let peer = facts.author(asked)
      guard create.bots.admits(profile), peer != creator, !seated.contains(peer) else { continue }
      let hasLeft = leavings.contains {
        facts.author($0) == peer && isLeaving($0, after: asked, facts)
          && facts.graph.isInPast($0, of: position)
      }
      guard !hasLeft else { continue }
      seats[Int(seat)] = .init(peer: peer, profile: profile, grant: facts.id(position))
      seated.insert(peer)
      requests[Int(seat)] = asked
      used.insert(position)
    }
  }

  /// Whether a tournament has started in which somebody may still get a seat.
  var takesLateEntrants: Bool { start != nil && seats.count < placesAfterStart }

  /// Whether a tournament has started with places left that somebody may get later.
  var startedWithPlaces: Bool { start != nil && Int(create.seats) < placesAfterStart }

  /// Seats whom the organizer lets in after the start, behind all others, where a grant of its after the start does so.
  /// - Returns: the seat; `nil` for a grant without effect.
  mutating func enterLate(_ grant: Int, _ facts: Facts) -> Seat? {
    guard takesLateEntrants, case .grant(let request, let seat) = facts.event(grant).action,
      Int(seat) == seats.count, let asked = facts.graph.position(of: request),
      case .request(_, let profile) = facts.event(asked).action, facts.graph.isInPast(asked, of: grant),
      !facts.surplus.contains(asked), !isOfUninvited(grant, facts), create.bots.admits(profile)
    else { return nil }
    let peer = facts.author(asked)
    let hasLeft = facts.lobby(of: peer, .leave).contains {
      isLeaving($0, after: asked, facts) && facts.graph.isInPast($0, of: grant)
    }
    guard !hasLeft, peer != creator, !isSeated(peer) else { return nil }
    seats.append(.init(peer: peer, profile: profile, grant: facts.id(grant)))
    requests.append(asked)
    lateSeats[facts.id(grant)] = Seat(seat)
    used.insert(grant)
    return Seat(seat)
  }

  /// Whether a leaving withdraws a request. In game rooms it must say that it came before the start.
  private func isLeaving(_ position: Int, after request: Int?, _ facts: Facts) -> Bool {
    guard case .leave(let node) = facts.event(position).action, isTournament || node == .none else {
      return false
    }
    return facts.isLeaving(position, after: request)
  }

  /// Gives up the free seats, and numbers the others anew in their order, where the room may be played by those that
  /// sit and that is wanted.
  mutating func closeRanks(where isWanted: (Roster) -> Bool) {
    guard let fewer = create.played(by: seats.count { $0 != nil }) else { return }
    var closed = self
    closed.create = fewer
    closed.requests = zip(seats, requests).filter { $0.0 != nil }.map(\.1)
    closed.seats = seats.filter { $0 != nil }
    if isWanted(closed) { self = closed }
  }

  /// Leaves these seats alone, in this order.
  mutating func take(_ order: [Int], _ facts: Facts) {
    let taken = seats.compactMap { $0?.grant }
    if let fewer = create.played(by: order.count) { create = fewer }
    (seats, requests) = (order.map { seats[$0] }, order.map { requests[$0] })
    let left = Set(taken).subtracting(seats.compactMap { $0?.grant })
    // tidy: order does not matter because each is taken out of a set
    used.subtract(left.compactMap { facts.graph.position(of: $0) })
  }

  /// Whether the creator, who sits here, has said that these are the seats.
  private func isCalled(_ facts: Facts) -> Bool {
    guard !isTournament, let seat = seats.firstIndex(where: { $0?.peer == creator }) else { return false }
    return readies(facts)[seat] != nil
  }

  /// The roster's hash, once every seat is taken.
  var digest: Digest? {
    var taken: [(author: PeerID, grant: EventID)] = []
    for seat in seats {
      guard let seat else { return nil }
      taken.append((seat.peer, seat.grant))
    }
    return Commitments.roster(room: room, seats: taken)
  }

  // MARK: - Ready and draw

  /// Each seat's first ready over the full roster, with its draw commitment.
  private func readies(_ facts: Facts) -> [(position: Int, commitment: Digest)?] {
    guard let digest else { return seats.map { _ in nil } }
    return seats.map { seat in
      let first = lobby.readies.filter { position in
        guard case .ready(digest, _) = facts.event(position).action else { return false }
        return facts.author(position) == seat?.peer
      }
      .min(by: facts.graph.isEarlier)
      guard let first, case .ready(_, let commitment) = facts.event(first).action else { return nil }
      return (first, commitment)
    }
  }

  /// Notes which seats of a game room are ready, and the draws that they opened.
  private mutating func mark(_ readies: [(position: Int, commitment: Digest)?], _ facts: Facts) {
    for (index, ready) in readies.enumerated() {
      guard let ready else { continue }
      seats[index]?.isReady = true
      used.insert(ready.position)
    }
    for draw in draws(facts) {
      if let draw { used.insert(draw.position) }
    }
  }

  /// Each seat's opening of its draw commitment that has every ready in its past.
  private func draws(_ facts: Facts) -> [(position: Int, nonce: Digest)?] {
    guard create.starter == .jointDraw, let digest else { return seats.map { _ in nil } }
    let readies = readies(facts)
    return seats.enumerated().map { index, seat in
      guard let peer = seat?.peer, let commitment = readies[index]?.commitment else { return nil }
      let own = lobby.draws.filter { facts.author($0) == peer }
      for position in facts.inFeedOrder(own) {
        guard case .draw(let nonce) = facts.event(position).action,
          readies.allSatisfy({ $0.map { facts.graph.isInPast($0.position, of: position) } ?? false }),
          commitment
            == Commitments.draw(
              nonce: nonce, room: room, roster: digest, seat: UInt16(truncatingIfNeeded: index), author: peer)
        else { continue }
        return (position, nonce)
      }
      return nil
    }
  }

  /// The seat that starts. Where the referee ruled against each seat that did not open its draw, it is the
  /// lowest of those that did.
  private mutating func starter(_ facts: Facts, within past: CausalGraph.Past) -> Seat? {
    guard create.starter == .jointDraw else { return Seat(0) }
    let draws = draws(facts)
    let nonces = draws.compactMap { $0?.nonce }
    if nonces.count == seats.count { return Seat(Commitments.starter(room: room, nonces: nonces)) }
    for index in draws.indices where draws[index] == nil {
      guard let ruling = ruling(againstDrawOf: index, facts, within: past) else { return nil }
      used.formUnion([ruling.position, ruling.claim])
    }
    return draws.firstIndex { $0 != nil }.map { Seat(UInt16(truncatingIfNeeded: $0)) }
  }

  /// The referee's first ruling, on a seat's claim that names the silent seat's ready.
  private func ruling(
    againstDrawOf index: Int, _ facts: Facts, within past: CausalGraph.Past
  ) -> (position: Int, claim: Int)? {
    let readies = readies(facts)
    guard let ready = readies[index], !seats.contains(where: { $0?.peer == create.referee }) else {
      return nil
    }
    let rulings = facts.steps(on: ready.position).filter { position in
      facts.kind(position) == .ruling && facts.author(position) == create.referee && past.contains(position)
    }
    for position in facts.inFeedOrder(rulings) {
      guard case .ruling(let id) = facts.event(position).action, let claim = facts.graph.position(of: id),
        case .claim(_, let seat) = facts.event(claim).action, Int(seat) == index,
        seats.contains(where: { $0?.peer == facts.author(claim) }),
        readies.allSatisfy({ $0.map { facts.graph.isInPast($0.position, of: position) } ?? false })
      else { continue }
      return (position, claim)
    }
    return nil
  }

  // MARK: - Closing and asking

  /// Who left a game room before it started: the creator, or the lowest seat.
  private func closer(_ facts: Facts) -> PeerID? {
    func hasLeft(_ peer: PeerID, after request: Int?) -> Bool {
      lobby.leavings.contains { facts.author($0) == peer && isLeaving($0, after: request, facts) }
    }
    if hasLeft(creator, after: nil) { return creator }
    if isTournament { return nil }
    for (index, seat) in seats.enumerated() {
      if let peer = seat?.peer, hasLeft(peer, after: requests[index]) { return peer }
    }
    return nil
  }

  /// Whose forked feed keeps the room from starting: the creator's, or in a game room the lowest seat's.
  private func forker(_ facts: Facts) -> PeerID? {
    let seated = isTournament ? [] : seats.compactMap { $0?.peer }
    return ([creator] + seated).first { facts.graph.forks[$0] != nil }
  }

  /// Whether a grant of the creator would seat somebody whom it had not invited, in a room of invited peers.
  func isOfUninvited(_ grant: Int, _ facts: Facts) -> Bool {
    guard create.scope == .invited, case .grant(let request, _) = facts.event(grant).action,
      let asked = facts.graph.position(of: request)
    else { return false }
    return !facts.invitations.hold(facts.author(asked), before: grant, facts.graph)
  }

  /// Whether the room's policy of bots lets a request's author sit here.
  func isAdmitted(_ request: Int, _ facts: Facts) -> Bool {
    guard case .request(_, let profile) = facts.event(request).action else { return false }
    return create.bots.admits(profile)
  }

  /// Requests that wait for a grant: not the creator's, not withdrawn, not from after the start unless somebody may
  /// still come in, and not of somebody who had to be invited and was not. Ascending by peer and id.
  /// - Parameters:
  ///   - positions: where requests lie.
  ///   - anchors: which events are anchored; `nil` when all are.
  func openRequests(
    among positions: some Sequence<Int>, _ facts: Facts, _ anchors: Anchors?
  ) -> [RoomState.OpenRequest] {
    let seated = Set(seats.compactMap { $0?.peer })
    let invited = create.scope == .invited ? Set(facts.invitations.peers(facts.graph, anchors)) : nil
    let closing = takesLateEntrants ? nil : start?.position
    return positions.compactMap { position -> RoomState.OpenRequest? in
      guard case .request(let seat, let profile) = facts.event(position).action else { return nil }
      let peer = facts.author(position)
      guard peer != creator, !seated.contains(peer), !facts.graph.isBehindFork(position),
        !(closing.map { facts.graph.isInPast($0, of: position) } ?? false),
        !facts.lobby(of: peer, .leave).contains(where: {
          anchors?.isAnchored($0, facts.graph) ?? true && isLeaving($0, after: position, facts)
        }),
        create.bots.admits(profile), invited?.contains(peer) ?? true
      else { return nil }
      return .init(id: facts.id(position), peer: peer, seat: seat, profile: profile)
    }
    .sorted(by: RoomState.OpenRequest.precedes)
  }

  /// Whether somebody's words in the lobby may change who sits where: the creator's, and those of who has a seat.
  func isSettled(by author: PeerID, of creator: PeerID) -> Bool {
    author == creator || isSeated(author)
  }

  /// Whether a peer has a seat.
  func isSeated(_ peer: PeerID) -> Bool { seats.contains { $0?.peer == peer } }

  /// Seats of a tournament whose entrants have withdrawn, ascending, and where each said so first.
  /// - Parameter anchors: which events are anchored; `nil` when all are.
  func withdrawals(_ facts: Facts, _ anchors: Anchors?) -> [(position: Int, seat: Seat)] {
    guard isTournament, !facts.lobby.leavings.isEmpty else { return [] }
    return seats.indices.compactMap { index in
      guard let peer = seats[index]?.peer else { return nil }
      let own = facts.lobby(of: peer, .leave).filter {
        anchors?.isAnchored($0, facts.graph) ?? true && facts.isLeaving($0, after: requests[index])
      }
      return own.min { facts.graph.isEarlier($0, $1) }
        .map { ($0, Seat(UInt16(truncatingIfNeeded: index))) }
    }
  }
}
