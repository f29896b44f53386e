import BotKit
import Events
import Games
import Projection
import Rules
import Testing

@Suite("Rounds of simultaneous choices")
struct RoundTests {
  private func game(rounds: Int = 3, games: Int = 1) throws -> (RoomScript, Place) {
    try RoomScript.started(.dilemma(rounds: rounds, games: games, referee: TestPeer.rita.id))
  }

  @Test("A reveal before every commit is an offence, and the other gains all")
  func earlyReveal() throws {
    var (script, place) = try game()
    let commit = try script.commit(.alice, seat: 0, 0, at: place)
    let early = try script.reveal(.alice, seat: 0, 0, of: commit, at: place)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(0)))
    #expect(script.state.games[0].ending?.node == early.id)
    // Bob commits after he has seen it: he gains what he had gained already.
    try script.commit(.bob, seat: 1, 1, at: place)
    #expect(script.state.games[0].ending?.outcome?.scores == [-3, 9])
    #expect(script.state.round.commits.isEmpty)
  }

  @Test(
    "Who signs a result before it has seen every reveal agrees to nothing, in whichever order all of it comes"
  )
  func resultBeforeReveal() throws {
    var (script, place) = try game(rounds: 1, games: 2)
    let first = try script.commit(.alice, seat: 0, 0, at: place)
    let second = try script.commit(.bob, seat: 1, 0, at: place)
    let opened = try script.reveal(.alice, seat: 0, 0, of: first, at: place)
    try script.result(.alice, game: 0, opened.id, [2, 2], seeing: .nothing)
    try script.reveal(.bob, seat: 1, 0, of: second, at: place)
    try script.result(.bob, game: 0, opened.id, [2, 2])
    #expect(script.state.games[0].ending?.outcome?.scores == [2, 2] && !script.state.games[0].isAgreed)
    var random = RandomStream(seed: 5)
    let deliveries = Deliveries(script.events)
    for _ in 0..<20 {
      var projection = try #require(RoomProjection(create: script.create, catalog: Games.catalog))
      for event in deliveries.order(&random) {
        projection.apply(event)
        _ = projection.state
      }
      #expect(!projection.state.games[0].isAgreed)
    }
  }

  @Test("A commit that is there, but was not seen, does not excuse a reveal")
  func unseenCommit() throws {
    var (script, place) = try game()
    let first = try script.commit(.alice, seat: 0, 0, at: place, seeing: .nothing)
    try script.commit(.bob, seat: 1, 0, at: place)
    try script.reveal(.alice, seat: 0, 0, of: first, at: place, seeing: .nothing)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(0)))
  }

  @Test("A second commit is an offence; the same reveal twice is not")
  func twice() throws {
    var (script, place) = try game()
    let first = try script.commit(.alice, seat: 0, 0, at: place)
    let second = try script.commit(.bob, seat: 1, 0, at: place)
    let fair = script
    let reveal = try script.reveal(.alice, seat: 0, 0, of: first, at: place)
    let again = try script.reveal(.alice, seat: 0, 0, of: first, at: place)
    try script.reveal(.bob, seat: 1, 0, of: second, at: place)
    #expect(script.verdict(reveal) == .effective)
    #expect(script.verdict(again) == .superseded)
    #expect(script.state.games[0].plies.count == 1)
    #expect(script.state.tip == reveal.id)
    script = fair
    let cheat = try script.commit(.bob, seat: 1, 1, at: place)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(1)))
    #expect(script.state.games[0].ending?.node == cheat.id)
  }

  @Test("What does not open has no effect; an illegal choice is an offence when it is opened")
  func opening() throws {
    var (script, place) = try game()
    let first = try script.commit(.alice, seat: 0, 0, at: place)
    let second = try script.commit(.bob, seat: 1, 5, at: place)
    let wrong = try script.reveal(.alice, seat: 0, 1, of: first, at: place)
    let foreign = try script.reveal(.carol, seat: 0, 0, of: first, at: place)
    let stolen = try script.reveal(.bob, seat: 0, 0, of: first, at: place)
    #expect(script.verdict(wrong) == .doesNotOpen)
    #expect(script.verdict(foreign) == .notEntitled)
    #expect(script.verdict(stolen) == .offLine)
    #expect(script.state.games[0].ending == nil)
    let illegal = try script.reveal(.bob, seat: 1, 5, of: second, at: place)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(1)))
    #expect(script.verdict(illegal) == .effective)
  }

  @Test("A commit or reveal for another round has no effect, and nothing hangs")
  func otherRound() throws {
    var (script, place) = try game()
    let wrong = try script.commit(.alice, seat: 0, 0, at: Place(node: place.node, ply: 1))
    #expect(script.verdict(wrong) == .wrongRound)
    let first = try script.commit(.alice, seat: 0, 0, at: place)
    let second = try script.commit(.bob, seat: 1, 0, at: place)
    let late = try script.reveal(.bob, seat: 1, 0, of: second, at: Place(node: place.node, ply: 2))
    #expect(script.verdict(late) == .wrongRound)
    let opened = try script.reveal(.alice, seat: 0, 0, of: first, at: place)
    try script.reveal(.bob, seat: 1, 0, of: second, at: place)
    #expect(script.state.games[0].plies.count == 1)
    place = try script.round((1, 1), at: place.after(opened))
    #expect(script.state.games[0].plies.count == 2)
  }

  @Test("Nobody can learn a choice from what stands there before both have committed")
  func secrecy() throws {
    var (script, place) = try game()
    let guess = { (peer: TestPeer, seat: Int, commit: Event) -> [UInt32] in
      // Without the salt every choice is as likely: no key that others have opens the commitment.
      guard case .commit(_, let commitment) = commit.action else { return [] }
      return (0..<2).filter { choice in
        [Digest.none, Digest(script.room.bytes), Digest(peer.id.bytes)].contains { salt in
          commitment
            == Commitments.choice(
              choice, salt: salt, room: script.room, game: 0, round: 0, seat: UInt16(seat), author: peer.id)
        }
      }
    }
    let commit = try script.commit(.alice, seat: 0, 1, at: place)
    #expect(guess(.alice, 0, commit).isEmpty)
    #expect(script.state.round.commits.count == 1)
    // Bob cannot copy Alice's commitment either: it names her and her seat.
    guard case .commit(let step, let commitment) = commit.action else { return }
    let copy = try script.write(.bob, .commit(step, commitment: commitment))
    let reveal = try script.reveal(.alice, seat: 0, 1, of: commit, at: place)
    guard case .reveal(let opened, let choice, let salt) = reveal.action else { return }
    let copied = try script.write(
      .bob, .reveal(.init(game: opened.game, ply: opened.ply, node: copy.id), choice: choice, salt: salt))
    #expect(script.verdict(copied) == .doesNotOpen)
    place.ply += 1
  }

  @Test("A round that waits for its reveals has one digest, however often it is derived")
  func openRound() throws {
    var (script, place) = try game()
    try script.commit(.alice, seat: 0, 0, at: place)
    try script.commit(.bob, seat: 1, 1, at: place)
    #expect(script.state.round.commits.count == 2)
    // The order of a set or dictionary goes by where it lies in memory, and each derivation makes them anew.
    var projections = (0..<64).map { _ in script.projection() }
    let digests = projections.indices.map { projections[$0].digest() }
    #expect(Set(digests).count == 1)
  }

  @Test("A round's chance comes from the salts of all seats: none of them chooses it alone")
  func jointChance() throws {
    let rounds = 40
    var (script, place) = try RoomScript.started(.dilemma(rounds: rounds, games: 2, noise: 300))
    for game in 0..<2 {
      for _ in 0..<rounds { place = try script.round((0, 1), at: place) }
      let record = script.state.games[game]
      var expected = try #require(Games.catalog.newest("prisoners-dilemma")).rules(
        try #require(Parameters(encoded: script.state.create.parameters))
      ).start(first: record.first)
      for (round, ply) in record.plies.enumerated() {
        let salts = [TestPeer.alice, .bob].enumerated().map { seat, peer in
          peer.salt(script.room, game: game, round: round, seat: seat)
        }
        let seed = Commitments.chance(game: UInt16(game), round: UInt16(round), salts: salts)
        #expect(ply.chance == Chance(seed: seed))
        let isPlayed = expected.resolve([MoveCode(0), MoveCode(1)], by: Chance(seed: seed))
        #expect(isPlayed && ply.codes == [MoveCode(0), MoveCode(1)])
        for seat in 0..<2 {
          var other = salts
          other[seat] = Digest(script.room.bytes)
          #expect(Commitments.chance(game: UInt16(game), round: UInt16(round), salts: other) != seed)
        }
      }
      #expect(record.state.encoded == expected.encoded)
      #expect(Set(record.plies.map(\.chance)).count == rounds)
      place = Place(node: place.node, game: game + 1)
    }
  }

  @Test("Series of the prisoner's dilemma")
  func series() throws {
    var (script, place) = try game(rounds: 2, games: 3)
    for number in 0..<3 {
      for _ in 0..<2 { place = try script.round((1, 0), at: place) }
      place = Place(node: place.node, game: number + 1)
    }
    #expect(script.state.phase == .finished)
    #expect(script.state.games.map { $0.ending?.outcome?.scores } == [[6, -2], [6, -2], [6, -2]])
  }
}
