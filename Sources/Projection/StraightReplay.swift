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
  private static let limitAuthors = 2 * Int(Create.limitPlayers)

  /// Whether all events so far were of a straight room.
  private var isStraight = true
  /// What happened before the start.
  private var projection: RoomProjection
  /// The line of play from the start on.
  private var line: Line?
  /// Where the feeds end.
  private var heads: FeedHeads
  /// The number of each seat's feed.
  private var feeds: [Int] = []
  /// The games whose results are signed, by seat: each up to how many.
  private var signed: [[Int]] = []

  /// A replay of a room that has only its `create` so far; `nil` for any other event.
  package init?(create view: borrowing EventView, catalog: GameCatalog) {
    guard let projection = RoomProjection(create: view.event, catalog: catalog),
      !projection.create.isTournament
    else { return nil }
    self.projection = projection
    heads = FeedHeads(first: view, limitFeeds: Self.limitAuthors)
  }

  /// Takes the next event; does nothing once one was not of a straight room.
  /// - Returns: whether all events so far were of one.
  @discardableResult
  package mutating func take(_ view: borrowing EventView) -> Bool {
    isStraight = isStraight && goesOn(with: view)
    return isStraight
  }

  private mutating func goesOn(with view: borrowing EventView) -> Bool {
    let standsAside = view.kind == .request || view.kind == .chat
    guard let feed = heads.follow(view, isLobby: line == nil, standsAside: standsAside) else { return false }
    guard line == nil else { return play(view, from: feed) }
    switch view.kind {
    case .request, .grant, .ready, .draw, .chat:
      projection.apply(view.event)
      return true
    case .start:
      projection.apply(view.event)
      return start()
    default: return false
    }
  }

  /// What is held of the room, as long as it is straight.
  package var clock: VectorClock { heads.clock }

  /// What the events amount to; `nil` when the room is not straight.
  package consuming func finish() -> RoomState? {
    guard isStraight else { return nil }
    if let line { projection.replaceLine(with: line) }
    return projection.state
  }

  /// Begins the line of play where the room's events say so.
  private mutating func start() -> Bool {
    guard var line = projection.startedLine else { return false }
    feeds = line.table.peers.compactMap(heads.feed)
    guard feeds.count == line.table.peers.count else { return false }
    signed = feeds.map { _ in [] }
    line.keepsNodes = false
    self.line = line
    return true
  }

  private mutating func play(_ view: borrowing EventView, from feed: Int) -> Bool {
    guard view.kind == .move else { return sign(view, from: feed) }
    return line?.play(view, from: feed, of: feeds) ?? false
  }

  /// Notes a seat's result when it is the game's; once every seat has signed it, it is agreed.
  private mutating func sign(_ view: borrowing EventView, from feed: Int) -> Bool {
    guard case .result(let number, let ending, let scores) = view.action, case let game = Int(number),
      let seat = feeds.firstIndex(of: feed), let record = line?.games, record.indices.contains(game),
      let held = record[game].ending, held.node == ending, held.outcome?.scores == scores
    else { return false }
    signed[seat].append(game)
    if signed.allSatisfy({ $0.contains(game) }) { line?.agree(through: game) }
    return true
  }
}

extension Line {
  /// Goes on with a move that is the only step on the tip.
  /// - Parameters:
  ///   - feed: the number of the feed that the move is in.
  ///   - feeds: the number of each seat's.
  /// - Returns: `false`, and nothing changed, when the move is none that the rules allow here.
  fileprivate mutating func play(
    _ view: borrowing EventView, from feed: Int, of feeds: borrowing [Int]
  ) -> Bool {
    guard !isOver, let move = view.move(on: tip, game: number, ply: ply), case .seat(let seat) = turn,
      feeds[seat.index] == feed
    else { return false }
    return take(MoveCode(move.code), by: seat, move.note, as: view.id)
  }
}
