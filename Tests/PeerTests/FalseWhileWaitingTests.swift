import EventLog
import Events
import Gossip
import Peer
import Testing

@testable import EventLog

/// An event may wait for what it names before it shows that it is false. It is refused then, and not asked for again
/// and again.
@Suite struct FalseWhileWaitingTests {
  /// A room in which the creator names what somebody says who is no member.
  private struct MisnamedRoom {
    let log: RoomLog
    let said: Run
    let naming: Event

    init(isInOneRun: Bool) throws {
      let keys = [1, 9].map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
      let hasher = EventHasher(network: .standard)
      let create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"))
      let first = try Event.author(
        .create(create), room: .none, author: keys[0].peer, sequence: 1, previous: .none, parents: [],
        wallTime: 0, hasher: hasher)
      let said = try Event.author(
        .chat("hello"), room: first.id, author: keys[1].peer, sequence: 1, previous: .none,
        parents: [first.id], wallTime: 0, hasher: hasher)
      naming = try Event.author(
        .chat("hello"), room: first.id, author: keys[0].peer, sequence: 2, previous: first.id,
        parents: [said.id], wallTime: 0, hasher: hasher)
      var log = RoomLog(room: first.id)
      log.restore(first, signature: isInOneRun ? nil : keys[0].sign(first.id))
      log.restore(said, signature: keys[1].sign(said.id))
      log.restore(naming, signature: keys[0].sign(naming.id))
      self.log = log
      self.said = Run(events: [said], signature: keys[1].sign(said.id))
    }
  }

  @Test(arguments: [false, true]) func itsSenderIsRefused(isInOneRun: Bool) throws {
    var net = ReplicationTests.Net(count: 2, seed: 1)
    let room = try MisnamedRoom(isInOneRun: isInOneRun)
    net.peers[0].open(room.log, isDurable: true, at: net.now)
    net.connect(0, 1)
    net.settle()
    #expect(net.refused.map(\.by) == [1])
    #expect(net.refused.map(\.reason) == [.broken(room.log.room, .misnamed(room.naming.id))])
    #expect(net.peers[1].log(of: room.log.room)?.entries.count == (isInOneRun ? 0 : 2))
  }

  /// Who brings what the false event had waited for is not at fault.
  @Test func whoBringsWhatItNamedIsNotRefused() throws {
    var net = ReplicationTests.Net(count: 3, seed: 1)
    let room = try MisnamedRoom(isInOneRun: true)
    net.peers[0].open(room.log, isDurable: true, at: net.now)
    net.connect(0, 1)
    net.connect(1, 2)
    let own = Run(
      events: [room.log.events[0], room.naming], signature: try #require(room.log.entries[2].signature)
    )
    for (run, from) in [(own, 0), (room.said, 2)] {
      net.peers[1].receive(
        Message.runs(RunsMessage(room: room.log.room, runs: [run])).encoded(), from: Neighbour(UInt32(from)),
        at: net.now)
      net.collect()
    }
    #expect(net.refused.isEmpty)
    net.settle()
    #expect(net.refused.map(\.reason) == [.broken(room.log.room, .misnamed(room.naming.id))])
  }
}
