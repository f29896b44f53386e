import Foundation
import Pictures
import Rules
import Testing

@Suite struct ReportPageTests {
  private func frame(_ number: Int, _ cells: [[Diagram.Cell]]) -> GamePicture.Frame {
    .init(
      caption: "\(Played.hostile[0]) \(number)",
      diagram: Diagram(board: cells, lines: ["To play: \(Seat(0))"]),
      pieces: ["🔴", Played.hostile[5]])
  }

  private var game: ReportPage.Game {
    let (one, two) = (Diagram.Cell.piece(Seat(0)), Diagram.Cell.marked(Seat(1)))
    return ReportPage.Game(
      title: Played.hostile[0], ending: Played.hostile[5], names: Played.hostile,
      frames: [frame(0, [[.empty, .empty]]), frame(1, [[one, .empty]]), frame(2, [[one, two]])])
  }

  private var page: String {
    var page = ReportPage(title: Played.hostile[0])
    page.add(Played.hostile)
    page.add(Played.hostile[5], ReportPage.Table(head: Played.hostile, rows: [Played.hostile]))
    page.add(Played.hostile[6], svg: RatingChart(title: Played.hostile[0], groups: []).svg())
    page.add(games: [game], remarks: Played.hostile)
    return page.lines.joined(separator: "\n")
  }

  /// What others wrote begins no element and ends none.
  @Test func textsAreNeverMarkup() {
    let page = page
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(page.components(separatedBy: "</script").count == 3)
    #expect(
      !page.contains("<!--") && !page.contains("<b>") && !page.contains("\u{1B}")
        && !page.contains("\u{202E}"))
    #expect(page.components(separatedBy: "</svg>").count == 2 && !page.contains("http-equiv=\"refresh\""))
    #expect(page.components(separatedBy: "http").count == 3, "the policy's name and the namespace of SVG")
  }

  /// Each position has what differs from the one before.
  @Test func positionsAreTheirDifferences() throws {
    let page = page
    let start = try #require(page.range(of: "id=\"data\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let text = String(page[start.upperBound..<end.lowerBound])
    #expect(!text.contains("<"))
    let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let symbols = try #require(value["symbols"] as? [[Any]])
    #expect(symbols.map { $0[0] as? String } == ["", "🔴", "<!-…"])
    #expect(symbols.map { $0[1] as? Bool } == [false, false, true])
    #expect(symbols[1][2] as? String == "#d8412f")
    let game = try #require((value["games"] as? [[String: Any]])?.first)
    let frames = try #require(game["frames"] as? [[Any]])
    #expect(frames.map { $0[2] as? [Int] } == [[0, 0, 1, 0], [0, 1], [1, 2]])
    #expect(game["columns"] as? Int == 2 && game["ending"] as? String == Played.hostile[5])
    #expect((frames[0][1] as? [String])?.first?.hasPrefix("To play: </text>") == true)
  }

  @Test func aPageWithoutGamesHasNoScript() {
    var page = ReportPage(title: "")
    page.add(games: [], remarks: ["None."])
    #expect(!page.lines.joined().contains("<script"))
  }
}
