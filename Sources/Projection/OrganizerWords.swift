import Events
import Rules

/// The organizer's words on attempts at pairings and on entrants: the first one on each stands, and the first one after
/// each that is revoked. A grant after the start is such a word as well: it lets an entrant in.
struct OrganizerWords: Sendable {
  private enum Subject: Hashable {
    case attempt(pairing: UInt32, attempt: UInt8)
    case entrant(Seat)
    case entry(Seat)
  }

  /// The events that they stand in, in the order of the organizer's feed.
  private var events: [EventID] = []
  /// The same events.
  private(set) var used: Set<EventID> = []
  private var known: Set<Subject> = []
  private var revoked: Set<EventID> = []
  /// How many revocations count.
  static let limitRevocations = 16

  /// Takes the organizer's word when the tournament has started and the organizer's feed has no fork before, unless
  /// there is one on the same attempt or entrant. Who is let in by it is seated.
  mutating func take(_ position: Int, _ facts: Facts, _ roster: inout Roster) {
    guard let start = roster.start, roster.create.isTournament, facts.author(position) == roster.creator,
      !facts.graph.isBehindFork(position), facts.graph.isInPast(start.position, of: position)
    else { return }
    if facts.kind(position) == .grant, roster.enterLate(position, facts) == nil { return }
    guard let word = Self.word(at: position, facts, roster) else { return }
    if case .revocation(let target, _) = word {
      guard revoked.count < Self.limitRevocations, used.contains(target),
        let place = facts.graph.position(of: target), let revoked = Self.word(at: place, facts, roster),
        revoked.isDecision, let subject = Self.subject(of: revoked), self.revoked.insert(target).inserted
      else { return }
      known.remove(subject)
    } else {
      guard let subject = Self.subject(of: word), known.insert(subject).inserted else { return }
    }
    events.append(facts.id(position))
    used.insert(facts.id(position))
  }

  private static func subject(of word: RoomState.TournamentWord) -> Subject? {
    switch word {
    case .result(let result, _): .attempt(pairing: result.pairing, attempt: result.attempt)
    case .disqualification(let seat, _, _): .entrant(seat)
    case .entry(let seat, _): .entry(seat)
    case .withdrawal, .revocation: nil
    }
  }

  /// The words, and withdrawals before the first one that has them in its past.
  /// - Parameter anchors: which events are anchored; `nil` when all are.
  func told(_ facts: Facts, _ roster: Roster, _ anchors: Anchors?) -> [RoomState.TournamentWord] {
    guard roster.create.isTournament else { return [] }
    var leavings = roster.withdrawals(facts, anchors)
    var words: [RoomState.TournamentWord] = []
    for id in events {
      guard let position = facts.graph.position(of: id), let word = Self.word(at: position, facts, roster)
      else { continue }
      let seen = leavings.filter { facts.graph.isInPast($0.position, of: position) }
      leavings.removeAll { leaving in seen.contains { $0.position == leaving.position } }
      words += seen.map { .withdrawal($0.seat) } + [word]
    }
    return words + leavings.map { .withdrawal($0.seat) }
  }

  /// What the organizer says in an event; `nil` for nothing. An organizer with a seat disqualifies nobody, since it
  /// would gain by it.
  private static func word(at position: Int, _ facts: Facts, _ roster: Roster) -> RoomState.TournamentWord? {
    switch facts.event(position).action {
    case .pairingResult(let result): return .result(result, event: facts.id(position))
    case .disqualify(let seat, let reason):
      let isFair = Int(seat) < roster.seats.count && !roster.isSeated(roster.creator)
      return isFair ? .disqualification(Seat(seat), reason: reason, event: facts.id(position)) : nil
    case .revoke(let word): return .revocation(of: word, event: facts.id(position))
    case .grant: return roster.lateSeats[facts.id(position)].map { .entry($0, event: facts.id(position)) }
    default: return nil
    }
  }
}
