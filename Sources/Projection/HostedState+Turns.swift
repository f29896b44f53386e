import Events
import Rules

// Rounds in which one player is told the solution, and in which the host says at once what is right.

extension HostedState {
  /// The players' numbers from the one whose turn it is to be told the solution, each once: behind the one who was told
  /// in the last settled round.
  package var playersInTurn: [UInt16] {
    let last = rounds.last { $0.phase == .settled }.flatMap { rules?.told($0.content)?.player }
    let first = last.map { Int($0) + 1 } ?? 0
    return players.indices.map { players[($0 + first) % players.count].number }
  }
}

extension HostedState.Round {
  /// Takes what the host says of sealed entries; of each the first mark counts.
  /// - Parameter players: the players' keys, by number.
  /// - Returns: whether any of it is new.
  mutating func take(
    _ marks: [HostedAction.Mark], _ rules: any HostedRules, room: RoomID, players: [PeerID]
  ) -> Bool {
    var isNew = false
    for mark in marks {
      let at = Int(mark.entry)
      guard entries.indices.contains(at), case .sealed = entries[at].written, entries[at].isMarkedRight == nil
      else { continue }
      isNew = true
      entries[at].isMarkedRight = mark.wrong == nil
      guard let opened = mark.wrong else { continue }
      let author = players[Int(entries[at].player)]
      guard SealedEntry.fits(opened, entries[at].written, room: room, opening: opening, author: author) else {
        entries[at].fault = .wrongEntry(entries[at].event)
        continue
      }
      if rules.isEntry(opened.choice, in: content) { entries[at].choice = opened.choice }
    }
    return isNew
  }

  /// Whether the host had told a player this solution, where it had to tell one.
  func hasTold(
    _ settlement: HostedAction.Settlement, _ rules: any HostedRules, room: RoomID,
    players: [HostedState.Player]
  ) -> Bool {
    guard rules.tellsOne else { return true }
    guard let told = rules.told(content), players.indices.contains(Int(told.player)) else { return false }
    let player = players[Int(told.player)]
    let box = ToldSolution.seal(
      settlement.solution, salt: settlement.salt, room: room, round: UInt16(truncatingIfNeeded: number),
      to: player.peer, named: player.named?.key)
    return told.box == box
  }
}

extension Facts {
  /// The key that a peer had named last when it asked: by the join proof before its request, on the same branch.
  func key(namedBefore request: Int) -> HostedState.NamedKey? {
    var place = request
    while let previous = graph.previous(place) {
      if case .hosted(.joinProof(let box)) = event(previous).action {
        return HostedState.NamedKey(key: SealedBox.sender(of: box), sequence: graph.sequence(previous))
      }
      place = previous
    }
    return nil
  }

  /// Whether a peer had left, as far as the event at a position had seen, and not come back.
  func hasLeft(_ peer: PeerID, before position: Int) -> Bool {
    let fork = graph.forks[peer] ?? .max
    let last = graph.feed(of: peer)?.positions.last { own in
      guard graph.sequence(own) < fork, graph.isInPast(own, of: position) else { return false }
      switch kind(own) {
      case .request, .leave, .entry: return true
      default: return false
      }
    }
    return last.map { kind($0) == .leave } ?? false
  }
}
