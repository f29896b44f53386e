import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing

/// Games that begin with moves which the room's creator chose.
@Suite("Openings")
struct OpeningTests {
  private static let openings: [[UInt16]] = [[4, 0], [8]]

  /// A series with two openings, which has started.
  private func started(games: Int = 5, undo: Bool = false) throws -> (RoomScript, Place) {
    var room = RoomScript.Room(games: games, openings: Self.openings)
    room.allowsUndo = undo
    let (script, start) = try RoomScript.started(room)
    return (script, Place(node: start.node, ply: 2))
  }

  private func codes(_ game: GameRecord) -> [UInt32] { game.plies.map(\.code.rawValue) }

  @Test("A game begins behind its opening: whose turn, plies, what is legal")
  func begins() throws {
    var (script, start) = try started()
    let game = try #require(script.state.games.first)
    #expect(game.opening == 2 && codes(game) == [4, 0] && !game.hasMoves)
    #expect(game.plies.map(\.seat) == [Seat(0), Seat(1)] && game.plies.allSatisfy { $0.node == start.node })
    #expect(game.turn == .seat(Seat(0)))
    let early = try script.move(.alice, 1, at: Place(node: start.node))
    let taken = try script.move(.alice, 4, at: start)
    #expect(script.verdict(early) == .wrongRound && script.verdict(taken) == .illegal)
    let move = try script.move(.alice, 1, at: start)
    #expect(script.verdict(move) == .effective && script.state.games[0].hasMoves)
    #expect(codes(script.state.games[0]) == [4, 0, 1])
  }

  @Test(
    "Two games in a row have one opening, with the seats exchanged; then comes the next one, then the first")
  func alternates() throws {
    var (script, place) = try started()
    for game in 0..<5 {
      let opening = Self.openings[game / 2 % 2]
      let record = script.state.games[game]
      #expect(codes(record) == opening.map { UInt32($0) } && record.first == Seat(UInt16(game % 2)))
      let ending = try script.write(.alice, .resign(node: place.node))
      place = Place(node: ending.id, game: game + 1, ply: Self.openings[(game + 1) / 2 % 2].count)
    }
    #expect(script.state.phase == .finished)
    #expect(script.state.games.allSatisfy { $0.ending?.outcome?.scores == [0, 1] })
  }

  @Test("Nobody takes back moves of an opening")
  func undo() throws {
    var (script, start) = try started(undo: true)
    let end = try script.play([1, 7], from: start)
    for (ply, isAllowed) in [(1, false), (0, false), (2, true)] {
      let asked = try script.write(.alice, .undoRequest(node: end.node, ply: UInt16(ply)))
      let accept = try script.write(.bob, .undoAccept(request: asked.id))
      #expect((script.verdict(accept) == .effective) == isAllowed, "to ply \(ply)")
    }
    #expect(codes(script.state.games[0]) == [4, 0] && script.state.plyCount == 2)
    let again = try script.move(.alice, 2, at: Place(node: script.state.tip, ply: 2))
    #expect(script.verdict(again) == .effective)
  }

  @Test("A seat that leaves where nothing but the opening was played: the game never was")
  func leaving() throws {
    var (script, start) = try started()
    try script.write(.bob, .leave(node: start.node))
    #expect(script.state.phase == .closed(TestPeer.bob.id))
    #expect(script.state.games[0].ending?.outcome == nil)
    var (other, place) = try started()
    place = try other.play([1], from: place)
    try other.write(.bob, .leave(node: place.node))
    #expect(
      other.state.phase == .abandoned(Seat(1)) && other.state.games[0].ending?.outcome?.scores == [1, 0])
  }

  @Test("A fork before the first own move of a game leaves it without a result")
  func fork() throws {
    var (script, start) = try started(games: 2)
    let ready = try #require(script.head(of: .bob))
    let one = try script.write(.bob, .chat("one"), after: ready)
    try script.write(.bob, .chat("two"), after: ready)
    let move = try script.move(.alice, 1, at: start, seeing: .only([one]))
    #expect(move.kind == .move)
    #expect(script.state.games.count == 1)
    #expect(script.state.games[0].ending?.cause == .forked(Seat(1)))
  }

  @Test("Results agree, and any order gives one digest")
  func orders() throws {
    var (script, start) = try started(games: 2)
    let end = try script.play([1, 2, 7], from: start)
    try script.agree(game: 0, end.node, [1, 0])
    let second = try script.play([1, 7], from: Place(node: end.node, game: 1, ply: 2), first: 1)
    #expect(script.state.games[0].isAgreed && codes(script.state.games[1]) == [4, 0, 1, 7])
    #expect(script.state.tip == second.node)
    var whole = script.projection()
    let digest = whole.digest()
    var random = RandomStream(seed: 5)
    for _ in 0..<Effort.size(200, quick: 20) {
      var other = script.projection([])
      for event in Deliveries(script.events).order(&random) { other.apply(event) }
      #expect(other.digest() == digest)
    }
  }

  @Test(
    "A room whose opening cannot be played is a room of unknown rules",
    arguments: [[9], [0, 0], [0, 3, 1, 4, 2], [0, 1, 2, 4, 3, 5, 7, 6, 8], [65_535]] as [[UInt16]])
  func impossible(_ opening: [UInt16]) throws {
    let script = try RoomScript.readied(RoomScript.Room(openings: [[4], opening]))
    #expect(script.state.phase == .unknownRules && script.state.games.isEmpty)
  }

  @Test("So is one of a game that has no openings")
  func gamesWithoutOpenings() throws {
    var dilemma = RoomScript.Room.dilemma(rounds: 2)
    dilemma.openings = [[0]]
    #expect(try RoomScript(dilemma).state.phase == .unknownRules)
    var memory = RoomScript.Room.memory(seats: 2)
    memory.openings = [[0]]
    #expect(try RoomScript(memory).state.phase == .unknownRules)
    for definition in Games.catalog.definitions {
      let rules = try definition.rules()
      let isKnown = !["prisoners-dilemma", "memory-match"].contains(definition.name)
      #expect(rules.mayOpen(with: []) == isKnown, "\(definition.name)")
    }
  }

  @Test("Openings fit into a room up to their limit")
  func limits() {
    #expect(Create.canHold([[UInt16]](repeating: [0], count: 1_024)))
    #expect(!Create.canHold([[UInt16]](repeating: [0], count: 1_025)))
    #expect(Create.canHold([[UInt16](repeating: 0, count: 2_047)]))
    #expect(!Create.canHold([[UInt16](repeating: 0, count: 2_048)]) && !Create.canHold([[]]))
  }
}
