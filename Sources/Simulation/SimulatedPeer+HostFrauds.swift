import BotKit
import EventLog
import Events
import Gossip
import Peer
import Projection
import Rules

/// Frauds of the host of rounds, written past what the product's host does.
extension SimulatedPeer {
  /// How much too late an answer is that is acknowledged nevertheless, in milliseconds.
  private static let latenessMilliseconds: UInt32 = 20_000

  mutating func defraudAsHost(
    _ round: HostedState.Round, _ hosted: HostedState, _ state: RoomState, face: Int, time: UInt64
  ) throws(PeerError) {
    guard round.phase == .open || round.phase == .closed, round.opened == 0, round.solution == nil,
      let rules = hosted.rules,
      let elapsed = faces[face].hosting.elapsed(
        in: state.room, round.opening, at: tick(time).milliseconds)
    else { return }
    var scene = HostScene(
      room: state.room, opening: round.opening, limit: state.create.entriesInRound,
      grace: rules.graceMilliseconds, now: UInt32(clamping: elapsed), face: face)
    let kind = random.pick(
      rules.isSealed
        ? [
          .otherSolution, .otherAnswer, .deniedAnswer, .leftOutAnswer, .answerAfterSolution,
          .secondAnswerTaken, .lateAnswerTaken,
        ]
        : [RoundFraud.Kind.secondAnswerTaken, .lateAnswerTaken])
    switch kind {
    case .secondAnswerTaken: try takeSecondAnswers(&scene)
    case .lateAnswerTaken: try takeLateAnswers(&scene)
    case .answerAfterSolution: try takeAfterSolution(&scene)
    case let kind?: try settleOtherwise(kind, &scene)
    case nil: return
    }
  }

  /// A round in which the host is about to cheat.
  private struct HostScene {
    let room: RoomID
    let opening: EventID
    let limit: Int
    let grace: UInt32
    let now: UInt32
    let face: Int
  }

  private mutating func round(_ scene: HostScene) -> HostedState.Round? {
    let round = faces[scene.face].state(of: scene.room)?.hosted?.round
    return round?.opening == scene.opening ? round : nil
  }

  /// Answers that have come and are not acknowledged: those that count, and those of players who have answered before.
  private mutating func waiting(_ scene: HostScene) -> (first: [EventID], further: [EventID]) {
    guard let state = faces[scene.face].state(of: scene.room), let hosted = state.hosted,
      let round = hosted.round
    else { return ([], []) }
    let acknowledged = Set(round.entries.map(\.event))
    var (first, further): ([EventID], [EventID]) = ([], [])
    for player in hosted.players where !state.forked.contains(player.peer) {
      let entries = faces[scene.face].withLog(of: scene.room) { log in
        (log.feed(player.peer)?.positions ?? []).map { log.graph.events[$0] }.filter { event in
          if case .hosted(.entry(scene.opening, _)) = event.action { true } else { false }
        }
        .map(\.id)
      }
      first += (entries ?? []).prefix(scene.limit).filter { !acknowledged.contains($0) }
      further += (entries ?? []).dropFirst(scene.limit)
    }
    return (first, further)
  }

  private func receipts(_ entries: [EventID], at time: UInt32, _ scene: HostScene) -> (Action, [EventID]) {
    let parents = Array(entries.sorted().prefix(HostedAction.limitReceipts))
    let receipts = parents.indices.map {
      HostedAction.Receipt(parent: UInt8(truncatingIfNeeded: $0), milliseconds: time)
    }
    return (.hosted(.receipts(opening: scene.opening, receipts)), parents)
  }

  private mutating func acknowledge(_ entries: [EventID], _ scene: HostScene) throws(PeerError) {
    guard !entries.isEmpty else { return }
    let (action, parents) = receipts(entries, at: scene.now, scene)
    _ = try faces[scene.face].write(action, in: scene.room, citing: parents)
  }

  private mutating func close(_ scene: HostScene) throws(PeerError) {
    guard round(scene)?.phase == .open else { return }
    _ = try faces[scene.face].write(
      .hosted(.close(opening: scene.opening, milliseconds: scene.now)), in: scene.room)
  }

  // MARK: - Receipts

  /// Acknowledges the first answers, and then those behind them as well, or the first ones once more.
  private mutating func takeSecondAnswers(_ scene: inout HostScene) throws(PeerError) {
    let (first, further) = waiting(scene)
    try acknowledge(first, scene)
    let again = further.isEmpty ? round(scene)?.entries.map(\.event) ?? [] : further
    guard !again.isEmpty else { return }
    let (action, parents) = receipts(again, at: scene.now, scene)
    try write(
      .secondAnswerTaken, action, about: scene.opening, citing: parents, in: scene.room, face: scene.face)
  }

  /// Closes the round, and acknowledges what has come as if it had come long after.
  private mutating func takeLateAnswers(_ scene: inout HostScene) throws(PeerError) {
    let (first, _) = waiting(scene)
    guard !first.isEmpty else { return }
    try close(scene)
    let (action, parents) = receipts(first, at: scene.now + Self.latenessMilliseconds, scene)
    try write(
      .lateAnswerTaken, action, about: scene.opening, citing: parents, in: scene.room, face: scene.face)
  }

  /// Opens the solution, and acknowledges then what has come.
  private mutating func takeAfterSolution(_ scene: inout HostScene) throws(PeerError) {
    let (first, _) = waiting(scene)
    guard !first.isEmpty, let (solution, salt) = solution(scene) else { return }
    try close(scene)
    _ = try faces[scene.face].write(
      .hosted(.settle(.init(opening: scene.opening, solution: solution, salt: salt))), in: scene.room)
    let (action, parents) = receipts(first, at: scene.now, scene)
    try write(
      .answerAfterSolution, action, about: scene.opening, citing: parents, in: scene.room, face: scene.face)
  }

  // MARK: - Settling

  /// Acknowledges what has come, closes the round, and opens something else than it should.
  private mutating func settleOtherwise(
    _ kind: RoundFraud.Kind, _ scene: inout HostScene
  ) throws(PeerError) {
    try acknowledge(waiting(scene).first, scene)
    guard let round = round(scene), kind == .otherSolution || !round.entries.isEmpty,
      var (solution, salt) = solution(scene)
    else { return }
    var opened = openedEntries(of: round, scene)
    let readable = opened.indices.filter { opened[$0] != nil }
    var about = round.opening
    switch kind {
    case .otherSolution: solution = [(solution.first ?? 0) ^ 1]
    case .otherAnswer, .deniedAnswer:
      guard let victim = random.pick(readable), let entry = opened[victim] else { return }
      about = round.entries[victim].event
      opened[victim] =
        kind == .deniedAnswer ? nil : .init(choice: [(entry.choice.first ?? 0) ^ 1], salt: entry.salt)
    default:
      let victim = random.below(opened.count)
      about = round.entries[victim].event
      opened.remove(at: victim)
    }
    try close(scene)
    if kind == .otherSolution, random.oneIn(2) { salt = Digest(Bytes32(random.bytes(32), at: 0)) }
    let settlement = HostedAction.Settlement(
      opening: round.opening, solution: solution, salt: salt, entries: opened)
    try write(kind, .hosted(.settle(settlement)), about: about, in: scene.room, face: scene.face)
  }

  /// The solution that this host is bound to, and the salt.
  private func solution(_ scene: HostScene) -> (solution: [UInt8], salt: Digest)? {
    guard let event = event(scene.opening, in: scene.room, face: scene.face),
      case .hosted(.open(let opening)) = event.action
    else { return nil }
    let salt = Digest(
      signer.salt(
        room: scene.room, game: 1, round: opening.round, seat: Create.noSeat, sequence: event.sequence))
    let solution = (0..<4 as Range<UInt8>).first { solution in
      opening.commitment
        == Commitments.solution(
          [solution], salt: salt, room: scene.room, round: opening.round, content: opening.content, author: id
        )
    }
    return solution.map { ([$0], salt) }
  }

  private mutating func openedEntries(
    of round: HostedState.Round, _ scene: HostScene
  ) -> [HostedAction.OpenedEntry?] {
    let players = faces[scene.face].state(of: scene.room)?.hosted?.players ?? []
    return round.entries.map { entry in
      SealedEntry.open(
        entry.written, room: scene.room, opening: round.opening, author: players[Int(entry.player)].peer,
        host: signer)
    }
  }
}
