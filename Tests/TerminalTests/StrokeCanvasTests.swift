import Rules
import TestKit
import Testing

@testable import Terminal

@Suite("Drawings in cells") struct StrokeCanvasTests {
  private func stroke(_ points: [(UInt16, UInt16)], _ colour: String = "black", width: UInt16 = 4)
    -> HostedStroke
  {
    HostedStroke(colour: colour, width: width, points: points.map { .init(x: $0.0, y: $0.1) })
  }

  private func lines(_ strokes: [HostedStroke], columns: Int = 64, rows: Int = .max, isBraille: Bool = true)
    -> [String]
  {
    StrokeCanvas(strokes, limitColumns: columns, limitRows: rows, isBraille: isBraille).lines
  }

  @Test(
    "A sheet of 64 cells has 24 lines, of letters and of dots alike, and a smaller one is as wide as there is room"
  )
  func sizes() {
    for isBraille in [true, false] {
      for (columns, rows, wide, high) in [
        (64, Int.max, 64, 24), (200, Int.max, 64, 24), (47, Int.max, 40, 15), (64, 12, 32, 12), (0, 0, 16, 6),
      ] {
        let lines = lines([], columns: columns, rows: rows, isBraille: isBraille)
        #expect(lines.count == high && lines.allSatisfy { $0.count == wide }, "\(columns) by \(rows)")
      }
    }
  }

  @Test("The corners of the sheet are the corners of the canvas")
  func corners() {
    let corners = [stroke([(0, 0)]), stroke([(1_023, 767)])]
    let dots = lines(corners)
    #expect(dots.first?.first == "⠁" && dots.last?.last == "⢀", "\(dots)")
    let letters = lines(corners, isBraille: false)
    #expect(letters.first?.first == "#" && letters.last?.last == "#")
    #expect(letters.joined().count { $0 == "#" } == 2)
  }

  @Test("A line has a dot in each column that it crosses, in both directions")
  func connected() {
    for points in [[(0, 0), (1_023, 767)], [(1_023, 767), (0, 0)], [(0, 400), (1_023, 380)]]
      as [[(UInt16, UInt16)]]
    {
      let drawn = lines([stroke(points)], isBraille: false)
      for column in 0..<64 {
        #expect(drawn.contains { Array($0)[column] == "#" }, "column \(column) of \(points)")
      }
    }
  }

  @Test("White takes away, and a wide line covers more")
  func colours() {
    let line = stroke([(0, 400), (1_023, 400)])
    let white = stroke([(0, 400), (1_023, 400)], "white", width: 32)
    #expect(lines([line, white]) == lines([]))
    #expect(lines([white, line]) == lines([line]) && lines([line]) != lines([]))
    func ink(_ strokes: [HostedStroke]) -> Int {
      lines(strokes, isBraille: false).joined().count { $0 == "#" }
    }
    #expect(ink([stroke([(0, 400), (1_023, 400)], width: 32)]) > 0)
    #expect(lines([stroke([(500, 400)], width: 32)]) != lines([stroke([(500, 400)])]))
  }

  @Test("Any strokes fit on any canvas")
  func anything() {
    var random = SeededGenerator(state: 11)
    for _ in 0..<300 {
      let points = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (UInt16.random(in: 0...2_047, using: &random), UInt16.random(in: 0...1_535, using: &random))
      }
      let width = [4, 8, 16, 32].randomElement(using: &random) ?? 4
      for isBraille in [true, false] {
        let drawn = lines(
          [stroke(points, width: UInt16(width))], columns: .random(in: 0...80, using: &random),
          rows: .random(in: 0...30, using: &random), isBraille: isBraille)
        #expect(!drawn.isEmpty, "\(points)")
      }
    }
  }
}
