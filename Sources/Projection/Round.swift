import Events
import Rules

/// One round of simultaneous choices at a node: commits, reveals, and what is wrong with them.
struct Round {
  private(set) var progress = RoomState.RoundProgress()
  /// Offences in the round: a second commit, a reveal before all commits, an illegal choice.
  private(set) var offences: [(seat: Seat, node: EventID)] = []
  private var commits: [Seat: Int] = [:]
  private var allCommits: [Seat: [Int]] = [:]
  private var reveals: [Seat: (position: Int, code: MoveCode)] = [:]
  private let seats: Int

  /// Reads the round at a line's tip; empty where seats move in turn.
  init(at line: Line, candidates: [Int], _ facts: Facts) {
    seats = line.table.peers.count
    guard case .everyone = line.game.state.turn else { return }
    readCommits(at: line, candidates, facts)
    for (seat, commit) in commits.sorted(by: { $0.key < $1.key }) {
      readReveals(of: seat, commit: commit, at: line, facts)
    }
  }

  private mutating func readCommits(at line: Line, _ candidates: [Int], _ facts: Facts) {
    for index in 0..<seats {
      let seat = Seat(UInt8(truncatingIfNeeded: index))
      let own = candidates.filter { position in
        let event = facts.event(position)
        guard case .commit(let step, _) = event.action, line.table.seat(of: event.author) == seat else {
          return false
        }
        return Int(step.game) == line.game.number && Int(step.ply) == line.ply
      }
      .sorted {
        (facts.event($0).sequence, facts.event($0).id) < (facts.event($1).sequence, facts.event($1).id)
      }
      guard let first = own.first else { continue }
      commits[seat] = first
      allCommits[seat] = own
      progress.commits[seat] = facts.event(first).id
      if own.count > 1 { offences.append((seat, facts.event(own[1]).id)) }
    }
  }

  /// A seat's first reveal that opens its commit; early ones and illegal choices are offences.
  private mutating func readReveals(of seat: Seat, commit: Int, at line: Line, _ facts: Facts) {
    let committed = facts.event(commit)
    guard case .commit(_, let commitment) = committed.action else { return }
    let own = (facts.reveals[committed.id] ?? [])
      .filter { line.table.isAnchored($0) && facts.event($0).author == committed.author }
      .sorted {
        (facts.event($0).sequence, facts.event($0).id) < (facts.event($1).sequence, facts.event($1).id)
      }
    for position in own {
      guard case .reveal(let step, let choice, let salt) = facts.event(position).action,
        Int(step.game) == line.game.number, Int(step.ply) == line.ply,
        facts.graph.isInPast(commit, of: position)
      else { continue }
      let opened = Commitments.choice(
        choice, salt: salt, room: line.table.room, game: step.game, round: step.ply, seat: seat.rawValue,
        author: committed.author)
      guard opened == commitment else { continue }
      guard !isEarly(position, facts), line.game.state.isLegal(MoveCode(choice), by: seat) else {
        offences.append((seat, facts.event(position).id))
        return
      }
      reveals[seat] = (position, MoveCode(choice))
      progress.reveals[seat] = facts.event(position).id
      return
    }
  }

  /// Whether a reveal came before some seat's commit. Any commit of a seat will do: a seat with two of them
  /// is guilty itself, and whoever saw either was not early.
  private func isEarly(_ reveal: Int, _ facts: Facts) -> Bool {
    allCommits.count < seats
      || allCommits.values.contains { own in !own.contains { facts.graph.isInPast($0, of: reveal) } }
  }

  /// Whether the past of an event holds every seat's reveal.
  func isComplete(inPastOf position: Int, _ facts: Facts) -> Bool {
    reveals.count == seats && seats > 0
      && reveals.values.allSatisfy { facts.graph.isInPast($0.position, of: position) }
  }

  /// Whether a seat has done what the round waits for, in the past of an event.
  func hasActed(_ seat: Seat, inPastOf position: Int, _ facts: Facts) -> Bool {
    if let reveal = reveals[seat] { return facts.graph.isInPast(reveal.position, of: position) }
    guard let commit = commits[seat], facts.graph.isInPast(commit, of: position) else { return false }
    return commits.count < seats
  }

  /// The step that completes the round, once every seat has revealed.
  func completed() -> Choice.Step? {
    guard seats > 0, reveals.count == seats, let node = progress.reveals[Seat(0)] else { return nil }
    let bySeat = reveals.sorted { $0.key < $1.key }.map(\.value)
    let events = [progress.commits, progress.reveals].flatMap { bySeat in
      bySeat.sorted { $0.key < $1.key }.map(\.value)
    }
    return .round(events, bySeat.map(\.code), node: node)
  }
}
