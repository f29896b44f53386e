import Events
import Rules

/// A seat's way out of a game of more than two seats (Docs/PROTOCOL.md §1.1).
struct Exit: Sendable {
  /// The event from which on nothing counts that the seat writes in the game; `nil` for a forked feed.
  let position: Int?
  let cause: GameRecord.Cause
}

extension [Seat: Exit] {
  /// Whether an event of a seat comes before its exit, and so counts.
  func allow(_ position: Int, of seat: Seat, _ facts: Facts) -> Bool {
    self[seat]?.position.map { facts.graph.isEarlier(position, $0) } ?? true
  }
}

/// What stands on the tip of a line of more than two seats: who drops out there, or the step that is taken.
struct Attendance {
  /// Exits that stand on the tip, with those from before.
  private(set) var exits: [Seat: Exit]
  /// The lowest seat of which the game waits for a step that will not come, why, and the claim that a ruling is on.
  private(set) var dropOut: (seat: Seat, exit: Exit, claim: EventID?)?
  /// The step that is taken, when nobody drops out first.
  private(set) var step: Step?
  /// The round at the tip.
  private(set) var round: Round

  private let line: Line
  private let candidates: [Int]
  private var rulings: [(seat: Seat, position: Int, claim: EventID)] = []

  /// Reads what stands on a line's tip.
  /// - Parameter past: what alone is looked at, when it is not everything.
  init(at line: Line, _ facts: Facts, within past: CausalGraph.Past? = nil) {
    self.line = line
    exits = line.exits
    let standing = line.candidates(facts)
    candidates = facts.inFeedOrder(past.map { past in standing.filter { past.contains($0) } } ?? standing)
    round = Round()
    for position in candidates where isOfThisGame(position, facts) {
      guard let seat = line.table.seat(of: facts.author(position)) else { continue }
      switch facts.kind(position) {
      case .resign: note(Exit(position: position, cause: .resigned(seat)), of: seat, facts)
      case .leave: note(Exit(position: position, cause: .left(seat)), of: seat, facts)
      default: break
      }
    }
    for position in candidates where facts.kind(position) == .ruling {
      guard let (seat, claim) = line.ruledSeat(position, facts),
        let claimed = facts.graph.position(of: claim),
        isOfThisGame(claimed, facts)
      else { continue }
      rulings.append((seat, position, claim))
    }
    switch line.turn {
    case .seat(let mover): readMove(of: mover, facts)
    case .round: readRound(facts, within: past)
    case .over: break
    }
  }

  /// Whether what names the tip is about the game that is on, and not about one that ended there.
  private func isOfThisGame(_ position: Int, _ facts: Facts) -> Bool {
    !line.isUsed(position)
      && line.gate.map { facts.graph.isInPast($0, of: position) } ?? true
  }

  /// The first exit of a seat in its feed is the one that counts.
  /// - Returns: whether this is now the first.
  @discardableResult
  private mutating func note(_ exit: Exit, of seat: Seat, _ facts: Facts) -> Bool {
    guard let position = exit.position else { return false }
    if let known = exits[seat] {
      guard let before = known.position, facts.graph.isEarlier(position, before) else { return false }
    }
    exits[seat] = exit
    return true
  }

  // MARK: - A move

  private mutating func readMove(of mover: Seat, _ facts: Facts) {
    // Rules that wait for a seat which dropped out wait for ever.
    guard line.game.playing.contains(mover) else { return }
    let moves = candidates.filter { line.legalMove($0, facts) != nil }
    let second = moves.dropFirst().first { !facts.hasMovedOn($0, beyond: line.number) }
    if let second { note(Exit(position: second, cause: .offence(mover)), of: mover, facts) }
    let ruling = rulings.first { ruling in
      ruling.seat == mover && !moves.contains { facts.graph.isInPast($0, of: ruling.position) }
    }
    if let ruling {
      dropOut = (mover, Exit(position: ruling.position, cause: .ruled(mover)), ruling.claim)
    } else if let move = moves.first, exits.allow(move, of: mover, facts) {
      step = line.legalMove(move, facts)
    } else {
      leave(mover)
    }
  }

  /// A seat of which a step is owed that will not come drops out.
  private mutating func leave(_ seat: Seat) {
    if let exit = exits[seat] {
      dropOut = (seat, exit, nil)
    } else if line.table.forked.contains(seat) {
      dropOut = (seat, Exit(position: nil, cause: .forked(seat)), nil)
    }
  }

  // MARK: - A round

  private mutating func readRound(_ facts: Facts, within past: CausalGraph.Past?) {
    // An offence is an exit: without what comes after it the round is read once more.
    var hasNews = true
    while hasNews {
      round = Round(
        at: line, candidates, facts, within: past,
        company: .init(
          playing: line.game.playing, exits: exits, rulings: rulings.map { ($0.seat, $0.position) },
          forked: line.table.forked))
      hasNews = false
      for (seat, position) in round.offences {
        let isFirst = note(Exit(position: position, cause: .offence(seat)), of: seat, facts)
        hasNews = hasNews || isFirst
      }
    }
    for seat in line.game.playing {
      let ruling = rulings.first {
        $0.seat == seat && !round.isComplete(inPastOf: $0.position, facts)
          && round.waits(for: seat, inPastOf: $0.position, facts)
      }
      if let ruling {
        dropOut = (seat, Exit(position: ruling.position, cause: .ruled(seat)), ruling.claim)
      } else if round.misses(seat) {
        leave(seat)
      }
      if dropOut != nil { return }
    }
    step = round.completed(at: line, facts)
  }
}
