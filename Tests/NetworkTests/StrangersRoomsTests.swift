import EventLog
import Events
import Games
import Gossip
import Peer
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

  @Test func theHostThatBroughtMostLosesFirst() {
    var kept = rooms(limit: 100_000)
    for (number, source, cost) in [(1, "a", 30_000), (2, "b", 10_000), (3, "b", 30_000), (4, "b", 20_000)] {
      kept.note(room(UInt8(number)), cost: cost, RoomUse(milliseconds: UInt64(10 - number), source: source))
    }
    // 90,000 and four rooms are more than 100,000: b has most, and has not used its fourth one for longest.
    #expect(kept.excess() == [room(4)])
    kept.remove(room(4))
    #expect(kept.excess() == [])
    // A room that is used again is not the first to go, and who has less by then loses nothing.
    kept.note(room(3), cost: 40_000, RoomUse(milliseconds: 20, source: "b"))
    #expect(kept.excess() == [room(2), room(3)])
    // However small rooms are, there are so many and no more.
    var small = rooms(limit: 100_000)
    for number in 0..<40 {
      small.note(room(UInt8(number)), cost: 1, RoomUse(milliseconds: UInt64(number), source: "a"))
    }
    #expect(small.excess() == (0..<19).map { room(UInt8($0)) })
  }

  /// Rooms of tournaments in which this peer takes part go when nothing else is left, whoever brought them.
  @Test func someRoomsGoLast() {
    var kept = rooms(limit: 100_000)
    for (number, source, cost) in [(1, "a", 40_000), (2, "a", 40_000), (3, "b", 15_000)] {
      kept.note(room(UInt8(number)), cost: cost, RoomUse(milliseconds: UInt64(number), source: source))
    }
    #expect(kept.excess(sparing: [room(1)]) == [room(2)])
    #expect(kept.excess(sparing: [room(1), room(2)]) == [room(3), room(1)])
    #expect(kept.excess() == [room(1)])
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

  private func count(_ log: MemoryEventLog) -> Int {
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
  }
}
