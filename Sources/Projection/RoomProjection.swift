public import Events
public import Rules

/// A room's state, derived from its events.
///
/// Events are applied in any causal order, doubled or not; the state depends on their set alone. Applying is
/// quick where play goes on at the tip of the line, and derives everything again where an event reaches
/// behind it.
public struct RoomProjection: Sendable {
  private var facts: Facts
  private let room: RoomID
  private let creator: PeerID
  let create: Create
  private let rules: (any GameRules)?
  private var roster: Roster
  private var line: Line?
  private var isStale = false
  /// The state as it was read last, until another event is applied.
  private var read: RoomState?

  /// The projection of a room that has only its `create` event; `nil` for any other event.
  public init?(create event: Event, catalog: GameCatalog) {
    guard case .create(let create) = event.action else { return nil }
    self.create = create
    room = event.id
    creator = event.author
    rules = Self.rules(of: create, catalog)
    facts = Facts(catalog: catalog)
    _ = facts.add(event)
    roster = Roster(facts, create: create, room: event.id, creator: event.author) { _ in true }
  }

  /// The room's rules, when they are known here and the room's parameters and seats are theirs.
  private static func rules(of create: Create, _ catalog: GameCatalog) -> (any GameRules)? {
    guard let definition = catalog.definition(create.rules, version: create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { return nil }
    do throws(RulesError) {
      let rules = try definition.rules(parameters)
      let isTournament = if case .tournament = create.purpose { true } else { false }
      return rules.parameters == parameters && (isTournament || rules.seats == Int(create.seats))
        ? rules : nil
    } catch {
      return nil
    }
  }

  /// Applies an event whose previous and parents were applied before.
  public mutating func apply(_ event: Event) {
    let known = facts.graph.forks.count
    guard facts.add(event) != nil else { return }
    read = nil
    guard facts.graph.forks.count == known, facts.graph.forks.isEmpty else {
      isStale = true
      return
    }
    switch event.kind {
    case .chat, .pairingResult: return
    case .create, .request, .grant, .ready, .draw, .start: isStale = true
    case .result: applyResult(event)
    case .move: applyMove(event)
    case .undoRequest, .claim: return
    default:
      guard !isStale, line != nil, let node = facts.node(of: event), node == line?.tip else {
        isStale = true
        return
      }
      line?.advance(facts)
    }
  }

  /// A move at the tip that nothing contests goes straight onto the line.
  private mutating func applyMove(_ event: Event) {
    guard !isStale, line != nil, case .move(let step, _, _) = event.action else {
      isStale = isStale || line == nil
      return
    }
    guard step.node == line?.tip else {
      isStale = line?.nodes[step.node] != nil || isStale
      return
    }
    line?.advance(facts)
  }

  /// A result that agrees with the line marks its games; anything else is derived again.
  private mutating func applyResult(_ event: Event) {
    guard !isStale, let line, case .result(let game, _, _) = event.action,
      let signed = Agreement.agreed(line.table, facts)[Int(game)]
    else { return }
    guard line.games.indices.contains(Int(game)), let ending = line.games[Int(game)].ending,
      ending.node == signed.ending, ending.outcome?.scores == signed.scores
    else {
      isStale = true
      return
    }
    self.line?.agree(through: Int(game))
  }

  /// Derives everything again from the set of events.
  private mutating func derive() {
    isStale = false
    let anchored = facts.graph.anchored()
    roster = Roster(facts, create: create, room: room, creator: creator) { anchored?[$0] ?? true }
    line = nil
    guard let start = roster.start, let rules, case .games = create.purpose else { return }
    let peers = roster.seats.compactMap { $0?.peer }
    guard peers.count == roster.seats.count else { return }
    let forked = peers.indices.filter { facts.graph.forks[peers[$0]] != nil }
    var line = Line(
      table: Line.Table(
        room: room, create: create, rules: rules, peers: peers, first: start.first,
        start: facts.event(start.position).id, anchored: anchored,
        forked: forked.map { Seat(UInt8(truncatingIfNeeded: $0)) }))
    line.advance(facts)
    line.settleForks()
    self.line = line
  }

  /// The state now.
  public var state: RoomState {
    mutating get {
      if let read { return read }
      let state = makeState()
      read = state
      return state
    }
  }

  private mutating func makeState() -> RoomState {
    if isStale { derive() }
    var state = RoomState(create: create, creator: creator, room: room)
    state.seats = roster.seats
    state.openRequests = roster.openRequests
    state.forked = facts.graph.forks.keys.sorted()
    state.chat = chatLines()
    state.phase = phase()
    if case .tournament = create.purpose { fillTournament(&state) }
    guard let line else { return state }
    state.first = line.table.first
    state.start = line.table.start
    state.games = line.games
    state.tip = line.tip
    state.round = line.round
    state.undoRequest = openUndoRequest(line)
    return state
  }

  private func phase() -> RoomState.Phase {
    if rules == nil { return .unknownRules }
    if let closedBy = roster.closedBy { return .closed(closedBy) }
    guard roster.start != nil else { return .waiting }
    guard let line else { return .playing }
    guard line.isOver else { return .playing }
    guard let leaver = line.leaver else { return .finished }
    let wasPlayed = line.games.contains { !$0.plies.isEmpty || $0.isAgreed }
    return wasPlayed ? .abandoned(leaver) : .closed(line.table.peers[leaver.index])
  }

  private func chatLines() -> [RoomState.ChatLine] {
    facts.chat.compactMap { position -> (sequence: UInt64, line: RoomState.ChatLine)? in
      let event = facts.event(position)
      guard case .chat(let text) = event.action, event.sequence < facts.graph.forks[event.author] ?? .max
      else { return nil }
      return (event.sequence, .init(event: event.id, author: event.author, text: text))
    }
    .sorted { ($0.line.author, $0.sequence) < ($1.line.author, $1.sequence) }
    .map(\.line)
  }

  /// The organizer's results before a fork of its feed, and withdrawals where it first saw them.
  private func fillTournament(_ state: inout RoomState) {
    let fork = facts.graph.forks[creator] ?? .max
    state.start = roster.start.map { facts.event($0.position).id }
    var leavings = facts.lobby.compactMap { position -> (position: Int, seat: Seat)? in
      guard facts.event(position).kind == .leave, let seat = state.seat(of: facts.event(position).author)
      else { return nil }
      return (position, seat)
    }
    .sorted { $0.seat < $1.seat }
    for position in facts.graph.feeds[creator] ?? [] where facts.event(position).sequence < fork {
      guard case .pairingResult(let result) = facts.event(position).action else { continue }
      let seen = leavings.filter { facts.graph.isInPast($0.position, of: position) }
      leavings.removeAll { leaving in seen.contains { $0.position == leaving.position } }
      state.tournamentWords += seen.map { .withdrawal($0.seat) } + [.result(result)]
    }
    state.tournamentWords += leavings.map { .withdrawal($0.seat) }
  }

  /// The take-back that waits for an answer: the last one asked for at the tip.
  private func openUndoRequest(_ line: Line) -> RoomState.UndoRequest? {
    guard create.allowsUndo, !line.isOver else { return nil }
    return (facts.asks[line.tip] ?? []).compactMap { position -> RoomState.UndoRequest? in
      let event = facts.event(position)
      guard case .undoRequest(_, let ply) = event.action, Int(ply) < line.ply,
        line.table.isAnchored(position),
        let seat = line.table.seat(of: event.author)
      else { return nil }
      return .init(id: event.id, seat: seat, ply: Int(ply))
    }
    .min { ($0.seat.rawValue, $0.ply, $0.id) < ($1.seat.rawValue, $1.ply, $1.id) }
  }
}

extension RoomProjection {
  /// What the events' verdicts are derived from.
  var derived: (facts: Facts, roster: Roster, line: Line?) {
    mutating get {
      if isStale { derive() }
      return (facts, roster, line)
    }
  }
}
