import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing

/// Rounds in which one player is told the word and draws, and the host marks what the others guess
/// (Docs/PROTOCOL.md §1.10).
@Suite("Drawing rooms") struct DrawingRoomTests {
  private static let line = "line 1 2 3 4"

  /// Bob draws, and carol and dave guess.
  private func game(rounds: Int = 3, entries: UInt16 = 40) throws -> (HostedScript, opening: Event) {
    var game = try HostedScript.drawing([.bob, .carol, .dave], rounds: rounds, entries: entries)
    let opening = try game.openDrawing(0, drawer: 0)
    return (game, opening)
  }

  private func faults(_ game: HostedScript) throws -> [HostedState.Fault] {
    try game.state().hosted?.faults ?? []
  }

  @Test(
    "Strokes show at once, a wrong guess when it is marked, a right one at the end, and all score by the curve"
  )
  func aRound() throws {
    var (game, opening) = try game()
    let stroke = try game.draw(.bob, Self.line, in: opening)
    let (wrong, right) = (
      try game.guess(.carol, "bush", in: opening), try game.guess(.dave, "tree", in: opening)
    )
    try game.acknowledge([(stroke, 100), (wrong, 2_000), (right, 3_000)], in: opening)
    let before = try #require(try game.state().hosted)
    #expect(before.rules?.strokes(try #require(before.round).played).map(\.coordinates) == ["1 2 3 4"])
    #expect(before.round?.sealed == [1, 2] && before.round?.entries.map(\.isMarkedRight) == [nil, nil, nil])
    let mark = try game.mark([(1, "bush"), (2, nil)], in: opening)
    let marked = try #require(try game.state().hosted?.round)
    #expect(marked.entries.map(\.isMarkedRight) == [nil, false, true])
    #expect(marked.entries.map { $0.choice?.count } == [11, 4, nil], "the right one stays sealed")
    let again = try game.mark([(1, nil), (2, "tree")], in: opening)
    try game.end(opening)
    #expect(try game.verdict(on: mark) == .effective && game.verdict(on: again) == .superseded)
    #expect(try game.scores() == [700, 0, 700] && faults(game) == [])
    #expect(try game.state().hosted?.settledRounds == 1)
  }

  @Test("The drawer's strokes count and no others; the drawer guesses nothing")
  func whoDraws() throws {
    var (game, opening) = try game()
    let entries = [
      try game.draw(.carol, Self.line, in: opening), try game.guess(.bob, "tree", in: opening),
      try game.draw(.sybil, Self.line, in: opening), try game.write(.bob, .clear([9]), in: opening),
      try game.write(.bob, .clear([]), in: opening),
      try game.write(.bob, .clear([1, 1, 1, 4, 0, 0, 0]), in: opening),
    ]
    let receipt = try game.acknowledge(entries.map { ($0, 5) }, in: opening)
    #expect(try game.verdict(on: receipt) == .superseded)
    for entry in entries.filter({ $0.author != TestPeer.sybil.id }) {
      #expect(try game.verdict(on: entry) == .unanswered)
    }
  }

  @Test("A stroke for a round that is settled is not acknowledged, and one that comes late does not show")
  func afterTheEnd() throws {
    var (game, opening) = try game()
    try game.close(opening, after: 1_000)
    let late = try game.draw(.bob, Self.line, in: opening)
    try game.acknowledge([(late, 1_001)], in: opening)
    let round = try #require(try game.state().hosted?.round)
    #expect(round.entries.count == 1 && DrawingGame().strokes(round.played).isEmpty)
    try game.settle(opening, HostedScript.word, [])
    #expect(try game.state().hosted?.settledRounds == 1)
    let after = try game.draw(.bob, Self.line, in: opening)
    let receipt = try game.acknowledge([(after, 2_000)], in: opening)
    #expect(try game.verdict(on: receipt) == .wrongRound && game.verdict(on: after) == .unanswered)
    let mark = try game.mark([(0, nil)], in: opening)
    #expect(try game.verdict(on: mark) == .wrongRound)
  }

  @Test("Of a player twenty guesses count, of the drawer as many batches as the room says")
  func limits() throws {
    var (game, opening) = try game(entries: 22)
    for number in 0..<24 {
      let guess = try game.guess(.carol, "no", in: opening)
      let stroke = try game.draw(.bob, Self.line, in: opening)
      try game.acknowledge([(guess, UInt32(number)), (stroke, UInt32(number))], in: opening)
    }
    let entries = try game.state().hosted?.round?.entries ?? []
    #expect(entries.count { $0.player == 1 } == 20 && entries.count { $0.player == 0 } == 22)
  }

  @Test("The longest batch fits into an event of 4,096 bytes, and a longer one into none")
  func longest() throws {
    var (game, opening) = try game()
    let dots = [[UInt8]](repeating: [1, 1, 1, 0, 0, 0, 0], count: 548).flatMap(\.self) + [0, 0, 0, 0]
    let event = try game.write(.bob, .clear(dots), in: opening)
    #expect(dots.count == 3_840 && event.body.count <= 4_096, "\(event.body.count) bytes")
    try game.acknowledge([(event, 5)], in: opening)
    #expect(
      try game.state().hosted?.round.map { DrawingGame().strokes($0.played).count } == 0, "it is cleared")
    #expect(throws: FormatError.self) { try game.write(.bob, .clear(dots + [0]), in: opening) }
  }

  // MARK: - Turns

  @Test("Players draw in turn, and none is left out who had not left")
  func turns() throws {
    var game = try HostedScript.drawing([.bob, .carol, .dave], rounds: 4)
    for drawer in [1, 2, 3] as [UInt16] {
      let early = try game.openDrawing(0, drawer: drawer)
      #expect(try game.verdict(on: early) == .illegal, "player \(drawer)")
    }
    for (round, drawer) in ([0, 1, 2, 0] as [UInt16]).enumerated() {
      let opening = try game.openDrawing(UInt16(round), drawer: drawer)
      try game.end(opening)
      #expect(try game.verdict(on: opening) == .effective, "round \(round)")
    }
    #expect(try game.state().phase == .finished)
  }

  @Test("Who has left is passed over where the host names that; who came back is not")
  func passedOver() throws {
    var game = try HostedScript.drawing([.bob, .carol, .dave])
    let leave = try game.script.write(.bob, .leave(node: .none), seeing: .only([]))
    let unseen = try game.openDrawing(0, drawer: 1)
    #expect(try game.verdict(on: unseen) == .illegal, "the host had not seen it")
    let seen = try game.openDrawing(0, drawer: 1, seeing: [leave])
    #expect(try game.verdict(on: seen) == .effective)
    try game.end(seen)
    let back = try game.script.write(
      .bob, .request(seat: Create.noSeat, TestPeer.bob.profile), seeing: .only([]))
    let gone = try game.script.write(.dave, .leave(node: .none), seeing: .only([]))
    let passing = try game.openDrawing(1, drawer: 1, seeing: [back, gone])
    #expect(try game.verdict(on: passing) == .illegal, "bob is back")
    let next = try game.openDrawing(1, drawer: 0, seeing: [])
    #expect(try game.verdict(on: next) == .effective)
  }

  @Test("A void round's drawer draws again")
  func void() throws {
    var (game, first) = try game()
    let other = try game.openDrawing(0, drawer: 1)
    #expect(try game.verdict(on: other) == .illegal)
    let again = try game.openDrawing(0, drawer: 0)
    #expect(try game.verdict(on: again) == .effective)
    #expect(try game.state().hosted?.rounds.map(\.phase) == [.void, .open])
    _ = first
  }

  // MARK: - Frauds

  @Test(
    "A host that calls a wrong guess right, or a right one wrong, is shown, and points go by what was opened")
  func wrongMarks() throws {
    var (game, opening) = try game()
    let stroke = try game.draw(.bob, Self.line, in: opening)
    let (wrong, right) = (
      try game.guess(.carol, "bush", in: opening), try game.guess(.dave, "tree", in: opening)
    )
    try game.acknowledge([(stroke, 0), (wrong, 2_000), (right, 3_000)], in: opening)
    try game.mark([(1, nil), (2, "tree")], in: opening)
    #expect(try faults(game) == [], "nothing is proven while the word is sealed")
    try game.end(opening)
    #expect(try faults(game) == [.wrongMark(wrong.id), .wrongMark(right.id)])
    #expect(try game.scores() == [700, 0, 700])
  }

  @Test("A host that shows another guess than was sealed is shown at once")
  func wrongWords() throws {
    var (game, opening) = try game()
    let guess = try game.guess(.carol, "bush", in: opening)
    try game.acknowledge([(guess, 2_000)], in: opening)
    try game.mark([(0, "shrub")], in: opening)
    #expect(try faults(game) == [.wrongEntry(guess.id)])
    #expect(try game.state().hosted?.round?.entries[0].choice == nil)
  }

  @Test(
    "A host that tells the drawer another word, or somebody else, is shown by what it opens; the round is void"
  )
  func toldAnother() throws {
    let bush = Array("bush".utf8)
    let salt = HostedScript.salt(9)
    for (told, salt, telling) in [
      (bush, salt, nil), (HostedScript.word, HostedScript.salt(8), nil),
      (HostedScript.word, salt, TestPeer.carol),
    ] {
      var game = try HostedScript.drawing([.bob, .carol])
      let opening = try game.openDrawing(0, drawer: 0, told: told, salt: salt, telling: telling)
      try game.close(opening)
      let settle = try game.settle(opening, HostedScript.word, [])
      #expect(try game.verdict(on: settle) == .doesNotOpen)
      #expect(try faults(game) == [.toldAnother(opening: opening.id)])
      #expect(try game.state().hosted?.round?.phase == .void && game.state().hosted?.settledRounds == 0)
    }
  }

  @Test(
    "A drawer is told by the key that it had named before it asked, and by its own where nothing is sealed to that"
  )
  func namedKeys() throws {
    let key = SealedBox.sender(
      of: try #require(SealedBox.seal([1], to: TestPeer.alice.id, secret: HostedScript.salt(3))))
    for named in [key, [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
      for usesNamed in [true, false] {
        var game = try HostedScript(rounds: 3, entries: 40, rules: "drawing")
        try game.join(.bob, as: 0, naming: named)
        try game.join(.carol, as: 1)
        #expect(try game.state().hosted?.players.map(\.named?.key) == [named, nil])
        let opening = try game.openDrawing(0, drawer: 0, naming: usesNamed ? named : nil)
        try game.close(opening)
        try game.settle(opening, HostedScript.word, [])
        // To keys of small order nothing is sealed.
        let isTold = usesNamed || named != key
        #expect(try game.state().hosted?.round?.phase == (isTold ? .settled : .void), "\(named) \(usesNamed)")
        #expect(try faults(game) == (isTold ? [] : [.toldAnother(opening: opening.id)]))
      }
    }
  }

  @Test("A player that names another key behind its request is told by the one that it had named before")
  func laterKeys() throws {
    var game = try HostedScript(rounds: 3, entries: 40, rules: "drawing")
    let key = SealedBox.sender(
      of: try #require(SealedBox.seal([1], to: TestPeer.alice.id, secret: HostedScript.salt(3))))
    try game.join(.bob, as: 0)
    try game.script.write(
      .bob, .hosted(.joinProof(box: key + [UInt8](repeating: 0, count: 48))), seeing: .nothing)
    #expect(try game.state().hosted?.players.map(\.named) == [nil])
  }

  @Test("A host that opens another word than it committed to, or of other letters, is shown")
  func wrongSolution() throws {
    for word in ["bush", "trees", "TREE"] {
      var (game, opening) = try game()
      try game.close(opening)
      try game.settle(opening, Array(word.utf8), [])
      #expect(try faults(game) == [.wrongSolution(opening: opening.id)], "\(word)")
    }
  }

  @Test("Marks of entries that are not there, not sealed, or of no round have no effect")
  func idleMarks() throws {
    var (game, opening) = try game()
    let stroke = try game.draw(.bob, Self.line, in: opening)
    try game.acknowledge([(stroke, 1)], in: opening)
    for number in [0, 1, 65_535] as [UInt16] {
      let mark = try game.mark([(number, nil)], in: opening)
      #expect(try game.verdict(on: mark) == .superseded, "entry \(number)")
    }
    let foreign = try game.script.write(
      .carol, .hosted(.marks(opening: opening.id, [.init(entry: 0, wrong: nil)])), seeing: .only([opening]))
    #expect(try game.verdict(on: foreign) == .notEntitled)
    var quiz = try HostedScript()
    try quiz.join(.bob, as: 0)
    let question = try quiz.open(0)
    let answer = try quiz.enter(.bob, 1, in: question)
    try quiz.acknowledge([(answer, 5)], in: question)
    let mark = try quiz.mark([(0, nil)], in: question)
    #expect(try quiz.verdict(on: mark) == .wrongRound, "a quiz marks nothing")
  }

  @Test("A guess that is marked right and then called unreadable is proven by its author")
  func deniedGuess() throws {
    var (game, opening) = try game()
    let guess = try game.guess(.carol, "tree", in: opening)
    try game.acknowledge([(guess, 10)], in: opening)
    try game.mark([(0, nil)], in: opening)
    try game.close(opening)
    try game.settle(opening, HostedScript.word, [nil])
    try game.script.write(
      .carol,
      .hosted(.entryProof(entry: guess.id, .init(choice: HostedScript.word, salt: HostedScript.salt(1)))))
    #expect(try faults(game) == [.deniedEntry(guess.id)])
  }

  // MARK: - Order

  @Test("Random drawing games with frauds and forks have one state in any order of arrival")
  func randomOrders() throws {
    for seed in 0..<Effort.size(200, quick: 50) {
      var random = RandomStream(seed: UInt64(seed))
      let game = try Self.randomGame(&random)
      let deliveries = Deliveries(game.script.events)
      var expected: Digest?
      for _ in 0..<6 {
        var projection = try game.projection(deliveries.order(&random))
        let digest = projection.digest()
        #expect(expected == nil || digest == expected, "seed \(seed)")
        expected = digest
      }
    }
  }

  /// A game in which everybody does something at random, the host by the rules more often than not.
  private static func randomGame(_ random: inout RandomStream) throws -> HostedScript {
    let peers = [TestPeer.bob, .carol, .dave]
    var game = try HostedScript.drawing(peers, entries: UInt16(2 + random.below(3)))
    var opening = try game.openDrawing(0, drawer: 0)
    var entries: [Event] = []
    for _ in 0..<40 {
      let peer = peers[Int(random.below(3))]
      let before = random.below(8) == 0 ? game.previous(of: peer) : nil
      switch random.below(14) {
      case 0...2:
        let guess = ["tree", "bush", "a"][Int(random.below(3))]
        entries.append(try game.guess(peer, guess, in: opening, after: before))
      case 3, 4:
        entries.append(try game.draw(peer, "line \(random.below(9)) 1; clear", in: opening, after: before))
      case 5, 6:
        let some = entries.suffix(Int(1 + random.below(4)))
        let time = UInt32(random.below(9_000))
        if !some.isEmpty { try game.acknowledge(some.map { ($0, time) }, in: opening) }
      case 7, 8:
        let wrong = ["bush", "tree", nil][Int(random.below(3))]
        try game.mark([(UInt16(random.below(4)), wrong)], in: opening)
      case 9: try game.close(opening, after: UInt32(random.below(9_000)))
      case 10: try game.settleAtRandom(opening, &random)
      case 11:
        let round = UInt16(try game.state().hosted?.settledRounds ?? 0)
        let heads = peers.compactMap { game.script.head(of: $0) }
        opening = try game.openDrawing(round, drawer: UInt16(random.below(3)), seeing: heads)
      case 12: try game.script.write(peer, .leave(node: .none))
      default: try game.script.write(peer, .chat("hello"))
      }
    }
    return game
  }
}

extension HostedScript {
  /// The event before the last of a peer's feed, behind which a fork begins.
  fileprivate func previous(of peer: TestPeer) -> Event? {
    script.head(of: peer).flatMap { last in script.events.first { $0.id == last.previous } }
  }

  fileprivate mutating func settleAtRandom(_ opening: Event, _ random: inout RandomStream) throws {
    let round = try state().hosted?.rounds.last { $0.opening == opening.id }
    let words = [Self.word, Array("bush".utf8)]
    let entries = (round?.sealed ?? []).map { _ -> HostedAction.OpenedEntry? in
      random.below(5) == 0 ? nil : .init(choice: words[Int(random.below(2))], salt: Self.salt(1))
    }
    try settle(opening, words[Int(random.below(6) / 5)], entries)
  }
}
