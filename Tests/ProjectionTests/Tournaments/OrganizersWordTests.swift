import Events
import Games
import Projection
import Testing
import Tournaments

@Suite("The organizer's words and the rooms of the games") struct OrganizersWordTests {
  @Test("What the rooms give holds, and is what the words alone give")
  func honest() throws {
    var cup = try Cup()
    for pairing in 0..<3 as Range<UInt32> {
      let moves = pairing == 1 ? Cup.secondWins : Cup.firstWins
      try cup.say(pairing, try cup.play(pairing, .init(moves: moves)), pairing == 1 ? [0, 1] : [1, 0])
    }
    let read = try cup.read()
    #expect(read.findings.map(\.kind) == [.holds, .holds, .holds])
    #expect(read.state.isComplete)
    let words = try #require(try TournamentRoom(cup.script.state, Games.catalog))
    #expect(words.state == read.state)
    #expect(words.findings.isEmpty)
    #expect(try words.standingsDigest() == read.standingsDigest())
  }

  @Test("A room that has not the openings of its attempt is none of it")
  func openings() throws {
    var cup = try Cup(openings: [[8, 7], [7, 8]])
    try cup.say(0, try cup.play(0, .init(opening: [8, 7])), [1, 0])
    try cup.say(1, try cup.play(1, .init(opening: [8, 7])), [1, 0])
    try cup.say(2, try cup.play(2), [1, 0])
    #expect(try cup.kinds() == [.holds, .contradicted, .contradicted])
    #expect(try cup.unplayed().openings(of: cup.attempt(1)) == [[7, 8]])
  }

  @Test("A result against what all had signed is void, and the signed one counts")
  func void() throws {
    var cup = try Cup()
    let event = try cup.say(0, try cup.play(0), [0, 1])
    let finding = try #require(try cup.read().findings.first)
    #expect(finding.kind == .void && finding.kind.isFalse && finding.event == event)
    #expect(finding.reason.contains("1–0"))
    #expect(try cup.counted()[0] == [[1, 0]])
  }

  @Test("Who won a signed game cannot be called absent", arguments: [Cup.Walkover.firstAbsent, .bothAbsent])
  func walkover(_ walkover: Cup.Walkover) throws {
    var cup = try Cup()
    for pairing in 0..<3 as Range<UInt32> { try cup.say(pairing, try cup.play(pairing), nil, walkover) }
    #expect(try cup.kinds() == [.void, .void, .void])
    #expect(try cup.counted() == [[[1, 0]], [[1, 0]], [[1, 0]]])
  }

  @Test("What all seats signed needs no word")
  func signedAlone() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    try cup.play(1, .init(signers: 1))
    #expect(try cup.counted() == [[[1, 0]], [], []])
    #expect(try cup.kinds().isEmpty)
    #expect(try cup.read().rooms.map(\.room) == [room.room])
  }

  @Test("A room that somebody else made for the attempt counts only where a word names it")
  func anothersRoom() throws {
    for creator in [TestPeer.sybil, try Cup().players(0)[0]] {
      var cup = try Cup()
      let room = try cup.play(0, .init(creator: creator))
      #expect(try cup.counted()[0].isEmpty)
      try cup.say(0, room, [1, 0])
      #expect(try cup.kinds() == [creator == .sybil ? .contradicted : .holds])
    }
  }

  @Test("Two rooms of one attempt that were signed differently wait for the organizer's word")
  func twoRooms() throws {
    var cup = try Cup()
    let first = try cup.play(0)
    let second = try cup.play(0, .init(moves: Cup.secondWins, scope: .open))
    #expect(first.room != second.room)
    #expect(try cup.counted()[0].isEmpty)
    #expect(try cup.read(rooms: [second, first]).rooms.isEmpty)
    try cup.say(0, second, [0, 1])
    #expect(try cup.kinds() == [.holds])
    #expect(try cup.counted()[0] == [[0, 1]])
  }

  @Test("A decision made without the signed result stands, is shown, and is no fraud")
  func againstSigned() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    try cup.say(0, room, nil, .secondAbsent, heads: room.after(moves: 3).ends)
    let other = try cup.play(1)
    try cup.say(1, nil, nil, .firstAbsent)
    // Nobody had signed when the organizer looked, and what it says is what the moves gave.
    let third = try cup.play(2)
    try cup.say(2, third, [1, 0], heads: third.before(.result).ends)
    let findings = try cup.read().findings
    #expect(findings.map(\.kind) == [.againstSigned, .againstSigned, .holds])
    #expect(findings.allSatisfy { !$0.kind.isFalse })
    #expect(try cup.counted() == [[], [], [[1, 0]]])
    withExtendedLifetime(other) {}
  }

  @Test("One signature too few makes no signed result")
  func oneSignature() throws {
    var cup = try Cup()
    let room = try cup.play(0, .init(signers: 1))
    try cup.say(0, room, nil, .secondAbsent, heads: room.after(moves: 3).ends)
    #expect(try cup.kinds() == [.holds])
  }

  @Test("A result that its room contradicts is named; it stands where nobody signed")
  func contradicted() throws {
    for (scores, walkover) in [([0, 1], .played), (nil, .firstAbsent), ([0, 0], .played)]
      as [([Int32]?, Cup.Walkover)]
    {
      var cup = try Cup()
      try cup.say(0, try cup.play(0, .init(signers: 0)), scores, walkover)
      #expect(try cup.kinds() == [.contradicted], "\(walkover)")
      #expect(try cup.counted()[0] == (scores.map { [$0] } ?? []), "\(walkover)")
    }
  }

  @Test("A game that was not over where the word rests on it is no result")
  func notOver() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    try cup.say(0, room, [0, 1], heads: room.after(moves: 4).ends)
    let finding = try #require(try cup.read().findings.first)
    #expect(finding.kind == .contradicted && finding.reason.contains("was not over"))
    // What is false has no weight against what all seats signed.
    #expect(try cup.counted()[0] == [[1, 0]])
    try cup.say(1, nil, [1, 0])
    #expect(try cup.kinds() == [.contradicted, .contradicted])
  }

  @Test("A room decides one attempt, here or not")
  func usedTwice() throws {
    for isHeld in [true, false] {
      var cup = try Cup()
      let room = try cup.play(0, isHeld: isHeld)
      try cup.say(0, room, [1, 0])
      let event = try cup.say(1, room, [1, 0])
      let findings = try cup.read().findings
      #expect(findings.map(\.kind) == [isHeld ? .holds : .notProven, .roomUsedTwice])
      #expect(findings.last?.event == event)
    }
  }

  @Test("What is false by its bytes is named even where the word does not fit")
  func unfit() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    try cup.say(0, room, [1, 0])
    try cup.say(9, room, [1, 0])
    try cup.say(8, nil, [1, 0])
    try cup.say(7, nil, nil, .firstAbsent)
    #expect(try cup.kinds() == [.holds, .roomUsedTwice, .contradicted])
  }

  @Test("A room that is another pairing's, another game's or between others is no room of the attempt")
  func misfits() throws {
    var cup = try Cup()
    try cup.say(1, try cup.play(0), [1, 0])
    #expect(try cup.kinds() == [.contradicted])
    let purpose = Create.Purpose.games(tournament: cup.script.room, pairing: 0, attempt: 0)
    let players = try cup.players(0)
    let rooms: [(RoomScript.Room, [TestPeer])] = [
      (RoomScript.Room(games: 2, creatorSeat: Int(Create.noSeat), purpose: purpose), players),
      (RoomScript.Room(version: 2, creatorSeat: Int(Create.noSeat), purpose: purpose), players),
      (RoomScript.Room(seats: 16, creatorSeat: Int(Create.noSeat), purpose: purpose), players + [.sybil]),
      (RoomScript.Room(creatorSeat: Int(Create.noSeat), purpose: purpose), players.reversed()),
      (RoomScript.Room(creatorSeat: Int(Create.noSeat), purpose: purpose), [players[0], .sybil]),
    ]
    for (settings, seated) in rooms {
      var cup = try Cup()
      var room = try RoomScript(settings)
      for (seat, peer) in seated.enumerated() { try room.grant(try room.request(peer), seat: seat) }
      cup.hold(room)
      try cup.say(0, room, nil, .firstAbsent)
      #expect(try cup.kinds() == [.contradicted], "\(settings)")
    }
  }

  @Test("Who sits in a room where the word rests on it counts, and not who does after a fork")
  func seatedByAFork() throws {
    let players = try Cup().players(0)
    for (first, later, kind) in [
      (players[1], TestPeer.sybil, PairingFinding.Kind.holds), (.sybil, players[1], .contradicted),
    ] {
      var (cup, room, heads) = try seated(first, then: later)
      #expect(room.state.seats[1]?.peer == later.id)
      try cup.say(0, room, nil, .secondAbsent, heads: heads)
      cup.hold(room)
      #expect(try cup.kinds() == [kind])
      withExtendedLifetime(room) {}
    }
  }

  /// A room whose creator grants a seat to one, and on another branch to another one, with whom it begins.
  /// - Returns: the heads are those before the second grant.
  private func seated(
    _ first: TestPeer, then later: TestPeer
  ) throws -> (cup: Cup, room: RoomScript, heads: [Cup.Head]) {
    let cup = try Cup()
    let creator = try cup.players(0)[0]
    let purpose = Create.Purpose.games(tournament: cup.script.room, pairing: 0, attempt: 0)
    var room = try RoomScript(RoomScript.Room(creatorSeat: 0, purpose: purpose), by: creator)
    var branch = room
    try room.grant(try room.request(first), seat: 1, by: creator)
    let entrants = try cup.players(0).map(\.id)
    let heads = room.ends.filter { entrants.contains($0.author) }
    try branch.grant(try branch.request(later), seat: 1, by: creator)
    for (seat, peer) in [creator, later].enumerated() { try branch.ready(peer, seat: seat) }
    try branch.write(creator, .start(roster: branch.roster()))
    try branch.write(later, .chat("here I am"))
    for event in branch.events.dropFirst() { room.adopt(event) }
    return (cup, room, heads)
  }

  @Test("A word against a signed result that comes after an entrant is out undoes nothing unseen")
  func disqualifiedFirst() throws {
    for isFirst in [true, false] {
      var cup = try Cup()
      let (room, winner) = (try cup.play(0), try cup.players(0)[0])
      let seat = try #require(try cup.read().entrants.firstIndex { $0.peer == winner.id })
      if isFirst { try cup.script.write(.alice, .disqualify(seat: UInt16(seat), reason: "why")) }
      try cup.say(0, nil, nil, .secondAbsent)
      if !isFirst { try cup.script.write(.alice, .disqualify(seat: UInt16(seat), reason: "why")) }
      #expect(try cup.kinds() == (isFirst ? [] : [.againstSigned]))
      #expect(try cup.counted()[0] == (isFirst ? [[1, 0]] : []))
      withExtendedLifetime(room) {}
    }
  }

  @Test("A room that is not here, or only in part, proves nothing either way")
  func notProven() throws {
    var cup = try Cup()
    let room = try cup.play(0, isHeld: false)
    try cup.say(0, room, [0, 1])
    let walked = try cup.play(1, isHeld: false)
    try cup.say(1, walked, nil, .firstAbsent)
    #expect(try cup.kinds() == [.notProven, .notProven])
    #expect(try cup.counted()[0] == [[0, 1]])
    cup.hold(room.after(moves: 4))
    #expect(try cup.kinds() == [.notProven, .notProven])
    cup.hold(room)
    #expect(try cup.kinds() == [.void, .notProven])
  }

  @Test("Heads that never were are named: of nobody, in another's place, of a stranger")
  func invented() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    let real = try #require(room.ends.first { $0.author == TestPeer.alice.id })
    let nowhere = EventID(Blake2b(domain: "nowhere").digest())
    let cases: [(Cup.Head, PairingFinding.Kind)] = [
      (.init(author: real.author, sequence: real.sequence, event: nowhere), .headsNeverWere),
      (.init(author: real.author, sequence: 1, event: nowhere), .headsNeverWere),
      (.init(author: real.author, sequence: real.sequence - 1, event: real.event), .headsNeverWere),
      (.init(author: try cup.players(0)[0].id, sequence: real.sequence, event: real.event), .headsNeverWere),
      (.init(author: TestPeer.sybil.id, sequence: 1, event: nowhere), .headsNeverWere),
      (.init(author: real.author, sequence: real.sequence + 1, event: nowhere), .holds),
    ]
    for (head, kind) in cases {
      var cup = cup
      try cup.say(0, room, [1, 0], heads: room.ends.filter { $0.author != head.author } + [head])
      #expect(try cup.kinds() == [kind], "\(head)")
      // An honest result as well as a false one: what all signed counts.
      #expect(try cup.counted()[0] == [[1, 0]])
    }
  }

  /// A head that nobody has, of a peer of the room.
  private func headOfNothing(_ peer: TestPeer, in room: RoomScript) -> Cup.Head {
    let last = room.ends.first { $0.author == peer.id }?.sequence ?? 0
    return .init(author: peer.id, sequence: last + 1, event: EventID(Blake2b(domain: "nowhere").digest()))
  }

  @Test("An event that the organizer gave to nobody takes no signature out of a word's past")
  func givenToNobody() throws {
    let words: [([Int32]?, Cup.Walkover, PairingFinding.Kind)] = [
      ([1, 0], .played, .holds), ([0, 1], .played, .void), (nil, .firstAbsent, .void),
    ]
    for (scores, walkover, kind) in words {
      var cup = try Cup()
      let room = try cup.play(0)
      let head = headOfNothing(.alice, in: room)
      try cup.say(0, room, scores, walkover, heads: room.ends.filter { $0.author != head.author } + [head])
      #expect(try cup.kinds() == [kind], "\(walkover)")
      #expect(try cup.counted()[0] == [[1, 0]])
    }
    // Where not all have signed there is nothing to go by, and as little where a seat may have said something else.
    for (signers, peer) in [(1, TestPeer.alice), (2, try Cup().players(0)[1])] {
      var cup = try Cup()
      let room = try cup.play(0, .init(signers: signers))
      try cup.say(0, room, [0, 1], heads: room.ends + [headOfNothing(peer, in: room)])
      #expect(try cup.kinds() == [.notProven])
      #expect(try cup.counted()[0] == (signers == 2 ? [[1, 0]] : [[0, 1]]))
    }
  }

  @Test("A word on a room that nobody has overrules nothing that every seat signed; a decision does")
  func aRoomThatNobodyHas() throws {
    for walkover in [Cup.Walkover.played, .firstAbsent] {
      var cup = try Cup()
      let other = try cup.play(0, .init(moves: Cup.secondWins, scope: .open), isHeld: false)
      let room = try cup.play(0)
      try cup.say(0, other, walkover == .played ? [0, 1] : nil, walkover)
      #expect(try cup.kinds() == [.notProven])
      #expect(try cup.counted()[0] == (walkover == .played ? [[1, 0]] : []))
      // With the other room there are two that every seat signed, and the word decides between them.
      cup.hold(other)
      #expect(try cup.kinds() == [walkover == .played ? .holds : .void])
      #expect(try cup.counted()[0] == (walkover == .played ? [[0, 1]] : []))
      withExtendedLifetime(room) {}
    }
  }

  @Test("A word that is not proven keeps nothing from counting that it says itself")
  func notProvenAndSigned() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    let (winner, loser) = (try cup.players(0)[0], try cup.players(0)[1])
    let seat = try #require(try cup.read().entrants.firstIndex { $0.peer == winner.id })
    try cup.script.write(.alice, .disqualify(seat: UInt16(seat), reason: "why"))
    let head = headOfNothing(loser, in: room)
    try cup.say(0, room, [1, 0], heads: room.ends.filter { $0.author != head.author } + [head])
    #expect(try cup.kinds() == [.notProven])
    #expect(try cup.counted()[0] == [[1, 0]])
  }

  @Test("A head on a branch that is not here accuses nobody where its feed is known to be forked")
  func branches() throws {
    var cup = try Cup()
    var room = try cup.play(0, .init(moves: Array(Cup.firstWins.prefix(4)), signers: 0))
    let player = try cup.players(0)[0]
    let before = try #require(room.head(of: player))
    let seen = try room.write(player, .chat("one"), after: before)
    var forked = room
    forked.adopt(try room.write(player, .chat("another"), after: before))
    let ends = room.ends.filter { $0.author != player.id }
    try cup.say(
      0, room, nil, .secondAbsent,
      heads: ends + [.init(author: player.id, sequence: seen.sequence, event: seen.id)])
    // Here are two branches, and the one that is named is neither.
    var elsewhere = room
    elsewhere.rewind(to: room.events.firstIndex { $0.id == seen.id } ?? 0)
    let third = try elsewhere.write(player, .chat("a third"), after: before)
    let fourth = try elsewhere.write(player, .chat("a fourth"), after: before)
    cup.hold(elsewhere)
    #expect(third.id != fourth.id)
    #expect(try cup.kinds() == [.notProven])
    cup.hold(forked)
    #expect(try cup.kinds() == [.holds])
  }

  @Test("What was signed before an entrant left counts, and its other pairings are walkovers")
  func withdrawn() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    let leaver = try cup.players(0)[0]
    try cup.script.write(leaver, .leave(node: .none))
    try cup.say(0, room, [1, 0])
    let read = try cup.read()
    #expect(read.findings.map(\.kind) == [.holds])
    #expect(try cup.counted()[0] == [[1, 0]])
    #expect(read.state.decidedCount == 2)
  }

  @Test("What was signed before an entrant was disqualified counts, and it stands behind all others")
  func disqualified() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    let winner = try cup.players(0)[0]
    let seat = try #require(try cup.read().entrants.firstIndex { $0.peer == winner.id })
    try cup.script.write(.alice, .disqualify(seat: UInt16(seat), reason: "why"))
    try cup.say(0, room, [1, 0])
    let read = try cup.read()
    #expect(read.findings.map(\.kind) == [.holds])
    #expect(try cup.counted()[0] == [[1, 0]])
    #expect(read.disqualified == [EntrantIndex(UInt16(seat)): "why"])
    #expect(read.state.standings.last?.entrant == EntrantIndex(UInt16(seat)))
  }

  @Test("Who was called absent, and is not any more, plays; who was disqualified is not any more")
  func takenBack() throws {
    var cup = try Cup()
    let absent = try cup.say(0, nil, nil, .firstAbsent)
    let others = try cup.players(0)
    let seat = try #require(cup.entrants.firstIndex { !others.contains($0) })
    let out = try cup.script.write(.alice, .disqualify(seat: UInt16(seat), reason: "why")).id
    #expect(try cup.read().state.isComplete)
    for word in [absent, out] { try cup.script.write(.alice, .revoke(word: word)) }
    let reopened = try cup.read()
    #expect(reopened.revoked == [absent, out] && reopened.disqualified.isEmpty)
    #expect(reopened.state == (try cup.unplayed().state))
    for pairing in 0..<3 as Range<UInt32> { try cup.say(pairing, try cup.play(pairing), [1, 0]) }
    let read = try cup.read()
    #expect(read.state.isComplete && read.findings.map(\.kind) == [.holds, .holds, .holds])
    #expect(try cup.counted() == [[[1, 0]], [[1, 0]], [[1, 0]]])
  }

  @Test("Of a ruling that is taken back the room may be named again")
  func theRoomOfARevokedWord() throws {
    var cup = try Cup()
    let room = try cup.play(0)
    let absent = try cup.say(0, room, nil, .secondAbsent, heads: room.after(moves: 2).ends)
    #expect(try cup.kinds() == [.againstSigned])
    try cup.script.write(.alice, .revoke(word: absent))
    #expect(try cup.counted()[0] == [[1, 0]])
    try cup.say(0, room, [1, 0])
    #expect(try cup.kinds() == [.holds])
  }

  @Test("A ruling on which a result rests is not taken back", arguments: [true, false])
  func whatRestsOnARuling(isWinnersNext: Bool) throws {
    var cup = try Cup([.bob, .carol, .dave, .sybil], format: .singleElimination)
    let absent = try cup.say(0, nil, nil, .firstAbsent)
    try cup.say(1, try cup.play(1), [1, 0])
    if isWinnersNext { try cup.say(2, nil, nil, .secondAbsent) }
    let before = try cup.read()
    try cup.script.write(.alice, .revoke(word: absent))
    let after = try cup.read()
    #expect(after.revoked == (isWinnersNext ? [] : [absent]))
    #expect((after.state == before.state) == isWinnersNext)
    #expect(after.state.isComplete == isWinnersNext)
  }

  /// Else whoever organizes keeps a pairing from ever being decided, by a word on it that comes too early.
  @Test("A word that has no effect where it stands keeps nothing that is signed later from counting")
  func tooEarly() throws {
    var cup = try Cup([.bob, .carol, .dave, .sybil], format: .singleElimination)
    try cup.say(2, nil, nil, .bothAbsent)
    try cup.say(0, nil, nil, .firstAbsent)
    let semifinal = try cup.play(1)
    #expect(try cup.read().state.ready.map(\.pairing.number.rawValue) == [2])
    let final = try cup.play(2)
    let read = try cup.read()
    #expect(read.state.isComplete)
    #expect(Set(read.rooms.map(\.room)).isSuperset(of: [semifinal.room, final.room]))
    // There is one word on an attempt.
    try cup.say(2, nil, nil, .firstAbsent)
    #expect(try cup.read().state == read.state)
  }

  @Test("A disqualification is not taken back when others were paired without the entrant")
  func pairedWithout() throws {
    var cup = try Cup([.bob, .carol, .dave, .rita], format: .swiss, options: 3)
    try cup.say(0, nil, nil, .secondAbsent)
    let leader = try cup.attempt(0).entrants[0]
    let out = try cup.script.write(.alice, .disqualify(seat: leader.rawValue, reason: "why")).id
    try cup.say(1, nil, nil, .secondAbsent)
    let without = try cup.attempt(2).entrants
    try cup.say(2, nil, nil, .secondAbsent)
    let before = try cup.read()
    #expect(before.state.decidedCount == 3 && !without.contains(leader))
    try cup.script.write(.alice, .revoke(word: out))
    let after = try cup.read()
    #expect(after.revoked.isEmpty && after.state == before.state)
  }

  @Test("An organizer that plays takes back no ruling on itself")
  func ownAbsence() throws {
    var cup = try Cup([.alice, .bob, .carol], organizerPlays: true, referee: .dave)
    let own = try #require((0..<3 as Range<UInt32>).first { try cup.players($0).contains(.alice) })
    let isFirst = try cup.players(own)[0] == .alice
    let absent = try cup.say(own, nil, nil, isFirst ? .firstAbsent : .secondAbsent)
    let before = try cup.read()
    #expect(before.state.decidedCount == 1)
    try cup.script.write(.alice, .revoke(word: absent))
    #expect(try cup.read().state == before.state && cup.read().revoked.isEmpty)
  }

  @Test("Whatever order the rooms are held in, the tournament is the same")
  func order() throws {
    var cup = try Cup()
    let rooms = try (0..<3 as Range<UInt32>).map { try cup.play($0) }
    try cup.say(1, rooms[1], [0, 1])
    let first = try cup.read(rooms: rooms)
    for order in [[2, 1, 0], [1, 0, 2], [0, 2, 1]] {
      let other = try cup.read(rooms: order.map { rooms[$0] })
      #expect(other.state == first.state && other.findings == first.findings)
    }
  }
}
