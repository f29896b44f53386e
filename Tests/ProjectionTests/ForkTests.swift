import Events
import Projection
import Rules
import Testing

@Suite("Forks")
struct ForkTests {
  @Test("A forker loses what is begun and not agreed, also what it had won; agreed games stand")
  func forkerLoses() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 4))
    let first = try script.play([0, 3, 1, 4, 2], from: start)
    try script.agree(game: 0, first.node, [1, 0])
    let second = try script.play([3, 0, 4, 1, 8, 2], from: Place(node: first.node, game: 1), first: 1)
    #expect(script.state.games[1].ending?.outcome?.scores == [1, 0])
    let before = script.head(of: .alice)
    let third = try script.play([0, 1], from: Place(node: second.node, game: 2))
    try script.write(.alice, .chat("other"), after: before)
    let state = script.state
    #expect(state.forked == [TestPeer.alice.id])
    #expect(state.games.map { $0.ending?.outcome?.scores } == [[1, 0], [0, 1], [0, 1]])
    #expect(state.games[1].ending?.cause == .forked(Seat(0)))
    #expect(state.games[2].ending?.node == third.node)
    #expect(state.phase == .finished)
  }

  @Test("The fork's sequence is the lowest at which two branches differ")
  func lowestSequence() throws {
    var (script, _) = try RoomScript.started()
    let root = script.head(of: .bob)
    var chats: [Event] = []
    for number in 0..<4 { chats.append(try script.write(.bob, .chat("\(number)"))) }
    let late = try script.write(.bob, .chat("branch"), after: chats[2])
    #expect(script.state.chat.map(\.event) == chats[..<3].map(\.id))
    #expect(script.verdict(late) == .forkedFeed)
    try script.write(.bob, .chat("earlier branch"), after: chats[0])
    #expect(script.state.chat.map(\.event) == [chats[0].id])
    try script.write(.bob, .chat("earliest branch"), after: root)
    #expect(script.state.chat.isEmpty)
  }

  @Test("Two forkers: the games that are not agreed are void")
  func bothForked() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    let first = try script.play([0, 3, 1, 4, 2], from: start)
    try script.agree(game: 0, first.node, [1, 0])
    let heads = TestPeer.players.map { script.head(of: $0) }
    _ = try script.play([0, 1], from: Place(node: first.node, game: 1), first: 1)
    for (peer, head) in zip(TestPeer.players, heads) { try script.write(peer, .chat("fork"), after: head) }
    let games = script.state.games
    #expect(games[0].ending?.outcome?.scores == [1, 0])
    #expect(games[1].ending?.outcome == nil)
    #expect(games[1].ending?.cause == .forked(nil))
  }

  @Test("A leaving behind a fork that nobody rests on takes no request back: not all have that branch")
  func leavingOnABranch() throws {
    var script = try RoomScript()
    let request = try script.write(.carol, .request(seat: 1, TestPeer.carol.profile))
    try script.write(.carol, .chat("one"))
    try script.write(.carol, .chat("other"), after: request)
    #expect(script.state.openRequests.map(\.id) == [request.id])
    try script.write(.carol, .leave(node: .none), after: request)
    #expect(script.state.openRequests.map(\.id) == [request.id])
  }

  @Test("A fork before anything was played closes the room")
  func nothingPlayed() throws {
    var (script, start) = try RoomScript.started()
    try script.write(.bob, .chat("one"))
    try script.write(.bob, .chat("two"), after: script.events.last { $0.kind == .ready })
    #expect(script.state.phase == .closed(TestPeer.bob.id))
    #expect(script.state.games[0].ending?.outcome == nil)
    let late = try script.move(.alice, 0, at: start)
    #expect(script.verdict(late) == .effective)
    #expect(script.state.games[0].ending?.outcome?.scores == [1, 0])
  }

  @Test("What never was stays so: the other's leaving before the first move, then a fork")
  func neverWas() throws {
    var (script, start) = try RoomScript.started()
    let root = script.head(of: .alice)
    try script.write(.alice, .chat("one"))
    try script.write(.bob, .leave(node: start.node))
    try script.write(.alice, .chat("two"), after: root)
    #expect(script.state.games[0].ending?.outcome == nil)
    #expect(script.state.phase == .closed(TestPeer.bob.id))
  }

  @Test("The branch that an honest seat cites is the one that is played; a stranger anchors nothing")
  func anchoring() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 3))
    let root = script.head(of: .alice)
    let first = try script.move(.alice, 0, at: start)
    var place = start.after(first)
    place = try script.play([3, 1, 4, 2], from: place, first: 1)
    let next = try script.play([0], from: Place(node: place.node, game: 1), first: 1)
    let hidden = try script.move(.alice, 8, at: start, seeing: .nothing, after: root)
    // Neither the forker's own second key nor another stranger brings the branch back.
    let stranger = try script.write(.sybil, .chat("look"), seeing: .only([hidden]))
    #expect(script.verdict(stranger) == .effective)
    #expect(script.verdict(hidden) == .forkedFeed)
    #expect(script.state.games[0].plies.map(\.node).first == first.id)
    #expect(script.state.tip == next.node)
    #expect(script.state.games.map { $0.ending?.outcome?.scores } == [[0, 1], [0, 1]])
    // When Bob cites it, both branches count, and two moves on one node are an offence.
    try script.write(.bob, .chat("look"), seeing: .only([hidden]))
    #expect(script.verdict(hidden) == .effective)
    #expect(script.state.games.count == 2)
    #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
  }

  @Test(
    "A late fork cannot undo an agreed result, whichever branch it is on, and whatever it says",
    arguments: [false, true], [false, true])
  func lateFork(isCited: Bool, saysAnotherResult: Bool) throws {
    var (script, start) = try RoomScript.started()
    let root = script.head(of: .bob)
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    try script.result(.bob, game: 0, end.node, [1, 0])
    try script.result(.alice, game: 0, end.node, [1, 0])
    #expect(script.state.games[0].isAgreed)
    // Of a lower sequence than what Bob signed before.
    let other =
      saysAnotherResult
      ? try script.write(.bob, .result(game: 0, ending: end.node, scores: [0, 1]), after: root)
      : try script.move(.bob, 8, at: start.after(script.events[6]), after: root)
    if isCited { try script.write(.alice, .chat("seen"), seeing: .only([other])) }
    #expect(script.state.games[0].isAgreed)
    #expect(script.state.games[0].ending?.outcome?.scores == [1, 0])
    #expect(script.state.games[0].ending?.cause == .rules)
  }

  @Test("A creator's fork before the start closes the room; shown starts that seats went on from do too")
  func creatorForks() throws {
    var script = try RoomScript.seated()
    try script.write(.alice, .chat("a"))
    try script.write(.alice, .chat("b"), after: script.events[2])
    #expect(script.state.phase == .closed(TestPeer.alice.id))
    script = try RoomScript.readied()
    let root = script.head(of: .alice)
    let roster = script.roster()
    let first = try script.write(.alice, .start(roster: roster))
    let second = try script.write(.alice, .start(roster: roster), after: root)
    #expect(script.state.phase == .closed(TestPeer.alice.id))
    let fork = script
    // Bob knows one of them only: the room has started with it, and Alice loses what is begun.
    try script.write(.bob, .chat("go"), seeing: .only([second]))
    #expect(script.state.start == second.id)
    // A stranger's word on the other changes nothing.
    try script.write(.sybil, .chat("go"), seeing: .only([first]))
    #expect(script.state.start == second.id)
    // Nor does Bob's, who heard of it later.
    try script.write(.bob, .chat("go"), seeing: .only([first]))
    #expect(script.state.start == second.id)
    script = fork
    try script.write(.bob, .chat("go"), seeing: .only([first, second]))
    #expect(script.state.start == nil)
    #expect(script.state.phase == .closed(TestPeer.alice.id))
    script = fork
    let move = try script.write(.bob, .claim(node: first.id, seat: 0), seeing: .only([first]))
    #expect(script.state.start == first.id)
    #expect(script.verdict(move) == .unanswered)
    #expect(script.state.phase == .closed(TestPeer.alice.id))
  }

  @Test("A creator's fork behind the start does not touch it")
  func creatorForksLate() throws {
    var (script, start) = try RoomScript.started()
    let head = script.head(of: .alice)
    let place = try script.play([0, 4], from: start)
    let other = try script.write(.alice, .start(roster: script.roster()), after: head)
    try script.write(.bob, .chat("look"), seeing: .only([other]))
    #expect(script.state.start == start.node)
    #expect(script.state.tip == place.node)
    #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
  }

  @Test("A creator that starts with different seats on two branches closes the room when both have gone on")
  func creatorSeatsTwo() throws {
    var (script, starts) = try twoStarts()
    try script.write(.bob, .chat("go"), seeing: .only([starts[0]]))
    #expect(script.state.start == starts[0].id)
    // Carol has no seat by that start: it is not what she goes on from.
    try script.write(.carol, .chat("what?"), seeing: .only([starts[0]]))
    #expect(script.state.start == starts[0].id)
    try script.write(.carol, .chat("go"), seeing: .only([starts[1]]))
    #expect(script.state.start == nil)
    #expect(script.state.phase == .closed(TestPeer.alice.id))
  }

  /// A room whose creator has started it with bob on one branch and with carol on another.
  private func twoStarts() throws -> (RoomScript, starts: [Event]) {
    var script = try RoomScript()
    let guests = [TestPeer.bob, .carol]
    let requests = try guests.map { try script.request($0) }
    var starts: [Event] = []
    for (guest, request) in zip(guests, requests) {
      let grant = try script.write(
        .alice, .grant(request: request.id, seat: 1), seeing: .only([request]), after: script.create)
      let roster = Commitments.roster(
        room: script.room, seats: [(TestPeer.alice.id, script.room), (guest.id, grant.id)])
      let ready = try script.write(guest, .ready(roster: roster, commitment: .none), seeing: .only([grant]))
      let own = try script.write(
        .alice, .ready(roster: roster, commitment: .none), seeing: .only([ready]), after: grant)
      starts.append(try script.write(.alice, .start(roster: roster), seeing: .nothing, after: own))
    }
    return (script, starts)
  }

  @Test("Where a creator has started two tables, whoever sits at one plays on there")
  func secondStartsAreTheirOwnTables() throws {
    var (script, starts) = try twoStarts()
    for (guest, start) in zip([TestPeer.bob, .carol], starts) {
      try script.write(guest, .chat("go"), seeing: .only([start]))
    }
    for (seat, start) in [(TestPeer.bob, starts[0]), (.carol, starts[1])] {
      var own = script.projection(script.events, seenBy: [seat.id])
      #expect(own.state.start == start.id, "\(seat.name)")
      #expect(own.state.seat(of: seat.id) == Seat(1))
    }
    var others = script.projection(script.events, seenBy: [TestPeer.dave.id])
    #expect(others.state.phase == .closed(TestPeer.alice.id) && others.state.start == nil)
  }

  @Test("The order of two branches' starts on arrival does not matter")
  func startsInAnyOrder() throws {
    var script = try RoomScript.readied()
    let root = script.head(of: .alice)
    let roster = script.roster()
    let first = try script.write(.alice, .start(roster: roster))
    let second = try script.write(.alice, .start(roster: roster), after: root)
    for start in [first, second] { try script.write(.bob, .chat("go"), seeing: .only([start])) }
    let base = script.events.count - 4
    var swapped = script.events
    swapped.swapAt(base, base + 1)
    var other = script.projection(swapped)
    #expect(script.digest == other.digest())
  }

  @Test("Two moves of equal sequence that seats cite: the same offence, whichever came first")
  func branchesInAnyOrder() throws {
    for codes in [(0, 8), (8, 0)] as [(UInt32, UInt32)] {
      var (script, start) = try RoomScript.started()
      let root = script.head(of: .alice)
      let base = script.events.count
      let first = try script.move(.alice, codes.0, at: start)
      let second = try script.move(.alice, codes.1, at: start, after: root)
      for move in [first, second] { try script.write(.bob, .chat("seen"), seeing: .only([move])) }
      #expect(script.state.games[0].ending?.outcome?.scores == [0, 1])
      var swapped = script.events
      swapped.swapAt(base, base + 1)
      var other = script.projection(swapped)
      #expect(script.digest == other.digest())
    }
  }

  @Test("A start's roster is made by the grants of its own chain, not of the creator's other branch")
  func grantsOfTheChain() throws {
    for (seated, other) in [(TestPeer.bob, TestPeer.carol), (.carol, .bob)] {
      var script = try RoomScript()
      let requests = try [seated, other].map { try script.request($0) }
      let grant = try script.grant(requests[0], seat: 1)
      let hidden = try script.write(
        .alice, .grant(request: requests[1].id, seat: 1), seeing: .only([requests[1]]), after: script.create)
      let roster = Commitments.roster(
        room: script.room, seats: [(TestPeer.alice.id, script.room), (seated.id, grant.id)])
      // The seated peer's ready cites the other branch.
      let ready = try script.write(
        seated, .ready(roster: roster, commitment: .none), seeing: .only([grant, hidden]))
      let own = try script.write(
        .alice, .ready(roster: roster, commitment: .none), seeing: .only([ready]), after: grant)
      let start = try script.write(.alice, .start(roster: roster), seeing: .only([ready]), after: own)
      try script.write(seated, .chat("go"), seeing: .only([start]))
      #expect(script.state.start == start.id)
      #expect(script.state.seats[1]?.peer == seated.id)
      #expect(script.verdict(hidden) == .lobbyWithoutEffect)
    }
  }
}
