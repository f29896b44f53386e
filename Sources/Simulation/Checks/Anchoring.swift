import EventLog
import Events
import Projection

/// Whether what a peer wrote is cited by others, so that a fork of its feed does not undo it.
enum Anchoring {
  /// For each game of a state whether its agreement rests on nothing that a forker can take back: that of the game
  /// itself, or of a later one, which agrees those before it.
  static func keptGames(of state: RoomState, forkers: [PeerID], honest: [PeerID], in log: RoomLog) -> [Bool] {
    let stands = state.games.map { game in
      guard game.isAgreed, let ending = game.ending?.node else { return false }
      return state.seats.compactMap { $0?.peer }.allSatisfy { seat in
        forkers.contains(seat)
          ? isResultCited(game.number, ending, of: seat, by: honest, in: log)
          : !results(game.number, ending, of: seat, in: log).isEmpty
      }
    }
    return stands.indices.map { stands[$0...].contains(true) }
  }

  private static func results(_ game: Int, _ ending: EventID, of author: PeerID, in log: RoomLog) -> [Event] {
    log.graph.events.filter { event in
      guard event.author == author, case .result(let number, let node, _) = event.action else { return false }
      return Int(number) == game && node == ending
    }
  }

  /// Whether one of `members` has cited a result of an author that names this ending of a game.
  private static func isResultCited(
    _ game: Int, _ ending: EventID, of author: PeerID, by members: [PeerID], in log: RoomLog
  ) -> Bool {
    let results = results(game, ending, of: author, in: log)
    return members.contains { member in
      member != author
        && (log.feed(member)?.positions ?? []).contains { position in
          (0..<log.graph.events[position].parentCount).contains { parent in
            let cited = log.graph.events[position].parent(parent)
            return results.contains { leads(from: cited, to: $0, in: log) }
          }
        }
    }
  }

  /// Whether an event is a later one of the same branch, or the event itself.
  private static func leads(from id: EventID, to event: Event, in log: RoomLog) -> Bool {
    var place = log.position(of: id)
    while let position = place {
      let other = log.graph.events[position]
      guard other.author == event.author, other.sequence >= event.sequence else { return false }
      if other.id == event.id { return true }
      place = log.position(of: other.previous)
    }
    return false
  }
}
