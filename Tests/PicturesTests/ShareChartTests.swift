import Foundation
import Pictures
import Testing

@Suite struct ShareChartTests {
  private func chart(_ names: [String], _ shares: [[Double]]) -> ShareChart {
    ShareChart(
      title: "A course", unit: "generation", names: names,
      moments: shares.enumerated().map { ShareChart.Moment(time: $0, shares: $1) })
  }

  /// The picture is 600 wide from 56 on and 360 high from 48 on: the largest share at the end lies on top.
  @Test func bandsLieOnEachOther() throws {
    let picture = try SVGReader(chart(["a", "b"], [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]).svg())
    #expect(
      picture.bands == [
        "M56.0 48.0L356.0 48.0L656.0 48.0L656.0 318.0L356.0 228.0L56.0 138.0Z",
        "M56.0 138.0L356.0 228.0L656.0 318.0L656.0 408.0L356.0 408.0L56.0 408.0Z",
      ])
    #expect(
      picture.texts == [
        "A course", "0 %", "25 %", "50 %", "75 %", "100 %", "0", "2", "generation", "75.0 % b", "25.0 % a",
      ])
  }

  @Test func namesAreNeverMarkup() throws {
    let picture = try SVGReader(
      chart(["</text><script>alert(1)</script>&amp;\"", "\u{1B}[2J'"], [[0.5, 0.5], [0.9, 0.1]]).svg())
    #expect(!picture.elements.contains { $0.name == "script" })
    #expect(picture.texts.contains("10.0 % \u{FFFD}[2J'"))
    #expect(picture.texts.contains { $0.hasPrefix("90.0 % </text><script>") })
  }

  /// Each of twenty names has a line and a colour of its own, and a long course has no more points than are seen.
  @Test func twentyNamesAndAThousandMoments() throws {
    let names = (1...20).map { "strategy-\($0)" }
    let shares = (0...1_000).map { moment -> [Double] in
      let small = 0.000_002_5 * Double(moment)
      return [1 - 19 * small] + [Double](repeating: small, count: 19)
    }
    let picture = try SVGReader(chart(names, shares).svg())
    #expect(picture.bands.count == 20)
    #expect(Set(picture.elements.compactMap { $0.attributes["fill"] }).count == 20)
    #expect(names.allSatisfy { name in picture.texts.contains { $0.hasSuffix(" \(name)") } })
    #expect(picture.bands.allSatisfy { $0.split(separator: "L").count <= 2 * 241 })
    #expect(picture.bands.allSatisfy { $0.hasPrefix("M56.0 ") && $0.contains("L656.0 ") })
    let swatches = picture.elements.filter { $0.name == "rect" && $0.attributes["class"] == "band" }
    let places = swatches.compactMap { Int($0.attributes["y"] ?? "") }
    let height = try #require(Int(picture.elements[0].attributes["height"] ?? ""))
    #expect(places.count == 20 && places.allSatisfy { $0 + 14 < height })
  }
}
