import Events
import Rules

/// One step of a line.
enum Step {
  case move(Int, MoveCode, Action.Note?)
  case round([Int], [MoveCode], Chance, node: Int)
  case undo(accept: Int, request: EventID, ply: Int)
  case ending(Int, GameRecord.Cause, evidence: EventID?)
}

/// What stands on the tip of a line, and which of it is taken: the order of Docs/PROTOCOL.md §1.1.
struct Contest {
  /// The moves that the rules allow, the earliest in its author's feed first.
  private(set) var moves: [Int] = []
  let round: Round
  private var departures: [(seat: Seat, position: Int)] = []
  private var draws: [(seat: Seat, position: Int, offer: EventID)] = []
  private var accepts: [(seat: Seat, position: Int, request: EventID, ply: Int)] = []
  private var rulings: [(seat: Seat, position: Int, claim: EventID)] = []

  /// Sorts out what stands on a line's tip.
  /// - Parameter past: what alone is looked at, when it is not everything.
  init(at line: Line, _ candidates: [Int], _ facts: Facts, within past: CausalGraph.Past? = nil) {
    let candidates = facts.inFeedOrder(
      past.map { past in candidates.filter { past.contains($0) } } ?? candidates)
    round = Round(at: line, candidates, facts, within: past)
    for position in candidates {
      let seat = line.table.seat(of: facts.author(position))
      switch facts.kind(position) {
      case .move: if line.legalMove(position, facts) != nil { moves.append(position) }
      case .resign, .leave: if let seat { departures.append((seat, position)) }
      case .undoAccept:
        if let seat, let (request, ply) = line.acceptedRequest(position, facts) {
          accepts.append((seat, position, request, ply))
        }
      case .drawAccept:
        if let seat, let offer = line.acceptedOffer(position, facts) { draws.append((seat, position, offer)) }
      case .ruling:
        if let (silent, claim) = line.ruledSeat(position, facts),
          !line.turn.isRound || round.waits(for: silent, inPastOf: position, facts)
        {
          rulings.append((silent, position, claim))
        }
      default: break
      }
    }
  }

  /// The step that is taken, when there is one.
  func step(at line: Line, _ facts: Facts) -> Step? {
    if let offence = offence(at: line, facts) {
      return .ending(offence.position, .offence(offence.seat), evidence: nil)
    }
    if let ruling = rulings.first(where: { !isStale($0.position, facts) }) {
      return .ending(ruling.position, .ruled(ruling.seat), evidence: ruling.claim)
    }
    if let departure = lowest(departures.filter { !isStale($0.position, facts) }, seat: \.seat) {
      return Self.departure(departure.position, of: departure.seat, facts)
    }
    if let draw = lowest(draws.filter { !isStale($0.position, facts) }, seat: \.seat) {
      return .ending(draw.position, .drawAgreed, evidence: draw.offer)
    }
    if let accept = lowest(accepts.filter { !isStale($0.position, facts) }, seat: \.seat) {
      return .undo(accept: accept.position, request: accept.request, ply: accept.ply)
    }
    if let move = moves.first, !isStale(move, facts) { return line.legalMove(move, facts) }
    return round.completed(at: line, facts)
  }

  /// A resignation or leaving as a step, whatever else stands on the node.
  static func departure(_ position: Int, of seat: Seat, _ facts: Facts) -> Step {
    .ending(position, facts.kind(position) == .leave ? .left(seat) : .resigned(seat), evidence: nil)
  }

  /// A seat's second move or commit on the node, an early reveal or an illegal choice: of the lowest seat the
  /// first in its feed, so that no later one can take its place.
  func offence(at line: Line, _ facts: Facts) -> (seat: Seat, position: Int)? {
    var offences = round.offences
    let second = moves.dropFirst().first { !facts.hasMovedOn($0, beyond: line.number) }
    if let second, let seat = line.table.seat(of: facts.author(second)) { offences.append((seat, second)) }
    return offences.min { a, b in
      a.seat == b.seat ? facts.graph.isEarlier(a.position, b.position) : a.seat < b.seat
    }
  }

  /// Whether the past of a step holds another one that leads on from the same node.
  private func isStale(_ position: Int, _ facts: Facts) -> Bool {
    let others = [
      moves, departures.map(\.position), draws.map(\.position), accepts.map(\.position),
      rulings.map(\.position),
    ]
    return others.joined().contains { facts.graph.isInPast($0, of: position) }
      || round.isComplete(inPastOf: position, facts)
  }

  /// Of steps in the order of their feeds, the first one of the lowest seat.
  private func lowest<S>(_ steps: [S], seat: (S) -> Seat) -> S? {
    steps.indices.min { (seat(steps[$0]), $0) < (seat(steps[$1]), $1) }.map { steps[$0] }
  }
}

extension Line {
  /// Anchored steps at the tip of seated peers and the referee. At the start node, also leavings of peers who
  /// had not seen it.
  func candidates(_ facts: Facts) -> [Int] {
    var positions = Array(facts.steps(on: tipPosition))
    if tipPosition == table.startPosition {
      positions += facts.steps(on: nil).filter { position in
        guard let seat = table.seat(of: facts.author(position)) else { return false }
        return !facts.graph.isInPast(tipPosition, of: position)
          && facts.isLeaving(position, after: table.requests[seat.index])
      }
    }
    return positions.filter { position in
      let author = facts.author(position)
      return table.isAnchored(position, facts)
        && (table.seat(of: author) != nil || author == table.create.referee)
    }
  }

  /// The one step on the tip, where it is a move that the rules allow; quicker than to look for others first. The line
  /// is copied where this is not inlined, and what it asks.
  @inline(__always)
  func onlyMove(_ facts: Facts) -> Step? {
    guard tipPosition != table.startPosition, let position = facts.onlyStep(on: tipPosition),
      table.isAnchored(position, facts)
    else { return nil }
    return legalMove(position, facts)
  }

  /// The event at a position as a move that the rules allow here.
  @inline(__always)
  func legalMove(_ position: Int, _ facts: Facts) -> Step? {
    guard case .move(let step, let code, let note) = facts.graph.events[position].action,
      case .seat(let seat) = turn, table.seat(of: facts.author(position)) == seat, isAt(step),
      isLegal(MoveCode(code), by: seat)
    else { return nil }
    return .move(position, MoveCode(code), note)
  }

  /// The silent seat that a ruling names, when it is the referee's, on a seat's claim, about a seat that the
  /// game waits for.
  func ruledSeat(_ position: Int, _ facts: Facts) -> (Seat, claim: EventID)? {
    guard case .ruling(let id) = facts.event(position).action, facts.author(position) == table.create.referee,
      table.referee != nil,
      let claim = facts.graph.event(id), case .claim(_, let number) = claim.action,
      Int(number) < table.peers.count, table.seat(of: claim.author) != nil
    else { return nil }
    switch turn {
    case .seat(let seat): return seat == Seat(number) ? (seat, id) : nil
    case .round: return game.playing.contains(Seat(number)) ? (Seat(number), id) : nil
    case .over: return nil
    }
  }

  /// The other seat's offer of a draw that an accept names, when it may be accepted: the accepting seat has not
  /// declined it before.
  func acceptedOffer(_ position: Int, _ facts: Facts) -> EventID? {
    guard case .drawAccept(_, let id) = facts.event(position).action,
      let offer = facts.graph.position(of: id), let seat = drawOffer(offer, facts),
      table.seat(of: facts.author(position)) == seat.opponent,
      !declines(of: id, by: facts.author(position), facts)
        .contains(where: { facts.graph.isInPast($0, of: position) })
    else { return nil }
    return id
  }

  /// Who offers a draw by an event, as long as the offer stands at the tip: only its author has moved since.
  func drawOffer(_ position: Int, _ facts: Facts) -> Seat? {
    guard allowsDraws, case .drawOffer(let offered) = facts.event(position).action,
      !facts.unfounded.contains(position), let seat = table.seat(of: facts.author(position))
    else { return nil }
    var node = tip
    while node != offered {
      guard let before = baseOfMove(node, by: facts.author(position), facts) else { return nil }
      node = before
    }
    return seat
  }

  /// The node that a move of a peer in this game stands on; `nil` when a node is none.
  private func baseOfMove(_ node: EventID, by author: PeerID, _ facts: Facts) -> EventID? {
    guard node != root, let move = facts.graph.position(of: node), facts.author(move) == author,
      case .move(let step, _, _) = facts.event(move).action
    else { return nil }
    return step.node
  }

  private func declines(of offer: EventID, by author: PeerID, _ facts: Facts) -> [Int] {
    (facts.drawDeclines[offer] ?? []).filter { facts.author($0) == author }
  }

  /// Whether seats of this room may agree on a draw.
  var allowsDraws: Bool {
    table.peers.count == 2 && !game.isInRound && table.rules.definition.canBeDrawn
  }

  /// The offers of a draw that wait for an answer, by seat: of each seat the last one.
  func openDrawOffers(_ facts: Facts) -> [RoomState.DrawOffer] {
    guard !isOver, allowsDraws else { return [] }
    return table.peers.indices.compactMap { index in
      let seat = Seat(UInt16(truncatingIfNeeded: index))
      let (author, other) = (table.peers[index], table.peers[seat.opponent.index])
      var offers: [Int] = []
      var node: EventID? = tip
      while let at = node {
        offers += (facts.asks[at] ?? []).filter { facts.author($0) == author && facts.kind($0) == .drawOffer }
        node = baseOfMove(at, by: author, facts)
      }
      let open = offers.filter { position in
        table.isAnchored(position, facts)
          && !declines(of: facts.id(position), by: other, facts).contains { table.isAnchored($0, facts) }
      }
      return open.max(by: facts.graph.isEarlier).map { .init(id: facts.id($0), seat: seat) }
    }
  }

  /// The claims of seats at the tip against seats that owe a step there, in the order of seats and of each seat's feed.
  func openClaims(_ facts: Facts) -> [RoomState.OpenClaim] {
    guard !isOver else { return [] }
    let claims = (facts.asks[tip] ?? []).filter { table.isAnchored($0, facts) }
    let progress = round.progress(facts)
    return facts.inFeedOrder(claims).compactMap { position -> RoomState.OpenClaim? in
      guard case .claim(_, let number) = facts.event(position).action, Int(number) < table.peers.count,
        let claimant = table.seat(of: facts.author(position)),
        turn.waits(for: Seat(number), progress, playing: game.playing, hasReferee: waitsForReferee)
      else { return nil }
      return .init(id: facts.id(position), claimant: claimant, silent: Seat(number))
    }
    .enumerated().sorted { ($0.element.claimant, $0.offset) < ($1.element.claimant, $1.offset) }.map(
      \.element)
  }

  /// Whether the referee has a share in the round at the tip that is waited for.
  private var waitsForReferee: Bool {
    game.state.usesChance && table.referee != nil && !table.isRefereeForked
  }

  /// The other seat's take-back request that an accept names, when it may be accepted.
  func acceptedRequest(_ position: Int, _ facts: Facts) -> (request: EventID, ply: Int)? {
    guard case .undoAccept(let id) = facts.event(position).action, let request = facts.graph.event(id),
      let (seat, ply) = undoRequest(request),
      table.seat(of: facts.author(position)) == seat.opponent
    else { return nil }
    return (id, ply)
  }

  /// Who asks for a take-back at the tip, and to which ply; `nil` where it cannot be had.
  func undoRequest(_ event: Event) -> (seat: Seat, ply: Int)? {
    guard table.create.allowsUndo, table.peers.count == 2, !game.isInRound,
      case .undoRequest(_, let wanted) = event.action, Int(wanted) < ply, game.mayReturn(to: Int(wanted)),
      let seat = table.seat(of: event.author)
    else { return nil }
    return (seat, Int(wanted))
  }
}
