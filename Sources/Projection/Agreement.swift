import Events
import Rules

/// Results that every seat has signed: they pin the line (Docs/PROTOCOL.md §1.3).
enum Agreement {
  /// What a seat signed of a game.
  struct Signed: Hashable {
    let ending: EventID
    let scores: [Int32]
  }

  /// What all seats have signed alike, by game.
  static func agreed(_ table: Line.Table, _ facts: Facts) -> [Int: Signed] {
    var firsts: [Int: [Seat: (event: Event, signed: Signed)]] = [:]
    for position in facts.results where table.isAnchored(position) {
      let event = facts.event(position)
      guard let seat = table.seat(of: event.author),
        case .result(let game, let ending, let scores) = event.action
      else { continue }
      if let known = firsts[Int(game)]?[seat]?.event,
        (known.sequence, known.id) < (event.sequence, event.id)
      {
        continue
      }
      firsts[Int(game), default: [:]][seat] = (event, Signed(ending: ending, scores: scores))
    }
    return firsts.compactMapValues { bySeat in
      guard bySeat.count == table.peers.count, let one = bySeat[Seat(0)]?.signed,
        // tidy: order does not matter because all are compared with one
        bySeat.values.allSatisfy({ $0.signed == one })
      else { return nil }
      return one
    }
  }

  /// The line led on to the next agreed ending, when the line stands at the root of a game and one exists.
  static func next(from line: Line, _ facts: Facts) -> Line? {
    guard line.ply == 0, line.tip == line.game.root, !facts.results.isEmpty else { return nil }
    let agreed = agreed(line.table, facts)
    for number in agreed.keys.sorted() where number >= line.game.number {
      guard let signed = agreed[number], let path = path(to: signed.ending, from: line.tip, line.table, facts)
      else { continue }
      var forced = line
      guard forced.follow(path, facts), forced.games.indices.contains(number),
        let ending = forced.games[number].ending, ending.node == signed.ending,
        ending.outcome?.scores == signed.scores
      else { continue }
      forced.agree(through: number)
      return forced
    }
    return nil
  }

  /// The steps from one node to another, by what each names; `nil` when they do not lead there.
  private static func path(
    to ending: EventID, from root: EventID, _ table: Line.Table, _ facts: Facts
  ) -> [Int]? {
    var path: [Int] = []
    var node = ending
    while node != root {
      guard let position = facts.graph.position(of: node), table.isAnchored(position),
        let before = facts.node(of: facts.event(position)), path.count <= facts.graph.events.count
      else { return nil }
      path.append(position)
      node = before == .none ? table.start : before
    }
    return path.reversed()
  }
}

extension Line {
  /// Takes the steps of a path that all seats agreed on, each checked for who may do what, not for order.
  /// - Returns: `false` when a step may not be taken.
  fileprivate mutating func follow(_ path: [Int], _ facts: Facts) -> Bool {
    for position in path {
      guard !isOver, let step = forcedStep(position, facts) else { return false }
      take(step, facts)
    }
    return true
  }

  private func forcedStep(_ position: Int, _ facts: Facts) -> Choice.Step? {
    let event = facts.event(position)
    let candidates = Choice.candidates(at: self, facts)
    switch event.kind {
    case .move:
      let moves = Choice.legalMoves(at: self, candidates, facts)
      guard moves.contains(position), case .move(_, let code, let note) = event.action,
        let seat = table.seat(of: event.author)
      else { return nil }
      let isSecond = moves.contains { facts.event($0).sequence < event.sequence }
      return isSecond ? .ending(event.id, .offence(seat), evidence: []) : .move(event, MoveCode(code), note)
    case .reveal:
      let round = Round(at: self, candidates: candidates, facts)
      if let offence = round.offences.first(where: { $0.node == event.id }) {
        return .ending(event.id, .offence(offence.seat), evidence: [])
      }
      guard case .round(_, _, event.id)? = round.completed() else { return nil }
      return round.completed()
    case .commit:
      let round = Round(at: self, candidates: candidates, facts)
      return round.offences.first { $0.node == event.id }
        .map { .ending(event.id, .offence($0.seat), evidence: []) }
    case .resign, .leave, .undoAccept, .ruling:
      guard candidates.contains(position) else { return nil }
      return Choice.unordered(position, at: self, facts)
    default: return nil
    }
  }
}
