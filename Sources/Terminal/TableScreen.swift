package import Rules

/// A game as it fills a terminal: the board, who plays, what happened, and a line to type.
///
/// It is a value: `frame` says what a terminal of a size shows, `take` what a key changes. Texts come with styles, and
/// made safe (`SafeText`) where they are from others.
package struct TableScreen: Hashable, Sendable {
  /// The least size of a terminal that a game is drawn on.
  package static let leastColumns = 30
  package static let leastRows = 12
  /// How many pieces of news are kept.
  package static let limitNews = 400
  /// The least width of what stands beside the board.
  private static let leastPanelColumns = 26

  /// What is played, in the first row.
  package var title = ""
  /// Who plays, a line each.
  package var players: [String] = []
  /// How far all are, below who plays; `nil` where a game has no such thing.
  package var chart: BarChart?
  /// A drawing above what was said; `nil` where nothing is drawn.
  package var strokes: [HostedStroke]?
  /// The position.
  package var diagram = Diagram()
  /// What stands for each seat on the board.
  package var pieces: [String] = []
  /// Who sits where, for the text under the board.
  package var names: [String] = []
  /// The moves that can be made now, as texts; none where it is somebody else's turn.
  package var moves: [String] = []
  /// What can be typed besides.
  package var words: [String] = []
  /// What is waited for.
  package var status = ""
  /// What is done at this moment, in place of the status.
  package var activity: String?
  /// What stands before the line that is typed; where none is, what can be pressed.
  package var question = "> "
  /// Whether lines are typed, rather than single keys pressed.
  package var takesLines = true

  /// What happened, the newest last.
  package private(set) var news: [String] = []
  /// The line that is typed.
  package private(set) var editor = LineEditor()
  /// The square that is about to be played.
  package private(set) var selected: BoardSquare?
  /// How many rows of news lie below those that are shown.
  private var scrolled = 0
  package let drawing: Drawing

  /// An empty screen.
  package init(drawing: Drawing) { self.drawing = drawing }

  /// Adds news; empty lines are none.
  package mutating func say(_ lines: [String]) {
    news += lines.filter { !$0.isEmpty }
    news.removeFirst(max(0, news.count - Self.limitNews))
    scrolled = 0
  }

  /// Has other news in place of all.
  package mutating func replaceNews(with lines: [String]) {
    news = []
    say(lines)
  }

  // MARK: - Layout

  /// Where the parts stand on a screen of a size.
  private struct Layout {
    var board: BoardDrawing
    /// The board's lines, and the row of the first one.
    var lines: [String]
    var boardRow: Int
    /// What stands before the news, wrapped.
    var above: [String]
    /// Where the news are: a column and a row from 0, and how wide and tall.
    var newsColumn: Int
    var newsRow: Int
    var newsColumns: Int
    var newsRows: Int
    /// Whether the news are beside the board.
    var isBeside: Bool
  }

  /// The position without the text under the board, which stands elsewhere.
  private var bare: Diagram {
    var bare = diagram
    bare.lines = []
    return bare
  }

  private func board(columns: Int, rows: Int) -> BoardDrawing {
    BoardDrawing(
      pieces: pieces, names: names, drawing: drawing, setsColumns: true, indent: 2, limitColumns: columns,
      limitRows: max(3, rows), selected: isSelecting ? selected : nil, explainsLetters: false)
  }

  private func layout(columns: Int, rows: Int) -> Layout {
    let free = max(1, rows - 3)
    let texts = diagram.lines.map { SafeText($0.text(names: names)).text }
    let beside = board(columns: columns - Self.leastPanelColumns - 3, rows: free)
    let lines = beside.lines(bare)
    let width = lines.map { StyledText($0).columns }.max() ?? 0
    // Labels of columns, which moves are named by, come before a row for each player.
    let labels = diagram.columnLabels.isEmpty ? 0 : 1
    let isTight = diagram.board.count + labels + texts.count + players.count > free
    let people =
      columns < 60 && (players.count > 3 || isTight) ? [players.joined(separator: "  ")] : players
    let below = board(columns: columns, rows: free - people.count - texts.count - 2)
    let mayBeBeside = !diagram.board.isEmpty && width + Self.leastPanelColumns + 3 <= columns
    let isBetterBelow = !beside.isFramed(bare) && below.isFramed(bare) && free >= 2 * diagram.board.count + 8
    if mayBeBeside, !isBetterBelow {
      let column = width + 4
      let above = wrapped(
        lettered(people, beside) + [""] + texts + (texts.isEmpty ? [] : [""]), columns - column)
      // A row of air, where there is one.
      let first = lines.count < free ? 2 : 1
      let row = min(first + above.count, rows - 3)
      return Layout(
        board: beside, lines: Array(lines.prefix(free)), boardRow: first,
        above: Array(above.prefix(free - 1)),
        newsColumn: column, newsRow: row, newsColumns: columns - column, newsRows: max(0, rows - 2 - row),
        isBeside: true)
    }
    // Below the chart there is room for what was said.
    let chart =
      chart?.lines(limitColumns: columns, limitRows: rows - people.count - 6, drawing: drawing) ?? []
    let picture = strokes.map {
      StrokeCanvas(
        $0, limitColumns: columns, limitRows: rows - people.count - 7, isBraille: drawing.hasUnicode
      ).framed
    }
    let head =
      wrapped(lettered(people, below), columns)
      + (chart + (picture ?? [])).map { StyledText($0).cut(to: columns).text }
    let tail = wrapped(texts.map { "  " + $0 }, columns)
    let shown = diagram.board.isEmpty ? [] : below.lines(bare)
    let row = 1 + head.count + shown.count + tail.count
    return Layout(
      board: below, lines: shown + tail, boardRow: 1 + head.count, above: head, newsColumn: 0, newsRow: row,
      newsColumns: columns, newsRows: max(0, rows - 2 - row), isBeside: false)
  }

  /// Who plays, with the letters that stand on a board which has no room for their pieces.
  private func lettered(_ people: [String], _ board: BoardDrawing) -> [String] {
    var rest = Substring(people.joined(separator: "\n"))
    var text = ""
    for (piece, letter) in board.letters(in: bare) {
      guard let found = rest.firstRange(of: piece) else { continue }
      text += rest[..<found.lowerBound] + letter
      rest = rest[found.upperBound...]
    }
    return (text + rest).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func wrapped(_ texts: [String], _ columns: Int) -> [String] {
    texts.flatMap { StyledText($0).wrapped(to: columns).map(\.text) }
  }

  /// The news that a layout has room for.
  private func newsLines(_ layout: Layout) -> [String] {
    // No more than can be shown is broken into lines.
    var lines: [String] = []
    for text in news.reversed() where lines.count < layout.newsRows + scrolled {
      lines = StyledText(text).wrapped(to: layout.newsColumns).map(\.text) + lines
    }
    let end = max(min(lines.count, layout.newsRows), lines.count - scrolled)
    var shown = Array(lines[max(0, end - layout.newsRows)..<end])
    if end < lines.count, !shown.isEmpty {
      shown[shown.count - 1] = drawing.paint(drawing.hasUnicode ? "↓ PageDown" : "v PageDown", .dim)
    }
    return shown
  }

  // MARK: - Drawing

  /// What a terminal of this size shows.
  package func frame(columns: Int, rows: Int) -> ScreenFrame {
    let layout = layout(columns: columns, rows: rows)
    var body = [String](repeating: "", count: max(0, rows - 2))
    func put(_ lines: [String], at row: Int, column: Int = 0) {
      for (index, line) in lines.enumerated() where row + index < body.count {
        if column > 0 { body[row + index] += "\u{1B}[\(column + 1)G" }
        body[row + index] += line
      }
    }
    put([drawing.paint(StyledText(title).cut(to: columns).text, .bold)], at: 0)
    if !layout.isBeside { put(layout.above, at: 1) }
    put(layout.lines, at: layout.boardRow)
    if layout.isBeside { put(layout.above, at: layout.boardRow, column: layout.newsColumn) }
    put(newsLines(layout), at: layout.newsRow, column: layout.newsColumn)
    let (input, column) = inputRow(columns)
    let status = StyledText(activity ?? status).cut(to: columns).text
    let shown = (body + [status, input]).suffix(max(1, rows)).map(plain)
    return ScreenFrame(rows: shown, cursor: (shown.count - 1, column))
  }

  /// The line that is typed, as much of it as there is room for, and the column of the cursor.
  private func inputRow(_ columns: Int) -> (String, Int) {
    guard takesLines else { return (drawing.paint(StyledText(question).cut(to: columns).text, .dim), 0) }
    let asked = StyledText(question).cut(to: max(columns / 2, columns - 10))
    let room = max(1, columns - asked.columns - 1)
    var before = Substring(editor.textBeforeCursor).unicodeScalars
    let behind = editor.text.unicodeScalars.dropFirst(before.count)
    while DisplayWidth.columns(of: String(before)) > room { before.removeFirst() }
    let used = DisplayWidth.columns(of: String(before))
    var rest = ""
    for scalar in behind {
      guard used + DisplayWidth.columns(of: rest) + DisplayWidth.columns(of: scalar) <= room else { break }
      rest.unicodeScalars.append(scalar)
    }
    return (drawing.paint(asked.text, .bold) + String(before) + rest, asked.columns + used)
  }

  private func plain(_ row: String) -> String {
    drawing.hasUnicode ? row : MessageText.plainSigns(row.replacing("…", with: "~"))
  }
}

// MARK: - Keys

extension TableScreen {
  /// What a key brought about.
  package enum Outcome: Hashable, Sendable {
    /// The screen may look otherwise.
    case changed
    /// A whole line was typed, or chosen on the board.
    case line(String)
    /// Nothing more will be typed.
    case end
    /// Nothing can be done with the key.
    case refused
  }

  /// Takes a key.
  /// - Parameters:
  ///   - columns: the terminal's width.
  ///   - rows: the terminal's height.
  package mutating func take(_ key: Key, columns: Int, rows: Int) -> Outcome {
    switch key {
    case .pageUp, .pageDown: return scroll(isBack: key == .pageUp, layout(columns: columns, rows: rows))
    case .click(let column, let row): return click(column, row, layout(columns: columns, rows: rows))
    default: break
    }
    guard takesLines else { return .refused }
    if editor.isEmpty, isSelectable {
      switch key {
      case .up: return select(rows: -1)
      case .down: return select(rows: 1)
      case .left: return select(columns: -1)
      case .right: return select(columns: 1)
      case .enter where selected != nil: return play()
      case .escape where selected != nil:
        selected = nil
        return .changed
      default: break
      }
    }
    switch editor.take(key, completing: moves + words) {
    case .edited: return .changed
    case .line(let line): return .line(line)
    case .end: return .end
    case .choices(let words):
      say([drawing.paint(words.prefix(60).joined(separator: " "), .dim)])
      return .changed
    case .ignored: return .refused
    }
  }

  private mutating func scroll(isBack: Bool, _ layout: Layout) -> Outcome {
    let step = max(1, layout.newsRows - 1)
    let lines = news.reduce(0) { $0 + StyledText($1).wrapped(to: layout.newsColumns).count }
    let next = min(max(0, lines - layout.newsRows), max(0, isBack ? scrolled + step : scrolled - step))
    guard next != scrolled else { return .refused }
    scrolled = next
    return .changed
  }

  /// Whether a square can be chosen now.
  private var isSelectable: Bool {
    takesLines && !moves.isEmpty
      && diagram.board.joined().contains { if case .playable = $0 { true } else { false } }
  }

  /// Whether the square that was chosen is shown.
  private var isSelecting: Bool { editor.isEmpty && isSelectable }

  /// What is typed to play on a square; `nil` where that cannot be done.
  private func move(at square: BoardSquare) -> String? {
    let row = diagram.board[square.row]
    guard square.column < row.count else { return nil }
    switch row[square.column] {
    case .playable(let text): return moves.contains(text) ? text : nil
    case .empty:
      // A piece that drops is played anywhere in its column, which alone names it.
      let column = String(square.column + 1)
      let isDropped = diagram.board.contains { row in
        square.column < row.count && row[square.column] == .playable(column)
      }
      return isDropped && moves.contains(column) ? column : nil
    case .piece, .marked, .face: return nil
    }
  }

  private mutating func select(rows: Int = 0, columns: Int = 0) -> Outcome {
    let (height, width) = (diagram.board.count, diagram.board.reduce(0) { max($0, $1.count) })
    guard let before = selected else {
      selected = BoardSquare(row: height / 2, column: width / 2)
      return .changed
    }
    let square = BoardSquare(
      row: min(max(0, before.row + rows), height - 1), column: min(max(0, before.column + columns), width - 1)
    )
    guard square != before else { return .refused }
    selected = square
    return .changed
  }

  private func play() -> Outcome {
    guard let selected, diagram.board.indices.contains(selected.row), let text = move(at: selected) else {
      return .refused
    }
    return .line(text)
  }

  /// Chooses the square at a place of the screen, both from 1; once more, and it is played.
  private mutating func click(_ column: Int, _ row: Int, _ layout: Layout) -> Outcome {
    guard isSelecting,
      let square = layout.board.square(
        atLine: row - 1 - layout.boardRow, column: column - 1, of: bare)
    else { return .refused }
    if square == selected { return play() }
    selected = square
    return .changed
  }
}
