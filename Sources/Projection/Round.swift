import Events
import Rules

/// One round of simultaneous choices at a node: commits, reveals, and what is wrong with them.
struct Round {
  private(set) var progress = RoomState.RoundProgress()
  /// Second commits, reveals before all commits, illegal choices.
  private(set) var offences: [(seat: Seat, position: Int)] = []
  private var commits: [Seat: [Int]] = [:]
  private var reveals: [Seat: (position: Int, code: MoveCode, salt: Digest)] = [:]
  private let seats: Int

  /// Reads the round at a line's tip; empty where seats move in turn.
  /// - Parameter past: what alone is looked at, when it is not everything.
  init(at line: Line, _ candidates: [Int], _ facts: Facts, within past: CausalGraph.Past?) {
    seats = line.table.peers.count
    guard case .everyone = line.turn else { return }
    for index in 0..<seats {
      readCommits(of: Seat(UInt16(truncatingIfNeeded: index)), at: line, candidates, facts)
    }
    for index in 0..<seats {
      readReveals(of: Seat(UInt16(truncatingIfNeeded: index)), at: line, facts, within: past)
    }
  }

  private mutating func readCommits(
    of seat: Seat, at line: Line, _ candidates: [Int], _ facts: Facts
  ) {
    let own = candidates.filter { position in
      guard case .commit(let step, _) = facts.event(position).action else { return false }
      return line.table.seat(of: facts.author(position)) == seat && line.isAt(step)
    }
    .sorted(by: facts.graph.isEarlier)
    guard let first = own.first else { return }
    commits[seat] = own
    progress.commits[seat] = facts.id(first)
    for second in own.dropFirst() where !facts.hasMovedOn(second, beyond: line.number) {
      offences.append((seat, second))
      break
    }
  }

  /// A seat's first reveal that opens its commit; early ones and illegal choices are offences.
  private mutating func readReveals(
    of seat: Seat, at line: Line, _ facts: Facts, within past: CausalGraph.Past?
  ) {
    guard let commit = commits[seat]?.first else { return }
    let own = (facts.reveals[facts.id(commit)] ?? [])
      .filter { line.table.isAnchored($0) && past?.contains($0) ?? true }
      .sorted(by: facts.graph.isEarlier)
    for position in own {
      guard let (code, salt) = opened(by: position, commit: commit, of: seat, at: line, facts) else {
        continue
      }
      if !isEarly(position, facts), line.isLegal(code, by: seat) {
        reveals[seat] = (position, code, salt)
        progress.reveals[seat] = facts.id(position)
        return
      }
      if !facts.hasMovedOn(position, beyond: line.number) {
        offences.append((seat, position))
        return
      }
    }
  }

  /// The choice and the salt that a reveal opens; `nil` when it opens nothing, or belongs to another round.
  private func opened(
    by position: Int, commit: Int, of seat: Seat, at line: Line, _ facts: Facts
  ) -> (MoveCode, salt: Digest)? {
    guard case .reveal(let step, let choice, let salt) = facts.event(position).action,
      case .commit(_, let commitment) = facts.event(commit).action,
      Int(step.game) == line.number, Int(step.ply) == line.ply
    else { return nil }
    let opened = Commitments.choice(
      choice, salt: salt, room: line.table.room, game: step.game, round: step.ply, seat: seat.rawValue,
      author: facts.author(position))
    return opened == commitment ? (MoveCode(choice), salt) : nil
  }

  /// Whether every seat had committed before an event. Any commit of a seat will do: a seat with two of them
  /// is guilty itself, and whoever saw either was not early.
  private func isCommitted(inPastOf position: Int, _ facts: Facts) -> Bool {
    commits.count == seats
      && commits.values.allSatisfy { own in own.contains { facts.graph.isInPast($0, of: position) } }
  }

  private func isEarly(_ reveal: Int, _ facts: Facts) -> Bool { !isCommitted(inPastOf: reveal, facts) }

  /// Whether the past of an event holds every seat's reveal.
  func isComplete(inPastOf position: Int, _ facts: Facts) -> Bool {
    reveals.count == seats && seats > 0
      && reveals.values.allSatisfy { facts.graph.isInPast($0.position, of: position) }
  }

  /// Whether the round waits for a seat as far as an event's past tells: for its commit, or for its reveal
  /// once every seat has committed.
  func waits(for seat: Seat, inPastOf position: Int, _ facts: Facts) -> Bool {
    let hasCommitted = (commits[seat] ?? []).contains { facts.graph.isInPast($0, of: position) }
    guard hasCommitted else { return true }
    guard isCommitted(inPastOf: position, facts) else { return false }
    return !(reveals[seat].map { facts.graph.isInPast($0.position, of: position) } ?? false)
  }

  /// The step that completes the round at a line's tip, once every seat has revealed.
  func completed(at line: Line) -> Step? {
    guard seats > 0, reveals.count == seats, let node = progress.reveals[Seat(0)] else { return nil }
    let opened = reveals.sorted { $0.key < $1.key }.map(\.value)
    let events = [progress.commits, progress.reveals].flatMap { bySeat in
      bySeat.sorted { $0.key < $1.key }.map(\.value)
    }
    return .round(events, opened.map(\.code), chance(of: opened.map(\.salt), at: line), node: node)
  }

  private func chance(of salts: [Digest], at line: Line) -> Chance {
    guard line.game.state.usesChance else { return .none }
    return Chance(
      seed: Commitments.chance(
        game: UInt16(truncatingIfNeeded: line.number), round: UInt16(truncatingIfNeeded: line.ply),
        salts: salts))
  }
}
