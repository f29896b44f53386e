import Events
import Rules
import Service
import Terminal

// A quiz that fills the terminal: the question and its choices, the time that is left, and a line to type.

extension RoundsView {
  /// Fills the terminal, where it can be filled and is not yet. What was printed before stays above it, and comes back
  /// at the end. A tap race stays in lines: its keys are taps.
  /// - Parameter words: what can be typed besides answers; `nil` for who looks on, who types nothing.
  mutating func enterScreen(_ table: TableView, _ input: TableInput, words: [String]?) async throws {
    guard screen == nil, context.fillsTerminal, let rounds = table.hosted, table.phase == .playing,
      rounds.round?.choices.isEmpty == false
    else { return }
    var content = TableScreen(drawing: context.console.output.drawing)
    content.words = words ?? []
    content.takesLines = words != nil
    if words == nil { content.question = "q ends" }
    fill(&content, table, rounds, secondsLeft: nil)
    let full = FullScreen(context.console, content)
    try await input.enter(full, takesLines: words != nil)
    screen = full
  }

  /// Draws what changes with time and with what others do.
  func draw(_ table: TableView, secondsLeft: Int?) {
    guard let screen, let rounds = table.hosted else { return }
    screen.update { fill(&$0, table, rounds, secondsLeft: secondsLeft) }
  }

  /// Gives the terminal back, and prints the standings below what was printed before.
  mutating func leaveScreen(_ table: TableView, _ input: TableInput) async throws {
    guard screen != nil else { return }
    try await input.leaveScreen()
    screen = nil
    if let rounds = table.hosted, rounds.settled > 0 { try tellStandings(rounds) }
  }

  private func fill(
    _ screen: inout TableScreen, _ table: TableView, _ rounds: HostedView, secondsLeft: Int?
  ) {
    let round = rounds.round
    screen.title = title(table, rounds)
    let isShown = round.map { $0.phase == .open || $0.phase == .closed } ?? false
    screen.players =
      isShown ? [screen.drawing.paint(SafeText(round?.question ?? "", limitColumns: 1_000).text, .bold)] : []
    screen.diagram = Diagram(
      lines: isShown
        ? (round?.choices ?? []).enumerated().map { index, choice in
          "\(index + 1)  \(SafeText(choice, limitColumns: 200).text)"
        } : [])
    screen.moves =
      round.map { $0.phase == .open && $0.own == .none && rounds.number != nil } ?? false
      ? (round?.choices.indices ?? 0..<0).map { "\($0 + 1)" } : []
    screen.status = status(table, rounds, secondsLeft: secondsLeft)
  }

  private func title(_ table: TableView, _ rounds: HostedView) -> String {
    var words = Self.heading(table, rounds)
    if let round = rounds.round { words += " — \(self.words.round) \(round.number) of \(rounds.rounds)" }
    return words + ", room \(table.room.short)"
  }

  /// What is waited for, and how far it is.
  private func status(_ table: TableView, _ rounds: HostedView, secondsLeft: Int?) -> String {
    guard table.phase == .playing || table.phase == .waiting else { return "" }
    let isHost = table.peer == table.creator.peer
    guard let round = rounds.round, round.phase == .open else {
      let isClosed = rounds.round?.phase == .closed
      if isClosed { return isHost ? "It is closed." : "It is closed: the host counts." }
      return isHost ? "Enter opens the next \(words.round)." : "The host opens the next \(words.round)."
    }
    let present = rounds.players.count { !$0.hasLeft }
    return (secondsLeft.map { "\($0) s left, " } ?? "") + "\(round.entries) of \(present) answered."
  }
}
