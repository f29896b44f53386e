import Games
import Rules

/// Which emoji or letter stands for each seat, by game; the one place that says so.
enum Pieces {
  /// The pieces of a game, by seat; none where letters do.
  ///
  /// - Parameters:
  ///   - diagram: the position, which may say who has the black pieces.
  ///   - wanted: the emoji that each seat's player asked for, empty for none.
  static func of(_ game: String, _ diagram: Diagram, wanted: [String]) -> [String] {
    switch game {
    case TicTacToe.name: EmojiTeam.pieces(wanted: wanted)
    case ConnectFour.name, KInARow.name: discs(["🔴", "🟡"], diagram, wanted: wanted)
    // Nine boards have no room for emoji, and who has which letter is to be read.
    case UltimateTicTacToe.name: ["X", "O"]
    case Othello.name, Gomoku.name: discs(["⚫", "⚪"], diagram, wanted: wanted)
    default: []
    }
  }

  /// These discs, unless a player asked for an emoji.
  private static func discs(_ standard: [String], _ diagram: Diagram, wanted: [String]) -> [String] {
    let pieces = EmojiTeam.pieces(wanted: wanted)
    return zip(standard.indices, wanted.indices).map { index, seat in
      let side = diagram.side(of: Seat(UInt16(clamping: index)))
      return EmojiTeam.emoji(wish: wanted[seat]) == nil ? standard[side % standard.count] : pieces[seat]
    }
  }
}
