import BotKit

/// Families whose strategy the command line describes, after the name and a colon.
struct StrategyArgument: Sendable {
  let name: String
  let summary: String
  /// What follows the colon, as help shows it.
  let form: String
  /// How many numbers that are.
  private let counts: ClosedRange<Int>
  /// How many digits a number may have behind the point; it is read in units of the last one.
  private let digits: Int
  /// The range of each number, in these units.
  private let range: ClosedRange<Int>
  private let expected: String
  private let make: @Sendable (String, [Int]) -> Strategy

  static let all = [memoryOne, zeroDeterminant]

  private static let memoryOne = StrategyArgument(
    name: "memory-one",
    summary:
      "cooperates with these probabilities after CC, CD, DC and DD, its own choice first, and at first",
    form: "CC:CD:DC:DD[:FIRST]", counts: 4...5, digits: 6, range: 0...1_000_000,
    expected:
      "it takes four probabilities from 0 to 1, as in memory-one:1:0.25:1:0.25, and a fifth one for the "
      + "first round, which is 1 when it is left out"
  ) { name, numbers in
    Strategy.outcomes(
      name, "memory of one round", .nowak1990, Array(numbers.prefix(4)), in: 1_000_000,
      first: (numbers.count > 4 ? numbers[4] : 1_000_000, 1_000_000))
  }

  private static let zeroDeterminant = StrategyArgument(
    name: "zero-determinant",
    summary: "makes the other's surplus over KAPPA be CHI times its own, with slope PHI",
    form: "PHI:CHI:KAPPA", counts: 3...3, digits: 3, range: -100_000...100_000,
    expected: "it takes three numbers from -100 to 100, of at most three digits behind the point, as in "
      + "zero-determinant:0.1:0.5:1"
  ) { name, numbers in
    Strategy.zero(
      name, "memory of one round", .press2012, (numbers[0], 1_000), (numbers[1], 1_000),
      .value(numbers[2]))
  }

  /// The strategy of an argument.
  func strategy(_ argument: String?) throws(BotError) -> Strategy {
    let fields = (argument ?? "").split(separator: ":", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { number($0) }.filter { range.contains($0) }
    guard numbers.count == fields.count, counts.contains(numbers.count) else {
      throw .badArgument(bot: name, argument: argument ?? "", expected: expected)
    }
    return make("\(name):\(argument ?? "")", numbers)
  }

  /// Reads a decimal number of at most three digits before the point.
  private func number(_ text: Substring) -> Int? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...3).contains(parts[0].count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let rest = parts.count > 1 ? parts[1] : ""
    guard rest.count <= digits,
      let value = Int(parts[0] + rest + String(repeating: "0", count: digits - rest.count))
    else { return nil }
    return isNegative ? -value : value
  }
}
