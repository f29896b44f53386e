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
    try tellDraws(state)
    try tellClaims(state)
  }

  private mutating func tellDraws(_ state: RoomState) throws {
    let own = state.seat(of: owner)
    let before = drawOffers
    drawOffers = state.drawOffers
    for offer in drawOffers where offer.seat != own && !before.contains(offer) {
      if context.isJSON {
        try context.object(
          "draw-offer", ["room": .string(state.room.description), "seat": Self.number(offer.seat)])
      } else {
        try context.console.line(
          "\(state.name(of: offer.seat)) offers a draw: type `draw` to agree, `decline`, or play on.")
      }
    }
    // A move of the other side lets an offer lapse; who declines has made none.
    guard let offer = before.first(where: { $0.seat == own }), !drawOffers.contains(offer), state.turn != nil,
      state.currentGame?.plies.last?.seat == own || state.plyCount == 0 || offerPlies == state.plyCount
    else { return noteOwnOffer(state, own) }
    noteOwnOffer(state, own)
    if context.isJSON {
      return try context.object("draw-declined", ["room": .string(state.room.description)])
    }
    try context.console.line("The draw is declined.")
  }

  private mutating func noteOwnOffer(_ state: RoomState, _ own: Seat?) {
    if drawOffers.contains(where: { $0.seat == own }) {
      offerPlies = offerPlies ?? state.plyCount
    } else {
      offerPlies = nil
    }
  }

  private mutating func tellClaims(_ state: RoomState) throws {
    for claim in state.claims where claims.insert(claim.id).inserted {
      if context.isJSON {
        try context.object(
          "claim",
          [
            "room": .string(state.room.description), "seat": Self.number(claim.claimant),
            "against": Self.number(claim.silent),
          ])
        continue
      }
      let own = state.seat(of: owner)
      let claimant = claim.claimant == own ? "You claim" : "\(state.name(of: claim.claimant)) claims"
      let silent =
        claim.silent == own ? "your time is up" : "the time of \(state.name(of: claim.silent)) is up"
      try context.console.line(
        "\(claimant) that \(silent): the referee rules by its own clock. A move that reaches it before counts."
      )
    }
  }

  /// Tells what is left of the seats' time.
  func tell(_ clocks: SeatClocks, _ state: RoomState, atMilliseconds now: UInt64) throws {
    let seats = state.seats.indices.map { Seat(UInt16(truncatingIfNeeded: $0)) }
    let left = seats.map { clocks.left(of: $0, at: now) }
    if context.isJSON {
      return try context.object(
        "clocks",
        [
          "room": .string(state.room.description),
          "left": .array(left.map { left in left.map { .integer(Int64(clamping: $0)) } ?? .null }),
        ])
    }
    let words = zip(seats, left).compactMap { seat, left in
      left.map { "\(seat == state.seat(of: owner) ? "You" : state.name(of: seat)) \(Create.duration($0))" }
    }
    if !words.isEmpty { try context.console.line("Time left: \(words.joined(separator: ", ")).") }
  }

  /// Tells, once, of each seat whose time for what it owes is up.
  mutating func tellTimeUp(_ clocks: SeatClocks, _ state: RoomState, atMilliseconds now: UInt64) throws {
    let own = state.seat(of: owner)
    for seat in state.owing where timeUp[seat] != state.tip {
      guard let due = clocks.due(of: seat), due <= now else { continue }
      timeUp[seat] = state.tip
      if context.isJSON {
        try context.object("time-up", ["room": .string(state.room.description), "seat": Self.number(seat)])
      } else if seat == own {
        try context.console.line("Your time is up: the other side may claim that, and the referee rules.")
      } else {
        let claim = own == nil ? "" : ": type `claim`, and the referee rules"
        try context.console.line("The time of \(state.name(of: seat)) is up\(claim).")
      }
    }
  }

  /// Whoever comes has heard nothing yet: what was said before that is in the log, and what is said while a game waits
  /// for others is told with its start.
  mutating func beginHearing(_ state: RoomState) {
    if heard == nil { heard = Set(state.chat.map(\.event)) }
  }

  private mutating func tellChat(_ state: RoomState) throws {
    beginHearing(state)
    guard var heard else { return }
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
