import Foundation
import Games
import Rules
import TestKit
import Testing

/// Counts of a breadth-first program of our own that shares no code with the rules (own counts).
private let sequences: [UInt64] = [
  1, 7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234, 39_394_572, 268_031_646,
]
private let positions = [1, 7, 49, 238, 1120, 4263, 16422, 54859]

#if DEBUG
  private let quickDepth = 8
  private let rulesDepth = 6
#else
  private let quickDepth = 10
  private let rulesDepth = 8
#endif

@Suite("Connect Four: perft")
struct ConnectFourPerftTests {
  let rules = ConnectFour()

  @Test("the quick count", arguments: 0...quickDepth)
  func quick(depth: Int) {
    #expect(rules.perft(rules.start(first: Seat(0)), depth: depth) == sequences[depth])
  }

  @Test("the count through the rules", arguments: 0...rulesDepth)
  func throughRules(depth: Int) {
    #expect(count(rules.start(first: Seat(1)), depth: depth) == sequences[depth])
  }

  /// `PARLOR_PERFT=12 Tools/test --full --filter published` counts all of
  /// them, in minutes; without it those that take seconds.
  @Test(
    "the published counts, as deep as PARLOR_PERFT says",
    .enabled(if: ReferenceData.has("perft/connect4_7x6.txt")))
  func published() throws {
    let deepest = ProcessInfo.processInfo.environment["PARLOR_PERFT"].flatMap(Int.init) ?? quickDepth
    var counted = 0
    for line in try ReferenceData.lines("perft/connect4_7x6.txt") {
      let words = line.split(separator: " ")
      guard words.count >= 4, words[0] == "perft", let depth = Int(words[2]), depth <= deepest else {
        continue
      }
      #expect(rules.perft(rules.start(first: Seat(0)), depth: depth) == UInt64(words[3]))
      counted += 1
    }
    #expect(counted == deepest + 1)
  }

  @Test("games that are over count no further")
  func wonPositions() throws {
    let won = try rules.position(moves: "1212121")
    #expect(rules.perft(won, depth: 0) == 1)
    #expect(rules.perft(won, depth: 1) == 0 && rules.perft(won, depth: 3) == 0)
    #expect(count(won, depth: 1) == 0)
  }

  @Test("different positions a ply, told apart by their canonical bytes")
  func distinctPositions() {
    var level = [rules.start(first: Seat(0))]
    for count in positions.prefix(Effort.size(positions.count, quick: 6)) {
      #expect(level.count == count)
      var seen: Set<[UInt8]> = []
      var next: [ConnectFour.Position] = []
      for position in level {
        rules.forEachMove(of: position.mover, in: position) { move in
          var after = position
          rules.play(move, in: &after)
          if seen.insert(rules.encode(after)).inserted { next.append(after) }
        }
      }
      level = next
    }
  }

  private func count(_ position: ConnectFour.Position, depth: Int) -> UInt64 {
    if depth == 0 { return 1 }
    guard case .seat(let seat) = rules.turn(in: position) else { return 0 }
    var total: UInt64 = 0
    rules.forEachMove(of: seat, in: position) { move in
      var after = position
      rules.play(move, in: &after)
      total += count(after, depth: depth - 1)
    }
    return total
  }
}
