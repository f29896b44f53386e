import Events
import Games
import Projection
import Testing

/// Hosted rounds (Docs/PROTOCOL.md §1.10), on the quiz.
@Suite("Hosted rounds") struct HostedTests {
  /// Three players, and the first question open.
  private func quiz(rounds: Int = 2, entries: UInt16 = 1) throws -> (HostedScript, opening: Event) {
    var quiz = try HostedScript(rounds: rounds, entries: entries)
    for (number, peer) in [TestPeer.bob, .carol, .dave].enumerated() {
      try quiz.join(peer, as: UInt16(number))
    }
    let opening = try quiz.open(0)
    return (quiz, opening)
  }

  @Test("Right and quick answers score, a wrong one and none do not, and everybody is listed")
  func points() throws {
    var (quiz, opening) = try quiz()
    let (b, c) = (try quiz.enter(.bob, 1, in: opening), try quiz.enter(.carol, 2, in: opening))
    try quiz.acknowledge([(c, 100), (b, 2_500)], in: opening)
    let before = try quiz.state()
    #expect(before.hosted?.round?.entries.map(\.choice) == [nil, nil], "nothing shows before the end")
    try quiz.close(opening)
    try quiz.settle(opening)
    #expect(try quiz.scores() == [750, 0, 0])
    let hosted = try #require(try quiz.state().hosted)
    #expect(hosted.standings.map(\.rank) == [1, 2, 2])
    #expect(hosted.standings.map(\.player.number) == [0, 1, 2], "those of equal scores by number")
    #expect(hosted.faults.isEmpty && hosted.settledRounds == 1)
    #expect(try quiz.state().phase == .playing)
  }

  @Test("What the host writes while a question is open says how long that had been by its clock")
  func passedTime() throws {
    var (quiz, opening) = try quiz()
    func passed() throws -> UInt32? { try quiz.state().hosted?.round?.passedMilliseconds }
    #expect(try passed() == 0)
    quiz.script.time += 4_000
    try quiz.script.write(.bob, .chat("others' clocks say nothing"), seeing: .only([opening]))
    #expect(try passed() == 0)
    try quiz.join(.sybil, as: 3)
    #expect(try passed().map { (4_001...4_010).contains($0) } == true)
    // A clock that is put back, or far ahead, makes it no shorter than it was and no longer than the limit.
    quiz.script.time = 10
    try quiz.script.write(.alice, .chat("back"), seeing: .only([]))
    #expect(try passed().map { (4_001...4_010).contains($0) } == true)
    quiz.script.time += 1_000_000
    try quiz.script.write(.alice, .chat("ahead"), seeing: .only([]))
    #expect(try passed() == 10_000)
    try quiz.close(opening)
    #expect(try passed() == 10_000)
  }

  @Test("An answer that was under way at the close counts 100 within the grace, and nothing behind it")
  func grace() throws {
    var (quiz, opening) = try quiz()
    let entries = try [TestPeer.bob, .carol, .dave].map { try quiz.enter($0, 1, in: opening) }
    try quiz.acknowledge([(entries[0], 4_999)], in: opening)
    try quiz.close(opening, after: 5_000)
    try quiz.acknowledge([(entries[1], 8_000), (entries[2], 8_001)], in: opening)
    try quiz.settle(opening)
    #expect(try quiz.scores() == [500, 100, 0])
  }

  @Test("The first answer stands; answers to old questions, of strangers and in clear count nothing")
  func whatDoesNotCount() throws {
    var (quiz, opening) = try quiz()
    let first = try quiz.enter(.bob, 2, in: opening)
    let second = try quiz.enter(.bob, 1, in: opening, salt: 2)
    let clear = try quiz.write(.carol, .clear([1]), in: opening)
    let stranger = try quiz.enter(.sybil, 1, in: opening)
    try quiz.acknowledge([(first, 1), (second, 2), (clear, 3), (stranger, 4)], in: opening)
    try quiz.close(opening)
    try quiz.settle(opening)
    #expect(try quiz.state().hosted?.round?.entries.map(\.event) == [first.id])
    #expect(try quiz.verdict(on: second) == .overLimit)
    let next = try quiz.open(1)
    let late = try quiz.enter(.dave, 1, in: opening)
    let receipt = try quiz.acknowledge([(late, 5)], in: next)
    #expect(try quiz.verdict(on: late) == .unanswered && quiz.verdict(on: receipt) == .superseded)
    #expect(try quiz.scores() == [0, 0, 0])
  }

  @Test("An answer whose author has not seen the question waits for nothing")
  func unseenQuestion() throws {
    var (quiz, opening) = try quiz()
    let blind = try quiz.enter(.bob, 1, in: opening, seeing: [])
    let receipt = try quiz.acknowledge([(blind, 5)], in: opening)
    #expect(try quiz.verdict(on: blind) == .wrongRound && quiz.verdict(on: receipt) == .superseded)
    #expect(try quiz.state().hosted?.round?.waiting == [])
  }

  @Test("Only the host grants, opens, acknowledges, closes and settles")
  func onlyTheHost() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    for action: HostedAction in [
      .open(.init(round: 0, limitMilliseconds: 1, commitment: opening.id.asDigest, content: [])),
      .receipts(opening: opening.id, [.init(parent: 0, milliseconds: 0)]),
      .close(opening: opening.id, milliseconds: 0), .joinRefusal(TestPeer.dave.id, through: 9, .full),
      .settle(.init(opening: opening.id, solution: [1], salt: HostedScript.salt(9))),
      .carry(head: entry.id, []),
    ] {
      let event = try quiz.script.write(.carol, .hosted(action), seeing: .only([entry]))
      #expect(try quiz.verdict(on: event) == .notEntitled, "\(action.kind)")
    }
    for action: HostedAction in [
      .joinProof(box: [UInt8](repeating: 0, count: 80)), .entry(opening: opening.id, .clear([])),
    ] {
      let event = try quiz.script.write(.alice, .hosted(action), seeing: .only([]))
      #expect(try quiz.verdict(on: event) == .notEntitled, "\(action.kind)")
    }
  }

  // MARK: - Frauds

  @Test("A host that opens another solution than it committed to is shown, and the round is void")
  func wrongSolution() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 1)], in: opening)
    try quiz.close(opening)
    let settle = try quiz.settle(opening, answer: 2)
    #expect(try quiz.verdict(on: settle) == .doesNotOpen)
    #expect(try quiz.state().hosted?.faults == [.wrongSolution(opening: opening.id)])
    #expect(try quiz.state().hosted?.round?.phase == .void && quiz.scores() == [0, 0, 0])
  }

  @Test("A host that opens an entry as another one is shown, and the entry counts nothing")
  func wrongEntry() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 1)], in: opening)
    try quiz.close(opening)
    try quiz.settle(opening, [1], [.init(choice: [2], salt: HostedScript.salt(1))])
    #expect(try quiz.state().hosted?.faults == [.wrongEntry(entry.id)])
    #expect(try quiz.scores() == [0, 0, 0])
  }

  @Test("A host that calls an entry unreadable is shown to lie by who wrote it, and by nobody else")
  func deniedEntry() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 1)], in: opening)
    try quiz.close(opening)
    try quiz.settle(opening, [1], [nil])
    #expect(try quiz.state().hosted?.faults == [])
    var other = quiz
    try other.script.write(
      .bob, .hosted(.entryProof(entry: entry.id, .init(choice: [2], salt: HostedScript.salt(1)))))
    #expect(try other.state().hosted?.faults == [], "what does not give the box shows nothing")
    try quiz.script.write(
      .carol, .hosted(.entryProof(entry: entry.id, .init(choice: [2], salt: HostedScript.salt(1)))))
    try quiz.script.write(
      .bob, .hosted(.entryProof(entry: entry.id, .init(choice: [1], salt: HostedScript.salt(1)))))
    #expect(try quiz.state().hosted?.faults == [.deniedEntry(entry.id)])
  }

  @Test(
    "A copied answer opens for nobody, and a box that says something else than the commitment convicts nobody"
  )
  func copiedEntry() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    guard case .hosted(.entry(_, let written)) = entry.action, case .sealed(let commitment, let box) = written
    else { return }
    let copy = try quiz.write(.carol, written, in: opening)
    // Bound to its author's name, in another's box.
    let own = Commitments.entry(
      [1], salt: HostedScript.salt(3), room: quiz.room, opening: opening.id, author: TestPeer.dave.id)
    let mixed = try quiz.write(.dave, .sealed(commitment: own, box: box), in: opening)
    try quiz.acknowledge([(entry, 1), (copy, 2), (mixed, 3)], in: opening)
    try quiz.close(opening)
    try quiz.settle(opening)
    #expect(try quiz.scores() == [999, 0, 0])
    try quiz.script.write(
      .carol, .hosted(.entryProof(entry: copy.id, .init(choice: [1], salt: HostedScript.salt(1)))))
    try quiz.script.write(
      .dave, .hosted(.entryProof(entry: mixed.id, .init(choice: [1], salt: HostedScript.salt(3)))))
    #expect(try quiz.state().hosted?.faults == [] && commitment != own)
  }

  @Test("Nothing that was acknowledged can be left out: points wait for all")
  func leftOut() throws {
    var (quiz, opening) = try quiz()
    let (b, c) = (try quiz.enter(.bob, 1, in: opening), try quiz.enter(.carol, 1, in: opening))
    try quiz.acknowledge([(b, 1), (c, 2)], in: opening)
    let early = try quiz.settle(opening, [1], [])
    #expect(try quiz.verdict(on: early) == .wrongRound, "before the close")
    try quiz.close(opening)
    let opened = { (salt: UInt8) in HostedAction.OpenedEntry(choice: [1], salt: HostedScript.salt(salt)) }
    try quiz.settle(opening, [1], [opened(1)])
    #expect(try quiz.scores() == [0, 0, 0] && quiz.state().hosted?.round?.phase == .closed)
    let again = try quiz.settle(opening, [1], [opened(1)])
    let tooMany = try quiz.settle(opening, [1], [opened(1), opened(1)], first: 1)
    #expect(try quiz.verdict(on: again) == .superseded && quiz.verdict(on: tooMany) == .illegal)
    try quiz.settle(opening, [1], [opened(1)], first: 1)
    #expect(try quiz.scores() == [999, 999, 0])
    let afterwards = try quiz.acknowledge([(try quiz.enter(.dave, 1, in: opening), 3)], in: opening)
    #expect(try quiz.verdict(on: afterwards) == .wrongRound)
  }

  @Test("Nothing is acknowledged once the solution is open, whether entries were opened with it or not")
  func receiptAfterSolution() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 1)], in: opening)
    try quiz.close(opening)
    let late = try quiz.enter(.carol, 1, in: opening)
    try quiz.settle(opening, [1], [])
    let receipt = try quiz.acknowledge([(late, 2)], in: opening)
    #expect(try quiz.verdict(on: receipt) == .wrongRound)
    try quiz.settle(opening, [1], [.init(choice: [1], salt: HostedScript.salt(1))])
    #expect(try quiz.scores() == [999, 0, 0])
  }

  // MARK: - Coming and going

  @Test("A question that is asked anew makes the one before void, and nothing of it counts")
  func askedAnew() throws {
    var (quiz, opening) = try quiz()
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 1)], in: opening)
    let again = try quiz.open(0)
    #expect(try quiz.state().hosted?.rounds.map(\.phase) == [.void, .open])
    let close = try quiz.close(opening)
    #expect(try quiz.verdict(on: close) == .wrongRound)
    let receipt = try quiz.acknowledge([(entry, 1)], in: again)
    #expect(try quiz.verdict(on: receipt) == .superseded)
    let far = try quiz.open(1)
    #expect(try quiz.verdict(on: far) == .wrongRound)
  }

  @Test("Players keep their scores when they go and come back, and the end is the last question's")
  func leaving() throws {
    var (quiz, opening) = try quiz(rounds: 1)
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 0)], in: opening)
    try quiz.script.write(.bob, .leave(node: .none))
    #expect(try quiz.state().hosted?.players[0].hasLeft == true)
    try quiz.script.write(.bob, .request(seat: Create.noSeat, TestPeer.bob.profile))
    #expect(try quiz.state().hosted?.players[0].hasLeft == false)
    #expect(try quiz.state().openRequests == [], "who is in asks for nothing")
    try quiz.close(opening)
    try quiz.settle(opening)
    #expect(try quiz.scores() == [1_000, 0, 0] && quiz.state().phase == .finished)
    let more = try quiz.open(1)
    #expect(try quiz.verdict(on: more) == .wrongRound)
  }

  @Test("Latecomers come in until the end; each peer once, with the next number")
  func latecomers() throws {
    var (quiz, _) = try quiz()
    let request = try quiz.script.write(
      .sybil, .request(seat: Create.noSeat, TestPeer.sybil.profile), seeing: .nothing)
    #expect(try quiz.state().openRequests.map(\.peer) == [TestPeer.sybil.id])
    let wrong = try quiz.script.write(
      .alice, .grant(request: request.id, seat: 5), seeing: .only([request]))
    try quiz.script.write(.alice, .grant(request: request.id, seat: 3), seeing: .only([request]))
    let twice = try quiz.script.write(
      .alice, .grant(request: request.id, seat: 4), seeing: .only([request]))
    #expect(
      try quiz.verdict(on: wrong) == .lobbyWithoutEffect && quiz.verdict(on: twice) == .lobbyWithoutEffect)
    #expect(try quiz.state().hosted?.players.map(\.number) == [0, 1, 2, 3])
    #expect(try quiz.state().openRequests == [])
  }

  @Test("Who is refused is told why, and may ask again")
  func refusals() throws {
    var (quiz, _) = try quiz()
    let request = try quiz.script.write(
      .sybil, .request(seat: Create.noSeat, TestPeer.sybil.profile), seeing: .nothing)
    try quiz.script.write(
      .alice, .hosted(.joinRefusal(TestPeer.sybil.id, through: request.sequence, .wrongCode)),
      seeing: .only([]))
    #expect(try quiz.state().openRequests == [])
    #expect(try quiz.state().hosted?.refusals == [TestPeer.sybil.id: .wrongCode])
    try quiz.script.write(.sybil, .request(seat: Create.noSeat, TestPeer.sybil.profile), seeing: .nothing)
    #expect(try quiz.state().openRequests.map(\.peer) == [TestPeer.sybil.id])
  }

  @Test("The host's leaving ends it, and what was settled stands")
  func hostLeaves() throws {
    var (quiz, opening) = try quiz()
    var early = quiz
    try early.script.write(.alice, .leave(node: .none), seeing: .only([]))
    #expect(try early.state().phase == .closed(TestPeer.alice.id))
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 0)], in: opening)
    try quiz.close(opening)
    try quiz.settle(opening)
    try quiz.script.write(.alice, .leave(node: .none), seeing: .only([]))
    let more = try quiz.open(1)
    #expect(try quiz.state().phase == .finished && quiz.scores() == [1_000, 0, 0])
    #expect(try quiz.verdict(on: more) == .over)
  }

  @Test(
    "Where the host's feed forks the room ends; a forked player's answer counts where it was acknowledged")
  func forks() throws {
    var (quiz, opening) = try quiz()
    let granted = try #require(quiz.script.head(of: .bob))
    let entry = try quiz.enter(.bob, 1, in: opening)
    try quiz.acknowledge([(entry, 0)], in: opening)
    // Another branch of bob's feed.
    _ = try quiz.enter(.bob, 2, in: opening, salt: 2, after: granted)
    try quiz.close(opening)
    let settled = try quiz.settle(opening)
    #expect(try quiz.scores() == [1_000, 0, 0] && quiz.verdict(on: entry) == .effective)
    try quiz.script.write(
      .alice, .chat("one"), seeing: .only([]))
    try quiz.script.write(.alice, .chat("two"), seeing: .only([]), after: settled)
    let next = try quiz.open(1)
    #expect(try quiz.state().phase == .closed(TestPeer.alice.id))
    #expect(try quiz.verdict(on: next) == .forkedFeed && quiz.scores() == [1_000, 0, 0])
  }

  @Test("A fork of somebody who is no player changes nothing of what it had written before")
  func strangersFork() throws {
    var (quiz, _) = try quiz()
    // A grant without effect lets its peer name the host's events.
    let request = try quiz.script.write(
      .sybil, .request(seat: Create.noSeat, TestPeer.sybil.profile), seeing: .nothing)
    let grant = try quiz.script.write(
      .alice, .grant(request: request.id, seat: 7), seeing: .only([request]))
    let opening = try quiz.open(0)
    let entry = try quiz.enter(.sybil, 1, in: opening)
    let proof = try quiz.script.write(
      .sybil, .hosted(.entryProof(entry: entry.id, .init(choice: [1], salt: HostedScript.salt(1)))),
      seeing: .only([grant]))
    for words in ["one", "two"] {
      try quiz.script.write(.sybil, .chat(words), seeing: .only([]), after: proof)
    }
    #expect(try quiz.verdict(on: entry) == .unanswered && quiz.verdict(on: proof) == .effective)
    #expect(try quiz.state().openRequests.map(\.id) == [request.id])
  }

  @Test("Another room goes on with the scores, once, before anything else")
  func carriedScores() throws {
    let head = EventID(Bytes32([UInt8](repeating: 5, count: 32), at: 0))
    let scores = [TestPeer.bob, .carol].map { HostedAction.CarriedScore(peer: $0.id, score: 700) }
      .sorted { $0.peer < $1.peer }
    var quiz = try HostedScript(rematchOf: RoomID(head.bytes))
    try quiz.script.write(.alice, .hosted(.carry(head: head, scores)), seeing: .only([]))
    let other = try quiz.script.write(.alice, .hosted(.carry(head: quiz.room.asEvent, [])), seeing: .only([]))
    try quiz.join(.dave, as: 0)
    try quiz.join(.bob, as: 1)
    let late = try quiz.script.write(.alice, .hosted(.carry(head: head, scores)), seeing: .only([]))
    #expect(try quiz.scores() == [0, 700])
    #expect(try quiz.verdict(on: other) == .superseded && quiz.verdict(on: late) == .lobbyWithoutEffect)
    var fresh = try HostedScript()
    let stray = try fresh.script.write(.alice, .hosted(.carry(head: head, scores)), seeing: .only([]))
    #expect(try fresh.verdict(on: stray) == .lobbyWithoutEffect)
  }

  @Test("In a room of games, and in rooms of unknown rules, these kinds have no effect")
  func elsewhere() throws {
    var script = try RoomScript()
    let event = try script.write(.alice, .hosted(.close(opening: script.create.id, milliseconds: 0)))
    var projection = try #require(RoomProjection(create: script.create, catalog: Games.catalog))
    projection.apply(event)
    #expect(projection.verdicts().last?.verdict == .wrongRoom)
    let strange = try RoomScript(
      .init(
        rules: "quiz", parameters: Array("grace=1\n".utf8), creatorSeat: Int(Create.noSeat),
        purpose: .hosted(entries: 1, needsCode: false, title: "")))
    var unknown = try #require(RoomProjection(create: strange.create, catalog: Games.catalog))
    #expect(unknown.state.phase == .unknownRules && unknown.state.hosted?.rules == nil)
  }
}

extension Identifier32 {
  fileprivate var asDigest: Digest { Digest(bytes) }
  fileprivate var asEvent: EventID { EventID(bytes) }
}
