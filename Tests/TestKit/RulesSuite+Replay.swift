package import Rules

extension Rules {
  /// A game of these rules.
  func game(first: Seat) -> GameOf<Self> { GameOf(rules: self, position: start(first: first)) }
}

extension GameState {
  /// The picture that spectators see.
  package var diagram: Diagram { view(for: nil).diagram }
  /// The same with the last move marked.
  package func diagram(after last: MoveCode) -> Diagram { view(for: nil).diagram(after: last) }
}

extension RulesSuite {
  /// Plays a game's codes again through the catalog's door, as a log is replayed.
  static func checkReplay<R: Rules>(_ rules: R, _ game: RandomGame<R>, _ findings: inout Findings) {
    var state: any GameState = rules.game(first: game.first)
    do {
      state = try GameDefinition(R.self).rules(rules.parameters).start(first: game.first)
    } catch {
      findings.expect(false, .replay, "the game's own parameters are refused: \(error)")
    }
    for (ply, position) in game.positions.enumerated() {
      let place = game.place(ply)
      findings.expect(state.encoded == rules.encode(position), .replay, "replayed bytes differ: \(place)")
      findings.expect(state.turn == rules.turn(in: position), .replay, "the replayed turn differs: \(place)")
      guard ply < game.steps.count else { break }
      let step = game.steps[ply]
      if case .seat(let seat) = state.turn {
        var other = state
        let turn = other.play(step[0], by: seat)
        findings.expect(
          turn == rules.turn(in: game.positions[ply + 1])
            && other.encoded == rules.encode(game.positions[ply + 1]), .replay,
          "a move of \(seat) led elsewhere: \(place)")
      }
      let isPlayed =
        state.turn.isRound ? state.resolve(step, by: game.chances[ply]) : state.play(step[0])
      findings.expect(isPlayed, .replay, "a legal move was refused: \(place)")
    }
  }

  /// A picture must be one that a display can draw.
  static func checkDisplay<R: Rules>(_ rules: R, _ game: RandomGame<R>, _ findings: inout Findings) {
    for (ply, position) in game.positions.enumerated() {
      let place = game.place(ply)
      checkDiagram(rules, position, of: nil, place, &findings)
      for seat in rules.seatsToChoose(in: position) {
        checkDiagram(rules, position, of: seat, place, &findings)
      }
    }
  }

  private static func checkDiagram<R: Rules>(
    _ rules: R, _ position: R.Position, of seat: Seat?, _ place: some CustomStringConvertible,
    _ findings: inout Findings
  ) {
    let diagram = rules.diagram(of: rules.view(of: position, for: seat))
    let width = diagram.board.first?.count ?? 0
    findings.expect(
      diagram.board.allSatisfy { $0.count == width }, .display, "rows of unequal length: \(place)")
    findings.expect(
      diagram.columnLabels.isEmpty || diagram.columnLabels.count == width, .display,
      "\(diagram.columnLabels.count) labels under \(width) columns: \(place)")
    findings.expect(
      diagram.rowLabels.isEmpty || diagram.rowLabels.count == diagram.board.count, .display,
      "\(diagram.rowLabels.count) labels beside \(diagram.board.count) rows: \(place)")
    findings.expect(
      Set(diagram.sides).count == diagram.sides.count && diagram.sides.allSatisfy { $0.index < rules.seats },
      .display, "no sides of these seats: \(diagram.sides): \(place)")
    findings.expect(!diagram.board.isEmpty || !diagram.lines.isEmpty, .display, "an empty picture: \(place)")
    for line in diagram.lines.map({ $0.text() }) + diagram.columnLabels + diagram.rowLabels {
      findings.expect(isPlain(line), .display, "a line that is not plain, \(line.debugDescription): \(place)")
    }
    for cell in diagram.board.joined() {
      switch cell {
      case .empty: continue
      case .face(let text, let emoji, _):
        findings.expect(isPlain(text) && isPlain(emoji), .display, "a face \(text) \(emoji): \(place)")
      case .piece(let seat), .marked(let seat):
        findings.expect(seat.index < rules.seats, .display, "a piece of \(seat): \(place)")
      case .playable(let label):
        let isLegal = rules.seatsToChoose(in: position).contains { seat in
          rules.move(text: label).map { rules.isLegal($0, by: seat, in: position) } ?? false
        }
        findings.expect(isLegal, .display, "the label \(label.debugDescription) is no legal move: \(place)")
      }
    }
  }
}
