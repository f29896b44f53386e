import Games

/// What is best between two players who forget nothing (Zwick and Paterson: The memory game, 1993).
///
/// The state of a game between turns is how many pairs are on the table, and how many cards of them are known, each
/// without its partner. The value is how many pairs the player to move is expected to get more than the other.
public enum MemoryStrategy {
  /// The best turn in a state.
  public struct Best: Hashable, Sendable {
    /// The value of the state.
    public let value: Double
    /// How many new cards are turned up: none, one and then a known card, or two. What matches a known card is always
    /// taken.
    public let newCards: Int
  }

  /// The best turn.
  /// - Parameters:
  ///   - pairs: how many pairs are on the table, from 1 to 50.
  ///   - known: how many cards are known, from 0 to `pairs`.
  public static func best(pairs: Int, known: Int) -> Best { table[pairs][known] }

  private static let table = makeTable()

  private static func makeTable() -> [[Best]] {
    var table: [[Best]] = [[Best(value: 0, newCards: 0)]]
    for pairs in 1...MemoryMatch.cardsRange.upperBound / 2 {
      var row = [Best](repeating: Best(value: 0, newCards: 0), count: pairs + 1)
      for known in (0...pairs).reversed() { row[known] = best(pairs, known, row, table[pairs - 1]) }
      table.append(row)
    }
    return table
  }

  /// - Parameters:
  ///   - row: the states of as many pairs and more known cards.
  ///   - less: those of one pair less.
  private static func best(_ pairs: Int, _ known: Int, _ row: [Best], _ less: [Best]) -> Best {
    let unknown = 2 * pairs - known
    // The new card is the partner of a known one, and the turn goes on.
    let match = known > 0 ? Double(known) / Double(unknown) * (1 + less[known - 1].value) : 0
    guard known < pairs else { return Best(value: match, newCards: 1) }
    let miss = Double(2 * (pairs - known)) / Double(unknown)
    var best = Best(value: match + miss * second(pairs, known, row, less), newCards: 2)
    if known > 0 {
      let value = match - miss * row[known + 1].value
      if value > best.value + tolerance { best = Best(value: value, newCards: 1) }
    }
    // Two known cards keep the value at 0 for both, for ever.
    return known > 1 && best.value < -tolerance ? Best(value: 0, newCards: 0) : best
  }

  /// The value when a second new card is turned up after a new one that matches nothing.
  private static func second(_ pairs: Int, _ known: Int, _ row: [Best], _ less: [Best]) -> Double {
    let unknown = Double(2 * pairs - known - 1)
    // It matches the first; it matches a known card, and the other takes that pair; or it matches nothing.
    let own = 1 + less[known].value
    let others = 2 * (pairs - known) - 2
    let nothing = others > 0 ? Double(others) * row[known + 2].value : 0
    return (own - Double(known) * own - nothing) / unknown
  }

  /// Values that differ by less are equal: sums of fractions are rounded.
  private static let tolerance = 1e-12
}
