import Games
import Rules
import Testing

@Suite("Connect Four: rules")
struct ConnectFourTests {
  let rules = ConnectFour()

  @Test(
    "a line of four wins in each direction, and nobody moves after it",
    arguments: ["5354575", "7244635", "55312534544", "53234632422"])
  func lines(moves: String) throws {
    var position = rules.start(first: Seat(0))
    for (index, digit) in moves.enumerated() {
      let mover = Seat(UInt16(index & 1))
      #expect(rules.turn(in: position) == .seat(mover))
      let move = try #require(rules.move(text: String(digit)))
      #expect(rules.isLegal(move, by: mover, in: position))
      rules.play(move, in: &position)
    }
    #expect(rules.turn(in: position) == .over(.won(by: Seat(0), of: 2)))
    for seat in [Seat(0), Seat(1)] {
      #expect(rules.legalMoves(of: seat, in: position).isEmpty)
      for column in 0..<7 {
        let move = try #require(ConnectFour.Move(column: column))
        #expect(!rules.isLegal(move, by: seat, in: position))
      }
    }
    let marked = rules.diagram(of: position).board.joined().filter { $0 == .marked(Seat(0)) }
    #expect(marked.count == 4)
  }

  @Test("three in a line, or four around a corner of the board, do not win")
  func noLines() throws {
    for moves in ["121212", "112233", "121314", "666666777777"] {
      #expect(!(try rules.position(moves: moves).isWon), "\(moves)")
    }
  }

  @Test("a full board without a line is a draw")
  func draw() throws {
    let moves = "547125662261271266215743771576315353334444"
    let position = try rules.position(moves: moves)
    #expect(position.ply == 42)
    #expect(rules.turn(in: position) == .over(.drawn(of: 2)))
  }

  @Test("the seat that moves first is a matter of the position")
  func firstSeat() throws {
    let position = try rules.position(moves: "44", first: Seat(1))
    #expect(rules.turn(in: position) == .seat(Seat(1)))
    #expect(rules.legalMoves(of: Seat(0), in: position).isEmpty)
    #expect(position != (try rules.position(moves: "44")))
    #expect(rules.encode(position) != rules.encode(try rules.position(moves: "44")))
  }

  @Test("moves to and from codes and text")
  func codec() throws {
    for column in 0..<7 {
      let move = try #require(ConnectFour.Move(column: column))
      #expect(rules.code(of: move) == MoveCode(UInt32(column)))
      #expect(rules.move(code: rules.code(of: move)) == move)
      #expect(rules.text(of: move) == "\(column + 1)")
      #expect(rules.move(text: rules.text(of: move)) == move)
    }
    for code: UInt32 in [7, 8, 255, 256, .max] { #expect(rules.move(code: MoveCode(code)) == nil) }
    for text in ["", "0", "8", "a", "11", "1 ", " 1", "¹", "１", "-1", "\u{0}"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
  }

  @Test("settings are refused")
  func settings() {
    var parameters = Parameters()
    parameters["rows"] = "7"
    #expect(throws: RulesError.unknownParameter("rows", known: [])) { try ConnectFour(parameters) }
    #expect(rules.parameters == Parameters())
  }

  @Test("canonical bytes: drawn by hand once, different for different positions")
  func encoding() throws {
    // Column 4 from below: first mover, other, first mover, marker; column 3: other, marker; else the marker.
    let position = try rules.position(moves: "4443")
    let board: UInt64 = 1 | 1 << 7 | 0b10 << 14 | 0b1101 << 21 | 1 << 28 | 1 << 35 | 1 << 42
    #expect(
      rules.encode(position) == [0] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: board >> ($0 * 8)) })
    #expect(rules.encode(try rules.position(moves: "123")) == rules.encode(try rules.position(moves: "321")))
  }

  @Test("the diagram labels playable cells and columns")
  func diagram() throws {
    let picture = rules.diagram(of: try rules.position(moves: "4444447"))
    #expect(picture.columnLabels == ["1", "2", "3", "4", "5", "6", "7"])
    #expect(picture.board.count == 6 && picture.board.allSatisfy { $0.count == 7 })
    #expect(
      picture.board[5] == [
        .playable("1"), .playable("2"), .playable("3"), .piece(Seat(0)), .playable("5"), .playable("6"),
        .piece(Seat(0)),
      ])
    #expect(picture.board[4][6] == .playable("7") && picture.board[4][3] == .piece(Seat(1)))
    #expect(picture.board[0] == [.empty, .empty, .empty, .piece(Seat(1)), .empty, .empty, .empty])
  }
}
