import BotKit
package import EventLog
package import Events
import Peer
package import Projection
import Rules

/// What must hold of a room's rounds on an honest peer, whoever has cheated in them.
package struct RoundChecks {
  /// Who looks, and who shares the room with it: what one of these writes the others have at the end.
  let viewer: PeerID
  let sharers: Set<PeerID>
  /// Whose keys are those of honest peers, and what they sign and salt with.
  let honestKeys: [PeerID: any Signer]
  package let state: RoomState
  let log: RoomLog
  /// The verdict on each event.
  let verdicts: [EventID: Verdict]
  /// Whether the viewer may write into the room: it knows how far its own feed went.
  let mayWrite: Bool

  /// The most that an answer is worth that came after the close.
  private static let limitLatePoints: UInt32 = 100

  /// The state and the verdicts that a projection gives.
  package init(
    _ projection: inout RoomProjection, _ log: RoomLog, viewer: PeerID, sharers: Set<PeerID>,
    honestKeys: [PeerID: any Signer], mayWrite: Bool
  ) {
    self.viewer = viewer
    self.sharers = sharers
    state = projection.state
    var verdicts: [EventID: Verdict] = [:]
    for (event, verdict) in projection.verdicts() { verdicts[event] = verdict }
    self.verdicts = verdicts
    self.log = log
    self.honestKeys = honestKeys
    self.mayWrite = mayWrite
  }

  // MARK: - Frauds

  /// Why a fraud is neither prevented nor pinned on who committed it, in words; `nil` where it is, and where nothing of
  /// it is here.
  package func fault(of fraud: RoundFraud) -> String? {
    guard let verdict = verdicts[fraud.event], verdict != .forkedFeed, let event = event(fraud.event) else {
      return nil
    }
    let words = "\(fraud.kind.rawValue) \(fraud.event.short) of \(event.author.short)"
    switch fraud.kind {
    case .copiedCommitment: return opens(fraud.event) ? "\(words) was opened" : nil
    case .secondCommitment, .earlyOpening, .otherOpening, .otherSalt, .otherDraw:
      return verdict != .effective || isOffence(event) ? nil : "\(words) has an effect"
    case .copiedAnswer, .unreadableAnswer:
      return entry(fraud.event).map { $0.choice != nil || $0.points > 0 } == true
        ? "\(words) counts as an answer" : nil
    case .falseProof, .hostsWord, .secondAnswerTaken, .answerAfterSolution:
      return verdict == .effective ? "\(words) has an effect" : nil
    case .secondAnswer:
      return isHonest(state.creator) && entry(fraud.event) != nil ? "\(words) is acknowledged" : nil
    case .lateAnswer: return lateFault(of: event, opening: fraud.about, words)
    case .lateAnswerTaken:
      let entries = (0..<event.parentCount).compactMap { entry(event.parent($0)) }
      return entries.contains { $0.points > 0 } ? "\(words) is worth points" : nil
    case .otherSolution: return isPinned(.wrongSolution(opening: fraud.about)) ? nil : "\(words) is not shown"
    case .toldAnother:
      let rounds = state.hosted?.rounds ?? []
      let isOpened = rounds.contains { $0.opening == fraud.event && $0.solution != nil }
      return !isOpened || isPinned(.toldAnother(opening: fraud.event)) ? nil : "\(words) is not shown"
    case .wrongMark:
      let round = state.hosted?.rounds.first { $0.entries.contains { $0.event == fraud.about } }
      guard verdict == .effective, round?.phase == .settled, !isPinned(.wrongMark(fraud.about)) else {
        return nil
      }
      return "\(words) is not shown"
    case .otherAnswer: return isPinned(.wrongEntry(fraud.about)) ? nil : "\(words) is not shown"
    case .deniedAnswer:
      let author = self.event(fraud.about)?.author
      guard let author, isHonest(author), sharers.contains(author), !isPinned(.deniedEntry(fraud.about))
      else { return nil }
      return "\(words) is not shown"
    case .leftOutAnswer:
      return entry(fraud.about) == nil ? "\(words) took an answer away" : nil
    }
  }

  private func isHonest(_ peer: PeerID) -> Bool { honestKeys[peer] != nil }

  private func event(_ id: EventID) -> Event? { log.position(of: id).map { log.graph.events[$0] } }

  /// Whether a commitment of a seat was opened with effect.
  private func opens(_ commit: EventID) -> Bool {
    log.graph.events.contains { event in
      guard case .reveal(let step, _, _) = event.action else { return false }
      return step.node == commit && verdicts[event.id] == .effective && !isOffence(event)
    }
  }

  /// Whether an event counts as its author's offence, and as nobody else's.
  private func isOffence(_ event: Event) -> Bool {
    guard let seat = state.seat(of: event.author) else { return false }
    // A forked feed is worse, and loses the game that is on.
    if state.forked.contains(event.author) { return true }
    return state.games.contains { game in
      (game.ending?.cause == .offence(seat) && game.ending?.node == event.id)
        || game.dropOuts.contains { $0.seat == seat && $0.cause == .offence(seat) && $0.event == event.id }
    }
  }

  /// An acknowledged entry.
  private func entry(_ id: EventID) -> HostedState.Entry? {
    for round in state.hosted?.rounds ?? [] {
      if let entry = round.entries.first(where: { $0.event == id }) { return entry }
    }
    return nil
  }

  private func isPinned(_ fault: HostedState.Fault) -> Bool { state.hosted?.faults.contains(fault) == true }

  /// What came after the close is worth little, and what came after the solution nothing.
  private func lateFault(of event: Event, opening: EventID, _ words: String) -> String? {
    guard let entry = entry(event.id), let position = log.position(of: event.id) else { return nil }
    let hasSeenSolution = log.graph.events.contains { other in
      guard case .hosted(.settle(let settlement)) = other.action, settlement.opening == opening,
        verdicts[other.id] == .effective, let at = log.position(of: other.id)
      else { return false }
      return log.graph.isInPast(at, of: position)
    }
    if hasSeenSolution { return "\(words) counts though its author had seen the solution" }
    return isHonest(state.creator) && entry.points > Self.limitLatePoints
      ? "\(words) is worth \(entry.points) points" : nil
  }

  // MARK: - Everything

  /// Honest keys that something is pinned on, in words.
  package var convictions: [String] {
    var words: [String] = []
    if let faults = state.hosted?.faults, !faults.isEmpty, isHonest(state.creator) {
      words.append("the honest host is said to have cheated: \(faults)")
    }
    for game in state.games {
      let causes = [game.ending?.cause].compactMap(\.self) + game.dropOuts.map(\.cause)
      for case .offence(let seat) in causes where isHonest(seat) {
        words.append("honest \(seat) is said to have broken the rules of game \(game.number)")
      }
    }
    return words
  }

  private func isHonest(_ seat: Seat) -> Bool {
    state.seats.indices.contains(seat.index) && state.seats[seat.index].map { isHonest($0.peer) } == true
  }

  /// Rounds that are not what their events say, in words.
  package var unfairRounds: [String] {
    (state.hosted?.rounds ?? []).flatMap(faults(of:)) + unfairDraws
      + (isSilent ? ["it owes an opening that it never gave"] : [])
  }

  private func faults(of round: HostedState.Round) -> [String] {
    guard let hosted = state.hosted, let rules = hosted.rules else { return [] }
    var words: [String] = []
    let place = "round \(round.opening.short)"
    if round.phase == .settled, rules.isSealed, round.opened != round.sealed.count {
      words.append("\(place) is settled without \(round.sealed.count - round.opened) answers")
    }
    for player in hosted.players {
      let count = round.entries.count { $0.player == player.number }
      if count > state.create.entriesInRound {
        words.append("\(place) has \(count) answers of player \(player.number)")
      }
    }
    for entry in round.entries {
      let author = hosted.players[Int(entry.player)].peer
      let late = entry.milliseconds - min(entry.milliseconds, round.closedMilliseconds ?? .max)
      let limit = late > rules.graceMilliseconds ? 0 : late > 0 ? Self.limitLatePoints : .max
      if entry.points > limit { words.append("\(place) gives \(entry.points) for an answer \(late) ms late") }
      if entry.choice == nil, entry.points > 0 { words.append("\(place) gives points for what nobody reads") }
      if isHonest(state.creator), !isAmongFirst(entry.event, of: author, in: round) {
        words.append("\(place) has another answer of player \(entry.player) than the first")
      }
      if !isWhatWasMeant(entry, of: author, in: round) {
        words.append("\(place) has another answer of honest player \(entry.player) than it gave")
      }
    }
    return words
  }

  /// Whether an entry is among those that an author wrote first in a round.
  private func isAmongFirst(_ entry: EventID, of author: PeerID, in round: HostedState.Round) -> Bool {
    guard !state.forked.contains(author) else { return true }
    let entries = (log.feed(author)?.positions ?? []).map { log.graph.events[$0] }.filter { event in
      if case .hosted(.entry(round.opening, _)) = event.action { true } else { false }
    }
    return entries.prefix(state.create.entriesInRound).contains { $0.id == entry }
  }

  /// Whether an honest player's sealed answer reads as it was sealed: the player can make its salt again.
  private func isWhatWasMeant(
    _ entry: HostedState.Entry, of author: PeerID, in round: HostedState.Round
  ) -> Bool {
    guard let signer = honestKeys[author], let choice = entry.choice, let event = event(entry.event),
      case .sealed(let commitment, _) = entry.written
    else { return true }
    let salt = signer.salt(
      room: state.room, game: 0, round: UInt16(truncatingIfNeeded: round.number), seat: entry.player,
      sequence: event.sequence)
    return commitment
      == Commitments.entry(
        choice, salt: Digest(salt), room: state.room, opening: round.opening, author: author)
  }

  // MARK: - Draws

  /// Draws whose chance is not that of the salts which their seats were bound to.
  private var unfairDraws: [String] {
    let company = state.seats.compactMap { $0?.peer } + [state.referee].compactMap(\.self)
    guard !company.contains(where: state.forked.contains) else { return [] }
    return state.games.flatMap { game in
      game.plies.indices.compactMap { ply in
        let played = game.plies[ply]
        guard played.isDraw else { return nil }
        let gone = Set(game.dropOuts.filter { $0.ply <= ply }.map(\.seat))
        let before = ply > 0 ? game.plies[ply - 1].node : game.root
        let seats = state.seats.indices.map { Seat(UInt16(truncatingIfNeeded: $0)) }
          .filter { !gone.contains($0) }.map { ($0.rawValue, state.seats[$0.index]?.peer) }
        let shares = seats + (state.referee.map { [(Create.noSeat, $0)] } ?? [])
        let salts = shares.map { salt(of: $0.0, $0.1, on: before, game: game.number, ply: ply) }
        let seed = Commitments.chance(
          game: UInt16(truncatingIfNeeded: game.number), round: UInt16(truncatingIfNeeded: ply),
          salts: salts.compactMap(\.self))
        guard salts.contains(nil) || Chance(seed: seed) != played.chance else { return nil }
        return "draw \(ply) of game \(game.number) is not that of its salts"
      }
    }
  }

  /// The salt that a peer is bound to by its first commitment on a node, as far as it has opened that.
  /// - Parameter seat: the number in the commitment; `Create.noSeat` of the referee.
  private func salt(of seat: UInt16, _ author: PeerID?, on node: EventID, game: Int, ply: Int) -> Digest? {
    guard let author else { return nil }
    let events = (log.feed(author)?.positions ?? []).map { log.graph.events[$0] }
    let commit = events.first { event in
      guard case .commit(let step, _) = event.action else { return false }
      return step.node == node && Int(step.game) == game && Int(step.ply) == ply
    }
    guard let commit, case .commit(let at, let commitment) = commit.action else { return nil }
    for event in events {
      guard case .reveal(let step, let choice, let salt) = event.action, step.node == commit.id,
        commitment
          == Commitments.choice(
            choice, salt: salt, room: state.room, game: at.game, round: at.ply, seat: seat,
            author: author)
      else { continue }
      return salt
    }
    return nil
  }

  /// Whether the viewer has committed, as all others have, and has not opened though it may.
  private var isSilent: Bool {
    guard mayWrite, let seat = state.seat(of: viewer), state.turn?.isRound == true else { return false }
    return state.round.commit(of: seat) != nil && state.owes(seat)
  }
}
