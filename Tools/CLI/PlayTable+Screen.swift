import Events
import Peer
import Platform
import Rules
import Service
import Terminal

// A game at a table that fills the terminal.

extension PlayTable {
  /// Fills the terminal once the game is on. What was printed before stays above it, and comes back at the end.
  mutating func enterScreen(_ table: TableView) async throws {
    guard table.phase == .playing, table.number > 0, table.ending == nil else { return }
    try await view.enterScreen(table, input, words: Self.commands)
  }

  /// Gives the terminal back, with the last position below what was printed before.
  mutating func leaveScreen(_ table: TableView) async throws { try await view.leaveScreen(table, input) }
}

extension PlayView {
  /// Fills the terminal, where it can be filled and is not yet.
  /// - Parameter words: what can be typed besides moves; `nil` for who looks on, who types nothing.
  mutating func enterScreen(_ table: TableView, _ input: TableInput, words: [String]?) async throws {
    guard screen == nil, context.fillsTerminal else { return }
    chat.begin(table)
    try announce(table)
    var content = TableScreen(drawing: drawing)
    content.words = words ?? []
    content.takesLines = words != nil
    if words == nil { content.question = "q ends" }
    fill(&content, table)
    if words != nil { content.say([drawing.paint("`help` lists what can be typed.", .dim)]) }
    let full = FullScreen(context.console, content)
    try await input.enter(full, words == nil ? .onlyEnd : .lines)
    screen = full
  }

  /// Gives the terminal back, and prints the last position.
  mutating func leaveScreen(_ table: TableView, _ input: TableInput) async throws {
    guard screen != nil else { return }
    try await input.leaveScreen()
    screen = nil
    forget()
    try show(table)
  }

  /// Puts a table on the screen.
  func fill(_ screen: inout TableScreen, _ table: TableView) {
    screen.title = screenTitle(table)
    screen.players = table.seats.indices.map { player($0, table) }
    screen.diagram = table.position.diagram
    screen.pieces = table.pieces
    screen.names = table.shownNames
    screen.moves = table.may.contains(.choose) ? table.moves.map(\.text) : []
    screen.status = status(table)
  }

  private func screenTitle(_ table: TableView) -> String {
    var words = "\(title(table)) — game \(table.room.short)"
    if table.games > 1 {
      let wins = table.seats.map { String($0.wins) }.joined(separator: "–")
      words += ", \(table.number) of \(table.games), won \(wins)"
    }
    return words
  }

  /// Who sits at a seat, the time that is left, and what is done there.
  private func player(_ index: Int, _ table: TableView) -> String {
    let place = table.seats[index]
    let pointer = drawing.hasUnicode ? "▸" : ">"
    var words = table.isOn && place.owes ? "\(pointer) " : "  "
    words += table.label(of: Seat(UInt16(clamping: index)), drawing)
    if let left = place.left { words += "  " + drawing.paint(Self.clock(left), .bold) }
    let doing = doing(index, table)
    return doing.isEmpty ? words : "\(words)  \(drawing.paint(doing, .dim))"
  }

  /// Milliseconds as clocks of players show them.
  static func clock(_ milliseconds: Int) -> String {
    let seconds = (max(0, milliseconds) + 999) / 1000
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    let rest = two(seconds % 60)
    return seconds < 3600 ? "\(minutes):\(rest)" : "\(seconds / 3600):\(two(minutes)):\(rest)"
  }

  private func doing(_ index: Int, _ table: TableView) -> String {
    let (place, seat) = (table.seats[index], Seat(UInt16(clamping: index)))
    guard table.isOn else { return "" }
    if place.isOut { return "out of this game" }
    if table.undo?.seat == seat { return "wants a take-back" }
    if table.draws.contains(where: { $0.seat == seat }) { return "offers a draw" }
    if place.isTimeUp { return "time is up" }
    if place.presence == .away {
      return place.awaySince.map { "away since \(WallClock.text(milliseconds: UInt64(clamping: $0)))" }
        ?? "away"
    }
    if place.presence == .own { return place.owes && table.may.contains(.choose) ? "to move" : "" }
    return place.owes ? "thinks" : ""
  }

  /// What the game waits for.
  private func status(_ table: TableView) -> String {
    if table.phase != .playing || table.ending != nil { return "" }
    if let hindrance = table.hindrance { return hindrance }
    if let words = secretChoices(table) { return words }
    if table.may.contains(.choose) { return drawing.paint("It is your turn.", .green) }
    if table.hasChosen { return "You have chosen; the others choose." }
    return Awaited(table).map { turnWords($0, table).joined(separator: " ") } ?? ""
  }
}
