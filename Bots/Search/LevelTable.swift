import Games

/// What the levels of each game see. `Docs/LEVELS.md` has what each of them wins against the one below.
enum LevelTable {
  /// Grows when a line below changes.
  static let version: UInt16 = 1

  /// The level of this number in this game.
  static func level(_ number: Int, of game: String) -> Level? {
    guard Level.numbers.contains(number), let levels = levels[game] else { return nil }
    return levels[number - 1]
  }

  private static let levels: [String: [Level]] = [
    TicTacToe.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(1), in: 10, sees: .glance(0)),
      Level(.glance(2), in: 60, sees: .glance(1)),
      Level(.glance(2), in: 25, sees: .glance(1)),
      Level(.glance(3), in: 70, sees: .glance(2)),
      Level(.glance(3), in: 10, sees: .glance(2)),
      Level(.glance(4), in: 30, sees: .glance(3)),
      Level(.prove(1), in: 65, sees: .glance(4)),
      Level(.prove(1), in: 30, sees: .glance(4)),
      Level(.prove(1)),
    ],
    ConnectFour.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(2), in: 60, sees: .glance(1)),
      Level(.glance(2), in: 15, sees: .glance(1)),
      Level(.glance(4), in: 50, sees: .glance(2)),
      Level(.look(2), in: 40, sees: .glance(3)),
      Level(.look(4), in: 50, sees: .look(2)),
      Level(.look(6), in: 60, sees: .look(4)),
      Level(.look(8), in: 60, sees: .look(6)),
      Level(.prove(5_000_000), in: 50, sees: .look(6)),
      Level(.prove(5_000_000)),
    ],
    KInARow.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(2), in: 60, sees: .glance(1)),
      Level(.glance(2), in: 10, sees: .glance(1)),
      Level(.look(1), in: 75, sees: .glance(2)),
      Level(.look(1), in: 52, sees: .glance(2)),
      Level(.look(1), in: 34, sees: .glance(2)),
      Level(.look(1), in: 20, sees: .glance(2)),
      Level(.look(1), in: 8, sees: .glance(2)),
      Level(.look(2), in: 40, sees: .look(1)),
      Level(.look(4)),
    ],
    Gomoku.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(2), in: 70, sees: .glance(1)),
      Level(.glance(2), in: 15, sees: .glance(1)),
      Level(.look(1), in: 75, sees: .glance(2)),
      Level(.look(1), in: 52, sees: .glance(2)),
      Level(.look(1), in: 34, sees: .glance(2)),
      Level(.look(1), in: 20, sees: .glance(2)),
      Level(.look(1), in: 8, sees: .glance(2)),
      Level(.look(2), in: 40, sees: .look(1)),
      Level(.look(4)),
    ],
    UltimateTicTacToe.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(1), in: 10, sees: .glance(0)),
      Level(.glance(2), in: 20, sees: .glance(1)),
      Level(.look(2), in: 50, sees: .glance(2)),
      Level(.look(3), in: 50, sees: .look(2)),
      Level(.look(4), in: 50, sees: .look(3)),
      Level(.look(5), in: 60, sees: .look(4)),
      Level(.sample(2_500)),
      Level(.sample(7_000)),
      Level(.sample(20_000)),
    ],
    Othello.name: [
      Level(.glance(1), in: 60, sees: .glance(0)),
      Level(.glance(2), in: 60, sees: .glance(1)),
      Level(.glance(2), in: 5, sees: .glance(1)),
      Level(.glance(3), in: 20, sees: .glance(2)),
      Level(.look(1), in: 30, sees: .glance(2)),
      Level(.look(2), in: 30, sees: .look(1)),
      Level(.look(3), in: 30, sees: .look(2)),
      Level(.look(4), in: 30, sees: .look(3)),
      Level(.look(5), in: 30, sees: .look(4)),
      Level(.look(6)),
    ],
  ]
}
