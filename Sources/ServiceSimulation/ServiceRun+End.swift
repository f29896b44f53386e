import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Service
import Simulation
import Tournaments

// How a run is run, and what the disks must hold when all is over.

/// A digest to which several add, on one thread.
private final class SharedDigest {
  var value = RunDigest()
}

extension ServiceRun {
  /// How many events a room may have: no tournament or game that is played here needs as many.
  private static let limitEvents = 300
  /// When a run that has not ended by itself is ended, in milliseconds.
  private static let limitMilliseconds: UInt64 = 1_200_000

  /// How long what is left of a run is run when it was looked at, in milliseconds.
  private static let remainsMilliseconds: UInt64 = 120_000

  /// Runs all, on the machine's thread.
  nonisolated func run(_ options: SimulationOptions) -> (RunReport, [String]) {
    let digest = SharedDigest()
    unsafe network.watcher = { [machine] bytes, from, to in
      digest.value.add(bytes, from: from, to: to, at: machine.microseconds)
    }
    begin()
    machine.run(loop, untilMilliseconds: Self.limitMilliseconds) { assumeIsolated { $0.isOver } }
    // What is still to be done keeps the peers, and they the machine that would do it.
    defer { machine.run(loop, untilMilliseconds: machine.now + Self.remainsMilliseconds) { false } }
    return assumeIsolated { run in
      if !run.isOver { run.violate(.ability, "nothing goes on, or not everything came to its end") }
      if machine.strays > 0 {
        run.violate(.conduct, "\(machine.strays) jobs came from a thread that is not the machine's")
      }
      run.addStores(to: &digest.value)
      var statistics = run.statistics
      statistics.steps = machine.steps
      unsafe statistics.messages = network.counts.pieces
      unsafe statistics.bytes = network.counts.bytes
      let report = RunReport(
        options: options, digest: digest.value.finish(), violations: run.violations, statistics: statistics,
        files: options.keepsFiles ? run.files() : [:])
      return (report, run.trace)
    }
  }

  /// Waits until all peers see the same end.
  func settle() async throws {
    if case .openGames = plan.play { return }
    let begin = machine.now
    let end = begin + (hasDishonestHost ? Self.insidersMilliseconds : Self.patienceMilliseconds)
    var lookAt = begin
    while try !honestMachines.allSatisfy(isAtItsEnd) {
      guard machine.now < end else {
        let late = try honestMachines.filter { try !isAtItsEnd($0) }
        tellRooms()
        for number in late { try tellReady(number) }
        if try await mayWaitForEver(late) { return tell("peers \(late) wait for somebody dishonest") }
        return violate(.convergence, "what is played has not come to its end at peers \(late)")
      }
      await sleep(250)
      guard case .tournament = plan.play, machine.now > lookAt else { continue }
      lookAt = machine.now + Self.lookMilliseconds
      try await callInsidersAbsent(since: begin)
      if hasDishonestHost { try comeBack() }
    }
    statistics.convergenceMilliseconds = machine.now - begin
    tell("it is over everywhere")
  }

  /// Tells what of a tournament is to be played, as a peer has it.
  func tellReady(_ number: Int) throws {
    guard isTraced, case .tournament(let format, _) = plan.play else { return }
    let ready = try disks[number].tournament(tournament, Games.catalog, nil)?.state.ready ?? []
    let words = ready.map { attempt in
      "\(attempt.pairing.number), attempt \(attempt.attempt + 1), of \(attempt.entrants.map(\.index))"
    }
    tell("peer \(number) has still to be played of the \(format): \(words)")
  }

  private func isAtItsEnd(_ number: Int) throws -> Bool {
    if case .rounds = plan.play { return try areRoundsOver(number) }
    guard let found = try disks[number].tournament(tournament, Games.catalog, nil) else { return false }
    if hasDishonestHost { return found.state.isComplete || found.waitsForOrganizer }
    guard number == organizer else {
      return found.state.isComplete || plan.faults.contains(.organizerGone) && found.waitsForOrganizer
    }
    guard found.state.isComplete else { return false }
    let state = try disks[number].state(of: tournament, verify: false, Games.catalog)
    return found.isEnded(by: state.tournamentWords)
  }

  /// Whether what is played may never end for these peers: a host need not settle its rounds, an organizer that forks
  /// its feed stops its tournament, and one that gave others an event of its own without what that names is not let
  /// write there by its own process, which takes its store for an old copy.
  private func mayWaitForEver(_ late: [Int]) async throws -> Bool {
    guard hasDishonestHost else { return false }
    if case .rounds = plan.play { return true }
    if try late.allSatisfy(hasForkedCreator) { return true }
    let log = try await lives[organizer]?.service.rooms.log(of: tournament)
    return log?.isWaiting(from: keys[organizer].peer) == true
  }

  /// The files of the tournament that honest peers hold.
  private func files() -> [Int: [UInt8]] {
    guard case .tournament = plan.play else { return [:] }
    var files: [Int: [UInt8]] = [:]
    for number in honestMachines {
      do throws(BundleError) {
        let writer = try TournamentFileWriter(tournament, in: disks[number])
        var bytes = writer.heading
        for room in writer.rooms.indices { bytes += try writer.part(room).bytes }
        files[number] = bytes
      } catch { violate(.integrity, peer: number, "its tournament cannot be exported: \(error)") }
    }
    return files
  }

  /// Looks at all that is stored.
  func check() {
    var rooms: [RoomID: [Int: Set<EventID>]] = [:]
    var passedOver: Set<RoomID> = []
    for number in honestMachines {
      do throws(LogError) {
        for listing in try disks[number].rooms(limit: nil) {
          let log = try disks[number].load(listing.room, verify: true)
          if attacker?.greedy.contains(listing.create.author) != true {
            rooms[listing.room, default: [:]][number] = Self.mustAgree(log)
            if isStrangers(log), openAtEnd[number]?.contains(listing.room) != true {
              passedOver.insert(listing.room)
            }
          }
          checkForks(log, at: number)
          checkDuties(log, at: number)
          let count = log.events.count { !isOfSomebodyDishonest($0.author) }
          if count > Self.limitEvents {
            violate(.bounds, peer: number, "the room \(listing.room.short) has \(count) events")
          }
        }
      } catch { violate(.integrity, peer: number, "what is stored does not verify: \(error)") }
    }
    count(rooms)
    checkStored()
    checkFrauds()
    if case .openGames = plan.play { return }
    checkAlike(rooms.filter { !passedOver.contains($0.key) })
    if case .tournament = plan.play { checkStandings() }
    if case .tournament = plan.play, plan.scenario != .services { checkTournament() }
    checkLies()
    if !violations.isEmpty { tellRooms() }
  }

  /// Tells what each peer has of the rooms of honest ones.
  func tellRooms() {
    guard isTraced else { return }
    for number in machines {
      do throws(LogError) {
        let rooms = try disks[number].rooms(limit: nil).filter { attacker?.isOwn($0.create.author) != true }
        let counts = try rooms.map { listing throws(LogError) in
          "\(listing.room.short): \(try disks[number].load(listing.room, verify: false).events.count)"
        }
        tell("peer \(number) has \(counts.sorted().joined(separator: ", "))")
        let gone = try lostRooms(at: number)
        if !gone.isEmpty { tell("it has forgotten \(gone.map(\.short).joined(separator: ", "))") }
      } catch { tell("what peer \(number) has cannot be read: \(error)") }
    }
  }

  /// Rooms of those that take part which a peer has forgotten, because a flood has filled its quota.
  func lostRooms(at number: Int) throws(LogError) -> [RoomID] {
    try disks[number].forgottenRooms().map(\.room).filter { room in
      own.indices.contains { own[$0].contains(room) }
    }
  }

  /// Counts what was played.
  private func count(_ rooms: [RoomID: [Int: Set<EventID>]]) {
    statistics.rooms = rooms.count
    for room in rooms.keys.sorted() {
      guard let holder = rooms[room]?.keys.min() else { continue }
      do throws(LogError) {
        let state = try disks[holder].state(of: room, verify: false, Games.catalog)
        statistics.agreedGames += state.games.count(where: \.isAgreed)
        statistics.pairings += state.tournamentWords.count
        statistics.settledRounds += state.hosted?.settledRounds ?? 0
      } catch { violate(.integrity, peer: holder, "the room \(room.short) cannot be read: \(error)") }
    }
  }

  /// What all that have a room must have alike: the events of feeds that are not forked, and whose are. Of a forked
  /// feed everybody keeps the proof, and the branches that others need.
  private static func mustAgree(_ log: RoomLog) -> Set<EventID> {
    var ids = Set(log.events.map(\.id))
    for (feed, author) in log.feeds.map(\.author).enumerated() where log.graph.isForked(feed: feed) {
      ids.subtract(log.events.filter { $0.author == author }.map(\.id))
      ids.insert(EventID(author.bytes))
    }
    return ids
  }

  /// Whether a room is an attacker's in which nobody that takes part has written: peers show such a game to new
  /// neighbours only as long as it is in memory.
  private func isStrangers(_ log: RoomLog) -> Bool {
    attacker?.isOwn(log.membership.creator) == true
      && !log.feeds.contains { feed in keys.contains { $0.peer == feed.author } }
  }

  private func checkForks(_ log: RoomLog, at number: Int) {
    for (feed, author) in log.feeds.map(\.author).enumerated() where log.graph.isForked(feed: feed) {
      if isOfSomebodyDishonest(author) { continue }
      let owner = keys.firstIndex { $0.peer == author } ?? -1
      violate(.conviction, peer: number, "the feed of peer \(owner) in \(log.room.short) is forked")
    }
  }

  /// Whether a key is one of the attacker's, or that of who takes part and is dishonest.
  private func isOfSomebodyDishonest(_ peer: PeerID) -> Bool {
    attacker?.isOwn(peer) == true || isInsiders(peer)
  }

  /// Whoever has a room of the tournament, or that of the rounds, has all of it.
  private func checkAlike(_ rooms: [RoomID: [Int: Set<EventID>]]) {
    for room in rooms.keys.sorted() {
      guard let holders = rooms[room], let first = holders.keys.min().flatMap({ holders[$0] }) else {
        continue
      }
      for number in holders.keys.sorted() where holders[number] != first {
        let counts = holders.keys.sorted().map { "\($0): \(holders[$0]?.count ?? 0)" }
        return violate(
          .convergence, peer: number,
          "the room \(room.short) has other events there (\(counts.joined(separator: ", ")))")
      }
    }
  }

  private func checkStandings() {
    do {
      let digests = try wholeMachines.map { number in
        try disks[number].tournament(tournament, Games.catalog, nil)?.standingsDigest()
      }
      if Set(digests).count > 1 { violate(.finality, "the standings are not the same everywhere") }
    } catch { violate(.integrity, "the standings cannot be read: \(error)") }
  }

  /// Adds to a digest what the disks hold.
  func addStores(to digest: inout RunDigest) {
    for disk in disks {
      do throws(LogError) {
        for listing in try disk.rooms(limit: nil) {
          for event in try disk.load(listing.room, verify: false).events { digest.add(event.id.description) }
        }
      } catch { digest.add(error.description) }
    }
  }
}
