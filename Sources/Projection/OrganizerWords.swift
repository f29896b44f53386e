import Events
import Rules

/// The organizer's words on attempts at pairings and on entrants: the first one on each stands.
struct OrganizerWords: Sendable {
  private enum Subject: Hashable {
    case attempt(pairing: UInt32, attempt: UInt8)
    case entrant(Seat)
  }

  /// The events that they stand in, in the order of the organizer's feed.
  private var events: [EventID] = []
  /// The same events.
  private(set) var used: Set<EventID> = []
  private var known: Set<Subject> = []

  /// Takes the organizer's word when the tournament has started and the organizer's feed has no fork before, unless
  /// there is one on the same attempt or entrant.
  mutating func take(_ position: Int, _ facts: Facts, _ roster: Roster) {
    guard let start = roster.start, roster.create.isTournament, facts.author(position) == roster.creator,
      !facts.graph.isBehindFork(position), facts.graph.isInPast(start.position, of: position)
    else { return }
    let subject: Subject
    switch Self.word(at: position, facts, roster) {
    case .result(let result, _): subject = .attempt(pairing: result.pairing, attempt: result.attempt)
    case .disqualification(let seat, _): subject = .entrant(seat)
    case .withdrawal, nil: return
    }
    guard known.insert(subject).inserted else { return }
    events.append(facts.id(position))
    used.insert(facts.id(position))
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
      return isFair ? .disqualification(Seat(seat), reason: reason) : nil
    default: return nil
    }
  }
}
