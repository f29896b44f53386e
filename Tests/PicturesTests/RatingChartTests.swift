import Pictures
import TestKit
import Testing

@Suite struct RatingChartTests {
  private func player(_ name: String, _ rating: Double, _ error: Double?) -> RatingChart.Player {
    .init(name: name, rating: rating, error: error)
  }

  /// The axis is 480 wide from 272 on and goes from 1390 to 1610, a twentieth of all beyond both ends.
  @Test func barsLieWhereRatingsDo() throws {
    let picture = try SVGReader(
      RatingChart(title: "R", groups: [[player("a", 1550, 50), player("b", 1450, 50)]]).svg())
    let dots = picture.elements.filter { $0.name == "circle" }.map { $0.attributes["cx"] }
    #expect(dots == ["621.1", "402.9"])
    let bars = picture.elements.filter { $0.attributes["class"] == "bar" }.compactMap { $0.attributes["d"] }
    #expect(bars.first == "M512.0 51V61M512.0 56H730.2M730.2 51V61")
    #expect(picture.texts.contains("1550.0 ± 50.0") && picture.texts.contains("1500"))
  }

  @Test func whateverComes() throws {
    for players in [
      [], [player("one", 1500, nil)], [player("a", .nan, nil), player("b", .infinity, .infinity)],
      [player("a", -1e300, 1e300), player("b", 1e-300, 0)], [player("a", 1500, 0), player("b", 1500, 0)],
      Played.names(40).map { player($0, 1500, 12.34) },
    ] {
      let lines = RatingChart(title: Played.hostile[0], groups: [players, [], players]).svg()
      let picture = try SVGReader(lines)
      #expect(!picture.elements.contains { ["script", "b"].contains($0.name) })
      #expect(picture.count("circle", "class", "dot") == 2 * players.count)
    }
  }
}
