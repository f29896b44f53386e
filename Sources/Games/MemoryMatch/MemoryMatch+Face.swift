extension MemoryMatch {
  /// What is under a card.
  public struct Face: Hashable, Sendable {
    /// Its number, from 0 to 49.
    public let number: UInt8

    /// The face in one letter: from A to Z, then from a on.
    public var letter: String {
      let first: UInt8 = number < 26 ? 0x41 : 0x61
      return String(UnicodeScalar(first + number % 26))
    }

    /// The face as an emoji that terminals draw two columns wide.
    public var emoji: String { Self.emoji[Int(number) % Self.emoji.count] }

    private static let emoji = [
      "🍎", "🍌", "🍇", "🍓", "🍒", "🍋", "🍐", "🍉", "🥕", "🌽", "🍄", "🌰", "🍞", "🧀", "🍕", "🍔", "🍩", "🍪",
      "🎂", "🍭", "🌵", "🌲", "🌻", "🌹", "🍀", "🍁", "🌙", "🌈", "🔥", "💧", "🚗", "🚲", "🚂", "🚀", "⛵", "🎈",
      "🎁", "🎸", "🎺", "🥁", "⚽", "🏀", "🎲", "🔑", "🔔", "📷", "💡", "📚", "👑", "💎",
    ]
  }
}
