/// Something that can be chosen of a format: its words, its limits and its place in the options of a tournament.
///
/// The options of a format share one byte of the tournament's `create`, each some bits of it.
package struct FormatOption: Sendable {
  /// The name on the command line.
  package let name: String
  /// What stands for the number on the command line; `nil` for an option that is given or not.
  package let placeholder: String?
  /// The option in one line, for help texts.
  package let summary: String
  /// The least and the most, for so many entrants.
  let limits: @Sendable (_ entrants: Int) -> ClosedRange<Int>
  /// What holds when nothing is said, for so many entrants.
  let standard: @Sendable (_ entrants: Int) -> Int
  /// Where its lowest bit is in the byte, and how many bits it has.
  let bits: (lowest: Int, count: Int)
  /// The value that bits of zero stand for.
  let least: Int

  /// The value in a byte of options.
  func value(in byte: UInt8) -> Int { least + Int(byte >> bits.lowest) & (1 << bits.count - 1) }

  /// A value as its bits.
  func byte(of value: Int) -> UInt8 { UInt8((value - least) << bits.lowest) }
}

extension FormatOption {
  /// The most decider games of a level pairing of a format in which somebody must go through.
  static let deciders = FormatOption(
    name: "deciders", placeholder: "N",
    summary: "The most decider games of a level knock-out pairing, 0 to 16: 2 when not given.",
    limits: { _ in 0...16 }, standard: { _ in 2 }, bits: (0, 5), least: 0)
}

extension TournamentSettings {
  /// The most decider games of a level pairing, each a room of its own; 0 where pairings may end level.
  package var deciders: Int { value(of: .deciders) ?? 0 }
}
