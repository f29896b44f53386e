package import Terminal
package import Tournaments

/// The brackets of a knock-out as a picture (SVG).
package struct BracketChart {
  private let title: String
  private let plan: BracketPlan
  private let match: (ScheduledPairing) -> BracketPicture.Match

  /// - Parameters:
  ///   - title: what it is of.
  ///   - match: who meets at a place, with seeds and scores; sides that are not known are told by where they come from.
  package init(
    title: String, plan: BracketPlan, match: @escaping (ScheduledPairing) -> BracketPicture.Match
  ) {
    (self.title, self.plan, self.match) = (title, plan, match)
  }

  private static let (boxWidth, boxHeight, gap) = (244, 40, 36)
  /// From one place to the next one below it.
  private static let pitch = 58
  private static let (headHeight, sectionGap) = (30, 20)
  private static let (seedWidth, scoreWidth) = (36, 52)
  private static let leastWidth = 480

  private static let style = TableStyle.rules(
    "bracket",
    [
      ".box { fill: #f6f6f4; stroke: #999 }", ".won { fill: #d9ecd9 }",
      ".number { font-size: 10px; fill: #5c5c5c }",
    ],
    dark: [".box { fill: #262931; stroke: #777 }", ".won { fill: #234a2d }", ".number { fill: #b0b0b0 }"])

  /// The picture, line by line: no scripts, nothing from elsewhere, and readable on light and on dark paper.
  package func svg() -> [String] {
    let columns = plan.brackets.map(\.columns).max() ?? 0
    let width = max(
      Self.leastWidth, columns * (Self.boxWidth + Self.gap) - Self.gap + 2 * TableStyle.margin)
    var lines: [String] = []
    var top = TableStyle.titleHeight
    for bracket in plan.brackets {
      lines += heads(of: bracket, y: top + 16)
      top += Self.headHeight
      for place in bracket.places {
        lines += connectors(to: place, in: bracket, top: top) + box(of: place, top: top)
      }
      top += bracket.rows * Self.pitch + Self.sectionGap
    }
    return TableStyle.opening(width: width, height: top, title: title, style: Self.style, as: "bracket")
      + lines + ["</svg>"]
  }

  private static func left(_ place: BracketPlan.Place) -> Int {
    TableStyle.margin + place.column * (boxWidth + gap)
  }

  private static func middle(_ place: BracketPlan.Place, top: Int) -> Int {
    top + 12 + boxHeight / 2 + place.height * pitch / BracketPlan.unit
  }

  /// The names of the columns.
  private func heads(of bracket: BracketPlan.Bracket, y: Int) -> [String] {
    var heads: [Int: ScheduledPairing] = [:]
    for place in bracket.places where heads[place.column] == nil { heads[place.column] = place.pairing }
    return (0..<bracket.columns).compactMap { column in
      guard let place = heads[column] else { return nil }
      let isFinal = column == bracket.columns - 1 && column > 0
      let words = place.stage ?? (isFinal ? "final" : "round \(place.round + 1)")
      let x = TableStyle.margin + column * (Self.boxWidth + Self.gap) + Self.boxWidth / 2
      return SVGText.line(words, x: x, y: y, "faint middle")
    }
  }

  /// Lines from the places that the entrants come from.
  private func connectors(
    to place: BracketPlan.Place, in bracket: BracketPlan.Bracket, top: Int
  ) -> [String] {
    let (x, y) = (Self.left(place), Self.middle(place, top: top))
    return place.sources.map { index in
      let source = bracket.places[index]
      let from = Self.middle(source, top: top)
      return
        "<path class=\"line\" d=\"M\(Self.left(source) + Self.boxWidth) \(from)H\(x - Self.gap / 2)V\(y)H\(x)\"/>"
    }
  }

  private func box(of place: BracketPlan.Place, top: Int) -> [String] {
    let (x, y) = (Self.left(place), Self.middle(place, top: top) - Self.boxHeight / 2)
    let half = Self.boxHeight / 2
    let match = match(place.pairing)
    var lines = [
      "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(Self.boxWidth)\" height=\"\(Self.boxHeight)\"/>"
    ]
    if let winner = match.winner {
      lines.append(
        "<rect class=\"won\" x=\"\(x + 1)\" y=\"\(y + 1 + winner * half)\" width=\"\(Self.boxWidth - 2)\""
          + " height=\"\(half - 2)\"/>")
    }
    lines.append("<path class=\"line\" d=\"M\(x) \(y + half)h\(Self.boxWidth)\"/>")
    if let number = place.pairing.number {
      lines.append(SVGText.line("\(number)", x: x + 2, y: y - 3, "number"))
    }
    for (side, slot) in [match.upper, match.lower].enumerated() {
      lines += line(
        slot, place: side == 0 ? place.pairing.upper : place.pairing.lower, x: x, y: y + side * half + 14,
        hasWon: match.winner == side)
    }
    return lines
  }

  private func line(
    _ slot: BracketPicture.Slot?, place: ScheduledPairing.Slot, x: Int, y: Int, hasWon: Bool
  ) -> [String] {
    let nameLeft = x + Self.seedWidth + 6
    let nameWidth = Self.boxWidth - Self.seedWidth - 6 - Self.scoreWidth
    guard let slot else {
      let words =
        switch place {
        case .winner(let number): "winner of \(number)"
        case .loser(let number): "loser of \(number)"
        case .qualifier: place.qualifierWords ?? ""
        case .entrant, .bye: ""
        }
      return words.isEmpty ? [] : [SVGText.line(words, x: nameLeft, y: y, "faint")]
    }
    let name = TableStyle.fitted(slot.label, width: nameWidth)
    var lines: [String] = []
    if let seed = slot.seed {
      lines.append(SVGText.line("\(seed)", x: x + Self.seedWidth, y: y, "faint end"))
    }
    let isCut = name != SafeText(slot.label).text
    let text = SVGText.line(name, x: nameLeft, y: y, hasWon ? "strong" : "")
    lines.append(isCut ? "<g><title>\(SVGText.escaped(slot.label))</title>\(text)</g>" : text)
    if let score = slot.score {
      let shown = TableStyle.fitted(score, width: Self.scoreWidth - 8)
      lines.append(SVGText.line(shown, x: x + Self.boxWidth - 6, y: y, hasWon ? "strong end" : "end"))
    }
    return lines
  }
}
