import EventLog
package import Events
import Gossip
import Projection
import Rules

/// What the host of rounds does by itself: takes players in, acknowledges entries, closes and settles rounds. A value
/// that is told the time.
///
/// The solution of the round that is on is nowhere else than here. When the process ends, so does the round: the host
/// asks anew.
package struct Hosting: Sendable {
  /// The round that this process has opened.
  fileprivate struct Asked {
    let opening: EventID
    /// When it was opened, by the clock that all calls are told.
    let opened: UInt64
    let solution: [UInt8]
    /// Whether it is to be closed before its time.
    var closes = false
    /// How much of the room's log was looked through for entries.
    var seen: Int
    /// Entries that have come, and when; those that are acknowledged are taken out.
    var arrived: [(entry: EventID, milliseconds: UInt32)] = []
  }

  /// The most requests that are looked at in one go.
  private static let limitRequests = 64
  /// How often a room is looked at in one go; each look does all that it can, and no room needs so many.
  fileprivate static let limitLooks = 16
  /// How long entries are gathered before they are acknowledged, if they fit into one event; their times are those at
  /// which they came.
  package static let gatherMilliseconds: UInt32 = 40
  /// The most bytes of opened entries in one event.
  fileprivate static let limitSettleBytes = 7_000

  /// By room: the last round, behind the one before it, whose end the store may not take.
  private var asked: [RoomID: [Asked]] = [:]
  /// When each room is to be looked at again.
  private var due: [RoomID: UInt64] = [:]
  private var doors: [RoomID: Door] = [:]

  init() {}

  /// Notes that a round was opened, and what solves it.
  /// - Parameter before: the opening of the round before it.
  mutating func note(
    _ opening: EventID, after before: EventID?, in room: RoomID, solution: [UInt8], events: Int,
    at now: UInt64
  ) {
    let kept = asked[room, default: []].filter { $0.opening == before }
    asked[room] = kept + [Asked(opening: opening, opened: now, solution: solution, seen: events)]
    due[room] = now
  }

  /// Milliseconds since the round that is on was opened here; `nil` where none was.
  package func elapsed(in room: RoomID, _ opening: EventID, at now: UInt64) -> UInt64? {
    asked[room]?.first { $0.opening == opening }.map { now - min(now, $0.opened) }
  }

  /// What this process wrote in a room may have been taken back: its rounds are looked through from the beginning.
  mutating func lookAgain(at room: RoomID) {
    doors[room] = nil
    guard let rounds = asked[room] else { return }
    asked[room] = rounds.map {
      Asked(opening: $0.opening, opened: $0.opened, solution: $0.solution, closes: $0.closes, seen: 0)
    }
    due[room] = 0
  }

  /// When a room is to be looked at although nothing changed; `nil` while none is.
  package var nextDue: UInt64? { due.values.min() }

  /// The rooms to be looked at now, ascending; each is told once, until it was looked at.
  package mutating func takeRooms(dueAt now: UInt64) -> [RoomID] {
    let rooms = due.filter { $0.value <= now }.keys.sorted()
    for room in rooms { due[room] = nil }
    return rooms
  }

  // MARK: - Duties

  /// Does what the host owes in a room now.
  /// - Parameters:
  ///   - admits: whether the host is there and sees who comes; else those who ask wait.
  ///   - sources: where those who ask come from, so far as that is known.
  ///   - closes: whether the round that is on is closed before its time.
  /// - Returns: whether anything was written.
  fileprivate mutating func look(
    at room: RoomID, _ core: inout PeerCore, admits: Bool, sources: [PeerID: String], closes: Bool,
    at now: UInt64
  ) throws(PeerError) -> Bool {
    guard let state = core.state(of: room), state.creator == core.id, let hosted = state.hosted else {
      return false
    }
    switch state.phase {
    case .waiting, .playing: break
    default:
      due[room] = nil
      // Of an end that the store does not take all is done again.
      if core.isDurable(room) { (asked[room], doors[room]) = (nil, nil) }
      return false
    }
    // When to look again is said by what follows.
    due[room] = nil
    let hasAnswered = admits ? try answer(hosted, state, &core, sources, at: now) : false
    let hasKept = try keepTime(state, &core, closes: closes, at: now)
    return hasAnswered || hasKept
  }

  /// Takes in those who ask, or says why not; each request is looked at once, and few at a time.
  private mutating func answer(
    _ hosted: HostedState, _ state: RoomState, _ core: inout PeerCore, _ sources: [PeerID: String],
    at now: UInt64
  ) throws(PeerError) -> Bool {
    var door = doors[state.room] ?? Door(of: state.room, core)
    defer { doors[state.room] = door }
    var (number, looked, hasWritten) = (hosted.players.count, 0, false)
    for request in hosted.requests where door.passedOver[request.peer] ?? 0 < request.sequence {
      guard looked < Self.limitRequests else {
        due[state.room] = now
        break
      }
      looked += 1
      let answer = door.answer(to: request, state, core, players: number, from: sources[request.peer])
      guard let action = answer else { continue }
      let citing = if case .grant = action { [request.id] } else { [EventID]() }
      _ = try core.write(action, in: state.room, citing: citing)
      if !citing.isEmpty { number += 1 }
      hasWritten = true
    }
    return hasWritten
  }

  /// Acknowledges, closes and settles, as the time says.
  private mutating func keepTime(
    _ state: RoomState, _ core: inout PeerCore, closes: Bool, at now: UInt64
  ) throws(PeerError) -> Bool {
    let room = state.room
    guard let round = state.hosted?.round, round.phase == .open || round.phase == .closed,
      let place = asked[room]?.firstIndex(where: { $0.opening == round.opening }),
      var mine = asked[room]?[place], let rules = state.hosted?.rules
    else { return false }
    let time = UInt32(clamping: now - min(now, mine.opened))
    mine.closes = mine.closes || closes
    mine.note(round, core, in: room, at: time, grace: rules.graceMilliseconds)
    let end =
      mine.opened + mine.end(of: round, state, rules, at: time)
    var hasWritten = false
    // What is written changes the state: the rest is done when that is looked at.
    if !mine.isGathering(at: time) || end <= now {
      hasWritten = try mine.acknowledge(round, &core, in: room)
    }
    if !hasWritten { hasWritten = try mine.mark(round, state, &core) }
    asked[room]?[place] = mine
    guard !hasWritten, end <= now else {
      due[room] = hasWritten ? now : min(due[room] ?? .max, end, mine.gathered)
      return hasWritten
    }
    if round.phase == .open {
      _ = try core.write(.hosted(.close(opening: round.opening, milliseconds: time)), in: room)
      due[room] = now
    } else {
      try mine.settle(round, state, &core)
    }
    return true
  }
}

/// Who has asked to be taken in, and was not.
private struct Door {
  /// The most wrong join codes that are answered, of a peer, of one address and of all together, and the most peers who
  /// are told that the room is full; further ones are passed over.
  private static let limits = (ofPeer: 5, ofSource: 128, wrong: 256, full: 256)

  private var wrong: [PeerID: Int] = [:]
  /// The same by address since the start of this process: new keys cost nothing.
  private var wrongOfSource: [String: Int] = [:]
  private var told = (wrong: 0, full: 0)
  /// Up to which place in its feed a peer is not looked at again.
  private(set) var passedOver: [PeerID: UInt64] = [:]

  /// The door of a room as the host's feed has it, so that nobody has more attempts because the host started again.
  init(of room: RoomID, _ core: PeerCore) {
    let host = core.id
    core.withLog(of: room) { log in
      for position in log.feed(host)?.positions ?? [] {
        guard case .hosted(.joinRefusal(let peer, _, let reason)) = log.graph.events[position].action else {
          continue
        }
        switch reason {
        case .wrongCode:
          wrong[peer, default: 0] += 1
          told.wrong += 1
        case .full: told.full += 1
        }
      }
    }
  }

  /// What is written of a request; `nil` for nothing.
  mutating func answer(
    to request: HostedState.Request, _ state: RoomState, _ core: PeerCore, players: Int, from source: String?
  ) -> Action? {
    passedOver[request.peer] = request.sequence
    guard !core.gossip.blocked.contains(request.peer) else { return nil }
    guard wrong[request.peer, default: 0] < Self.limits.ofPeer else { return nil }
    if let source, wrongOfSource[source, default: 0] >= Self.limits.ofSource { return nil }
    guard players < Int(state.create.seats) else {
      guard told.full < Self.limits.full else { return nil }
      told.full += 1
      return .hosted(.joinRefusal(request.peer, through: request.sequence, .full))
    }
    guard !knowsCode(request, state, core) else {
      return .grant(request: request.id, seat: UInt16(truncatingIfNeeded: players))
    }
    wrong[request.peer, default: 0] += 1
    if let source { wrongOfSource[source, default: 0] += 1 }
    guard told.wrong < Self.limits.wrong else { return nil }
    told.wrong += 1
    return .hosted(.joinRefusal(request.peer, through: request.sequence, .wrongCode))
  }

  private func knowsCode(_ request: HostedState.Request, _ state: RoomState, _ core: PeerCore) -> Bool {
    guard case .hosted(_, true, _) = state.create.purpose else { return true }
    guard let key = core.keys.ownerKey, let proof = request.proof.flatMap({ key.open($0) }) else {
      return false
    }
    return proof == JoinCode.proof(JoinCode.code(of: state.room, key), room: state.room, author: request.peer)
  }
}

extension Hosting.Asked {
  /// When what has come first was gathered for long enough; never where nothing has come.
  fileprivate var gathered: UInt64 {
    guard let first = arrived.first else { return .max }
    return opened + UInt64(first.milliseconds) + UInt64(Hosting.gatherMilliseconds)
  }

  /// After how many milliseconds a round that is open is closed, or one that is closed is settled.
  fileprivate func end(
    of round: HostedState.Round, _ state: RoomState, _ rules: any HostedRules, at time: UInt32
  ) -> UInt64 {
    if state.hasEverybodyEntered(round) || rules.isDecided(round.played) { return UInt64(time) }
    guard let closed = round.closedMilliseconds else {
      return closes ? UInt64(time) : UInt64(round.limitMilliseconds)
    }
    return UInt64(closed) + UInt64(rules.graceMilliseconds) + 1
  }

  /// Whether there is something to acknowledge that may wait for more.
  fileprivate func isGathering(at time: UInt32) -> Bool {
    arrived.count < HostedAction.limitReceipts && opened + UInt64(time) < gathered
  }

  /// Takes note of the entries that have come since it looked last.
  fileprivate mutating func note(
    _ round: HostedState.Round, _ core: PeerCore, in room: RoomID, at time: UInt32, grace: UInt32
  ) {
    let end = round.closedMilliseconds.map { UInt64($0) + UInt64(grace) } ?? .max
    let (opening, from) = (opening, seen)
    let news = core.withLog(of: room) { log in
      let events = log.graph.events
      let entries = events.indices.dropFirst(from).filter { position in
        if case .hosted(.entry(opening, _)) = events[position].action { true } else { false }
      }
      return (entries.map { events[$0].id }, events.count)
    }
    guard let (entries, count) = news else { return }
    seen = count
    guard UInt64(time) <= end else { return }
    arrived += entries.map { ($0, time) }
  }

  /// Acknowledges what has come, as far as it waits for that.
  fileprivate mutating func acknowledge(
    _ round: HostedState.Round, _ core: inout PeerCore, in room: RoomID
  ) throws(PeerError) -> Bool {
    guard !arrived.isEmpty else { return false }
    // Who may enter, and how often, is the projection's to say.
    let open = core.reading(room) { Set($0.openEntries) } ?? []
    let taken = arrived.filter { open.contains($0.entry) }
    arrived = []
    var rest = taken[...]
    while !rest.isEmpty {
      let batch = rest.prefix(HostedAction.limitReceipts)
      let parents = batch.map(\.entry).sorted()
      let receipts = batch.map { entry, milliseconds in
        HostedAction.Receipt(
          parent: UInt8(truncatingIfNeeded: parents.firstIndex(of: entry) ?? 0), milliseconds: milliseconds)
      }
      _ = try core.write(
        .hosted(.receipts(opening: round.opening, receipts)), in: room, citing: parents)
      rest = rest.dropFirst(HostedAction.limitReceipts)
    }
    return !taken.isEmpty
  }

  /// Says of sealed entries whether they are right, where the rules want that; an entry that cannot be read waits for
  /// the end.
  fileprivate func mark(
    _ round: HostedState.Round, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) -> Bool {
    guard let rules = state.hosted?.rules, rules.isMarked else { return false }
    var marks: [HostedAction.Mark] = []
    for at in round.sealed where round.entries[at].isMarkedRight == nil {
      guard marks.count < HostedAction.limitMarks, let opened = open(round.entries[at], state, core) else {
        continue
      }
      marks.append(
        .init(
          entry: UInt16(truncatingIfNeeded: at), wrong: opened.choice == solution ? nil : opened)
      )
    }
    guard !marks.isEmpty else { return false }
    _ = try core.write(.hosted(.marks(opening: round.opening, marks)), in: state.room)
    return true
  }

  /// Opens the solution and all entries, in as many events as they take.
  fileprivate func settle(
    _ round: HostedState.Round, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    guard let rules = state.hosted?.rules,
      let sequence = core.withLog(of: state.room, { $0.sequence(of: round.opening) }) ?? nil
    else { return }
    let salt =
      rules.isSealed
      ? core.secrets(of: 0, in: state.room).solution(
        round: UInt16(truncatingIfNeeded: round.number), sequence: sequence) : .none
    let opened = rules.isSealed ? round.sealed.map { open(round.entries[$0], state, core) } : []
    // Where a part was written before, the rest follows.
    var first = round.opened
    repeat {
      var (count, bytes) = (0, 0)
      while first + count < opened.count, count < HostedAction.limitList, bytes < Hosting.limitSettleBytes {
        bytes += 33 + (opened[first + count]?.choice.count ?? 0)
        count += 1
      }
      let settlement = HostedAction.Settlement(
        opening: round.opening, solution: solution, salt: salt, first: UInt16(truncatingIfNeeded: first),
        entries: Array(opened[first..<first + count]))
      _ = try core.write(.hosted(.settle(settlement)), in: state.room)
      first += count
    } while first < opened.count
  }

  private func open(
    _ entry: HostedState.Entry, _ state: RoomState, _ core: PeerCore
  ) -> HostedAction.OpenedEntry? {
    guard let player = state.hosted?.players[Int(entry.player)] else { return nil }
    return SealedEntry.open(
      entry.written, room: state.room, opening: opening, author: player.peer, host: core.keys.signers[0])
  }
}

extension RoomState {
  /// Whether no player who is there can enter anything more.
  fileprivate func hasEverybodyEntered(_ round: HostedState.Round) -> Bool {
    guard case .hosted(let limit, _, _) = create.purpose, let hosted, let rules = hosted.rules else {
      return false
    }
    var counts: [UInt16: Int] = [:]
    for entry in round.entries {
      counts[entry.player, default: 0] += 1
      // Who is right has nothing more to say.
      if entry.isMarkedRight == true { counts[entry.player] = Int(UInt16.max) }
    }
    // Of a forked feed nothing is acknowledged, so nobody waits for it; and who knows the solution is not asked.
    let told = rules.told(round.content)?.player
    let asked = hosted.players.filter { !$0.hasLeft && !forked.contains($0.peer) && $0.number != told }
    return !asked.isEmpty
      && asked.allSatisfy { player in
        let most = min(limit, rules.limitEntries(of: player.number, in: round.content))
        return counts[player.number, default: 0] >= Int(most)
      }
  }
}

extension PeerCore {
  /// Does all that the host of a room's rounds owes now.
  /// - Parameters:
  ///   - admits: whether the host is there and sees who comes; else those who ask wait.
  ///   - sources: where those who ask come from, so far as that is known: an address, or the network of a household.
  ///   - closes: whether the round that is on is closed before its time.
  /// - Returns: whether anything was written.
  package mutating func host(
    _ room: RoomID, admits: Bool = true, sources: [PeerID: String] = [:], closes: Bool = false, at now: UInt64
  ) throws(PeerError) -> Bool {
    // The value works in this one, so it is taken out meanwhile.
    var (hosting, closes, hasWritten) = (hosting, closes, false)
    self.hosting = Hosting()
    defer { self.hosting = hosting }
    for _ in 0..<Hosting.limitLooks {
      guard try hosting.look(at: room, &self, admits: admits, sources: sources, closes: closes, at: now)
      else { break }
      closes = false
      hasWritten = true
    }
    return hasWritten
  }
}
