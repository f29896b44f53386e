public import Events
import Rules

/// Whether an event of the log has an effect, and if not, why.
public enum Verdict: UInt8, Hashable, Sendable, CaseIterable {
  case effective
  /// Its author's feed is forked before it, and nobody else's events rest on it.
  case forkedFeed
  /// The room is of another kind, or its rules are not known here.
  case wrongRoom
  /// The grant, ready, draw or start came too late, or without what it needs in its past.
  case lobbyWithoutEffect
  /// The author holds no seat, or not the one that may do this.
  case notEntitled
  /// Play has not started.
  case notStarted
  /// What it stands on is not on the line.
  case offLine
  /// It is for another game, ply or round.
  case wrongRound
  /// It is another seat's turn.
  case notYourTurn
  /// The rules do not allow the move.
  case illegal
  /// The reveal does not open its commit, or a second one does.
  case doesNotOpen
  /// Something else on the same node was taken: it was there first, or comes first by the order at one node.
  case superseded
  /// The result is not what the line says.
  case wrongResult
  /// Nobody has answered the request or claim.
  case unanswered

  /// The reason in words.
  public var words: String {
    switch self {
    case .effective: "has its effect"
    case .forkedFeed: "its author's feed is forked"
    case .wrongRoom: "not an event of this kind of room"
    case .lobbyWithoutEffect: "too late, or without what it needs before it"
    case .notEntitled: "its author may not do this here"
    case .notStarted: "play had not started"
    case .offLine: "it stands on something that is not on the line of play"
    case .wrongRound: "it is for another game, ply or round"
    case .notYourTurn: "it was another seat's turn"
    case .illegal: "the rules do not allow it"
    case .doesNotOpen: "it does not open what was committed"
    case .superseded: "something else came first in its place"
    case .wrongResult: "the result is not what the moves say"
    case .unanswered: "it was not answered"
    }
  }
}

extension RoomProjection {
  /// The verdict on every event, in the order in which they were applied.
  public mutating func verdicts() -> [(event: EventID, verdict: Verdict)] {
    let (facts, roster, line) = derived
    let anchored = facts.graph.anchored()
    return facts.graph.events.indices.map { position in
      let event = facts.event(position)
      let verdict =
        (anchored?[position] ?? true)
        ? Self.verdict(position, facts, roster, line, isTournament: isTournament) : .forkedFeed
      return (event.id, verdict)
    }
  }

  var isTournament: Bool {
    if case .tournament = create.purpose { true } else { false }
  }

  private static func verdict(
    _ position: Int, _ facts: Facts, _ roster: Roster, _ line: Line?, isTournament: Bool
  ) -> Verdict {
    let event = facts.event(position)
    switch event.kind {
    case .create, .chat, .request: return .effective
    case .grant, .start: return roster.used.contains(position) ? .effective : .lobbyWithoutEffect
    case .ready, .draw:
      if isTournament { return .wrongRoom }
      return roster.used.contains(position) ? .effective : .lobbyWithoutEffect
    case .pairingResult: return isTournament ? .effective : .wrongRoom
    case .leave where line == nil: return .effective
    default:
      if isTournament { return .wrongRoom }
      guard let line else { return .notStarted }
      return play(position, facts, line)
    }
  }

  private static func play(_ position: Int, _ facts: Facts, _ line: Line) -> Verdict {
    let event = facts.event(position)
    if line.nodes[event.id] != nil || line.used.contains(event.id) { return .effective }
    if line.round.commits.values.contains(event.id) || line.round.reveals.values.contains(event.id) {
      return .effective
    }
    let seat = line.table.seat(of: event.author)
    guard seat != nil || (event.kind == .ruling && event.author == line.table.create.referee) else {
      return .notEntitled
    }
    if case .result(let game, let ending, let scores) = event.action {
      guard line.games.indices.contains(Int(game)), let held = line.games[Int(game)].ending,
        held.node == ending, held.outcome?.scores == scores
      else { return .wrongResult }
      return .effective
    }
    guard var node = facts.node(of: event) else { return .offLine }
    if node == .none { node = line.table.start }
    guard let place = line.nodes[node] else { return .offLine }
    switch event.action {
    case .undoRequest, .claim: return .unanswered
    case .move(let step, let code, _):
      guard Int(step.game) == place.game, Int(step.ply) == place.ply else { return .wrongRound }
      return line.moveVerdict(MoveCode(code), by: seat, game: place.game, ply: place.ply)
    case .commit(let step, _):
      return Int(step.game) == place.game && Int(step.ply) == place.ply ? .superseded : .wrongRound
    case .reveal(let step, _, _):
      return Int(step.game) == place.game && Int(step.ply) == place.ply ? .doesNotOpen : .wrongRound
    default: return .superseded
    }
  }
}

extension Line {
  /// Why a move that is not on the line had no effect at its place.
  fileprivate func moveVerdict(_ code: MoveCode, by seat: Seat?, game: Int, ply: Int) -> Verdict {
    guard let seat, games.indices.contains(game), ply <= games[game].plies.count else { return .superseded }
    switch replayed(games[game], plies: ply).turn {
    case .seat(seat):
      return replayed(games[game], plies: ply).isLegal(code, by: seat) ? .superseded : .illegal
    case .seat: return .notYourTurn
    case .everyone: return .illegal
    case .over: return .superseded
    }
  }
}
