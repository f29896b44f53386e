import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Service
import Simulation
import Tournaments

// Tournaments in a network that is split again and again: who befalls what, what the organizer does about it, and
// that nothing that counted is undone but by what may undo it.

extension ServiceRun {
  private static let limitRulings = 4

  private func random(_ number: Int) -> RandomStream { RandomStream(seed: seed, for: .tournaments, number) }

  // MARK: - What goes wrong

  func strikeTournament() async {
    let machines = Task { await strikeMachines() }
    await strikeNetwork()
    await machines.value
  }

  /// Splits the network in groups, sometimes in others before it was whole again, and breaks connections.
  private func strikeNetwork() async {
    var random = random(1)
    while isFaulty {
      await sleep(random.time(50...1_500))
      let (flaps, count, isLong) = (random.oneIn(3), random.draw(2...3), random.oneIn(6))
      let groups = Dictionary(uniqueKeysWithValues: keys.indices.map { ($0, random.below(count)) })
      let duration = isLong ? random.time(10_000...25_000) : random.time(100...6_000)
      let heals = !random.oneIn(3)
      guard isFaulty else { break }
      if isWhole { continue }
      if flaps, plan.faults.contains(.flapping), let number = random.pick(machines) {
        network.split([number: 1])
        network.split([:])
      }
      guard plan.faults.contains(.partitions) else { continue }
      tell("groups \(keys.indices.map { groups[$0] ?? 0 })")
      statistics.partitions += 1
      network.split(groups)
      await sleep(min(duration, plan.safetyMilliseconds - min(machine.now, plan.safetyMilliseconds)))
      if heals { network.split([:]) }
    }
    network.split([:])
  }

  private func strikeMachines() async {
    var random = random(2)
    var lossAt = random.time(0...plan.safetyMilliseconds)
    while isFaulty {
      await sleep(random.time(50...4_000))
      let (number, isFull, duration) = (random.below(keys.count), random.oneIn(3), random.time(1...5_000))
      guard isFaulty else { return }
      if isWhole { continue }
      if plan.faults.contains(.lostMachines), hasStarted, machine.now >= lossAt,
        (1..<plan.peers).contains(number)
      {
        lossAt = .max
        lose(number)
      } else if isFull, plan.faults.contains(.fullDisks), let store = lives[number]?.store {
        tell("the disk of peer \(number) is full")
        unsafe store.isFull = true
        await sleep(duration)
        unsafe store.isFull = false
      } else if !isFull, plan.faults.contains(.crashes), lives[number] != nil {
        crash(number)
        await sleep(duration)
        do { try await start(number) } catch {
          violate(.ability, peer: number, "it does not start: \(error)")
        }
      }
    }
  }

  // MARK: - The organizer

  /// Starts a tournament and sees it to its end, from another machine where this one is gone, or until it is gone.
  func directThroughFaults() async throws {
    try await direct()
    hasStarted = true
    let last = plan.peers - 1
    if plan.hasLateEntrant, let service = lives[last]?.service {
      playBot(last, service, in: tournament.description)
    }
    var random = random(3)
    let isLeaving = plan.faults.contains(.organizerMoves) || plan.faults.contains(.organizerGone)
    var partingAt = isLeaving ? machine.now + random.time(0...plan.safetyMilliseconds / 2) : .max
    let end = max(machine.now, plan.safetyMilliseconds) + Self.patienceMilliseconds
    var lookAt: UInt64 = 0
    while try disks[organizer].tournament(tournament, Games.catalog, nil)?.state.isComplete != true {
      guard machine.now < end else {
        for number in honestMachines { try tellReady(number) }
        throw ServiceRunError.never("see the tournament to its end")
      }
      await sleep(random.time(200...1_500))
      if machine.now >= partingAt, try hasSpread() {
        partingAt = .max
        statistics.departures += 1
        lose(organizer)
        if plan.faults.contains(.organizerGone) { return }
        await sleep(random.time(500...10_000))
        try await goOnElsewhere()
      }
      await letIn()
      await rule(&random)
      if !isFaulty, machine.now > lookAt {
        lookAt = machine.now + Self.lookMilliseconds
        try comeBack()
      }
    }
  }

  /// Whether a peer's bot waits until the tournament has started.
  func isTooEarly(_ number: Int) -> Bool {
    plan.hasLateEntrant && !hasStarted && number == plan.peers - 1
  }

  /// Lets in who asks after the start.
  private func letIn() async {
    guard plan.hasLateEntrant, let service = lives[organizer]?.service else { return }
    do throws(ServiceError) {
      guard let state = try await service.state(of: tournament), state.lateSeats > 0,
        let asking = state.openRequests.first
      else { return }
      _ = try await service.perform(.admit(tournament, asking.peer))
      statistics.lateEntrants += 1
      tell("let in: \(asking.profile.name)")
    } catch {
      if isAlive(service, organizer), !error.passes {
        violate(.ability, peer: organizer, "it cannot let anybody in: \(error)")
      }
    }
  }

  /// Whether an entrant knows that it has started.
  func hasSpread() throws -> Bool {
    try machines.contains { number in
      guard number != organizer, try isTournamentHeld(at: number) else { return false }
      return try disks[number].state(of: tournament, verify: false, Games.catalog).start != nil
    }
  }

  private func isTournamentHeld(at number: Int) throws(LogError) -> Bool {
    try disks[number].rooms(limit: nil).contains { $0.room == tournament }
  }

  /// The organizer goes on from another machine with its key, and learns there from the others how far it was. It can
  /// learn that only from those whom it can reach: so it waits until all are there.
  private func goOnElsewhere() async throws {
    isWhole = true
    network.split([:])
    while machines.contains(where: { lives[$0] == nil }) { await sleep(100) }
    defer { isWhole = false }
    organizer = plan.peers
    try await add(organizer)
    let room = tournament
    var heard: Set<Int> = []
    try await act(organizer, "go on with the tournament") { run, service in
      guard try await service.state(of: room) != nil else {
        _ = try await service.perform(.want(name: room.description))
        return false
      }
      try await service.attend(room)
      for number in run.machines where await service.surroundings.isEqual(with: run.keys[number].peer) {
        heard.insert(number)
      }
      return run.machines.allSatisfy { $0 == run.organizer || heard.contains($0) }
    }
  }

  /// Calls those absent who are gone for good; and while things go wrong anybody, now and then.
  private func rule(_ random: inout RandomStream) async {
    let (isDue, kind, choice) = (random.oneIn(4), random.below(8), random.below(1_000))
    let read: TournamentRoom
    do throws(LogError) {
      guard let found = try disks[organizer].tournament(byWords: tournament, Games.catalog) else { return }
      read = found
    } catch { return }
    let ready = read.state.ready
    let machines = Dictionary(
      uniqueKeysWithValues: read.entrants.enumerated().map { ($1.peer, EntrantIndex(UInt16($0))) })
    let lost = Set((1..<plan.peers).filter { !present.contains($0) }.compactMap { machines[keys[$0].peer] })
    if !isFaulty, let attempt = ready.first(where: { !lost.isDisjoint(with: $0.entrants) }) {
      let absent = lost.intersection(attempt.entrants)
      return await callAbsent(absent, attempt)
    }
    guard isFaulty, isDue, plan.faults.contains(.rulings), statistics.rulings < Self.limitRulings else {
      return
    }
    let number = 1 + choice % (plan.peers - 1)
    guard let entrant = machines[keys[number].peer] else { return }
    let room = tournament
    if kind > 4, choice.isMultiple(of: 2), await takeBack(choice / 2, of: read) { return }
    switch kind {
    case 0:
      await command(number, "withdraw") { (_, organizer) throws(PeerError) in
        try await organizer.withdraw(entrant, from: room)
      }
    case 1:
      await command(organizer, "disqualify peer \(number)") { (_, organizer) throws(PeerError) in
        try await organizer.disqualify(entrant, reason: "for no reason", in: room)
      }
    default:
      // Sooner those who are both out of reach: they may have played, and signed.
      let unreached = ready.filter { attempt in
        attempt.entrants.allSatisfy { entrant in
          keys.indices.contains { machines[keys[$0].peer] == entrant && !network.reaches($0, organizer) }
        }
      }
      let candidates = unreached.isEmpty && kind < 4 ? ready : unreached
      guard !candidates.isEmpty else { return }
      let attempt = candidates[choice % candidates.count]
      await callAbsent([attempt.entrants[kind % 2]], attempt)
    }
  }

  /// Takes a ruling back; the organizer refuses where others have played since.
  /// - Returns: whether there was any.
  private func takeBack(_ choice: Int, of read: TournamentRoom) async -> Bool {
    let room = tournament
    let absences = read.state.known.filter { $0.results.contains { $0.absence != .nobody } }
    if let entrant = read.disqualified.keys.min(), absences.isEmpty || choice.isMultiple(of: 2) {
      await command(organizer, "reinstate \(entrant.index)") { (_, organizer) throws(PeerError) in
        try await organizer.reinstate(entrant, in: room)
      }
      return true
    }
    guard !absences.isEmpty else { return false }
    let number = absences[choice % absences.count].pairing.number
    await command(organizer, "reopen \(number)") { (_, organizer) throws(PeerError) in
      try await organizer.reopen(number, of: room)
    }
    return true
  }

  func callAbsent(_ absent: Set<EntrantIndex>, _ attempt: PairingAttempt) async {
    let room = tournament
    let words = "call \(absent.map(\.index).sorted()) absent in \(attempt.pairing.number)"
    await command(organizer, words) { (_, organizer) throws(PeerError) in
      try await organizer.callAbsent(absent, in: attempt.pairing.number, of: room)
    }
  }

  /// Runs a command on a peer's data folder, beside the peer. What it may not do now it says.
  private func command(
    _ number: Int, _ words: String,
    _ body: (isolated ServiceRun, Organizer) async throws(PeerError) -> TournamentRoom
  ) async {
    guard let service = lives[number]?.service else { return }
    commands += 1
    let command = commands
    let machine = machine
    let household = Household(
      owner: keys[number], log: disks[number], committer: SimulatedCommand(service, command),
      games: Games.catalog, bots: BotCatalog([]), now: { machine.now + 1_700_000_000_000 },
      elapsed: { machine.now })
    let organizer = Organizer(household)
    do throws(PeerError) {
      _ = try await organizer.open(tournament)
      _ = try await body(self, organizer)
      statistics.rulings += 1
      tell("done: \(words)")
    } catch { tell("not done: \(words): \(error)") }
    await service.release(command)
  }

  // MARK: - What must hold

  /// Looks what counts on a disk, where something has come that may change it.
  func watch(_ changes: [RoomChange], at number: Int) {
    let mayChange = changes.contains { change in
      change.entries.contains { entry in
        switch entry.event.kind {
        case .create, .grant, .start, .result, .leave, .pairingResult, .disqualify, .revoke: true
        default: false
        }
      }
    }
    guard mayChange else { return }
    do {
      guard try isTournamentHeld(at: number) else { return }
      let state = try disks[number].state(of: tournament, verify: false, Games.catalog)
      guard let read = try disks[number].tournament(state, Games.catalog, nil) else { return }
      let now = CountedResults(read, state.tournamentWords)
      if let before = counted[number], try !hasForkedCreator(at: number) {
        try compare(before, now, read, at: number)
      }
      counted[number] = now
    } catch { violate(.integrity, peer: number, "the tournament cannot be read: \(error)") }
  }

  private func compare(
    _ before: CountedResults, _ now: CountedResults, _ read: TournamentRoom, at number: Int
  ) throws {
    var earlier: [CountedResults.Change] = []
    for change in before.changes(to: now) {
      earlier.append(change)
      guard mustStand(change, read), !now.excuses(change, since: before) else { continue }
      let pairing = PairingNumber(change.key.pairing)
      let complaint = try before.complaint(about: change, after: earlier.dropLast()) {
        try isIgnorant($0, at: number)
      }
      if let complaint {
        violate(
          .finality, peer: number,
          "\(pairing), attempt \(change.key.attempt + 1): \(complaint): \(change.old.words) became"
            + " \(change.new?.words ?? "nothing")")
      }
      if case .signed = change.old.basis, let new = change.new, new.entrants == change.old.entrants,
        case .word = new.basis,
        !read.findings.contains(where: {
          ($0.kind == .againstSigned || hasDishonestHost && $0.kind == .notProven) && $0.pairing == pairing
        })
      {
        violate(.finality, peer: number, "\(pairing): nobody is told that a signed result was overruled")
      }
      tell("at peer \(number) \(pairing) was \(change.old.words), and is \(change.new?.words ?? "open")")
    }
  }

  /// Whether what counted may not be undone by who has said or signed it: a false word stands as long as nothing signed
  /// is held, and a seat may take its signature back by a fork.
  private func mustStand(_ change: CountedResults.Change, _ read: TournamentRoom) -> Bool {
    if hasDishonestHost, case .word = change.old.basis { return false }
    return !(change.old.entrants + (change.new?.entrants ?? [])).contains {
      isInsiders(read.entrants[$0.index].peer)
    }
  }

  /// Whether a word was made without all that the seats have signed in its past.
  private func isIgnorant(_ word: Action.PairingResult, at number: Int) throws -> Bool {
    guard word.room.isSome, try disks[number].rooms(limit: nil).contains(where: { $0.room == word.room })
    else {
      return true
    }
    let graph = try disks[number].load(word.room, verify: false).graph
    let heads = word.heads.compactMap { graph.position(of: $0.event) }
    return graph.events.indices.contains { position in
      graph.events[position].kind == .result
        && !heads.contains { $0 == position || graph.isInPast(position, of: $0) }
    }
  }

  /// All that came back show the same tournament, to the end or to where it waits for its organizer, which was honest.
  func checkTournament() {
    do {
      let whole = try wholeMachines
      let shown = try whole.map { try disks[$0].tournament(tournament, Games.catalog, nil) }
      guard let first = shown.first.flatMap(\.self) else {
        // A creator that forks its feed before the start closes the room.
        return hasDishonestHost ? () : violate(.ability, "the tournament is not there")
      }
      statistics.overruled = first.findings.count { $0.kind == .againstSigned }
      for found in first.findings where found.kind != .holds && found.kind != .againstSigned {
        if try hasDishonestHost || isUnprovable(found, at: whole[0]) { continue }
        violate(.conviction, "an honest organizer's word: \(found.description)")
      }
      for (number, read) in zip(whole, shown) {
        var differences: [String] = []
        // What is proven counts sooner than what is said, and not everybody has all branches of a forked feed.
        if Set(read?.rooms ?? []) != Set(first.rooms) { differences.append("rooms") }
        if read?.state.schedule != first.state.schedule { differences.append("schedule") }
        if let words = try difference(read?.findings ?? [], at: number, first.findings, at: whole[0]) {
          differences.append(words)
        }
        guard !differences.isEmpty else { continue }
        let words = differences.joined(separator: ", ")
        violate(
          .finality, peer: number, "the tournament is not what it is at peer \(whole[0]): other \(words)")
      }
    } catch { violate(.integrity, "the tournament cannot be read: \(error)") }
  }

  /// What one peer finds of the organizer's words, and another one otherwise; `nil` for nothing.
  private func difference(
    _ findings: [PairingFinding], at number: Int, _ others: [PairingFinding], at other: Int
  ) throws -> String? {
    guard findings.map(\.event) == others.map(\.event) else {
      return "findings: \(findings.map(\.description)) instead of \(others.map(\.description))"
    }
    for (found, otherwise) in zip(findings, others) where found != otherwise {
      if try isUnprovable(found, at: number) || isUnprovable(otherwise, at: other) { continue }
      return "finding: \(found.description) instead of \(otherwise.description)"
    }
    return nil
  }

  /// Whether a word rests on a branch of a forked feed, which not everybody has.
  private func isUnprovable(_ found: PairingFinding, at number: Int) throws -> Bool {
    guard found.kind == .notProven, !insiders.isEmpty, found.room.isSome,
      try disks[number].rooms(limit: nil).contains(where: { $0.room == found.room })
    else { return false }
    let log = try disks[number].load(found.room, verify: false)
    return log.feeds.indices.contains { log.graph.isForked(feed: $0) }
  }
}
