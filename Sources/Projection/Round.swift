import Events
import Rules

/// One round at a node: commits, reveals, and what is wrong with them.
struct Round {
  private struct Opened {
    let position: Int
    let code: MoveCode
    let salt: Digest
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

  /// What a seat has in the round.
  private struct Part {
    /// The first commit in its feed.
    var commit: Int?
    /// Further ones, in the order of its feed.
    var others: [Int] = []
    var reveal: Opened?

    mutating func add(commit position: Int) {
      if commit == nil { commit = position } else { others.append(position) }
    }

    /// Whether an event has one of the commits, or the reveal, in its past.
    func has(_ half: Half, inPastOf position: Int, _ facts: borrowing Facts) -> Bool {
      switch half {
      case .commit:
        if let commit, facts.graph.isInPast(commit, of: position) { return true }
        for commit in others where facts.graph.isInPast(commit, of: position) { return true }
        return false
      case .reveal:
        guard let reveal else { return false }
        return facts.graph.isInPast(reveal.position, of: position)
      }
    }
  }

  /// What each has to say in a round.
  private enum Half { case commit, reveal }

  /// What the referee has in the chance of a round: it commits with the seats, and reveals last.
  private struct Share {
    var part = Part()
    /// Whether its feed is forked, so that nobody waits for what is not anchored of it.
    let isExcused: Bool
  }

  /// Second commits, reveals before all commits, choices that the rules do not allow.
  private(set) var offences: [(seat: Seat, position: Int)] = []
  /// By seat; no seats where they move in turn.
  private var parts: [Part] = []
  /// The same as it is shown, kept because whoever reads the state asks for it at each step.
  private var shown: [RoomState.RoundProgress.Part] = []
  /// `nil` where chance has no part in the round, or no referee has one in it.
  private var share: Share?
  private var company = Company(playing: .none)
  /// Whether nothing stands on the tip but the first commit of each seat, and no referee has a share: then what comes
  /// is taken in without reading the rest again.
  private(set) var isPlain = false

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
    begin(at: line)
    guard !parts.isEmpty else { return }
    if let company { self.company = company }
    for position in candidates {
      guard case .commit(let step, _) = facts.event(position).action, line.isAt(step),
        let seat = line.table.seat(of: facts.author(position)), counts(position, of: seat, facts)
      else { continue }
      parts[seat.index].add(commit: position)
    }
    for index in parts.indices {
      let second = parts[index].others.first { !facts.hasMovedOn($0, beyond: line.number) }
      if let second { offences.append((Self.seat(index), second)) }
    }
    share = share(at: line, candidates, facts, within: past)
    for index in parts.indices { readReveals(of: Self.seat(index), at: line, facts, within: past) }
    for index in parts.indices {
      shown[index] = .init(
        commit: parts[index].commit.map { facts.id($0) },
        reveal: parts[index].reveal.map { facts.id($0.position) })
    }
    let hasOnlyCommits = candidates.count == parts.count { $0.commit != nil }
    isPlain = isPlain && hasOnlyCommits && offences.isEmpty
  }

  /// Begins the round at a line's tip, where nothing stands; none where seats move in turn.
  mutating func begin(at line: borrowing Line) {
    (offences, share, isPlain) = ([], nil, false)
    guard line.turn.isRound else {
      (parts, shown) = ([], [])
      return
    }
    company = Company(playing: line.playing)
    let seats = line.table.peers.count
    if parts.count != seats {
      parts = [Part](repeating: Part(), count: seats)
      shown = [RoomState.RoundProgress.Part](repeating: .init(), count: seats)
    }
    for index in parts.indices { (parts[index], shown[index]) = (Part(), .init()) }
    isPlain = !line.usesChance || line.table.referee == nil
  }

  /// Whether there is no round.
  var isEmpty: Bool { parts.isEmpty }

  /// Whether nothing is owed but the commits of seats.
  var waitsForCommits: Bool { isPlain && parts.contains { $0.commit == nil } }

  /// Takes in a step that has come to the tip, where nothing else than one commit of each seat stands.
  /// - Returns: `false`, and nothing changed, where all must be read again.
  mutating func take(_ position: Int, at line: borrowing Line, _ facts: borrowing Facts) -> Bool {
    guard isPlain, let seat = line.table.seat(of: facts.author(position)) else { return false }
    switch facts.event(position).action {
    case .commit(let step, _):
      guard parts[seat.index].commit == nil, line.isAt(step) else { return false }
      parts[seat.index].commit = position
      shown[seat.index].commit = facts.id(position)
      return true
    case .reveal(let step, _, _):
      guard parts[seat.index].reveal == nil, let commit = parts[seat.index].commit,
        facts.id(commit) == step.node,
        let opened = opened(by: position, commit: commit, of: seat.rawValue, at: line, facts),
        counts(opened, of: seat, at: line, facts)
      else { return false }
      parts[seat.index].reveal = opened
      shown[seat.index].reveal = facts.id(position)
      return true
    default: return false
    }
  }

  /// The referee's first reveal that opens its commit is its share.
  private func share(
    at line: Line, _ candidates: [Int], _ facts: Facts, within past: CausalGraph.Past?
  ) -> Share? {
    guard line.usesChance, let referee = line.table.referee else { return nil }
    var share = Share(isExcused: line.table.isRefereeForked)
    for position in candidates where facts.author(position) == referee {
      guard case .commit(let step, _) = facts.event(position).action, line.isAt(step) else { continue }
      share.part.add(commit: position)
    }
    guard let commit = share.part.commit else { return share }
    let named = facts.reveals(of: commit).filter {
      line.table.isAnchored($0, facts) && past?.contains($0) ?? true
    }
    for position in facts.inFeedOrder(named) {
      share.part.reveal = opened(by: position, commit: commit, of: Create.noSeat, at: line, facts)
      if share.part.reveal != nil { break }
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
    guard let commit = parts[seat.index].commit else { return }
    let own = facts.reveals(of: commit).filter {
      line.table.isAnchored($0, facts) && past?.contains($0) ?? true && counts($0, of: seat, facts)
    }
    for position in facts.inFeedOrder(own) {
      guard let opened = opened(by: position, commit: commit, of: seat.rawValue, at: line, facts) else {
        continue
      }
      if counts(opened, of: seat, at: line, facts) {
        parts[seat.index].reveal = opened
        return
      }
      if !facts.hasMovedOn(position, beyond: line.number) {
        offences.append((seat, position))
        return
      }
    }
  }

  /// Whether a choice was opened in time, and is one that the rules allow.
  private func counts(
    _ opened: Opened, of seat: Seat, at line: borrowing Line, _ facts: borrowing Facts
  ) -> Bool {
    allHave(.commit, inPastOf: opened.position, facts) && line.mayOpen(opened.code, by: seat)
  }

  /// How far the round is.
  func progress(_ facts: Facts) -> RoomState.RoundProgress {
    var progress = RoomState.RoundProgress()
    progress.parts = shown
    progress.refereeCommit = share?.part.commit.map { facts.id($0) }
    progress.refereeReveal = share?.part.reveal.map { facts.id($0.position) }
    return progress
  }

  /// Whether an event is the first commit or the reveal of a seat, or of the referee.
  func has(_ position: Int) -> Bool {
    parts.contains { $0.commit == position || $0.reveal?.position == position }
      || share?.part.commit == position || share?.part.reveal?.position == position
  }

  /// The choice and the salt that a reveal opens; `nil` when it opens nothing, or belongs to another round.
  /// - Parameter seat: the number in the commitment; `Create.noSeat` of the referee.
  private func opened(
    by position: Int, commit: Int, of seat: UInt16, at line: borrowing Line, _ facts: borrowing Facts
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

  /// Whether every seat, and the referee where it has a share, had committed before an event, or revealed. Any commit
  /// of a seat will do: a seat with two of them is guilty itself, and whoever saw either was not early.
  private func allHave(_ half: Half, inPastOf position: Int, _ facts: borrowing Facts) -> Bool {
    if let share, !share.isExcused, !share.part.has(half, inPastOf: position, facts) { return false }
    for index in parts.indices where company.playing.contains(Self.seat(index)) {
      guard
        parts[index].has(half, inPastOf: position, facts)
          || isExcused(Self.seat(index), inPastOf: position, facts)
      else { return false }
    }
    return true
  }

  /// Whether an event's past tells that nothing of a seat is to be waited for.
  private func isExcused(_ seat: Seat, inPastOf position: Int, _ facts: borrowing Facts) -> Bool {
    if company.forked.contains(seat) { return true }
    if let exit = company.exits[seat]?.position, facts.graph.isInPast(exit, of: position) { return true }
    for ruling in company.rulings where ruling.seat == seat {
      if facts.graph.isInPast(ruling.position, of: position) { return true }
    }
    return false
  }

  /// Whether the past of an event holds every seat's reveal, and the referee's.
  func isComplete(inPastOf position: Int, _ facts: borrowing Facts) -> Bool {
    !parts.isEmpty && allHave(.reveal, inPastOf: position, facts)
  }

  /// Whether the round waits for a step of a seat that is gone: for its commit, or for its reveal.
  func misses(_ seat: Seat) -> Bool {
    guard parts[seat.index].commit != nil else { return true }
    guard parts[seat.index].reveal == nil else { return false }
    return company.exits[seat] != nil
      || share.map { $0.isExcused || $0.part.commit != nil } ?? true
        && company.playing.allSatisfy { seat in
          parts[seat.index].commit != nil || company.exits[seat] != nil || company.forked.contains(seat)
        }
  }

  /// Whether the round waits for a seat as far as an event's past tells: for its commit, or for its reveal
  /// once every seat has committed.
  func waits(for seat: Seat, inPastOf position: Int, _ facts: borrowing Facts) -> Bool {
    guard parts[seat.index].has(.commit, inPastOf: position, facts) else { return true }
    guard allHave(.commit, inPastOf: position, facts) else { return false }
    return !parts[seat.index].has(.reveal, inPastOf: position, facts)
  }

  /// Whether every seat has revealed.
  private var isOpened: Bool { parts.count { $0.reveal != nil } == company.playing.count }

  /// The step that completes the round at a line's tip, once every seat has revealed, and the referee.
  func completed(at line: borrowing Line, _ facts: borrowing Facts) -> Step? {
    guard isOpened else { return nil }
    var (opened, codes, events) = ([Opened](), [MoveCode](), [Int]())
    opened.reserveCapacity(parts.count + 1)
    codes.reserveCapacity(parts.count)
    events.reserveCapacity(2 * parts.count + 2)
    for part in parts {
      if let reveal = part.reveal { opened.append(reveal) }
      codes.append(part.reveal?.code ?? .none)
      if let commit = part.commit { events.append(commit) }
    }
    guard let first = opened.first else { return nil }
    if let share {
      if share.part.reveal == nil, !share.isExcused { return nil }
      if let reveal = share.part.reveal { opened.append(reveal) }
      if let commit = share.part.commit { events.append(commit) }
    }
    for reveal in opened { events.append(reveal.position) }
    return .round(events, codes, chance(of: opened, at: line), node: first.position)
  }

  private func chance(of opened: [Opened], at line: borrowing Line) -> Chance {
    guard line.usesChance else { return .none }
    return Chance(
      seed: Commitments.chance(
        game: UInt16(truncatingIfNeeded: line.number), round: UInt16(truncatingIfNeeded: line.ply),
        salts: opened.map(\.salt)))
  }
}
