import Events
import Projection
import Rules
import Testing

@Suite("Moves, resignations, take-backs and rulings")
struct PlayTests {
  @Test("A move needs its turn, a free cell, its game, its ply, and its node")
  func wrongMoves() throws {
    var (script, start) = try RoomScript.started()
    let early = try script.move(.bob, 0, at: start)
    let code = try script.move(.alice, 9, at: start)
    let stranger = try script.move(.carol, 0, at: start)
    let game = try script.move(.alice, 0, at: Place(node: start.node, game: 1))
    let ply = try script.move(.alice, 0, at: Place(node: start.node, ply: 1))
    let node = try script.move(.alice, 0, at: Place(node: script.room))
    let zero = try script.move(.alice, 0, at: Place(node: .none))
    let commit = try script.commit(.alice, seat: 0, 0, at: start)
    let expected: [(Event, Verdict)] = [
      (early, .notYourTurn), (code, .illegal), (stranger, .notEntitled), (game, .wrongRound),
      (ply, .wrongRound), (node, .offLine), (zero, .offLine), (commit, .illegal),
    ]
    for (event, verdict) in expected { #expect(script.verdict(event) == verdict) }
    #expect(script.state.games[0].plies.isEmpty)
    let move = try script.move(.alice, 4, at: start)
    let taken = try script.move(.bob, 4, at: start.after(move))
    #expect(script.verdict(taken) == .illegal)
    #expect(script.state.games[0].plies.count == 1)
  }

  @Test("A move before the start has no effect, also when the start comes")
  func beforeStart() throws {
    var script = try RoomScript.readied()
    let move = try script.move(.alice, 0, at: Place(node: .none))
    #expect(script.verdict(move) == .notStarted)
    try script.write(.alice, .start(roster: script.roster()))
    #expect(script.verdict(move) == .offLine)
    #expect(script.state.games[0].plies.isEmpty)
  }

  @Test("A move names what it has seen")
  func unseenNode() throws {
    var (script, start) = try RoomScript.started()
    let first = try script.move(.alice, 0, at: start)
    let blind = try script.move(.bob, 4, at: start.after(first), seeing: .nothing)
    #expect(script.verdict(blind) == .offLine)
    #expect(script.state.games[0].plies.count == 1)
  }

  @Test("After the end nothing counts")
  func afterTheEnd() throws {
    var (script, start) = try RoomScript.started()
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let tries = [
      try script.move(.bob, 5, at: end), try script.write(.bob, .resign(node: end.node)),
      try script.write(.alice, .leave(node: end.node)),
    ]
    for event in tries { #expect(script.verdict(event) != .effective) }
    #expect(script.verdict(tries[1]) == .over)
    #expect(script.state.phase == .finished)
    #expect(script.state.games[0].ending?.outcome?.scores == [1, 0])
  }

  @Test("A draw is nobody's")
  func draw() throws {
    var (script, start) = try RoomScript.started()
    _ = try script.play([0, 1, 2, 4, 3, 5, 7, 6, 8], from: start)
    #expect(script.state.games[0].ending?.outcome == .drawn(of: 2))
    #expect(script.state.games[0].ending?.cause == .rules)
  }

  @Test("Two moves on one node lose, whichever comes first", arguments: [false, true])
  func doubleMove(isAnswered: Bool) throws {
    var (script, start) = try RoomScript.started()
    let first = try script.move(.alice, 0, at: start)
    if isAnswered { try script.move(.bob, 4, at: start.after(first)) }
    let second = try script.move(.alice, 1, at: start)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(0)))
    #expect(script.state.games[0].ending?.node == second.id)
    #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
  }

  @Test("A second offence does not take the place of the first, on which the series goes on")
  func secondOffence() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    for code in 0..<2 { try script.move(.alice, UInt32(code), at: start) }
    guard let ending = script.state.games[0].ending else {
      Issue.record("the double move did not end the game")
      return
    }
    try script.move(.bob, 4, at: Place(node: ending.node, game: 1))
    for code in 2..<9 { try script.move(.alice, UInt32(code), at: start) }
    #expect(script.state.games[0].ending?.node == ending.node)
    #expect(script.state.games[1].plies.count == 1)
  }

  @Test("Who has gone on to the next game cannot take games back by breaking the rules")
  func lateOffence() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 3))
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let next = try script.play([0, 1], from: Place(node: end.node, game: 1), first: 1)
    let late = try script.move(.alice, 8, at: start)
    let lateToo = try script.move(.bob, 8, at: start.after(script.events[6]))
    #expect(script.verdict(late) == .superseded)
    #expect(script.verdict(lateToo) != .effective)
    #expect(script.state.tip == next.node)
    #expect(script.state.games[0].ending?.cause == .rules)
  }

  @Test("A resignation loses the game and the series goes on with the other seat first")
  func series() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 3))
    let first = try script.write(.alice, .resign(node: start.node))
    #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
    var place = start.nextGame(first)
    #expect(script.state.turn == .seat(Seat(1)))
    place = try script.play([0, 3, 1, 4, 2], from: place, first: 1)
    #expect(script.state.games[1].ending?.outcome?.scores == [0, 1])
    place = Place(node: place.node, game: 2)
    #expect(script.state.turn == .seat(Seat(0)))
    let again = try script.write(.bob, .resign(node: start.node))
    #expect(script.verdict(again) == .superseded)
    let last = try script.write(.bob, .resign(node: place.node))
    #expect(script.state.phase == .finished)
    #expect(script.state.games.map(\.first) == [Seat(0), Seat(1), Seat(0)])
    #expect(script.state.games[2].ending?.node == last.id)
  }

  @Test("A resignation that knew of the move is stale")
  func staleResignation() throws {
    var (script, start) = try RoomScript.started()
    let move = try script.move(.alice, 0, at: start)
    let stale = try script.write(.bob, .resign(node: start.node))
    #expect(script.verdict(stale) == .superseded)
    #expect(script.state.tip == move.id)
  }

  // MARK: - Leaving

  @Test(
    "Leaving before the first move: the game never was; in a game: a loss; between games: the rest never was")
  func leaving() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    let quiet = script
    try script.write(.bob, .leave(node: start.node))
    #expect(script.state.phase == .closed(TestPeer.bob.id))
    #expect(script.state.games[0].ending?.outcome == nil)

    script = quiet
    let place = try script.play([0], from: start)
    try script.write(.alice, .leave(node: place.node))
    #expect(script.state.phase == .abandoned(Seat(0)))
    #expect(script.state.games.count == 1)
    #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
    #expect(script.state.games[0].ending?.cause == .left(Seat(0)))

    script = quiet
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    try script.write(.bob, .leave(node: end.node))
    #expect(script.state.phase == .abandoned(Seat(1)))
    #expect(script.state.games.map { $0.ending?.outcome?.scores } == [[1, 0], nil])

    script = quiet
    let given = try script.write(.alice, .resign(node: start.node))
    try script.write(.bob, .leave(node: given.id))
    #expect(script.state.phase == .abandoned(Seat(1)))
  }

  @Test(
    "A leaving from before the start closes a room that has started; one that knew the start must name a node"
  )
  func leavingBesideStart() throws {
    var script = try RoomScript.readied()
    let start = try script.write(.alice, .start(roster: script.roster()))
    let before = script
    let leave = try script.write(.bob, .leave(node: .none), seeing: .nothing)
    #expect(script.state.phase == .closed(TestPeer.bob.id))
    #expect(script.verdict(start) == .effective)
    #expect(script.verdict(leave) == .effective)
    script = before
    let wrong = try script.write(.bob, .leave(node: .none))
    #expect(script.verdict(wrong) != .effective)
    #expect(script.state.phase == .playing)
  }

  // MARK: - Take-backs

  private let undoRoom = RoomScript.Room(games: 2, allowsUndo: true, referee: TestPeer.rita.id)

  @Test("A take-back of two plies, asked for by the one and accepted by the other")
  func takeBack() throws {
    var (script, start) = try RoomScript.started(undoRoom)
    let place = try script.play([0, 4, 8], from: start)
    let request = try script.write(.bob, .undoRequest(node: place.node, ply: 1))
    #expect(script.state.undoRequest?.id == request.id)
    #expect(script.verdict(request) == .unanswered)
    let own = try script.write(.bob, .undoAccept(request: request.id))
    #expect(script.verdict(own) == .superseded)
    let foreign = try script.write(.carol, .undoAccept(request: request.id))
    #expect(script.verdict(foreign) == .notEntitled)
    let accept = try script.write(.alice, .undoAccept(request: request.id))
    #expect(script.verdict(accept) == .effective)
    #expect(script.verdict(request) == .effective)
    #expect(script.state.games[0].plies.count == 1)
    #expect(script.state.turn == .seat(Seat(1)))
    try script.move(.bob, 8, at: place.back(accept, to: 1))
    #expect(script.state.games[0].plies.count == 2)
    #expect(script.state.games[0].ending == nil)
  }

  @Test("Silence refuses; an accept that knew of a move is stale")
  func refusedTakeBack() throws {
    var (script, start) = try RoomScript.started(undoRoom)
    let place = try script.play([0], from: start)
    let request = try script.write(.alice, .undoRequest(node: place.node, ply: 0))
    let move = try script.move(.bob, 4, at: place)
    #expect(script.state.undoRequest == nil)
    let stale = try script.write(.bob, .undoAccept(request: request.id))
    #expect(script.verdict(stale) == .superseded)
    #expect(script.state.tip == move.id)
  }

  @Test("No take-back forward, past the game, without permission, or where choices are simultaneous")
  func noTakeBack() throws {
    var (script, start) = try RoomScript.started(undoRoom)
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let next = try script.play([0], from: Place(node: end.node, game: 1), first: 1)
    for ply in [1, 2, 9] {
      let request = try script.write(.bob, .undoRequest(node: next.node, ply: UInt16(ply)))
      let accept = try script.write(.alice, .undoAccept(request: request.id))
      #expect(script.verdict(accept) == .superseded)
    }
    #expect(script.state.tip == next.node)
    #expect(script.state.undoRequest == nil)
    var (plain, first) = try RoomScript.started()
    let place = try plain.play([0], from: first)
    let asked = try plain.write(.alice, .undoRequest(node: place.node, ply: 0))
    #expect(plain.verdict(asked) == .notEntitled)
    var dilemma = RoomScript.Room.dilemma(rounds: 3)
    dilemma.allowsUndo = true
    var (choices, begin) = try RoomScript.started(dilemma)
    let later = try choices.round((0, 0), at: begin)
    let request = try choices.write(.alice, .undoRequest(node: later.node, ply: 0))
    let accept = try choices.write(.bob, .undoAccept(request: request.id))
    #expect(choices.verdict(accept) == .notEntitled)
    #expect(choices.state.games[0].plies.count == 1)
  }

  // MARK: - Claims and rulings

  @Test("A referee that holds a seat rules nothing, whoever created the room")
  func aRefereeWithASeatRulesNothing() throws {
    for referee in [TestPeer.alice, .bob] {
      var (script, start) = try RoomScript.started(RoomScript.Room(referee: referee.id))
      let place = try script.play(referee == .alice ? [4] : [], from: start)
      let silent = referee == .alice ? 1 : 0
      let claim = try script.write(referee, .claim(node: place.node, seat: UInt16(silent)))
      let ruling = try script.write(referee, .ruling(claim: claim.id))
      #expect(script.verdict(ruling) == .notEntitled)
      #expect(script.state.phase == .playing && script.state.games[0].ending == nil)
    }
  }

  @Test("The referee alone rules, on a seat's claim, about the seat whose turn it is, while it is silent")
  func rulings() throws {
    var (script, start) = try RoomScript.started(undoRoom)
    let place = try script.play([0], from: start)
    let claim = try script.write(.alice, .claim(node: place.node, seat: 1))
    let about = try script.write(.alice, .claim(node: place.node, seat: 0))
    let stranger = try script.write(.carol, .claim(node: place.node, seat: 1))
    let wrong = [
      try script.write(.alice, .ruling(claim: claim.id)), try script.write(.carol, .ruling(claim: claim.id)),
      try script.write(.rita, .ruling(claim: about.id)), try script.write(.rita, .ruling(claim: stranger.id)),
      try script.write(.rita, .ruling(claim: place.node)),
    ]
    for event in wrong { #expect(script.verdict(event) != .effective) }
    #expect(script.verdict(wrong[0]) == .notEntitled)
    #expect(script.verdict(claim) == .unanswered)
    let played = script
    let ruling = try script.write(.rita, .ruling(claim: claim.id))
    #expect(script.verdict(ruling) == .effective)
    #expect(script.verdict(claim) == .effective)
    #expect(script.state.games[0].ending?.cause == .ruled(Seat(1)))
    script = played
    try script.move(.bob, 4, at: place)
    let late = try script.write(.rita, .ruling(claim: claim.id))
    #expect(script.verdict(late) == .superseded)
    #expect(script.state.games[0].ending == nil)
  }

  @Test("Who waits for the other's commit owes nothing; who owes the reveal does")
  func rulingsInARound() throws {
    var (script, place) = try RoomScript.started(.dilemma(rounds: 2, referee: TestPeer.rita.id))
    let claims = try [0, 1].map { seat in
      try script.write(TestPeer.players[1 - seat], .claim(node: place.node, seat: UInt16(seat)))
    }
    let first = try script.commit(.alice, seat: 0, 0, at: place)
    let fair = try script.write(.rita, .ruling(claim: claims[0].id))
    #expect(script.verdict(fair) == .superseded)
    // What comes later, unseen by the ruling, does not make it right.
    let second = try script.commit(.bob, seat: 1, 1, at: place, seeing: .only([first]))
    #expect(script.verdict(fair) == .superseded)
    #expect(script.state.games[0].ending == nil)
    try script.reveal(.bob, seat: 1, 1, of: second, at: place)
    let ruling = try script.write(.rita, .ruling(claim: claims[0].id))
    #expect(script.verdict(ruling) == .effective)
    #expect(script.state.games[0].ending?.outcome?.scores == [-2, 6])
    place.ply = 1
  }

  @Test("Chat and concurrent writes are never lost")
  func chat() throws {
    var (script, start) = try RoomScript.started()
    let base = script.events.count
    var written: [Event] = []
    for peer in [TestPeer.alice, .bob, .carol, .sybil] {
      written.append(
        try script.write(peer, .chat("I am \(peer.name)"), seeing: .only([script.events[base - 1]])))
      written.append(try script.write(peer, .chat("still"), seeing: .nothing))
    }
    let move = try script.move(.alice, 0, at: start)
    #expect(Set(script.state.chat.map(\.event)) == Set(written.map(\.id)))
    #expect(script.state.chat.map(\.author) == script.state.chat.map(\.author).sorted())
    #expect(script.state.tip == move.id)
  }
}
