import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Rules

/// Frauds of those who play in hosted rounds.
extension Cheat {
  mutating func defraudAsPlayer(
    _ round: HostedState.Round, _ hosted: HostedState, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    guard let player = hosted.player(id), let rules = hosted.rules else {
      return random.oneIn(8) ? try sayHostsWord(round, state, &core) : ()
    }
    peek(at: round, state, &core)
    switch random.below(6) {
    case 0, 1: try answerTwice(round, player, rules, state, &core)
    case 2: try answerLate(hosted, player, rules, state, &core)
    case 3 where rules.isSealed: try copyAnswer(round, state, &core)
    case 4 where rules.isSealed: try answerUnreadably(round, hosted, player, state, &core)
    default: if random.oneIn(3) { try sayHostsWord(round, state, &core) }
    }
  }

  /// Tries to read what others have sealed to the host.
  private mutating func peek(at round: HostedState.Round, _ state: RoomState, _ core: inout PeerCore) {
    let events = core.withLog(of: state.room) { log in log.entries.suffix(24).map(\.event) } ?? []
    for event in events {
      guard case .hosted(.entry(_, .sealed(_, let box))) = event.action, signer.open(box) != nil else {
        continue
      }
      readBoxes.append((state.room, event.id))
    }
    if let told = state.hosted?.rules?.told(round.content), told.player != state.hosted?.player(id)?.number,
      signer.open(told.box) != nil
    {
      readBoxes.append((state.room, round.opening))
    }
  }

  /// An answer of an own choice, as an honest program makes it.
  private mutating func answer(
    _ round: HostedState.Round, _ player: HostedState.Player, _ rules: any HostedRules,
    _ state: RoomState, _ core: inout PeerCore
  ) -> HostedAction.Entry? {
    guard rules.isSealed else { return TapRace.batch(8).map { .clear($0) } }
    // A drawer that guesses is none of those who guess, and a guess may be no text.
    let isSwapped = rules.tellsOne && random.oneIn(4)
    if !isSwapped, rules.form(of: player.number, in: round.content) == .clear {
      return .clear(DrawnWords.strokes)
    }
    let choice = isSwapped ? [0] : DrawnWords.entry(of: player.number, in: round.content, rules, &random)
    return SealedEntry.seal(
      choice, salt: ownSalt(round.number, player, state, &core), room: state.room, opening: round.opening,
      author: id, host: state.creator)
  }

  /// The salt of the next own event as an answer.
  private func ownSalt(
    _ number: Int, _ player: HostedState.Player, _ state: RoomState, _ core: inout PeerCore
  ) -> Digest {
    Digest(
      signer.salt(
        room: state.room, game: 0, round: UInt16(truncatingIfNeeded: number), seat: player.number,
        sequence: (core.withLog(of: state.room) { $0.feed(id)?.last ?? 0 } ?? 0) + 1))
  }

  private mutating func answerTwice(
    _ round: HostedState.Round, _ player: HostedState.Player, _ rules: any HostedRules, _ state: RoomState,
    _ core: inout PeerCore
  ) throws(PeerError) {
    guard round.phase == .open else { return }
    let written = core.withLog(of: state.room) { $0.entries(of: id, in: round.opening).count } ?? 0
    for count in written...max(written, state.create.entriesInRound) {
      guard let answer = answer(round, player, rules, state, &core) else { return }
      let action = Action.hosted(.entry(opening: round.opening, answer))
      if count < state.create.entriesInRound {
        _ = try core.write(action, in: state.room)
      } else {
        try write(.secondAnswer, action, about: round.opening, in: state.room, &core)
      }
    }
  }

  /// Answers in a round that it knows to be closed, or settled.
  private mutating func answerLate(
    _ hosted: HostedState, _ player: HostedState.Player, _ rules: any HostedRules, _ state: RoomState,
    _ core: inout PeerCore
  ) throws(PeerError) {
    guard let round = random.pick(hosted.rounds.suffix(2).filter { $0.phase != .open }),
      let answer = answer(round, player, rules, state, &core)
    else { return }
    try write(
      .lateAnswer, .hosted(.entry(opening: round.opening, answer)), about: round.opening, in: state.room,
      &core)
  }

  private mutating func copyAnswer(
    _ round: HostedState.Round, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    let events = core.withLog(of: state.room) { log in log.entries.suffix(24).map(\.event) } ?? []
    let answers = events.filter { event in
      guard event.author != id, case .hosted(.entry(round.opening, _)) = event.action else { return false }
      return true
    }
    guard round.phase == .open, let copied = random.pick(answers) else { return }
    try write(.copiedAnswer, copied.action, about: round.opening, in: state.room, &core)
  }

  /// Answers with a box of nothing, or says of such an answer that the host could have read it.
  private mutating func answerUnreadably(
    _ round: HostedState.Round, _ hosted: HostedState, _ player: HostedState.Player, _ state: RoomState,
    _ core: inout PeerCore
  ) throws(PeerError) {
    for round in hosted.rounds {
      for entry in round.entries where entry.player == player.number && entry.isUnreadable {
        guard let event = event(entry.event, in: state.room, &core) else { continue }
        let salt = signer.salt(
          room: state.room, game: 0, round: UInt16(truncatingIfNeeded: round.number), seat: player.number,
          sequence: event.sequence)
        let opened = HostedAction.OpenedEntry(choice: [0], salt: Digest(salt))
        let isHonest = SealedEntry.isWhole(
          opened, entry.written, room: state.room, opening: round.opening, author: id, host: state.creator)
        guard !isHonest else { continue }
        return try write(
          .falseProof, .hosted(.entryProof(entry: entry.event, opened)), about: entry.event,
          in: state.room, &core)
      }
    }
    guard round.phase == .open else { return }
    let commitment = Commitments.entry(
      [0], salt: ownSalt(round.number, player, state, &core), room: state.room, opening: round.opening,
      author: id)
    let answer = HostedAction.Entry.sealed(commitment: commitment, box: random.bytes(81))
    try write(
      .unreadableAnswer, .hosted(.entry(opening: round.opening, answer)), about: round.opening,
      in: state.room, &core)
  }

  /// Opens, closes or settles a round, or acknowledges an answer, as only the host does.
  private mutating func sayHostsWord(
    _ round: HostedState.Round, _ state: RoomState, _ core: inout PeerCore
  ) throws(PeerError) {
    let word: HostedAction =
      switch random.below(3) {
      case 0: .close(opening: round.opening, milliseconds: 1)
      case 1:
        .settle(.init(opening: round.opening, solution: [0], salt: .none, first: UInt16(round.opened)))
      default:
        .open(
          .init(
            round: UInt16(truncatingIfNeeded: round.number), limitMilliseconds: 1,
            commitment: .none, content: round.content))
      }
    try write(.hostsWord, .hosted(word), in: state.room, &core)
  }
}
