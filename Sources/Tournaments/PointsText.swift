// Numbers of standings as people write them.

extension Standing {
  /// Points as people write them: a half is ½.
  package static func points(_ halves: Int) -> String { text(Int64(halves), parts: 2) }

  /// A number of halves, quarters or wholes as people write it.
  fileprivate static func text(_ value: Int64, parts: Int) -> String {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: Int64(parts))
    let fraction = ["", "¼", "½", "¾"][Int(rest) * 4 / parts]
    return whole == 0 && !fraction.isEmpty ? fraction : "\(whole)\(fraction)"
  }
}

extension TournamentState {
  /// What ranks go by, with heads of columns: as the format says, or points and score.
  package func measures(of line: Standing) -> [(title: String, text: String)] {
    guard line.measures.isEmpty else {
      return line.measures.map { ($0.title, Standing.text($0.value, parts: $0.parts)) }
    }
    let measures = [("POINTS", Standing.points(line.tally.halfPoints)), ("SCORE", "\(line.tally.score)")]
    return showsScoreFirst ? measures.reversed() : measures
  }
}
