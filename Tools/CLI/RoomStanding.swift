import EventLog
import Events
import Peer
import Projection
import Rules
import Terminal
import Tournaments

/// Where a room stands, without its events.
struct RoomStanding {
  /// What the events amount to.
  let state: RoomState
  /// The tournament, once it has started, in a tournament's room; `nil` also where its settings cannot be.
  let tournament: TournamentRoom?

  /// The standing of a room in this state.
  /// - Parameter store: where the rooms of a tournament's games are; without one the organizer's words count alone.
  init(_ state: RoomState, in store: (any EventLog)?, _ games: GameCatalog) throws(LogError) {
    self.state = state
    if let store {
      tournament = try store.tournament(state, games)
    } else {
      do throws(TournamentError) { tournament = try TournamentRoom(state, games) } catch { tournament = nil }
    }
  }

  /// Whether this is a tournament's room.
  var isTournament: Bool { state.create.isTournament }

  /// Where the room stands, in one word.
  var status: String {
    if let tournament { return tournament.state.isComplete ? "finished" : "playing" }
    return switch state.phase {
    case .waiting: "waiting"
    case .playing: "playing"
    case .finished: "finished"
    case .abandoned: "abandoned"
    case .closed: "closed"
    case .unknownRules: "unknown-rules"
    case .unknownEdition: "unknown-edition"
    }
  }

  /// Who sits where, for `--json`.
  var players: JSONValue {
    .array(
      state.seats.enumerated().compactMap { index, occupant in
        occupant.map { occupant in
          .object([
            "seat": .integer(Int64(index + 1)), "name": .string(occupant.profile.name),
            "peer": .string(occupant.peer.description),
            "bot": .optional(occupant.profile.bot?.specification),
          ])
        }
      })
  }
}
