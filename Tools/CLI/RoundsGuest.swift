import Events
import Peer
import Service
import Terminal

/// A player at the room of a host: comes in, speaks and leaves, whatever the rounds are.
struct RoundsGuest {
  let sitting: Sitting
  let room: RoomID

  var context: Context { sitting.context }
  var service: any Service { sitting.service }
  var input: TableInput { sitting.input }

  /// Asks the host to be taken in, and waits for its answer.
  /// - Returns: `false` when it was asked to stop.
  func comeIn(code: String?, _ profile: Profile) async throws -> Bool {
    _ = try await service.perform(.rounds(room, .join(code: code, profile)))
    var hasTold = false
    while true {
      guard let table = try await service.table(of: room), let rounds = table.hosted else { return false }
      if rounds.number != nil { return true }
      guard table.phase == .waiting || table.phase == .playing else {
        throw ServiceError.refused("it is over")
      }
      if !rounds.hasAsked, let refusal = rounds.refusal {
        throw ServiceError.refused(
          refusal == .full ? "as many players are there as the host takes" : "the join code is wrong")
      }
      if !hasTold { context.console.note("Waiting for the host.") }
      hasTold = true
      guard case .changed = try await input.change() else {
        _ = try await service.perform(.act(room, .leave))
        return false
      }
    }
  }

  /// The room as it stands.
  func table() async throws -> (TableView, HostedView) {
    guard let table = try await service.table(of: room), let rounds = table.hosted else {
      throw ServiceError.gone("the room is not here")
    }
    return (table, rounds)
  }

  /// Does something for the player; what cannot be done now is told.
  func attempt(_ intent: Intent) async throws { try await sitting.attempt(intent) }

  /// Says something to all.
  func say(_ text: String) async throws { try await attempt(.act(room, .say(text))) }

  /// Leaves, so that the host does not wait; the score stays.
  func leave(_ status: ExitStatus) async throws -> ExitStatus {
    try await attempt(.act(room, .leave))
    context.console.note("Your score stays: `parlor join \(room.short)` comes back.")
    return status
  }
}
