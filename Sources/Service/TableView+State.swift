package import Events
package import Peer
package import Projection
package import Rules

// How a table is made of a room's state.

extension TableView {
  /// The table of a room, as one peer sees it.
  /// - Parameters:
  ///   - here: whose keys this process has.
  ///   - connected: with whom this peer is connected.
  ///   - absent: who was connected before, and until when, in milliseconds since 1970.
  ///   - declined: who does not come, of those that are invited.
  ///   - rematch: the next game that somebody wants.
  ///   - clocks: this peer's clocks, where it keeps some, and `now` what they show, in milliseconds.
  ///   - code: of a room of hosted rounds, for its host: the join code.
  ///   - elapsed: the same, how long the round that is on has been open, in milliseconds.
  package init(
    _ state: RoomState, for peer: PeerID, games catalog: GameCatalog, here: Set<PeerID> = [],
    connected: Set<PeerID> = [], absent: [PeerID: UInt64] = [:], declined: Set<PeerID> = [],
    rematch: Rematch? = nil, clocks: SeatClocks? = nil, atMilliseconds now: UInt64 = 0,
    code: String? = nil, elapsed: UInt64? = nil, told: (solution: [UInt8], isBound: Bool)? = nil
  ) {
    self.init()
    self.peer = peer
    seat = state.seat(of: peer)
    hasAsked = state.openRequests.contains { $0.peer == peer }
    set(state.create, catalog)
    room = state.room
    creator = Person(peer: state.creator, name: state.create.profile.name)
    invited = state.invited.map { Invited(peer: $0, hasDeclined: declined.contains($0)) }
    self.rematch = rematch
    referee = state.referee
    set(state.phase, state)
    if let hosted = state.hosted {
      self.hosted = HostedView(
        hosted, state.create, by: state.creator, for: peer, connected: connected, code: code,
        elapsed: elapsed,
        told: told)
      chat = state.chat.map { ChatLine(event: $0.event, peer: $0.author, text: $0.text) }
      return
    }
    seats = state.seats.map { Place($0) }
    for (index, place) in seats.enumerated() {
      let seat = Seat(UInt16(clamping: index))
      seats[index].owes = state.owes(seat)
      seats[index].isOut = seats.count > 2 && state.currentGame.map { !$0.isPlaying(seat) } ?? false
      seats[index].left = clocks?.left(of: seat, at: now).map { Int(clamping: $0) }
      guard let holder = place.peer else { continue }
      seats[index].presence =
        holder == peer
        ? .own : here.contains(holder) ? .here : connected.contains(holder) ? .connected : .away
      guard seats[index].presence == .away else { continue }
      seats[index].awaySince = absent[holder].map { Int(min($0, UInt64(JSONFields.limitNumber))) }
    }
    isRefereeAwaited =
      state.refereeOwes
      && referee.map { $0 != peer && !here.contains($0) && !connected.contains($0) } ?? false
    count(state.games)
    if let game = state.currentGame { set(game) }
    isDrawn = state.create.starter == .jointDraw
    allowsDraws = state.allowsDraws
    if state.seatToChoose(of: peer) != nil, let seat, let position = state.position {
      moves = position.legalMoves(of: seat).map { Move(code: Int($0.rawValue), text: position.text(of: $0)) }
    }
    may = TableAct.Kind.allCases.filter { state.refusal(of: $0, by: peer) == nil }
    undo = state.undoRequest.map { UndoRequest(event: $0.id, seat: $0.seat, ply: $0.ply) }
    draws = state.drawOffers.map { DrawOffer(event: $0.id, seat: $0.seat) }
    claims = state.claims.map { Claim(event: $0.id, seat: $0.claimant, against: $0.silent) }
    chat = state.chat.map { ChatLine(event: $0.event, peer: $0.author, text: $0.text) }
  }

  /// The same table at the end of an earlier game of the series, where nothing can be done any more.
  /// - Parameter number: the game's, from 1.
  package func atEnd(ofGame number: Int, _ state: RoomState) -> TableView {
    var table = self
    (table.turn, table.isRound, table.choosing) = (nil, false, [])
    (table.moves, table.may, table.undo, table.draws, table.claims) = ([], [], nil, [], [])
    table.isRefereeAwaited = false
    table.count(state.games.prefix(number))
    table.set(state.games[number - 1])
    return table
  }

  private mutating func set(_ create: Create, _ catalog: GameCatalog) {
    edition = Int(create.edition)
    game = create.rules
    version = Int(create.rulesVersion)
    title =
      catalog.definition(create.rules, version: create.rulesVersion)?.title
      ?? catalog.hosted(create.rules, version: create.rulesVersion)?.title
    settings =
      Parameters(encoded: create.parameters)?.entries.map { Setting(name: $0.name, value: $0.value) } ?? []
    scope =
      switch create.scope {
      case .local: "local"
      case .invited: "invited"
      case .open: "public"
      }
    rematchOf = create.rematchOf.isSome ? create.rematchOf : nil
    branchOf = create.branchOf.map { Branch(room: $0.room, game: Int($0.game) + 1, ply: Int($0.ply)) }
    moveLimit = Int(create.moveLimitMilliseconds)
    clock = Int(create.clockMilliseconds)
    increment = Int(create.incrementMilliseconds)
    hasOpenRounds = create.hasOpenRounds
    games = Int(create.games)
    target = Int(clamping: create.target)
  }

  private mutating func set(_ phase: RoomState.Phase, _ state: RoomState) {
    self.phase = Phase(phase)
    leaver =
      switch phase {
      case .abandoned(let seat): state.seats[seat.index]?.peer
      case .closed(let peer): peer
      default: nil
      }
  }

  /// Says what the seats have won in some games of the series.
  private mutating func count(_ games: some Sequence<GameRecord>) {
    for seat in seats.indices { (seats[seat].wins, seats[seat].score) = (0, 0) }
    for outcome in games.lazy.compactMap({ $0.ending?.outcome }) {
      for (seat, score) in outcome.scores.enumerated() where seats.indices.contains(seat) {
        seats[seat].score += Int(score)
        if outcome.winner?.index == seat { seats[seat].wins += 1 }
      }
    }
  }

  private mutating func set(_ game: GameRecord) {
    let view = game.state.view(for: seat)
    number = game.number + 1
    first = game.first
    switch view.turn {
    case .seat(let mover): turn = mover
    case .round: (isRound, choosing) = (true, Array(game.choosing))
    case .over: break
    }
    position = Position(view, after: game.plies.last)
    plies = game.plies.map { ply in
      Ply(
        event: ply.node, seat: ply.seat, moves: ply.texts(in: view),
        note: ply.note.map {
          Note(
            value: Int($0.value), isProven: $0.isProven,
            nodes: Int(min($0.nodes, UInt64(JSONFields.limitNumber))))
        })
    }
    opening = game.opening
    ending = Ending(game)
  }
}

extension TableView.Phase {
  /// Where a room stands.
  package init(_ phase: RoomState.Phase) {
    self =
      switch phase {
      case .waiting: .waiting
      case .playing: .playing
      case .finished: .finished
      case .abandoned: .abandoned
      case .closed: .closed
      case .unknownRules: .unknownRules
      case .unknownEdition: .unknownEdition
      }
  }
}

extension TableView.Place {
  fileprivate init(_ occupant: RoomState.Occupant?) {
    guard let occupant else { return }
    peer = occupant.peer
    name = occupant.profile.name
    emoji = occupant.profile.emoji
    bot = occupant.profile.bot?.specification
  }
}

extension TableView.Ending {
  /// How a game ended; `nil` while it is on.
  package init?(_ game: GameRecord) {
    guard let ending = game.ending else { return nil }
    scores = ending.outcome?.scores.map { Int($0) }
    winner = ending.outcome?.winner
    isAgreed = game.isAgreed
    (cause, seat) =
      switch ending.cause {
      case .rules: (.rules, nil)
      case .resigned(let seat): (.resigned, seat)
      case .left(let seat): (.left, seat)
      case .ruled(let seat): (.ruled, seat)
      case .offence(let seat): (.offence, seat)
      case .forked(let seat): (.forked, seat)
      case .drawAgreed: (.drawAgreed, nil)
      }
  }
}

extension TableView.Position {
  /// What somebody may see of a game, with its last ply marked.
  init(_ view: any GameView, after last: GameRecord.Ply?) {
    let code = last.flatMap { $0.seat == nil ? nil : $0.codes.first }
    self.init(code.map { view.diagram(after: $0) } ?? view.diagram)
  }

  /// A picture, as tables have it.
  package init(_ diagram: Diagram) {
    board = diagram.board.map { row in
      row.map { cell in
        switch cell {
        case .empty: .init()
        case .playable(let text): .init(text: text)
        case .piece(let seat): .init(seat: seat)
        case .marked(let seat): .init(seat: seat, isMarked: true)
        case .face(let text, let emoji, let isMarked): .init(isMarked: isMarked, text: text, face: emoji)
        }
      }
    }
    labels = diagram.columnLabels
    rowLabels = diagram.rowLabels
    sides = diagram.sides
    lines = diagram.lines.map { line in
      line.parts.map { part in
        switch part {
        case .text(let text): .init(text: text)
        case .seat(let seat): .init(seat: seat)
        }
      }
    }
  }

  /// The picture, for a display.
  package var diagram: Diagram {
    Diagram(
      board: board.map { row in
        row.map { cell in
          if let seat = cell.seat { return cell.isMarked ? .marked(seat) : .piece(seat) }
          if !cell.face.isEmpty {
            return .face(text: cell.text, emoji: cell.face, isMarked: cell.isMarked)
          }
          return cell.text.isEmpty ? .empty : .playable(cell.text)
        }
      }, columnLabels: labels, rowLabels: rowLabels, sides: sides,
      lines: lines.map { parts in
        var line = Diagram.Line(stringLiteral: "")
        line.parts = parts.map { part in part.seat.map { .seat($0) } ?? .text(part.text) }
        return line
      })
  }
}
