import Events
import Projection
import Rules
import Service
import Terminal

extension Room {
  /// How many openings are shown of a room that has more.
  private static let limitOpenings = 3

  /// From which positions the games of a room begin, as its creator says; empty where that is the start.
  func wordsForOpenings(of create: Create) -> String {
    if let branch = create.branchOf { return ", goes on from \(Self.words(for: branch))" }
    guard !create.openings.isEmpty else { return "" }
    let shown = create.openings.prefix(Self.limitOpenings).map { opening in
      opening.map { text(of: MoveCode(UInt32($0))) }.joined(separator: " ")
    }
    let rest = create.openings.count - shown.count
    let more = rest > 0 ? " and \(rest) more" : ""
    return ", \(rest + shown.count == 1 ? "opening" : "openings") \(shown.joined(separator: "; "))\(more)"
  }

  /// A position of another room's game.
  static func words(for branch: Create.Branch) -> String {
    words(forGame: Int(branch.game) + 1, after: Int(branch.ply), in: branch.room)
  }

  static func words(forGame game: Int, after plies: Int, in room: RoomID) -> String {
    "game \(game) of \(room.short) after \(count(plies, "move"))"
  }
}

extension Create {
  /// How rounds are played, where that is not in secret.
  var roundWords: String { hasOpenRounds ? ", rounds in the open" : "" }
}

extension TableView {
  /// The moves of the game's opening as text; empty without one.
  var openingText: String { plies.prefix(opening).flatMap(\.moves).joined(separator: " ") }

  /// The seat that makes the first move that nobody chose before the game; `nil` where nobody moves first.
  var firstMover: Seat? {
    opening == 0 ? first : plies.count > opening ? plies[opening].seat : turn
  }

  /// From which game of another room this one goes on, in words; empty for other rooms.
  var branchWords: String {
    branchOf.map { "It goes on from \(Room.words(forGame: $0.game, after: $0.ply, in: $0.room))." } ?? ""
  }
}
