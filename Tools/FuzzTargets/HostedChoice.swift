import Events
import Games
import Projection
import Rules

/// What one peer may write next in a room of hosted rounds.
extension PeerChoice {
  private static let content = QuizQuestion(text: "?", choices: ["a", "b", "c"])?.content ?? []
  private static let solution: [UInt8] = [1]

  /// What somebody who keeps the rules might write now.
  func round(_ hosted: HostedState, _ choices: inout ByteChoices) -> Action? {
    guard peer == 0 else { return answer(hosted, &choices) }
    if choices.oneIn(2), let request = hosted.requests.first {
      return .grant(request: request.id, seat: UInt16(hosted.players.count))
    }
    guard let round = hosted.round else { return open(hosted) }
    switch round.phase {
    case .open: return choices.oneIn(3) ? close(round) : receipts(round, &choices)
    case .closed: return choices.oneIn(4) ? receipts(round, &choices) : settle(round, hosted)
    case .settled, .void: return open(hosted)
    }
  }

  /// An event of hosted rounds that says anything.
  func anyRound(_ node: EventID, _ choices: inout ByteChoices) -> Action {
    let opening = choices.oneIn(2) ? node : events.last { $0.kind == .roundOpen }?.id ?? node
    let opened = HostedAction.OpenedEntry(choice: [UInt8(choices.below(4))], salt: salt)
    switch choices.below(9) {
    case 0: return .hosted(.joinProof(box: [UInt8](repeating: choices.byte(), count: 80)))
    case 1:
      let peer = choices.pick(WrittenRoom.keys)?.peer ?? .none
      return .hosted(.joinRefusal(peer, through: UInt64(choices.below(4)), .full))
    case 2:
      let content = choices.oneIn(2) ? Self.content : [choices.byte()]
      let round = UInt16(choices.below(3))
      return .hosted(
        .open(.init(round: round, limitMilliseconds: 9, commitment: commitment(round), content: content)))
    case 3: return .hosted(.entry(opening: opening, choices.oneIn(3) ? .clear([1]) : sealed(1, opening)))
    case 4:
      return .hosted(
        .receipts(
          opening: opening, [.init(parent: UInt8(choices.below(6)), milliseconds: UInt32(choices.byte()))]))
    case 5: return .hosted(.close(opening: opening, milliseconds: UInt32(choices.byte())))
    case 6:
      let entries = (0..<choices.below(3)).map { _ in choices.oneIn(2) ? opened : nil }
      return .hosted(
        .settle(
          .init(
            opening: opening, solution: [UInt8(choices.below(4))], salt: salt,
            first: UInt16(choices.below(3)),
            entries: entries)))
    case 7:
      return .hosted(
        .entryProof(entry: choices.oneIn(2) ? node : events.last { $0.kind == .entry }?.id ?? node, opened))
    default: return .hosted(.carry(head: node, [.init(peer: id, score: UInt32(choices.byte()))]))
    }
  }

  private func answer(_ hosted: HostedState, _ choices: inout ByteChoices) -> Action? {
    guard let round = hosted.round, hosted.player(id) != nil, !choices.oneIn(8) else {
      return choices.oneIn(6) ? .leave(node: .none) : .request(seat: Create.noSeat, Profile(name: "\(peer)"))
    }
    let entry =
      isSealed(hosted)
      ? sealed(UInt8(choices.below(3)), round.opening) : .clear([choices.oneIn(8) ? 1 : 0, choices.byte()])
    return .hosted(.entry(opening: round.opening, entry))
  }

  private func sealed(_ choice: UInt8, _ opening: EventID) -> HostedAction.Entry {
    SealedEntry.seal(
      [choice], salt: salt, room: state.room, opening: opening, author: id, host: state.creator) ?? .clear([])
  }

  private func commitment(_ round: UInt16) -> Digest {
    Commitments.solution(
      Self.solution, salt: salt, room: state.room, round: round, content: Self.content, author: id)
  }

  private func open(_ hosted: HostedState) -> Action {
    let (round, isSealed) = (UInt16(hosted.settledRounds), isSealed(hosted))
    return .hosted(
      .open(
        .init(
          round: round, limitMilliseconds: 9, commitment: isSealed ? commitment(round) : .none,
          content: isSealed ? Self.content : [])))
  }

  private func close(_ round: HostedState.Round) -> Action {
    .hosted(.close(opening: round.opening, milliseconds: (round.entries.last?.milliseconds ?? 0) + 1))
  }

  /// Receipts for whatever the event will name.
  private func receipts(_ round: HostedState.Round, _ choices: inout ByteChoices) -> Action {
    let time = (round.entries.last?.milliseconds ?? 0) + UInt32(choices.below(5) * choices.below(20))
    return .hosted(
      .receipts(opening: round.opening, (0..<3).map { .init(parent: $0, milliseconds: time) }))
  }

  /// Whether entries are sealed in the room's game.
  private func isSealed(_ hosted: HostedState) -> Bool { hosted.rules?.isSealed ?? true }

  private func settle(_ round: HostedState.Round, _ hosted: HostedState) -> Action {
    guard isSealed(hosted) else {
      return .hosted(.settle(.init(opening: round.opening, solution: [], salt: .none)))
    }
    let entries = round.entries.map { entry in
      SealedEntry.open(
        entry.written, room: state.room, opening: round.opening,
        author: hosted.players[Int(entry.player)].peer, host: WrittenRoom.keys[0])
    }
    return .hosted(
      .settle(.init(opening: round.opening, solution: Self.solution, salt: salt, entries: entries)))
  }
}
