import Testing

@testable import parlor

@Suite struct PaceTests {
  @Test func theRestTakesAsLongAsWhatWasSeen() {
    var pace = Pace()
    // What was done before says nothing.
    let looks: [(done: Int, now: Int64)] = [
      (40, 1_000), (40, 9_000), (42, 11_000), (50, 11_000), (100, 12_000),
    ]
    let left = looks.map { pace.left($0.done, of: 100, atMilliseconds: $0.now) }
    #expect(left == [nil, nil, 290_000, 50_000, nil])
  }
}
