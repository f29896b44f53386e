import EventLog
import Events
import Games
import Peer
import Projection
import Service
import Simulation
import Tournaments

// Somebody dishonest among whole peers: when it does what, with the key that it takes part with.

extension ServiceRun {
  /// How long is waited for what a dishonest one may keep from happening, once faults have ended.
  static let insidersMilliseconds: UInt64 = 60_000
  /// When the organizer calls a dishonest entrant absent who does not play on, and how often it looks.
  private static let absenceMilliseconds: UInt64 = 20_000
  static let lookMilliseconds: UInt64 = 5_000
  /// The most that it writes on a branch.
  private static let limitBranch = 2
  private static let pauseMilliseconds: UInt64 = 2_000

  /// Does ill as long as faults last.
  func beDishonest(_ insider: Insider) async {
    while isFaulty {
      await sleep(insider.random.time(20...700))
      guard isFaulty, let fraud = insider.random.pick(insider.frauds) else { continue }
      do {
        guard let words = try await commit(fraud, insider) else { continue }
        record.statistics.insiderFrauds += 1
        record.tell("peer \(insider.number) is dishonest: \(words)")
      } catch { record.tell("peer \(insider.number) cannot do that: \(error)") }
    }
  }

  private func commit(_ fraud: Fault, _ insider: Insider) async throws -> String? {
    if fraud == .restores { return await goBack(insider) }
    let stored = hosts[insider.number].stored(tournament)
    let isSaying = fraud == .falseWords && !insider.random.oneIn(4)
    guard let room = try isSaying && hasSpread() ? tournament : insider.room(besides: attacker, stored) else {
      return nil
    }
    if fraud == .forks { return try branch(insider, room) }
    // Whoever is about to lie keeps its program from saying what is so.
    let pause = fraud == .falseWords ? insider.random.time(0...Self.pauseMilliseconds) : 0
    return try await write(insider.number, in: room, after: pause) { core throws(PeerError) in
      try insider.misbehave(fraud, in: room, stored, &core)
    }
  }

  // MARK: - Events

  /// Has a peer's own program take what it would not write, as from a command on its data folder.
  /// - Parameter pause: how long the program writes nothing there before, in milliseconds.
  private func write(
    _ number: Int, in room: RoomID, after pause: UInt64, _ body: (inout PeerCore) throws(PeerError) -> String
  ) async throws -> String? {
    guard let service = hosts[number].life?.service else { return nil }
    commands += 1
    let command = commands
    let committer = SimulatedCommand(service, command)
    do {
      try await committer.reserve(room)
      if pause > 0 { await sleep(pause) }
      var core = hosts[number].core { [machine] in machine.now + 1_700_000_000_000 }
      core.open(try hosts[number].disk.load(room, verify: false), isDurable: true)
      let words = try body(&core)
      if let change = try core.prepareCommit(room) { try await committer.commit([change]) }
      await service.release(command)
      return "\(words) in \(room.short)"
    } catch {
      await service.release(command)
      throw error
    }
  }

  /// Tells some peers one thing and others another, each signed as what follows on the same event.
  private func branch(_ insider: Insider, _ room: RoomID) throws -> String? {
    guard let attacker else { return nil }
    let (number, log) = (insider.number, try hosts[insider.number].disk.load(room, verify: false))
    if insider.random.oneIn(3) {
      return try attacker.defraud(
        insider.random.below(plan.peers), among: plan.peers, log, by: &insider.fraudster)
    }
    let sides = (0..<plan.peers).map { _ in insider.random.below(3) }
    // Two who are dishonest together write one after the other, what the second one writes on what the first one has.
    let others = insiders.filter { $0.number != number }
    let writers = [insider] + (!others.isEmpty && insider.random.oneIn(2) ? others : [])
    for side in 0..<2 {
      var entries = log.entries
      for writer in writers {
        var core = hosts[writer.number].core { [machine] in machine.now + 1_700_000_000_000 }
        core.open(RoomLog(room: room, restoring: entries), isDurable: true)
        do throws(PeerError) {
          for _ in 0..<insider.random.draw(1...Self.limitBranch) {
            try writer.speak(in: room, hosts[writer.number].stored(tournament), &core)
          }
        } catch { record.tell("it cannot write that on a branch: \(error)") }
        for message in try core.prepareCommit(room)?.messages ?? [] {
          for (victim, place) in sides.enumerated() where place == side && plan.isHonest(victim) {
            attacker.line(to: victim).send(message)
          }
        }
        entries = core.withLog(of: room) { $0.entries } ?? entries
      }
    }
    return "other words for peers of each side of \(sides) in \(room.short)"
  }

  // MARK: - Disks

  /// Keeps a copy of its disk, or comes back with the one that it has.
  private func goBack(_ insider: Insider) async -> String? {
    let number = insider.number
    guard hosts[number].life != nil else { return nil }
    do {
      // What was begun on that disk alone nobody would begin again.
      if case .tournament = plan.play, try !hasSpread() { return nil }
      guard let copy = insider.copy, insider.random.oneIn(2) else {
        insider.copy = try hosts[number].disk.copy()
        return "it keeps a copy of its disk"
      }
      await replace(number) { self.hosts[number].disk = copy }
      insider.copy = nil
      try await start(number)
    } catch { record.violate(.ability, peer: number, "it does not start: \(error)") }
    return "it has come back with an old copy of its disk"
  }

  // MARK: - Owners

  /// Calls dishonest entrants absent where one is to play, as an organizer does who has waited for long: also one that
  /// is dishonest itself has its tournament end.
  func callInsidersAbsent(since begin: UInt64) async throws {
    let entrants = Set(insiders.filter { $0.number != organizer }.map(\.peer))
    guard !entrants.isEmpty, machine.now > begin + Self.absenceMilliseconds,
      let read = try hosts[organizer].stored(tournament).read()
    else { return }
    for attempt in read.state.ready {
      let absent = attempt.entrants.filter { entrants.contains(read.entrants[$0.index].peer) }
      if !absent.isEmpty { return await callAbsent(Set(absent), attempt) }
    }
  }

  /// Bots that have left, because a false word or a ruling that was taken back had ended the tournament, are begun
  /// again by their owners.
  func comeBack() throws(LogError) {
    for number in honestMachines where (1..<plan.peers).contains(number) && hosts[number].life?.playing == nil
    {
      guard let service = hosts[number].life?.service,
        try hosts[number].stored(tournament).read()?.state.isComplete == false
      else { continue }
      playBot(number, service, in: tournament.description)
    }
  }
}
