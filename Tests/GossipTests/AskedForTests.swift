import EventLog
import Events
import Testing

@testable import Gossip

/// What a peer asks for uses up none of what a neighbour may make it do; what comes again and again does.
@Suite struct AskedForTests {
  /// Two cores, the second with a narrow limit, and what goes between them.
  private struct Pair {
    static let neighbour = Neighbour(1)
    var cores: [GossipCore]
    var now = Tick(milliseconds: 1)
    var refusals: [Refusal] = []

    init() {
      var narrow = GossipSettings.standard
      narrow.budget.work = .init(perSecond: 1, burst: 64)
      cores = [
        GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard)),
        GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard), settings: narrow),
      ]
    }

    /// Connects both, and delivers what they send but what `isHeld` says, until nothing is left.
    mutating func connect(isHeld: (Message) -> Bool = { _ in false }) {
      let directives = (0..<2).map { core in
        let other = SigningKey(seed: [UInt8](repeating: UInt8(9 - core), count: 32)).peer
        return cores[core].connect(Self.neighbour, as: other, isNearby: true, begins: core == 0, at: now)
      }
      for core in 0..<2 { carryOut(directives[core], of: core, isHeld) }
      while let message = cores[0].offers.nextServed(to: Self.neighbour, at: now) {
        carryOut([.send(message, to: Self.neighbour)], of: 0, isHeld)
      }
    }

    mutating func carryOut(
      _ directives: [Directive], of core: Int, _ isHeld: (Message) -> Bool = { _ in false }
    ) {
      for directive in directives {
        switch directive {
        case .send(let message, _):
          guard !isHeld(message) else { continue }
          let answers = cores[1 - core].receive(message, from: Self.neighbour, at: now)
          carryOut(answers, of: 1 - core, isHeld)
        case .refuse(_, let refusal): refusals.append(refusal)
        case .taken, .load, .notTaken: break
        }
      }
    }
  }

  @Test func manySignedEventsThatWereAskedForAreTaken() throws {
    var pair = Pair()
    let log = try RoomLog.chat(400)
    _ = pair.cores[0].open(log, durable: 400, at: pair.now)
    pair.connect()
    #expect(pair.cores[1].rooms.log(of: log.room)?.entries.count == 400)
    #expect(pair.refusals == [])
  }

  @Test func whoSendsTheSameAgainAndAgainIsRefused() throws {
    var pair = Pair()
    let log = try RoomLog.chat(400)
    _ = pair.cores[0].open(log, durable: 400, at: pair.now)
    pair.connect { message in if case .want = message { true } else { false } }
    #expect(pair.cores[1].rooms.log(of: log.room) == nil)
    let runs = log.entries.prefix(10).compactMap { entry in
      entry.signature.map { Run(events: [entry.event], signature: $0) }
    }
    for _ in 0..<1_000 {
      let message = Message.runs(RunsMessage(room: log.room, remaining: 390, runs: runs))
      pair.carryOut([.send(message, to: Pair.neighbour)], of: 0)
    }
    #expect(pair.cores[1].rooms.log(of: log.room)?.entries.count == 10)
    #expect(pair.refusals == [.flood])
  }
}
