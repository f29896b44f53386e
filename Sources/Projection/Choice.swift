import Events
import Rules

/// Which of the steps that stand on a node is taken: the order of Docs/PROTOCOL.md §1.1.
enum Choice {
  /// A step of the line.
  enum Step {
    case move(Event, MoveCode, Action.Note?)
    case round([EventID], [MoveCode], node: EventID)
    case undo(accept: EventID, request: EventID, ply: Int)
    case ending(EventID, GameRecord.Cause, evidence: [EventID])
  }

  /// The step that is taken from the line's tip, when there is one.
  static func step(at line: Line, _ facts: Facts) -> Step? {
    let candidates = candidates(at: line, facts)
    guard !candidates.isEmpty else { return nil }
    if candidates.count == 1, let lone = loneMove(candidates[0], at: line, facts) { return lone }
    let choices = Round(at: line, candidates: candidates, facts)
    return offence(at: line, candidates, choices, facts)
      ?? ruling(at: line, candidates, choices, facts)
      ?? departure(at: line, candidates, choices, facts)
      ?? undo(at: line, candidates, choices, facts)
      ?? move(at: line, candidates, choices, facts)
      ?? choices.completed()
  }

  /// The only step at the node, when it is a legal move: nothing can contest it.
  private static func loneMove(_ position: Int, at line: Line, _ facts: Facts) -> Step? {
    let event = facts.event(position)
    guard case .move(let step, let code, let note) = event.action,
      case .seat(let seat) = line.game.state.turn, line.table.seat(of: event.author) == seat,
      Int(step.game) == line.game.number, Int(step.ply) == line.ply,
      line.game.state.isLegal(MoveCode(code), by: seat)
    else { return nil }
    return .move(event, MoveCode(code), note)
  }

  /// The commits and reveals of the round at the tip.
  static func progress(at line: Line, _ facts: Facts) -> RoomState.RoundProgress {
    Round(at: line, candidates: candidates(at: line, facts), facts).progress
  }

  /// Anchored steps of seated peers at the tip. At the start node, also leavings of peers who had not seen
  /// it.
  static func candidates(at line: Line, _ facts: Facts) -> [Int] {
    var positions = facts.steps[line.tip] ?? []
    if line.tip == line.table.start, let start = facts.graph.position(of: line.tip) {
      positions += (facts.steps[.none] ?? []).filter { !facts.graph.isInPast(start, of: $0) }
    }
    return positions.filter { position in
      let author = facts.event(position).author
      return line.table.isAnchored(position)
        && (line.table.seat(of: author) != nil || author == line.table.create.referee)
    }
  }

  /// The moves at the tip that the rules allow, by whoever's turn it is.
  static func legalMoves(at line: Line, _ candidates: [Int], _ facts: Facts) -> [Int] {
    guard case .seat(let seat) = line.game.state.turn else { return [] }
    return candidates.filter { position in
      let event = facts.event(position)
      guard case .move(let step, let code, _) = event.action, line.table.seat(of: event.author) == seat else {
        return false
      }
      return Int(step.game) == line.game.number && Int(step.ply) == line.ply
        && line.game.state.isLegal(MoveCode(code), by: seat)
    }
  }

  /// Whether the past of a step holds another one that leads on from the same node.
  private static func isStale(
    _ position: Int, at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Bool {
    let moves = legalMoves(at: line, candidates, facts)
    let others = candidates.filter { other in
      switch facts.event(other).kind {
      case .move: moves.contains(other)
      case .resign, .leave: line.table.seat(of: facts.event(other).author) != nil
      case .undoAccept: acceptedRequest(other, at: line, facts) != nil
      case .ruling: ruledSeat(other, at: line, facts) != nil
      default: false
      }
    }
    return others.contains { $0 != position && facts.graph.isInPast($0, of: position) }
      || choices.isComplete(inPastOf: position, facts)
  }

  // MARK: - The order

  /// A seat's second move or commit on one node, an early reveal or an illegal choice; lowest seat first.
  private static func offence(
    at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Step? {
    var byMove: [(seat: Seat, node: EventID)] = []
    let moves = legalMoves(at: line, candidates, facts).map { facts.event($0) }
      .sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
    if moves.count > 1, let seat = line.table.seat(of: moves[1].author) {
      byMove.append((seat, moves[1].id))
    }
    let worst = (byMove + choices.offences).min { ($0.seat, $0.node) < ($1.seat, $1.node) }
    return worst.map { .ending($0.node, .offence($0.seat), evidence: []) }
  }

  private static func ruling(
    at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Step? {
    let rulings = candidates.filter { facts.event($0).kind == .ruling }
      .sorted {
        (facts.event($0).sequence, facts.event($0).id) < (facts.event($1).sequence, facts.event($1).id)
      }
    for position in rulings {
      guard let (seat, claim) = ruledSeat(position, at: line, facts),
        !isStale(position, at: line, candidates, choices, facts),
        !choices.hasActed(seat, inPastOf: position, facts)
      else { continue }
      return .ending(facts.event(position).id, .ruled(seat), evidence: [claim])
    }
    return nil
  }

  /// The silent seat that the referee's ruling at the tip names.
  private static func ruledSeat(_ position: Int, at line: Line, _ facts: Facts) -> (Seat, claim: EventID)? {
    let event = facts.event(position)
    guard case .ruling(let id) = event.action, event.author == line.table.create.referee,
      let at = facts.graph.position(of: id), facts.graph.isInPast(at, of: position),
      case .claim(_, let number) = facts.event(at).action, Int(number) < line.table.peers.count,
      line.table.seat(of: facts.event(at).author) != nil
    else { return nil }
    let seat = Seat(number)
    switch line.game.state.turn {
    case .seat(seat), .everyone: return (seat, id)
    default: return nil
    }
  }

  /// A resignation or leaving; lowest seat first, of a seat the first in its feed.
  private static func departure(
    at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Step? {
    let departures = candidates.compactMap { position -> (seat: Seat, event: Event)? in
      let event = facts.event(position)
      guard event.kind == .resign || event.kind == .leave, let seat = line.table.seat(of: event.author),
        !isStale(position, at: line, candidates, choices, facts)
      else { return nil }
      return (seat, event)
    }
    let first = departures.min {
      ($0.seat.rawValue, $0.event.sequence, $0.event.id) < ($1.seat.rawValue, $1.event.sequence, $1.event.id)
    }
    return first.map {
      .ending($0.event.id, $0.event.kind == .leave ? .left($0.seat) : .resigned($0.seat), evidence: [])
    }
  }

  private static func undo(
    at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Step? {
    let accepts = candidates.compactMap { position -> (event: Event, request: EventID, ply: Int)? in
      guard let (request, ply) = acceptedRequest(position, at: line, facts),
        !isStale(position, at: line, candidates, choices, facts)
      else { return nil }
      return (facts.event(position), request, ply)
    }
    let first = accepts.min { a, b in
      let seats = (line.table.seat(of: a.event.author), line.table.seat(of: b.event.author))
      return (seats.0?.rawValue ?? 255, a.event.sequence, a.event.id)
        < (seats.1?.rawValue ?? 255, b.event.sequence, b.event.id)
    }
    return first.map { .undo(accept: $0.event.id, request: $0.request, ply: $0.ply) }
  }

  /// The other seat's take-back request that an accept at the tip names, when it may be accepted.
  private static func acceptedRequest(
    _ position: Int, at line: Line, _ facts: Facts
  ) -> (request: EventID, ply: Int)? {
    let event = facts.event(position)
    guard line.table.create.allowsUndo, line.table.peers.count == 2, case .undoAccept(let id) = event.action,
      let at = facts.graph.position(of: id), facts.graph.isInPast(at, of: position),
      case .undoRequest(_, let ply) = facts.event(at).action, Int(ply) < line.ply,
      let asker = line.table.seat(of: facts.event(at).author),
      line.table.seat(of: event.author) == asker.opponent
    else { return nil }
    if case .everyone = line.game.state.turn { return nil }
    return (id, Int(ply))
  }

  /// An ending or take-back as a step of its own, whatever else stands on the node.
  static func unordered(_ position: Int, at line: Line, _ facts: Facts) -> Step? {
    let event = facts.event(position)
    switch event.kind {
    case .resign:
      return line.table.seat(of: event.author).map { .ending(event.id, .resigned($0), evidence: []) }
    case .leave: return line.table.seat(of: event.author).map { .ending(event.id, .left($0), evidence: []) }
    case .ruling:
      return ruledSeat(position, at: line, facts).map {
        .ending(event.id, .ruled($0.0), evidence: [$0.claim])
      }
    case .undoAccept:
      return acceptedRequest(position, at: line, facts).map {
        .undo(accept: event.id, request: $0.request, ply: $0.ply)
      }
    default: return nil
    }
  }

  private static func move(
    at line: Line, _ candidates: [Int], _ choices: Round, _ facts: Facts
  ) -> Step? {
    let moves = legalMoves(at: line, candidates, facts)
    guard moves.count == 1, !isStale(moves[0], at: line, candidates, choices, facts) else { return nil }
    let event = facts.event(moves[0])
    guard case .move(_, let code, let note) = event.action else { return nil }
    return .move(event, MoveCode(code), note)
  }
}
