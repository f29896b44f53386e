import Events
import Games
import Projection
import Testing
import Tournaments

@Suite("Rounds of a Swiss tournament are opened by the organizer's words") struct SwissWordsTests {
  /// Four entrants, two rounds; in the first one Bob meets Dave, and Rita meets Carol.
  private func swiss() throws -> Cup {
    try Cup([.bob, .carol, .dave, .rita], format: .swiss, options: 2)
  }

  private func pairs(_ tournament: TournamentRoom, round: Int) -> [[UInt16]] {
    tournament.state.known.filter { $0.pairing.round == round }.map { $0.pairing.entrants.map(\.rawValue) }
  }

  @Test("What all seats signed counts, and the next round waits for the words")
  func waits() throws {
    var cup = try swiss()
    let rooms = try [cup.play(0), cup.play(1)]
    var read = try cup.read()
    #expect(read.state.decidedCount == 2 && !read.state.isComplete)
    #expect(read.state.known.count == 2 && read.state.pairingCount == 4)
    try cup.say(0, rooms[0], [1, 0])
    #expect(try cup.read().state.known.count == 2)
    try cup.say(1, rooms[1], [1, 0])
    read = try cup.read()
    #expect(Set(pairs(read, round: 1).map(Set.init)) == [[0, 3], [1, 2]])
    let words = try #require(try TournamentRoom(cup.script.state, Games.catalog))
    #expect(words.state == read.state)
  }

  @Test("A void word pairs the next round and counts nothing in the standings")
  func void() throws {
    var cup = try swiss()
    let rooms = try [cup.play(0), cup.play(1)]
    try cup.say(0, rooms[0], [0, 1])
    try cup.say(1, rooms[1], [1, 0])
    let read = try cup.read()
    #expect(read.findings.map(\.kind) == [.void, .holds])
    #expect(Set(pairs(read, round: 1).map(Set.init)) == [[2, 3], [0, 1]])
    #expect(read.state.standings.filter { $0.tally.wins == 1 }.map(\.entrant.rawValue).sorted() == [0, 3])
    // Without the rooms the pairings are the same.
    let words = try cup.read(rooms: [])
    #expect(pairs(words, round: 1) == pairs(read, round: 1))
    #expect(words.state.standings.filter { $0.tally.wins == 1 }.map(\.entrant.rawValue).sorted() == [2, 3])
  }

  @Test("Who left before the word that opens a round is not paired in it", arguments: [true, false])
  func left(_ isNamed: Bool) throws {
    var cup = try swiss()
    let rooms = try [cup.play(0), cup.play(1)]
    try cup.say(0, rooms[0], [1, 0])
    if isNamed { try cup.script.write(.dave, .leave(node: .none)) }
    try cup.say(1, rooms[1], [1, 0])
    if !isNamed { try cup.script.write(.dave, .leave(node: .none)) }
    let read = try cup.read()
    #expect(read.state.byes.count == (isNamed ? 1 : 0))
    #expect(pairs(read, round: 1).flatMap { $0 }.contains(2) == !isNamed)
    #expect(read.state.decidedCount == (isNamed ? 2 : 3))
    #expect(read.state.withdrawn.map(\.rawValue) == [2])
  }
}
