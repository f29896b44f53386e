import Pictures
import TestKit
import Testing
import Tournaments

@Suite struct CrosstableChartTests {
  private static let tones: Set = ["all", "more", "half", "less", "none", "self", "bye", "open"]

  private func chart(_ state: TournamentState, names: [String]) throws -> CrosstableChart? {
    CrosstableChart(
      title: "<Table>", table: try #require(TournamentCrosstable(state)), names: names
    ) { halves in
      "\(halves / 2)\(halves.isMultiple(of: 2) ? "" : "½")"
    }
  }

  @Test(arguments: [2, 3, 7, 16, 41, 64]) func cellsDoNotOverlap(_ entrants: Int) throws {
    for format in TournamentFormat.allCases where format.results != .tree {
      let state = try Played.state(format, entrants, rooms: entrants * 3, seed: UInt64(entrants))
      let lines = try #require(try chart(state, names: Played.names(entrants))).svg()
      let picture = try SVGReader(lines)
      #expect(!picture.elements.contains { ["script", "b"].contains($0.name) })
      let (cells, paper) = (picture.boxes(Self.tones), try #require(picture.paper))
      #expect(!cells.isEmpty && Box.overlap(in: cells) == nil, "\(format), \(entrants) entrants")
      #expect(cells.allSatisfy { $0.x + $0.width <= paper.width && $0.y + $0.height <= paper.height })
      #expect(try lines == chart(state, names: Played.names(entrants))?.svg())
    }
  }

  /// A thousand entrants have a picture of ten rounds. A hundred rounds and more of them would have no use.
  @Test func largeOnes() throws {
    let some = try Played.state(.ladder, 1_000, options: ["rounds": 10], rooms: 700)
    let picture = try SVGReader(try #require(try chart(some, names: Played.names(1_000))).svg())
    #expect(picture.boxes(Self.tones).count > 1_000 && Box.overlap(in: picture.boxes(Self.tones)) == nil)
    let table = try Played.state(.roundRobin, 256, rooms: 0)
    #expect(try chart(table, names: Played.names(256)) != nil)
  }

  @Test func threeByHand() throws {
    let state = try Played.state(.roundRobin, 3, rooms: 0)
    let picture = try SVGReader(try #require(try chart(state, names: ["Ada", "Bo", "Cy"])).svg())
    #expect(
      picture.texts == ["<Table>", "points", "1", "2", "3", "1", "Ada", "0", "2", "Bo", "0", "3", "Cy", "0"])
    #expect(picture.count("rect", "class", "self") == 3 && picture.count("rect", "class", "open") == 6)
  }
}
