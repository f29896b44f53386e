import BotKit
import Events
import Games
import Projection
import Rules

/// A room in which peers act at random, each on what it has seen so far; some of them break every rule.
///
/// Peers see the others' feeds in uneven steps, so that play goes on concurrently where it should not.
struct RandomRoom {
  /// An event that anybody wrote, as somebody else's view counts it.
  private(set) var script: RoomScript
  let seed: UInt64
  /// The players, by seat, who keep the rules.
  let honest: Set<TestPeer>
  private var random: RandomStream
  /// What each peer has seen, in a causal order.
  private var views: [(peer: TestPeer, projection: RoomProjection, known: Int, ids: Set<EventID>)] = []
  private let isDilemma: Bool

  static let peers: [TestPeer] = [.alice, .bob, .carol, .rita, .sybil]

  init(seed: UInt64) throws {
    self.seed = seed
    random = RandomStream(seed: seed)
    isDilemma = random.below(3) == 0
    var room = RoomScript.Room(referee: TestPeer.rita.id)
    if isDilemma { room = .dilemma(rounds: 1 + Int(random.below(3)), referee: TestPeer.rita.id) }
    room.games = 1 + Int(random.below(3))
    room.starter = random.below(4) == 0 ? .jointDraw : .firstSeat
    room.allowsUndo = random.below(2) == 0
    if random.below(50) == 0 { room.version = 9 }
    // Mostly one cheater or none, so that honest seats can be watched.
    let cheaters = random.below(8)
    honest = cheaters == 0 ? [] : cheaters < 3 ? [.alice] : cheaters < 5 ? [.bob] : [.alice, .bob]
    // Half of the rooms start at once, the others also from a random lobby.
    let starts = random.below(4) != 0
    script = starts ? try RoomScript.started(room).0 : try RoomScript(room)
    for peer in Self.peers {
      views.append((peer, script.projection(), script.events.count, Set(script.events.map(\.id))))
    }
    for _ in 0..<(10 + random.below(50)) { try turn() }
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.below(UInt64(max(1, bound)))) }
  private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
  private mutating func pick<T>(_ items: [T]) -> T? { items.isEmpty ? nil : items[below(items.count)] }

  // MARK: - Turns

  private mutating func turn() throws {
    let index = oneIn(5) ? below(views.count) : below(2)
    look(index)
    let peer = views[index].peer
    let isSeat = index < 2
    if oneIn(12) {
      try write(index, .chat("\(below(9))"))
    } else if isSeat, honest.contains(peer) {
      if let action = try honestAction(index) { try write(index, action) }
    } else if oneIn(3), let action = try wildAction(index) {
      try write(index, action)
    } else if let action = try honestAction(index) {
      try write(index, action)
    }
  }

  /// Lets a peer see the next few events, or all of them.
  private mutating func look(_ index: Int) {
    let total = script.events.count
    let until = oneIn(3) ? total : min(total, views[index].known + below(4))
    for position in views[index].known..<max(until, views[index].known) {
      views[index].projection.apply(script.events[position])
      views[index].ids.insert(script.events[position].id)
    }
    views[index].known = max(views[index].known, until)
  }

  /// Writes an event that cites the last event seen of every other feed. A cheater may fork its feed.
  private mutating func write(_ index: Int, _ action: Action) throws {
    let peer = views[index].peer
    let feed = script.events.filter { $0.author == peer.id }
    var previous = feed.last { views[index].ids.contains($0.id) }
    let mayFork = !(index < 2 && honest.contains(peer)) && index != 3
    if mayFork, oneIn(20), let other = pick(feed.filter { views[index].ids.contains($0.id) }) {
      previous = other
    }
    var cited: [PeerID: Event] = [:]
    for event in script.events[..<views[index].known] where views[index].ids.contains(event.id) {
      // Nobody honest cites what comes after a fork it knows of; the first branch that was seen goes on.
      if let known = cited[event.author], known.id != event.previous { continue }
      cited[event.author] = event
    }
    let parents = Self.peers.compactMap { cited[$0.id] }
    let event = try script.write(
      peer, action, seeing: .only(previous == nil && parents.isEmpty ? [script.create] : parents),
      after: previous)
    views[index].projection.apply(event)
    views[index].ids.insert(event.id)
  }

  // MARK: - Honest play

  private mutating func honestAction(_ index: Int) throws -> Action? {
    let peer = views[index].peer
    let state = views[index].projection.state
    guard state.forked.isEmpty || !honest.contains(peer) else { return nil }
    let seat = state.seat(of: peer.id)
    if peer == .rita { return rule(state) }
    if state.start == nil { return waitingAction(peer, seat, state) }
    guard let seat, let game = state.games.last else { return nil }
    if let last = state.games.last(where: { $0.ending?.outcome != nil }), let ending = last.ending,
      let outcome = ending.outcome, !hasSigned(peer, last.number, index)
    {
      return .result(game: UInt16(last.number), ending: ending.node, scores: outcome.scores)
    }
    guard state.phase == .playing, game.ending == nil else { return nil }
    let place = Place(node: state.tip, game: game.number, ply: game.plies.count)
    if oneIn(40) { return .resign(node: place.node) }
    if oneIn(60) { return .leave(node: place.node) }
    if oneIn(15) { return .claim(node: place.node, seat: 1 - seat.rawValue) }
    if oneIn(10), place.ply > 0 { return .undoRequest(node: place.node, ply: UInt16(below(place.ply))) }
    if let asked = state.undoRequest, asked.seat != seat, oneIn(2) { return .undoAccept(request: asked.id) }
    return choice(peer, seat, place, state, game)
  }

  private mutating func choice(
    _ peer: TestPeer, _ seat: Seat, _ place: Place, _ state: RoomState, _ game: GameRecord
  ) -> Action? {
    switch game.state.turn {
    case .seat(seat):
      return pick(game.state.legalMoves(of: seat)).map { .move(place.step, code: $0.rawValue, nil) }
    case .everyone:
      guard let commit = state.round.commits[seat] else {
        return commitment(peer, seat, UInt32(below(2)), place)
      }
      guard state.round.commits.count == 2, state.round.reveals[seat] == nil else { return nil }
      return opening(peer, seat, commit, place)
    default: return nil
    }
  }

  private func commitment(_ peer: TestPeer, _ seat: Seat, _ choice: UInt32, _ place: Place) -> Action {
    let salt = peer.salt(script.room, game: place.game, round: place.ply, seat: seat.index)
    return .commit(
      place.step,
      commitment: Commitments.choice(
        choice, salt: salt, room: script.room, game: UInt16(place.game), round: UInt16(place.ply),
        seat: seat.rawValue, author: peer.id))
  }

  /// The choice behind a commit is found by trying all.
  private func opening(_ peer: TestPeer, _ seat: Seat, _ commit: EventID, _ place: Place) -> Action? {
    guard let event = script.events.first(where: { $0.id == commit }),
      case .commit(let step, let commitment) = event.action
    else { return nil }
    let salt = peer.salt(script.room, game: Int(step.game), round: Int(step.ply), seat: seat.index)
    let choice = (0..<8).first { choice in
      commitment
        == Commitments.choice(
          UInt32(choice), salt: salt, room: script.room, game: step.game, round: step.ply,
          seat: seat.rawValue,
          author: peer.id)
    }
    return .reveal(
      .init(game: step.game, ply: step.ply, node: commit), choice: UInt32(choice ?? 0), salt: salt)
  }

  private func hasSigned(_ peer: TestPeer, _ game: Int, _ index: Int) -> Bool {
    script.events.contains { event in
      guard event.author == peer.id, case .result(UInt16(game), _, _) = event.action else { return false }
      return views[index].ids.contains(event.id)
    }
  }

  private mutating func rule(_ state: RoomState) -> Action? {
    let claims = script.events[..<views[3].known].filter { event in
      guard case .claim(let node, _) = event.action else { return false }
      return node == state.tip || oneIn(9)
    }
    return oneIn(4) ? pick(Array(claims)).map { .ruling(claim: $0.id) } : nil
  }

  private mutating func waitingAction(_ peer: TestPeer, _ seat: Seat?, _ state: RoomState) -> Action? {
    let roster = script.roster(of: state)
    if peer == .alice, oneIn(2), let request = pick(state.openRequests) {
      return .grant(request: request.id, seat: request.seat == 255 ? 1 : request.seat)
    }
    guard let seat else { return .request(seat: oneIn(2) ? 255 : 1, peer.profile) }
    if oneIn(20) { return .leave(node: .none) }
    guard roster.isSome else { return nil }
    if state.seats[seat.index]?.isReady == false {
      return .ready(
        roster: roster,
        commitment: Commitments.draw(
          nonce: script.nonce(peer), room: script.room, roster: roster, seat: seat.rawValue, author: peer.id))
    }
    if peer == .alice, oneIn(2) { return .start(roster: roster) }
    return state.create.starter == .jointDraw ? .draw(nonce: script.nonce(peer)) : nil
  }

  // MARK: - Cheating

  /// Something of any kind that names anything.
  private mutating func wildAction(_ index: Int) throws -> Action? {
    let peer = views[index].peer
    let seen = script.events.prefix(views[index].known)
    guard let node = pick(oneIn(3) ? script.events : Array(seen.suffix(6)))?.id else { return nil }
    let state = views[index].projection.state
    let game = oneIn(4) ? below(3) : max(0, state.games.count - 1)
    let ply = oneIn(4) ? below(9) : state.games.last?.plies.count ?? 0
    let place = Place(node: oneIn(3) ? node : state.tip, game: game, ply: ply)
    let seat = Seat(UInt8(below(2)))
    let commit = pick(seen.filter { $0.kind == .commit && $0.author == peer.id })
    switch below(18) {
    case 0: return .request(seat: UInt8(below(3)), peer.profile)
    case 1: return .grant(request: node, seat: UInt8(below(3)))
    case 2: return .ready(roster: script.roster(of: state), commitment: .none)
    case 3: return .draw(nonce: script.nonce(peer))
    case 4: return .start(roster: script.roster(of: state))
    case 5, 6, 7: return .move(place.step, code: UInt32(below(10)), nil)
    case 8, 9: return commitment(peer, seat, UInt32(below(4)), place)
    case 10, 11: return commit.flatMap { opening(peer, seat, $0.id, place) }
    case 12: return .resign(node: place.node)
    case 13: return oneIn(2) ? .leave(node: place.node) : .leave(node: .none)
    case 14: return .undoRequest(node: place.node, ply: UInt16(below(5)))
    case 15:
      let asked = pick(seen.filter { $0.kind == .undoRequest })
      return .undoAccept(request: asked?.id ?? node)
    case 16:
      let scores: [Int32] = oneIn(2) ? [1, 0] : [0, 1]
      return .result(game: UInt16(game), ending: place.node, scores: scores)
    default:
      let claim = pick(seen.filter { $0.kind == .claim })
      return oneIn(2) ? .claim(node: place.node, seat: seat.rawValue) : .ruling(claim: claim?.id ?? node)
    }
  }
}

extension RoomScript {
  /// The roster's hash in a state; zero while a seat is free.
  func roster(of state: RoomState) -> Digest {
    let seats = state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    return seats.count == state.seats.count ? Commitments.roster(room: room, seats: seats) : .none
  }
}
