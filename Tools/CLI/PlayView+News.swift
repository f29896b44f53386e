import Events
import Peer
import Rules
import Service
import Terminal

// What happens at a game besides moves: how a table differs from the one that was told before.

extension PlayView {
  /// What was said, asked and taken back since the last call.
  mutating func tellNews(_ table: TableView) throws {
    try chat.tell(table, isShared: table.isShared, context)
    try tellUndo(table)
    try tellDraws(table)
    try tellClaims(table)
    try tellDropOuts(table)
    try tellConnections(table)
  }

  /// Tells who went out of a game of more than two seats.
  private func tellDropOuts(_ table: TableView) throws {
    for (index, place) in table.seats.enumerated() where place.isOut {
      if let told, told.number == table.number, told.seats.indices.contains(index), told.seats[index].isOut {
        continue
      }
      if context.isJSON {
        try object("out", table, [JSONMember("seat", .integer(Int64(index + 1)))])
      } else {
        let who = place.presence == .own ? "You are" : "\(table.names[index]) is"
        try context.console.line("\(who) out of this game; the others go on.")
      }
    }
  }

  /// An object about the room.
  private func object(_ type: String, _ table: TableView, _ members: [JSONMember] = []) throws {
    try context.object(type, [JSONMember("room", .string(table.room.description))] + members)
  }

  private func tellUndo(_ table: TableView) throws {
    if let told, told.number == table.number, table.plies.count < told.plies.count, !context.isJSON {
      let moves = Room.count(told.plies.count - table.plies.count, "move")
      let isOwn = table.seat != nil && (told.undo == nil || told.undo?.seat == table.seat)
      try context.console.line(isOwn ? "You took back \(moves)." : "\(moves) taken back.")
    }
    guard let request = table.undo, request.event != told?.undo?.event, request.seat != table.seat else {
      return
    }
    if context.isJSON {
      return try object(
        "undo-request", table,
        [JSONMember("seat", Self.number(request.seat)), JSONMember("ply", .integer(Int64(request.ply)))])
    }
    let moves = Room.count(table.plies.count - request.ply, "move")
    let answer = table.may.contains(.agreeToUndo) ? ": type `agree` or `decline`, or play on." : "."
    try context.console.line("\(table.name(of: request.seat)) asks to take back \(moves)\(answer)")
  }

  private mutating func tellDraws(_ table: TableView) throws {
    for offer in table.draws where offer.seat != table.seat && told?.draws.contains(offer) != true {
      if context.isJSON {
        try object("draw-offer", table, [JSONMember("seat", Self.number(offer.seat))])
      } else {
        let answer = table.may.contains(.agreeToDraw) ? ": type `draw` to agree, `decline`, or play on." : "."
        try context.console.line("\(table.name(of: offer.seat)) offers a draw\(answer)")
      }
    }
    if table.draws.contains(where: { $0.seat == table.seat }) { return noteOffer(table) }
    guard let offered else { return }
    self.offered = nil
    // A move of the other side lets an offer lapse; who declines has made none.
    guard table.isOn, table.number == offered.game,
      table.plies.dropFirst(offered.plies).allSatisfy({ $0.seat == table.seat })
    else { return }
    if context.isJSON { return try object("draw-declined", table) }
    try context.console.line("The draw is declined.")
  }

  /// Notes that this seat offers a draw: the answer may come before a table is seen on which the offer stands.
  mutating func noteOffer(_ table: TableView) { offered = (table.number, table.plies.count) }

  private func tellClaims(_ table: TableView) throws {
    for claim in table.claims where told?.claims.contains(claim) != true {
      if context.isJSON {
        try object(
          "claim", table,
          [
            JSONMember("seat", Self.number(claim.seat)), JSONMember("against", Self.number(claim.against)),
          ])
        continue
      }
      let claimant = claim.seat == table.seat ? "You claim" : "\(table.name(of: claim.seat)) claims"
      let silent =
        claim.against == table.seat ? "your time is up" : "the time of \(table.name(of: claim.against)) is up"
      try context.console.line(
        "\(claimant) that \(silent): the referee rules by its own clock. A move that reaches it before counts."
      )
    }
  }

  /// Tells a player what became of the others' connections. Who was never connected here plays through others.
  private mutating func tellConnections(_ table: TableView) throws {
    guard table.seat != nil else { return }
    for (index, place) in table.seats.enumerated() {
      guard let peer = place.peer, place.isElsewhere else { continue }
      let isConnected = place.presence == .connected
      if isConnected {
        connected.insert(peer)
        guard gone.remove(peer) != nil else { continue }
      } else {
        guard connected.remove(peer) != nil else { continue }
        gone.insert(peer)
      }
      if context.isJSON {
        try object(
          "connection", table,
          [
            JSONMember("seat", .integer(Int64(index + 1))), JSONMember("peer", .string(peer.description)),
            JSONMember("connected", .bool(isConnected)),
          ])
        continue
      }
      let name = table.names[index]
      try context.console.line(
        isConnected
          ? "\(name) is back." : "The connection with \(name) is lost: the game waits for its return.")
    }
  }

  /// Tells what is left of the seats' time.
  func tellClocks(_ table: TableView) throws {
    guard table.seats.contains(where: { $0.left != nil }) else { return }
    if context.isJSON {
      let left = table.seats.map { $0.left.map { JSONValue.integer(Int64($0)) } ?? .null }
      return try object("clocks", table, [JSONMember("left", .array(left))])
    }
    let words = zip(table.names, table.seats).compactMap { name, place in
      place.left.map { "\(place.presence == .own ? "You" : name) \(Terms.duration(UInt64(clamping: $0)))" }
    }
    try context.console.line("Time left: \(words.joined(separator: ", ")).")
  }

  /// Tells, once, of each seat whose time for what it owes is up.
  func tellTimeUp(_ table: TableView) throws {
    for (index, place) in table.seats.enumerated() where place.isTimeUp {
      if let told, told.plies == table.plies, told.seats.indices.contains(index), told.seats[index].isTimeUp {
        continue
      }
      if context.isJSON {
        try object("time-up", table, [JSONMember("seat", .integer(Int64(index + 1)))])
      } else if place.presence == .own {
        try context.console.line("Your time is up: the other side may claim that, and the referee rules.")
      } else {
        let claim = table.seat == nil ? "" : ": type `claim`, and the referee rules"
        try context.console.line("The time of \(table.names[index]) is up\(claim).")
      }
    }
  }
}

extension TableView.Place {
  /// Whether a step is owed, and no time is left for it.
  var isTimeUp: Bool { owes && left == 0 }
}
