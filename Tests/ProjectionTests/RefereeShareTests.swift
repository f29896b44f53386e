import Events
import Projection
import Rules
import Testing

/// A referee commits with the seats of a round in which chance has a part, and reveals last.
@Suite("A referee's share in chance")
struct RefereeShareTests {
  private let seats: [TestPeer] = [.alice, .bob, .carol]
  private let noSeat = Int(Create.noSeat)

  /// A draw of three seats and Rita, to which all have committed.
  private func committed() throws -> (RoomScript, Place, commits: [Event], share: Event) {
    var (script, place) = try RoomScript.started(.memory(seats: 3, referee: TestPeer.rita.id))
    place = place.after(try script.move(.alice, 0, at: place))
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    let share = try #require(try script.commitReferee(at: place))
    return (script, place, commits, share)
  }

  @Test("What a seat buys by withholding: nothing, since it knows no draw before the referee opens its share")
  func withheldShare() throws {
    var (script, place, commits, share) = try committed()
    for index in 0..<2 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
    let known = script.events.count
    let node = place.node
    let acts: [(inout RoomScript) throws -> Void] = [
      { try $0.reveal(.carol, seat: 2, 0, of: commits[2], at: place) },
      { try $0.write(.carol, .leave(node: node)) },
      { try $0.write(.carol, .resign(node: node)) },
      { try $0.commit(.carol, seat: 2, 1, at: place) },
      { _ in },
    ]
    for act in acts {
      script.rewind(to: known)
      try act(&script)
      #expect(script.state.plyCount == 1, "a draw is known before the referee has opened its share")
    }
    script.rewind(to: known)
    try acts[0](&script)
    #expect(script.state.refereeOwes && script.state.owing.isEmpty)
    try script.revealReferee(share, at: place)
    let salts = (seats + [.rita]).enumerated().map { index, peer in
      peer.salt(script.room, game: 0, round: 1, seat: index < 3 ? index : noSeat)
    }
    let drawn = Chance(seed: Commitments.chance(game: 0, round: 1, salts: salts))
    #expect(script.state.games[0].plies[1].chance == drawn && !script.state.refereeOwes)
    #expect(script.verdict(share) == .effective)
  }

  @Test("A seat that is told the referee's share has the choice between two draws, at the price of its place")
  func withheldShareWithTheReferee() throws {
    var (script, place, commits, share) = try committed()
    for index in 0..<2 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
    let known = script.events.count
    var outcomes: Set<Chance> = []
    for opens in [true, false] {
      script.rewind(to: known)
      if opens {
        try script.reveal(.carol, seat: 2, 0, of: commits[2], at: place)
      } else {
        try script.write(.carol, .leave(node: place.node))
      }
      try script.revealReferee(share, at: place)
      let game = script.state.games[0]
      #expect(game.plies.count == 2 && game.playing.contains(Seat(2)) == opens)
      outcomes.insert(game.plies[1].chance)
    }
    #expect(outcomes.count == 2)
    // The referee alone can only keep all waiting.
    script.rewind(to: known)
    try script.reveal(.carol, seat: 2, 0, of: commits[2], at: place)
    #expect(script.state.plyCount == 1 && script.state.refereeOwes)
  }

  @Test("A seat that opens its share before the referee has committed is early")
  func early() throws {
    var (script, place) = try RoomScript.started(.memory(seats: 3, referee: TestPeer.rita.id))
    place = place.after(try script.move(.alice, 0, at: place))
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    #expect(script.state.refereeOwes && script.state.owing.isEmpty)
    try script.reveal(.alice, seat: 0, 0, of: commits[0], at: place)
    #expect(script.state.games[0].dropOuts.map(\.cause) == [.offence(Seat(0))])
  }

  @Test("Only what opens the referee's first commit is its share, and no other referee's")
  func wrongShares() throws {
    var (script, place, commits, share) = try committed()
    let second = try script.commit(.rita, seat: noSeat, 0, at: place)
    for index in 0..<3 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
    let wrong = try script.reveal(.rita, seat: noSeat, 1, of: share, at: place)
    let other = try script.reveal(.rita, seat: noSeat, 0, of: second, at: place)
    let stranger = try script.commit(.sybil, seat: noSeat, 0, at: place)
    #expect(script.state.plyCount == 1)
    #expect(script.verdict(wrong) == .doesNotOpen)
    #expect(script.verdict(other) == .superseded)
    #expect(script.verdict(stranger) == .notEntitled)
    try script.revealReferee(share, at: place)
    #expect(script.state.plyCount == 2)
  }

  @Test("A referee chooses nothing: a commitment of another choice than none is never opened")
  func choiceOfTheReferee() throws {
    var (script, place) = try RoomScript.started(.memory(seats: 3, referee: TestPeer.rita.id))
    place = place.after(try script.move(.alice, 0, at: place))
    let commits = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    let share = try script.commit(.rita, seat: noSeat, 1, at: place)
    for index in 0..<3 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
    let opened = try script.reveal(.rita, seat: noSeat, 1, of: share, at: place)
    #expect(script.state.plyCount == 1 && script.state.refereeOwes)
    #expect(script.verdict(opened) == .doesNotOpen)
  }

  @Test("Nobody waits for a referee whose feed is forked, and what it opened before stands")
  func forkedReferee() throws {
    var (script, place, commits, share) = try committed()
    var reveals = try (0..<3).map { try script.reveal(seats[$0], seat: $0, 0, of: commits[$0], at: place) }
    try script.revealReferee(share, at: place)
    place = place.after(reveals[0])
    place = place.after(try script.move(.alice, 1, at: place))
    let before = script.state.games[0].plies
    let head = try #require(script.head(of: .rita))
    try script.write(.rita, .chat("one"), seeing: .nothing)
    try script.write(.rita, .chat("two"), seeing: .nothing, after: head)
    #expect(script.state.games[0].plies == before)
    #expect(script.state.refereeOfChance == nil)
    let again = try (0..<3).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
    reveals = try (0..<3).map { try script.reveal(seats[$0], seat: $0, 0, of: again[$0], at: place) }
    #expect(script.state.plyCount == before.count + 1)
    #expect(script.state.games[0].dropOuts.isEmpty)
  }

  @Test("Between two seats too: noise of a dilemma waits for the referee, a dilemma without chance does not")
  func dilemma() throws {
    for noise in [0, 300] {
      var (script, place) = try RoomScript.started(
        .dilemma(rounds: 2, referee: TestPeer.rita.id, noise: noise))
      let commits = try (0..<2).map { try script.commit(seats[$0], seat: $0, 0, at: place) }
      let share = try script.commitReferee(at: place)
      #expect((share == nil) == (noise == 0))
      for index in 0..<2 { try script.reveal(seats[index], seat: index, 0, of: commits[index], at: place) }
      #expect(script.state.plyCount == (noise == 0 ? 1 : 0))
      try script.revealReferee(share, at: place)
      #expect(script.state.plyCount == 1)
    }
  }
}
