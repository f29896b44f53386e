public import Events

/// The draw by which a tournament's entrants get their seeds, before it starts (Docs/PROTOCOL.md §1.5).
///
/// The organizer calls those who have seats, and is bound to its part of the draw. Whoever answers is bound as well.
/// The organizer opens its part, after which no answer counts that it had not seen. The others open theirs, and the
/// tournament starts with those that did.
public struct SeedingDraw: Hashable, Sendable {
  /// Who was called, by seat.
  public internal(set) var called: [PeerID] = []
  /// The hash of that roster.
  public internal(set) var roster: Digest
  /// Who of these has answered; the organizer, where it has a seat, by its call.
  public internal(set) var answered: [PeerID] = []
  /// Whether the organizer has opened its part.
  public internal(set) var isOpened = false
  /// Who of those that answered has opened their parts.
  public internal(set) var drawn: [PeerID] = []
  /// The hash of the roster with which the tournament would start now; `nil` while fewer than two have drawn.
  public internal(set) var result: Digest?
}

extension Roster {
  /// A part of a draw, where it is opened.
  private struct Part {
    let seat: Int
    let ready: Int
    var opening: (position: Int, nonce: Digest)?
  }

  /// The organizer's call in its feed that counts, and where it has opened its part: the first of which it has, or the
  /// last one.
  private func call(
    in feed: [Int], _ facts: Facts
  ) -> (position: Int, commitment: Digest, opening: (position: Int, nonce: Digest)?)? {
    var last: (position: Int, roster: Digest, commitment: Digest)?
    for position in feed {
      switch facts.event(position).action {
      case .ready(let roster, let commitment): last = (position, roster, commitment)
      case .draw(let nonce):
        guard let last, opens(nonce, last.commitment, last.roster, Int(Create.noSeat), creator) else {
          continue
        }
        return (last.position, last.commitment, (position, nonce))
      default: continue
      }
    }
    return last.map { ($0.position, $0.commitment, nil) }
  }

  private func opens(
    _ nonce: Digest, _ commitment: Digest, _ roster: Digest, _ seat: Int, _ author: PeerID
  ) -> Bool {
    commitment
      == Commitments.draw(
        nonce: nonce, room: room, roster: roster, seat: UInt16(truncatingIfNeeded: seat), author: author)
  }

  /// Seats those whom the organizer calls, and then those who have drawn, by their seeds.
  /// - Parameter feed: the organizer's events that count, in their order.
  /// - Returns: where the draw stands; `nil` before the organizer calls anybody. Seats are those of who has drawn where
  ///   they are two or more, and else those of who was called.
  mutating func drawSeeds(in feed: [Int], _ facts: Facts) -> SeedingDraw? {
    guard let call = call(in: feed, facts), case .ready(let roster, _) = facts.event(call.position).action
    else { return nil }
    seat(facts, grants: feed.filter { facts.kind($0) == .grant && $0 < call.position })
    closeRanks { _ in true }
    guard digest == roster else { return nil }
    var draw = SeedingDraw(called: seats.compactMap { $0?.peer }, roster: roster)
    draw.isOpened = call.opening != nil
    used.insert(call.position)
    let known = Set(lobby.readies + lobby.draws)
    var parts: [Part] = []
    for (seat, peer) in draw.called.enumerated() {
      let own = { (kind: Kind) in facts.lobby(of: peer, kind).filter(known.contains) }
      guard
        var part = peer == creator
          ? Part(seat: seat, ready: call.position)
          : part(own(.ready), at: seat, roster, call.position, before: call.opening?.position, facts)
      else { continue }
      if let opening = call.opening {
        part.opening =
          peer == creator
          ? opening : self.opening(of: part, own(.draw), by: peer, roster, after: opening.position, facts)
      }
      parts.append(part)
    }
    draw.answered = parts.map { draw.called[$0.seat] }
    used.formUnion(parts.map(\.ready))
    guard let opening = call.opening else { return draw }
    used.insert(opening.position)
    let drawn = parts.filter { $0.opening != nil }
    draw.drawn = drawn.map { draw.called[$0.seat] }
    used.formUnion(drawn.compactMap { $0.opening?.position })
    guard drawn.count > 1 else { return draw }
    let others = drawn.filter { draw.called[$0.seat] != creator }
    keep(drawn.map(\.seat), drawnBy: others.compactMap { $0.opening?.nonce } + [opening.nonce], facts)
    draw.result = digest
    return draw
  }

  /// An entrant's answer: its first over this roster that knows the call, and that the organizer knew when it opened
  /// its part.
  private func part(
    _ readies: [Int], at seat: Int, _ roster: Digest, _ call: Int, before opening: Int?, _ facts: Facts
  ) -> Part? {
    let answers = readies.filter { position in
      guard case .ready(roster, _) = facts.event(position).action else { return false }
      return facts.graph.isInPast(call, of: position)
        && opening.map { facts.graph.isInPast(position, of: $0) } ?? true
    }
    return answers.min(by: facts.graph.isEarlier).map { Part(seat: seat, ready: $0) }
  }

  /// The first event with which an entrant opens its part, having seen the organizer's.
  private func opening(
    of part: Part, _ draws: [Int], by peer: PeerID, _ roster: Digest, after organizers: Int, _ facts: Facts
  ) -> (position: Int, nonce: Digest)? {
    guard case .ready(_, let commitment) = facts.event(part.ready).action else { return nil }
    let own = draws.filter { facts.graph.isInPast(organizers, of: $0) }
    for position in facts.inFeedOrder(own) {
      guard case .draw(let nonce) = facts.event(position).action,
        opens(nonce, commitment, roster, part.seat, peer)
      else { continue }
      return (position, nonce)
    }
    return nil
  }

  /// Leaves those on these seats, by their seeds.
  private mutating func keep(_ kept: [Int], drawnBy nonces: [Digest], _ facts: Facts) {
    let seeds = kept.map { seat in
      seats[seat].map { Commitments.seed(of: $0.peer, room: room, nonces: nonces) } ?? .none
    }
    let order = kept.indices.sorted { seeds[$0] < seeds[$1] }.map { kept[$0] }
    take(order, facts)
  }
}
