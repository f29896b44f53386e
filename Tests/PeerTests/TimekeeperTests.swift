import Events
import Games
import Peer
import Projection
import Rules
import Testing

/// Two players and a referee of one process, who see all at once, and clocks that the test sets.
private struct TimedTable {
  /// Members: the host in seat 0, the guest in seat 1, the referee.
  var core: PeerCore
  var keepers: [Timekeeper]
  let room: RoomID
  var now: UInt64 = 1_000_000

  init(
    rules: String = "tic-tac-toe", moveLimit: UInt32 = 0, clock: UInt32 = 0, increment: UInt32 = 0,
    games: UInt16 = 1,
    claims: Bool = false
  ) throws {
    let keys = (1...3).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
    core = PeerCore(
      signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
    for key in keys.dropFirst() { _ = core.admit(key) }
    keepers = keys.map { Timekeeper($0.peer, claimsByItself: claims) }
    let definition = try #require(Games.catalog.newest(rules))
    room = try core.create(
      Create(
        rules: rules, rulesVersion: definition.version, parameters: try definition.rules().parameters.encoded,
        seats: 2, games: games, nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "host"),
        creatorSeat: 0, moveLimitMilliseconds: moveLimit, clockMilliseconds: clock,
        incrementMilliseconds: increment, referee: keys[2].peer))
    try settle()
  }

  /// Has the players do their duties.
  mutating func settle() throws {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for member in 0..<2 {
        let conduct = PeerCore.Conduct(profile: Profile(name: "player"), wantedSeat: member == 1 ? 1 : nil)
        if try core.doDuties(in: room, conduct, by: member) { isQuiet = false }
      }
    }
  }

  var state: RoomState {
    mutating get throws {
      let state = core.state(of: room)
      return try #require(state)
    }
  }

  /// Has a member look at the room, and write what its timekeeper says.
  @discardableResult mutating func look(_ member: Int) throws -> Timekeeper.Act? {
    let act = keepers[member].look(at: try state, at: now)
    guard let act, try core.perform(act, in: room, by: member) else { return nil }
    try settle()
    return act
  }

  mutating func play(_ member: Int, _ code: UInt32) throws {
    try core.choose(MoveCode(code), in: room, by: member)
    try settle()
  }

  mutating func claim(_ member: Int) throws {
    try core.perform(.claim, in: room, by: member)
  }

  /// Why the first game ended.
  var cause: GameRecord.Cause? {
    mutating get throws { try state.games[0].ending?.cause }
  }
}

@Suite struct TimekeeperTests {
  @Test func theRefereeRulesOnAClaimWhenTheMoveLimitIsOver() throws {
    var table = try TimedTable(moveLimit: 60_000)
    try table.look(2)
    try table.play(0, 4)
    table.now += 1_000
    #expect(try table.look(2) == nil)
    let seen = table.now
    try table.claim(0)
    table.now = seen + 59_999
    #expect(try table.look(2) == nil)
    #expect(table.keepers[2].nextDue == seen + 60_000)
    #expect(table.keepers[2].takeRooms(dueAt: table.now) == [])
    table.now += 1
    #expect(table.keepers[2].takeRooms(dueAt: table.now) == [table.room])
    #expect(table.keepers[2].takeRooms(dueAt: table.now) == [])
    let claim = try #require(try table.state.claims.first)
    #expect(try table.look(2) == .rule(claim: claim.id, against: Seat(1), .move))
    #expect(try table.cause == .ruled(Seat(1)))
    #expect(try table.state.games[0].ending?.outcome?.scores == [1, 0])
  }

  @Test func nobodyIsRuledAgainstWithoutAClaimOrAfterTheStep() throws {
    var table = try TimedTable(moveLimit: 60_000)
    try table.play(0, 4)
    try table.look(2)
    table.now += 600_000
    #expect(try table.look(2) == nil)
    try table.claim(0)
    try table.play(1, 0)
    #expect(try table.look(2) == nil)
    #expect(try table.cause == nil)
    // The claim was of the move before: it says nothing of the one that is owed now.
    table.now += 600_000
    #expect(try table.look(2) == nil)
    #expect(try table.state.claims.isEmpty)
  }

  @Test func aRefereeThatStartsAgainCountsAnew() throws {
    var table = try TimedTable(moveLimit: 60_000)
    try table.play(0, 4)
    try table.look(2)
    try table.claim(0)
    table.now += 59_000
    table.keepers[2] = Timekeeper(table.core.keys.ids[2], claimsByItself: false)
    try table.look(2)
    table.now += 59_000
    #expect(try table.look(2) == nil)
    table.now += 1_000
    #expect(try table.look(2) != nil)
    #expect(try table.cause == .ruled(Seat(1)))
  }

  @Test func aClockIsForAllMovesOfAGameAndEachMoveAddsToIt() throws {
    var table = try TimedTable(clock: 10_000, increment: 2_000)
    try table.look(2)
    var clocks = try #require(SeatClocks(try table.state.create))
    clocks.observe(try table.state, at: table.now)
    for (member, code) in [(0, UInt32(4)), (1, 0), (0, 8), (1, 2)] {
      table.now += member == 0 ? 1_000 : 7_000
      try table.play(member, code)
      try table.look(2)
      clocks.observe(try table.state, at: table.now)
    }
    #expect(clocks.left(of: Seat(0), at: table.now) == 12_000)
    #expect(clocks.left(of: Seat(1), at: table.now) == 0)
    try table.play(0, 1)
    try table.look(2)
    try table.claim(0)
    let claim = try #require(try table.state.claims.first)
    #expect(try table.look(2) == .rule(claim: claim.id, against: Seat(1), .clock))
    #expect(try table.cause == .ruled(Seat(1)))
  }

  /// The limit that is reached first is what a ruling names.
  @Test(arguments: [(UInt32(5_000), UInt32(9_000), SeatClocks.Limit.move), (9_000, 5_000, .clock)])
  func ofTwoLimitsTheFirstRules(_ move: UInt32, _ clock: UInt32, _ limit: SeatClocks.Limit) throws {
    var table = try TimedTable(moveLimit: move, clock: clock)
    try table.play(0, 4)
    try table.look(2)
    try table.claim(0)
    table.now += 4_999
    #expect(try table.look(2) == nil)
    table.now += 1
    let claim = try #require(try table.state.claims.first)
    #expect(try table.look(2) == .rule(claim: claim.id, against: Seat(1), limit))
  }

  @Test func eachGameHasNewClocks() throws {
    var table = try TimedTable(clock: 10_000, games: 2)
    var clocks = try #require(SeatClocks(try table.state.create))
    clocks.observe(try table.state, at: table.now)
    table.now += 9_000
    try table.core.perform(.resign, in: table.room, by: 0)
    try table.settle()
    clocks.observe(try table.state, at: table.now)
    #expect(clocks.left(of: Seat(0), at: table.now) == 10_000)
    #expect(clocks.left(of: Seat(1), at: table.now) == 10_000)
    #expect(clocks.due(of: Seat(1)) == table.now + 10_000)
    #expect(clocks.due(of: Seat(0)) == nil)
  }

  @Test func inARoundWhoHasCommittedOwesNothingUntilBothHave() throws {
    var table = try TimedTable(rules: "prisoners-dilemma", moveLimit: 1_000)
    try table.look(2)
    try table.play(0, 0)
    #expect(try table.state.owing == [Seat(1)])
    #expect(throws: PeerError.self) { try table.claim(1) }
    try table.claim(0)
    table.now += 1_000
    #expect(try table.look(2) != nil)
    #expect(try table.cause == .ruled(Seat(1)))
  }

  @Test func aBotClaimsByItselfWhenTheOtherSidesTimeIsUp() throws {
    var table = try TimedTable(moveLimit: 60_000, claims: true)
    try table.play(0, 4)
    for member in [0, 1, 2] { try table.look(member) }
    table.now += 60_000
    #expect(try table.look(1) == nil)
    #expect(try table.look(0) == .claim(Seat(1)))
    #expect(try table.look(0) == nil)
    #expect(try table.look(2) != nil)
    #expect(try table.cause == .ruled(Seat(1)))
  }

  @Test func withoutAnOpenGameOrLimitsNothingIsWatched() throws {
    var table = try TimedTable()
    try table.play(0, 4)
    try table.claim(0)
    table.now += 1 << 40
    #expect(try table.look(2) == nil)
    #expect(!table.keepers[2].isWatching(table.room) && table.keepers[2].nextDue == nil)
  }

  @Test func aClaimNeedsARefereeAndSomebodyWhoOwesAStep() throws {
    var table = try TimedTable(moveLimit: 60_000)
    #expect(throws: PeerError.self) { try table.claim(0) }
    try table.play(0, 4)
    try table.claim(0)
    #expect(throws: PeerError.self) { try table.claim(0) }
    let before = try table.state.claims
    #expect(before.count == 1)
  }
}
