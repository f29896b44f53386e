import Parlor

/// Nim with one heap: a seat takes one to three stones, and who takes the last one wins.
struct Nim: Rules {
  typealias Position = Heap
  typealias Move = UInt32

  struct Heap: Hashable, Sendable {
    var stones: UInt32
    var mover: Seat
  }

  static let name = "nim"
  static let version: UInt16 = 1
  static let title = "Nim"
  static let summary = "Take one to three stones; who takes the last one wins."
  static let settings = [
    ParameterDefinition(name: "stones", summary: "how many stones there are, 1 to 99", standard: "21")
  ]

  let stones: UInt32
  let seats = 2

  init(_ parameters: Parameters) throws(RulesError) {
    for entry in parameters.entries where entry.name != "stones" {
      throw .unknownParameter(entry.name, known: ["stones"])
    }
    let text = parameters["stones"] ?? "21"
    guard let stones = UInt32(text), (1...99).contains(stones) else {
      throw .badParameter(name: "stones", value: text, expected: "1 to 99")
    }
    self.stones = stones
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters["stones"] = "\(stones)"
    return parameters
  }

  func start(first: Seat) -> Heap { Heap(stones: stones, mover: first) }

  func turn(in heap: Heap) -> Turn {
    heap.stones == 0 ? .over(.won(by: heap.mover.opponent, of: 2)) : .seat(heap.mover)
  }

  func isLegal(_ taken: UInt32, by seat: Seat, in heap: Heap) -> Bool {
    seat == heap.mover && (1...3).contains(taken) && taken <= heap.stones
  }

  func forEachMove(of seat: Seat, in heap: Heap, _ body: (UInt32) -> Void) {
    for taken: UInt32 in 1...3 where isLegal(taken, by: seat, in: heap) { body(taken) }
  }

  func play(_ taken: UInt32, in heap: inout Heap) {
    heap.stones -= taken
    heap.mover = heap.mover.opponent
  }

  func code(of taken: UInt32) -> MoveCode { MoveCode(taken) }
  func move(code: MoveCode) -> UInt32? { (1...3).contains(code.rawValue) ? code.rawValue : nil }
  func text(of taken: UInt32) -> String { "\(taken)" }
  func move(text: String) -> UInt32? { UInt32(text) }
  func encode(_ heap: Heap) -> [UInt8] { [UInt8(heap.stones), UInt8(heap.mover.index)] }
  func diagram(of heap: Heap) -> Diagram { Diagram(lines: ["\(heap.stones) stones"]) }
}

/// A bot that leaves a multiple of four wherever it can, which wins.
struct NimBot: Bot {
  let declaration = BotDeclaration(specification: "nim-perfect", version: 1, nodeBudget: 1)

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    guard let nim = turn.game as? ViewOf<Nim> else {
      throw .wrongGame(bot: "nim-perfect", game: "another game", players: [])
    }
    return BotChoice(MoveCode(max(1, nim.view.stones % 4)))
  }
}
