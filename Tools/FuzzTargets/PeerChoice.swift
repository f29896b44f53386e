import Events
import Projection
import Rules

/// What one peer may write next, by the room's state.
struct PeerChoice {
  let peer: Int
  let state: RoomState
  let events: [Event]
  let id: PeerID
  private let seat: Seat?

  init(_ peer: Int, _ state: RoomState, _ events: [Event]) {
    self.peer = peer
    self.state = state
    self.events = events
    id = WrittenRoom.keys[peer].peer
    seat = state.seat(of: id)
  }

  /// A salt or nonce that only depends on whose it is.
  var salt: Digest { Digest(Bytes32([UInt8](repeating: UInt8(peer) + 1, count: 32), at: 0)) }

  /// The roster's hash; zero while a seat is free.
  private var roster: Digest {
    let seats = state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    return seats.count == state.seats.count ? Commitments.roster(room: state.room, seats: seats) : .none
  }

  // MARK: - What the state asks for

  /// The next step to a start.
  func lobby(_ choices: inout ByteChoices) -> Action? {
    if peer == 0, let request = choices.pick(state.openRequests),
      let free = state.seats.indices.first(where: { state.seats[$0] == nil })
    {
      return .grant(request: request.id, seat: UInt16(free))
    }
    if peer == 0, state.create.scope == .invited,
      let guest = (1...2).first(where: { !state.invited.contains(WrittenRoom.keys[$0].peer) })
    {
      return .invite(WrittenRoom.keys[guest].peer)
    }
    guard let seat else {
      return peer == 0 || state.openRequests.contains { $0.peer == id }
        ? start : .request(seat: Create.noSeat, Profile(name: "\(peer)"))
    }
    guard roster.isSome, state.seats[seat.index]?.isReady == false, !state.create.isTournament else {
      return peer == 0 ? start : draw
    }
    let commitment = Commitments.draw(
      nonce: salt, room: state.room, roster: roster, seat: seat.rawValue, author: id)
    return .ready(roster: roster, commitment: commitment)
  }

  /// The creator's start; before it the creator's part of the joint draw.
  private var start: Action? {
    guard peer == 0, roster.isSome else { return nil }
    return draw ?? .start(roster: roster)
  }

  private var draw: Action? {
    guard state.create.starter == .jointDraw, seat != nil, !state.create.isTournament,
      state.seats.allSatisfy({ $0?.isReady == true }),
      !events.contains(where: { $0.kind == .draw && $0.author == id })
    else { return nil }
    return .draw(nonce: salt)
  }

  /// What somebody who keeps the rules might write now.
  mutating func sensible(_ choices: inout ByteChoices) -> Action? {
    if let hosted = state.hosted { return round(hosted, &choices) }
    if peer == 3 { return last(.claim).map { .ruling(claim: $0.id) } }
    guard state.start != nil else { return lobby(&choices) }
    if state.create.isTournament { return tournament(&choices) }
    guard let seat, let game = state.games.last else { return nil }
    let ended = state.games.last { $0.ending?.outcome != nil }
    if let ended, let ending = ended.ending, let outcome = ending.outcome, choices.oneIn(3) {
      return .result(game: UInt16(ended.number), ending: ending.node, scores: outcome.scores)
    }
    switch choices.below(14) {
    case 0: return .undoRequest(node: state.tip, ply: UInt16(choices.below(max(1, game.plies.count))))
    case 1: return state.undoRequest.map { .undoAccept(request: $0.id) }
    case 2: return .claim(node: state.tip, seat: 1 - seat.rawValue % 2)
    case 3: return choices.oneIn(3) ? .resign(node: state.tip) : nil
    case 4: return .drawOffer(node: state.tip)
    case 5:
      return state.drawOffers.first { $0.seat != seat }.map { offer in
        choices.oneIn(3) ? .drawDecline(offer: offer.id) : .drawAccept(node: state.tip, offer: offer.id)
      }
    default: return play(seat, game, &choices)
    }
  }

  private func step(_ game: GameRecord, _ node: EventID) -> Action.Step {
    .init(game: UInt16(game.number), ply: UInt16(game.plies.count), node: node)
  }

  private func play(_ seat: Seat, _ game: GameRecord, _ choices: inout ByteChoices) -> Action? {
    switch game.state.turn {
    case .seat(seat):
      guard let code = choices.pick(game.state.legalMoves(of: seat)) else { return nil }
      return .move(step(game, state.tip), code: code.rawValue, nil)
    case .round(let choosing):
      guard let commit = state.round.commit(of: seat) else {
        let choice = choosing.contains(seat) ? UInt32(choices.below(2)) : 0
        return commit(step(game, state.tip), seat, choice)
      }
      return opening(of: commit, seat)
    default: return nil
    }
  }

  private func commit(_ step: Action.Step, _ seat: Seat, _ choice: UInt32) -> Action {
    let commitment = Commitments.choice(
      choice, salt: salt, room: state.room, game: step.game, round: step.ply, seat: seat.rawValue, author: id)
    return .commit(step, commitment: commitment)
  }

  /// The reveal of a commit; its choice is found by trying.
  private func opening(of commit: EventID, _ seat: Seat) -> Action? {
    guard let event = events.first(where: { $0.id == commit }), case .commit(let step, _) = event.action
    else { return nil }
    let choice = (0..<4).first { self.commit(step, seat, $0) == event.action }
    return .reveal(.init(game: step.game, ply: step.ply, node: commit), choice: choice ?? 0, salt: salt)
  }

  private func tournament(_ choices: inout ByteChoices) -> Action? {
    guard peer == 0 else { return choices.oneIn(8) ? .leave(node: .none) : nil }
    if choices.oneIn(6) {
      let words = events.filter { $0.kind == .pairingResult || $0.kind == .disqualify }
      return .revoke(word: choices.pick(words)?.id ?? .none)
    }
    if choices.oneIn(6) { return .disqualify(seat: UInt16(choices.below(4)), reason: "why") }
    let games = (0..<choices.below(4)).map { _ in
      [Int32(choices.below(3)) - 1, Int32(choices.below(3)) - 1]
    }
    return .pairingResult(
      .init(
        pairing: UInt32(choices.below(8)), attempt: UInt8(choices.below(3)), room: events[0].id,
        heads: choices.oneIn(2) ? [] : [.init(author: events[0].author, sequence: 1, event: events[0].id)],
        walkover: choices.pick([.firstAbsent, .secondAbsent, .bothAbsent, .played]) ?? .played,
        games: games))
  }

  // MARK: - Anything

  private func last(_ kind: Kind) -> Event? { events.last { $0.kind == kind } }

  /// An event of any kind that names anything.
  mutating func anything(_ choices: inout ByteChoices) -> Action? {
    let node = choices.pick(events)?.id ?? .none
    let tip = choices.oneIn(2) ? node : state.tip
    let place = Action.Step(
      game: UInt16(choices.oneIn(4) ? choices.below(4) : max(0, state.games.count - 1)),
      ply: UInt16(choices.oneIn(4) ? choices.below(10) : state.games.last?.plies.count ?? 0), node: tip)
    let number = UInt16(choices.below(4))
    if state.hosted != nil, choices.oneIn(2) { return anyRound(node, &choices) }
    switch choices.below(22) {
    case 0: return .request(seat: number, Profile(name: "x"))
    case 1: return .grant(request: node, seat: number)
    case 2: return .ready(roster: roster, commitment: .none)
    case 3: return .draw(nonce: salt)
    case 4: return .start(roster: roster)
    case 5, 6: return .move(place, code: UInt32(choices.byte()), nil)
    case 7: return commit(place, Seat(number), UInt32(choices.below(4)))
    case 8: return opening(of: last(.commit)?.id ?? node, seat ?? Seat(number))
    case 9: return .resign(node: tip)
    case 10: return .leave(node: choices.oneIn(2) ? tip : .none)
    case 11: return .undoRequest(node: tip, ply: place.ply)
    case 12: return .undoAccept(request: last(.undoRequest)?.id ?? node)
    case 13:
      return .result(game: place.game, ending: tip, scores: [Int32(number), Int32(choices.below(3))])
    case 14: return .claim(node: tip, seat: number)
    case 15: return .ruling(claim: choices.oneIn(2) ? node : last(.claim)?.id ?? node)
    case 16: return tournament(&choices)
    case 18: return .drawOffer(node: tip)
    case 19: return .drawAccept(node: tip, offer: last(.drawOffer)?.id ?? node)
    case 20: return .drawDecline(offer: last(.drawOffer)?.id ?? node)
    case 17: return .invite(choices.pick(WrittenRoom.keys)?.peer ?? .none)
    default: return .chat("\(number)")
    }
  }
}
