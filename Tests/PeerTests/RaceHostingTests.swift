import Events
import Games
import Peer
import Projection
import Rules
import Testing

/// What the host of a tap race does by itself, on a clock that the test sets.
@Suite("The host of a tap race") struct RaceHostingTests {
  private struct Race {
    var core: PeerCore
    let players: [Int]
    let room: RoomID

    /// A host and two players who are in.
    init(_ race: TapRace, entries: UInt16 = 10, rounds: UInt16 = 2) throws {
      let keys = [1, 2, 3].map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
      core = PeerCore(
        signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
      players = [core.admit(keys[1]), core.admit(keys[2])]
      room = try NewHostedRoom(
        rules: TapRace.name, rulesVersion: TapRace.version, parameters: race.parameters.encoded, title: "",
        rounds: rounds, players: 16, entries: entries, needsCode: false, scope: .local,
        profile: Profile(name: "host")
      ).create(in: &core, nonce: [UInt8](repeating: 7, count: 16), by: 0)
      for player in players {
        try core.perform(.join(code: nil, Profile(name: "p")), in: room, by: player, at: 0)
        _ = try core.host(room, at: 0)
      }
    }

    mutating func open(_ race: TapRace, at now: UInt64) throws -> EventID {
      try core.perform(
        .open(content: [], solution: [], limitMilliseconds: race.limitMilliseconds), in: room, by: 0, at: now)
      return try #require(try round()).opening
    }

    mutating func tap(_ player: Int, _ taps: UInt16, in opening: EventID, at now: UInt64) throws {
      let batch = try #require(TapRace.batch(taps))
      try core.perform(.enter(opening: opening, choice: batch), in: room, by: players[player], at: now)
      _ = try core.host(room, at: now)
    }

    /// Makes all that is there durable.
    mutating func store() throws { core.markDurable(try #require(try core.prepareCommit(room))) }

    mutating func round() throws -> HostedState.Round? { core.state(of: room)?.hosted?.round }

    mutating func scores() throws -> [Int] { core.state(of: room)?.hosted?.players.map(\.score) ?? [] }
  }

  @Test("What a full disk did not take of a round's end is written again", arguments: [1, 2])
  func endsAgain(rounds: UInt16) throws {
    let rules = try settings("taps", 10)
    var race = try Race(rules, rounds: rounds)
    let opening = try race.open(rules, at: 1_000)
    try race.store()
    for now: UInt64 in [100_000, 200_000] { _ = try race.core.host(race.room, at: now) }
    #expect(race.core.state(of: race.room)?.hosted?.settledRounds == 1)
    // The last round ends the room; after another the next is asked.
    if rounds > 1 { _ = try race.open(rules, at: 200_001) }
    race.core.revert([race.room])
    let round = try #require(try race.round())
    #expect(round.opening == opening && round.phase == .open)
    #expect(race.core.hosting.nextDue == 0)
    for now: UInt64 in [300_000, 400_000] { _ = try race.core.host(race.room, at: now) }
    #expect(race.core.state(of: race.room)?.hosted?.settledRounds == 1)
    try race.store()
    _ = try race.core.host(race.room, at: 400_001)
    #expect(race.core.hosting.nextDue == nil)
  }

  private func settings(_ name: String, _ value: Int) throws -> TapRace {
    var parameters = Parameters()
    parameters[name] = "\(value)"
    return try TapRace(parameters)
  }

  @Test("A race to so many taps is closed and settled as soon as somebody has them that count")
  func closesEarly() throws {
    let rules = try settings("taps", 10)
    var race = try Race(rules)
    let opening = try race.open(rules, at: 1_000)
    try race.tap(0, 6, in: opening, at: 1_400)
    try race.tap(1, 9, in: opening, at: 1_430)
    #expect(try race.round()?.entries.isEmpty == true, "they are gathered")
    _ = try race.core.host(race.room, at: 1_440)
    #expect(try race.round()?.entries.map(\.milliseconds) == [400, 430])
    // A claim that comes before its time wins nothing.
    try race.tap(1, 1_000, in: opening, at: 1_460)
    _ = try race.core.host(race.room, at: 1_500)
    #expect(try race.round()?.phase == .open)
    try race.tap(0, 4, in: opening, at: 1_540)
    _ = try race.core.host(race.room, at: 1_580)
    #expect(try race.round()?.phase == .settled && race.round()?.closedMilliseconds == 580)
    #expect(try race.scores() == [25, 18])
    let late = HostedAct.enter(opening: opening, choice: [0, 1])
    let refusal = race.core.state(of: race.room)?.refusal(of: late, by: race.core.keys.ids[race.players[1]])
    #expect(refusal == "that round is over")
  }

  @Test("A race for time is closed when that is over, and what comes then is not acknowledged")
  func closesInTime() throws {
    let rules = try settings("seconds", 3)
    var race = try Race(rules)
    let opening = try race.open(rules, at: 0)
    try race.tap(0, 5, in: opening, at: 2_990)
    #expect(race.core.hosting.nextDue == 3_000)
    _ = try race.core.host(race.room, at: 3_000)
    #expect(try race.round()?.phase == .closed && race.round()?.closedMilliseconds == 3_000)
    try race.tap(1, 50, in: opening, at: 3_001)
    _ = try race.core.host(race.room, at: 3_001)
    #expect(try race.round()?.phase == .settled && race.round()?.entries.count == 1)
    #expect(try race.scores() == [25, 0])
  }

  @Test("A player writes as many batches as count, and the race goes on for the others")
  func limitOfBatches() throws {
    let rules = try settings("seconds", 10)
    var race = try Race(rules, entries: 2)
    let opening = try race.open(rules, at: 0)
    try race.tap(0, 1, in: opening, at: 1_000)
    try race.tap(0, 1, in: opening, at: 1_100)
    #expect(throws: PeerError.self) { try race.tap(0, 1, in: opening, at: 1_200) }
    _ = try race.core.host(race.room, at: 1_300)
    #expect(try race.round()?.phase == .open && race.round()?.entries.count == 2)
  }

  @Test("A host that stops and opens the race again counts nothing of the first time")
  func opensAgain() throws {
    let rules = try settings("taps", 10)
    var race = try Race(rules)
    let first = try race.open(rules, at: 0)
    try race.tap(0, 9, in: first, at: 1_000)
    _ = try race.core.host(race.room, at: 1_100)
    let second = try race.open(rules, at: 5_000)
    try race.tap(1, 10, in: second, at: 6_000)
    _ = try race.core.host(race.room, at: 6_100)
    #expect(race.core.state(of: race.room)?.hosted?.rounds.map(\.phase) == [.void, .settled])
    #expect(try race.scores() == [0, 25])
  }

  @Test("A race asks nothing and has no solution")
  func nothingElseIsOpened() throws {
    let rules = TapRace()
    var race = try Race(rules)
    for act: HostedAct in [
      .open(content: [1], solution: [], limitMilliseconds: 1),
      .open(content: [], solution: [1], limitMilliseconds: 1),
    ] {
      #expect(throws: PeerError.self) { try race.core.perform(act, in: race.room, by: 0, at: 0) }
    }
    let opening = try race.open(rules, at: 0)
    for batch in [[], [0, 0], [0, 0, 1]] as [[UInt8]] {
      #expect(throws: PeerError.self) {
        try race.core.perform(
          .enter(opening: opening, choice: batch), in: race.room, by: race.players[0], at: 1)
      }
    }
  }
}
