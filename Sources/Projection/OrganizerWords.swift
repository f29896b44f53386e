import Events
import Rules

/// The organizer's words on attempts at pairings and on entrants: the first one on each stands.
struct OrganizerWords: Sendable {
  private enum Subject: Hashable {
    case attempt(pairing: UInt32, attempt: UInt8)
    case entrant(Seat)
  }

  /// The events that they stand in, in the order of the organizer's feed.
  private(set) var events: [EventID] = []
  /// The same events.
  private(set) var used: Set<EventID> = []
  private var known: Set<Subject> = []

  /// Adds a word unless there is one on the same attempt or entrant.
  mutating func add(_ word: RoomState.TournamentWord, from event: EventID) {
    let subject: Subject
    switch word {
    case .result(let result, _): subject = .attempt(pairing: result.pairing, attempt: result.attempt)
    case .disqualification(let seat, _): subject = .entrant(seat)
    case .withdrawal: return
    }
    guard known.insert(subject).inserted else { return }
    events.append(event)
    used.insert(event)
  }
}
