package import Rules

/// A game written out position by position, to be compared with a file byte for byte.
package enum Playthrough {
  /// What stands in a round for a seat that does not choose.
  static let noChoice = "-"

  /// Every position of a game with its picture, turn, legal moves and bytes, and the moves between them.
  package static func text<R: Rules>(_ rules: R, first: Seat, steps: [[MoveCode]]) -> String {
    var state = rules.game(first: first)
    var lines = [
      "game \(R.name) version \(R.version)",
      (["settings"] + rules.parameters.entries.map { "\($0.name)=\($0.value)" }).joined(separator: " "),
      "first \(first.index + 1)",
    ]
    for (ply, step) in (steps + [[]]).enumerated() {
      lines += ["", "ply \(ply)"] + picture(state.diagram) + ["turn \(text(of: state.turn))"]
      lines += legalMoves(state) + ["encoded \(RulesSuite.hex(state.encoded))"]
      guard !step.isEmpty else { break }
      let turn = state.turn
      let choices = step.enumerated().map { index, code in
        let isChoice = !turn.isRound || turn.choosing.contains(Seat(UInt16(truncatingIfNeeded: index)))
        return isChoice ? state.text(of: code) : noChoice
      }
      lines.append("play " + choices.joined(separator: " "))
      let isPlayed =
        state.turn.isRound ? state.resolve(step, by: Chance(seed: UInt64(ply))) : state.play(step[0])
      guard isPlayed else { return (lines + ["refused"]).joined(separator: "\n") + "\n" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A picture as plain text: seats are X, O, A, B …, `*` marks a piece, `.` is an empty square.
  package static func picture(_ diagram: Diagram) -> [String] {
    let rows =
      diagram.board.map { $0.map(text(of:)) } + (diagram.columnLabels.isEmpty ? [] : [diagram.columnLabels])
    let width = rows.joined().map(\.count).max() ?? 0
    let board = rows.map { row in
      let line = row.map { $0 + String(repeating: " ", count: width - $0.count) }.joined(separator: " ")
      return "  " + String(line.reversed().drop { $0 == " " }.reversed())
    }
    return board + diagram.lines.map { "  " + $0.text() }
  }

  private static func text(of cell: Diagram.Cell) -> String {
    switch cell {
    case .empty: "."
    case .playable(let label): label
    case .piece(let seat): letter(of: seat)
    case .marked(let seat): letter(of: seat) + "*"
    case .face(let text, _, let isMarked): "(\(text))" + (isMarked ? "*" : "")
    }
  }

  private static func letter(of seat: Seat) -> String {
    ["X", "O", "A", "B", "C", "D", "E", "F"][seat.index % 8]
  }

  private static func text(of turn: Turn) -> String {
    switch turn {
    case .seat(let seat): "\(seat)"
    case .round(let choosing):
      choosing.isEmpty ? "a draw" : "a round of " + choosing.map { "\($0)" }.joined(separator: " ")
    case .over(let outcome): "over, scores " + outcome.scores.map { "\($0)" }.joined(separator: " ")
    }
  }

  private static func legalMoves<R: Rules>(_ state: GameOf<R>) -> [String] {
    state.rules.seatsToChoose(in: state.position).map { seat in
      (["legal of \(seat):"] + state.legalMoves(of: seat).map { state.text(of: $0) }).joined(separator: " ")
    }
  }
}
