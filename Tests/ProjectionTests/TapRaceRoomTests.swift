import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing

/// Rounds with entries in clear, several of a player (Docs/PROTOCOL.md §1.10), on the tap race.
@Suite("Tap races") struct TapRaceRoomTests {
  private typealias Receipts = [(event: Event, milliseconds: UInt32)]

  /// Three players, and the first race open.
  private func race(
    _ settings: String = "taps=10\n", entries: UInt16 = 5, seats: Int = 8
  ) throws -> (HostedScript, opening: Event) {
    var race = try HostedScript(rounds: 2, seats: seats, entries: entries, rules: "tap-race", settings)
    for (number, peer) in [TestPeer.bob, .carol, .dave].enumerated() {
      try race.join(peer, as: UInt16(number))
    }
    let opening = try race.openRace(0)
    return (race, opening)
  }

  /// The taps that count, by the players' numbers.
  private func taps(_ race: HostedScript) throws -> [UInt16: UInt32] {
    let hosted = try race.state().hosted
    guard let round = hosted?.rounds.last, let rules = hosted?.rules else { return [:] }
    return Dictionary(rules.counts(round.played).map { ($0.player, $0.count) }) { $1 }
  }

  @Test("Batches add up, and the first who has all taps by the order of receipts wins")
  func aRace() throws {
    var (race, opening) = try race()
    let first = try [race.tap(.bob, 6, in: opening), race.tap(.carol, 7, in: opening)]
    try race.acknowledge([(first[0], 500), (first[1], 510)], in: opening)
    #expect(try taps(race) == [0: 6, 1: 7])
    #expect(try race.state().hosted?.round?.entries.map(\.choice) == [[0, 6], [0, 7]])
    let last = try [race.tap(.bob, 4, in: opening), race.tap(.carol, 3, in: opening)]
    // The host says that carol's came first.
    try race.acknowledge([(last[1], 700), (last[0], 700)], in: opening)
    try race.close(opening, after: 720)
    try race.settleRace(opening)
    #expect(try race.scores() == [18, 25, 0])
    #expect(try race.state().hosted?.standings.map(\.player.number) == [1, 0, 2])
    #expect(try race.state().hosted?.faults == [] && race.state().phase == .playing)
  }

  // MARK: - Frauds

  @Test("Taps over the rate count nothing, in one batch or in many")
  func overTheRate() throws {
    var (race, opening) = try race("seconds=10\n")
    let greedy = try race.tap(.bob, 1_000, in: opening)
    let many = try (0..<5).map { _ in try race.tap(.carol, 200, in: opening) }
    try race.acknowledge(([greedy] + many).map { ($0, 499) }, in: opening)
    #expect(try taps(race) == [0: 9, 1: 9])
    let more = try race.tap(.bob, 1_000, in: opening)
    try race.acknowledge([(more, 500)], in: opening)
    #expect(try taps(race) == [0: 10, 1: 9])
  }

  @Test("Of a player no more batches count than the room says")
  func tooManyBatches() throws {
    var (race, opening) = try race("seconds=10\n", entries: 2)
    let batches = try (0..<3).map { _ in try race.tap(.bob, 1, in: opening) }
    let receipt = try race.acknowledge(batches.map { ($0, 5_000) }, in: opening)
    #expect(try taps(race) == [0: 2])
    #expect(try race.verdict(on: batches[2]) == .overLimit && race.verdict(on: receipt) == .effective)
  }

  @Test("A batch counts once, however often it is acknowledged")
  func twice() throws {
    var (race, opening) = try race()
    let batch = try race.tap(.bob, 2, in: opening)
    try race.acknowledge([(batch, 1_000)], in: opening)
    let again = try race.acknowledge([(batch, 1_001)], in: opening)
    #expect(try taps(race) == [0: 2] && race.verdict(on: again) == .superseded)
  }

  @Test("A receipt of an earlier time than the one before has no effect")
  func earlierTime() throws {
    var (race, opening) = try race()
    let (b, c) = (try race.tap(.bob, 2, in: opening), try race.tap(.carol, 2, in: opening))
    try race.acknowledge([(b, 1_000)], in: opening)
    let early = try race.acknowledge([(c, 999)], in: opening)
    #expect(try taps(race) == [0: 2] && race.verdict(on: early) == .superseded)
    #expect(try race.verdict(on: c) == .unanswered)
  }

  @Test("What comes behind the close or the time counts nothing, and nothing is taken once it is settled")
  func late() throws {
    var (race, opening) = try race("seconds=10\n")
    let batches = try [TestPeer.bob, .carol, .dave].map { try race.tap($0, 2, in: opening) }
    try race.acknowledge([(batches[0], 10_000), (batches[1], 10_001)], in: opening)
    try race.close(opening, after: 10_003)
    let late = try race.acknowledge([(batches[2], 10_004)], in: opening)
    #expect(try race.verdict(on: late) == .effective, "the host says that it came, and when")
    #expect(try taps(race) == [0: 2])
    try race.settleRace(opening)
    let behind = try race.acknowledge([(try race.tap(.carol, 1, in: opening), 10_005)], in: opening)
    #expect(try race.scores() == [25, 0, 0] && race.verdict(on: behind) == .wrongRound)
  }

  @Test("Strangers, sealed entries and bytes that are no batch count nothing")
  func whatDoesNotCount() throws {
    var (race, opening) = try race()
    let early = try race.write(.bob, .clear([0, 1]), in: opening, seeing: [])
    #expect(try race.verdict(on: early) == .wrongRound, "its author had not seen that the race began")
    let entries = try [
      race.tap(.sybil, 5, in: opening), race.enter(.bob, 1, in: opening),
      race.write(.carol, .clear([0, 0]), in: opening), race.write(.dave, .clear([5]), in: opening),
    ]
    let receipt = try race.acknowledge(entries.map { ($0, 5_000) }, in: opening)
    #expect(try taps(race).isEmpty && race.verdict(on: receipt) == .superseded)
  }

  @Test("A race asks nothing and commits to nothing, and its settlement opens nothing")
  func nothingSealed() throws {
    var (race, opening) = try race()
    let odd = try [
      race.openRace(0, commitment: HostedScript.salt(1)), race.openRace(0, content: [0]),
    ]
    #expect(try odd.map { try race.verdict(on: $0) } == [.illegal, .illegal])
    try race.close(opening)
    let opened = HostedAction.OpenedEntry(choice: [0, 1], salt: HostedScript.salt(1))
    let settlements = try [
      race.settle(opening, [1], []), race.settle(opening, [], [opened]), race.settle(opening, [], []),
    ]
    #expect(try settlements.map { try race.verdict(on: $0) } == [.illegal, .illegal, .illegal])
    #expect(try race.state().hosted?.round?.phase == .closed && race.state().hosted?.faults == [])
    try race.settleRace(opening)
    #expect(try race.state().hosted?.round?.phase == .settled)
  }

  @Test("Two to sixteen players; a room of more or fewer, or with other settings, is of no known rules")
  func rooms() throws {
    for (seats, settings, isKnown) in [
      (2, "taps=10\n", true), (16, "taps=10\n", true), (1, "taps=10\n", false), (17, "taps=10\n", false),
      (8, "seconds=3\n", true), (8, "seconds=2\n", false), (8, "seconds=10\ntaps=10\n", false),
      (8, "", false),
    ] {
      let race = try HostedScript(seats: seats, entries: 9, rules: "tap-race", settings)
      #expect(try (race.state().hosted?.rules != nil) == isKnown, "\(seats) \(settings)")
    }
  }

  // MARK: - Any order

  @Test("Random races with frauds and forks, in random orders, come to one state")
  func randomOrders() throws {
    for seed in 0..<Effort.size(200, quick: 30) {
      var random = RandomStream(seed: UInt64(seed))
      let race = try randomRace(&random)
      let deliveries = Deliveries(race.script.events)
      var expected: Digest?
      for _ in 0..<5 {
        var projection = try race.projection(deliveries.order(&random))
        let digest = projection.digest()
        #expect(expected == nil || digest == expected, "seed \(seed)")
        expected = digest
      }
      for (player, taps) in try taps(race) { #expect(taps <= 200, "seed \(seed), player \(player)") }
    }
  }

  private func randomRace(_ random: inout RandomStream) throws -> HostedScript {
    var (race, opening) = try race("seconds=10\n", entries: UInt16(1 + random.below(4)))
    let peers = [TestPeer.bob, .carol, .dave, .sybil]
    var (entries, time): ([Event], UInt32) = ([], 0)
    for _ in 0..<40 {
      let peer = peers[Int(random.below(4))]
      switch random.below(12) {
      case 0...4:
        let head = race.script.head(of: peer)
        let previous = random.below(9) == 0 ? race.script.events.first { $0.id == head?.previous } : nil
        entries.append(
          try race.tap(peer, UInt16(1 + random.below(300)), in: opening, after: previous))
      case 5...8:
        let some = entries.suffix(Int(1 + random.below(4)))
        time += UInt32(random.below(2_000))
        if !some.isEmpty { try race.acknowledge(some.map { ($0, time) }, in: opening) }
      case 9: if random.below(3) == 0 { try race.close(opening, after: time) }
      case 10: try race.settleRace(opening)
      default:
        if random.below(4) == 0 {
          (opening, time) = (try race.openRace(UInt16(try race.state().hosted?.settledRounds ?? 0)), 0)
        }
      }
    }
    return race
  }
}
