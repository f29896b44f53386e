public import Rules

extension ConnectFour {
  /// Why a text such as `4453` is no game of Connect Four.
  public struct NotationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the character.
    public enum Reason: Hashable, Sendable {
      /// It is no digit from 1 to 7.
      case notAColumn
      /// The column has no room left.
      case columnFull
      /// The moves before it ended the game.
      case gameOver
    }

    /// The character's place, from 1.
    public let place: Int
    /// The character.
    public let character: Unicode.Scalar
    /// What is wrong with it.
    public let reason: Reason

    /// What happened and what to do; printable ASCII alone, whatever the character is.
    public var description: String {
      let why =
        switch reason {
        case .notAColumn: "is no column; columns are the digits 1 to 7"
        case .columnFull: "names a column that is full"
        case .gameOver: "comes after the end of the game"
        }
      let isPlain = (0x21...0x7E).contains(character.value)
      let shown = isPlain ? "'\(character)'" : "U+\(String(character.value, radix: 16, uppercase: true))"
      return "character \(place) of the moves, \(shown), \(why)"
    }
  }

  /// The position after moves written as columns 1 to 7 without anything between them; no moves, the empty
  /// board.
  public func position(moves: String, first: Seat = Seat(0)) throws(NotationError) -> Position {
    var position = start(first: first)
    var place = 0
    for character in moves.unicodeScalars {
      place += 1
      let column = Int(character.value) - 0x31
      guard let move = Move(column: column) else {
        throw NotationError(place: place, character: character, reason: .notAColumn)
      }
      guard !position.isOver else {
        throw NotationError(place: place, character: character, reason: .gameOver)
      }
      guard position.hasRoom(move.column) else {
        throw NotationError(place: place, character: character, reason: .columnFull)
      }
      position.drop(move.column)
    }
    return position
  }
}
