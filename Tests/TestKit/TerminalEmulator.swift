/// A terminal that tests look at: the characters that a program writes, where its line feeds and escape sequences put
/// them (ECMA-48, and the modes 7, 25, 1049 and 2026), on a screen of a size, and on a second one.
///
/// What is wide is told by who makes it. A sequence that it does not know is noted, so that a test fails that relies on
/// it.
package struct TerminalEmulator {
  /// One screen: a character for each place; the place behind a wide one holds nothing.
  fileprivate struct Screen {
    var cells: [[String]]
    var row = 0
    var column = 0

    init(columns: Int, rows: Int) {
      cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }
  }

  /// The rows that were scrolled away from the first screen.
  package private(set) var scrolledAway: [String] = []
  /// Whether the second screen is shown.
  package private(set) var isSecondShown = false
  /// Whether the cursor is shown.
  package private(set) var isCursorShown = true
  /// Whether presses of a mouse are asked for.
  package private(set) var reportsMouse = false
  /// How often something was drawn that is to be seen at once, and has been drawn to its end.
  package private(set) var updates = 0
  /// How often the bell was rung.
  package private(set) var bells = 0
  /// The rows behind whose end a program wrote on, so that the terminal broke them wherever that was.
  package private(set) var overrun: [String] = []
  /// Sequences that are not known here.
  package private(set) var unknown: [String] = []
  /// The width and the height.
  package private(set) var (columns, rows): (Int, Int)

  private var first: Screen
  private var second: Screen
  private var wraps = true
  /// What is shown while more is drawn that is to be seen at once.
  private var standing: [String]?
  /// The beginning of a sequence whose end has not come.
  private var pending = ""
  private let width: (Unicode.Scalar) -> Int

  /// An empty terminal.
  /// - Parameter width: the columns that a character takes: 0, 1 or 2.
  package init(columns: Int, rows: Int, width: @escaping (Unicode.Scalar) -> Int) {
    (self.columns, self.rows, self.width) = (columns, rows, width)
    first = Screen(columns: columns, rows: rows)
    second = first
  }

  /// What is shown, row by row, without blanks at the ends.
  package var picture: [String] { standing ?? (isSecondShown ? second : first).picture }

  /// All that can be read of the first screen, from what was scrolled away on.
  package var record: [String] {
    scrolledAway + first.picture
  }

  /// Where the cursor stands, from 0.
  package var cursor: (row: Int, column: Int) {
    let screen = isSecondShown ? second : first
    return (screen.row, screen.column)
  }

  /// Has another size; what does not fit is lost.
  package mutating func resize(columns: Int, rows: Int) {
    func fit(_ screen: inout Screen) {
      screen.cells = (0..<rows).map { row in
        (0..<columns).map { column in
          row < screen.cells.count && column < screen.cells[row].count ? screen.cells[row][column] : " "
        }
      }
      (screen.row, screen.column) = (min(screen.row, rows - 1), min(screen.column, columns - 1))
    }
    standing = nil
    fit(&first)
    fit(&second)
    (self.columns, self.rows) = (columns, rows)
  }

  /// Takes what a program writes, in any pieces.
  package mutating func write(_ text: some StringProtocol) {
    var rest = Substring(pending + text).unicodeScalars
    pending = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}":
        let isWhole = rest.first.map { $0 != "[" || rest.dropFirst().contains { $0.value >= 0x40 } } ?? false
        guard isWhole else { return pending = "\u{1B}" + String(rest) }
        sequence(&rest)
      case "\r": change { $0.column = 0 }
      case "\n": lineFeed()
      case "\u{8}": change { $0.column = max(0, $0.column - 1) }
      case "\u{7}": bells += 1
      default: put(scalar)
      }
    }
  }

  private mutating func change(_ body: (inout Screen) -> Void) {
    if isSecondShown { body(&second) } else { body(&first) }
  }

  private mutating func lineFeed() {
    let (isSecondShown, columns) = (isSecondShown, columns)
    var gone: String?
    change { screen in
      guard screen.row == screen.cells.count - 1 else { return screen.row += 1 }
      gone = screen.cells.removeFirst().joined()
      screen.cells.append(Array(repeating: " ", count: columns))
    }
    if !isSecondShown, let gone { scrolledAway.append(String(gone.reversed().drop { $0 == " " }.reversed())) }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let (width, columns) = (width(scalar), columns)
    if width > 0, (isSecondShown ? second : first).column + width > columns {
      guard wraps else { return }
      let screen = isSecondShown ? second : first
      overrun.append(screen.cells[screen.row].joined())
      change { $0.column = 0 }
      lineFeed()
    }
    change { screen in
      guard width > 0 else {
        if screen.column > 0 { screen.cells[screen.row][screen.column - 1].unicodeScalars.append(scalar) }
        return
      }
      screen.cells[screen.row][screen.column] = String(scalar)
      if width == 2 { screen.cells[screen.row][screen.column + 1] = "" }
      screen.column += width
    }
  }

  private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) {
    guard rest.popFirst() == "[" else { return unknown.append("an escape that begins no control sequence") }
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard (0x20...0x3F).contains(scalar.value) else { return control(Character(scalar), parameters) }
      parameters.unicodeScalars.append(scalar)
    }
  }

  private mutating func control(_ last: Character, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
    let number = numbers.first ?? 1
    let (columns, rows) = (columns, rows)
    switch last {
    case "m": break
    case "A": change { $0.row = max(0, $0.row - max(1, number)) }
    case "G": change { $0.column = min(columns, max(1, number)) - 1 }
    case "H":
      let column = numbers.count > 1 ? numbers[1] : 1
      change { ($0.row, $0.column) = (min(rows, max(1, number)) - 1, min(columns, max(1, column)) - 1) }
    case "J" where parameters == "2": change { $0.cells = Screen(columns: columns, rows: rows).cells }
    case "J" where ["", "0"].contains(parameters):
      change { screen in
        screen.erase(from: screen.column)
        for row in screen.cells.indices where row > screen.row {
          screen.cells[row] = Array(repeating: " ", count: columns)
        }
      }
    case "K" where parameters == "2": change { $0.erase(from: 0) }
    case "K" where ["", "0"].contains(parameters): change { $0.erase(from: $0.column) }
    case "h", "l": mode(parameters, isSet: last == "h")
    default: unknown.append("\(parameters)\(last)")
    }
  }

  private mutating func mode(_ parameters: String, isSet: Bool) {
    switch parameters {
    case "?1049":
      if isSet { second = Screen(columns: columns, rows: rows) }
      isSecondShown = isSet
    case "?7": wraps = isSet
    case "?25": isCursorShown = isSet
    case "?2026":
      if !isSet, standing != nil { updates += 1 }
      standing = isSet ? picture : nil
    case "?1000", "?1006": reportsMouse = isSet
    default: unknown.append("\(parameters)\(isSet ? "h" : "l")")
    }
  }
}

extension TerminalEmulator.Screen {
  /// The rows without blanks at the ends.
  fileprivate var picture: [String] {
    cells.map { String($0.joined().reversed().drop { $0 == " " }.reversed()) }
  }

  fileprivate mutating func erase(from column: Int) {
    for place in cells[row].indices where place >= column { cells[row][place] = " " }
  }
}
