import CFloor
import EventLog
import Events
import Gossip

/// What it costs to find out that, and where, two peers differ.
struct GossipClocks: Figure {
  let name = "gossip.clocks"
  let summary = "bytes between two peers to find what differs: nothing, some feeds, everything"

  func measure(_ bench: Bench) async throws {
    for feeds in [10, 1_000] + (bench.options.isQuick ? [] : [100_000]) {
      bench.tell("\(name): \(feeds) feeds")
      let changed = min(feeds, 100)
      var pair = try GossipPair(feeds: feeds)
      pair.fill(0)
      try print("first-contact", feeds, feeds, limit: 48 * feeds + 64, pair: &pair, bench)
      pair.letTimePass()
      pair.disconnect()
      try print("nothing-new", feeds, 0, limit: 64, pair: &pair, bench)
      pair.disconnect()
      try pair.change(changed, at: 0)
      try print("known-neighbour", feeds, changed, limit: 64 + 24 * changed, pair: &pair, bench)
      pair.disconnect()

      var strangers = try GossipPair(feeds: feeds)
      for core in 0..<2 { strangers.fill(core) }
      try strangers.change(changed, at: 0)
      try print("unknown-neighbour", feeds, changed, limit: 16_384, pair: &strangers, bench)
    }
  }

  private func print(
    _ what: String, _ feeds: Int, _ changed: Int, limit: Int, pair: inout GossipPair, _ bench: Bench
  ) throws {
    let (span, _) = Span.of { pair.connect() }
    guard pair.events == changed else {
      throw BenchFailure.differs(name, "\(pair.events) events arrived, not \(changed)")
    }
    var line = FigureLine(
      "\(name).\(what).\(feeds)", value: Double(pair.clockBytes), unit: "bytes, both ways, without events",
      floor: Double(limit), ratio: Double(limit) / Double(pair.clockBytes))
    line.add("floor_is", .text("the most that it may take"))
    line.add("feeds", .integer(feeds))
    line.add("changed", .integer(changed))
    line.add("messages", .integer(pair.messages))
    line.add("cpu_us", .decimal(span.cpu * 1e6))
    try bench.print(line)
    guard pair.clockBytes <= limit else {
      throw BenchFailure.differs(
        name, "\(what) of \(feeds) feeds takes \(pair.clockBytes) bytes, not \(limit)")
    }
  }
}

/// What the directory keeps in memory.
struct GossipMemory: Figure {
  let name = "gossip.memory"
  let summary = "bytes of memory for each feed that is offered, and for each feed and neighbour"

  func measure(_ bench: Bench) async throws {
    let feeds = bench.size(100_000, quick: 10_000)
    let neighbours = 16
    bench.tell("\(name): \(feeds) feeds, \(neighbours) neighbours")
    for feedsPerRoom in [2, 10, feeds] {
      let rooms = Self.rooms(feeds, feedsPerRoom)
      Memory.reset()
      let before = floor_allocated_bytes()
      var core = GossipCore(scheme: AnySignature(), hasher: EventHasher(network: .standard))
      core.reserve(rooms: rooms.count, feeds: feeds)
      for (room, clock) in rooms { core.know(room, .local, clock) }
      let held = floor_allocated_bytes() - before
      for number in 0..<neighbours {
        _ = core.connect(
          Neighbour(UInt32(number)), as: PeerID(rooms[number % rooms.count].0.bytes), isNearby: true,
          begins: true,
          at: Tick(milliseconds: 1))
      }
      let linked = floor_allocated_bytes() - before - held
      var line = FigureLine(
        "\(name).\(feedsPerRoom)-a-room", value: Double(held) / Double(feeds), unit: "bytes a feed",
        floor: 64, ratio: 64 * Double(feeds) / Double(held))
      line.add("floor_is", .text("the most that it may take"))
      line.add("feeds", .integer(feeds))
      line.add("rooms", .integer(rooms.count))
      line.add("bytes_a_feed_and_neighbour", .decimal(Double(linked) / Double(feeds * neighbours)))
      try bench.print(line)
    }
  }

  private static func rooms(_ feeds: Int, _ feedsPerRoom: Int) -> [(RoomID, VectorClock)] {
    var number: UInt64 = 0
    func id() -> Bytes32 {
      number += 1
      var hash = Blake2b(domain: "bench-id")
      hash.update(bigEndian: number)
      return hash.digest()
    }
    return (0..<max(1, feeds / feedsPerRoom)).map { _ in
      let entries = (0..<feedsPerRoom).map { _ in
        VectorClock.Entry(author: PeerID(id()), sequence: 1 + number % 2_000, head: EventID(id()))
      }
      return (RoomID(id()), VectorClock(entries))
    }
  }
}
