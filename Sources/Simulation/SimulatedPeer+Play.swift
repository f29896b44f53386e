import BotKit
import EventLog
import Events
import Gossip
import Peer
import Projection
import Rules

/// Honest play: everything that a peer owes, and now and then what its person likes.
extension SimulatedPeer {
  /// The most events that one look at a room may owe.
  private static let limitDuties = 64

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
    if before.hosted != nil {
      try keepRounds(in: table, face: face, time: time)
      return faces[face].state(of: table.room) ?? before
    }
    var written = 0
    while try faces[face].doDuties(in: table.room, table.conduct) {
      written += 1
      guard written < Self.limitDuties else {
        throw .unplayable("what is owed is owed again and again: it has no effect")
      }
    }
    let state = faces[face].state(of: table.room) ?? before
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
    if let hosted = state.hosted {
      return try amuse(in: table, face: face, state, hosted, time: time, isClosing: isClosing)
    }
    if let act = timekeeper.look(at: state, at: tick(time).milliseconds),
      try faces[face].perform(act, in: table.room)
    {
      return
    }
    if !isClosing, random.perMille(40) {
      try faces[face].perform(.say("\(number) \(random.below(1_000_000))"), in: table.room)
    }
    guard let seat = state.seat(of: id), state.turn != nil else {
      if !isClosing, state.phase == .waiting, random.perMille(5) {
        // Also somebody who has asked for nothing.
        _ = try faces[face].write(.leave(node: .none), in: table.room)
      }
      return
    }
    if state.drawOffers.contains(where: { $0.seat != seat }), isClosing || random.oneIn(2) {
      return try faces[face].perform(random.oneIn(2) ? .agreeToDraw : .declineDraw, in: table.room)
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
      try faces[face].perform(.resign, in: room)
    } else if whim < 20 {
      try faces[face].perform(.leave, in: room)
    } else if whim < 30, state.allowsDraws, !state.drawOffers.contains(where: { $0.seat == seat }) {
      try faces[face].perform(.offerDraw, in: room)
    } else if whim < 60, state.create.allowsUndo, case .seat = state.turn,
      game.plies.dropFirst(game.opening).contains(where: { $0.seat == seat })
    {
      try faces[face].perform(.requestUndo, in: room)
    } else if let code = random.pick(game.state.legalMoves(of: seat)) {
      try faces[face].choose(code, in: room)
    }
  }
}
