import Events
import Rules

/// A room's events, indexed by what they name; the input of everything that is derived.
struct Facts: Sendable {
  let catalog: GameCatalog
  private(set) var graph = CausalGraph()
  /// Steps by the node that they stand on: moves, commits, resignations, leavings, accepts, rulings.
  private(set) var steps: [EventID: [Int]] = [:]
  /// Reveals by the commit that they open.
  private(set) var reveals: [EventID: [Int]] = [:]
  /// Positions of events of each kind of the waiting room: requests, grants, readies, draws, starts,
  /// leavings.
  private(set) var lobby: [Int] = []
  /// Results, by position.
  private(set) var results: [Int] = []
  /// Positions of chat.
  private(set) var chat: [Int] = []
  /// Take-back requests and claims, by the node that they name.
  private(set) var asks: [EventID: [Int]] = [:]

  init(catalog: GameCatalog) { self.catalog = catalog }

  /// Adds an event.
  /// - Returns: its position, or `nil` when it is here already.
  mutating func add(_ event: Event) -> Int? {
    guard let position = graph.add(event) else { return nil }
    switch event.action {
    case .request, .grant, .ready, .draw, .start: lobby.append(position)
    case .move(let step, _, _), .commit(let step, _): steps[step.node, default: []].append(position)
    case .reveal(let step, _, _): reveals[step.node, default: []].append(position)
    case .resign(let node): steps[node, default: []].append(position)
    case .leave(let node):
      lobby.append(position)
      steps[node, default: []].append(position)
    case .undoRequest(let node, _), .claim(let node, _): asks[node, default: []].append(position)
    case .undoAccept, .ruling:
      if let node = node(of: event) { steps[node, default: []].append(position) }
    case .result: results.append(position)
    case .chat: chat.append(position)
    case .create, .pairingResult: break
    }
    return position
  }

  func event(_ position: Int) -> Event { graph.events[position] }

  /// The node that a step stands on, through the request, claim or commit that it names.
  func node(of event: Event) -> EventID? {
    switch event.action {
    case .move(let step, _, _), .commit(let step, _): return step.node
    case .resign(let node), .leave(let node), .undoRequest(let node, _), .claim(let node, _): return node
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
}
