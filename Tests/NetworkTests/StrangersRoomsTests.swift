import EventLog
import Events
import Games
import Gossip
import Peer
import TestKit
import Testing

@testable import Network

/// What is kept for strangers stays within its limits, and goes in the right order.
@Suite(.serialized) struct StrangersRoomsTests {
  private func room(_ number: UInt8) -> RoomID {
    RoomID(Bytes32([UInt8](repeating: number, count: 32), at: 0))
  }

  private func rooms(limit: Int, open: Int = 1 << 20) -> StrangersRooms {
    var settings = NetworkSettings()
    (settings.limitStrangersBytes, settings.limitOpenBytes) = (limit, open)
    return StrangersRooms(settings)
  }

  /// What would go now.
  private func excess(_ kept: inout StrangersRooms, sparing spared: Set<RoomID> = []) -> [RoomID] {
    guard let forgetting = kept.beginForgetting(sparing: spared) else { return [] }
    kept.endForgetting(forgetting, areGone: false)
    return forgetting.rooms
  }

  @Test func theHostThatBroughtMostLosesFirst() {
    var kept = rooms(limit: 100_000)
    for (number, source, cost) in [(1, "a", 30_000), (2, "b", 10_000), (3, "b", 30_000), (4, "b", 20_000)] {
      kept.note(room(UInt8(number)), cost: cost, RoomUse(milliseconds: UInt64(10 - number), source: source))
    }
    // 90,000 and four rooms are more than 100,000: b has most, and has not used its fourth one for longest.
    #expect(excess(&kept) == [room(4)])
    kept.remove(room(4))
    #expect(excess(&kept) == [])
    // A room that is used again is not the first to go, and who has less by then loses nothing.
    kept.note(room(3), cost: 40_000, RoomUse(milliseconds: 20, source: "b"))
    #expect(excess(&kept) == [room(2), room(3)])
    // However small rooms are, there are so many and no more.
    var small = rooms(limit: 100_000)
    for number in 0..<40 {
      small.note(room(UInt8(number)), cost: 1, RoomUse(milliseconds: UInt64(number), source: "a"))
    }
    #expect(excess(&small) == (0..<19).map { room(UInt8($0)) })
  }

  /// Rooms of tournaments in which this peer takes part go when nothing else is left, whoever brought them.
  @Test func someRoomsGoLast() {
    var kept = rooms(limit: 100_000)
    for (number, source, cost) in [(1, "a", 40_000), (2, "a", 40_000), (3, "b", 15_000)] {
      kept.note(room(UInt8(number)), cost: cost, RoomUse(milliseconds: UInt64(number), source: source))
    }
    #expect(excess(&kept, sparing: [room(1)]) == [room(2)])
    #expect(excess(&kept, sparing: [room(1), room(2)]) == [room(3), room(1)])
    #expect(excess(&kept) == [room(1)])
  }

  /// Rooms that are forgotten are in memory: together they count for no more than those that stay there, but for one
  /// room each time.
  @Test func littleIsForgottenTogether() {
    var kept = rooms(limit: 1_000_000, open: 400_000)
    for number in 0..<200 {
      kept.note(room(UInt8(number)), cost: 20_000, RoomUse(milliseconds: UInt64(number), source: "a"))
    }
    var forgettings: [[RoomID]] = []
    while let forgetting = kept.beginForgetting() { forgettings.append(forgetting.rooms) }
    #expect(forgettings.map(\.count) == [Int](repeating: 3, count: 8))
    #expect(Set(forgettings.joined()).count == 24)
    // A room that is larger than all that goes by itself.
    var large = rooms(limit: 1_000_000, open: 400_000)
    for number in 0..<3 {
      large.note(room(UInt8(number)), cost: 600_000, RoomUse(milliseconds: UInt64(number), source: "a"))
    }
    #expect(excess(&large) == [room(0)])
  }

  /// The same by going through all rooms each time.
  private struct Model {
    var rooms: [RoomID: (cost: Int, used: UInt64, source: String)] = [:]
    var leaving: [[RoomID]] = []

    mutating func note(_ room: RoomID, _ cost: Int, _ use: RoomUse) {
      let known = rooms[room] ?? (StrangersRooms.roomBytes, 0, use.source)
      rooms[room] = (known.cost + cost, max(known.used, use.milliseconds), known.source)
    }

    var isEmptying = false

    mutating func excess(limit: Int, open: Int, sparing spared: Set<RoomID>) -> [RoomID] {
      var left = rooms.filter { room, _ in !leaving.joined().contains(room) }
      var (chosen, cost): ([RoomID], Int) = ([], 0)
      func bytes() -> Int { left.values.map(\.cost).reduce(0, +) }
      let goal = limit - limit / 8
      guard bytes() > (isEmptying ? goal : limit), leaving.count < 8 else { return [] }
      while bytes() > goal, !left.isEmpty, cost < open / 8 {
        let free = left.filter { !spared.contains($0.key) }
        let now = free.isEmpty ? left : free
        let costs = Dictionary(left.values.map { ($0.source, $0.cost) }, uniquingKeysWith: +)
        let most = Set(now.values.map(\.source)).max { (costs[$0] ?? 0, $0) < (costs[$1] ?? 0, $1) }
        guard
          let oldest = now.filter({ $0.value.source == most }).min(by: {
            ($0.value.used, $0.key) < ($1.value.used, $1.key)
          })
        else { break }
        chosen.append(oldest.key)
        cost += oldest.value.cost
        left[oldest.key] = nil
      }
      isEmptying = !chosen.isEmpty && bytes() > goal
      return chosen
    }
  }

  /// Rooms come, are used, go and are forgotten, also several times at once, and those that go are the slow model's.
  @Test(arguments: 0..<Effort.size(200, quick: 20)) func isTheSlowModel(_ seed: Int) {
    var random = SeededGenerator(state: UInt64(seed))
    let limit = Int.random(in: 20_000...120_000, using: &random)
    let open = Int.random(in: 50_000...500_000, using: &random)
    var (kept, model) = (rooms(limit: limit, open: open), Model())
    var leaving: [StrangersRooms.Forgetting] = []
    for _ in 0..<300 {
      let some = room(.random(in: 0..<60, using: &random))
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        kept.remove(some)
        model.rooms[some] = nil
      case 1..<4 where !leaving.isEmpty:
        let at = Int.random(in: leaving.indices, using: &random)
        let areGone = Bool.random(using: &random)
        kept.endForgetting(leaving.remove(at: at), areGone: areGone)
        let ended = model.leaving.remove(at: at)
        if areGone { for room in ended { model.rooms[room] = nil } }
      case 4..<8:
        let spared = Set((0..<10).map { _ in room(.random(in: 0..<60, using: &random)) })
        let expected = model.excess(limit: limit, open: open, sparing: spared)
        let forgetting = kept.beginForgetting(sparing: spared)
        #expect(forgetting?.rooms ?? [] == expected)
        guard let forgetting else { continue }
        leaving.append(forgetting)
        model.leaving.append(forgetting.rooms)
      default:
        let use = RoomUse(
          milliseconds: .random(in: 0..<50, using: &random),
          source: "\(Int.random(in: 0..<4, using: &random))")
        // What is said of a room while it is being forgotten is of no interest here.
        guard !model.leaving.joined().contains(some) else { continue }
        let cost = Int.random(in: 0..<9_000, using: &random)
        kept.note(some, cost: cost, use)
        model.note(some, cost, use)
      }
      #expect(kept.bytes == model.rooms.values.map(\.cost).reduce(0, +))
    }
  }

  /// Where rooms come quicker than they are forgotten, nothing more is stored of those who bring most, and then of all.
  @Test func whoBringsTooMuchIsNotStored() {
    var kept = rooms(limit: 100_000)
    func note(_ number: UInt8, _ cost: Int, _ source: String) {
      kept.note(room(number), cost: cost - StrangersRooms.roomBytes, RoomUse(milliseconds: 0, source: source))
    }
    note(1, 150_000, "a")
    note(2, 49_000, "b")
    #expect(!["a", "b", "c"].contains { kept.isOverrun(by: $0) })
    note(3, 8_000, "b")
    #expect(["a", "b", "c"].map { kept.isOverrun(by: $0) } == [true, false, false])
    note(4, 210_000, "b")
    #expect(["a", "b", "c"].map { kept.isOverrun(by: $0) } == [true, true, true])
  }

  @Test func whatIsOpenIsBounded() {
    var kept = rooms(limit: .max, open: 100_000)
    let open = (0..<10).map { room(UInt8($0)) }
    for (number, room) in open.enumerated() {
      kept.note(room, cost: 20_000, RoomUse(milliseconds: UInt64(100 - number), source: "a"))
    }
    let own = room(99)
    #expect(kept.unneeded(of: open + [own]) == Array(open.reversed().prefix(8)))
    #expect(kept.unneeded(of: open) == [], "it is not looked again before something has come")
    // What was read because others want it came into memory too.
    kept.noteUnneeded([open[0]])
    #expect(kept.unneeded(of: open).count == 8)
  }

  @Test func theAddressesOfOneHostAreOne() throws {
    for (host, source) in [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"),
      ("2001:db8:1::7", "2001:db8:1:0"), ("2001:db8:1:0:7:7:7:7", "2001:db8:1:0"), ("::1", "0:0:0:0"),
    ] {
      #expect(Address(host: host, port: 1).source == source)
    }
  }

  // MARK: - A peer

  private func fill(_ peer: TestPeer, _ numbers: Range<Int>) async throws -> [RoomID] {
    var rooms: [RoomID] = []
    for number in numbers {
      let room = try await peer.createRoom(UInt8(number))
      try await peer.chat(String(repeating: "x", count: 400), in: room)
      rooms.append(room)
    }
    return rooms
  }

  private func count(_ log: any EventLog) -> Int {
    do { return try log.rooms(limit: nil).count } catch { return .max }
  }

  /// What strangers bring is bounded, on disk and over a start, and what this peer has a part in stays.
  @Test func strangersRoomsAreForgottenBeyondTheQuota() async throws {
    let transport = Way.inProcess.transport(try EventLoop())
    var settings = NetworkSettings()
    // A room counts for 4,096 bytes and a little more.
    settings.limitStrangersBytes = 60_000
    let log = MemoryEventLog(network: .standard)
    let stranger = TestPeer(2, transport)
    let address = try await stranger.networkPeer.listen(on: Address(host: Address.inProcess, port: 0))
    let mine = try await TestPeer(1, transport, log: log, settings: settings).createRoom(200)
    for start in 0..<2 {
      // A start forgets no budget.
      let one = TestPeer(1, transport, log: log, settings: settings)
      try await one.networkPeer.openStoredRooms()
      await one.networkPeer.connect(to: address)
      let all = try await fill(stranger, start * 30..<start * 30 + 30)
      try await eventually("all has been seen") { await one.networkPeer.isEqual(with: stranger.id) }
      try await eventually("few rooms") { count(log) < 16 }
      let kept = Set(try log.rooms(limit: nil).map(\.room))
      #expect(kept.contains(mine) && kept.count > 5)
      #expect(try log.forgottenRooms().allSatisfy(\.isOfStrangers))
      #expect(!kept.isDisjoint(with: all))
      #expect(kept.isDisjoint(with: try log.forgottenRooms().map(\.room)))
      await one.networkPeer.stop()
    }
    await stranger.networkPeer.stop()
    settings.limitStrangersBytes = 30_000
    settings.keepsWhatIsStored = true
    let (before, look) = (count(log), TestPeer(1, transport, log: log, settings: settings))
    try await look.networkPeer.openStoredRooms()
    _ = try await look.createRoom(201)
    await look.networkPeer.stop()
    #expect(count(log) == before + 1)
    // Nobody brings anything: what is stored is too much for the new limit.
    settings.keepsWhatIsStored = false
    let alone = TestPeer(1, transport, log: log, settings: settings)
    try await alone.networkPeer.openStoredRooms()
    try await eventually("fewer rooms") { count(log) < 9 }
    #expect(try log.rooms(limit: nil).contains { $0.room == mine })
    await alone.networkPeer.stop()
  }

  /// A room that cannot be read any more, and so cannot be forgotten, does not keep the others.
  @Test func aDamagedRoomDoesNotKeepTheOthers() async throws {
    let transport = Way.inProcess.transport(try EventLoop())
    let log = ReadingLog()
    let stranger = TestPeer(2, transport)
    let address = try await stranger.networkPeer.listen(on: Address(host: Address.inProcess, port: 0))
    let rooms = try await fill(stranger, 0..<40)
    let rule = ClosingRule(version: 4) { _ in true }
    func start(_ settings: NetworkSettings = .standard) async throws -> TestPeer {
      let peer = TestPeer(1, transport, log: log, settings: settings)
      try await peer.networkPeer.openStoredRooms(closing: rule)
      return peer
    }
    let one = try await start()
    await one.networkPeer.connect(to: address)
    try await eventually("all has been seen") { await one.networkPeer.isEqual(with: stranger.id) }
    await one.networkPeer.stop()
    // Now it is stored what is offered of them, and the next start reads none.
    await (try await start()).networkPeer.stop()
    #expect(try log.known().count == rooms.count)
    var settings = NetworkSettings()
    settings.limitStrangersBytes = 60_000
    for room in rooms.prefix(10) { log.damage(room) }
    let third = try await start(settings)
    try await eventually("few rooms") { count(log) < 26 }
    #expect(try log.forgottenRooms().allSatisfy { !rooms.prefix(10).contains($0.room) })
    for peer in [third, stranger] { await peer.networkPeer.stop() }
  }
}
