/// What a level of memory match remembers. `Docs/LEVELS.md` has what each of them wins against the one below.
struct MemoryLevel: Hashable, Sendable {
  /// Grows when a line below changes.
  static let version: UInt16 = 1

  /// How many cards; `nil` for all.
  let cards: Int?
  /// In how many of a hundred moves it remembers one of them.
  let sureness: Int

  /// Levels 1 to 10.
  static let all = [
    MemoryLevel(cards: 1, sureness: 50),
    MemoryLevel(cards: 2, sureness: 60),
    MemoryLevel(cards: 3, sureness: 70),
    MemoryLevel(cards: 4, sureness: 75),
    MemoryLevel(cards: 5, sureness: 80),
    MemoryLevel(cards: 6, sureness: 84),
    MemoryLevel(cards: 7, sureness: 89),
    MemoryLevel(cards: 9, sureness: 92),
    MemoryLevel(cards: 11, sureness: 95),
    MemoryLevel(cards: nil, sureness: 100),
  ]
}
