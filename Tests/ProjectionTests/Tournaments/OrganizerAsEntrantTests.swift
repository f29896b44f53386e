import Events
import Games
import Projection
import Testing
import Tournaments

@Suite("An organizer that plays in its own tournament") struct OrganizerAsEntrantTests {
  private func cup(referee: TestPeer, isNamed: Bool = true) throws -> Cup {
    try Cup([.alice, .bob], organizerPlays: true, referee: referee, isNamed: isNamed)
  }

  @Test("Without a referee that is neither organizer nor entrant its word on its own pairing is refused")
  func refused() throws {
    for (referee, isNamed) in [(TestPeer.alice, true), (.bob, true), (.rita, false)] {
      var cup = try cup(referee: referee, isNamed: isNamed)
      let room = try cup.play(0, .init(signers: 1, referee: referee))
      let event = try cup.say(0, room, [1, 0])
      let read = try cup.read()
      #expect(read.findings.map(\.kind) == [.refused])
      #expect(read.findings.first?.event == event)
      #expect(read.findings.first?.reason.contains("names no referee but the organizer") == true)
      #expect(read.state.decidedCount == 0)
      #expect(try TournamentRoom(cup.script.state, Games.catalog)?.state.decidedCount == 0)
    }
  }

  @Test("What both signed counts without any word, whoever is the referee")
  func signed() throws {
    for referee in [TestPeer.alice, .rita] {
      var cup = try cup(referee: referee)
      try cup.play(0, .init(referee: .carol))
      #expect(try cup.counted() == [[[1, 0]]])
    }
  }

  @Test("With another referee it says what its room gives, and cannot call its opponent absent")
  func anotherReferee() throws {
    let seat = try #require(try cup(referee: .rita).players(0).firstIndex(of: .alice))
    let opponentAbsent: Cup.Walkover = seat == 0 ? .secondAbsent : .firstAbsent
    let ownAbsence: Cup.Walkover = seat == 0 ? .firstAbsent : .secondAbsent
    for walkover in [opponentAbsent, .bothAbsent] {
      var cup = try cup(referee: .rita)
      let room = try cup.play(0, .init(moves: [0], referee: .rita))
      try cup.say(0, room, nil, walkover)
      #expect(try cup.kinds() == [.refused])
      #expect(try cup.read().findings.first?.reason.contains("cannot call its opponent absent") == true)
      #expect(try cup.read().state.decidedCount == 0)
    }
    var own = try cup(referee: .rita)
    let room = try own.play(0, .init(moves: [0], referee: .rita))
    try own.say(0, room, nil, ownAbsence)
    #expect(try own.kinds() == [.holds])
    #expect(try own.read().state.decidedCount == 1)
  }

  @Test("The referee's ruling in the room is what the organizer may write down")
  func ruling() throws {
    var cup = try cup(referee: .rita)
    let room = try cup.play(0, .init(moves: [0], signers: 0, referee: .rita, ruledOut: 1))
    try cup.say(0, room, [1, 0])
    #expect(try cup.kinds() == [.holds])
    #expect(try cup.counted() == [[[1, 0]]])
    var lied = try self.cup(referee: .rita)
    let other = try lied.play(0, .init(moves: [0], signers: 0, referee: .rita, ruledOut: 1))
    try lied.say(0, other, [0, 1])
    #expect(try lied.kinds() == [.contradicted])
  }

  @Test("A room of its own pairing that names another referee than the tournament is no room of it")
  func roomsReferee() throws {
    for referee in [TestPeer.alice, .carol] {
      var cup = try cup(referee: .rita)
      try cup.say(0, try cup.play(0, .init(signers: 1, referee: referee)), [1, 0])
      #expect(try cup.kinds() == [.contradicted])
      var signed = try self.cup(referee: .rita)
      try signed.say(0, try signed.play(0, .init(referee: referee)), [1, 0])
      #expect(try signed.kinds() == [.holds])
    }
  }

  @Test("Who is the referee of a room: the organizer, but where it plays")
  func referees() throws {
    let cup = try Cup([.alice, .bob, .carol], organizerPlays: true, referee: .rita)
    let tournament = try cup.unplayed()
    for pairing in 0..<3 as Range<UInt32> {
      let isOwn = try cup.players(pairing).contains(.alice)
      #expect(
        tournament.referee(of: try cup.attempt(pairing)) == (isOwn ? TestPeer.rita.id : TestPeer.alice.id))
    }
    let alone = try Cup([.alice, .bob], organizerPlays: true, referee: .bob)
    #expect(try alone.unplayed().referee(of: alone.attempt(0)) == .none)
  }
}
