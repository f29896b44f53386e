import BotKit
import Events
import Games
import Projection
import Rules

/// A room in which peers act at random, each on what it has seen so far; some of them break every rule.
///
/// Peers see the others' feeds in uneven steps, so that play goes on concurrently where it should not.
struct RandomRoom {
  private(set) var script: RoomScript
  let seed: UInt64
  /// The players, by seat, who keep the rules.
  let honest: Set<TestPeer>
  private var random: RandomStream
  /// What each peer has seen.
  private var views: [View] = []
  /// For each peer the positions of its events.
  private var feeds: [[Int]] = []
  private let isDilemma: Bool
  /// How many seats there are; Carol sits on the third.
  private let seats: Int
  /// Whether everybody sees everything at once, so that no two events are concurrent but by forks.
  private let isSerial: Bool

  private struct View {
    let peer: TestPeer
    var projection: RoomProjection
    /// Events before this position were looked at.
    var known: Int
    /// Own events behind that.
    var own: [Int] = []
    /// The last event seen of each peer, on the branch that was seen first.
    var heads: [Int?]

    func hasSeen(_ position: Int) -> Bool { position < known || own.contains(position) }
  }

  static let peers: [TestPeer] = [.alice, .bob, .carol, .rita, .sybil]

  init(seed: UInt64, isSerial: Bool = false, seats: Int = 2) throws {
    self.seed = seed
    self.seats = seats
    self.isSerial = isSerial
    random = RandomStream(seed: seed)
    isDilemma = random.below(3) == 0 && seats == 2
    var room = RoomScript.Room(referee: TestPeer.rita.id)
    if isDilemma {
      let rounds = 1 + Int(random.below(3))
      room = .dilemma(
        rounds: rounds, referee: TestPeer.rita.id, noise: 100 * rounds, ending: seed % 2 == 0 ? 0 : 200)
      // The wish has no effect where chance has a part.
      room.hasOpenRounds = seed % 3 == 0
      if seed % 6 == 0 {
        room.parameters = RoomScript.Room.dilemma(rounds: rounds).parameters
      }
    }
    if seats > 2 {
      room =
        random.below(2) == 0
        ? .oddOneOut(seats: seats, turns: 2 + Int(random.below(5)), referee: TestPeer.rita.id)
        : .memory(seats: seats, referee: TestPeer.rita.id)
    }
    room.games = 1 + Int(random.below(3))
    room.starter = random.below(4) == 0 ? .jointDraw : .firstSeat
    room.allowsUndo = random.below(2) == 0
    if random.below(50) == 0 { room.version = 9 }
    if !isDilemma, seats == 2, seed % 5 == 0 { room.openings = Self.openings(seed / 5) }
    if random.below(4) == 0 { room.scope = .invited }
    // Mostly one cheater or none, so that honest seats can be watched.
    let cheaters = random.below(8)
    var honest: Set<TestPeer> =
      cheaters == 0 ? [] : cheaters < 3 ? [.alice] : cheaters < 5 ? [.bob] : [.alice, .bob]
    if seats > 2, cheaters > 3 { honest.insert(.carol) }
    self.honest = honest
    // Half of the rooms start at once, the others also from a random lobby.
    script = random.below(4) != 0 ? try RoomScript.started(room).0 : try RoomScript(room)
    let projection = script.projection()
    feeds = Self.peers.map { peer in script.events.indices.filter { script.events[$0].author == peer.id } }
    for peer in Self.peers {
      views.append(
        View(peer: peer, projection: projection, known: script.events.count, heads: feeds.map(\.last)))
    }
    let turns = (seed % 16 == 0 ? 60 : 6 + random.below(20)) * (seats > 2 ? 2 : 1)
    for _ in 0..<turns { try turn() }
  }

  /// Openings of tic-tac-toe; of some rooms one that cannot be.
  private static func openings(_ number: UInt64) -> [[UInt16]] {
    let openings: [[UInt16]] = [[4], [0, 4, 8], [1, 0, 2, 5]]
    return number % 7 == 0 ? openings + [[0, 3, 1, 4, 2]] : Array(openings.prefix(1 + Int(number % 3)))
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.below(UInt64(max(1, bound)))) }
  private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
  private mutating func pick<T>(_ items: [T]) -> T? { items.isEmpty ? nil : items[below(items.count)] }

  // MARK: - Turns

  private mutating func turn() throws {
    let index = oneIn(4) ? below(views.count) : below(seats)
    look(index)
    let peer = views[index].peer
    let isSeat = index < seats
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
    let until = isSerial || oneIn(3) ? total : min(total, views[index].known + below(4))
    for position in views[index].known..<max(until, views[index].known) { see(position, index) }
    views[index].known = max(views[index].known, until)
    let known = views[index].known
    views[index].own.removeAll { $0 < known }
  }

  private mutating func see(_ position: Int, _ index: Int) {
    views[index].projection.apply(script.events[position])
    for author in feeds.indices where feeds[author].contains(position) {
      // Nobody honest cites what comes after a fork it knows of: the branch that was seen first goes on.
      let head = views[index].heads[author]
      if head.map({ script.events[$0].id == script.events[position].previous }) ?? true {
        views[index].heads[author] = position
      }
    }
  }

  /// Writes an event that cites the last event seen of every other feed. A cheater may fork its feed.
  private mutating func write(_ index: Int, _ action: Action) throws {
    let peer = views[index].peer
    var previous = views[index].heads[index]
    let mayFork = !(index < seats && honest.contains(peer)) && index != 3
    if mayFork, oneIn(25), let other = pick(feeds[index].filter { views[index].hasSeen($0) }) {
      previous = other
    }
    let parents = views[index].heads.indices.filter { $0 != index }.compactMap { views[index].heads[$0] }
    let event = try script.write(
      peer, action, seeing: .only(parents.map { script.events[$0] }),
      after: previous.map { script.events[$0] })
    let position = script.events.count - 1
    feeds[index].append(position)
    views[index].own.append(position)
    views[index].heads[index] = position
    views[index].projection.apply(event)
  }

  /// The events of a kind that a peer has seen, of the last ones.
  private func seen(_ kind: Kind, by index: Int) -> [Event] {
    script.events.indices.suffix(12).filter { script.events[$0].kind == kind && views[index].hasSeen($0) }
      .map { script.events[$0] }
  }

  // MARK: - Honest play

  private mutating func honestAction(_ index: Int) throws -> Action? {
    let peer = views[index].peer
    let state = views[index].projection.state
    guard state.forked.isEmpty || !honest.contains(peer) else { return nil }
    let seat = state.seat(of: peer.id)
    if peer == .rita { return share(state) ?? rule(state) }
    if state.start == nil { return waitingAction(peer, seat, state) }
    if peer == .alice, oneIn(30) { return .invite(pick(Self.peers)?.id ?? .none) }
    guard let seat, let game = state.games.last else { return nil }
    if let last = state.games.last(where: { $0.ending?.outcome != nil }), let ending = last.ending,
      let outcome = ending.outcome, !hasSigned(peer, last.number, index)
    {
      return .result(game: UInt16(last.number), ending: ending.node, scores: outcome.scores)
    }
    guard state.phase == .playing, game.ending == nil else { return nil }
    let place = Place(node: state.tip, game: game.number, ply: game.plies.count)
    if !game.isPlaying(seat), honest.contains(peer) { return nil }
    if oneIn(30) { return .resign(node: place.node) }
    if oneIn(50) { return .leave(node: place.node) }
    if oneIn(10) {
      let silent = seats == 2 ? 1 - seat.rawValue : state.owing.first { $0 != seat }?.rawValue
      if let silent { return .claim(node: place.node, seat: silent) }
    }
    if oneIn(10), place.ply > 0 { return .undoRequest(node: place.node, ply: UInt16(below(place.ply))) }
    if let asked = state.undoRequest, asked.seat != seat, oneIn(2) { return .undoAccept(request: asked.id) }
    if oneIn(10) { return .drawOffer(node: place.node) }
    if let offer = state.drawOffers.first(where: { $0.seat != seat }), oneIn(3) {
      return oneIn(3) ? .drawDecline(offer: offer.id) : .drawAccept(node: place.node, offer: offer.id)
    }
    return choice(peer, seat, place, state, game)
  }

  private mutating func choice(
    _ peer: TestPeer, _ seat: Seat, _ place: Place, _ state: RoomState, _ game: GameRecord
  ) -> Action? {
    switch game.turn {
    case .seat(seat):
      return pick(game.state.legalMoves(of: seat)).map { .move(place.step, code: $0.rawValue, nil) }
    case .round(let choosing):
      guard game.isPlaying(seat) else { return nil }
      guard let commit = state.round.commit(of: seat) else {
        return commitment(peer, seat, choosing.contains(seat) ? UInt32(below(2)) : 0, place)
      }
      guard state.owes(seat) else { return nil }
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
    guard let position = script.events.lastIndex(where: { $0.id == commit }),
      case .commit(let step, let commitment) = script.events[position].action
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
    feeds[index].contains { position in
      guard case .result(UInt16(game), _, _) = script.events[position].action else { return false }
      return views[index].hasSeen(position)
    }
  }

  /// The referee's step in a round in whose chance it has a share.
  private mutating func share(_ state: RoomState) -> Action? {
    guard state.refereeOwes, !oneIn(4) else { return nil }
    let place = Place(node: state.tip, game: state.games.count - 1, ply: state.plyCount)
    let seat = Seat(Create.noSeat)
    return state.round.refereeCommit.map { opening(.rita, seat, $0, place) }
      ?? commitment(.rita, seat, 0, place)
  }

  private mutating func rule(_ state: RoomState) -> Action? {
    let claims = seen(.claim, by: 3).filter { event in
      guard case .claim(let node, _) = event.action else { return false }
      return node == state.tip || oneIn(4)
    }
    return oneIn(2) ? pick(claims).map { .ruling(claim: $0.id) } : nil
  }

  private mutating func waitingAction(_ peer: TestPeer, _ seat: Seat?, _ state: RoomState) -> Action? {
    let roster = script.roster(of: state)
    if peer == .alice, oneIn(2), let request = pick(state.openRequests) {
      let free = seats == 2 ? 1 : UInt16(state.seats.firstIndex { $0 == nil } ?? 1)
      return .grant(request: request.id, seat: request.seat == Create.noSeat ? free : request.seat)
    }
    if peer == .alice, oneIn(3),
      let guest = pick(Self.peers.filter { $0 != .alice && !state.mayRequest($0.id) })
    {
      return .invite(guest.id)
    }
    guard let seat else { return .request(seat: oneIn(2) ? Create.noSeat : 1, peer.profile) }
    if oneIn(20) { return .leave(node: .none) }
    guard roster.isSome else { return peer == .alice && oneIn(4) ? script.call(by: peer, state) : nil }
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
    let first = oneIn(3) ? 0 : max(0, script.events.count - 6)
    let node = script.events[first + below(script.events.count - first)].id
    let state = views[index].projection.state
    let game = oneIn(4) ? below(3) : max(0, state.games.count - 1)
    let ply = oneIn(4) ? below(9) : state.games.last?.plies.count ?? 0
    let place = Place(node: oneIn(3) ? node : state.tip, game: game, ply: ply)
    let seat = oneIn(4) ? Seat(UInt16(below(seats))) : state.seat(of: peer.id) ?? Seat(0)
    let roster = script.roster(of: state)
    switch below(25) {
    case 0: return .request(seat: UInt16(below(3)), peer.profile)
    case 1: return .grant(request: node, seat: UInt16(below(3)))
    case 2: return oneIn(2) ? script.call(by: peer, state) : .ready(roster: roster, commitment: .none)
    case 3: return .draw(nonce: script.nonce(peer))
    case 4: return .start(roster: roster)
    case 5, 6, 7: return .move(place.step, code: UInt32(below(10)), nil)
    case 8, 9: return commitment(peer, seat, UInt32(below(4)), place)
    case 10, 11: return pick(seen(.commit, by: index)).flatMap { opening(peer, seat, $0.id, place) }
    case 12: return .resign(node: place.node)
    case 13: return .leave(node: oneIn(2) ? place.node : .none)
    case 14: return .undoRequest(node: place.node, ply: UInt16(below(5)))
    case 15: return .undoAccept(request: pick(seen(.undoRequest, by: index))?.id ?? node)
    case 16:
      let scores: [Int32] = oneIn(2) ? [1, 0] : [0, 1]
      return .result(game: UInt16(game), ending: place.node, scores: scores)
    case 17: return .claim(node: place.node, seat: seat.rawValue)
    case 18: return .ruling(claim: pick(seen(.claim, by: index))?.id ?? node)
    case 20: return .drawOffer(node: place.node)
    case 21: return .drawAccept(node: place.node, offer: pick(seen(.drawOffer, by: index))?.id ?? node)
    case 22: return .drawDecline(offer: pick(seen(.drawOffer, by: index))?.id ?? node)
    case 19: return .invite(Self.peers[below(Self.peers.count)].id)
    default: return again(peer, index, seat)
    }
  }

  /// The peer's last move or commit once more, with another choice.
  private mutating func again(_ peer: TestPeer, _ index: Int, _ seat: Seat) -> Action? {
    for position in feeds[index].reversed() {
      switch script.events[position].action {
      case .move(let step, let code, _): return .move(step, code: (code + 1) % 9, nil)
      case .commit(let step, _):
        return commitment(
          peer, seat, UInt32(below(4)), Place(node: step.node, game: Int(step.game), ply: Int(step.ply)))
      default: continue
      }
    }
    return nil
  }
}

extension RoomScript {
  /// The roster's hash in a state; zero while a seat is free.
  func roster(of state: RoomState) -> Digest {
    let seats = state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    return seats.count == state.seats.count ? Commitments.roster(room: room, seats: seats) : .none
  }

  /// A peer's word that the seats that are taken are all; `nil` where it holds none, or they are too few.
  func call(by peer: TestPeer, _ state: RoomState) -> Action? {
    let taken = state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    guard state.create.played(by: taken.count) != nil,
      let seat = taken.firstIndex(where: { $0.author == peer.id })
    else { return nil }
    let roster = Commitments.roster(room: room, seats: taken)
    return .ready(
      roster: roster,
      commitment: Commitments.draw(
        nonce: nonce(peer), room: room, roster: roster, seat: UInt16(seat), author: peer.id))
  }
}
