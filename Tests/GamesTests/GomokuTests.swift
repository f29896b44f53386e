import BotKit
import Games
import Rules
import TestKit
import Testing

/// Gomoku, and its opening.
@Suite struct GomokuTests {
  private func rules(_ settings: String...) throws -> Gomoku { try Gomoku(parameters(settings)) }

  private func swap2(_ moves: String, first: Seat = Seat(0)) throws -> GameOf<Gomoku> {
    let rules = try rules("opening=swap2")
    var game = GameOf(rules: rules, position: rules.start(first: first))
    for text in moves.split(separator: " ") {
      let code = try #require(game.code(text: String(text)))
      let isPlayed = game.play(code)
      #expect(isPlayed, "\(text)")
    }
    return game
  }

  private func words(_ game: GameOf<Gomoku>) -> [String] { game.diagram.lines.map { $0.text() } }

  @Test func keepsTheSuite() {
    let settings = [[], ["line=exact"], ["opening=swap2"], ["line=exact", "opening=swap2"]]
    RulesSuite.check(Gomoku.self, codes: 0...230, settings: settings, games: 20)
  }

  @Test func goldenPlaythroughs() throws {
    try Playthrough.check(Gomoku.self, settings: [["opening=swap2"]])
  }

  /// Without an opening, every game goes and ends as on the board of k in a row.
  @Test func agreesWithKInARow() throws {
    for (line, exact) in [("free", "no"), ("exact", "yes")] {
      let rules = try rules("line=\(line)")
      let other = try KInARow(parameters(["width=15", "height=15", "exact=\(exact)"]))
      for seed in 0..<UInt64(Effort.size(40, quick: 10)) {
        var random = RandomStream(seed: seed)
        let game = RandomGame(rules, first: Seat(UInt16(seed % 2)), plyLimit: 999, random: &random)
        var state: any GameState = other.newGame(first: game.first)
        for (step, position) in zip(game.steps, game.positions.dropFirst()) {
          let isPlayed = state.play(step[0])
          #expect(isPlayed && state.turn == rules.turn(in: position), "seed \(seed)")
        }
        let last = GameOf(rules: rules, position: game.positions[game.steps.count])
        #expect(
          state.diagram.board == last.diagram.board
            && last.diagram.sides == [game.first, game.first.opponent])
      }
    }
  }

  @Test func sixWinWhereTheyMay() throws {
    let moves = "a1 a9 b1 b9 c1 c8 e1 e9 f1 f8 d1"
    for (line, turn): (String, Turn) in [
      ("free", .over(.won(by: Seat(0), of: 2))), ("exact", .seat(Seat(1))),
    ] {
      let rules = try rules("line=\(line)")
      var game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
      for text in moves.split(separator: " ") {
        let isPlayed = game.play(try #require(game.code(text: String(text))))
        #expect(isPlayed)
      }
      #expect(game.turn == turn, "\(line)")
    }
  }

  /// The first seat puts black, white and black, and the other one has three choices.
  @Test(arguments: [Seat(0), Seat(1)]) func oneSeatOpensAndTheOtherChooses(_ first: Seat) throws {
    for (moves, mover, next): (String, Seat, String) in [
      ("", first, "black"), ("h8", first, "white"), ("h8 h9", first, "black"),
    ] {
      let game = try swap2(moves, first: first)
      #expect(
        game.turn == .seat(mover) && game.legalMoves(of: mover).count == 225 - game.position.board.count)
      #expect(
        words(game) == ["To put two black stones and a white one: \(mover); next: \(next)"])
    }
    let game = try swap2("h8 h9 j10", first: first)
    let texts = game.legalMoves(of: first.opponent).map { game.text(of: $0) }
    #expect(game.turn == .seat(first.opponent) && texts == ["white", "black", "two"])
    #expect(game.position.board.black.count == 2 && game.position.board.white.count == 1)
    #expect(
      words(game) == [
        "To choose white, black or two: \(first.opponent)",
        "After two, a stone of each colour, to choose: \(first)",
      ])
  }

  @Test(arguments: [Seat(0), Seat(1)]) func whoTakesWhiteMovesNext(_ first: Seat) throws {
    for (moves, black) in [
      ("h8 h9 j10 white", first), ("h8 h9 j10 black", first.opponent),
      ("h8 h9 j10 two a1 a2 white", first.opponent), ("h8 h9 j10 two a1 a2 black", first),
    ] {
      let game = try swap2(moves, first: first)
      #expect(game.turn == .seat(black.opponent), "\(moves)")
      #expect(words(game) == ["Black: \(black); white: \(black.opponent)"])
      #expect(game.diagram.sides == [black, black.opponent])
      #expect(game.diagram.board[7][7] == .piece(black) && game.diagram.board[6][7] == .piece(black.opponent))
      let after = try swap2(moves + " c3", first: first)
      #expect(after.turn == .seat(black))
    }
  }

  @Test func whoAddsTwoStonesGivesTheChoiceBack() throws {
    let added = try swap2("h8 h9 j10 two")
    #expect(added.turn == .seat(Seat(1)) && added.legalMoves(of: Seat(1)).count == 222)
    #expect(words(added) == ["To put a stone of each colour: seat 2; next: white"])
    let one = try swap2("h8 h9 j10 two a1")
    #expect(one.turn == .seat(Seat(1)))
    #expect(words(one) == ["To put a stone of each colour: seat 2; next: black"])
    let both = try swap2("h8 h9 j10 two a1 a2")
    let texts = both.legalMoves(of: Seat(0)).map { both.text(of: $0) }
    #expect(both.turn == .seat(Seat(0)) && texts == ["white", "black"])
    #expect(words(both) == ["To choose white or black: seat 1"])
    #expect(both.position.board.black.count == 3 && both.position.board.white.count == 2)
  }

  @Test func whoHasTheStonesWins() throws {
    let game = try swap2("c1 a9 d1 black i9 e1 j3 f1 k9 g1")
    #expect(game.turn == .over(.won(by: Seat(1), of: 2)))
    #expect(game.diagram.board[14][2...6].allSatisfy { $0 == .marked(Seat(1)) })
  }

  @Test func movesAreReadAsTheyAreWritten() throws {
    let rules = try rules("opening=swap2")
    for code in 0..<UInt32(228) {
      let move = try #require(rules.move(code: MoveCode(code)))
      #expect(rules.code(of: move) == MoveCode(code))
      #expect(rules.move(text: rules.text(of: move)) == move)
      #expect(rules.move(text: rules.text(of: move).uppercased()) == move)
    }
    #expect(rules.move(code: MoveCode(228)) == nil)
    for text in ["", "p1", "a16", "a0", "whit", "whites", "swap", "tw o", " black"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
    let plain = try self.rules()
    #expect(plain.move(code: MoveCode(225)) == nil && plain.move(text: "white") == nil)
  }

  @Test func settingsAreRefusedWithWords() {
    for (setting, words) in [
      ("line=five", "the setting line cannot be “five”: it takes free or exact"),
      ("opening=swap", "the setting opening cannot be “swap”: it takes none or swap2"),
      ("width=19", "the game has no setting “width”; it has: line, opening"),
    ] {
      do {
        _ = try Gomoku(parameters([setting]))
        Issue.record("\(setting) is taken")
      } catch { #expect("\(error)" == words) }
    }
  }

  @Test func bytes() throws {
    let none = [UInt8](repeating: 0, count: 58)
    #expect(try swap2("", first: Seat(1)).encoded == [0b0111, 0, 0] + none)
    #expect(try swap2("h8 h9 j10").encoded.prefix(3) == [0b1000, 0, 145])
    #expect(try swap2("h8 h9 j10 black").encoded.prefix(3) == [0b0010, 0, 145])
    #expect(try swap2("h8 h9 j10 two").encoded.prefix(1) == [0b1100])
    #expect(try swap2("h8 h9 j10 two a1 b1").encoded.prefix(5) == [0b10000, 0, 2, 0b10, 0])
  }
}
