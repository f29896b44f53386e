import Games

/// Which emoji stands for each seat, by game; the one place that says so.
enum Pieces {
  /// The pieces of a game, by seat; none where letters do.
  ///
  /// - Parameter wanted: the emoji that each seat's player asked for, empty for none.
  static func of(_ game: String, wanted: [String]) -> [String] {
    switch game {
    case TicTacToe.name: EmojiTeam.pieces(wanted: wanted)
    case ConnectFour.name, KInARow.name: discs(["🔴", "🟡"], wanted: wanted)
    case Othello.name, Gomoku.name: discs(["⚫", "⚪"], wanted: wanted)
    default: []
    }
  }

  /// These discs, unless a player asked for an emoji.
  private static func discs(_ standard: [String], wanted: [String]) -> [String] {
    let pieces = EmojiTeam.pieces(wanted: wanted)
    return zip(standard, wanted.indices).map { disc, seat in
      EmojiTeam.emoji(wish: wanted[seat]) == nil ? disc : pieces[seat]
    }
  }
}
