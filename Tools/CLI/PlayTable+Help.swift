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
      words.append(("arrow keys, or a mouse", "choose a square; Enter, or a second click, plays there"))
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
      ("undo", "take back your last move; the other side must agree"), ("resign", "give up"),
      ("quit", "stop here; \(resuming)"), ("say TEXT", "chat"), ("board", "show the position again"),
    ]
    if table.isShared {
      words += [("agree, decline", "answer a take-back"), ("leave", "end the game; it is lost")]
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
