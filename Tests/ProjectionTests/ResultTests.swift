import Events
import Games
import Projection
import Rules
import Testing

@Suite("Results, tournaments and snapshots")
struct ResultTests {
  @Test("Provisional until every seat has signed the same, the first time")
  func agreement() throws {
    var (script, start) = try RoomScript.started()
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let played = script
    let wrong = [
      try script.result(.alice, game: 0, end.node, [0, 1]),
      try script.result(.bob, game: 1, end.node, [1, 0]),
      try script.result(.carol, game: 0, end.node, [1, 0]),
      try script.result(.bob, game: 0, end.node, [1, 0], seeing: .nothing),
    ]
    #expect(script.verdict(wrong[0]) == .wrongResult)
    #expect(script.verdict(wrong[1]) == .wrongResult)
    #expect(script.verdict(wrong[2]) == .notEntitled)
    // Alice's first result was another one: what she signs later does not count.
    let late = try script.result(.alice, game: 0, end.node, [1, 0])
    try script.result(.bob, game: 0, end.node, [1, 0])
    #expect(script.verdict(late) == .superseded)
    #expect(!script.state.games[0].isAgreed)
    script = played
    try script.agree(game: 0, end.node, [1, 0])
    #expect(script.state.games[0].isAgreed)
  }

  @Test("Results name an ending in their past")
  func blindResult() throws {
    var (script, start) = try RoomScript.started()
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let blind = try script.result(.bob, game: 0, end.node, [1, 0], seeing: .nothing)
    try script.result(.alice, game: 0, end.node, [1, 0])
    #expect(script.verdict(blind) == .offLine)
    #expect(!script.state.games[0].isAgreed)
  }

  @Test("The last result agrees the games before it")
  func lastResult() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    let first = try script.play([0, 3, 1, 4, 2], from: start)
    let second = try script.play([0, 3, 1, 4, 2], from: Place(node: first.node, game: 1), first: 1)
    try script.agree(game: 1, second.node, [0, 1])
    #expect(script.state.games.map(\.isAgreed) == [true, true])
  }

  @Test("A late ruling, and a late offence, change nothing that is agreed")
  func lateEndings() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(referee: TestPeer.rita.id))
    let place = try script.play([0, 3, 1, 4], from: start)
    let claim = try script.write(.bob, .claim(node: place.node, seat: 0))
    let early = script.events.count
    let end = try script.play([2], from: place)
    try script.agree(game: 0, end.node, [1, 0])
    let agreed = script
    // The referee had not seen the move.
    script.rewind(to: early)
    let ruling = try script.write(.rita, .ruling(claim: claim.id))
    var late = agreed
    late.adopt(ruling)
    #expect(late.verdict(ruling) == .superseded)
    #expect(late.state.games[0].ending?.cause == .rules)
    // Without the agreement it would have stood.
    #expect(script.state.games[0].ending?.cause == .ruled(Seat(0)))
    // So it does where it comes before the results, until they come.
    let results = agreed.events.filter { $0.kind == .result }
    var reader = agreed.projection(agreed.events.filter { $0.kind != .result } + [ruling])
    #expect(reader.state.games[0].ending?.cause == .ruled(Seat(0)))
    for event in results { reader.apply(event) }
    #expect(results.count == 2 && reader.state.games[0].isAgreed && reader.digest() == late.digest)
    late = agreed
    let offence = try late.move(.alice, 8, at: start)
    #expect(late.verdict(offence) == .superseded)
    #expect(late.state.games[0].isAgreed)
    #expect(late.state.tip == end.node)
  }

  @Test("What all agreed on is taken, though the order at the node says otherwise")
  func agreedAgainstTheOrder() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    let begin = script.events.filter { $0.id == start.node }
    let resigned = try script.write(.bob, .resign(node: start.node), seeing: .only(begin))
    let first = try script.move(.alice, 0, at: start, seeing: .nothing)
    #expect(script.state.games[0].ending?.node == resigned.id)
    let end = try script.play([3, 1, 4, 2], from: start.after(first), first: 1)
    #expect(script.verdict(first) == .superseded)
    try script.agree(game: 0, end.node, [1, 0])
    #expect(script.state.games[0].isAgreed)
    #expect(script.state.games[0].ending?.node == end.node)
    #expect(script.verdict(resigned) == .superseded)
  }

  // MARK: - Tournaments

  private func tournament() throws -> RoomScript {
    var script = try RoomScript(
      RoomScript.Room(
        creatorSeat: Int(Create.noSeat), purpose: .tournament(format: 1, options: 2, seed: 1, title: "cup")))
    for (seat, peer) in [TestPeer.bob, .carol].enumerated() {
      try script.grant(try script.request(peer), seat: seat)
    }
    return script
  }

  private func result(_ pairing: UInt32, attempt: UInt8 = 0, _ scores: [Int32], in room: RoomID) -> Action {
    .pairingResult(
      .init(
        pairing: pairing, attempt: attempt, room: room, heads: [], walkover: .played, games: [scores]))
  }

  @Test("The organizer's first word on a pairing stands, from the start to a fork")
  func pairingResults() throws {
    var script = try tournament()
    let early = try script.write(.alice, result(0, [0, 1], in: script.room))
    let start = try script.write(.alice, .start(roster: script.roster()))
    #expect(script.state.phase == .playing)
    #expect(script.state.start == start.id)
    let first = try script.write(.alice, result(0, [1, 0], in: script.room))
    let second = try script.write(.alice, result(0, [0, 1], in: script.room))
    let again = try script.write(.alice, result(0, attempt: 1, [0, 1], in: script.room))
    let foreign = try script.write(.bob, result(1, [1, 0], in: script.room))
    let expected: [(Event, Verdict)] = [
      (early, .superseded), (first, .effective), (second, .superseded), (again, .effective),
      (foreign, .notEntitled),
    ]
    for (event, verdict) in expected { #expect(script.verdict(event) == verdict) }
    #expect(script.state.pairingResults.map(\.games) == [[[1, 0]], [[0, 1]]])
    try script.write(.alice, result(1, [1, 0], in: script.room), after: first)
    #expect(script.state.pairingResults.map(\.games) == [[[1, 0]]])
  }

  @Test(
    "The organizer's first disqualification of an entrant stands, from the start to a fork, and is no one else's"
  )
  func disqualification() throws {
    func word(_ seat: UInt16, _ reason: String = "why") -> Action { .disqualify(seat: seat, reason: reason) }
    var script = try tournament()
    let early = try script.write(.alice, word(0))
    try script.write(.alice, .start(roster: script.roster()))
    let first = try script.write(.alice, word(0, "first"))
    let foreign = try script.write(.bob, word(1))
    let second = try script.write(.alice, word(0, "second"))
    let nobody = try script.write(.alice, word(2))
    let other = try script.write(.alice, word(1, "other"))
    let expected: [(Event, Verdict)] = [
      (early, .superseded), (first, .effective), (foreign, .notEntitled), (second, .superseded),
      (nobody, .superseded), (other, .effective),
    ]
    for (event, verdict) in expected { #expect(script.verdict(event) == verdict) }
    #expect(
      script.state.tournamentWords == [
        .disqualification(Seat(0), reason: "first", event: first.id),
        .disqualification(Seat(1), reason: "other", event: other.id),
      ])
    try script.write(.alice, word(1, "on a branch"), after: first)
    #expect(script.state.tournamentWords == [.disqualification(Seat(0), reason: "first", event: first.id)])
  }

  @Test("The organizer takes back a decision once, so many of them, and nothing else")
  func revocation() throws {
    func absent(_ pairing: UInt32) -> Action {
      .pairingResult(
        .init(pairing: pairing, attempt: 0, room: .none, heads: [], walkover: .firstAbsent, games: []))
    }
    var script = try tournament()
    let early = try script.write(.alice, .revoke(word: script.room))
    try script.write(.alice, .start(roster: script.roster()))
    let played = try script.write(.alice, result(0, [1, 0], in: script.room))
    let ruled = try script.write(.alice, absent(1))
    let out = try script.write(.alice, .disqualify(seat: 1, reason: "why"))
    let foreign = try script.write(.bob, .revoke(word: ruled.id))
    let ofPlayed = try script.write(.alice, .revoke(word: played.id))
    let back = try script.write(.alice, .revoke(word: ruled.id))
    let again = try script.write(.alice, .revoke(word: ruled.id))
    let ofRevocation = try script.write(.alice, .revoke(word: back.id))
    let second = try script.write(.alice, absent(1))
    let reinstated = try script.write(.alice, .revoke(word: out.id))
    let outAgain = try script.write(.alice, .disqualify(seat: 1, reason: "again"))
    let expected: [(Event, Verdict)] = [
      (early, .superseded), (foreign, .notEntitled), (ofPlayed, .superseded), (back, .effective),
      (again, .superseded), (ofRevocation, .superseded), (second, .effective), (reinstated, .effective),
      (outAgain, .effective),
    ]
    for (event, verdict) in expected { #expect(script.verdict(event) == verdict) }
    #expect(
      script.state.tournamentWords.map(\.event)
        == [played, ruled, out, back, second, reinstated, outAgain].map(\.id))
    var (last, verdicts) = (outAgain, [Verdict?]())
    for _ in 0..<16 {
      let revocation = try script.write(.alice, .revoke(word: last.id))
      verdicts.append(script.verdict(revocation))
      last = try script.write(.alice, .disqualify(seat: 1, reason: "again"))
    }
    #expect(verdicts == [Verdict?](repeating: .effective, count: 14) + [.superseded, .superseded])
  }

  @Test("An organizer with a seat disqualifies nobody")
  func organizerWithASeat() throws {
    var script = try RoomScript(
      RoomScript.Room(
        creatorSeat: 0, purpose: .tournament(format: 1, options: 2, seed: 1, title: "cup")))
    try script.grant(try script.request(.bob), seat: 1)
    try script.write(.alice, .start(roster: script.roster()))
    #expect(script.state.phase == .playing)
    let word = try script.write(.alice, .disqualify(seat: 1, reason: "why"))
    #expect(script.verdict(word) == .notEntitled)
    #expect(script.state.tournamentWords.isEmpty)
  }

  @Test("An entrant who leaves is withdrawn, before and after the start; the tournament goes on")
  func withdrawal() throws {
    var script = try tournament()
    try script.write(.carol, .leave(node: .none))
    #expect(script.state.phase == .waiting)
    #expect(script.state.withdrawn == [Seat(1)])
    try script.write(.alice, .start(roster: script.roster()))
    #expect(script.state.phase == .playing)
    try script.write(.bob, .leave(node: script.room))
    #expect(script.state.withdrawn == [Seat(0), Seat(1)])
    let ready = try script.ready(.bob, seat: 0)
    #expect(script.verdict(ready) == .wrongRoom)
  }

  @Test(
    "A withdrawal on a branch that the organizer does not know withdraws nobody: not all have that branch")
  func withdrawalOnABranch() throws {
    var script = try tournament()
    try script.write(.alice, .start(roster: script.roster()))
    let head = script.head(of: .carol)
    try script.write(.carol, .chat("one"))
    let leaving = try script.write(.carol, .leave(node: script.room), after: head)
    #expect(script.state.forked == [TestPeer.carol.id])
    #expect(script.state.withdrawn == [])
    try script.write(.alice, .chat("seen"), seeing: .only([leaving]))
    #expect(script.state.withdrawn == [Seat(1)])
  }

  // MARK: - What does not link

  @Test("Events of other rooms, doubled ones and those without their past change nothing")
  func unlinked() throws {
    var (script, start) = try RoomScript.started()
    let other = try RoomScript.started(RoomScript.Room(games: 2)).0
    let digest = script.digest
    var projection = script.projection(script.events + other.events + script.events)
    #expect(projection.digest() == digest)
    let move = try script.move(.alice, 0, at: start)
    let next = try script.move(.bob, 1, at: start.after(move))
    projection.apply(next)
    #expect(projection.digest() == digest)
    projection.apply(move)
    projection.apply(next)
    #expect(projection.digest() == script.digest)
  }
}

extension RoomState {
  /// The results among what changes a tournament.
  fileprivate var pairingResults: [Action.PairingResult] {
    tournamentWords.compactMap { word in
      if case .result(let result, _) = word { result } else { nil }
    }
  }

  /// The seats that withdrew, in the order of the words.
  fileprivate var withdrawn: [Seat] {
    tournamentWords.compactMap { word in
      if case .withdrawal(let seat) = word { seat } else { nil }
    }
  }
}
