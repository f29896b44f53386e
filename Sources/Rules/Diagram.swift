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
    /// Something that is no piece of a seat, such as what a card shows: as text, as an emoji where those show, and
    /// whether the eye should find it.
    case face(text: String, emoji: String, isMarked: Bool)
  }

  /// The board's rows from top to bottom, each from left to right; all of one length. Empty: no board.
  public var board: [[Cell]]
  /// Text under each column, empty for none.
  public var columnLabels: [String]
  /// Text beside each row, empty for none.
  public var rowLabels: [String]
  /// The seats by the pieces that they have now, where those are told by a colour and may change hands: first the seat
  /// with the black ones. Empty: each seat has pieces of its own.
  public var sides: [Seat]
  /// Text under the board, such as rounds and scores.
  public var lines: [Line]

  /// A picture of a board, with text under it.
  public init(
    board: [[Cell]] = [], columnLabels: [String] = [], rowLabels: [String] = [], sides: [Seat] = [],
    lines: [Line] = []
  ) {
    self.board = board
    self.columnLabels = columnLabels
    self.rowLabels = rowLabels
    self.sides = sides
    self.lines = lines
  }
}

extension Diagram {
  /// Which of the game's pieces a seat has, from 0.
  public func side(of seat: Seat) -> Int { sides.firstIndex(of: seat) ?? seat.index }

  /// The picture with the piece marked that stands in a row and a column, both from 0, if there is one.
  public func marking(row: Int, column: Int) -> Diagram {
    guard board.indices.contains(row), board[row].indices.contains(column),
      case .piece(let seat) = board[row][column]
    else { return self }
    var marked = self
    marked.board[row][column] = .marked(seat)
    return marked
  }

  /// A line of text in which a display may put names where seats are: `"Score: \(seat) 3"`.
  public struct Line: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A piece of the line.
    public enum Part: Hashable, Sendable {
      /// Words as they are.
      case text(String)
      /// Whoever sits there.
      case seat(Seat)
    }

    /// The pieces, in order.
    public var parts: [Part]

    /// A line of these words.
    public init(stringLiteral value: String) { parts = [.text(value)] }

    /// A line of what was interpolated.
    public init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

    /// Joins lines to one.
    public static func joined(_ lines: [Line], separator: String) -> Line {
      var joined = Line(stringLiteral: "")
      for (index, line) in lines.enumerated() {
        if index > 0 { joined.parts.append(.text(separator)) }
        joined.parts += line.parts
      }
      return joined
    }

    /// The line with a name for each seat; a seat without one is called by its number.
    public func text(names: [String] = []) -> String {
      parts.map { part in
        switch part {
        case .text(let text): text
        case .seat(let seat): seat.index < names.count ? names[seat.index] : "\(seat)"
        }
      }
      .joined()
    }

    /// Collects the pieces of an interpolated line.
    public struct Interpolation: StringInterpolationProtocol {
      fileprivate var parts: [Part] = []

      /// Nothing so far.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Adds words.
      public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

      /// Adds a seat.
      public mutating func appendInterpolation(_ seat: Seat) { parts.append(.seat(seat)) }

      /// Adds anything else as its description.
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        parts.append(.text(value.description))
      }

      /// Adds another line.
      public mutating func appendInterpolation(_ line: Line) { parts += line.parts }
    }
  }
}
