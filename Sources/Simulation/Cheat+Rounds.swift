import BotKit
import EventLog
package import Events
package import Peer
import Projection
import Rules

/// Frauds in rounds: each is written well-formed and signed, with the own key alone, and noted.
extension Cheat {
  /// Commits a fraud in a room, if there is a round for one.
  /// - Parameter elapsed: since when a round is open, by its host's clock, in milliseconds; `nil` where that is not
  ///   known, and for everybody else.
  package mutating func defraudRound(
    in room: RoomID, elapsed: (EventID) -> UInt64?, _ core: inout PeerCore
  ) throws(PeerError) {
    guard let state = core.state(of: room) else { return }
    if let hosted = state.hosted {
      guard state.isUnderWay, let round = hosted.round else { return }
      if state.creator == id {
        try defraudAsHost(round, hosted, state, elapsed: elapsed(round.opening), &core)
      } else {
        try defraudAsPlayer(round, hosted, state, &core)
      }
    } else if state.phase == .waiting {
      try openOtherDraw(state, &core)
    } else if state.turn?.isRound == true, let seat = state.seat(of: id) {
      try defraudAsSeat(seat, state, &core)
    }
  }

  func event(_ id: EventID, in room: RoomID, _ core: inout PeerCore) -> Event? {
    core.withLog(of: room) { log in log.position(of: id).map { log.graph.events[$0] } } ?? nil
  }

  // MARK: - Seats

  private mutating func defraudAsSeat(
    _ seat: Seat, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    guard state.playing.contains(seat) else { return }
    let own = state.round.commit(of: seat)
    let others = state.round.commits.filter { $0 != own }
    guard let own else { return try copy(others, state, &core) }
    guard let commit = event(own, in: state.room, &core),
      case .commit(let step, let commitment) = commit.action
    else { return }
    let at = Action.Step(game: step.game, ply: step.ply, node: own)
    if state.round.committed < state.playing.count, random.oneIn(2) {
      let salt = Digest(Bytes32(random.bytes(32), at: 0))
      let other = Commitments.choice(
        UInt32(random.below(4)), salt: salt, room: state.room, game: step.game, round: step.ply,
        seat: seat.rawValue, author: id)
      return try write(
        .secondCommitment, .commit(step, commitment: other), in: state.room, &core)
    }
    guard state.round.reveal(of: seat) == nil else { return }
    let salt = Digest(
      signer.salt(
        room: state.room, game: step.game, round: step.ply, seat: seat.rawValue, sequence: commit.sequence))
    let choice = (0..<16 as Range<UInt32>).first { choice in
      commitment
        == Commitments.choice(
          choice, salt: salt, room: state.room, game: step.game, round: step.ply, seat: seat.rawValue,
          author: id)
    }
    guard let choice else { return try openCopied(commitment, at, others, state, &core) }
    if state.round.committed < state.playing.count {
      try write(.earlyOpening, .reveal(at, choice: choice, salt: salt), in: state.room, &core)
    } else if random.oneIn(2) {
      let other = choice ^ 1
      try write(.otherOpening, .reveal(at, choice: other, salt: salt), in: state.room, &core)
    } else {
      let other = Digest(Bytes32(random.bytes(32), at: 0))
      try write(.otherSalt, .reveal(at, choice: choice, salt: other), in: state.room, &core)
    }
  }

  /// Commits to what somebody else is bound to.
  private mutating func copy(
    _ commits: [EventID], _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    guard let copied = random.pick(commits), let commit = event(copied, in: state.room, &core),
      case .commit(let step, let commitment) = commit.action
    else { return }
    try write(
      .copiedCommitment, .commit(step, commitment: commitment), citing: [copied], in: state.room, &core)
  }

  /// Opens a copied commitment as its author has.
  private mutating func openCopied(
    _ commitment: Digest, _ at: Action.Step, _ others: [EventID], _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    for reveal in state.round.reveals.sorted() {
      guard case .reveal(let step, let choice, let salt)? = event(reveal, in: state.room, &core)?.action,
        others.contains(step.node),
        case .commit(_, commitment)? = event(step.node, in: state.room, &core)?.action
      else { continue }
      return try write(
        .otherOpening, .reveal(at, choice: choice, salt: salt), in: state.room, &core)
    }
  }

  /// Opens another share of the draw of who starts than it is bound to; sometimes its own behind it.
  private mutating func openOtherDraw(_ state: RoomState, _ core: inout PeerCore) throws(PeerError) {
    guard state.create.starter == .jointDraw, state.seat(of: id) != nil,
      state.seats.allSatisfy({ $0?.isReady ?? false }),
      core.withLog(
        of: state.room,
        { log in
          (log.feed(id)?.positions ?? []).contains { log.graph.events[$0].kind == .draw }
        }) == false
    else { return }
    let other = Digest(Bytes32(random.bytes(32), at: 0))
    try write(.otherDraw, .draw(nonce: other), in: state.room, &core)
    guard random.oneIn(2) else { return }
    let own = signer.salt(room: state.room, game: .max, round: .max, seat: Create.noSeat, sequence: 0)
    _ = try core.write(.draw(nonce: Digest(own)), in: state.room)
  }
}
