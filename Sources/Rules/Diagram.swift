/// A position as a picture that every display (terminal, web page, plain text) can draw its own way.
public struct Diagram: Hashable, Sendable {
  /// One square of a board.
  public enum Cell: Hashable, Sendable {
    /// An empty square.
    case empty
    /// An empty square that is played by typing this text.
    case playable(String)
    /// A piece of this seat.
    case piece(Seat)
    /// A piece of this seat that the eye should find: the last move, a winning line.
    case marked(Seat)
  }

  /// The board's rows from top to bottom, each from left to right; all of one length. Empty: no board.
  public var board: [[Cell]]
  /// Text under each column, empty for none.
  public var columnLabels: [String]
  /// Text under the board, such as rounds and scores, a line each.
  public var lines: [String]

  /// A picture of a board, with text under it.
  public init(board: [[Cell]] = [], columnLabels: [String] = [], lines: [String] = []) {
    self.board = board
    self.columnLabels = columnLabels
    self.lines = lines
  }
}
