import Peer
import Service
import Terminal

// What can be typed at a table.

extension PlayTable {
  /// Help, a line for each word; on a screen without the columns that it has no room for.
  func helpLines(_ table: TableView) -> [String] {
    let isOnScreen = view.screen != nil
    var words = Self.words(table, resuming: context.console.pasteable("`parlor \(game.resuming)` goes on"))
    if isOnScreen {
      if !table.position.board.isEmpty {
        words.append(("arrow keys, or a mouse", "choose a square; Enter, or a second click, plays there"))
      }
      words.append(("Tab, Ctrl-P, Page Up", "complete a word, the line before, earlier news"))
    }
    let lines = words.map { word, effect in
      isOnScreen
        ? "\(context.console.output.drawing.paint(word, .cyan)): \(effect)"
        : "  " + DisplayWidth.fit(word, columns: 16) + effect
    }
    return ["Type a move, or:"] + lines
  }

  private static func words(_ table: TableView, resuming: String) -> [(String, String)] {
    var words = [
      ("resign", "give up"), ("quit", "stop here; \(resuming)"), ("say TEXT", "chat"),
      ("board", "show the position again"),
    ]
    if table.mayTakeBack {
      words.insert(("undo", "take back your last move; the other side must agree"), at: 0)
      if table.isShared { words.append(("agree, decline", "answer a take-back")) }
    }
    if table.isShared {
      words.append(("leave", "end the game; it is lost"))
    } else {
      words.append(("hint", "what a bot would play"))
    }
    if table.may.contains(.start) {
      words.append(("start", "begin with those that sit, though seats are free"))
    }
    if table.allowsDraws {
      words.append(("draw", "offer a draw, or take the other side's; decline refuses it"))
    }
    if table.referee != nil, table.moveLimit + table.clock > 0 {
      words.append(("claim", "the other side's time is up: the referee rules"))
    }
    if table.isShared, table.referee == nil {
      words.append(("quit", "sets the game aside where the other side is silent: there is no referee"))
    }
    return words
  }
}

extension TableView {
  /// Whether moves are ever taken back here: what all chose at once, and what chance gave, is not.
  fileprivate var mayTakeBack: Bool { !isRound && plies.allSatisfy { $0.seat != nil } }
}
