package import Events
package import Rules

/// Replays a room without keeping its events, as long as each names the one before it and all they say is moves
/// and true results: the state is then the same as `RoomProjection` derives from the whole set.
///
/// That is how rooms are that were played at one table, and it is checked event by event. Where every event has
/// all earlier ones in its past, no two are concurrent and no feed is forked, so nothing is contested. The first
/// event that is not so ends the replay; then only the projection of all events says what the room amounts to.
package struct StraightReplay: ~Copyable {
  /// The most authors, who are looked through one by one; more are no matter of speed.
  private static let limitAuthors = 2 * Int(Create.limitSeats)

  /// Whether all events so far were of a straight room.
  package private(set) var isStraight = true
  /// What happened before the start.
  private var projection: RoomProjection
  /// The line of play from the start on.
  private var line: Line?
  /// The last event.
  private var last: EventID
  /// Each author's last event, in the order of their first ones.
  private var heads: [(author: PeerID, id: EventID, sequence: UInt64)]
  /// The games whose results are signed, by seat: each up to how many.
  private var signed: [[Int]] = []

  /// A replay of a room that has only its `create` so far; `nil` for any other event.
  package init?(create view: borrowing EventView, catalog: GameCatalog) {
    guard let projection = RoomProjection(create: view.event, catalog: catalog),
      !projection.create.isTournament
    else { return nil }
    self.projection = projection
    last = view.id
    heads = [(view.author, view.id, 1)]
  }

  /// Takes the next event; does nothing once one was not of a straight room.
  package mutating func take(_ view: borrowing EventView) { isStraight = isStraight && goesOn(with: view) }

  private mutating func goesOn(with view: borrowing EventView) -> Bool {
    guard view.follows(last), continuesFeed(view) else { return false }
    last = view.id
    guard line == nil else { return play(view) }
    switch view.header.kind {
    case .request, .grant, .ready, .draw, .chat:
      projection.apply(view.event)
      return true
    case .start:
      projection.apply(view.event)
      line = projection.startedLine
      line?.keepsNodes = false
      signed = line?.table.peers.map { _ in [] } ?? []
      return line != nil
    default: return false
    }
  }

  /// What the events amount to; `nil` when the room is not straight.
  package consuming func finish() -> RoomState? {
    guard isStraight else { return nil }
    if let line { projection.replaceLine(with: line) }
    return projection.state
  }

  /// Whether the event continues its author's feed where it ends.
  private mutating func continuesFeed(_ view: borrowing EventView) -> Bool {
    guard let at = heads.firstIndex(where: { $0.author == view.author }) else {
      guard view.header.sequence == 1, heads.count < Self.limitAuthors else { return false }
      heads.append((view.author, view.id, 1))
      return true
    }
    guard view.previous == heads[at].id, view.header.sequence == heads[at].sequence + 1 else {
      return false
    }
    heads[at].id = view.id
    heads[at].sequence += 1
    return true
  }

  private mutating func play(_ view: borrowing EventView) -> Bool {
    switch view.action {
    case .move(let step, let code, let note):
      return line?.play(
        step, MoveCode(code), note, by: view.author, as: view.id) ?? false
    case .result(let game, let ending, let scores):
      return sign(Int(game), ending, scores, by: view.author)
    default: return false
    }
  }

  /// Notes a seat's result when it is the game's; once every seat has signed it, it is agreed.
  private mutating func sign(
    _ game: Int, _ ending: EventID, _ scores: [Int32], by author: PeerID
  ) -> Bool {
    guard let seat = line?.table.seat(of: author), let record = line?.games, record.indices.contains(game),
      let held = record[game].ending, held.node == ending, held.outcome?.scores == scores
    else { return false }
    signed[seat.index].append(game)
    if signed.allSatisfy({ $0.contains(game) }) { line?.agree(through: game) }
    return true
  }
}

extension Line {
  /// Goes on with a move that is the only step on the tip.
  /// - Returns: `false`, and nothing changed, when the move is none that the rules allow here.
  fileprivate mutating func play(
    _ step: Action.Step, _ code: MoveCode, _ note: Action.Note?, by author: PeerID, as node: EventID
  ) -> Bool {
    guard !isOver, step.node == tip, isAt(step), case .seat(let seat) = turn,
      table.peers[seat.index] == author
    else { return false }
    return take(code, by: seat, note, as: node)
  }
}
