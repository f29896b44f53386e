import Testing

@testable import parlor

/// What is typed in a tap race.
@Suite struct TapLineTests {
  @Test func aLineIsAsManyTapsAsItsSpacesOrAsItSays() {
    let lines: [(String, Int?)] = [
      ("", 0), (" ", 1), ("     ", 5), ("tap 7", 7), ("  TAP  1000 ", 1_000), ("tap 0", nil),
      ("tap 1001", nil),
      ("tap -1", nil), ("tap", nil), ("tap 1 2", nil), ("tap 99999999999999999999", nil), (" x ", nil),
      ("\t", nil),
      ("taps 3", nil), ("tap ٣", nil),
    ]
    for (line, taps) in lines { #expect(RacePlayer.taps(line) == taps, "“\(line)”") }
  }
}
