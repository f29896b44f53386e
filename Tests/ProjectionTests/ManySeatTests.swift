import Events
import Games
import Projection
import Rules
import Testing

/// Games of more than two seats go on without a seat that leaves, breaks the protocol or is silent.
@Suite("Games of more than two seats")
struct ManySeatTests {
  private let seats: [TestPeer] = [.alice, .bob, .carol]

  /// All of some seats choose and open.
  /// - Returns: the place after the round.
  private func round(
    _ choices: [UInt32?], of who: [Int], _ script: inout RoomScript, at place: Place
  ) throws -> Place {
    let commits = try who.map { try script.commit(seats[$0], seat: $0, choices[$0] ?? 0, at: place) }
    let share = try script.commitReferee(at: place)
    let reveals = try zip(who, commits).map {
      try script.reveal(seats[$0], seat: $0, choices[$0] ?? 0, of: $1, at: place)
    }
    try script.revealReferee(share, at: place)
    return place.after(reveals[0])
  }

  /// A game of odd one out after its first move, Alice's.
  private func moved(games: Int = 1, turns: Int = 4) throws -> (RoomScript, Place) {
    var (script, place) = try RoomScript.started(
      .oddOneOut(turns: turns, games: games, referee: TestPeer.rita.id))
    place = place.after(try script.move(.alice, 1, at: place))
    return (script, place)
  }

  @Test("A whole game: one moves, all choose, chance alone, one chooses and all draw")
  func everyKindOfTurn() throws {
    var (script, place) = try moved()
    place = try round([0, 1, 0], of: [0, 1, 2], &script, at: place)
    #expect(script.state.turn == .round(.none))
    place = try round([nil, nil, nil], of: [0, 1, 2], &script, at: place)
    #expect(script.state.turn == .round(SeatSet([Seat(0)])))
    place = try round([2, nil, nil], of: [0, 1, 2], &script, at: place)
    #expect(script.state.phase == .finished && script.state.games[0].plies.count == 4)
    #expect(
      script.state.games[0].plies[2].isDraw
        && script.state.games[0].plies[3].choices == [MoveCode(2), nil, nil])
  }

  @Test("Who does not choose cannot choose: what opens as a choice takes the seat out")
  func choiceOutOfTurn() throws {
    var (script, place) = try moved()
    place = try round([0, 1, 0], of: [0, 1, 2], &script, at: place)
    place = try round([1, nil, nil], of: [0, 1, 2], &script, at: place)
    let gone = try #require(script.state.games[0].dropOuts.first)
    #expect(gone.seat == Seat(0) && gone.cause == .offence(Seat(0)))
    // The draw counts without it, as the two others made it.
    #expect(script.state.plyCount == 3)
  }

  @Test("Who leaves out of turn is waited for no longer, and what was played meanwhile stands")
  func leavingOutOfTurn() throws {
    var (script, place) = try moved()
    try script.write(.carol, .leave(node: place.node))
    let early = place
    #expect(script.state.games[0].dropOuts.map(\.seat) == [Seat(2)])
    place = try round([0, 1, nil], of: [0, 1], &script, at: early)
    #expect(script.state.plyCount == 2 && script.state.phase == .playing)
    #expect(script.state.games[0].plies[1].choices == [MoveCode(0), MoveCode(1), nil])
  }

  @Test("A leaving that comes late changes nothing of what was played before the seat was due")
  func lateLeaving() throws {
    var (script, place) = try RoomScript.started(.memory(seats: 3, referee: TestPeer.rita.id))
    let start = place
    place = place.after(try script.move(.alice, 0, at: place))
    let card = place
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: card) }
    let share = try script.commitReferee(at: card)
    let reveals = try (0..<3).map { try script.reveal(seats[$0], seat: $0, 0, of: commits[$0], at: card) }
    try script.revealReferee(share, at: card)
    place = place.after(reveals[0])
    let before = script.state.games[0]
    // Carol names the first node, which she had seen, and nothing since.
    try script.write(.carol, .leave(node: start.node))
    let after = script.state.games[0]
    #expect(after.plies == before.plies && after.dropOuts.isEmpty)
    #expect(after.leaving == SeatSet([Seat(2)]))
    try script.move(.alice, 1, at: place)
    // The draw that follows waits for Carol: there she drops out.
    #expect(script.state.games[0].dropOuts.map(\.seat) == [Seat(2)])
  }

  @Test("What withholding buys: the draw as all made it, or the draw without the own share, and no seat")
  func withheldShare() throws {
    var (script, place) = try RoomScript.started(.oddOneOut(turns: 12))
    place = place.after(try script.move(.alice, 1, at: place))
    place = try round([0, 1, 2], of: [0, 1, 2], &script, at: place)
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    for index in 0..<2 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
    let known = script.events.count
    #expect(script.state.plyCount == 2)
    var outcomes: [Chance: Int] = [:]
    func note(_ script: RoomScript) {
      guard script.state.plyCount == 3 else { return }
      outcomes[script.state.games[0].plies[2].chance, default: 0] += 1
    }
    // Carol has seen both shares: all that she could write.
    let node = place.node
    let acts: [(inout RoomScript) throws -> Void] = [
      { try $0.reveal(.carol, seat: 2, 0, of: commits[2], at: place) },
      { try $0.write(.carol, .leave(node: node)) },
      { try $0.write(.carol, .resign(node: node)) },
      { try $0.commit(.carol, seat: 2, 1, at: place) },
      { try $0.commit(.carol, seat: 2, 0, at: place) },
      { try $0.reveal(.carol, seat: 2, 1, of: commits[2], at: place) },
    ]
    var stays = 0
    for first in acts {
      for second in acts {
        script.rewind(to: known)
        try first(&script)
        try second(&script)
        note(script)
        if script.state.games[0].playing.contains(Seat(2)) && script.state.plyCount == 3 { stays += 1 }
      }
    }
    #expect(outcomes.count == 2)
    #expect(stays > 0)
    // Only who opened its share is still there.
    script.rewind(to: known)
    try script.write(.carol, .leave(node: node))
    #expect(script.state.plyCount == 3 && !script.state.games[0].playing.contains(Seat(2)))
  }

  @Test("What two of three buy together: a draw for each seat that they keep, and none without any")
  func withheldSharesOfTwo() throws {
    var (script, place) = try RoomScript.started(.oddOneOut(turns: 12))
    place = place.after(try script.move(.alice, 1, at: place))
    place = try round([0, 1, 2], of: [0, 1, 2], &script, at: place)
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    try script.reveal(.alice, seat: 0, 0, of: commits[0], at: place)
    let known = script.events.count
    let node = place.node
    // Which of the two open their shares, in either order; the others leave.
    var outcomes: [Set<Int>: Set<Chance>] = [:]
    for opened in [[], [1], [2], [1, 2]] {
      for order in [[1, 2], [2, 1]] {
        script.rewind(to: known)
        for index in order {
          if opened.contains(index) {
            try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place)
          } else {
            try script.write(seats[index], .leave(node: node))
          }
        }
        let game = script.state.games[0]
        #expect(
          (1...2).allSatisfy {
            game.playing.contains(Seat(UInt16($0))) == opened.contains($0) || opened.isEmpty
          })
        if game.plies.count == 3 { outcomes[Set(opened), default: []].insert(game.plies[2].chance) }
      }
    }
    // With nobody left but Alice there is no draw.
    #expect(Set(outcomes.keys) == [[1], [2], [1, 2]])
    #expect(outcomes.values.allSatisfy { $0.count == 1 } && Set(outcomes.values).count == 3)
  }

  @Test("Between two, who withholds a share loses by leaving, and waits by silence")
  func withheldShareOfTwo() throws {
    var (script, place) = try RoomScript.started(.memory(seats: 2))
    place = place.after(try script.move(.alice, 0, at: place))
    let commits = try (0..<2).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    try script.reveal(.alice, seat: 0, 0, of: commits[0], at: place)
    let known = script.events.count
    #expect(script.state.plyCount == 1 && script.state.owing == [Seat(1)] && script.state.phase == .playing)
    // Another share than the one that it committed to is none.
    let wrong = try script.reveal(.bob, seat: 1, 1, of: commits[1], at: place)
    #expect(script.state.plyCount == 1 && script.verdict(wrong) == .doesNotOpen)
    for act in [Action.leave(node: place.node), .resign(node: place.node)] {
      script.rewind(to: known)
      try script.write(.bob, act)
      #expect(script.state.plyCount == 1)
      #expect(script.state.games[0].ending?.outcome?.scores == [4, 0])
    }
    script.rewind(to: known)
    try script.reveal(.bob, seat: 1, 0, of: commits[1], at: place)
    #expect(script.state.plyCount == 2)
  }

  @Test("The referee rules on who is silent, and the others go on")
  func silence() throws {
    var (script, place) = try moved()
    let commits = try [0, 2].map { try script.commit(seats[$0], seat: $0, UInt32($0), at: place) }
    let share = try script.commitReferee(at: place)
    let claim = try script.write(.alice, .claim(node: place.node, seat: 1))
    #expect(script.state.claims.map(\.silent) == [Seat(1)])
    let ruling = try script.write(.rita, .ruling(claim: claim.id))
    #expect(script.state.games[0].dropOuts.map(\.cause) == [.ruled(Seat(1))])
    // What Bob writes now comes too late.
    try script.commit(.bob, seat: 1, 0, at: place)
    try script.reveal(.alice, seat: 0, 0, of: commits[0], at: place)
    try script.reveal(.carol, seat: 2, 2, of: commits[1], at: place)
    try script.revealReferee(share, at: place)
    #expect(script.state.plyCount == 2 && script.verdict(ruling) == .effective)
  }

  @Test("A second move does not change the first: its author drops out when it is due again")
  func doubleMove() throws {
    var (script, place) = try RoomScript.started(.oddOneOut(turns: 12))
    let start = place
    place = place.after(try script.move(.alice, 1, at: start))
    place = try round([0, 1, 2], of: [0, 1, 2], &script, at: place)
    let before = script.state.games[0].plies
    try script.move(.alice, 2, at: start)
    #expect(script.state.games[0].plies == before)
    #expect(script.state.games[0].dropOuts.map(\.cause) == [.offence(Seat(0))])
  }

  @Test("Who resigned is back in the next game; who left is not")
  func nextGame() throws {
    for (action, isBack) in [(Action.resign(node: .none), true), (.leave(node: .none), false)] {
      var (script, place) = try moved(games: 2, turns: 2)
      switch action {
      case .resign: try script.write(.carol, .resign(node: place.node))
      default: try script.write(.carol, .leave(node: place.node))
      }
      place = try round([0, 1, nil], of: [0, 1], &script, at: place)
      #expect(script.state.games[0].ending?.cause == .rules)
      place = Place(node: place.node, game: 1, ply: 0)
      // Bob begins the second game.
      place = place.after(try script.move(.bob, 0, at: place))
      #expect(script.state.games[1].playing.contains(Seat(2)) == isBack)
    }
  }

  @Test("With one seat left the game is over, and with nobody to go on with so is the series")
  func lastSeat() throws {
    var (script, place) = try moved(games: 3)
    try script.write(.carol, .leave(node: place.node))
    try script.write(.bob, .leave(node: place.node))
    #expect(script.state.phase == .abandoned(Seat(2)) || script.state.phase == .abandoned(Seat(1)))
    #expect(script.state.games.count == 1)
    #expect(script.state.games[0].ending?.outcome?.winner == Seat(0))
  }

  @Test("Resigning ends one game, and what named its last node says nothing about the next")
  func resignationsAtOneNode() throws {
    var (script, place) = try moved(games: 2)
    let move = RoomScript.Sight.only([try #require(script.head(of: .alice))])
    let carols = try script.write(.carol, .resign(node: place.node), seeing: move)
    let bobs = try script.write(.bob, .resign(node: place.node), seeing: move)
    try #require(script.state.games.count == 2)
    #expect(script.state.games[1].leaving.isEmpty)
    #expect(script.verdict(carols) == .effective && script.verdict(bobs) == .effective)
    // Now that the game is over, a resignation is about the next.
    try script.write(.bob, .resign(node: script.state.tip))
    #expect(script.state.games[1].leaving == SeatSet([Seat(1)]))
  }

  @Test("A forked feed takes its seat out where the game waits for it, and no further")
  func fork() throws {
    var (script, place) = try moved(turns: 12)
    let head = try #require(script.head(of: .carol))
    let chat = try script.write(.carol, .chat("one"), seeing: .nothing)
    try script.write(.carol, .chat("two"), seeing: .nothing, after: head)
    #expect(chat.sequence == head.sequence + 1)
    #expect(script.state.forked == [TestPeer.carol.id])
    // The round waits for its commit.
    #expect(script.state.games[0].dropOuts.map(\.cause) == [.forked(Seat(2))])
    let commits = try [0, 1].map { try script.commit(seats[$0], seat: $0, UInt32($0), at: place) }
    let share = try script.commitReferee(at: place)
    for (seat, commit) in commits.enumerated() {
      try script.reveal(seats[seat], seat: seat, UInt32(seat), of: commit, at: place)
    }
    try script.revealReferee(share, at: place)
    #expect(script.state.plyCount == 2 && script.state.phase == .playing)
  }
}
