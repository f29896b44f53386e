import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Simulation
import Tournaments

/// What the disks of a run hold, and what of that must not be.
struct StoreChecks {
  /// How many events a room may have: no tournament or game that is played here needs as many.
  private static let limitEvents = 300

  let plan: ServicePlan
  let hosts: [ServiceHost]
  let tournament: RoomID
  let attacker: Attacker?
  let insiders: [Insider]
  let visitors: [Visitor]
  let durability: Durability
  let record: ServiceRunRecord

  /// The machines that are not gone for good, and those of them that run for honest ones, in order.
  var machines: [Int] { hosts.present }
  var honestMachines: [Int] { machines.filter(plan.isHonest) }

  /// Looks at all that is stored.
  /// - Parameter open: by peer: the rooms that it had in memory at the end.
  func check(open: [Int: Set<RoomID>]) {
    var rooms: [RoomID: [Int: Set<EventID>]] = [:]
    var passedOver: Set<RoomID> = []
    for number in honestMachines {
      do throws(LogError) {
        for listing in try hosts[number].disk.rooms(limit: nil) {
          let log = try hosts[number].disk.load(listing.room, verify: true)
          if try mustHaveAll(of: log, number) {
            rooms[listing.room, default: [:]][number] = Self.mustAgree(log)
            if isStrangers(log), open[number]?.contains(listing.room) != true {
              passedOver.insert(listing.room)
            }
          }
          checkForks(log, at: number)
          try checkStraight(log, at: number)
          checkDuties(log, at: number)
          let count = log.events.count { !isOfSomebodyDishonest($0.author) }
          if count > Self.limitEvents {
            record.violate(.bounds, peer: number, "the room \(listing.room.short) has \(count) events")
          }
        }
      } catch { record.violate(.integrity, peer: number, "what is stored does not verify: \(error)") }
    }
    count(rooms)
    checkStored()
    checkFrauds()
    if case .openGames = plan.play { return }
    checkAlike(rooms.filter { !passedOver.contains($0.key) })
    if case .tournament = plan.play { checkStandings() }
    if case .tournament = plan.play, plan.scenario != .services { checkTournament() }
    checkLies()
    if !record.violations.isEmpty { tellRooms() }
  }

  /// Tells what each peer has of the rooms of honest ones.
  func tellRooms() {
    guard record.isTraced else { return }
    for number in machines {
      do throws(LogError) {
        let rooms = try hosts[number].disk.rooms(limit: nil).filter {
          attacker?.isOwn($0.create.author) != true
        }
        let counts = try rooms.map { listing throws(LogError) in
          "\(listing.room.short): \(try hosts[number].disk.load(listing.room, verify: false).events.count)"
        }
        record.tell("peer \(number) has \(counts.sorted().joined(separator: ", "))")
        let gone = try lostRooms(at: number)
        if !gone.isEmpty { record.tell("it has forgotten \(gone.map(\.short).joined(separator: ", "))") }
      } catch { record.tell("what peer \(number) has cannot be read: \(error)") }
    }
  }

  /// Rooms of those that take part which a peer has forgotten, because a flood has filled its quota.
  func lostRooms(at number: Int) throws(LogError) -> [RoomID] {
    try hosts[number].disk.forgottenRooms().map(\.room).filter { room in
      durability.isOwn(room)
    }
  }

  /// Whether a peer must have what others have of a room: not of one that an attacker fills, nor of a game where nobody
  /// of those who are at its page has a seat. Of such it keeps what it was shown while that was open.
  private func mustHaveAll(of log: RoomLog, _ number: Int) throws(LogError) -> Bool {
    if attacker?.greedy.contains(log.membership.creator) == true { return false }
    guard case .visits = plan.play else { return true }
    let state = try hosts[number].disk.state(of: log.room, verify: false, Games.catalog)
    if state.creator == hosts[number].peer { return true }
    return visitors.contains { visitor in
      visitor.host == number && visitor.peer.flatMap { state.seat(of: $0) } != nil
    }
  }

  /// What visitors have played to its end is signed by all, also where they went before that, or a crash came first;
  /// and where the peer itself has opened a game for two of them, none waits when all have gone.
  private func checkVisited(_ state: RoomState, at number: Int) {
    guard case .visits = plan.play else { return }
    if state.phase == .waiting, state.creator == hosts[number].peer {
      record.violate(.bounds, peer: number, "the game in \(state.room.short) waits for players who have gone")
    }
    guard state.phase == .finished else { return }
    let seated = state.seats.compactMap(\.self)
    let isHonest = seated.allSatisfy { seat in
      // A guest of `tictactoe` has chosen no name.
      seat.profile.bot != nil || !seat.profile.name.contains("(")
        || visitors.contains { $0.peer == seat.peer }
    }
    if isHonest, seated.count == state.seats.count, state.games.contains(where: { !$0.isAgreed }) {
      record.violate(.finality, peer: number, "the game in \(state.room.short) is not signed by all")
    }
  }

  /// Counts what was played.
  private func count(_ rooms: [RoomID: [Int: Set<EventID>]]) {
    record.statistics.rooms = rooms.count
    for room in rooms.keys.sorted() {
      guard let holder = rooms[room]?.keys.min() else { continue }
      do throws(LogError) {
        let state = try hosts[holder].disk.state(of: room, verify: false, Games.catalog)
        checkVisited(state, at: holder)
        record.statistics.agreedGames += state.games.count(where: \.isAgreed)
        record.statistics.pairings += state.tournamentWords.count
        record.statistics.settledRounds += state.hosted?.settledRounds ?? 0
      } catch { record.violate(.integrity, peer: holder, "the room \(room.short) cannot be read: \(error)") }
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
      && !log.feeds.contains { feed in hosts.contains { $0.peer == feed.author } }
  }

  private func checkForks(_ log: RoomLog, at number: Int) {
    for (feed, author) in log.feeds.map(\.author).enumerated() where log.graph.isForked(feed: feed) {
      if isOfSomebodyDishonest(author) { continue }
      let owner = hosts.firstIndex { $0.peer == author } ?? -1
      record.violate(.conviction, peer: number, "the feed of peer \(owner) in \(log.room.short) is forked")
    }
  }

  /// What a stored room is found to be in one pass, where it was played straight on, is what its events amount to.
  private func checkStraight(_ log: RoomLog, at number: Int) throws(LogError) {
    let disk = hosts[number].disk
    guard let straight = try disk.straightState(of: log.room, verify: false, Games.catalog) else { return }
    var projection = try log.projection(Games.catalog)
    guard straight.state.encoded != projection.state.encoded else { return }
    record.violate(.integrity, peer: number, "the room \(log.room.short) is not what one pass finds it to be")
  }

  /// Whether a key is one of the attacker's, or that of who takes part and is dishonest.
  private func isOfSomebodyDishonest(_ peer: PeerID) -> Bool {
    attacker?.isOwn(peer) == true || insiders.contains(peer)
  }

  /// Whoever has a room of the tournament, or that of the rounds, has all of it.
  private func checkAlike(_ rooms: [RoomID: [Int: Set<EventID>]]) {
    for room in rooms.keys.sorted() {
      guard let holders = rooms[room], let first = holders.keys.min().flatMap({ holders[$0] }) else {
        continue
      }
      for number in holders.keys.sorted() where holders[number] != first {
        let counts = holders.keys.sorted().map { "\($0): \(holders[$0]?.count ?? 0)" }
        return record.violate(
          .convergence, peer: number,
          "the room \(room.short) has other events there (\(counts.joined(separator: ", ")))")
      }
    }
  }

  /// What of strangers is on the disks is within the quota, and nothing that a peer wrote itself is gone.
  private func checkStored() {
    guard let attacker else { return }
    let limit = plan.limitStrangersBytes ?? NetworkSettings.standard.limitStrangersBytes
    for number in machines {
      do throws(LogError) {
        var (bytes, kept) = (0, Set<EventID>())
        let listings = try hosts[number].disk.rooms(limit: nil)
        let creators = Dictionary(uniqueKeysWithValues: listings.map { ($0.room, $0.create.author) })
        for stored in try hosts[number].disk.storedRooms(from: 0, limit: .max) {
          let log = try hosts[number].disk.load(stored.room, verify: false)
          let mine = log.events.filter { $0.author == hosts[number].peer }
          kept.formUnion(mine.map(\.id))
          guard mine.isEmpty, let creator = creators[stored.room], attacker.isOwn(creator) else { continue }
          bytes += StrangersRooms.roomBytes + StrangersRooms.cost(events: stored.events, bytes: stored.bytes)
        }
        if bytes > limit {
          record.violate(.bounds, peer: number, "\(bytes) bytes of strangers are stored, more than \(limit)")
        }
        let lost = plan.isHonest(number) ? durability.lost(at: number, besides: kept) : 0
        if lost > 0 { record.violate(.durability, peer: number, "\(lost) own events are gone") }
      } catch { record.violate(.integrity, peer: number, "what is stored cannot be read: \(error)") }
    }
  }

  // MARK: - What is told of it

  /// Tells what of a tournament is to be played, as a peer has it.
  func tellReady(_ number: Int) throws {
    guard record.isTraced, case .tournament(let format, _) = plan.play else { return }
    let ready = try hosts[number].stored(tournament).read()?.state.ready ?? []
    let words = ready.map { attempt in
      "\(attempt.pairing.number), attempt \(attempt.attempt + 1), of \(attempt.entrants.map(\.index))"
    }
    record.tell("peer \(number) has still to be played of the \(format): \(words)")
  }

  /// The files of the tournament that honest peers hold.
  func files() -> [Int: [UInt8]] {
    guard case .tournament = plan.play else { return [:] }
    var files: [Int: [UInt8]] = [:]
    for number in honestMachines {
      do throws(BundleError) {
        let writer = try TournamentFileWriter(tournament, in: hosts[number].disk)
        var bytes = writer.heading
        for room in writer.rooms.indices { bytes += try writer.part(room).bytes }
        files[number] = bytes
      } catch { record.violate(.integrity, peer: number, "its tournament cannot be exported: \(error)") }
    }
    return files
  }

  /// Adds to a digest what the disks hold.
  func add(to digest: inout RunDigest) {
    for disk in hosts.map(\.disk) {
      do throws(LogError) {
        for listing in try disk.rooms(limit: nil) {
          for event in try disk.load(listing.room, verify: false).events { digest.add(event.id.description) }
        }
      } catch { digest.add(error.description) }
    }
  }
}
