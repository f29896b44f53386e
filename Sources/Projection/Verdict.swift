public import Events
import Rules

/// Whether an event of the log has an effect, and if not, why.
public enum Verdict: UInt8, Hashable, Sendable, CaseIterable {
  /// It has its effect.
  case effective
  /// Its author's feed is forked before it, and nobody else's events rest on it.
  case forkedFeed
  /// The room is of another kind, or its rules are not known here.
  case wrongRoom
  /// The request, grant, ready, draw or start came too late, or without what it needs in its past.
  case lobbyWithoutEffect
  /// The author holds no seat, or not the one that may do this.
  case notEntitled
  /// Play has not started.
  case notStarted
  /// What it stands on is not on the line, or not in its past.
  case offLine
  /// It is for another game, ply or round.
  case wrongRound
  /// It is another seat's turn.
  case notYourTurn
  /// The rules do not allow the move.
  case illegal
  /// The reveal does not open its commit.
  case doesNotOpen
  /// Something else on the same node was taken: it was there first, or comes first by the order at one node.
  case superseded
  /// The result is not what the line says.
  case wrongResult
  /// Nobody has answered the request or claim.
  case unanswered
  /// Nothing could follow any more.
  case over
  /// The room is for invited peers, and the peer that it seats had not been invited.
  case notInvited
  /// As many peers as a room may have were invited before it.
  case overLimit
  /// Its kind is not known here, or its payload cannot be read.
  case unreadable
  /// The room does not admit its author: a bot where none may sit, or a person where only bots do.
  case notAdmitted
  /// Its author had said the same as often as it counts.
  case surplus

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
    case .over: "the series was over"
    case .notInvited: "its peer had not been invited to this room"
    case .overLimit: "the room's limit was reached before it"
    case .unreadable: "this program cannot read what it says"
    case .notAdmitted: "the room's policy of bots does not admit its author"
    case .surplus: "its author had said the same too often before"
    }
  }
}

extension RoomProjection {
  /// The verdict on every event, in the order in which they were applied.
  public mutating func verdicts() -> [(event: EventID, verdict: Verdict)] {
    let derived = derived
    var signed: Set<Int> = []
    if let table = derived.line?.table {
      for game in derived.facts.signedGames {
        signed.formUnion(Agreement.resultOfEachSeat(game: game, table, derived.facts))
      }
    }
    return derived.facts.graph.events.indices.map { position in
      (derived.facts.id(position), verdict(on: position, derived, firstResults: signed))
    }
  }

  private func verdict(on position: Int, _ derived: Derivation, firstResults: Set<Int>) -> Verdict {
    let facts = derived.facts
    let event = facts.event(position)
    guard derived.anchors?.isAnchored(position, facts.graph) ?? true else { return .forkedFeed }
    guard facts.isReadable(event) else { return .unreadable }
    if let hosted = derived.hosted, event.kind != .invite { return hosted.rejected[position] ?? .effective }
    guard !facts.surplus.contains(position) else { return .surplus }
    switch event.kind {
    case nil: return .unreadable
    case .create: return .effective
    case .chat:
      return event.sequence < facts.graph.forks[event.author] ?? .max ? .effective : .forkedFeed
    case .request, .grant, .ready, .draw, .start: return lobbyVerdict(on: position, derived)
    case .invite:
      return event.author == creator ? facts.invitations.verdict(on: position, facts.graph) : .notEntitled
    case .pairingResult, .disqualify, .revoke:
      guard isTournament else { return .wrongRoom }
      if event.author != creator || event.kind == .disqualify && derived.roster.isSeated(creator) {
        return .notEntitled
      }
      return derived.words.used.contains(event.id) ? .effective : .superseded
    case .leave where isTournament || isFromWaitingRoom(position, derived):
      return leaveVerdict(on: position, derived)
    case .joinProof, .joinRefusal, .roundOpen, .entry, .receipts, .roundClose, .settle, .entryProof, .carry,
      .marks:
      return .wrongRoom
    default:
      if isTournament || !derived.hasRules { return .wrongRoom }
      if derived.roster.used.contains(position) { return .effective }
      guard let line = derived.line else { return .notStarted }
      return line.verdict(on: position, facts, firstResults: firstResults)
    }
  }

  private func lobbyVerdict(on position: Int, _ derived: Derivation) -> Verdict {
    let facts = derived.facts
    switch facts.kind(position) {
    case .request:
      if facts.author(position) == creator { return .notEntitled }
      let isLate = derived.roster.start.map { facts.graph.isInPast($0.position, of: position) } ?? false
      if isLate, !derived.roster.startedWithPlaces { return .lobbyWithoutEffect }
      return derived.roster.isAdmitted(position, facts) ? .effective : .notAdmitted
    case .ready, .draw:
      if isTournament, !create.drawsSeeds { return .wrongRoom }
      if derived.roster.used.contains(position) { return .effective }
      let isSeated = derived.roster.isSeated(facts.author(position))
      return isSeated ? .lobbyWithoutEffect : .notEntitled
    default:
      if derived.roster.used.contains(position) { return .effective }
      guard facts.author(position) == creator else { return .notEntitled }
      return derived.roster.isOfUninvited(position, facts) ? .notInvited : .lobbyWithoutEffect
    }
  }

  /// Whether a leaving is no step of the line: nothing has started, or its author holds no seat.
  private func isFromWaitingRoom(_ position: Int, _ derived: Derivation) -> Bool {
    guard let line = derived.line else { return true }
    return line.table.seat(of: derived.facts.author(position)) == nil
  }

  /// A leaving without a line of play: it takes back a seat or the wish for one, or closes the room.
  private func leaveVerdict(on position: Int, _ derived: Derivation) -> Verdict {
    let facts = derived.facts
    guard case .leave(let node) = facts.event(position).action, isTournament || node == .none else {
      return .offLine
    }
    let author = facts.author(position)
    let hasAsked = facts.lobby(of: author, .request).contains { facts.graph.isInPast($0, of: position) }
    let isHost = author == creator && (derived.roster.start == nil || isTournament)
    return hasAsked || isHost ? .effective : .notEntitled
  }
}

extension Line {
  /// Why an event of play has no effect, or that it has one.
  /// - Parameter firstResults: the positions of each seat's first result of each game.
  fileprivate func verdict(on position: Int, _ facts: Facts, firstResults: Set<Int>) -> Verdict {
    let event = facts.event(position)
    if isUsed(position) || round.has(position) { return .effective }
    guard isEntitled(event) else { return .notEntitled }
    guard !facts.unfounded.contains(position) else { return .offLine }
    if case .result(let game, let ending, let scores) = event.action {
      guard games.indices.contains(Int(game)), let held = games[Int(game)].ending,
        held.node == ending, held.outcome?.scores == scores
      else { return .wrongResult }
      return firstResults.contains(position) ? .effective : .superseded
    }
    guard let node = facts.node(of: event),
      let place = node == .none
        ? place(of: table.startPosition) : facts.graph.position(of: node).flatMap({ place(of: $0) })
    else { return .offLine }
    switch event.action {
    case .undoRequest, .drawOffer, .claim: return .unanswered
    case .drawDecline(let offer):
      let offerer = facts.graph.event(offer).flatMap { table.seat(of: $0.author) }
      return offerer != nil && offerer != table.seat(of: event.author) ? .effective : .superseded
    case .move(let step, let code, _):
      guard isAt(place, step) else { return .wrongRound }
      return moveVerdict(MoveCode(code), of: event.author, at: node, place, facts)
    case .commit(let step, _):
      guard isAt(place, step) else { return .wrongRound }
      return after(node) ?? (isRound(at: place) ? .superseded : .illegal)
    case .reveal(let step, let choice, let salt):
      guard isAt(place, step) else { return .wrongRound }
      return opens(step, choice, salt, by: event.author, facts) ? .superseded : .doesNotOpen
    default: return after(node) ?? .superseded
    }
  }

  /// Who may write an event of this kind in a room of these seats.
  private func isEntitled(_ event: Event) -> Bool {
    switch event.kind {
    case .ruling: event.author == table.referee
    case .commit, .reveal: seatNumber(of: event.author) != nil
    case .undoRequest, .undoAccept:
      table.seat(of: event.author) != nil && table.create.allowsUndo && table.peers.count == 2
        && !isSimultaneous
    case .drawOffer, .drawAccept, .drawDecline:
      table.seat(of: event.author) != nil && table.peers.count == 2 && !isSimultaneous
        && table.rules.definition.canBeDrawn
    default: table.seat(of: event.author) != nil
    }
  }

  private func opens(
    _ step: Action.Step, _ choice: UInt32, _ salt: Digest, by author: PeerID, _ facts: Facts
  ) -> Bool {
    guard let seat = seatNumber(of: author), let commit = facts.graph.event(step.node),
      case .commit(_, let commitment) = commit.action, seat != Create.noSeat || choice == 0
    else { return false }
    return commitment
      == Commitments.choice(
        choice, salt: salt, room: table.room, game: step.game, round: step.ply, seat: seat,
        author: author)
  }

  /// The number with which a peer commits in rounds: its seat's; of a referee that has a share in chance that of none.
  private func seatNumber(of author: PeerID) -> UInt16? {
    if let seat = table.seat(of: author) { return seat.rawValue }
    return author == table.referee && game.state.usesChance ? Create.noSeat : nil
  }

  /// Whether the game begins with choices that are made together: then nothing is taken back or offered in it.
  private var isSimultaneous: Bool { !table.rules.start(first: table.first).turn.choosing.isEmpty }

  private func isRound(at place: (game: Int, ply: Int)) -> Bool {
    guard games.indices.contains(place.game), place.ply <= games[place.game].plies.count else { return false }
    return replayed(games[place.game], plies: place.ply).turn.isRound
  }

  /// `over` for what stands on the last node of a series that is over.
  private func after(_ node: EventID) -> Verdict? { isOver && node == tip ? .over : nil }

  private func isAt(_ place: (game: Int, ply: Int), _ step: Action.Step) -> Bool {
    Int(step.game) == place.game && Int(step.ply) == place.ply
  }

  /// Whose turn it is in an open round, where it stands on a node: the next seat after the one whose choice that is.
  private func chooser(
    of choosing: SeatSet, at node: EventID, _ place: (game: Int, ply: Int), _ facts: Facts
  ) -> Seat? {
    guard let event = facts.graph.event(node), case .move(let step, _, _) = event.action, isAt(place, step),
      let seat = table.seat(of: event.author)
    else { return choosing.first }
    return choosing.first { $0 > seat }
  }

  /// Why a move that is not on the line had no effect at its place.
  private func moveVerdict(
    _ code: MoveCode, of author: PeerID, at node: EventID, _ place: (game: Int, ply: Int), _ facts: Facts
  ) -> Verdict {
    guard let seat = table.seat(of: author), games.indices.contains(place.game),
      place.ply <= games[place.game].plies.count
    else { return .superseded }
    let state = replayed(games[place.game], plies: place.ply)
    switch state.turn {
    case .seat(seat): return state.isLegal(code, by: seat) ? .superseded : .illegal
    case .seat: return .notYourTurn
    case .round(let choosing):
      guard games[place.game].hasOpenRounds else { return .illegal }
      guard seat == chooser(of: choosing, at: node, place, facts) else { return .notYourTurn }
      return state.mayOpen(code, by: seat) ? .superseded : .illegal
    case .over: return after(node) ?? .superseded
    }
  }
}
