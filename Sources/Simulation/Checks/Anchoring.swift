import EventLog
import Events

/// Whether what a peer wrote is cited by others, so that a fork of its feed does not undo it.
enum Anchoring {
  /// Whether one of `members` has cited an author's first result of a game.
  static func isResultCited(
    _ game: Int, of author: PeerID, by members: [PeerID], in log: RoomLog
  ) -> Bool {
    let results = log.entries.map(\.event).filter { event in
      guard event.author == author, case .result(let number, _, _) = event.action else { return false }
      return Int(number) == game
    }
    guard let first = results.min(by: { ($0.sequence, $0.id) < ($1.sequence, $1.id) }) else { return false }
    return members.contains { member in
      member != author
        && (log.feed(member)?.positions ?? []).contains { position in
          log.entries[position].event.parents.contains { leads(from: $0, to: first, in: log) }
        }
    }
  }

  /// Whether an event is a later one of the same branch, or the event itself.
  private static func leads(from id: EventID, to event: Event, in log: RoomLog) -> Bool {
    var place = log.position(of: id)
    while let position = place {
      let other = log.entries[position].event
      guard other.author == event.author, other.sequence >= event.sequence else { return false }
      if other.id == event.id { return true }
      place = log.position(of: other.previous)
    }
    return false
  }
}
