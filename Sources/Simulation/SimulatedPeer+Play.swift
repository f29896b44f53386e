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

  // MARK: - Tables

  /// Whether it has something to do in a room.
  func hasTable(_ number: Int) -> Bool { tables.indices.contains(number) && tables[number] != nil }

  /// The rooms in which it has something to do.
  var tableNumbers: [Int] { tables.indices.filter { tables[$0] != nil } }

  /// Has a room looked at, where it has something to do.
  mutating func stir(_ number: Int) { if hasTable(number) { tables[number]?.isStirred = true } }

  /// Has rooms looked at whose rounds have their time.
  mutating func stirHosted(of face: Int, at time: UInt64) {
    for room in faces[face].hosting.takeRooms(dueAt: clock.tick(time).milliseconds) {
      if let number = tables.firstIndex(where: { $0?.room == room }) { stir(number) }
    }
  }

  /// Has something to do in a room: it asks for a seat where it is meant to.
  mutating func sit(in room: RoomID, _ plan: RoomPlan) {
    let wants = plan.joiners.contains(number) && plan.mayJoin(id)
    var guests: [PeerID: UInt16]?
    if case .pairing(_, _, _, _, let seats) = plan.game {
      guests = [:]
      for (seat, guest) in seats.enumerated() { guests?[guest] = UInt16(seat) }
    }
    let conduct = PeerCore.Conduct(
      profile: Profile(name: "peer \(number)"), wantedSeat: wants ? Create.noSeat : nil, guests: guests,
      signsEachGame: random.oneIn(2), acceptsUndo: random.oneIn(2))
    while tables.count <= plan.number { tables.append(nil) }
    tables[plan.number] = Table(room: room, conduct: conduct)
  }

  /// The start at which it has made a step: its table from then on, whatever else the creator starts.
  func ownStart(in state: RoomState) -> EventID? {
    guard state.seat(of: id) != nil, let start = state.start else { return nil }
    let hasPlayed = faces[0].withLog(of: state.room) { log in
      (log.feed(id)?.positions ?? []).contains { position in
        switch log.graph.events[position].action {
        case .move, .commit: true
        default: false
        }
      }
    }
    return hasPlayed == true ? start : nil
  }

  // MARK: - Playing

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
    if let act = timekeeper.look(at: state, at: clock.tick(time).milliseconds),
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
