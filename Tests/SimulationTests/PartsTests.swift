import BotKit
import EventLog
import Events
import Testing

@testable import Simulation

/// The simulation's parts, each by itself.
@Suite("Parts of the simulation") struct PartsTests {
  @Test("What is put in comes out by time, and among equals in the order in which it was put in")
  func schedule() {
    var random = RandomStream(seed: 1)
    var schedule = Schedule<Int>()
    var expected: [(time: UInt64, item: Int)] = []
    for item in 0..<500 {
      let time = random.time(0...39)
      schedule.add(item, at: time)
      expected.append((time, item))
    }
    expected.sort { ($0.time, $0.item) < ($1.time, $1.item) }
    for wanted in expected {
      let next = schedule.next()
      #expect(next?.time == wanted.time && next?.item == wanted.item)
    }
    #expect(schedule.next() == nil)
  }

  @Test("The network loses, doubles, changes and delays as it was told to")
  func network() {
    var plan = Plan.Network()
    plan.lossPerMille = 300
    plan.duplicationPerMille = 200
    plan.corruptionPerMille = 100
    var network = Network(plan, peers: 2, random: RandomStream(seed: 2))
    let bytes = [UInt8](repeating: 7, count: 100)
    var (lost, doubled, spoilt) = (0, 0, 0)
    for _ in 0..<10_000 {
      let copies = network.fate(of: bytes, from: 0, to: 1, at: 1_000, after: 0)
      lost += copies.isEmpty ? 1 : 0
      doubled += copies.count == 2 ? 1 : 0
      spoilt += copies.filter(\.isSpoilt).count
      for copy in copies {
        #expect(plan.delay.contains(copy.time - 1_000))
        #expect(copy.isSpoilt == (copy.bytes != bytes) || copy.bytes.count == bytes.count)
      }
    }
    #expect((2_800...3_200).contains(lost))
    #expect((1_250...1_550).contains(doubled))
    #expect((700...1_000).contains(spoilt))
  }

  @Test("Order is kept unless the network is told to mix it")
  func order() {
    for reorders in [false, true] {
      var plan = Plan.Network()
      plan.reorders = reorders
      var network = Network(plan, peers: 2, random: RandomStream(seed: 3))
      var last: UInt64 = 0
      var overtakings = 0
      for time in 0..<1_000 as Range<UInt64> {
        for copy in network.fate(of: [1], from: 0, to: 1, at: time, after: last) {
          if copy.time < last { overtakings += 1 }
          last = max(last, copy.time)
        }
      }
      #expect((overtakings > 0) == reorders)
    }
  }

  @Test("A cut holds in one direction until its end, a partition between groups, and healing ends both")
  func cuts() {
    var network = Network(Plan.Network(), peers: 3, random: RandomStream(seed: 4))
    network.cut(from: 0, to: 1, until: 50)
    #expect(network.fate(of: [1], from: 0, to: 1, at: 49, after: 0).isEmpty)
    #expect(!network.fate(of: [1], from: 1, to: 0, at: 49, after: 0).isEmpty)
    #expect(!network.fate(of: [1], from: 0, to: 1, at: 50, after: 0).isEmpty)
    network.split([0, 0, 1])
    #expect(network.isOpen(from: 0, to: 1, at: 60) && !network.isOpen(from: 0, to: 2, at: 60))
    network.cut(from: 0, to: 1, until: 90)
    network.heal()
    #expect(network.isOpen(from: 0, to: 2, at: 60) && network.isOpen(from: 0, to: 1, at: 60))
  }

  @Test("A disk takes what follows what it has, refuses the rest, and a copy stays as it was")
  func disk() throws {
    let key = StandInKey(seed: [UInt8](repeating: 1, count: 32))
    let hasher = EventHasher(network: .standard)
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "a"))
    let first = try Event.author(
      .create(create), room: .none, author: key.peer, sequence: 1, previous: .none, parents: [], wallTime: 0,
      hasher: hasher)
    let second = try Event.author(
      .chat("a"), room: first.id, author: key.peer, sequence: 2, previous: first.id, parents: [], wallTime: 0,
      hasher: hasher)
    func change(_ events: Event..., base: Int, isSigned: Bool = true) -> RoomChange {
      let entries = events.map { RoomLog.Entry(event: $0, signature: isSigned ? key.sign($0.id) : nil) }
      return RoomChange(RoomLog(room: first.id, restoring: entries), from: base)
    }
    var disk = Disk()
    #expect(throws: LogError.self) { try disk.write([change(first, base: 0, isSigned: false)]) }
    try disk.write([change(first, base: 0)])
    let copy = disk
    #expect(throws: LogError.self) { try disk.write([change(first, second, base: 2)]) }
    try disk.write([change(first, second, base: 1)])
    #expect(disk.count == 2 && copy.count == 1)
    #expect(disk.log(of: disk.rooms[0]).verifiedThrough(of: key.peer) == 2)
    #expect(!copy.holds(disk.rooms[0]) { _ in true } && disk.holds(copy.rooms[0]) { _ in true })
  }

  @Test("A stand-in signature is its owner's alone")
  func keys() {
    let keys = (1...2).map { StandInKey(seed: [UInt8](repeating: $0, count: 32)) }
    let scheme = StandInScheme(keys)
    let id = EventID(keys[0].peer.bytes)
    let signature = keys[0].sign(id)
    #expect(scheme.isValid(signature, of: id, by: keys[0].peer))
    #expect(!scheme.isValid(signature, of: id, by: keys[1].peer))
    #expect(!scheme.isValid(signature, of: EventID(keys[1].peer.bytes), by: keys[0].peer))
    #expect(!scheme.isValid(keys[1].sign(id), of: id, by: keys[0].peer))
    #expect(!StandInScheme([keys[1]]).isValid(signature, of: id, by: keys[0].peer))
  }

  @Test("What is sealed to a stand-in key its owner alone opens, and two boxes of one secret are alike")
  func boxes() throws {
    let keys = (1...2).map { StandInKey(seed: [UInt8](repeating: $0, count: 32), takesBoxes: true) }
    let secret = Digest(Bytes32([UInt8](repeating: 3, count: 32), at: 0))
    let box = try #require(SealedBox.seal([1, 2, 3], to: keys[0].peer, secret: secret))
    #expect(box == SealedBox.seal([1, 2, 3], to: keys[0].peer, secret: secret))
    #expect(keys[0].open(box) == [1, 2, 3] && keys[1].open(box) == nil)
    #expect(StandInKey(seed: [UInt8](repeating: 1, count: 32)).open(box) == nil)
    let id = EventID(keys[0].peer.bytes)
    #expect(StandInScheme(keys).isValid(keys[0].sign(id), of: id, by: keys[0].peer))
  }

  @Test("A fault that is left out changes no other draw of the plan")
  func plans() {
    for seed in 0..<200 as Range<UInt64> {
      let whole = Plan(SimulationOptions(seed: seed))
      let without = Plan(SimulationOptions(seed: seed, without: [.loss]))
      #expect(without.faults == whole.faults.subtracting([.loss]))
      #expect(without.mischief == whole.mischief && without.rooms.count == whole.rooms.count)
      #expect(without.safetyMilliseconds == whole.safetyMilliseconds)
      for fault in Fault.separate {
        let without = Plan(SimulationOptions(seed: seed, without: [fault]))
        #expect(without.faults == whole.faults.subtracting([fault]))
        #expect(without.network.delay == whole.network.delay && without.rooms.count == whole.rooms.count)
      }
      #expect(whole.honest.count >= 2)
      #expect((seed % 2 == 1) == (whole.honest.count < whole.mischief.count))
    }
  }
}
