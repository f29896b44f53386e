import Events
import Rules

/// A room's events, indexed by what they name; the input of everything that is derived.
///
/// An event that names something outside its own past is *unfounded*, and one that repeats what its author has said too
/// often is *surplus*: both are kept, and indexed nowhere.
struct Facts: Sendable {
  /// The events, perhaps more than are indexed.
  var graph = CausalGraph()
  /// Whether the room is of an edition that is not known here: then only what all editions share is read.
  private let isForeign: Bool
  /// How many events are indexed.
  private(set) var count = 0
  /// Steps by the node that they stand on: moves, commits, resignations, leavings, accepts, rulings.
  private var steps = Standing()
  /// Reveals by the commit that they open.
  private var reveals = Standing()
  /// What is said before play begins.
  private(set) var lobby = Lobby()
  /// Results by game.
  private(set) var results: [Int: [Int]] = [:]
  /// Games of which there is a result, ascending.
  private(set) var signedGames: [Int] = []
  /// Take-back requests, draw offers and claims, by the node that they name.
  private(set) var asks: [EventID: [Int]] = [:]
  /// Refusals of draw offers, by the offer.
  private(set) var drawDeclines: [EventID: [Int]] = [:]
  /// What a tournament's organizer says of pairings and entrants, grants included.
  private(set) var organizerWords: [Int] = []
  /// Whom the creator has invited.
  private(set) var invitations = Invitations()
  /// Events that name what is not in their past, and those that are surplus.
  private(set) var unfounded: Set<Int> = []
  /// Events that say what their author has said too often.
  private(set) var surplus: Set<Int> = []

  /// Events of one feed and kind at one place.
  private struct Crowd: Hashable {
    enum Place: Hashable {
      case lobby, on(Int), opening(Int), asking(Int), declining(EventID), game(UInt16)
    }

    let place: Place
    let feed: Int
    let kind: Kind?
  }

  /// Where there are as many as count: whatever a feed without branches has there later has all of them in its past.
  private var crowds: Set<Crowd> = []
  /// What is said in the lobby, and where many events stand, by feed and kind: whoever has many keys does not have all
  /// that they say looked through for each further one.
  private var said: [Crowd: [Int]] = [:]
  /// How many of those that stand at a place are among these.
  private var gathered: [Crowd.Place: Int] = [:]

  /// So many events of one author and kind at one place count (Docs/PROTOCOL.md §1.1): else whoever repeats itself
  /// without end would have all of it looked through at each further event.
  static let limitSame = 64

  init(isForeign: Bool = false) { self.isForeign = isForeign }

  /// Whether what an event says is known here.
  func isReadable(_ event: Event) -> Bool {
    event.kind.map { !isForeign || $0.isOfMembership } ?? false
  }

  /// The steps that stand on the node at a position, or on none, in the order in which they were added.
  func steps(on node: Int?) -> Standing.Events { steps[node.map { $0 + 1 } ?? 0] }

  /// The step that stands on the node at a position, when there is just one.
  func onlyStep(on node: Int) -> Int? { steps.only(at: node + 1) }

  /// The reveals that name the commit at a position, in the order in which they were added.
  func reveals(of commit: Int) -> Standing.Events { reveals[commit + 1] }

  /// The place of the reveals of a commit.
  private func place(of commit: EventID) -> Int? { graph.position(of: commit).map { $0 + 1 } }

  /// Indexes the next event.
  /// - Returns: the place of the node that it stands on, where it says something of a game that is founded.
  @discardableResult mutating func indexNext() -> Int? {
    let position = count
    let event = graph.events[position]
    count += 1
    guard isReadable(event), graph.isLinked(position) else { return nil }
    switch event.action {
    case .grant:
      lobby.append(position, kind: .grant)
      if event.author == graph.events[0].author { organizerWords.append(position) }
    case .request, .ready, .draw, .start: addToLobby(event, at: position)
    case .create, .chat, .hosted, .unreadable: break
    case .pairingResult, .disqualify, .revoke:
      if event.author == graph.events[0].author { organizerWords.append(position) }
    case .invite(let peer):
      if event.author == graph.events[0].author { invitations.add(peer, at: position, graph) }
    default: return addPlay(event, at: position)
    }
    return nil
  }

  /// Notes what was said before play began, or as if it had not.
  /// - Returns: `false` for what is surplus.
  @discardableResult private mutating func addToLobby(_ event: Event, at position: Int) -> Bool {
    let crowd = Crowd(place: .lobby, feed: graph.feed(position), kind: event.kind)
    guard !isSurplus(event, at: position, in: crowd) else {
      noteSurplus(position, in: crowd)
      return false
    }
    said[crowd, default: []].append(position)
    lobby.append(position, kind: event.kind)
    return true
  }

  /// The positions of what a peer has said of a kind before play began, surplus apart.
  func lobby(of peer: PeerID, _ kind: Kind) -> [Int] {
    guard let feed = graph.number(of: peer) else { return [] }
    return said[Crowd(place: .lobby, feed: feed, kind: kind)] ?? []
  }

  private mutating func noteSurplus(_ position: Int, in crowd: Crowd) {
    crowds.insert(crowd)
    surplus.insert(position)
    unfounded.insert(position)
  }

  /// Whether an event has as many of its author and kind in its past as count at one place.
  private func isSurplus(_ event: Event, at position: Int, in crowd: Crowd) -> Bool {
    guard let others = said[crowd], others.count >= Self.limitSame else { return false }
    if graph.forks[event.author] == nil, crowds.contains(crowd) { return true }
    var same = 0
    for other in others where graph.isInPast(other, of: position) {
      same += 1
      if same == Self.limitSame { return true }
    }
    return false
  }

  /// Where an event stands among others of its feed and kind, once they may be too many.
  /// - Parameter node: the place of the node that it stands on.
  private mutating func crowd(of event: Event, at position: Int, on node: Int) -> Crowd? {
    let place: Crowd.Place
    switch event.action {
    case .reveal(let step, _, _):
      guard let commit = self.place(of: step.node) else { return nil }
      place = .opening(commit)
      gather(reveals[commit], at: place)
    case .undoRequest, .drawOffer, .claim:
      place = .asking(node)
      gather(node > 0 ? asks[graph.id(node - 1)] ?? [] : [], at: place)
    case .drawDecline(let offer):
      place = .declining(offer)
      gather(drawDeclines[offer] ?? [], at: place)
    case .result(let game, _, _):
      place = .game(game)
      gather(results[Int(game)] ?? [], at: place)
    default:
      place = .on(node)
      gather(steps[node], at: place)
    }
    guard !gathered.isEmpty, gathered[place] != nil else { return nil }
    return Crowd(place: place, feed: graph.feed(position), kind: event.kind)
  }

  /// Finds those that stand at a place by feed and kind, once they may be too many.
  private mutating func gather(_ others: some RandomAccessCollection<Int>, at place: Crowd.Place) {
    guard others.count >= Self.limitSame else { return }
    for other in others.dropFirst(gathered[place] ?? 0) {
      said[Crowd(place: place, feed: graph.feed(other), kind: kind(other)), default: []].append(other)
    }
    gathered[place] = others.count
  }

  /// Notes what is said of a game.
  /// - Returns: the place of the node that the event stands on, when it is founded and counts.
  private mutating func addPlay(_ event: Event, at position: Int) -> Int? {
    if event.kind == .leave {
      guard addToLobby(event, at: position) else { return nil }
    }
    guard let node = foundation(of: event, at: position) else {
      unfounded.insert(position)
      return nil
    }
    if let crowd = crowd(of: event, at: position, on: node), isSurplus(event, at: position, in: crowd) {
      noteSurplus(position, in: crowd)
      return nil
    }
    switch event.action {
    case .reveal(let step, _, _):
      if let commit = place(of: step.node) { reveals.append(position, at: commit) }
    case .undoRequest, .drawOffer, .claim: asks[graph.id(node - 1), default: []].append(position)
    case .drawDecline(let offer): drawDeclines[offer, default: []].append(position)
    case .result(let game, _, _):
      results[Int(game), default: []].append(position)
      if let at = signedGames.firstIndex(where: { $0 >= Int(game) }) {
        if signedGames[at] != Int(game) { signedGames.insert(Int(game), at: at) }
      } else {
        signedGames.append(Int(game))
      }
    default: steps.append(position, at: node)
    }
    return node
  }

  /// The place of the node that an event names, directly or through a commit, request, offer or claim, when all of it
  /// is in the event's past. A leaving from before the start names none.
  private func foundation(of event: Event, at position: Int) -> Int? {
    switch event.action {
    case .leave(.none): return 0
    case .undoAccept(let named), .ruling(let named), .drawDecline(let named), .drawAccept(_, let named):
      guard founded(named, of: position) != nil else { return nil }
    case .reveal(let step, _, _):
      guard let commit = founded(step.node, of: position), graph.events[commit].author == event.author
      else { return nil }
    case .result(_, let node, _): return past(node, of: position).map { $0 + 1 }
    default: break
    }
    return node(of: event).flatMap { past($0, of: position) }.map { $0 + 1 }
  }

  /// The position of an event that another one names, when it is in that one's past.
  private func past(_ named: EventID, of position: Int) -> Int? {
    graph.position(of: named).flatMap { graph.isInPast($0, of: position) ? $0 : nil }
  }

  /// The same of an event that itself names what is in its past.
  private func founded(_ named: EventID, of position: Int) -> Int? {
    past(named, of: position).flatMap { unfounded.contains($0) ? nil : $0 }
  }

  /// Positions in the order of their events' sequences, of equal ones in that of ids.
  func inFeedOrder(_ positions: [Int]) -> [Int] {
    guard positions.count > 1 else { return positions }
    // A closure that named the graph would copy it.
    var keys: [(sequence: UInt64, id: EventID, position: Int)] = []
    keys.reserveCapacity(positions.count)
    for position in positions { keys.append((graph.sequence(position), graph.id(position), position)) }
    keys.sort { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
    return keys.map(\.position)
  }

  func event(_ position: Int) -> Event { graph.events[position] }
  func author(_ position: Int) -> PeerID { graph.events[position].author }
  func kind(_ position: Int) -> Kind? { graph.events[position].kind }
  func id(_ position: Int) -> EventID { graph.events[position].id }

  /// The node that a step stands on, through the request, offer, claim or commit that it names.
  func node(of event: Event) -> EventID? {
    switch event.action {
    case .move(let step, _, _), .commit(let step, _): return step.node
    case .resign(let node), .leave(let node), .undoRequest(let node, _), .claim(let node, _),
      .drawOffer(let node), .drawAccept(let node, _):
      return node
    case .drawDecline(let offer):
      guard let offered = graph.event(offer), case .drawOffer(let node) = offered.action else { return nil }
      return node
    case .undoAccept(let request):
      guard let asked = graph.event(request), case .undoRequest(let node, _) = asked.action else {
        return nil
      }
      return node
    case .ruling(let claim):
      guard let claimed = graph.event(claim), case .claim(let node, _) = claimed.action else { return nil }
      return node
    case .reveal(let step, _, _):
      guard let commit = graph.event(step.node), case .commit(let at, _) = commit.action else { return nil }
      return at.node
    default: return nil
    }
  }

  /// The game that a move, commit or reveal says it belongs to.
  func game(of position: Int) -> Int? {
    switch graph.events[position].action {
    case .move(let step, _, _), .commit(let step, _), .reveal(let step, _, _): Int(step.game)
    default: nil
    }
  }

  /// Whether the author of an event had written a step of a later game before it. What breaks the protocol in
  /// a game that its author knew to be over changes nothing any more.
  func hasMovedOn(_ position: Int, beyond game: Int) -> Bool {
    var place = position
    while let previous = graph.previous(place) {
      if let other = self.game(of: previous), other > game { return true }
      place = previous
    }
    return false
  }

  /// Whether a leaving withdraws a request: it does when it came after it. The creator's own seat has none.
  func isLeaving(_ position: Int, after request: Int?) -> Bool {
    kind(position) == .leave && (request.map { graph.isInPast($0, of: position) } ?? true)
  }
}
