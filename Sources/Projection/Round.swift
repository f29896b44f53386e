import Events
import Rules

/// One round at a node: commits, reveals, and what is wrong with them.
struct Round {
  private struct Opened {
    let position: Int
    let code: MoveCode
    let salt: Digest
  }

  /// What the referee has in the chance of a round: it commits with the seats, and reveals last.
  private struct Share {
    /// In the order of its feed.
    var commits: [Int] = []
    var reveal: Opened?
    /// Whether its feed is forked, so that nobody waits for what is not anchored of it.
    let isExcused: Bool
  }

  /// Who takes part in a round.
  struct Company {
    /// The seats that have not dropped out.
    var playing: SeatSet
    /// The first events of seats from which on nothing that they write counts.
    var exits: [Seat: Exit] = [:]
    /// Rulings against seats that were silent.
    var rulings: [(seat: Seat, position: Int)] = []
    /// Seats with forked feeds, of whom nobody needs to have seen a step.
    var forked: [Seat] = []
  }

  /// Second commits, reveals before all commits, choices that the rules do not allow.
  private(set) var offences: [(seat: Seat, position: Int)] = []
  /// Of each seat, in the order of its feed; no seats where they move in turn.
  private var commits: [[Int]] = []
  private var reveals: [Opened?] = []
  /// `nil` where chance has no part in the round, or no referee has one in it.
  private var share: Share?
  private var company = Company(playing: .none)

  /// No round.
  init() {}

  /// Reads the round at a line's tip; empty where seats move in turn.
  /// - Parameters:
  ///   - candidates: what stands on the tip, in the order of feeds.
  ///   - past: what alone is looked at, when it is not everything.
  ///   - company: who takes part; all seats when it is not said.
  init(
    at line: Line, _ candidates: [Int], _ facts: Facts, within past: CausalGraph.Past?,
    company: Company? = nil
  ) {
    guard line.turn.isRound else { return }
    self.company = company ?? Company(playing: line.game.playing)
    commits = [[Int]](repeating: [], count: line.table.peers.count)
    reveals = [Opened?](repeating: nil, count: commits.count)
    for position in candidates {
      guard case .commit(let step, _) = facts.event(position).action, line.isAt(step),
        let seat = line.table.seat(of: facts.author(position)), counts(position, of: seat, facts)
      else { continue }
      commits[seat.index].append(position)
    }
    for index in commits.indices {
      let second = commits[index].dropFirst().first { !facts.hasMovedOn($0, beyond: line.number) }
      if let second { offences.append((Self.seat(index), second)) }
    }
    share = share(at: line, candidates, facts, within: past)
    for index in commits.indices { readReveals(of: Self.seat(index), at: line, facts, within: past) }
  }

  /// The referee's first reveal that opens its commit is its share.
  private func share(
    at line: Line, _ candidates: [Int], _ facts: Facts, within past: CausalGraph.Past?
  ) -> Share? {
    guard line.game.state.usesChance, let referee = line.table.referee else { return nil }
    var share = Share(isExcused: line.table.isRefereeForked)
    share.commits = candidates.filter { position in
      guard facts.author(position) == referee, case .commit(let step, _) = facts.event(position).action else {
        return false
      }
      return line.isAt(step)
    }
    guard let commit = share.commits.first else { return share }
    let named = (facts.reveals[facts.id(commit)] ?? []).filter {
      line.table.isAnchored($0) && past?.contains($0) ?? true
    }
    for position in facts.inFeedOrder(named) {
      share.reveal = opened(by: position, commit: commit, of: Create.noSeat, at: line, facts)
      if share.reveal != nil { break }
    }
    return share
  }

  private static func seat(_ index: Int) -> Seat { Seat(UInt16(truncatingIfNeeded: index)) }

  /// Whether a seat takes part when it writes an event.
  private func counts(_ position: Int, of seat: Seat, _ facts: Facts) -> Bool {
    company.playing.contains(seat) && company.exits.allow(position, of: seat, facts)
  }

  /// A seat's first reveal that opens its commit; early ones and illegal choices are offences.
  private mutating func readReveals(
    of seat: Seat, at line: Line, _ facts: Facts, within past: CausalGraph.Past?
  ) {
    guard let commit = commits[seat.index].first, let named = facts.reveals[facts.id(commit)] else { return }
    let own = named.filter {
      line.table.isAnchored($0) && past?.contains($0) ?? true && counts($0, of: seat, facts)
    }
    for position in facts.inFeedOrder(own) {
      guard let opened = opened(by: position, commit: commit, of: seat.rawValue, at: line, facts) else {
        continue
      }
      if isCommitted(inPastOf: position, facts), line.game.state.mayOpen(opened.code, by: seat) {
        reveals[seat.index] = opened
        return
      }
      if !facts.hasMovedOn(position, beyond: line.number) {
        offences.append((seat, position))
        return
      }
    }
  }

  /// How far the round is.
  func progress(_ facts: Facts) -> RoomState.RoundProgress {
    var progress = RoomState.RoundProgress()
    for index in commits.indices {
      progress.commits[Self.seat(index)] = commits[index].first.map { facts.id($0) }
      progress.reveals[Self.seat(index)] = reveals[index].map { facts.id($0.position) }
    }
    progress.refereeCommit = (share?.commits.first).map { facts.id($0) }
    progress.refereeReveal = (share?.reveal).map { facts.id($0.position) }
    return progress
  }

  /// The choice and the salt that a reveal opens; `nil` when it opens nothing, or belongs to another round.
  /// - Parameter seat: the number in the commitment; `Create.noSeat` of the referee.
  private func opened(
    by position: Int, commit: Int, of seat: UInt16, at line: Line, _ facts: Facts
  ) -> Opened? {
    guard case .reveal(let step, let choice, let salt) = facts.event(position).action,
      case .commit(_, let commitment) = facts.event(commit).action,
      Int(step.game) == line.number, Int(step.ply) == line.ply, seat != Create.noSeat || choice == 0
    else { return nil }
    let opened = Commitments.choice(
      choice, salt: salt, room: line.table.room, game: step.game, round: step.ply, seat: seat,
      author: facts.author(position))
    return opened == commitment ? Opened(position: position, code: MoveCode(choice), salt: salt) : nil
  }

  /// Whether every seat, and the referee where it has a share, had committed before an event. Any commit of a seat will
  /// do: a seat with two of them is guilty itself, and whoever saw either was not early.
  private func isCommitted(inPastOf position: Int, _ facts: Facts) -> Bool {
    let isShared = share.map { share in
      share.isExcused || share.commits.contains { facts.graph.isInPast($0, of: position) }
    }
    return isShared ?? true
      && company.playing.seats.allSatisfy { seat in
        commits[seat.index].contains { facts.graph.isInPast($0, of: position) }
          || isExcused(seat, inPastOf: position, facts)
      }
  }

  /// Whether an event's past tells that nothing of a seat is to be waited for.
  private func isExcused(_ seat: Seat, inPastOf position: Int, _ facts: Facts) -> Bool {
    company.forked.contains(seat)
      || company.exits[seat]?.position.map { facts.graph.isInPast($0, of: position) } ?? false
      || company.rulings.contains { $0.seat == seat && facts.graph.isInPast($0.position, of: position) }
  }

  /// Whether the past of an event holds every seat's reveal, and the referee's.
  func isComplete(inPastOf position: Int, _ facts: Facts) -> Bool {
    let isShared = share.map { share in
      share.isExcused || share.reveal.map { facts.graph.isInPast($0.position, of: position) } ?? false
    }
    return !reveals.isEmpty && isShared ?? true
      && company.playing.seats.allSatisfy { seat in
        reveals[seat.index].map { facts.graph.isInPast($0.position, of: position) } ?? false
          || isExcused(seat, inPastOf: position, facts)
      }
  }

  /// Whether the round waits for a step of a seat that is gone: for its commit, or for its reveal.
  func misses(_ seat: Seat) -> Bool {
    guard !commits[seat.index].isEmpty else { return true }
    guard reveals[seat.index] == nil else { return false }
    return company.exits[seat] != nil
      || share.map { $0.isExcused || !$0.commits.isEmpty } ?? true
        && company.playing.seats.allSatisfy { seat in
          !commits[seat.index].isEmpty || company.exits[seat] != nil || company.forked.contains(seat)
        }
  }

  /// Whether the round waits for a seat as far as an event's past tells: for its commit, or for its reveal
  /// once every seat has committed.
  func waits(for seat: Seat, inPastOf position: Int, _ facts: Facts) -> Bool {
    let hasCommitted = commits[seat.index].contains { facts.graph.isInPast($0, of: position) }
    guard hasCommitted else { return true }
    guard isCommitted(inPastOf: position, facts) else { return false }
    return !(reveals[seat.index].map { facts.graph.isInPast($0.position, of: position) } ?? false)
  }

  /// The step that completes the round at a line's tip, once every seat has revealed, and the referee.
  func completed(at line: Line, _ facts: Facts) -> Step? {
    var opened = reveals.compactMap(\.self)
    guard let first = opened.first, opened.count == company.playing.count else { return nil }
    if let share, share.reveal == nil, !share.isExcused { return nil }
    if let reveal = share?.reveal { opened.append(reveal) }
    let events =
      commits.compactMap(\.first) + (share?.commits.prefix(1) ?? []) + opened.map(\.position)
    return .round(
      events.map { facts.id($0) }, reveals.map { $0?.code ?? .none }, chance(of: opened, at: line),
      node: facts.id(first.position))
  }

  private func chance(of opened: [Opened], at line: Line) -> Chance {
    guard line.game.state.usesChance else { return .none }
    return Chance(
      seed: Commitments.chance(
        game: UInt16(truncatingIfNeeded: line.number), round: UInt16(truncatingIfNeeded: line.ply),
        salts: opened.map(\.salt)))
  }
}
