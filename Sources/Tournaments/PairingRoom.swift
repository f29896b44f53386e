package import Events
package import Projection
package import Rules

/// The room of a pairing's games: as it is held, and as it was where a word of the organizer's rests on it.
///
/// It keeps nothing of the moves, so that a tournament's rooms can be held in memory together.
package struct PairingRoom: Sendable {
  /// What a room's state is to a tournament.
  package struct Told: Sendable {
    let room: RoomID
    let create: Create
    let creator: PeerID
    let createdAt: UInt64
    /// Who sits where, by seat; `nil` for a free one.
    let seats: [PeerID?]
    let participants: [PeerID]
    let isKnown: Bool
    /// The scores of the games that are over, in order, up to the first that is not or has none.
    let endedScores: [[Int32]]
    /// The same, where all games are over and every seat has signed them all.
    private let signed: [[Int32]]?

    init(_ state: RoomState) {
      (room, create, creator, createdAt) = (state.room, state.create, state.creator, state.createdAt)
      seats = state.seats.map { $0?.peer }
      participants = state.participants
      isKnown = state.phase.isKnown
      endedScores = state.endedScores
      let isSigned = state.games.count == endedScores.count && state.games.allSatisfy(\.isAgreed)
      signed = isSigned ? endedScores : nil
    }

    /// The scores of so many games when every seat has signed them all; `nil` otherwise.
    func signedScores(of count: Int) -> [[Int32]]? { signed?.count == count ? signed : nil }
  }

  /// What the room was at the heads that a word names.
  package enum Past: Sendable {
    /// In this state.
    case held(Told)
    /// Nobody here can say: this head is not held, of a feed that ends before it or is forked. What the room was at the
    /// other heads goes with it where nobody who sits in it wrote one that is not held: what the seats had signed there
    /// they had signed in the word's past, whatever else is in it.
    case missing(Action.PairingResult.Head, rest: Told?)
    /// Nothing that anybody wrote: the feed has another event in the place of this head.
    case invented(Action.PairingResult.Head)
  }

  /// The state of all events that are held.
  package let state: Told
  /// What it was at the heads.
  package let past: Past

  /// A room as it is held, of which nothing else is asked.
  package init(_ state: RoomState) {
    self.state = Told(state)
    past = .held(self.state)
  }

  /// A room of which the heads are exactly what is held; `nil` when they are not.
  package init?(_ state: RoomState, _ clock: VectorClock, heads: [Action.PairingResult.Head]) {
    let isWhole =
      clock.entries.count == heads.count
      && zip(clock.entries, heads).allSatisfy { entry, head in
        !entry.isForked && entry.author == head.author && entry.sequence == head.sequence
          && entry.head == head.event
      }
    guard isWhole else { return nil }
    self.init(state)
  }

  /// A room of these events; `nil` when they do not begin with its `create`.
  package init?(_ graph: CausalGraph, heads: [Action.PairingResult.Head], _ catalog: GameCatalog) {
    guard var projection = RoomProjection(graph, catalog: catalog) else { return nil }
    state = Told(projection.state)
    past = Self.past(of: heads, in: graph, seats: state.seats, catalog)
  }

  private static func past(
    of heads: [Action.PairingResult.Head], in graph: CausalGraph, seats: [PeerID?], _ catalog: GameCatalog
  ) -> Past {
    var isSeen = [Bool](repeating: false, count: graph.events.count)
    isSeen[0] = true
    var missing: [Action.PairingResult.Head] = []
    for head in heads {
      guard let position = graph.position(of: head.event) else {
        if isTaken(head, in: graph) { return .invented(head) }
        missing.append(head)
        continue
      }
      let event = graph.events[position]
      guard event.author == head.author, event.sequence == head.sequence else { return .invented(head) }
      let past = graph.past(of: position)
      for at in 0...position where at == position || past.contains(at) { isSeen[at] = true }
    }
    if let first = missing.first, missing.contains(where: { seats.contains($0.author) }) {
      return .missing(first, rest: nil)
    }
    let seen = CausalGraph(graph.events.indices.filter { isSeen[$0] }.map { graph.events[$0] })
    guard var projection = RoomProjection(seen, catalog: catalog) else {
      preconditionFailure("a room begins with its create")
    }
    let told = Told(projection.state)
    return missing.first.map { .missing($0, rest: told) } ?? .held(told)
  }

  /// Whether a feed without a fork has an event in the place of a head that is not here.
  private static func isTaken(_ head: Action.PairingResult.Head, in graph: CausalGraph) -> Bool {
    graph.forks[head.author] == nil && graph.feed(of: head.author)?.last ?? 0 >= head.sequence
  }
}

extension RoomState {
  /// The scores of the games that are over, in order, up to the first that is not or has none.
  package var endedScores: [[Int32]] {
    Array(games.map { $0.ending?.outcome?.scores ?? [] }.prefix { $0.count == 2 })
  }
}
