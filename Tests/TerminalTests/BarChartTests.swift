import Terminal
import Testing

@Suite struct BarChartTests {
  private func chart(_ count: Int, own: Int) -> BarChart {
    BarChart(
      unit: "TAPS",
      bars: (1...count).map { .init(place: $0, name: "Player \($0)", count: count - $0, isOwn: $0 == own) },
      most: count - 1)
  }

  @Test func barsAreAsLongAsTheirCounts() {
    let lines = chart(3, own: 0).lines(limitColumns: 60, drawing: Drawing(hasUnicode: false))
    #expect(
      lines == [
        "PLACE  PLAYER    TAPS", "    1  Player 1     2  ##############", "    2  Player 2     1  #######",
        "    3  Player 3     0",
      ])
  }

  /// Where there is no room for all, the first and the own one are shown.
  @Test func theOwnBarIsAlwaysShown() {
    for own in [1, 9, 16] {
      let lines = chart(16, own: own).lines(limitColumns: 36, limitRows: 8, drawing: Drawing())
      #expect(lines.count == 8 && lines.last == "… and 10 more")
      #expect(
        lines.contains { $0.contains("Player \(own) ") || $0.contains("Player \(own)\u{1B}") }, "\(lines)")
      #expect(lines.contains { $0.contains("Player 5 ") } && !lines.contains { $0.contains("Player 8") })
    }
    #expect(chart(16, own: 1).lines(limitColumns: 36, limitRows: 17, drawing: Drawing()).count == 17)
    #expect(chart(16, own: 1).lines(limitColumns: 36, limitRows: 0, drawing: Drawing()).count == 3)
  }
}
