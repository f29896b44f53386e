internal import Events
internal import JSON

/// A message of the sub-protocol `tictactoe` (Docs/SOCKET.md).
package enum TicTacToeMessage: Equatable {
  /// A client wants to play.
  case join(player: String)
  /// From a client: the board after its move. From the server: the board, and whose turn it is.
  case turn(board: [Mark], player: String)
  /// The game is over: who has won, or nobody.
  case finish(board: [Mark], winner: String?)
  /// The other player has left.
  case stop(board: [Mark])

  /// What lies on a cell.
  package enum Mark: String {
    case none = "-"
    case first = "X"
    case second = "O"
  }

  /// Why something that a client has sent means nothing, in words.
  package struct Refusal: Error, Equatable {
    package let words: String
  }

  /// Reads what a client sends.
  package init(_ text: [UInt8]) throws(Refusal) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
      throw Refusal(words: "this is no JSON: \(error)")
    }
    switch value["type"]?.string {
    case "join": self = .join(player: try Self.player(value))
    case "turn":
      let cells = value["board"]?.array?.map { cell in cell.string.flatMap { Mark(rawValue: $0) } }
      guard let cells, cells.count == 9, !cells.contains(nil) else {
        throw Refusal(words: "a board is nine texts, each of them -, X or O")
      }
      self = .turn(board: cells.compactMap { $0 }, player: try Self.player(value))
    default: throw Refusal(words: "a client sends messages of the types join and turn")
    }
  }

  /// The id of the player, which has the form of a UUID.
  private static func player(_ value: JSONValue) throws(Refusal) -> String {
    let parts = value["player"]?["id"]?.string?.split(separator: "-", omittingEmptySubsequences: false)
    guard let parts, parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
      parts.allSatisfy({ $0.utf8.allSatisfy { byte in Character(UnicodeScalar(byte)).isHexDigit } })
    else { throw Refusal(words: "a player is an object with an id, which is a UUID") }
    return parts.joined(separator: "-")
  }

  /// What is sent to a client.
  package var text: String {
    switch self {
    case .join(let player): Self.line("join", nil, player)
    case .turn(let board, let player): Self.line("turn", board, player)
    case .finish(let board, let winner): Self.line("finish", board, winner)
    case .stop(let board): Self.line("stop", board, nil)
    }
  }

  private static func line(_ type: String, _ board: [Mark]?, _ player: String?) -> String {
    var members = [JSONMember("type", .string(type))]
    if let board { members.append(JSONMember("board", .array(board.map { .string($0.rawValue) }))) }
    if let player { members.append(JSONMember("player", ["id": .string(player)])) }
    return JSONLine(members).text
  }

  /// The id by which others are told of a peer: its own id is a client's secret, by which it comes back.
  static func publicID(of peer: PeerID) -> String {
    let digits = Array(peer.description.prefix(32))
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }
}
