import Events
import Projection
import Rules
import Testing
import Tournaments

/// The table of an attempt, which the two who are paired make themselves.
@Suite struct PlayersTableTests {
  /// A pairing of a cup, played at its table by its first seat.
  /// - Parameter change: makes the room another one.
  private func play(
    _ cup: inout Cup, at time: UInt64 = 0, signers: Int = 2, by creator: TestPeer? = nil,
    _ change: (inout Create) -> Void = { _ in }
  ) throws {
    var table = try cup.unplayed().table(of: cup.attempt(0))
    change(&table)
    var played = Cup.Played(signers: signers, creator: try creator ?? cup.players(0)[0])
    played.create = (table, at: time)
    try cup.play(0, played)
  }

  @Test func whatBothSignedAtTheirTableCountsByItself() throws {
    var cup = try Cup()
    try play(&cup)
    #expect(try cup.counted()[0] == [[1, 0]])
    #expect(try cup.read().findings.isEmpty)
  }

  @Test func whatOneHasSignedDoesNot() throws {
    var cup = try Cup()
    try play(&cup, signers: 1)
    #expect(try cup.counted()[0] == [])
  }

  /// By a decision that is taken back whoever has the first seat comes to another opponent, who would find the first
  /// one at the table.
  @Test func anotherOpponentHasAnotherTable() throws {
    let tables = try [Cup.Walkover.firstAbsent, .secondAbsent].map { walkover in
      var cup = try Cup([.bob, .carol, .dave, .rita], format: .singleElimination)
      try cup.say(0, nil, nil, .secondAbsent)
      try cup.say(1, nil, nil, walkover)
      return try (cup.players(2), cup.read().table(of: cup.attempt(2)))
    }
    #expect(tables[0].0[0] == tables[1].0[0] && tables[0].0[1] != tables[1].0[1])
    var same = tables[0].1
    same.nonce = tables[1].1.nonce
    #expect(tables[0].1 != tables[1].1 && same == tables[1].1)
  }

  /// Else who is paired could make several rooms, and show whichever they like.
  @Test func aRoomThatDiffersFromTheTableInAnythingDoesNotCount() throws {
    let changes: [(inout Create) -> Void] = [
      { $0.nonce[0] ^= 1 }, { $0.nonce[15] ^= 1 }, { $0.scope = .open }, { $0.profile.name += "x" },
      { $0.profile.emoji = "🐱" }, { $0.referee = TestPeer.bob.id }, { $0.referee = .none },
      { $0.allowsUndo = true }, { $0.moveLimitMilliseconds = 1 }, { $0.clockMilliseconds = 1 },
      { $0.incrementMilliseconds = 1 }, { $0.target = 1 }, { $0.bots.nodeLimit = 1 },
      { $0.bots.admission = .excluded }, { $0.bots.isRecomputableOnly = true },
      { $0.rematchOf = RoomID(Bytes32([UInt8](repeating: 1, count: 32), at: 0)) },
      {
        $0.branchOf = .init(room: RoomID(Bytes32([UInt8](repeating: 1, count: 32), at: 0)), game: 0, ply: 0)
      },
      { $0.purpose = .games(tournament: .none, pairing: 0, attempt: 0) },
    ]
    for (number, change) in changes.enumerated() {
      var cup = try Cup()
      try play(&cup, change)
      #expect(try cup.counted()[0] == [], "change \(number)")
    }
    var late = try Cup()
    try play(&late, at: 1)
    #expect(try late.counted()[0] == [])
  }

  @Test func theSecondSeatMakesNoTable() throws {
    var cup = try Cup()
    let second = try cup.players(0)[1]
    try play(&cup, by: second) { $0.creatorSeat = 1 }
    #expect(try cup.counted()[0] == [])
  }

  @Test func aWordAgainstWhatBothSignedAtTheirTableIsVoid() throws {
    var cup = try Cup()
    try play(&cup)
    let table = try #require(cup.held.first)
    try cup.say(0, table, [0, 1])
    #expect(try cup.kinds() == [.void])
    #expect(try cup.counted()[0] == [[1, 0]])
  }

  @Test func tablesOfAttemptsDiffer() throws {
    var tables: Set<Create> = []
    let tournament = try Cup([.bob, .carol, .dave, .rita], format: .singleElimination, options: 3).unplayed()
    for pairing in tournament.state.ready.map(\.pairing) {
      for attempt in (0...3).compactMap(pairing.attempt) {
        #expect(tables.insert(tournament.table(of: attempt)).inserted)
        #expect(Int(tournament.table(of: attempt).games) == attempt.games)
      }
    }
    #expect(tables.count == 8)
  }

  // MARK: - What the organizer says of a table

  private func word(_ cup: Cup, _ room: RoomScript) throws -> Action.PairingResult? {
    try cup.unplayed().word(on: cup.attempt(0), room.state, heads: room.ends)
  }

  @Test func theOrganizerSaysWhatIsOverAndNothingBefore() throws {
    var cup = try Cup()
    try play(&cup)
    let table = try #require(cup.held.first)
    let said = try #require(try word(cup, table))
    #expect(said.walkover == .played && said.games == [[1, 0]] && said.room == table.room)
    for moves in 0..<5 { #expect(try word(cup, table.after(moves: moves)) == nil) }
    var left = table.after(moves: 2)
    let players = try cup.players(0)
    try left.write(players[0], .leave(node: left.state.tip))
    // The game that was left is lost, so that all games of this pairing have scores.
    #expect(try word(cup, left)?.games == [[0, 1]])
    var closed = table.before(.start)
    try closed.write(players[1], .leave(node: .none))
    #expect(try word(cup, closed)?.walkover == .secondAbsent)
  }

  /// Else a first seat could play the pairing against a key of its own.
  @Test func whoeverSeatsAnotherAtItsTableIsCalledAbsent() throws {
    var cup = try Cup()
    let players = try cup.players(0)
    var table = try RoomScript(cup.unplayed().table(of: cup.attempt(0)), by: players[0])
    try table.grant(try table.request(.sybil), seat: 1, by: players[0])
    for (seat, peer) in [players[0], .sybil].enumerated() { try table.ready(peer, seat: seat) }
    let start = try table.write(players[0], .start(roster: table.roster()))
    var place = Place(node: start.id)
    for code in Cup.firstWins {
      place = place.after(try table.move([players[0], .sybil][place.ply % 2], code, at: place))
    }
    let said = try #require(try word(cup, table))
    #expect(said.walkover == .firstAbsent && said.games.isEmpty && !said.room.isSome)
    cup.hold(table)
    try cup.script.write(.alice, .pairingResult(said))
    #expect(try cup.kinds() == [.holds])
  }

  // MARK: - Starting with those that are there

  /// A tournament of three places of which two are taken, by the start of two.
  private func script(seats: [Int], roster: [Int]) throws -> RoomScript {
    var room = RoomScript.Room(
      creatorSeat: Int(Create.noSeat),
      purpose: .tournament(format: TournamentFormat.roundRobin.rawValue, options: 0, seed: 1, title: ""))
    room.seats = 4
    var script = try RoomScript(room)
    let peers: [TestPeer] = [.bob, .carol, .dave, .rita]
    var grants: [(author: PeerID, grant: EventID)] = []
    for (peer, seat) in zip(peers, seats) {
      grants.append((peer.id, try script.grant(try script.request(peer), seat: seat).id))
    }
    try script.write(
      .alice, .start(roster: Commitments.roster(room: script.room, seats: roster.map { grants[$0] })))
    return script
  }

  @Test func aStartMayLeavePlacesFree() throws {
    let state = try script(seats: [3, 1], roster: [1, 0]).state
    #expect(state.seats.map { $0?.peer } == [TestPeer.carol.id, TestPeer.bob.id])
    #expect(state.create.seats == 2)
    #expect(state.phase == .playing)
  }

  @Test func ofOneEntrantOrOfSomeOfThemThereIsNoStart() throws {
    #expect(try script(seats: [2], roster: [0]).state.start == nil)
    #expect(try script(seats: [0, 1, 2], roster: [0, 1]).state.start == nil)
    #expect(try script(seats: [0, 1, 2], roster: [0, 2, 1]).state.start == nil)
    #expect(try script(seats: [0, 1, 2], roster: [0, 1, 2]).state.start != nil)
  }
}
