/// A single-elimination bracket as it is drawn: rounds of matches, the first round first.
///
/// Match `i` of a round is played by the winners of matches `2i` and `2i + 1` of the round before.
package struct BracketPicture: Hashable, Sendable {
  /// One side of a match.
  package struct Slot: Hashable, Sendable {
    /// The entrant's name, as its owner wrote it.
    package var label: String
    /// Its seed, from 1.
    package var seed: Int?
    /// Its points in this match, as text.
    package var score: String?

    /// A side of a match.
    package init(_ label: String, seed: Int? = nil, score: String? = nil) {
      self.label = label
      self.seed = seed
      self.score = score
    }
  }

  /// One match; a side that is `nil` is a bye in the first round and not known yet in a later one.
  package struct Match: Hashable, Sendable {
    /// The side that is drawn above.
    package var upper: Slot?
    /// The side that is drawn below.
    package var lower: Slot?
    /// Which side won: 0 above, 1 below, `nil` not decided.
    package var winner: Int?

    /// A match.
    package init(_ upper: Slot?, _ lower: Slot?, winner: Int? = nil) {
      self.upper = upper
      self.lower = lower
      self.winner = winner
    }

    /// The winning side, if there is one.
    var winningSlot: Slot? { winner == 0 ? upper : winner == 1 ? lower : nil }
  }

  /// Matches by round, the first round first.
  package var rounds: [[Match]]

  /// A bracket of these rounds.
  package init(rounds: [[Match]]) { self.rounds = rounds }
}

/// Draws a bracket from left to right, each match's winner half-way between its sides.
package struct BracketDrawing: Sendable {
  /// The most rounds that are drawn, enough for 64 entrants; of a larger bracket the last ones.
  package static let limitRounds = 6
  /// The widest name, in columns, seed included.
  package static let limitNameColumns = 24

  /// How long the line to write on is in a column where no name is known yet.
  private static let openColumns = 6

  private let drawing: Drawing
  private let limitColumns: Int?

  /// A way to draw brackets.
  ///
  /// - Parameter limitColumns: how wide the drawing may be; names are cut, down to six columns, to make it
  ///   fit.
  package init(drawing: Drawing = Drawing(), limitColumns: Int? = nil) {
    self.drawing = drawing
    self.limitColumns = limitColumns
  }

  /// The bracket's lines; none for a bracket without matches.
  package func lines(_ bracket: BracketPicture) -> [String] {
    let rounds = Array(bracket.rounds.suffix(Self.limitRounds))
    let isWhole = rounds.count == bracket.rounds.count
    guard let first = rounds.first, !first.isEmpty else { return [] }
    // Matches past the 32 that a drawing of six rounds can have would have no place in the rounds after.
    let size = min(first.count, 1 << (rounds.count - 1))
    let fields = self.fields(rounds, opensWithByes: isWhole)
    let layout = Layout(fields: fields, sizes: sizes(rounds, first: size))
    var lines = (0..<layout.height).map { row in
      var line = ""
      for column in fields.indices { line += text(row: row, column: column, layout: layout) }
      return trimmed(line)
    }
    // Byes leave lines without anything above and below.
    while lines.last == "" { lines.removeLast() }
    return Array(lines.drop { $0.isEmpty })
  }

  /// The number of sides in each drawn column: two for every match, and one for the champion.
  private func sizes(_ rounds: [[BracketPicture.Match]], first: Int) -> [Int] {
    rounds.indices.map { min(rounds[$0].count, max(1, first >> $0)) * 2 } + [1]
  }
}

extension BracketDrawing {
  /// What stands in one side's place.
  private enum Field {
    /// A side that is there, and whether it lost.
    case side(name: SafeText, score: SafeText, lost: Bool)
    /// A side that is not known yet: a line to write on.
    case open
    /// Nothing, because the other side has a bye.
    case bye
  }

  /// Rows and widths of the drawing.
  private struct Layout {
    let fields: [[Field]]
    let sizes: [Int]
    let height: Int

    init(fields: [[Field]], sizes: [Int]) {
      self.fields = fields
      self.sizes = sizes
      // The first column has its sides two rows apart; every later one is spread twice as wide.
      height =
        sizes.indices.map { sizes[$0] == 0 ? 0 : Self.row(of: sizes[$0] - 1, column: $0) + 1 }.max() ?? 0
    }

    /// The row of side `index` in a column.
    static func row(of index: Int, column: Int) -> Int { (index << (column + 1)) + (1 << column) - 1 }

    /// The side of a column that stands in a row.
    func index(at row: Int, column: Int) -> Int? {
      let offset = row - ((1 << column) - 1)
      guard offset >= 0, offset % (1 << (column + 1)) == 0 else { return nil }
      let index = offset >> (column + 1)
      return index < min(sizes[column], fields[column].count) ? index : nil
    }

    /// Whether a match's two sides are both drawn, so that lines join them.
    func isDrawn(match: Int, column: Int) -> Bool {
      guard match * 2 + 1 < min(sizes[column], fields[column].count) else { return false }
      if case .bye = fields[column][match * 2] { return false }
      if case .bye = fields[column][match * 2 + 1] { return false }
      return true
    }
  }

  private func fields(_ rounds: [[BracketPicture.Match]], opensWithByes: Bool) -> [[Field]] {
    let hasSeeds = rounds.joined().contains { $0.upper?.seed != nil || $0.lower?.seed != nil }
    let limit = nameLimit(rounds, hasSeeds: hasSeeds)
    func field(_ slot: BracketPicture.Slot?, lost: Bool) -> Field {
      guard let slot else { return .open }
      return .side(
        name: name(slot, limit: limit), score: SafeText(slot.score ?? "", limitColumns: 6), lost: lost)
    }
    var fields: [[Field]] = rounds.indices.map { round in
      rounds[round].flatMap { match -> [Field] in
        if round == 0, opensWithByes, match.upper == nil || match.lower == nil { return [.bye, .bye] }
        return [field(match.upper, lost: match.winner == 1), field(match.lower, lost: match.winner == 0)]
      }
    }
    var champion = rounds.last?.first?.winningSlot
    champion?.score = nil
    fields.append([field(champion, lost: false)])
    return fields
  }

  private func name(_ slot: BracketPicture.Slot, limit: Int) -> SafeText {
    SafeText(slot.seed.map { "\($0) \(slot.label)" } ?? slot.label, limitColumns: limit)
  }

  /// The widest that names may be for the drawing to fit.
  private func nameLimit(_ rounds: [[BracketPicture.Match]], hasSeeds: Bool) -> Int {
    let slots = rounds.joined().flatMap { [$0.upper, $0.lower].compactMap(\.self) }
    let widest = slots.map { name($0, limit: Self.limitNameColumns).columns }.max() ?? 1
    guard let limitColumns else { return max(1, widest) }
    let scores = rounds.map { round in
      let texts = round.flatMap { [$0.upper?.score, $0.lower?.score].compactMap(\.self) }
      return texts.map { SafeText($0, limitColumns: 6).columns + 1 }.max() ?? 0
    }
    // Every round but the champion's ends in a joint of four columns, such as “ ─┐ ”.
    let room = (limitColumns - scores.reduce(0, +) - rounds.count * 4) / (rounds.count + 1)
    return max(6, min(widest, room))
  }

  private func text(row: Int, column: Int, layout: Layout) -> String {
    let widths = self.widths(layout.fields[column])
    let isLast = column == layout.fields.count - 1
    let width = widths.name + (widths.score > 0 ? widths.score + 1 : 0)
    guard let index = layout.index(at: row, column: column) else {
      return String(repeating: " ", count: width)
        + (isLast ? "" : joint(row: row, column: column, layout: layout))
    }
    let text: String
    switch layout.fields[column][index] {
    case .bye: text = String(repeating: " ", count: width)
    case .open: text = drawing.paint(String(repeating: drawing.lines.horizontal, count: width), .dim)
    case .side(let name, let score, let lost):
      let score =
        widths.score > 0 ? " " + DisplayWidth.fit(score.text, columns: widths.score, align: .trailing) : ""
      let side = DisplayWidth.fit(name.text, columns: widths.name) + score
      text = lost ? drawing.paint(side, .dim) : isLast ? drawing.paint(side, .bold) : side
    }
    return text + (isLast ? "" : joint(row: row, column: column, layout: layout))
  }

  private func widths(_ fields: [Field]) -> (name: Int, score: Int) {
    let isAllOpen = !fields.contains { if case .side = $0 { true } else { false } }
    var widest = (name: isAllOpen ? Self.openColumns : 1, score: 0)
    for case .side(let name, let score, _) in fields {
      widest = (max(widest.name, name.columns), max(widest.score, score.columns))
    }
    return widest
  }

  /// The four columns after a column's field in one row: the lines that join two sides to their winner.
  private func joint(row: Int, column: Int, layout: Layout) -> String {
    let line = drawing.lines
    let span = 1 << (column + 2)
    let match = row / span
    guard layout.isDrawn(match: match, column: column) else { return "    " }
    let upper = Layout.row(of: match * 2, column: column)
    let lower = Layout.row(of: match * 2 + 1, column: column)
    let middle = Layout.row(of: match, column: column + 1)
    switch row {
    case upper: return drawing.paint(" \(line.horizontal)\(line.top.right) ", .dim)
    case lower: return drawing.paint(" \(line.horizontal)\(line.bottom.right) ", .dim)
    case middle: return drawing.paint("  \(line.inner.left) ", .dim)
    case upper..<lower: return drawing.paint("  \(line.vertical) ", .dim)
    default: return "    "
    }
  }

  private func trimmed(_ line: String) -> String {
    line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
  }
}
