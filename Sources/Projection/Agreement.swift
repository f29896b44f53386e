import Events
import Rules

/// Results that every seat has signed: they pin the line (Docs/PROTOCOL.md §1.3).
enum Agreement {
  /// What a seat signed of a game.
  struct Signed: Equatable {
    let ending: EventID
    let scores: [Int32]
  }

  /// Each seat's result of a game, by seat; seats without one are left out. It is the first; of a seat whose feed is
  /// forked, the first that says what the lowest seat without a fork signed: no branch that comes up later
  /// takes an agreement back.
  static func resultOfEachSeat(game: Int, _ table: Line.Table, _ facts: Facts) -> [Int] {
    let results = table.peers.map { peer in
      facts.inFeedOrder(
        (facts.results[game] ?? []).filter { facts.author($0) == peer && table.isAnchored($0, facts) })
    }
    let honest = table.peers.indices.first { facts.graph.forks[table.peers[$0]] == nil }
    let agreed = honest.flatMap { results[$0].first }.flatMap { content($0, facts) }
    return table.peers.indices.compactMap { seat in
      guard let agreed, facts.graph.forks[table.peers[seat]] != nil else { return results[seat].first }
      return results[seat].first { content($0, facts) == agreed } ?? results[seat].first
    }
  }

  /// What all seats have signed alike of a game, and the result of the lowest seat without a fork.
  static func signed(game: Int, _ table: Line.Table, _ facts: Facts) -> (signed: Signed, result: Int)? {
    let firsts = resultOfEachSeat(game: game, table, facts)
    guard firsts.count == table.peers.count, let one = content(firsts[0], facts),
      firsts.allSatisfy({ content($0, facts) == one })
    else { return nil }
    let honest = table.peers.indices.first { facts.graph.forks[table.peers[$0]] == nil }
    return (one, firsts[honest ?? 0])
  }

  private static func content(_ position: Int, _ facts: Facts) -> Signed? {
    guard case .result(_, let ending, let scores) = facts.event(position).action else { return nil }
    return Signed(ending: ending, scores: scores)
  }

  /// Whether who signed a result had seen every reveal of the rounds that it agrees to: a path is read in the past of
  /// the result, and a round that is not complete there leads nowhere.
  static func hasSeen(_ line: Line, through game: Int, _ facts: Facts, result: Int) -> Bool {
    for number in 0...game where !line.games[number].isAgreed {
      let plies = line.games[number].plies
      guard plies.contains(where: { $0.seat == nil }) else { continue }
      guard var node = facts.graph.position(of: line.games[number].root) else { return false }
      for index in plies.indices where plies[index].seat == nil {
        // Nothing but a commit has reveals.
        for step in facts.steps(on: node) {
          let reveals = facts.reveals(of: step)
          guard reveals.isEmpty || reveals.contains(where: { facts.graph.isInPast($0, of: result) })
          else { return false }
        }
        guard let next = facts.graph.position(of: plies[index].node, after: node) else { return false }
        node = next
      }
    }
    return true
  }

  /// The line led on to the next agreed ending, when the line stands at the root of a game and one exists.
  static func next(from line: Line, _ facts: Facts) -> Line? {
    guard let last = facts.signedGames.last, last >= line.number, line.isAtRoot, line.tip == line.root,
      let root = facts.graph.position(of: line.root)
    else { return nil }
    for number in facts.signedGames where number >= line.number {
      guard let (signed, result) = signed(game: number, line.table, facts),
        let path = path(to: signed.ending, from: line.root, line.table, facts)
      else { continue }
      var forced = line
      let past = facts.graph.past(of: result, from: root)
      guard forced.follow(path, through: number, to: signed, facts, within: past),
        forced.games.indices.contains(number),
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
      guard let position = facts.graph.position(of: node), table.isAnchored(position, facts),
        !facts.unfounded.contains(position), let before = facts.node(of: facts.event(position))
      else { return nil }
      path.append(position)
      node = before == .none ? table.start : before
    }
    return path.reversed()
  }
}

extension Line {
  /// Takes the steps of a path that all seats agreed on, each checked for who may do what, not for order.
  /// - Parameter past: what a signer of the agreement had seen; later events do not change it.
  /// - Returns: `false` when a step may not be taken.
  fileprivate mutating func follow(
    _ path: [Int], through number: Int, to signed: Agreement.Signed, _ facts: Facts,
    within past: CausalGraph.Past
  ) -> Bool {
    for (index, position) in path.enumerated() {
      let next = index + 1 < path.count ? path[index + 1] : nil
      letGo(of: number, facts, within: past)
      guard !isOver, let step = agreedStep(position, next: next, signed, facts, within: past) else {
        return false
      }
      take(step, facts)
    }
    letGo(of: number, facts, within: past)
    return true
  }

  /// Lets those drop out of a game of more than two seats who did so as the signer of the agreement had seen.
  private mutating func letGo(of number: Int, _ facts: Facts, within past: CausalGraph.Past) {
    guard table.peers.count > 2 else { return }
    while !isOver, self.number <= number {
      guard dropOut(Attendance(at: self, facts, within: past), facts) else { return }
    }
  }

  private func agreedStep(
    _ position: Int, next: Int?, _ signed: Agreement.Signed, _ facts: Facts, within past: CausalGraph.Past
  ) -> Step? {
    if table.peers.count > 2 { return agreedStepOfMany(position, facts, within: past) }
    let candidates = candidates(facts)
    let contest = Contest(at: self, candidates, facts, within: past)
    let seat = table.seat(of: facts.author(position))
    switch facts.kind(position) {
    case .move:
      guard let move = legalMove(position, facts), let seat else { return nil }
      let isSecond = contest.moves.contains { facts.graph.isEarlier($0, position) }
      guard isSecond, !goesOn(next, after: seat, signed, facts) else { return move }
      return .ending(position, .offence(seat), evidence: nil)
    case .commit, .reveal:
      if let offence = contest.round.offences.first(where: { $0.position == position }) {
        return .ending(position, .offence(offence.seat), evidence: nil)
      }
      guard let round = contest.round.completed(at: self, facts),
        case .round(_, _, _, position) = round
      else {
        return nil
      }
      return round
    case .resign, .leave:
      guard candidates.contains(position), let seat else { return nil }
      return Contest.departure(position, of: seat, facts)
    case .undoAccept:
      guard candidates.contains(position) else { return nil }
      return acceptedRequest(position, facts).map {
        .undo(accept: position, request: $0.request, ply: $0.ply)
      }
    case .drawAccept:
      guard candidates.contains(position) else { return nil }
      return acceptedOffer(position, facts).map {
        .ending(position, .drawAgreed, evidence: $0)
      }
    case .ruling:
      guard candidates.contains(position) else { return nil }
      return ruledSeat(position, facts).map {
        .ending(position, .ruled($0.0), evidence: $0.claim)
      }
    default: return nil
    }
  }

  /// In games of more than two seats the first move of a seat on a node is the one that counts.
  private func agreedStepOfMany(_ position: Int, _ facts: Facts, within past: CausalGraph.Past) -> Step? {
    let step = Attendance(at: self, facts, within: past).step
    switch step {
    case .move(position, _, _): return step
    case .round(_, _, _, position): return step
    default: return nil
    }
  }

  /// Whether the seats took a second move on a node for a move rather than for an offence: the same game goes
  /// on after it, or the scores that they signed are not those of an offence.
  private func goesOn(
    _ next: Int?, after seat: Seat, _ signed: Agreement.Signed, _ facts: Facts
  ) -> Bool {
    guard let next else { return game.state.forfeit(by: seat).scores != signed.scores }
    return facts.game(of: next) == number
  }
}
