import Events
import Peer
import Projection
import Rules
import Service
import Terminal

// What happens at a game over the network besides moves.

extension PlayView {
  /// Where the game is to be found, while seats are free; once.
  mutating func tellSeats(_ state: RoomState) throws {
    guard !hasToldSeats else { return }
    hasToldSeats = true
    let code = GameCode.of(state.room)
    if context.isJSON {
      let rematch = state.create.rematchOf
      return try context.object(
        "room",
        [
          "room": .string(state.room.description), "code": .string(code), "game": .string(state.create.rules),
          "rematch-of": .optional(rematch.isSome ? rematch.description : nil),
        ])
    }
    let title = context.games.definition(state.create.rules, version: state.create.rulesVersion)?.title
    try context.console.paragraph("\(title ?? state.create.rules) — game \(state.room.short), code \(code)")
    if state.create.rematchOf.isSome {
      try context.console.line("Waiting for the others.")
    } else if state.creator == owner {
      try context.console.line("Waiting for somebody to join: `parlor join \(code)`, or `parlor lobby`.")
    } else {
      try context.console.line("Waiting for a seat.")
    }
  }

  /// What was said, asked and taken back since the last call.
  mutating func tellNews(_ state: RoomState) throws {
    guard isRemote else { return }
    try tellChat(state)
    try tellUndo(state)
  }

  private mutating func tellChat(_ state: RoomState) throws {
    // What was said before somebody came is in the log.
    guard var heard else { return heard = Set(state.chat.map(\.event)) }
    for line in state.chat where heard.insert(line.event).inserted {
      let name = state.name(of: line.author)
      if context.isJSON {
        try context.object(
          "chat",
          [
            "room": .string(state.room.description), "name": .string(name),
            "peer": .string(line.author.description), "text": .string(line.text),
          ])
      } else {
        try context.console.line("\(line.author == owner ? "You" : name): \(SafeText(line.text).text)")
      }
    }
    self.heard = heard
  }

  private mutating func tellUndo(_ state: RoomState) throws {
    let game = state.currentGame
    let count = game?.plies.count ?? 0
    if plies.game == game?.number, count < plies.count, !context.isJSON {
      try context.console.line("\(Room.count(plies.count - count, "move")) taken back.")
    }
    plies = (game?.number ?? 0, count)
    guard let request = state.undoRequest, request.id != undoRequest else { return }
    undoRequest = request.id
    guard request.seat != state.seat(of: owner) else { return }
    if context.isJSON {
      return try context.object(
        "undo-request",
        [
          "room": .string(state.room.description), "seat": .integer(Int64(request.seat.index + 1)),
          "ply": .integer(Int64(request.ply)),
        ])
    }
    let moves = Room.count(count - request.ply, "move")
    try context.console.line(
      "\(state.name(of: request.seat)) asks to take back \(moves): type `agree`, or play on.")
  }

  /// What became of another player's connection.
  func tell(_ change: OtherSeats.Change, _ state: RoomState) throws {
    let (seat, isConnected) =
      switch change {
      case .lost(let seat): (seat, false)
      case .back(let seat): (seat, true)
      }
    if context.isJSON {
      return try context.object(
        "connection",
        [
          "room": .string(state.room.description), "seat": .integer(Int64(seat.index + 1)),
          "peer": .optional(state.seats[seat.index]?.peer.description), "connected": .bool(isConnected),
        ])
    }
    let name = state.name(of: seat)
    try context.console.line(
      isConnected ? "\(name) is back." : "The connection with \(name) is lost: the game waits for its return."
    )
  }
}
