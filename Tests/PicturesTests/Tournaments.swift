import Rules
import TestKit
import Tournaments

/// Tournaments at some moment, for pictures of them.
enum Played {
  /// Names that would be markup, end a script, or be wider than any place.
  static let hostile = [
    "</text></svg></script><script>alert(1)</script>", "\u{202E}\u{1B}[31m<b>&amp;\"'",
    String(repeating: "漢", count: 90),
    String(repeating: "W", count: 90), "", "<!--<script>", "]]>&lt;", "{\"a\":\"\\u003c\"}",
  ]

  static func names(_ count: Int) -> [String] { (0..<count).map { hostile[$0 % hostile.count] } }

  /// A tournament of which so many rooms are played, with whatever result the seed gives.
  static func state(
    _ format: TournamentFormat, _ entrants: Int, options: [String: Int] = [:], rooms: Int, seed: UInt64 = 1
  ) throws -> TournamentState {
    var random = SeededGenerator(state: seed)
    var state = TournamentState(
      settings: try TournamentSettings(format: format, entrants: entrants, options: options))
    for _ in 0..<rooms {
      guard let room = state.ready(first: 1, where: { _ in true }).first else { break }
      let absence: Absence = Int.random(in: 0..<12, using: &random) == 0 ? .bothSeats : .nobody
      let games = (0..<(absence == .nobody ? room.games : 0)).map { _ in
        Outcome(scores: [.random(in: 0...1, using: &random), .random(in: 0...1, using: &random)])
      }
      _ = state.apply(
        .result(
          PairingResult(
            pairing: room.pairing.number, attempt: room.attempt, absence: absence, games: games)))
    }
    return state
  }
}

/// A rectangle of a picture.
struct Box {
  let x, y, width, height: Int

  init?(_ attributes: [String: String]) {
    guard let x = Int(attributes["x"] ?? ""), let y = Int(attributes["y"] ?? ""),
      let width = Int(attributes["width"] ?? ""), let height = Int(attributes["height"] ?? "")
    else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  func overlaps(_ other: Box) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }

  /// Two that overlap, if there are any: those of one column are compared as neighbours, columns as wholes.
  static func overlap(in boxes: [Box]) -> (Box, Box)? {
    let columns = Dictionary(grouping: boxes, by: \.x).values.map { $0.sorted { $0.y < $1.y } }.sorted {
      $0[0].x < $1[0].x
    }
    for column in columns {
      for (one, next) in zip(column, column.dropFirst()) where one.overlaps(next) { return (one, next) }
    }
    for (one, next) in zip(columns, columns.dropFirst()) {
      let widest = one.max { $0.width < $1.width } ?? one[0]
      if widest.x + widest.width > next[0].x { return (widest, next[0]) }
    }
    return nil
  }
}

extension SVGReader {
  /// The rectangles of these classes.
  func boxes(_ classes: Set<String>) -> [Box] {
    elements.filter { $0.name == "rect" && classes.contains($0.attributes["class"] ?? "") }.compactMap {
      Box($0.attributes)
    }
  }

  /// The picture's size, from its paper.
  var paper: Box? {
    elements.first { $0.attributes["class"] == "paper" }.flatMap {
      Box($0.attributes.merging(["x": "0", "y": "0"]) { own, _ in own })
    }
  }
}
