import EventLog
import Events
import Gossip
import Network
import Peer
import Projection
import Service
import Simulation

// Dishonest keys at whole peers: when they do what, and that what they have others keep stays within its limits.

extension ServiceRun {
  /// How long connections of those who have fallen silent may still be there.
  private static let limitSilentMilliseconds: UInt64 = 60_000
  /// How long a peer may take to do what is left to do then.
  private static let restMilliseconds: UInt64 = 10_000
  /// What is in memory for strangers is looked at after so much of the limit has come, and a room comes whole.
  private static let openSlack = 16
  private static let largestRoomBytes = 96 << 10
  /// What may come while what is too much is forgotten, whatever the limit: it depends on the disk, which is slow here.
  private static let comingBytes = 1 << 20

  /// Does ill as long as faults last.
  func attack() async {
    guard let attacker else { return }
    let mischiefs = plan.faults.filter { $0.isDishonest && !Fault.ofInsiders.contains($0) }
      .sorted { $0.rawValue < $1.rawValue }
    while isFaulty {
      await sleep(attacker.random.time(20...900))
      guard isFaulty, let mischief = attacker.random.pick(mischiefs) else { continue }
      let victim = attacker.random.below(plan.peers)
      do {
        let words = try attack(attacker, mischief, victim)
        tell("at peer \(victim): \(words)")
        statistics.attacks += 1
      } catch { tell("the attacker cannot write that: \(error)") }
      await checkBurdens()
    }
    attacker.retire()
    tell("the attacker is gone")
  }

  private func attack(_ attacker: Attacker, _ mischief: Fault, _ victim: Int) throws -> String {
    switch mischief {
    case .connectionFloods: return attacker.floodConnections(victim)
    case .forgery: return attacker.breakRules(victim)
    case .bombs: return try attacker.bomb(victim, keys[victim].peer)
    case .floods:
      if attacker.random.oneIn(3), let log = try room(attacker, victim, isPlaying: true) {
        return try attacker.floodRequests(victim, log.graph.events[0])
      }
      return try attacker.floodRooms(victim)
    case .frauds:
      guard let log = try room(attacker, victim, isPlaying: false) else { return "no room" }
      return try attacker.defraud(victim, among: plan.peers, log, by: &attacker.fraudster)
    case .inventions:
      let log = try room(attacker, victim, isPlaying: false)
      return try attacker.invent(
        victim, rooms: try disks[victim].rooms(limit: nil).map(\.room), peers: keys.map(\.peer),
        log?.graph.events.suffix(16) ?? [])
    default: return "nothing"
    }
  }

  /// Some room of a peer, the newest sooner, in which something was said.
  /// - Parameter isPlaying: whether it must be one in which nobody may be granted a seat any more.
  private func room(_ attacker: Attacker, _ victim: Int, isPlaying: Bool) throws -> RoomLog? {
    let listings = try disks[victim].rooms(limit: isPlaying ? nil : 24)
    let rooms = listings.filter { !isPlaying || !attacker.isOwn($0.create.author) }.map(\.room)
    guard let room = attacker.random.pick(rooms) else { return nil }
    let log = try disks[victim].load(room, verify: false)
    let hasStarted = log.graph.events.contains { $0.kind == .start }
    return isPlaying && !hasStarted ? nil : log
  }

  // MARK: - What must hold

  /// Nobody keeps more connections, strangers' rooms, or anything else of others than it means to.
  func checkBurdens() async {
    for number in machines {
      guard let service = lives[number]?.service else { continue }
      let burden = await service.burden()
      guard isAlive(service, number) else { continue }
      for words in excesses(burden) { violate(.bounds, peer: number, words) }
    }
  }

  private func excesses(_ burden: Burden) -> [String] {
    // What cannot be closed yet, or is being forgotten, is there besides while others go on.
    let share = machine.now < plan.safetyMilliseconds ? 4 : 1
    var network = NetworkSettings.standard
    network.fit(descriptors: Self.descriptors)
    let open = plan.limitOpenBytes ?? network.limitOpenBytes
    let stored = plan.limitStrangersBytes ?? network.limitStrangersBytes
    let limits = [
      ("connections", burden.connections, network.limitConnections),
      // Those that it makes itself are not limited so.
      ("connections are unproven", burden.greetings, network.limitGreetings + network.limitTold + keys.count),
      (
        "bytes of strangers' rooms are stored", burden.strangersBytes,
        share * stored + (share > 1 ? Self.comingBytes : 0)
      ),
      (
        "bytes of strangers' rooms are in memory", burden.openStrangersBytes,
        share * (open + open / Self.openSlack + Self.largestRoomBytes)
      ),
    ]
    return LoadCheck.excesses(burden.gossip)
      + limits.filter { $0.1 > $0.2 }.map { "\($0.1) \($0.0), more than \($0.2)" }
  }

  /// The attacker is gone: places are free again, everybody can write, and what is kept is within its limits.
  func recover() async throws {
    guard let attacker else { return }
    let end = machine.now + Self.limitSilentMilliseconds
    while let number = await withStrangers(attacker) {
      guard machine.now < end else {
        violate(.bounds, peer: number, "it has connections still with those who fell silent long ago")
        break
      }
      await sleep(500)
    }
    await sleep(Self.restMilliseconds)
    await checkBurdens()
  }

  /// A peer with a connection to somebody who is gone.
  private func withStrangers(_ attacker: Attacker) async -> Int? {
    for number in machines {
      guard let service = lives[number]?.service else { continue }
      let burden = await service.burden()
      let others = network.openEnds(of: number) { attacker.hosts.contains($0) }
      if others > 0 || burden.connections > machines.count - 1 { return number }
    }
    return nil
  }

  /// What of strangers is on the disks is within the quota, and nothing that a peer wrote itself is gone.
  func checkStored() {
    guard let attacker else { return }
    let limit = plan.limitStrangersBytes ?? NetworkSettings.standard.limitStrangersBytes
    for number in machines {
      do throws(LogError) {
        var (bytes, kept) = (0, Set<EventID>())
        let listings = try disks[number].rooms(limit: nil)
        let creators = Dictionary(uniqueKeysWithValues: listings.map { ($0.room, $0.create.author) })
        for stored in try disks[number].storedRooms(from: 0, limit: .max) {
          let log = try disks[number].load(stored.room, verify: false)
          let mine = log.events.filter { $0.author == keys[number].peer }
          kept.formUnion(mine.map(\.id))
          guard mine.isEmpty, let creator = creators[stored.room], attacker.isOwn(creator) else { continue }
          bytes += StrangersRooms.roomBytes + StrangersRooms.cost(events: stored.events, bytes: stored.bytes)
        }
        if bytes > limit {
          violate(.bounds, peer: number, "\(bytes) bytes of strangers are stored, more than \(limit)")
        }
        let lost = isHonest(number) ? own[number].subtracting(kept) : []
        if !lost.isEmpty { violate(.durability, peer: number, "\(lost.count) own events are gone") }
      } catch { violate(.integrity, peer: number, "what is stored cannot be read: \(error)") }
    }
  }
}
