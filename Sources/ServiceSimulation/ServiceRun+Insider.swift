import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Service
import Simulation

// Somebody dishonest among whole peers: when it does what, with the key that it takes part with.

extension ServiceRun {
  /// How long is waited for what a dishonest one may keep from happening, once faults have ended.
  static let insidersMilliseconds: UInt64 = 60_000
  /// The rooms in which it does something: the newest ones.
  private static let limitRooms = 12
  /// The most that it writes on a branch.
  private static let limitBranch = 2
  private static let limitElapsed: UInt64 = 6_000
  private static let pauseMilliseconds: UInt64 = 2_000

  func isHonest(_ number: Int) -> Bool { !plan.insiders.contains(number) }

  /// Whether a key is that of somebody who takes part and is dishonest.
  func isInsiders(_ peer: PeerID) -> Bool { plan.insiders.contains { keys[$0].peer == peer } }

  /// Whether what is played may wait for somebody who does not go on.
  var hasDishonestHost: Bool { !isHonest(0) }

  /// The machines that are not gone for good and run for honest ones, in order.
  var honestMachines: [Int] { machines.filter(isHonest) }

  /// Does ill as long as faults last.
  func beDishonest(_ insider: Insider) async {
    while isFaulty {
      await sleep(insider.random.time(20...700))
      guard isFaulty, let fraud = insider.random.pick(insider.frauds) else { continue }
      do {
        guard let words = try await commit(fraud, insider) else { continue }
        statistics.insiderFrauds += 1
        tell("peer \(insider.number) is dishonest: \(words)")
      } catch { tell("peer \(insider.number) cannot do that: \(error)") }
    }
  }

  private func commit(_ fraud: Fault, _ insider: Insider) async throws -> String? {
    if fraud == .restores { return await goBack(insider) }
    let isSaying = fraud == .falseWords && !insider.random.oneIn(4)
    guard let room = try isSaying && hasSpread() ? tournament : room(of: insider) else { return nil }
    if fraud == .forks { return try branch(insider, room) }
    // Whoever is about to lie keeps its program from saying what is so.
    let pause = fraud == .falseWords ? insider.random.time(0...Self.pauseMilliseconds) : 0
    return try await write(insider.number, in: room, after: pause) { core throws(PeerError) in
      try misbehave(fraud, insider, in: room, &core)
    }
  }

  /// A room in which it may write. A tournament that has not begun is let be: there a fork ends all, and nobody doubts
  /// whose it was.
  private func room(of insider: Insider) throws -> RoomID? {
    let (disk, key) = (disks[insider.number], keys[insider.number].peer)
    let rooms = try disk.rooms(limit: Self.limitRooms).filter { listing throws(LogError) in
      guard attacker?.isOwn(listing.create.author) != true else { return false }
      let log = try disk.load(listing.room, verify: false)
      if listing.room == tournament { return log.graph.events.contains { $0.kind == .start } }
      if log.feed(key) != nil { return true }
      if case .create(let create) = listing.create.action { return create.referee == key }
      return false
    }
    return insider.random.pick(rooms.map(\.room))
  }

  // MARK: - Events

  /// A core of a peer's own key that knows nothing of the program which runs.
  private func core(of number: Int) -> PeerCore {
    let machine = machine
    return PeerCore(
      signer: keys[number], network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1,
      now: { machine.now + 1_700_000_000_000 })
  }

  /// Has a peer's own program take what it would not write, as from a command on its data folder.
  /// - Parameter pause: how long the program writes nothing there before, in milliseconds.
  private func write(
    _ number: Int, in room: RoomID, after pause: UInt64, _ body: (inout PeerCore) throws(PeerError) -> String
  ) async throws -> String? {
    guard let service = lives[number]?.service else { return nil }
    commands += 1
    let command = commands
    let committer = SimulatedCommand(service, command)
    do {
      try await committer.reserve(room)
      if pause > 0 { await sleep(pause) }
      var core = core(of: number)
      core.open(try disks[number].load(room, verify: false), isDurable: true)
      let words = try body(&core)
      if let change = try core.prepareCommit(room) { try await committer.commit([change]) }
      await service.release(command)
      return "\(words) in \(room.short)"
    } catch {
      await service.release(command)
      throw error
    }
  }

  /// Writes something that is out of place, untrue, or against the rules.
  private func misbehave(
    _ fraud: Fault, _ insider: Insider, in room: RoomID, _ core: inout PeerCore
  ) throws(PeerError) -> String {
    if room == tournament, keys[insider.number].peer == keys[0].peer, fraud != .cheating {
      return try sayUntrue(insider, &core)
    }
    switch fraud {
    case .roundFrauds:
      let elapsed = insider.random.time(0...Self.limitElapsed)
      let tried = insider.cheat.triedFrauds.count
      try insider.cheat.defraudRound(in: room, elapsed: { _ in elapsed }, &core)
      let kinds = insider.cheat.triedFrauds.dropFirst(tried).map(\.kind.rawValue)
      return kinds.isEmpty ? "nothing" : kinds.joined(separator: ", ")
    case .falseWords:
      let claims = core.withLog(of: room) { log in log.graph.events.filter { $0.kind == .claim }.map(\.id) }
      guard let claim = insider.random.pick(claims ?? []) else { return "nothing" }
      _ = try core.write(.ruling(claim: claim), in: room, citing: [claim])
      return "a ruling"
    default:
      try insider.cheat.cheat(in: room, &core)
      return "cheating"
    }
  }

  /// Tells some peers one thing and others another, each signed as what follows on the same event.
  private func branch(_ insider: Insider, _ room: RoomID) throws -> String? {
    guard let attacker else { return nil }
    let (number, log) = (insider.number, try disks[insider.number].load(room, verify: false))
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
        var core = core(of: writer.number)
        core.open(RoomLog(room: room, restoring: entries), isDurable: true)
        do throws(PeerError) {
          for _ in 0..<insider.random.draw(1...Self.limitBranch) { try speak(writer, in: room, &core) }
        } catch { tell("it cannot write that on a branch: \(error)") }
        for message in try core.prepareCommit(room)?.messages ?? [] {
          for (victim, place) in sides.enumerated() where place == side && isHonest(victim) {
            attacker.line(to: victim).send(message)
          }
        }
        entries = core.withLog(of: room) { $0.entries } ?? entries
      }
    }
    return "other words for peers of each side of \(sides) in \(room.short)"
  }

  /// Writes something that could stand by itself, or could not.
  private func speak(_ insider: Insider, in room: RoomID, _ core: inout PeerCore) throws(PeerError) {
    if insider.random.oneIn(2), let state = core.state(of: room), let game = state.currentGame,
      let seat = state.seatToChoose(of: keys[insider.number].peer),
      let move = insider.random.pick(game.state.legalMoves(of: seat))
    {
      return try core.choose(move, in: room)
    }
    let fraud = insider.random.pick(insider.frauds.filter { $0 != .restores }) ?? .cheating
    _ = try misbehave(fraud, insider, in: room, &core)
  }

  // MARK: - Disks

  /// Keeps a copy of its disk, or comes back with the one that it has.
  private func goBack(_ insider: Insider) async -> String? {
    let number = insider.number
    guard lives[number] != nil else { return nil }
    do {
      // What was begun on that disk alone nobody would begin again.
      if case .tournament = plan.play, try !hasSpread() { return nil }
      guard let copy = insider.copy, insider.random.oneIn(2) else {
        insider.copy = try copy(of: disks[number])
        return "it keeps a copy of its disk"
      }
      await replace(number) { self.disks[number] = copy }
      insider.copy = nil
      try await start(number)
    } catch { violate(.ability, peer: number, "it does not start: \(error)") }
    return "it has come back with an old copy of its disk"
  }

  private func copy(of disk: MemoryEventLog) throws(LogError) -> MemoryEventLog {
    let copy = MemoryEventLog(network: .standard)
    for stored in try disk.storedRooms(from: 0, limit: .max) {
      var change = RoomChange(try disk.load(stored.room, verify: false), from: 0)
      change.use = stored.use
      try copy.write([change], clocks: [])
    }
    return copy
  }
}
