public import Events
public import Rules

/// A room's state, derived from its events.
///
/// Events are applied in any causal order, doubled or not; the state depends on their set alone. Applying is
/// quick where play goes on at the tip of the line, and derives everything again where an event reaches
/// behind it.
public struct RoomProjection: Sendable {
  private(set) var facts: Facts
  let create: Create
  let creator: PeerID
  private let room: RoomID
  private let viewers: [PeerID]
  /// The rules as `create` sets them, and as they are played by those that sit.
  private let createdRules: (any GameRules)?
  private var rules: (any GameRules)?
  private var roster: Roster
  private var line: Line?
  /// What a room of hosted rounds amounts to; `nil` in all others.
  private var hosted: HostedFold?
  /// Whether it is a room of hosted rounds. To ask `hosted` copies it.
  private let isHosted: Bool
  private let hostedRules: (any HostedRules)?
  private var words = OrganizerWords()
  private var chat: ChatBook
  private var openRequests = OpenRequests()
  private var invited: [PeerID] = []
  private var hasInviteNews = false
  private var isStale = false
  /// Whether there may be other requests or invitations than those that were found last.
  private var hasLobbyNews = false
  /// The state as it was read last, until another event is taken in.
  private var read: RoomState?
  private var forks = ForkWatch()
  /// What of it no step of a game changes, until another event than a step is taken in.
  private var company: RoomState.Company?

  /// The projection of a room that has only its `create` event; `nil` for any other event.
  /// - Parameter viewers: whose keys are here. Where a forked creator has started several tables, the state is that of
  ///   the table at which one of them sits.
  public init?(create event: Event, catalog: GameCatalog, seenBy viewers: [PeerID] = []) {
    guard case .create(let create) = event.action else { return nil }
    self.create = create
    room = event.id
    creator = event.author
    createdRules = Self.rules(of: create) { catalog.definition($0, version: $1) }
    rules = createdRules
    hostedRules = Self.hostedRules(of: create, catalog)
    facts = Facts(isForeign: create.edition != Create.edition)
    _ = facts.graph.add(event)
    facts.indexNext()
    self.viewers = viewers
    chat = ChatBook(seats: Int(create.seats))
    roster = Roster(facts, create: create, room: event.id, creator: event.author, viewers: viewers)
    isHosted = create.isHosted
    if isHosted { hosted = HostedFold(create, room: event.id, host: event.author, rules: hostedRules) }
  }

  /// The projection of a room's events, which it shares with whoever has them; `nil` when they do not begin with a
  /// `create`.
  package init?(_ graph: CausalGraph, catalog: GameCatalog, seenBy viewers: [PeerID] = []) {
    guard let first = graph.events.first else { return nil }
    self.init(create: first, catalog: catalog, seenBy: viewers)
    facts.graph = graph
    takeInNew()
  }

  /// Calls `body` when it has taken in the events of a graph, which is lent to it and not copied: each time that of the
  /// same room, with more events.
  package mutating func read(_ graph: inout CausalGraph, _ body: (inout RoomProjection) -> Void) {
    swap(&facts.graph, &graph)
    takeInNew()
    body(&self)
    swap(&facts.graph, &graph)
  }

  /// The room's rules, when they are known here and the room's parameters and seats are theirs.
  private static func rules(
    of create: Create, _ known: (String, UInt16) -> GameDefinition?
  ) -> (any GameRules)? {
    guard create.isReadable, create.isGames || create.isTournament,
      let definition = known(create.rules, create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { return nil }
    do throws(RulesError) {
      let rules = try definition.rules(parameters)
      let isTournament = create.isTournament
      return rules.parameters == parameters && (isTournament || rules.seats == Int(create.seats))
        && create.openings.allSatisfy(rules.mayOpen(with:)) ? rules : nil
    } catch {
      return nil
    }
  }

  /// The rules of a room of hosted rounds, when they are known here and the room's parameters are theirs.
  private static func hostedRules(of create: Create, _ catalog: GameCatalog) -> (any HostedRules)? {
    guard create.isReadable, create.isHosted, create.creatorSeat == Create.noSeat,
      let definition = catalog.hosted(create.rules, version: create.rulesVersion),
      definition.players.contains(Int(create.seats)),
      let parameters = Parameters(encoded: create.parameters)
    else { return nil }
    do throws(RulesError) {
      let rules = try definition.rules(parameters)
      return rules.parameters == parameters ? rules : nil
    } catch {
      return nil
    }
  }

  /// Applies an event whose previous and parents were applied before. One that is here already, is of another
  /// room or does not link to what is here changes nothing.
  public mutating func apply(_ event: Event) {
    guard facts.graph.add(event) != nil else { return }
    takeInNew()
  }

  private mutating func takeInNew() {
    noteForks()
    while facts.count < facts.graph.events.count { takeInNext() }
  }

  private mutating func noteForks() {
    guard !facts.graph.forks.isEmpty else { return }
    let news = forks.advance(facts.graph, members: members)
    guard !news.forked.isEmpty || !news.rescued.isEmpty else { return }
    for author in news.forked where isHosted {
      if hosted?.concernsAll(author) == false { hosted?.readAgain(author, facts) } else { isStale = true }
    }
    for author in news.forked + news.rescued where !isHosted { noteAnchoring(of: author) }
    (hasLobbyNews, hasInviteNews) = (true, true)
    chat.noteFork()
    (read, company) = (nil, nil)
  }

  /// Other events of a forked feed may be anchored than before.
  private mutating func noteAnchoring(of author: PeerID) {
    if isSettler(author) { isStale = true } else { openRequests.readAgain(author) }
  }

  /// Whether what somebody writes may change who sits where or what is played. Where the creator's feed is forked those
  /// may that sit at another table.
  private mutating func isSettler(_ peer: PeerID) -> Bool {
    roster.isSettled(by: peer, of: creator) || members.contains(peer) || facts.graph.forks[creator] != nil
  }

  private mutating func takeInNext() {
    let position = facts.count
    let place = facts.indexNext()
    read = nil
    let event = facts.event(position)
    if event.kind == .invite, event.author == creator { noteInvite() }
    if !isStale { applyLinked(event, at: position, on: place) }
    if event.kind == .chat, facts.isReadable(event) { chat.add(position, by: event.author) }
    if isStale || hasLobbyNews || event.kind?.isOfGame != true { company = nil }
  }

  /// Applies an event.
  /// - Parameter place: of the node that it stands on, as the facts have it.
  private mutating func applyLinked(_ event: Event, at position: Int, on place: Int?) {
    if isHosted {
      hosted?.take(position, facts)
      return
    }
    if !facts.graph.forks.isEmpty, isForkAtWork, isSettler(event.author) {
      isStale = true
      return
    }
    guard facts.surplus.isEmpty || !facts.surplus.contains(position) else { return }
    switch event.kind {
    case .create, .chat, .invite, .undoRequest, .drawOffer, .drawDecline, .claim, nil: return
    case .pairingResult, .disqualify, .revoke: words.take(position, facts, &roster)
    case .grant where isTournament && roster.start != nil: takeLateGrant(position)
    case .request: hasLobbyNews = true
    case .grant, .ready, .draw, .start:
      isStale = roster.start == nil && roster.isSettled(by: event.author, of: creator)
    case .leave where isTournament || roster.start == nil:
      hasLobbyNews = true
      isStale = roster.isSettled(by: event.author, of: creator)
    case .leave where line?.table.seat(of: event.author) == nil: hasLobbyNews = true
    case .result: applyResult(event)
    default: if let place { applyStep(position, on: place - 1) }
    }
  }

  /// Takes a grant of a tournament that has started: whom it seats waits no more, and where it was the last place
  /// nobody else does.
  private mutating func takeLateGrant(_ position: Int) {
    let taken = roster.seats.count
    words.take(position, facts, &roster)
    guard roster.seats.count > taken, let entrant = roster.seats[taken]?.peer else { return }
    hasLobbyNews = true
    if roster.takesLateEntrants { openRequests.readAgain(entrant) } else { openRequests.findAnew() }
  }

  private mutating func noteInvite() {
    (hasLobbyNews, hasInviteNews) = (true, true)
    if create.scope == .invited { openRequests.findAnew() }
  }

  /// Whether a feed is forked on which who sits where or what is played depends (Docs/PROTOCOL.md §1.4). Forks of
  /// strangers' feeds do not matter to it.
  ///
  /// It mutates, as what is asked for each event does here: who only looks is given a copy of the whole projection.
  private var isForkAtWork: Bool {
    mutating get {
      let forks = facts.graph.forks
      return !forks.isEmpty && (forks[creator] != nil || members.contains { forks[$0] != nil })
    }
  }

  /// A step at the tip leads the line on; one that stands nowhere on it is without effect; one that stands
  /// behind the tip may have it all derived again.
  private mutating func applyStep(_ position: Int, on node: Int) {
    guard line != nil else { return }
    if node < 0 {
      isStale = true
    } else if node == line?.tipPosition {
      isStale = line?.goOn(with: position, facts) == false
    } else {
      isStale = line?.place(of: node) != nil
    }
  }

  /// A result that agrees with the line marks its games; anything else is derived again.
  private mutating func applyResult(_ event: Event) {
    guard line != nil, case .result(let game, _, _) = event.action else { return }
    if let fits = agreementFits(game: Int(game)) {
      // Of more than two seats the signers may have seen others drop out, or by other events.
      if fits, roster.seats.count == 2 { line?.agree(through: Int(game)) } else { isStale = true }
    }
  }

  /// Whether what all seats signed of a game is what the line says; `nil` while they have not all signed it.
  private func agreementFits(game: Int) -> Bool? {
    guard let line, let (signed, result) = Agreement.signed(game: game, line.table, facts) else { return nil }
    guard line.games.indices.contains(game), let ending = line.games[game].ending else { return false }
    return ending.node == signed.ending && ending.outcome?.scores == signed.scores
      && Agreement.hasSeen(line, through: game, facts, result: result)
  }

  /// Derives everything again from the set of events.
  private mutating func derive() {
    isStale = false
    (hasLobbyNews, hasInviteNews) = (true, true)
    guard !isHosted else { return deriveHosted() }
    let before = roster
    roster = Roster(facts, create: create, room: room, creator: creator, viewers: viewers)
    rules = rulesInPlay
    line = nil
    if isTournament {
      words = OrganizerWords()
      for position in facts.organizerWords { words.take(position, facts, &roster) }
      return noteSeats(since: before)
    }
    noteSeats(since: before)
    let peers = roster.seats.compactMap { $0?.peer }
    guard let start = roster.start, let rules, peers.count == roster.seats.count else { return }
    let forked = peers.indices.filter { facts.graph.forks[peers[$0]] != nil }
    var line = Line(
      table: Line.Table(
        room: room, create: roster.create, rules: rules, peers: peers, requests: roster.requests,
        first: start.first,
        start: facts.id(start.position), startPosition: start.position,
        anchors: isForkAtWork ? forks.anchors : nil,
        forked: forked.map { Seat(UInt16(truncatingIfNeeded: $0)) },
        isRefereeForked: facts.graph.forks[create.referee] != nil))
    line.advance(facts)
    line.settleForks()
    self.line = line
  }

  /// What other seats mean to anchors and requests.
  private mutating func noteSeats(since before: Roster) {
    let isOther =
      roster.start?.position != before.start?.position
      || roster.takesLateEntrants != before.takesLateEntrants
    if isOther || facts.graph.forks[creator] != nil {
      openRequests.findAnew()
    } else {
      let peers = { (roster: Roster) in Set(roster.seats.compactMap { $0?.peer }) }
      for peer in peers(before).symmetricDifference(peers(roster)).sorted() { openRequests.readAgain(peer) }
    }
    makeAnchors()
  }

  private mutating func makeAnchors() {
    let start = roster.start?.position
    if forks.makeAnchors(facts.graph, members: members, start: start) { openRequests.findAnew() }
  }

  /// The rules for as many as play.
  private var rulesInPlay: (any GameRules)? {
    guard let createdRules, roster.create.seats != create.seats else { return createdRules }
    return Self.rules(of: roster.create) { _, _ in createdRules.definition }
  }

  private mutating func deriveHosted() {
    var fold = HostedFold(create, room: room, host: creator, rules: hostedRules)
    for position in facts.graph.events.indices where position < facts.count { fold.take(position, facts) }
    hosted = fold
  }

  /// The line of play at its start; `nil` unless the last event started it.
  var startedLine: Line? {
    mutating get {
      deriveIfNeeded()
      guard let line, line.tip == line.table.start, !line.isOver, roster.closedBy == nil else { return nil }
      return line
    }
  }

  /// Says how far the line has gone since its start.
  mutating func replaceLine(with line: Line) {
    read = nil
    company = nil
    self.line = line
  }

  private mutating func deriveIfNeeded() {
    if isStale { derive() }
    guard hasLobbyNews else { return }
    hasLobbyNews = false
    makeAnchors()
    if !isHosted { openRequests.advance(facts, roster, forks.anchors) }
    guard hasInviteNews else { return }
    hasInviteNews = false
    invited = facts.invitations.peers(facts.graph, forks.anchors)
  }

  var isTournament: Bool { create.isTournament }

  /// Who anchors what it cites: before the start the creator, then the seats and the referee.
  private var members: [PeerID] {
    mutating get {
      guard roster.start != nil, !isTournament else { return [creator] }
      return roster.seats.compactMap { $0?.peer } + [create.referee]
    }
  }

  /// Whether a game is on in which nobody owes anything but a choice, and nobody has asked for anything at its tip.
  private var isMidGame: Bool {
    // To bind the line would copy it.
    guard line?.isMidGame == true, roster.closedBy == nil, let tip = line?.tip else { return false }
    return facts.asks.isEmpty || facts.asks[tip] == nil
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

  /// The state as it was read last, when these are all events.
  /// - Parameter count: how many events there are.
  package mutating func known(of count: Int) -> RoomState? { facts.count == count ? read : nil }

  private mutating func makeState() -> RoomState {
    deriveIfNeeded()
    if isHosted, let hosted { return makeState(hosted) }
    let company = company ?? makeCompany()
    self.company = company
    guard let games = line?.games, let tip = line?.tip, let round = line?.round.progress(facts) else {
      return RoomState(company, RoomState.Play(phase: phase()))
    }
    guard !facts.asks.isEmpty, let line else {
      return RoomState(
        company,
        RoomState.Play(phase: phase(), isMidGame: isMidGame, games: games, tip: tip, round: round))
    }
    return RoomState(
      company,
      RoomState.Play(
        phase: phase(), isMidGame: isMidGame, games: games, tip: tip, round: round,
        undoRequest: openUndoRequest(line), drawOffers: line.openDrawOffers(facts),
        claims: line.openClaims(facts)))
  }

  private mutating func makeCompany() -> RoomState.Company {
    let lines =
      chat.isEmpty ? [] : chat.lines(seated: roster.seats.compactMap { $0?.peer } + [creator], facts)
    return RoomState.Company(
      opening: facts.event(0), create: roster.create, seats: roster.seats, openRequests: openRequests.list,
      invited: invited,
      first: line?.table.first, start: roster.start.map { facts.id($0.position) }, chat: lines,
      tournamentWords: words.told(facts, roster, forks.anchors), forked: forks.forked,
      seeding: roster.seeding)
  }

  /// The entries of a hosted round that is on which players have written and the host has not acknowledged.
  package var openEntries: [EventID] {
    mutating get {
      deriveIfNeeded()
      return hosted?.openEntries(facts) ?? []
    }
  }

  /// The most open requests of a hosted room that are told beside its other rounds; the host goes by all of them.
  private static let limitRequests = 256

  private mutating func makeState(_ fold: HostedFold) -> RoomState {
    let state = fold.state(facts)
    var seats = [RoomState.Occupant?](repeating: nil, count: Int(create.seats))
    for player in state.players {
      seats[Int(player.number)] = .init(
        peer: player.peer, profile: player.profile, grant: player.grant, isReady: true)
    }
    let company = RoomState.Company(
      opening: facts.event(0), create: create, seats: seats,
      openRequests: RequestList([
        state.requests.prefix(Self.limitRequests).map {
          .init(id: $0.id, peer: $0.peer, seat: Create.noSeat, profile: $0.profile)
        }
      ]),
      invited: invited, first: nil, start: nil,
      chat: chat.isEmpty ? [] : chat.lines(seated: state.players.map(\.peer) + [creator], facts),
      tournamentWords: [], forked: forks.forked)
    let isUnknown = !create.isReadable && create.edition != Create.edition
    return RoomState(
      company,
      RoomState.Play(
        phase: isUnknown ? .unknownEdition(create.edition) : fold.phase(facts), hosted: state))
  }

  private func phase() -> RoomState.Phase {
    // Where there is a line, the rules are known and play has started. To bind the line would copy it.
    if let isOver = line?.isOver, roster.closedBy == nil {
      return isOver ? line?.lastPhase ?? .playing : .playing
    }
    if !create.isReadable, create.edition != Create.edition { return .unknownEdition(create.edition) }
    if rules == nil { return .unknownRules }
    if let closedBy = roster.closedBy { return .closed(closedBy) }
    return roster.start == nil ? .waiting : .playing
  }

  /// The take-back that waits for an answer: the last one that the lowest asking seat asked for at the tip.
  private func openUndoRequest(_ line: Line) -> RoomState.UndoRequest? {
    guard !line.isOver, let asks = facts.asks[line.tip] else { return nil }
    let asked = asks.filter { line.table.isAnchored($0, facts) }
    return asked.sorted { facts.graph.isEarlier($1, $0) }
      .compactMap { position -> RoomState.UndoRequest? in
        line.undoRequest(facts.event(position)).map {
          .init(id: facts.id(position), seat: $0.seat, ply: $0.ply)
        }
      }
      .min { $0.seat < $1.seat }
  }
}

extension RoomProjection {
  /// What the events' verdicts are derived from.
  struct Derivation {
    let facts: Facts
    let roster: Roster
    let line: Line?
    let words: OrganizerWords
    /// Which events are anchored; `nil` when all are.
    let anchors: Anchors?
    let hasRules: Bool
    let hosted: HostedFold?
  }

  var derived: Derivation {
    mutating get {
      deriveIfNeeded()
      return Derivation(
        facts: facts, roster: roster, line: line, words: words, anchors: forks.anchors,
        hasRules: rules != nil, hosted: hosted)
    }
  }
}

extension Kind {
  /// Whether such an event, where it fits the line of play, changes nothing but the games.
  fileprivate var isOfGame: Bool {
    switch self {
    case .move, .commit, .reveal, .result: true
    default: false
    }
  }
}
