import Events
import Rules

/// Derives what a room of hosted rounds amounts to (Docs/PROTOCOL.md §1.10).
///
/// The host's feed alone says who plays, what was asked, which entries came and when, so there is nothing to choose
/// between. Of other feeds only what concerns their own authors is read: requests, leaving, and what they show.
struct HostedFold: Sendable {
  private let create: Create
  private let room: RoomID
  private let host: PeerID
  private var known: HostedState
  /// Why events have no effect, by position.
  private(set) var rejected: [Int: Verdict] = [:]
  /// Each peer's last request that it has not taken back.
  private var requests: [PeerID: HostedState.Request] = [:]
  private var proofs: [PeerID: [UInt8]] = [:]
  /// Up to which place in its feed a peer was refused.
  private var refusedThrough: [PeerID: UInt64] = [:]
  /// Who has left and not come back.
  private var away: Set<PeerID> = []
  /// The open requests, in the order of their keys.
  private var openRequests: [HostedState.Request] = []
  /// Entries of which their authors have said how they open, and those of them that were shown to be whole.
  private var shown: Set<EventID> = []
  private var proven: Set<EventID> = []
  /// The entries of the round that is on which the host has acknowledged, and how many each player has.
  private var acknowledged: Set<Int> = []
  private var counts: [UInt16: UInt16] = [:]
  /// Who has ever asked to be taken in.
  private var asked: Set<PeerID> = []
  /// By the event that opened a round: entries that its players have written and the host has not acknowledged, and
  /// how many each has written.
  private var waiting: [EventID: Set<Int>] = [:]
  private var entered: [EventID: [PeerID: UInt16]] = [:]
  /// The players' numbers.
  private var numbers: [PeerID: UInt16] = [:]

  init(_ create: Create, room: RoomID, host: PeerID, rules: (any HostedRules)?) {
    self.create = create
    self.room = room
    self.host = host
    known = HostedState(rules: rules)
  }

  /// The state, with what is found out when somebody asks.
  func state(_ facts: Facts) -> HostedState {
    var state = known
    state.requests = requestsThatCount(facts)
    for player in state.players.indices where away.contains(state.players[player].peer) {
      state.players[player].hasLeft = true
    }
    if let last = state.rounds.indices.last, let waiting = waiting[state.rounds[last].opening] {
      state.rounds[last].waiting = Set(waiting.compactMap { numbers[facts.author($0)] }).sorted()
    }
    for round in state.rounds.indices where !proven.isEmpty {
      for (at, entry) in state.rounds[round].entries.enumerated()
      where entry.isUnreadable && proven.contains(entry.event) {
        state.rounds[round].entries[at].fault = .deniedEntry(entry.event)
      }
    }
    return state
  }

  /// The open requests; in a room of the invited only theirs.
  private func requestsThatCount(_ facts: Facts) -> [HostedState.Request] {
    guard create.scope == .invited else { return openRequests }
    let guests = Set(facts.invitations.peers(facts.graph, nil))
    return openRequests.filter { guests.contains($0.peer) }
  }

  /// Brings the list of open requests up to date for one peer.
  private mutating func noteRequest(of peer: PeerID) {
    let place = openRequests.partitioningIndex { $0.peer >= peer }
    if place < openRequests.count, openRequests[place].peer == peer { openRequests.remove(at: place) }
    guard let request = requests[peer], numbers[peer] == nil,
      request.sequence > refusedThrough[peer] ?? 0
    else { return }
    openRequests.insert(request, at: place)
  }

  /// Whether a fork of a peer's feed changes what the host's feed amounts to; that of a stranger concerns nobody else.
  func concernsAll(_ peer: PeerID) -> Bool { peer == host || numbers[peer] != nil }

  /// Reads a stranger's own feed again, whose fork has come up.
  mutating func readAgain(_ peer: PeerID, _ facts: Facts) {
    (requests[peer], proofs[peer]) = (nil, nil)
    away.remove(peer)
    asked.remove(peer)
    noteRequest(of: peer)
    guard let feed = facts.graph.feed(of: peer) else { return }
    let positions = (feed.positions + feed.branches.joined()).filter { $0 < facts.count }
    for position in positions { forget(position, facts) }
    for position in positions { take(position, facts) }
  }

  /// Takes back what somebody who is no player has written, as far as it was noted.
  private mutating func forget(_ position: Int, _ facts: Facts) {
    let event = facts.event(position)
    rejected[position] = nil
    shown.remove(event.id)
    proven.remove(event.id)
    guard case .hosted(.entry(let opening, _)) = event.action else { return }
    waiting[opening]?.remove(position)
    entered[opening]?[event.author] = nil
  }

  /// What players have written for the round that is on and the host has not acknowledged.
  func openEntries(_ facts: Facts) -> [EventID] {
    guard let round = known.rounds.indices.last, let waiting = waiting[known.rounds[round].opening] else {
      return []
    }
    return waiting.sorted().filter { player(of: $0, in: round, facts) != nil }.map { facts.id($0) }
  }

  // MARK: - Events

  /// Takes in the event at a position, whose past was taken in before.
  mutating func take(_ position: Int, _ facts: Facts) {
    let event = facts.event(position)
    guard facts.isReadable(event) else {
      rejected[position] = .unreadable
      return
    }
    if let verdict = verdict(on: event, at: position, facts) {
      rejected[position] = verdict
    } else if event.author == host {
      noteTime(of: event)
    }
  }

  /// Notes how long the round that is on had been open when the host wrote: nobody else's clock tells.
  private mutating func noteTime(of event: Event) {
    guard let last = known.rounds.indices.last, known.rounds[last].phase == .open else { return }
    let (start, before) = (known.rounds[last].openedWallTime, known.rounds[last].passedMilliseconds)
    let passed = UInt32(clamping: event.wallTime - min(event.wallTime, start))
    known.rounds[last].passedMilliseconds = max(before, min(passed, known.rounds[last].limitMilliseconds))
  }

  /// Gives an event its effect.
  /// - Returns: why it has none.
  private mutating func verdict(on event: Event, at position: Int, _ facts: Facts) -> Verdict? {
    guard event.sequence < facts.graph.forks[event.author] ?? .max else { return .forkedFeed }
    switch event.action {
    case .create, .chat: return nil
    case .invite: return event.author == host ? nil : .notEntitled
    case .request, .leave, .hosted(.joinProof), .hosted(.entry), .hosted(.entryProof):
      return event.author == host ? hostsVerdict(on: event) : takeOwn(event, at: position, facts)
    case .grant(let request, let number):
      return hosts(event) ?? grant(request, number, at: position, facts)
    case .hosted(.joinRefusal(let peer, let sequence, let reason)):
      return hosts(event) ?? refuse(peer, through: sequence, reason)
    case .hosted(.open(let opening)): return hosts(event) ?? open(opening, event, facts)
    case .hosted(.receipts(let opening, let receipts)):
      return hosts(event) ?? take(receipts, of: opening, event, at: position, facts)
    case .hosted(.marks(let opening, let marks)): return hosts(event) ?? mark(marks, of: opening)
    case .hosted(.close(let opening, let milliseconds)): return hosts(event) ?? close(opening, milliseconds)
    case .hosted(.settle(let settlement)): return hosts(event) ?? settle(settlement)
    case .hosted(.carry(let head, let scores)): return hosts(event) ?? carry(head, scores)
    case .unreadable: return .unreadable
    default: return .wrongRoom
    }
  }

  /// Why nobody but the host may write this, or why the host may write nothing any more.
  private func hosts(_ event: Event) -> Verdict? {
    if event.author != host { return .notEntitled }
    return known.hasEnded ? .over : nil
  }

  /// The host ends the room by leaving it; it has no seat, and enters nothing.
  private mutating func hostsVerdict(on event: Event) -> Verdict? {
    guard event.kind == .leave else { return .notEntitled }
    if known.hasEnded { return .over }
    known.hasEnded = true
    return nil
  }

  // MARK: - Players

  /// What somebody writes about itself.
  private mutating func takeOwn(_ event: Event, at position: Int, _ facts: Facts) -> Verdict? {
    let author = event.author
    switch event.action {
    case .request(_, let profile):
      away.remove(author)
      asked.insert(author)
      guard create.bots.admits(profile) else { return .notAdmitted }
      requests[author] = HostedState.Request(
        id: event.id, sequence: event.sequence, peer: author, profile: profile, proof: proofs[author])
      noteRequest(of: author)
    case .leave:
      guard asked.contains(author) else { return .notEntitled }
      requests[author] = nil
      noteRequest(of: author)
      away.insert(author)
    case .hosted(.joinProof(let box)): proofs[author] = box
    case .hosted(.entry(let opening, _)):
      away.remove(author)
      return enter(opening, event, at: position, facts)
    case .hosted(.entryProof(let entry, let opened)):
      return show(opened, of: entry, event, at: position, facts)
    default: break
    }
    return nil
  }

  /// Takes note of how an author says that its entry opens.
  private mutating func show(
    _ said: HostedAction.OpenedEntry, of entry: EventID, _ event: Event, at position: Int, _ facts: Facts
  ) -> Verdict? {
    guard let own = facts.graph.position(of: entry), facts.graph.isInPast(own, of: position),
      facts.author(own) == event.author,
      case .hosted(.entry(let opening, let written)) = facts.event(own).action
    else { return .notEntitled }
    guard shown.insert(entry).inserted else { return .superseded }
    // What is acknowledged the host may say later: whether an entry was meant for a round its past tells.
    guard let opened = facts.graph.position(of: opening), facts.graph.isInPast(opened, of: own),
      entered[opening] != nil
    else { return .wrongRound }
    guard
      SealedEntry.isWhole(
        said, written, room: room, opening: opening, author: event.author, host: host)
    else { return .doesNotOpen }
    proven.insert(entry)
    return nil
  }

  /// Notes an entry that waits to be acknowledged; what names a round that its author has not seen never is.
  private mutating func enter(
    _ opening: EventID, _ event: Event, at position: Int, _ facts: Facts
  ) -> Verdict {
    guard let opened = facts.graph.position(of: opening), facts.graph.isInPast(opened, of: position),
      entered[opening] != nil
    else { return .wrongRound }
    let count = entered[opening]?[event.author] ?? 0
    guard count < limitEntries else { return .overLimit }
    entered[opening]?[event.author] = count + 1
    waiting[opening, default: []].insert(position)
    return .unanswered
  }

  /// How many entries of a player count in a round.
  private var limitEntries: UInt16 {
    if case .hosted(let entries, _, _) = create.purpose { entries } else { 0 }
  }

  private mutating func grant(
    _ id: EventID, _ number: UInt16, at position: Int, _ facts: Facts
  ) -> Verdict? {
    guard let asked = facts.graph.position(of: id), facts.graph.isInPast(asked, of: position),
      case .request(_, let profile) = facts.event(asked).action
    else { return .lobbyWithoutEffect }
    let peer = facts.author(asked)
    guard create.bots.admits(profile) else { return .notAdmitted }
    guard create.scope != .invited || facts.invitations.hold(peer, before: position, facts.graph) else {
      return .notInvited
    }
    guard Int(number) == known.players.count, number < create.seats, peer != host, numbers[peer] == nil
    else { return .lobbyWithoutEffect }
    numbers[peer] = number
    known.refusals[peer] = nil
    noteRequest(of: peer)
    known.players.append(
      HostedState.Player(
        peer: peer, number: number, profile: profile, grant: facts.id(position),
        named: known.rules?.tellsOne == true ? facts.key(namedBefore: asked) : nil,
        score: known.carried?.scores[peer].map { Int($0) } ?? 0))
    return nil
  }

  private mutating func refuse(
    _ peer: PeerID, through sequence: UInt64, _ reason: HostedAction.Refusal
  ) -> Verdict? {
    guard numbers[peer] == nil, sequence > refusedThrough[peer] ?? 0 else { return .superseded }
    refusedThrough[peer] = sequence
    noteRequest(of: peer)
    known.refusals[peer] = reason
    return nil
  }

  /// Takes over the scores of the room that goes on here, before anything was asked.
  private mutating func carry(_ head: EventID, _ scores: [HostedAction.CarriedScore]) -> Verdict? {
    guard create.rematchOf.isSome, known.rounds.isEmpty, known.players.isEmpty else {
      return .lobbyWithoutEffect
    }
    var carried = known.carried ?? (head, [:])
    guard carried.head == head else { return .superseded }
    for score in scores where carried.scores[score.peer] == nil { carried.scores[score.peer] = score.score }
    known.carried = carried
    return nil
  }

  // MARK: - Rounds

  private mutating func open(_ opening: HostedAction.Opening, _ event: Event, _ facts: Facts) -> Verdict? {
    guard let rules = known.rules else { return .wrongRoom }
    let settled = known.settledRounds
    guard Int(opening.round) == settled, settled < create.games else { return .wrongRound }
    guard rules.question(opening.content) != nil, rules.isSealed == opening.commitment.isSome else {
      return .illegal
    }
    if rules.tellsOne {
      guard let told = rules.told(opening.content), isInTurn(told.player, for: event, facts) else {
        return .illegal
      }
    }
    if let last = known.rounds.indices.last, known.rounds[last].phase != .settled {
      known.rounds[last].phase = .void
    }
    entered[event.id] = [:]
    (acknowledged, counts) = ([], [:])
    known.rounds.append(
      HostedState.Round(
        number: settled, opening: event.id, content: opening.content,
        limitMilliseconds: opening.limitMilliseconds, commitment: opening.commitment,
        openedWallTime: event.wallTime))
    return nil
  }

  /// Whether a player is told the solution in its turn: those before it had left, as far as the host had seen.
  private func isInTurn(_ player: UInt16, for event: Event, _ facts: Facts) -> Bool {
    guard let position = facts.graph.position(of: event.id) else { return false }
    return known.playersInTurn.prefix { $0 != player }.allSatisfy { number in
      facts.hasLeft(known.players[Int(number)].peer, before: position)
    } && Int(player) < known.players.count
  }

  /// Takes what the host says of sealed entries of the round that is on.
  private mutating func mark(_ marks: [HostedAction.Mark], of opening: EventID) -> Verdict? {
    guard let rules = known.rules, rules.isMarked, let round = current(opening, .open, .closed),
      known.rounds[round].solution == nil
    else { return .wrongRound }
    let players = known.players.map(\.peer)
    return known.rounds[round].take(marks, rules, room: room, players: players) ? nil : .superseded
  }

  /// The round that an event names, if it is the one that is on.
  private func current(_ opening: EventID, _ phases: HostedState.Phase...) -> Int? {
    guard let last = known.rounds.indices.last, known.rounds[last].opening == opening,
      phases.contains(known.rounds[last].phase)
    else { return nil }
    return last
  }

  private mutating func take(
    _ receipts: [HostedAction.Receipt], of opening: EventID, _ event: Event, at position: Int, _ facts: Facts
  ) -> Verdict? {
    guard let round = current(opening, .open, .closed), known.rounds[round].solution == nil else {
      return .wrongRound
    }
    var hasEffect = false
    for receipt in receipts where Int(receipt.parent) < event.parentCount {
      let id = event.parent(Int(receipt.parent))
      guard receipt.milliseconds >= known.rounds[round].entries.last?.milliseconds ?? 0,
        let entry = facts.graph.position(of: id),
        let player = player(of: entry, in: round, facts),
        case .hosted(.entry(_, let written)) = facts.event(entry).action
      else { continue }
      known.rounds[round].entries.append(
        HostedState.Entry(
          event: id, player: player, milliseconds: receipt.milliseconds, choice: clear(written),
          written: written))
      if case .sealed = written { known.rounds[round].sealed.append(known.rounds[round].entries.count - 1) }
      rejected[entry] = nil
      waiting[opening]?.remove(entry)
      acknowledged.insert(entry)
      counts[player, default: 0] += 1
      hasEffect = true
    }
    return hasEffect ? nil : .superseded
  }

  private func clear(_ entry: HostedAction.Entry) -> [UInt8]? {
    if case .clear(let choice) = entry { choice } else { nil }
  }

  /// Whose entry it is, by number; `nil` where it may not be acknowledged in this round.
  private func player(of entry: Int, in round: Int, _ facts: Facts) -> UInt16? {
    let event = facts.event(entry)
    guard case .hosted(.entry(known.rounds[round].opening, let written)) = event.action,
      let number = numbers[event.author],
      let opened = facts.graph.position(of: known.rounds[round].opening),
      facts.graph.isInPast(opened, of: entry),
      let rules = known.rules
    else { return nil }
    let content = known.rounds[round].content
    guard counts[number, default: 0] < min(limitEntries, rules.limitEntries(of: number, in: content)),
      !acknowledged.contains(entry)
    else { return nil }
    let form = rules.form(of: number, in: content)
    switch written {
    case .sealed: return form == .sealed ? number : nil
    case .clear(let choice):
      return form == .clear && rules.isEntry(choice, .clear, in: content) ? number : nil
    }
  }

  private mutating func close(_ opening: EventID, _ milliseconds: UInt32) -> Verdict? {
    guard let round = current(opening, .open) else { return .wrongRound }
    known.rounds[round].phase = .closed
    known.rounds[round].closedMilliseconds = milliseconds
    return nil
  }

  private mutating func settle(_ settlement: HostedAction.Settlement) -> Verdict? {
    guard let rules = known.rules, let at = current(settlement.opening, .closed) else { return .wrongRound }
    var round = known.rounds[at]
    defer { known.rounds[at] = round }
    guard Int(settlement.first) == round.opened else { return .superseded }
    if rules.isSealed {
      guard settlement.entries.count <= round.sealed.count - round.opened else { return .illegal }
      guard isBound(settlement, to: &round, rules) else { return .doesNotOpen }
      for entry in settlement.entries { open(entry, in: &round, rules) }
    } else {
      guard settlement.opensNothing else { return .illegal }
    }
    guard !rules.isSealed || round.opened == round.sealed.count else { return nil }
    finish(&round, rules)
    return nil
  }

  /// Whether a settlement opens the solution that the host is bound to; where it does not, the round is void.
  private func isBound(
    _ settlement: HostedAction.Settlement, to round: inout HostedState.Round, _ rules: any HostedRules
  ) -> Bool {
    if let solution = round.solution {
      return solution == settlement.solution && round.salt == settlement.salt
    }
    let bound = Commitments.solution(
      settlement.solution, salt: settlement.salt, room: room, round: UInt16(truncatingIfNeeded: round.number),
      content: round.content, author: host)
    guard bound == round.commitment, rules.isSolution(settlement.solution, of: round.content) else {
      round.phase = .void
      round.hasWrongSolution = true
      return false
    }
    guard round.hasTold(settlement, rules, room: room, players: known.players) else {
      round.phase = .void
      round.hasToldAnother = true
      return false
    }
    round.solution = settlement.solution
    round.salt = settlement.salt
    return true
  }

  /// Takes the next sealed entry as the host opened it.
  private func open(
    _ opened: HostedAction.OpenedEntry?, in round: inout HostedState.Round, _ rules: any HostedRules
  ) {
    let at = round.sealed[round.opened]
    let entry = round.entries[at]
    round.opened += 1
    guard let opened else {
      round.entries[at].choice = nil
      round.entries[at].isUnreadable = true
      round.hasUnreadable = true
      return
    }
    let author = known.players[Int(entry.player)].peer
    guard SealedEntry.fits(opened, entry.written, room: room, opening: round.opening, author: author) else {
      round.entries[at].fault = .wrongEntry(entry.event)
      return
    }
    guard rules.isEntry(opened.choice, in: round.content) else { return }
    round.entries[at].choice = opened.choice
    guard let solution = round.solution, let mark = round.entries[at].isMarkedRight else { return }
    if mark != (opened.choice == solution) { round.entries[at].fault = .wrongMark(entry.event) }
  }

  private mutating func finish(_ round: inout HostedState.Round, _ rules: any HostedRules) {
    let points = rules.points(round.played)
    for (index, points) in zip(round.entries.indices, points) {
      round.entries[index].points = points
      known.players[Int(round.entries[index].player)].score += Int(points)
    }
    round.phase = .settled
  }

  // MARK: - Phase

  /// Where the room stands.
  func phase(_ facts: Facts) -> RoomState.Phase {
    if known.rules == nil { return .unknownRules }
    let settled = known.settledRounds
    if settled == create.games { return .finished }
    if facts.graph.forks[host] != nil { return .closed(host) }
    if known.hasEnded { return settled > 0 ? .finished : .closed(host) }
    return known.rounds.isEmpty ? .waiting : .playing
  }
}
