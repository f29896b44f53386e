import EventLog
import Events
import Testing

@testable import Gossip

/// A room that is known and not in memory takes what is new of it, however long the way to the neighbour is.
@Suite struct ClosedRoomTests {
  private static let neighbour = Neighbour(1)
  private static let keys = (1...2).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }

  /// One that holds two events of a room, and closes it whenever it may, beside one that holds three: every message
  /// waits until both have nothing else to do, as on a long way.
  private struct Pair {
    var cores: [GossipCore]
    var now = Tick(milliseconds: 1)
    let old: RoomLog
    var queue: [(to: Int, message: Message)] = []
    var loads = 0

    init(_ old: RoomLog, _ new: RoomLog, _ settings: GossipSettings = .standard) {
      self.old = old
      cores = (0..<2).map { _ in
        GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard), settings: settings)
      }
      _ = cores[0].open(old, durable: 2, at: now)
      _ = cores[1].open(new, durable: 3, at: now)
      cores[0].close(old.room)
      for core in 0..<2 {
        carryOut(
          cores[core].connect(
            ClosedRoomTests.neighbour, as: ClosedRoomTests.keys[1 - core].peer, isNearby: true,
            begins: core == 0, at: now), of: core)
      }
    }

    mutating func carryOut(_ directives: [Directive], of core: Int) {
      for directive in directives {
        switch directive {
        case .send(let message, _): queue.append((1 - core, message))
        case .load(let room) where core == 0 && cores[0].rooms.log(of: room) == nil:
          loads += 1
          carryOut(cores[0].open(old, durable: 2, at: now), of: 0)
        case .load, .taken, .refuse, .notTaken: break
        }
      }
      while let message = cores[core].offers.nextServed(to: ClosedRoomTests.neighbour, at: now) {
        queue.append((1 - core, message))
      }
      let room = old.room
      if core == 0, let log = cores[0].rooms.log(of: room), log.entries.count == 2,
        !cores[0].offers.isServing(room),
        !cores[0].isAwaiting(room)
      {
        cores[0].close(room)
      }
    }

    /// Delivers what is under way but what `isLost` says, and lets so much time pass.
    mutating func step(_ milliseconds: UInt64 = 20, isLost: (Message) -> Bool = { _ in false }) {
      let under = queue
      queue = []
      for (to, message) in under where !isLost(message) {
        carryOut(cores[to].receive(message, from: ClosedRoomTests.neighbour, at: now), of: to)
      }
      now = now + milliseconds
      for core in 0..<2 { carryOut(cores[core].advance(to: now), of: core) }
    }
  }

  @Test func whatIsNewComesOverALongWay() throws {
    let (old, new) = (try RoomLog.chat(2), try RoomLog.chat(3))
    var pair = Pair(old, new)
    for _ in 0..<1_000 where pair.cores[0].rooms.log(of: old.room)?.entries.count != 3 { pair.step() }
    #expect(pair.cores[0].rooms.log(of: old.room)?.entries.count == 3)
    #expect(pair.loads == 1)
    #expect(!pair.cores[0].isAwaiting(old.room))
  }

  /// Who sends something and then no more keeps no room in memory for good; nor does who leaves.
  @Test(arguments: [true, false]) func whoGoesSilentKeepsNothingOpen(isLeaving: Bool) throws {
    let (old, new) = (try RoomLog.chat(2), try RoomLog.chat(3))
    var pair = Pair(old, new)
    for _ in 0..<1_000 where pair.loads == 0 { pair.step() }
    #expect(pair.cores[0].isAwaiting(old.room) && !pair.cores[0].offers.isServing(old.room))
    _ = pair.cores[0].rooms.takeUnneeded()
    if isLeaving {
      _ = pair.cores[0].disconnect(Self.neighbour, at: pair.now)
    } else {
      for _ in 0..<60 { pair.step(1_000) { if case .runs = $0 { true } else { false } } }
    }
    #expect(pair.cores[0].rooms.takeUnneeded().contains(old.room))
  }

  /// What an author may not store here is not asked for any more, and its room is looked at once more.
  @Test func whatIsOverTheBudgetKeepsNothingOpen() throws {
    let (old, new) = (try RoomLog.chat(2), try RoomLog.chat(3))
    var settings = GossipSettings.standard
    settings.budget.authorBytes = 1
    var pair = Pair(old, new, settings)
    for _ in 0..<1_000 where pair.loads == 0 { pair.step() }
    #expect(pair.cores[0].isAwaiting(old.room))
    _ = pair.cores[0].rooms.takeUnneeded()
    // Not so long that it would have been given up.
    for _ in 0..<5 { pair.step() }
    #expect(pair.cores[0].rooms.takeUnneeded().contains(old.room))
    #expect(pair.cores[0].rooms.log(of: old.room) == nil)
  }

  /// Branches are followed back by the ids of their events, also where the room has left memory.
  @Test func whatIsAskedForByItsIdIsReadAgain() throws {
    let log = try RoomLog.chat(3)
    var core = GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard))
    _ = core.open(log, durable: 3, at: .start)
    core.close(log.room)
    _ = core.connect(Self.neighbour, as: Self.keys[1].peer, isNearby: true, begins: false, at: .start)
    let asked = log.entries[1].event.id
    func isLoad(_ directive: Directive) -> Bool {
      if case .load(log.room) = directive { true } else { false }
    }
    func sent(_ directives: [Directive]) -> [EventID] {
      directives.flatMap { directive -> [EventID] in
        guard case .send(.runs(let message), _) = directive else { return [] }
        return message.runs.flatMap { $0.events.map(\.id) }
      }
    }
    let first = core.receive(.fetch(log.room, [asked]), from: Self.neighbour, at: .start)
    #expect(first.contains(where: isLoad) && sent(first).isEmpty)
    _ = core.rooms.takeUnneeded()
    #expect(sent(core.open(log, durable: 3, at: .start)) == [asked])
    #expect(core.rooms.takeUnneeded().contains(log.room))

    // Of a room that it may not have nobody is told, nor is it read for it.
    core.close(log.room)
    let other = Neighbour(2)
    _ = core.connect(other, as: Self.keys[0].peer, isNearby: false, begins: false, at: .start)
    let hidden = core.receive(.fetch(log.room, [asked]), from: other, at: .start)
    #expect(!hidden.contains(where: isLoad) && sent(core.open(log, durable: 3, at: .start)).isEmpty)

    // So many are put off, and no more.
    core.close(log.room)
    for _ in 0..<1_000 { _ = core.receive(.fetch(log.room, [asked]), from: Self.neighbour, at: .start) }
    #expect(core.load.deferred <= 64)
  }
}
