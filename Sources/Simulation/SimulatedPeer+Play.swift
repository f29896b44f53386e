import BotKit
import EventLog
import Events
import Peer
import Projection
import Rules

/// Honest play: everything that a peer owes, and now and then what its person likes.
extension SimulatedPeer {
  /// The most events that one look at a room may owe.
  private static let limitDuties = 64
  /// How long somebody waits before calling a seat silent, and a referee before believing it, in milliseconds.
  private static let patience: UInt64 = 4_000

  /// Looks at a room in which something has happened, and does what is owed.
  /// - Returns: what the room amounts to then; `nil` while its `create` is not here.
  mutating func look(at number: Int, face: Int, time: UInt64) throws(PeerError) -> RoomState? {
    guard let table = tables[number] else { return nil }
    tables[number]?.isStirred = false
    guard let before = faces[face].state(of: table.room) else { return nil }
    guard isRecovered else {
      tables[number]?.isStirred = true
      return before
    }
    var written = 0
    while try faces[face].doDuties(in: table.room, table.conduct) {
      written += 1
      guard written < Self.limitDuties else {
        throw .unplayable("what is owed is owed again and again: it has no effect")
      }
    }
    let state = faces[face].state(of: table.room) ?? before
    if state.create.referee == id { readClaims(in: number, face: face, time: time) }
    if state.tip != table.tip {
      tables[number]?.tip = state.tip
      tables[number]?.tipSince = time
    }
    let isOwnTurn = state.seatToChoose(of: id) != nil
    tables[number]?.isOwnTurn = isOwnTurn
    return state
  }

  /// Does something of its person's choice, or nothing.
  /// - Parameter isClosing: whether only what brings games to their ends is wanted.
  mutating func amuse(in number: Int, face: Int, time: UInt64, isClosing: Bool) throws(PeerError) {
    guard let table = tables[number], isRecovered, let state = faces[face].state(of: table.room) else {
      return
    }
    guard try !rule(in: number, face: face, state, time: time) else { return }
    if !isClosing, random.perMille(40) {
      try faces[face].say("\(number) \(random.below(1_000_000))", in: table.room)
    }
    guard let seat = state.seat(of: id), state.turn != nil else {
      if !isClosing, state.phase == .waiting, random.perMille(5) { try faces[face].leave(table.room) }
      return
    }
    if let other = silentSeat(in: state, besides: seat), state.create.referee.isSome,
      table.claimedAt != state.tip, time > table.tipSince + Self.patience
    {
      tables[number]?.claimedAt = state.tip
      _ = try faces[face].write(.claim(node: state.tip, seat: other.rawValue), in: table.room)
      return
    }
    guard table.isOwnTurn, state.seatToChoose(of: id) == seat else { return }
    try choose(in: table.room, face: face, seat, state, isClosing: isClosing)
  }

  /// What somebody whose turn it is may do: mostly a move.
  private mutating func choose(
    in room: RoomID, face: Int, _ seat: Seat, _ state: RoomState, isClosing: Bool
  ) throws(PeerError) {
    guard let game = state.currentGame else { return }
    let whim = isClosing ? 1000 : random.below(1000)
    if whim < 15 {
      try faces[face].resign(in: room)
    } else if whim < 20 {
      try faces[face].leave(room)
    } else if whim < 60, state.create.allowsUndo, case .seat = state.turn,
      game.plies.contains(where: { $0.seat == seat })
    {
      try faces[face].requestUndo(in: room)
    } else if let code = random.pick(game.state.legalMoves(of: seat)) {
      try faces[face].choose(code, in: room)
    }
  }

  private func silentSeat(in state: RoomState, besides own: Seat) -> Seat? {
    state.seats.indices.map { Seat(UInt16(truncatingIfNeeded: $0)) }.first { $0 != own && state.owes($0) }
  }

  // MARK: - Refereeing

  private mutating func readClaims(in number: Int, face: Int, time: UInt64) {
    guard let table = tables[number] else { return }
    var claims: [Table.OpenClaim] = []
    let count = faces[face].withLog(of: table.room) { log in
      for entry in log.entries[min(table.searched, log.entries.count)...] {
        guard case .claim(let node, let seat) = entry.event.action else { continue }
        claims.append(.init(claim: entry.event.id, node: node, seat: Seat(seat), since: time))
      }
      return log.entries.count
    }
    tables[number]?.searched = count ?? 0
    tables[number]?.claims += claims
  }

  /// Rules on a claim that has waited and is still true.
  /// - Returns: whether there was one; the state that was read is of the past then.
  private mutating func rule(
    in number: Int, face: Int, _ state: RoomState, time: UInt64
  ) throws(PeerError) -> Bool {
    guard let table = tables[number], !table.claims.isEmpty else { return false }
    let due = table.claims.first {
      time > $0.since + Self.patience && $0.node == state.tip && state.owes($0.seat)
    }
    tables[number]?.claims.removeAll { $0.node != state.tip || $0.claim == due?.claim }
    guard let due else { return false }
    _ = try faces[face].write(.ruling(claim: due.claim), in: table.room, citing: [due.claim])
    return true
  }
}
