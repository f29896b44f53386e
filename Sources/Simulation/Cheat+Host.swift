import BotKit
import EventLog
import Events
import Gossip
import Peer
import Projection
import Rules

/// Frauds of the host of rounds, written past what the product's host does.
extension Cheat {
  /// How much too late an answer is that is acknowledged nevertheless, in milliseconds.
  private static let latenessMilliseconds: UInt32 = 20_000

  mutating func defraudAsHost(
    _ round: HostedState.Round, _ hosted: HostedState, _ state: RoomState, elapsed: UInt64?,
    _ core: inout PeerCore
  ) throws(PeerError) {
    guard round.phase == .open || round.phase == .closed, round.opened == 0, round.solution == nil,
      let rules = hosted.rules,
      let elapsed
    else { return }
    let scene = HostScene(
      room: state.room, opening: round.opening, limit: state.create.entriesInRound,
      grace: rules.graceMilliseconds, now: UInt32(clamping: elapsed))
    var kinds = [RoundFraud.Kind.secondAnswerTaken, .lateAnswerTaken]
    if rules.isSealed {
      kinds =
        [.otherSolution, .otherAnswer, .deniedAnswer, .leftOutAnswer, .answerAfterSolution] + kinds
    }
    // What has come is marked at once by an honest program, so that there is seldom something to mark otherwise.
    if rules.isMarked, !waiting(scene, &core).first.isEmpty { kinds = [.wrongMark] }
    if rules.tellsOne { kinds.append(.toldAnother) }
    switch random.pick(kinds) {
    case .wrongMark: try markWrong(scene, &core)
    case .toldAnother: try tellAnother(round, hosted, rules, scene, &core)
    case .secondAnswerTaken: try takeSecondAnswers(scene, &core)
    case .lateAnswerTaken: try takeLateAnswers(scene, &core)
    case .answerAfterSolution: try takeAfterSolution(scene, &core)
    case let kind?: try settleOtherwise(kind, scene, &core)
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
  }

  private mutating func round(_ scene: HostScene, _ core: inout PeerCore) -> HostedState.Round? {
    let round = core.state(of: scene.room)?.hosted?.round
    return round?.opening == scene.opening ? round : nil
  }

  /// Answers that have come and are not acknowledged: those that count, and those of players who have answered before.
  private mutating func waiting(_ scene: HostScene, _ core: inout PeerCore) -> (
    first: [EventID], further: [EventID]
  ) {
    guard let state = core.state(of: scene.room), let hosted = state.hosted,
      let round = hosted.round
    else { return ([], []) }
    let acknowledged = Set(round.entries.map(\.event))
    var (first, further): ([EventID], [EventID]) = ([], [])
    for player in hosted.players where !state.forked.contains(player.peer) {
      let entries =
        core.withLog(of: scene.room) { log in
          log.entries(of: player.peer, in: scene.opening).map(\.id)
        } ?? []
      first += entries.prefix(scene.limit).filter { !acknowledged.contains($0) }
      further += entries.dropFirst(scene.limit)
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

  private mutating func acknowledge(_ entries: [EventID], _ scene: HostScene, _ core: inout PeerCore)
    throws(PeerError)
  {
    guard !entries.isEmpty else { return }
    let (action, parents) = receipts(entries, at: scene.now, scene)
    _ = try core.write(action, in: scene.room, citing: parents)
  }

  private mutating func close(_ scene: HostScene, _ core: inout PeerCore) throws(PeerError) {
    guard round(scene, &core)?.phase == .open else { return }
    _ = try core.write(
      .hosted(.close(opening: scene.opening, milliseconds: scene.now)), in: scene.room)
  }

  // MARK: - Receipts

  /// Acknowledges the first answers, and then those behind them as well, or the first ones once more.
  private mutating func takeSecondAnswers(_ scene: HostScene, _ core: inout PeerCore) throws(PeerError) {
    let (first, further) = waiting(scene, &core)
    try acknowledge(first, scene, &core)
    let again = further.isEmpty ? round(scene, &core)?.entries.map(\.event) ?? [] : further
    guard !again.isEmpty else { return }
    let (action, parents) = receipts(again, at: scene.now, scene)
    try write(
      .secondAnswerTaken, action, about: scene.opening, citing: parents, in: scene.room, &core)
  }

  /// Closes the round, and acknowledges what has come as if it had come long after.
  private mutating func takeLateAnswers(_ scene: HostScene, _ core: inout PeerCore) throws(PeerError) {
    let (first, _) = waiting(scene, &core)
    guard !first.isEmpty else { return }
    try close(scene, &core)
    let (action, parents) = receipts(first, at: scene.now + Self.latenessMilliseconds, scene)
    try write(
      .lateAnswerTaken, action, about: scene.opening, citing: parents, in: scene.room, &core)
  }

  /// Opens the solution, and acknowledges then what has come.
  private mutating func takeAfterSolution(_ scene: HostScene, _ core: inout PeerCore) throws(PeerError) {
    let (first, _) = waiting(scene, &core)
    guard !first.isEmpty, let (solution, salt) = solution(scene, &core) else { return }
    try close(scene, &core)
    _ = try core.write(
      .hosted(.settle(.init(opening: scene.opening, solution: solution, salt: salt))), in: scene.room)
    let (action, parents) = receipts(first, at: scene.now, scene)
    try write(
      .answerAfterSolution, action, about: scene.opening, citing: parents, in: scene.room, &core)
  }

  // MARK: - Settling

  /// Acknowledges what has come, closes the round, and opens something else than it should.
  private mutating func settleOtherwise(
    _ kind: RoundFraud.Kind, _ scene: HostScene, _ core: inout PeerCore
  ) throws(PeerError) {
    try acknowledge(waiting(scene, &core).first, scene, &core)
    guard let round = round(scene, &core), kind == .otherSolution || !round.sealed.isEmpty,
      var (solution, salt) = solution(scene, &core)
    else { return }
    var opened = openedEntries(of: round, scene, &core)
    let readable = opened.indices.filter { opened[$0] != nil }
    var about = round.opening
    switch kind {
    case .otherSolution: solution = Self.other(solution)
    case .otherAnswer, .deniedAnswer:
      guard let victim = random.pick(readable), let entry = opened[victim] else { return }
      about = round.entries[round.sealed[victim]].event
      opened[victim] =
        kind == .deniedAnswer ? nil : .init(choice: Self.other(entry.choice), salt: entry.salt)
    default:
      let victim = random.below(opened.count)
      about = round.entries[round.sealed[victim]].event
      opened.remove(at: victim)
    }
    try close(scene, &core)
    if kind == .otherSolution, random.oneIn(2) { salt = Digest(Bytes32(random.bytes(32), at: 0)) }
    let settlement = HostedAction.Settlement(
      opening: round.opening, solution: solution, salt: salt, entries: opened)
    try write(kind, .hosted(.settle(settlement)), about: about, in: scene.room, &core)
  }

  /// Acknowledges what has come, says of a guess the reverse of what it is, and settles the round as it should.
  private mutating func markWrong(_ scene: HostScene, _ core: inout PeerCore) throws(PeerError) {
    try acknowledge(waiting(scene, &core).first, scene, &core)
    guard let round = round(scene, &core), let (solution, salt) = solution(scene, &core) else { return }
    let opened = openedEntries(of: round, scene, &core)
    let unmarked = opened.indices.filter { at in
      opened[at] != nil && round.entries[round.sealed[at]].isMarkedRight == nil
    }
    guard let victim = random.pick(unmarked), let entry = opened[victim] else { return }
    let place = round.sealed[victim]
    let mark = HostedAction.Mark(entry: UInt16(place), wrong: entry.choice == solution ? entry : nil)
    try write(
      .wrongMark, .hosted(.marks(opening: round.opening, [mark])), about: round.entries[place].event,
      in: scene.room, &core)
    try close(scene, &core)
    let settlement = HostedAction.Settlement(
      opening: round.opening, solution: solution, salt: salt, entries: opened)
    _ = try core.write(.hosted(.settle(settlement)), in: scene.room)
  }

  /// Other bytes of the same length.
  private static func other(_ choice: [UInt8]) -> [UInt8] {
    choice.isEmpty ? [1] : [choice[0] ^ 1] + choice.dropFirst()
  }

  /// Opens a round anew, and tells the player whose turn it is another solution than the one that it settles it with.
  private mutating func tellAnother(
    _ round: HostedState.Round, _ hosted: HostedState, _ rules: any HostedRules, _ scene: HostScene,
    _ core: inout PeerCore
  ) throws(PeerError) {
    let number = UInt16(truncatingIfNeeded: round.number)
    guard let told = rules.told(round.content), let solution = random.pick(DrawnWords.all),
      hosted.players.indices.contains(Int(told.player))
    else { return }
    let salt = Digest(
      signer.salt(
        room: scene.room, game: 1, round: number, seat: Create.noSeat,
        sequence: (core.withLog(of: scene.room) { $0.feed(id)?.last ?? 0 } ?? 0) + 1))
    let player = hosted.players[Int(told.player)]
    guard
      let box = ToldSolution.seal(
        Self.other(solution), salt: salt, room: scene.room, round: number, to: player.peer,
        named: player.named?.key),
      let content = rules.content(telling: HostedTold(player: told.player, box: box), solution)
    else { return }
    let commitment = Commitments.solution(
      solution, salt: salt, room: scene.room, round: number, content: content, author: id)
    let opening = HostedAction.Opening(
      round: number, limitMilliseconds: 1_000, commitment: commitment, content: content)
    try write(.toldAnother, .hosted(.open(opening)), about: round.opening, in: scene.room, &core)
    guard let event = triedFrauds.last?.event else { return }
    _ = try core.write(.hosted(.close(opening: event, milliseconds: 1)), in: scene.room)
    _ = try core.write(
      .hosted(.settle(.init(opening: event, solution: solution, salt: salt, entries: []))), in: scene.room)
  }

  /// The solution that this host is bound to, and the salt.
  private func solution(_ scene: HostScene, _ core: inout PeerCore) -> (solution: [UInt8], salt: Digest)? {
    guard let event = event(scene.opening, in: scene.room, &core),
      case .hosted(.open(let opening)) = event.action
    else { return nil }
    let salt = Digest(
      signer.salt(
        room: scene.room, game: 1, round: opening.round, seat: Create.noSeat, sequence: event.sequence))
    let solution = ((0..<4 as Range<UInt8>).map { [$0] } + DrawnWords.all).first { solution in
      opening.commitment
        == Commitments.solution(
          solution, salt: salt, room: scene.room, round: opening.round, content: opening.content, author: id
        )
    }
    return solution.map { ($0, salt) }
  }

  private mutating func openedEntries(
    of round: HostedState.Round, _ scene: HostScene, _ core: inout PeerCore
  ) -> [HostedAction.OpenedEntry?] {
    let players = core.state(of: scene.room)?.hosted?.players ?? []
    return round.sealed.map { place in
      let entry = round.entries[place]
      return SealedEntry.open(
        entry.written, room: scene.room, opening: round.opening, author: players[Int(entry.player)].peer,
        host: signer)
    }
  }
}
