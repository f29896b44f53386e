package import Events
package import Rules

/// Replays a room without keeping its events, as long as each names the one before it and all they say is moves
/// and true results: the state is then the same as `RoomProjection` derives from the whole set.
///
/// That is how rooms are that were played at one table, and it is checked event by event. Where every event has
/// all earlier ones in its past, no two are concurrent and no feed is forked, so nothing is contested. The first
/// event that is not so ends the replay; then only the projection of all events says what the room amounts to.
///
/// From the start on events are known by their positions. The ids of nodes are in the state when the events are shown
/// all the way; without them they are zero.
package struct StraightReplay: ~Copyable {
  /// The most feeds; more are no matter of speed.
  private static let limitFeeds = 2 * Int(Create.limitPlayers)

  /// Whether all events so far were of a straight room.
  private var isStraight = true
  /// What happened before the start.
  private var projection: RoomProjection
  /// The line of play from the start on.
  private var line: Line?
  /// The position of the node that the next step stands on.
  private var tip = 0
  /// The positions of the events that ended games.
  private var endings: [Int] = []
  /// Where the feeds end.
  private var ends = FeedEnds()
  /// The last event of each feed that was shown.
  private var heads: [VectorClock.Entry]
  /// The number of each seat's feed.
  private var feeds: [Int] = []
  /// The games whose results are signed, by seat: each up to how many.
  private var signed: [[Int]] = []
  /// How many events were taken.
  package private(set) var events = 1

  /// A replay of a room that has only its `create` so far; `nil` for any other event.
  package init?(create view: borrowing EventView, catalog: GameCatalog) {
    guard let projection = RoomProjection(create: view.event, catalog: catalog),
      !projection.create.isTournament
    else { return nil }
    self.projection = projection
    heads = [.init(author: view.author, sequence: view.header.sequence, head: view.id)]
  }

  /// Whether play has started, so that events can be taken by position.
  package var hasStarted: Bool { line != nil }

  /// Takes the next event; does nothing once one was not of a straight room.
  /// - Returns: whether all events so far were of one.
  @discardableResult
  package mutating func take(_ view: borrowing EventView, _ fields: borrowing RecordFields) -> Bool {
    isStraight = isStraight && goesOn(with: view, fields)
    events += 1
    return isStraight
  }

  /// Takes the next event after the start, by its record alone; does nothing once one was not of a straight room.
  /// - Returns: whether all events so far were of one.
  @discardableResult
  package mutating func take(_ fields: borrowing RecordFields) -> Bool {
    isStraight =
      isStraight && line != nil && fields.feed < heads.count && ends.follow(fields)
      && play(fields, as: .none)
    events += 1
    return isStraight
  }

  private mutating func goesOn(with view: borrowing EventView, _ fields: borrowing RecordFields) -> Bool {
    guard fields.feed < Self.limitFeeds else { return false }
    let standsAside = view.kind == .request || view.kind == .chat
    guard ends.follow(fields, isLobby: line == nil, standsAside: standsAside) else { return false }
    let head = VectorClock.Entry(author: view.author, sequence: view.header.sequence, head: view.id)
    if fields.feed == heads.count { heads.append(head) } else { heads[fields.feed] = head }
    guard line == nil else { return play(fields, as: view.id) }
    switch view.kind {
    case .request, .grant, .ready, .draw, .chat:
      projection.apply(view.event)
      return true
    case .start:
      projection.apply(view.event)
      return start(at: fields.position)
    default: return false
    }
  }

  /// What is held of the room, as long as it is straight and all events were shown.
  package var clock: VectorClock { VectorClock(heads) }

  /// What the events amount to; `nil` when the room is not straight.
  package consuming func finish() -> RoomState? {
    guard isStraight else { return nil }
    if let line { projection.replaceLine(with: line) }
    return projection.state
  }

  /// Begins the line of play where the room's events say so.
  private mutating func start(at position: Int) -> Bool {
    guard var line = projection.startedLine else { return false }
    feeds = line.table.peers.compactMap { peer in heads.firstIndex { $0.author == peer } }
    guard feeds.count == line.table.peers.count else { return false }
    signed = feeds.map { _ in [] }
    line.keepsEffects = false
    self.line = line
    tip = position
    return true
  }

  /// Goes on with a move that is the only step on the tip, or a true result.
  @inline(__always)
  private mutating func play(_ fields: borrowing RecordFields, as node: EventID) -> Bool {
    guard fields.code == Kind.move.rawValue else { return sign(fields) }
    guard let ended = line?.play(fields, on: tip, from: feeds, as: node) else { return false }
    tip = fields.position
    if ended { endings.append(tip) }
    return true
  }

  /// Notes a seat's result when it is the game's; once every seat has signed it, it is agreed.
  private mutating func sign(_ fields: borrowing RecordFields) -> Bool {
    guard let result = fields.result, let seat = feeds.firstIndex(of: fields.feed),
      endings.indices.contains(result.game), endings[result.game] == result.ending,
      line?.games[result.game].ending?.outcome?.scores == result.scores
    else { return false }
    signed[seat].append(result.game)
    if signed.allSatisfy({ $0.contains(result.game) }) { line?.agree(through: result.game) }
    return true
  }
}

extension Line {
  /// Goes on with a move.
  /// - Parameters:
  ///   - tip: the position of the node that it must stand on.
  ///   - feeds: the number of each seat's feed.
  /// - Returns: whether it ended the game; `nil`, and nothing changed, when the rules do not allow it here.
  @inline(__always)
  fileprivate mutating func play(
    _ fields: borrowing RecordFields, on tip: Int, from feeds: borrowing [Int], as node: EventID
  ) -> Bool? {
    let number = number
    guard !isOver, let move = fields.move(on: tip, game: number, ply: ply), case .seat(let seat) = turn,
      feeds[seat.index] == fields.feed,
      take(MoveCode(move.code), by: seat, move.note, as: node, at: fields.position)
    else { return nil }
    return isOver || self.number != number
  }
}

/// Where the feeds of a room end, by position, for who takes its events one by one in the order of arrival: most events
/// name nothing but such ends.
private struct FeedEnds {
  /// The position of each feed's last event, by the feed's number.
  private var ends = [0]
  /// The position of the last event that did not stand aside.
  private var last = 0

  /// Takes an event that names the last one before it, else only ends of feeds, and continues its author's feed where
  /// that ends.
  /// - Parameters:
  ///   - isLobby: whether play has not started: then an event may name others besides the last one.
  ///   - standsAside: whether it is of a kind that may name nothing but the room's `create`; such an event is not the
  ///     one that the next must name.
  /// - Returns: whether it is so; nothing has changed when not.
  @inline(__always)
  mutating func follow(
    _ fields: borrowing RecordFields, isLobby: Bool = false, standsAside: Bool = false
  ) -> Bool {
    guard fields.goesOn else { return false }
    let isAside = isLobby && standsAside && fields.allParents { $0 == 0 }
    guard isAside || isLinked(fields, isLobby: isLobby) else { return false }
    if fields.opensFeed { ends.append(fields.position) } else { ends[fields.feed] = fields.position }
    if !isAside { last = fields.position }
    return true
  }

  /// Whether the last event is among those that the event names, and after the start every parent is the end of a feed.
  @inline(__always)
  private func isLinked(_ fields: borrowing RecordFields, isLobby: Bool) -> Bool {
    // The creation is in the past of every event, also of one that names only what stands aside.
    var followsLast = last == 0 || !fields.opensFeed && ends[fields.feed] == last
    let (last, ends) = (last, ends)
    let namesEnds = fields.allParents { parent in
      if parent == last { followsLast = true }
      return parent == last || isLobby || ends.contains(parent)
    }
    return followsLast && namesEnds
  }
}
