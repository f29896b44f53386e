import BotKit
import Events
import Projection
import TestKit
import Testing

/// Nothing in a room of hosted rounds is contested: the state follows from the set of events.
@Suite("Hosted rounds in any order") struct HostedConcurrencyTests {
  /// What each peer could write at one moment of a quiz, every kind at least once.
  private static func pieces(
    _ quiz: HostedScript, _ opening: Event, _ entry: Event, _ old: Event
  ) -> [(peer: TestPeer, action: Action)] {
    let salt = HostedScript.salt(1)
    let opened = HostedAction.OpenedEntry(choice: [1], salt: salt)
    let sealed = { (peer: TestPeer, round: Event) -> Action in
      .hosted(
        .entry(
          opening: round.id,
          SealedEntry.seal(
            [1], salt: salt, room: quiz.room, opening: round.id, author: peer.id, host: TestPeer.alice.id)
            ?? .clear([])))
    }
    let own: [Action] = [
      .request(seat: Create.noSeat, Profile(name: "again")), .leave(node: .none), .chat("hello"),
      .hosted(.joinProof(box: [UInt8](repeating: 1, count: 80))),
      .hosted(.entryProof(entry: old.id, opened)), .invite(TestPeer.sybil.id),
      .ready(roster: .none, commitment: salt),
    ]
    let players = [TestPeer.bob, .carol, .sybil].flatMap { peer in
      (own + [sealed(peer, opening)]).map { (peer, $0) }
    }
    let host: [Action] = [
      .hosted(.receipts(opening: opening.id, [.init(parent: 0, milliseconds: 3)])),
      .hosted(.marks(opening: opening.id, [.init(entry: 0, wrong: nil)])),
      .hosted(.close(opening: opening.id, milliseconds: 9)), .leave(node: .none), .invite(TestPeer.sybil.id),
      .hosted(
        .settle(.init(opening: opening.id, solution: [1], salt: HostedScript.salt(9), entries: [opened]))),
      .hosted(
        .open(
          .init(
            round: 1, limitMilliseconds: 5, commitment: HostedScript.salt(2), content: HostedScript.content))),
      .hosted(.joinRefusal(TestPeer.sybil.id, through: 9, .full)), .hosted(.carry(head: entry.id, [])),
      .grant(request: entry.id, seat: 2),
    ]
    return players + host.map { (.alice, $0) }
  }

  @Test("Every pair of events, in both orders and with forks of either feed")
  func pairs() throws {
    var quiz = try HostedScript(rounds: 3)
    try quiz.join(.bob, as: 0)
    try quiz.join(.carol, as: 1)
    let first = try quiz.open(0)
    let old = try quiz.enter(.bob, 1, in: first)
    try quiz.acknowledge([(old, 5)], in: first)
    try quiz.close(first)
    try quiz.settle(first, [1], [nil])
    let opening = try quiz.open(1)
    let entry = try quiz.enter(.carol, 1, in: opening)
    let pieces = Self.pieces(quiz, opening, entry, old)
    #expect(Set(pieces.compactMap(\.action.kind)).isSuperset(of: Kind.ofHostedRounds))
    for a in pieces {
      for b in pieces where a.peer != b.peer || a.action != b.action {
        var both = quiz
        // Of one author they are two branches.
        let before = both.script.head(of: a.peer)
        // Who has written nothing has no feed that could part.
        guard a.peer != b.peer || before != nil else { continue }
        let sight = RoomScript.Sight.only(a.peer == .alice ? [entry] : [opening])
        let one = try both.script.write(a.peer, a.action, seeing: sight)
        let two = try both.script.write(
          b.peer, b.action, seeing: .only(b.peer == .alice ? [entry] : [opening]),
          after: a.peer == b.peer ? before : nil)
        let events = quiz.script.events
        var forwards = try both.projection(events + [one, two])
        var backwards = try both.projection(events + [two, one])
        let place = "\(a.peer.name) \(a.action.kind?.name ?? ""), \(b.peer.name) \(b.action.kind?.name ?? "")"
        #expect(forwards.state.encoded == backwards.state.encoded, "the state of \(place)")
        let verdicts = [forwards, backwards].map { projection in
          var projection = projection
          return projection.verdicts().sorted { $0.event < $1.event }.map(\.verdict)
        }
        #expect(verdicts[0] == verdicts[1], "the verdicts of \(place)")
      }
    }
  }

  @Test("Random quizzes with frauds, forks and odd events, in random orders")
  func randomOrders() throws {
    for seed in 0..<Effort.size(200, quick: 60) {
      var random = RandomStream(seed: UInt64(seed))
      let quiz = try Self.randomQuiz(&random)
      let deliveries = Deliveries(quiz.script.events)
      var expected: Digest?
      for _ in 0..<6 {
        var projection = try quiz.projection(deliveries.order(&random))
        let digest = projection.digest()
        #expect(expected == nil || digest == expected, "seed \(seed)")
        expected = digest
      }
    }
  }

  /// A quiz in which everybody does something at random, the host by the rules more often than not.
  private static func randomQuiz(_ random: inout RandomStream) throws -> HostedScript {
    var quiz = try HostedScript(rounds: 3, entries: UInt16(1 + random.below(2)))
    let peers = [TestPeer.bob, .carol, .dave]
    for (number, peer) in peers.enumerated() { try quiz.join(peer, as: UInt16(number)) }
    var opening = try quiz.open(0)
    var entries: [Event] = []
    for _ in 0..<40 {
      let peer = peers[Int(random.below(3))]
      switch random.below(12) {
      case 0...3:
        let previous =
          random.below(6) == 0
          ? quiz.script.head(of: peer).flatMap { last in
            quiz.script.events.first { $0.id == last.previous }
          } : nil
        entries.append(
          try quiz.enter(
            peer, UInt8(random.below(4)), in: opening, salt: UInt8(1 + random.below(3)), after: previous))
      case 4, 5:
        let some = entries.suffix(Int(1 + random.below(4)))
        if !some.isEmpty {
          let time = UInt32(random.below(9_000))
          try quiz.acknowledge(some.map { ($0, time) }, in: opening)
        }
      case 6: try quiz.close(opening, after: UInt32(random.below(9_000)))
      case 7: try quiz.settle(opening, answer: UInt8(1 + random.below(8) / 7))
      case 8: opening = try quiz.open(UInt16(try quiz.state().hosted?.settledRounds ?? 0))
      case 9: try quiz.script.write(peer, .leave(node: .none))
      case 10:
        if let entry = entries.last {
          try quiz.script.write(
            peer,
            .hosted(.entryProof(entry: entry.id, .init(choice: [1], salt: HostedScript.salt(1)))))
        }
      default:
        if random.below(6) == 0, let head = quiz.script.head(of: .alice),
          let before = quiz.script.events.first(where: { $0.id == head.previous })
        {
          try quiz.script.write(.alice, .chat("fork"), seeing: .only([]), after: before)
        } else {
          try quiz.script.write(peer, .chat("hello"))
        }
      }
    }
    return quiz
  }
}
