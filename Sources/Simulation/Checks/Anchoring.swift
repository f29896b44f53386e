import EventLog
import Events

/// Whether what a peer wrote is cited by others, so that a fork of its feed does not undo it.
enum Anchoring {
  /// Whether one of `members` has cited a result of an author that names this ending of a game.
  static func isResultCited(
    _ game: Int, _ ending: EventID, of author: PeerID, by members: [PeerID], in log: RoomLog
  ) -> Bool {
    let results = log.entries.map(\.event).filter { event in
      guard event.author == author, case .result(let number, let node, _) = event.action else { return false }
      return Int(number) == game && node == ending
    }
    return members.contains { member in
      member != author
        && (log.feed(member)?.positions ?? []).contains { position in
          (0..<log.entries[position].event.parentCount).contains { parent in
            let cited = log.entries[position].event.parent(parent)
            return results.contains { leads(from: cited, to: $0, in: log) }
          }
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
