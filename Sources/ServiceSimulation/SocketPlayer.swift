import BotKit
import Events
import JSON
import Simulation

/// A client of the sub-protocol `tictactoe` at a peer's page: it knows an id, and the board that it was sent last.
///
/// It belongs to the run, on the machine's thread.
final class SocketPlayer {
  /// A board, by its cells: `-`, `X` or `O`.
  typealias Board = [String]

  let number: Int
  let id: String
  var random: RandomStream
  var wire: SimulatedWire?
  /// Whether it has joined by this socket.
  private(set) var hasJoined = false
  private(set) var board: Board?
  private(set) var isTurn = false
  /// The games that were over.
  private(set) var played = 0

  init(_ number: Int, seed: UInt64) {
    self.number = number
    random = RandomStream(seed: seed, for: .visits, -2 - number)
    let digits = random.bytes(16).hex
    let ends = [8, 12, 16, 20, 32]
    id = zip([0] + ends, ends).map { String(Array(digits)[$0..<$1]) }.joined(separator: "-")
  }

  func disconnect() { (wire, hasJoined, isTurn) = (nil, false, false) }

  func join() {
    hasJoined = true
    send(JSONLine(["type": "join", "player": ["id": .string(id)]]))
  }

  /// Plays any cell that is free.
  func play() {
    guard isTurn, let board, let cell = random.pick(board.indices.filter { board[$0] == "-" }) else { return }
    var next = board
    next[cell] = board.count { $0 == "X" } == board.count { $0 == "O" } ? "X" : "O"
    isTurn = false
    send(
      JSONLine([
        "type": "turn", "board": .array(next.map { .string($0) }), "player": ["id": .string(id)],
      ]))
  }

  private func send(_ line: JSONLine) { wire?.send(line.text) }

  /// Reads what has come.
  /// - Returns: what is wrong with it, in words.
  func hear(_ message: [UInt8]) -> String? {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: message) } catch { return "no JSON" }
    guard let board = value["board"]?.array?.compactMap(\.string), board.count == 9 else { return "no board" }
    let before = self.board
    switch value["type"]?.string {
    case "turn":
      (self.board, isTurn) = (board, value["player"]?["id"]?.string == id)
      // A game that is on goes on from where it was, or another one has begun.
      guard let before, !Self.follows(board, before), board.count(where: { $0 != "-" }) > 1 else {
        return nil
      }
      return "a board on which marks are gone"
    case "finish", "stop":
      (self.board, isTurn, hasJoined) = (nil, false, false)
      played += 1
      guard let before, value["type"]?.string == "finish", !Self.follows(board, before) else { return nil }
      return "an end of another game"
    default: return "no message of this protocol"
    }
  }

  /// Whether all marks of a board are there still on a later one.
  private static func follows(_ board: Board, _ before: Board) -> Bool {
    zip(before, board).allSatisfy { $0 == "-" || $0 == $1 }
  }
}
