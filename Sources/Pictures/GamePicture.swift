package import Rules
import Terminal

/// Positions of a game as a picture: one, or all of them one after the other, as SVG; or as a recording of a terminal.
package struct GamePicture: Sendable {
  /// One position.
  package struct Frame: Sendable {
    /// How it came about.
    package var caption: String
    package var diagram: Diagram
    /// What stands for each seat.
    package var pieces: [String]

    /// A position.
    package init(caption: String, diagram: Diagram, pieces: [String]) {
      (self.caption, self.diagram, self.pieces) = (caption, diagram, pieces)
    }
  }

  private let title: String
  private let names: [String]
  private let frames: [Frame]

  /// - Parameters:
  ///   - names: who sits where, for the text under the board.
  ///   - frames: at least one; their boards are of one size.
  package init(title: String, names: [String], frames: [Frame]) {
    precondition(!frames.isEmpty, "a picture of \(title) has no position")
    (self.title, self.names, self.frames) = (title, names, frames)
  }

  // MARK: - SVG

  private static let cell = 44
  private static let margin = 28
  private static let lineHeight = 22
  /// A character's width in the text, a little more than it takes.
  private static let characterWidth = 10
  private static let leastWidth = 440
  /// How long the last position stays before the first one comes again, in milliseconds.
  private static let restMilliseconds = 4_000

  /// The picture, line by line.
  ///
  /// Where it moves, it does so by SMIL, from the start again after a while; what cannot move shows the last position.
  /// - Parameter milliseconds: how long each position is shown.
  package func svg(milliseconds: Int) -> [String] {
    let rows = frames.map(\.diagram.board.count).max() ?? 0
    let columns = frames.map { $0.diagram.board.first?.count ?? 0 }.max() ?? 0
    let width = max(Self.leastWidth, columns * Self.cell + 2 * Self.margin)
    let texts = frames.map { text(of: $0, width: width) }
    let top = 2 * Self.lineHeight
    let boardBottom = top + rows * Self.cell + (rows == 0 ? 0 : Self.lineHeight)
    let height = boardBottom + (texts.map(\.count).max() ?? 0) * Self.lineHeight + Self.lineHeight
    var lines = SVGText.opening(width: width, height: height, title: title, style: Self.style)
    lines.append(SVGText.line(title, x: width / 2, y: Self.lineHeight + 6, "title"))
    let left = (width - columns * Self.cell) / 2
    lines += emptyBoard(frames[0].diagram, left: left, top: top)
    let total = (frames.count - 1) * milliseconds + Self.restMilliseconds
    if frames.count > 1 {
      // What moves takes its times from this one, which begins again and again.
      lines.append(
        "<rect width=\"0\" height=\"0\"><animate id=\"turn\" attributeName=\"x\" values=\"0;0\""
          + " dur=\"\(total)ms\" begin=\"0s;turn.end\"/></rect>")
    }
    for (index, frame) in frames.enumerated() {
      let isLast = index == frames.count - 1
      lines.append("<g\(isLast ? "" : " display=\"none\"")>")
      if frames.count > 1 {
        lines.append(
          isLast
            ? "<set attributeName=\"display\" to=\"none\" begin=\"turn.begin\" dur=\"\(index * milliseconds)ms\"/>"
            : "<set attributeName=\"display\" to=\"inline\" begin=\"turn.begin+\(index * milliseconds)ms\""
              + " dur=\"\(milliseconds)ms\"/>")
      }
      lines += pieces(of: frame, left: left, top: top)
      for (number, line) in texts[index].enumerated() {
        let y = boardBottom + (number + 1) * Self.lineHeight
        lines.append(SVGText.line(line, x: width / 2, y: y, number == 0 ? "move" : ""))
      }
      lines.append("</g>")
    }
    return lines + ["</svg>"]
  }

  private static let style = [
    "<style>", "text { font: 15px ui-sans-serif, system-ui, sans-serif; fill: #222; text-anchor: middle }",
    ".title, .move { font-weight: bold }", ".label { font-size: 13px; fill: #777 }",
    ".piece { font-size: 26px }",
    ".paper { fill: #fff }", ".cell { fill: #f4efe6; stroke: #b9a98c }", ".last { fill: #ffe08a }",
    ".disc { stroke: #777 }",
    "@media (prefers-color-scheme: dark) {",
    "text { fill: #eee } .label { fill: #999 } .paper { fill: #1b1d22 }",
    ".cell { fill: #2b2f38; stroke: #59606e } .last { fill: #6b5a17 }", "}", "</style>",
  ]

  /// What stands under a position: how it came about, and what the game says of it.
  private func text(of frame: Frame, width: Int) -> [String] {
    ([frame.caption] + frame.diagram.lines.map { $0.text(names: names) }).flatMap {
      WrappedText.lines(SafeText($0).text, columns: width / Self.characterWidth)
    }
  }

  /// The empty board, which all positions have in common, with its labels.
  private func emptyBoard(_ diagram: Diagram, left: Int, top: Int) -> [String] {
    var lines: [String] = []
    for (row, cells) in diagram.board.enumerated() {
      let y = top + row * Self.cell
      lines += cells.indices.map { Self.square(x: left + $0 * Self.cell, y: y, isMarked: false) }
      if row < diagram.rowLabels.count {
        lines.append(SVGText.line(diagram.rowLabels[row], x: left - 14, y: y + Self.cell / 2 + 5, "label"))
      }
    }
    let y = top + diagram.board.count * Self.cell + 16
    for (column, label) in diagram.columnLabels.enumerated() where !diagram.board.isEmpty {
      lines.append(SVGText.line(label, x: left + column * Self.cell + Self.cell / 2, y: y, "label"))
    }
    return lines
  }

  /// What lies on the board.
  private func pieces(of frame: Frame, left: Int, top: Int) -> [String] {
    var lines: [String] = []
    for (row, cells) in frame.diagram.board.enumerated() {
      for (column, cell) in cells.enumerated() {
        let (x, y) = (left + column * Self.cell, top + row * Self.cell)
        let shown = frame.symbol(of: cell)
        if shown.isMarked { lines.append(Self.square(x: x, y: y, isMarked: true)) }
        if !shown.text.isEmpty {
          lines.append(Self.piece(shown.text, x: x, y: y))
        }
      }
    }
    return lines
  }

  private static func square(x: Int, y: Int, isMarked: Bool) -> String {
    "<rect class=\"cell\(isMarked ? " last" : "")\" x=\"\(x)\" y=\"\(y)\" width=\"\(cell)\" height=\"\(cell)\"/>"
  }

  private static func piece(_ text: String, x: Int, y: Int) -> String {
    let (x, y) = (x + cell / 2, y + cell / 2)
    guard let colour = Symbol.discs[text] else { return SVGText.line(text, x: x, y: y + 9, "piece") }
    return "<circle class=\"disc\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(cell * 2 / 5)\" fill=\"\(colour)\"/>"
  }

  // MARK: - A recording

  /// The positions as a terminal shows them, in version 2 of asciinema's format: a line of JSON that says the size,
  /// then one for each position.
  /// - Parameter milliseconds: how long each position is shown.
  package func cast(milliseconds: Int) -> [String] {
    let screens = frames.map { frame in
      let drawing = BoardDrawing(
        pieces: frame.pieces, names: names, drawing: Drawing(hasStyles: true), setsColumns: true, indent: 2)
      return WrappedText.lines(title, columns: Self.castColumns) + [""] + drawing.lines(frame.diagram)
        + [""] + WrappedText.lines(frame.caption, columns: Self.castColumns)
    }
    let rows = max(24, (screens.map(\.count).max() ?? 0) + 1)
    let head = JSONLine([
      JSONMember("version", 2), JSONMember("width", .integer(Int64(Self.castColumns))),
      JSONMember("height", .integer(Int64(rows))), JSONMember("title", .string(title)),
    ])
    let events = screens.enumerated().map { index, lines in
      // Each begins on an empty screen (ECMA-48: CUP, ED).
      let text = "\u{1B}[H\u{1B}[2J" + lines.joined(separator: "\r\n") + "\r\n"
      let seconds = JSONValue.real(Double(index * milliseconds) / 1_000)
      return JSONLine(list: [seconds, "o", .string(text)]).text
    }
    return [head.text] + events
  }

  private static let castColumns = 80
}

extension GamePicture {
  /// What stands in a cell of a board.
  struct Symbol: Hashable {
    let text: String
    /// Whether the eye should find it.
    let isMarked: Bool

    /// The colours of pieces that are discs, which are drawn: not every machine has a font with emoji.
    static let discs = ["🔴": "#d8412f", "🟡": "#f2c230", "⚫": "#222222", "⚪": "#fafafa"]

    /// The colour where it is a disc.
    var discColour: String? { Self.discs[text] }
  }
}

extension GamePicture.Frame {
  /// What stands in each cell, row by row.
  var symbols: [GamePicture.Symbol] { diagram.board.joined().map(symbol) }

  func symbol(of cell: Diagram.Cell) -> GamePicture.Symbol {
    switch cell {
    case .empty, .playable: .init(text: "", isMarked: false)
    case .piece(let seat): .init(text: piece(of: seat), isMarked: false)
    case .marked(let seat): .init(text: piece(of: seat), isMarked: true)
    case .face(let text, let emoji, let isMarked):
      .init(text: emoji.isEmpty ? text : emoji, isMarked: isMarked)
    }
  }

  private func piece(of seat: Seat) -> String {
    BoardDrawing(pieces: pieces).piece(of: seat, in: diagram).text
  }
}
