import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Service
import Simulation
import Tournaments

// Tournaments in a network that is split again and again: what befalls whom, and what the organizer does about it.

extension ServiceRun {
  private static let limitRulings = 4

  // MARK: - What goes wrong

  func strikeTournament() async {
    let machines = Task { await strikeMachines() }
    await strikeNetwork()
    await machines.value
  }

  /// Splits the network in groups, sometimes in others before it was whole again, and breaks connections.
  private func strikeNetwork() async {
    var random = plan.random(1)
    while isFaulty {
      await sleep(random.time(50...1_500))
      let (flaps, count, isLong) = (random.oneIn(3), random.draw(2...3), random.oneIn(6))
      let groups = Dictionary(uniqueKeysWithValues: hosts.indices.map { ($0, random.below(count)) })
      let duration = isLong ? random.time(10_000...25_000) : random.time(100...6_000)
      let heals = !random.oneIn(3)
      guard isFaulty else { break }
      if isWhole { continue }
      if flaps, plan.faults.contains(.flapping), let number = random.pick(machines) {
        network.split([number: 1])
        network.split([:])
      }
      guard plan.faults.contains(.partitions) else { continue }
      record.tell("groups \(hosts.indices.map { groups[$0] ?? 0 })")
      record.statistics.partitions += 1
      network.split(groups)
      await sleep(min(duration, plan.safetyMilliseconds - min(machine.now, plan.safetyMilliseconds)))
      if heals { network.split([:]) }
    }
    network.split([:])
  }

  private func strikeMachines() async {
    var random = plan.random(2)
    var lossAt = random.time(0...plan.safetyMilliseconds)
    while isFaulty {
      await sleep(random.time(50...4_000))
      let (number, isFull, duration) = (random.below(hosts.count), random.oneIn(3), random.time(1...5_000))
      guard isFaulty else { return }
      if isWhole { continue }
      if plan.faults.contains(.lostMachines), hasStarted, machine.now >= lossAt,
        (1..<plan.peers).contains(number)
      {
        lossAt = .max
        lose(number)
      } else if isFull, plan.faults.contains(.fullDisks), let store = hosts[number].life?.store {
        record.tell("the disk of peer \(number) is full")
        unsafe store.isFull = true
        await sleep(duration)
        unsafe store.isFull = false
      } else if !isFull, plan.faults.contains(.crashes), hosts[number].life != nil {
        crash(number)
        await sleep(duration)
        do { try await start(number) } catch {
          record.violate(.ability, peer: number, "it does not start: \(error)")
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
    if plan.hasLateEntrant, let service = hosts[last].life?.service {
      playBot(last, service, in: tournament.description)
    }
    var random = plan.random(3)
    let isLeaving = plan.faults.contains(.organizerMoves) || plan.faults.contains(.organizerGone)
    var partingAt = isLeaving ? machine.now + random.time(0...plan.safetyMilliseconds / 2) : .max
    let end = max(machine.now, plan.safetyMilliseconds) + Self.patienceMilliseconds
    var lookAt: UInt64 = 0
    while try hosts[organizer].stored(tournament).read()?.state.isComplete != true {
      guard machine.now < end else {
        for number in honestMachines { try checks.tellReady(number) }
        throw ServiceRunError.never("see the tournament to its end")
      }
      await sleep(random.time(200...1_500))
      if machine.now >= partingAt, try hasSpread() {
        partingAt = .max
        record.statistics.departures += 1
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
    guard plan.hasLateEntrant, let service = hosts[organizer].life?.service else { return }
    do throws(ServiceError) {
      guard let state = try await service.state(of: tournament), state.lateSeats > 0,
        let asking = state.openRequests.first
      else { return }
      _ = try await service.perform(.admit(tournament, asking.peer))
      record.statistics.lateEntrants += 1
      record.tell("let in: \(asking.profile.name)")
    } catch {
      if isAlive(service, organizer), !error.passes {
        record.violate(.ability, peer: organizer, "it cannot let anybody in: \(error)")
      }
    }
  }

  /// Whether an entrant knows that it has started.
  func hasSpread() throws -> Bool {
    try machines.contains { number in
      try number != organizer && hosts[number].stored(tournament).hasStarted()
    }
  }

  /// The organizer goes on from another machine with its key, and learns there from the others how far it was. It can
  /// learn that only from those whom it can reach: so it waits until all are there.
  private func goOnElsewhere() async throws {
    isWhole = true
    network.split([:])
    while machines.contains(where: { hosts[$0].life == nil }) { await sleep(100) }
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
      for number in run.machines where await service.surroundings.isEqual(with: run.hosts[number].peer) {
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
      guard let found = try hosts[organizer].disk.tournament(byWords: tournament, Games.catalog) else {
        return
      }
      read = found
    } catch { return }
    let ready = read.state.ready
    let machines = Dictionary(
      uniqueKeysWithValues: read.entrants.enumerated().map { ($1.peer, EntrantIndex(UInt16($0))) })
    let lost = Set((1..<plan.peers).filter { !hosts[$0].isPresent }.compactMap { machines[hosts[$0].peer] })
    if !isFaulty, let attempt = ready.first(where: { !lost.isDisjoint(with: $0.entrants) }) {
      let absent = lost.intersection(attempt.entrants)
      return await callAbsent(absent, attempt)
    }
    guard isFaulty, isDue, plan.faults.contains(.rulings), record.statistics.rulings < Self.limitRulings
    else {
      return
    }
    let number = 1 + choice % (plan.peers - 1)
    guard let entrant = machines[hosts[number].peer] else { return }
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
          hosts.indices.contains { machines[hosts[$0].peer] == entrant && !network.reaches($0, organizer) }
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
    guard let service = hosts[number].life?.service else { return }
    commands += 1
    let command = commands
    let machine = machine
    let household = Household(
      owner: hosts[number].key, log: hosts[number].disk, committer: SimulatedCommand(service, command),
      games: Games.catalog, bots: BotCatalog([]), now: { machine.now + 1_700_000_000_000 },
      elapsed: { machine.now })
    let organizer = Organizer(household)
    do throws(PeerError) {
      _ = try await organizer.open(tournament)
      _ = try await body(self, organizer)
      record.statistics.rulings += 1
      record.tell("done: \(words)")
    } catch { record.tell("not done: \(words): \(error)") }
    await service.release(command)
  }
}
