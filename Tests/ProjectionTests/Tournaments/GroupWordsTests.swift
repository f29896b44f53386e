import Events
import Games
import Projection
import Testing
import Tournaments

@Suite("The bracket behind groups is opened by the organizer's words") struct GroupWordsTests {
  /// Two groups of two: Bob and Rita, Carol and Dave. All pairings are won by their first seat, the better seed.
  private func cup(advance: UInt8) throws -> Cup {
    try Cup([.bob, .carol, .dave, .rita], format: .groups, options: 1 | (advance - 1) << 4)
  }

  private func bracket(_ tournament: TournamentRoom) -> [[UInt16]] {
    tournament.state.known.filter { $0.pairing.round > 0 }.map { $0.pairing.entrants.map(\.rawValue) }
  }

  @Test("What all seats signed counts in the groups, and the bracket waits for the words")
  func waits() throws {
    var cup = try cup(advance: 2)
    let rooms = try [cup.play(0), cup.play(1)]
    var read = try cup.read()
    #expect(read.state.decidedCount == 2 && !read.state.isComplete && read.waitsForOrganizer)
    #expect(bracket(read).isEmpty && read.state.pairingCount == 5)
    try cup.say(0, rooms[0], [1, 0])
    #expect(try bracket(cup.read()).isEmpty)
    try cup.say(1, rooms[1], [1, 0])
    read = try cup.read()
    #expect(bracket(read) == [[0, 2], [1, 3]])
    let words = try #require(try TournamentRoom(cup.script.state, Games.catalog))
    #expect(words.state == read.state)
  }

  @Test("The bracket goes on by what all seats signed, without words")
  func goesOn() throws {
    var cup = try cup(advance: 2)
    for pairing in 0...1 as ClosedRange<UInt32> { try cup.say(pairing, try cup.play(pairing), [1, 0]) }
    for pairing in 2...3 as ClosedRange<UInt32> { try cup.play(pairing) }
    #expect(try bracket(cup.read()) == [[0, 2], [1, 3], [0, 1]])
    try cup.play(4)
    let read = try cup.read()
    #expect(read.state.isComplete && read.state.champion?.rawValue == 0)
    #expect(read.state.standings.map(\.rank) == [1, 2, 3, 3])
    // Rooms in another order, or words that come late, change nothing.
    #expect(try cup.read(rooms: cup.held.reversed()).state == read.state)
  }

  @Test("A void word says who goes on and counts nothing in the standings")
  func void() throws {
    var cup = try cup(advance: 1)
    let rooms = try [cup.play(0), cup.play(1)]
    try cup.say(0, rooms[0], [0, 1])
    try cup.say(1, rooms[1], [1, 0])
    let read = try cup.read()
    #expect(read.findings.map(\.kind) == [.void, .holds])
    #expect(bracket(read) == [[1, 3]])
    #expect(read.state.standings.filter { $0.tally.wins == 1 }.map(\.entrant.rawValue).sorted() == [0, 1])
    // Without the rooms the bracket is the same.
    #expect(try bracket(cup.read(rooms: [])) == [[1, 3]])
  }

  @Test("Who left before the word that opens the bracket is not in it", arguments: [true, false])
  func left(_ isNamed: Bool) throws {
    var cup = try cup(advance: 1)
    let rooms = try [cup.play(0), cup.play(1)]
    try cup.say(0, rooms[0], [1, 0])
    if isNamed { try cup.script.write(.bob, .leave(node: .none)) }
    try cup.say(1, rooms[1], [1, 0])
    if !isNamed { try cup.script.write(.bob, .leave(node: .none)) }
    let read = try cup.read()
    #expect(bracket(read) == [isNamed ? [1, 3] : [0, 1]])
    #expect(read.state.withdrawn.map(\.rawValue) == [0] && read.state.isComplete == !isNamed)
    #expect(isNamed || read.state.champion?.rawValue == 1)
  }
}
