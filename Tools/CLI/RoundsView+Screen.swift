import Events
import Rules
import Service
import Terminal

// Hosted rounds that fill the terminal: what is asked and its choices, or how far all are in a race; the time that is
// left, and a line to type or the keys of a race.

extension RoundsView {
  /// Fills the terminal, where it can be filled and is not yet. What was printed before stays above it, and comes back
  /// at the end. Who taps has a screen before the first race, so that no key is meant for anything else.
  /// - Parameter keys: what keys do: `words` can be typed besides answers where they type lines.
  mutating func enterScreen(
    _ table: TableView, _ input: TableInput, _ keys: ScreenInput.Keys, words: [String] = []
  ) async throws {
    guard screen == nil, context.fillsTerminal, let rounds = table.hosted,
      table.phase == .playing && rounds.round != nil || keys == .taps && table.phase == .waiting
    else { return }
    var content = TableScreen(drawing: context.console.output.drawing)
    content.words = words
    content.takesLines = keys == .lines
    switch keys {
    case .lines: break
    case .onlyEnd: content.question = "q ends"
    case .taps: content.question = "The space bar taps; q leaves."
    }
    fill(&content, table, rounds, left: nil, taps: nil)
    let full = FullScreen(context.console, content)
    try await input.enter(full, keys)
    screen = full
  }

  /// Draws what changes with time and with what others do.
  /// - Parameter taps: the own taps in the race that is on, before the host has counted them.
  func draw(_ table: TableView, _ left: TimeLeft?, taps: Int? = nil) {
    guard let screen, let rounds = table.hosted else { return }
    screen.update { fill(&$0, table, rounds, left: left, taps: taps) }
  }

  /// Gives the terminal back, and prints the standings below what was printed before.
  mutating func leaveScreen(_ table: TableView, _ input: TableInput) async throws {
    guard screen != nil else { return }
    try await input.leaveScreen()
    screen = nil
    if let rounds = table.hosted, rounds.settled > 0 { try tellStandings(rounds) }
  }

  private func fill(
    _ screen: inout TableScreen, _ table: TableView, _ rounds: HostedView, left: TimeLeft?,
    taps: Int?
  ) {
    let round = rounds.round
    screen.title = title(table, rounds)
    let isRace = round?.isRace ?? true
    let isDrawn = round?.sheet != nil
    // The bars of a race and a drawing stay until the next one.
    let isShown = round.map { $0.phase == .open || $0.phase == .closed || isRace || isDrawn } ?? false
    screen.players =
      isShown ? [screen.drawing.paint(round.map { question($0, rounds) } ?? "", .bold)] : []
    screen.diagram = Diagram(
      lines: isShown
        ? (round?.choices ?? []).enumerated().map { index, choice in
          "\(index + 1)  \(SafeText(choice, limitColumns: 200).text)"
        } : [])
    screen.moves =
      round.map { $0.phase == .open && $0.own == .none && rounds.number != nil } ?? false
      ? (round?.choices.indices ?? 0..<0).map { "\($0 + 1)" } : []
    screen.chart = isRace ? CountBars.chart(round, rounds) : nil
    screen.strokes = round?.sheet?.drawn
    screen.status = status(table, rounds, left, taps)
  }

  private func title(_ table: TableView, _ rounds: HostedView) -> String {
    var words = Self.heading(table, rounds)
    if let round = rounds.round { words += " — \(self.words.round) \(round.number) of \(rounds.rounds)" }
    return words + ", room \(table.room.short)"
  }

  /// What is waited for, and how far it is.
  private func status(_ table: TableView, _ rounds: HostedView, _ left: TimeLeft?, _ taps: Int?) -> String {
    guard table.phase == .playing || table.phase == .waiting else { return "" }
    let isHost = table.peer == table.creator.peer
    guard let round = rounds.round, round.phase == .open else {
      let isClosed = rounds.round?.phase == .closed
      if isClosed { return isHost ? "It is closed." : "It is closed: the host counts." }
      return isHost ? "Enter opens the next \(words.round)." : "The host opens the next \(words.round)."
    }
    let present = rounds.players.count { !$0.hasLeft }
    let answered =
      round.isRace ? taps.map { "\($0) of your taps" } : "\(round.entries) of \(present) answered"
    let done = round.sheet?.progress ?? answered
    let parts = [left?.words, done].compactMap(\.self)
    return parts.isEmpty ? "The \(words.round) is on." : parts.joined(separator: ", ") + "."
  }
}
