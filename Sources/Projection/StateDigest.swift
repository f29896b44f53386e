public import Events
import Rules

extension RoomProjection {
  /// A hash of everything the events amount to, verdicts included: equal sets of events, equal digests.
  public mutating func digest() -> Digest {
    var hash = Blake2b(domain: "parlor-state-1")
    hash.update(state.encoded)
    let verdicts = verdicts().sorted { $0.event < $1.event }
    hash.update(bigEndian: UInt32(truncatingIfNeeded: verdicts.count))
    for verdict in verdicts {
      hash.update(verdict.event)
      hash.update(bigEndian: verdict.verdict.rawValue)
    }
    return Digest(hash.digest())
  }
}

extension RoomState {
  /// The state in canonical bytes, in the order of its fields.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(room)
    bytes.append(creator)
    phase.encode(to: &bytes)
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: seats.count))
    for seat in seats {
      bytes.append(seat?.peer ?? .none)
      bytes.append(seat?.grant ?? .none)
      bytes.append(seat?.isReady == true ? 1 : 0)
    }
    bytes.appendList(openRequests.map(\.id))
    bytes.append(start ?? .none)
    bytes.append(bigEndian: first?.rawValue ?? Create.noSeat)
    bytes.append(tip)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: games.count))
    for game in games { game.encode(to: &bytes) }
    bytes.appendList(round.commits)
    bytes.appendList(round.reveals)
    if let commit = round.refereeCommit {
      bytes.appendList([commit] + [round.refereeReveal].compactMap(\.self))
    }
    bytes.append(undoRequest?.id ?? .none)
    bytes.appendList(drawOffers.map(\.id))
    bytes.appendList(claims.map(\.id))
    bytes.appendList(chat.map(\.event))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: tournamentWords.count))
    for word in tournamentWords { word.encode(to: &bytes) }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: forked.count))
    for author in forked { bytes.append(author) }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: invited.count))
    for peer in invited { bytes.append(peer) }
    hosted?.encode(to: &bytes)
    seeding?.encode(to: &bytes)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func appendList(_ ids: [EventID]) {
    append(bigEndian: UInt32(truncatingIfNeeded: ids.count))
    for id in ids { append(id) }
  }
}

extension SeedingDraw {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(roster)
    bytes.append(isOpened ? 1 : 0)
    bytes.append(result ?? .none)
    for peers in [called, answered, drawn] {
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: peers.count))
      for peer in peers { bytes.append(peer) }
    }
  }
}

extension RoomState.TournamentWord {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .withdrawal(let seat):
      bytes.append(1)
      bytes.append(bigEndian: seat.rawValue)
    case .revocation(let word, _):
      bytes.append(4)
      bytes.append(word)
    case .disqualification(let seat, let reason, _):
      bytes.append(3)
      bytes.append(bigEndian: seat.rawValue)
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: reason.utf8.count))
      bytes.append(contentsOf: reason.utf8)
    case .entry(let seat, _):
      bytes.append(5)
      bytes.append(bigEndian: seat.rawValue)
    case .result(let result, _):
      bytes.append(2)
      bytes.append(bigEndian: result.pairing)
      bytes.append(contentsOf: [result.attempt, result.walkover.rawValue])
      bytes.append(result.room)
      bytes.append(UInt8(truncatingIfNeeded: result.heads.count))
      for head in result.heads {
        bytes.append(head.author)
        bytes.append(bigEndian: head.sequence)
        bytes.append(head.event)
      }
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: result.games.count))
      for score in result.games.joined() { bytes.append(bigEndian: score) }
    }
  }
}

extension RoomState.Phase {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .waiting: bytes.append(0)
    case .playing: bytes.append(1)
    case .finished: bytes.append(2)
    case .abandoned(let seat):
      bytes.append(3)
      bytes.append(bigEndian: seat.rawValue)
    case .closed(let peer):
      bytes.append(4)
      bytes.append(peer)
    case .unknownRules: bytes.append(5)
    case .unknownEdition(let edition):
      bytes.append(6)
      bytes.append(bigEndian: edition)
    }
  }
}

extension HostedState {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: players.count))
    for player in players {
      bytes.append(player.peer)
      bytes.append(player.grant)
      bytes.append(bigEndian: Int64(player.score))
      bytes.append(player.hasLeft ? 1 : 0)
    }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: refusals.count))
    for (peer, reason) in refusals.sorted(by: { $0.key < $1.key }) {
      bytes.append(peer)
      bytes.append(reason.rawValue)
    }
    bytes.append(carried?.head ?? .none)
    bytes.append(hasEnded ? 1 : 0)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: rounds.count))
    for round in rounds { round.encode(to: &bytes) }
  }
}

extension HostedState.Round {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: number))
    bytes.append(opening)
    let phase: UInt8 =
      switch phase {
      case .open: 0
      case .closed: 1
      case .settled: 2
      case .void: 3
      }
    bytes.append(contentsOf: [phase, hasWrongSolution ? 1 : hasToldAnother ? 2 : 0])
    bytes.append(bigEndian: closedMilliseconds ?? .max)
    bytes.append(solution.map { UInt8(truncatingIfNeeded: $0.count) } ?? 0xFF)
    bytes += solution ?? []
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: entries.count))
    for entry in entries { entry.encode(to: &bytes) }
  }
}

extension HostedState.Entry {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(event)
    bytes.append(bigEndian: milliseconds)
    bytes.append(choice.map { UInt8(min($0.count, 0xFE)) } ?? 0xFF)
    bytes += choice ?? []
    bytes.append(bigEndian: points)
    let mark: UInt8 = isMarkedRight.map { $0 ? 2 : 4 } ?? 0
    bytes.append(mark + (fault == nil ? 0 : 1))
  }
}

extension GameRecord {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: number))
    bytes.append(bigEndian: first.rawValue)
    bytes.append(root)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: plies.count))
    for ply in plies {
      bytes.append(ply.node)
      bytes.append(bigEndian: ply.seat?.rawValue ?? Create.noSeat)
      for code in ply.codes { bytes.append(bigEndian: code.rawValue) }
    }
    for seat in leaving { bytes.append(bigEndian: seat.rawValue) }
    for gone in dropOuts {
      bytes.append(bigEndian: gone.seat.rawValue)
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: gone.ply))
      bytes.append(gone.event ?? .none)
    }
    let position = state.encoded
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: position.count))
    bytes.append(contentsOf: position)
    bytes.append(isAgreed ? 1 : 0)
    guard let ending else {
      bytes.append(0)
      return
    }
    ending.encode(to: &bytes)
  }
}

extension GameRecord.Ending {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(1)
    bytes.append(node)
    bytes.append(UInt8(truncatingIfNeeded: outcome?.scores.count ?? 0))
    for score in outcome?.scores ?? [] { bytes.append(bigEndian: score) }
    let (code, seat): (UInt8, Seat?) =
      switch cause {
      case .rules: (1, nil)
      case .resigned(let seat): (2, seat)
      case .left(let seat): (3, seat)
      case .ruled(let seat): (4, seat)
      case .offence(let seat): (5, seat)
      case .forked(let seat): (6, seat)
      case .drawAgreed: (7, nil)
      }
    bytes.append(code)
    bytes.append(bigEndian: seat?.rawValue ?? Create.noSeat)
  }
}
