import Events
import Peer
import Projection
import Rules
import Service
import Terminal

/// A person's games at one table: the first, and its rematches.
struct Rematches {
  let sitting: Sitting

  /// Plays a room that this peer has a seat in, or hosts, and then its rematches.
  func play(at first: RoomID) async throws -> ExitStatus {
    let (context, service, input) = (sitting.context, sitting.service, sitting.input)
    let addresses = try NetworkOptions.addresses(sitting.parsed)
    var room = first
    while true {
      if try await service.state(of: room)?.creator == service.peer { try await service.attend(room) }
      var table = PlayTable(context, NetworkGame(service, room, at: addresses), input)
      let end = try await table.play()
      guard end == .over, try await table.wantsAnother(),
        let next = try await rematch(of: room)
      else {
        try await sitting.withdraw(from: room)
        return end == .interrupted || context.interrupts.isStopRequested ? .interrupted : .ok
      }
      room = next
    }
  }

  /// Asks for a seat in the next game; `nil` when somebody else was quicker, or it was asked to stop.
  private func seat(
    in room: RoomID, after before: RoomState, _ profile: Profile
  ) async throws -> RoomID? {
    do {
      guard let next = try await sitting.service.state(of: room),
        let terms = try await RefereeConsent(sitting: sitting).terms(of: next, after: before)
      else { return nil }
      _ = try await sitting.service.perform(.join(room, seat: Create.noSeat, profile, terms: terms))
    } catch ServiceError.refused(let words) {
      sitting.context.console.note(words)
      return nil
    }
    while let table = try await sitting.service.table(of: room) {
      if table.seat != nil { return room }
      guard table.hasFreeSeat, try await sitting.input.change().isChange else { break }
    }
    try await sitting.withdraw(from: room)
    return nil
  }

  /// An open game of the same host and rules.
  private func openGame(like before: RoomState) async throws -> RoomID? {
    for room in try await sitting.service.openGames() {
      guard let state = try await sitting.service.state(of: room), state.creator == before.creator,
        state.isCasual
      else {
        continue
      }
      if state.create.rules == before.create.rules, state.create.parameters == before.create.parameters {
        return room
      }
    }
    return nil
  }

  /// The next game between the same seats. A bot has one open for whoever comes. Else whoever wants one opens it;
  /// where several do, the one that counts is said by `TableView.rematch`, to all alike.
  /// - Returns: `nil` when there is none, or it was asked to stop.
  private func rematch(of room: RoomID) async throws -> RoomID? {
    let console = sitting.context.console
    guard let state = try await sitting.service.state(of: room) else { return nil }
    let profile = state.seat(of: sitting.service.peer).flatMap { state.seats[$0.index]?.profile }
    guard let profile else { return nil }
    let isOfBot = state.create.profile.bot != nil && state.creator != sitting.service.peer
    if isOfBot { console.note("Waiting for \(state.name(of: state.creator)) to begin the next game.") }
    var own: RoomID?
    while true {
      let table = try await sitting.service.table(of: room)
      if isOfBot {
        let open = try await openGame(like: state)
        if let next = try await sitting.service.rematch(of: room, by: state.creator) ?? open {
          return try await seat(in: next, after: state, profile)
        }
      } else if let own, try await sitting.service.state(of: own)?.phase != .waiting {
        return own
      } else if let wish = table?.rematch, wish.peer != sitting.service.peer {
        try await close(own)
        return try await seat(in: wish.room, after: state, profile)
      } else if own == nil {
        let new = Intent.NewRoom(rematchOf: state, by: sitting.service.peer, profile)
        own = try await sitting.service.perform(.create(new))
        console.note("Waiting for the other side to come to the next game.")
      }
      if let gone = table?.seats.firstIndex(where: { $0.presence == .away && $0.awaySince != nil }) {
        console.note("\(table?.names[gone] ?? "The other side") has gone.")
        break
      }
      guard case .changed = try await sitting.input.change() else { break }
    }
    try await close(own)
    return nil
  }

  /// Closes a rematch that this peer has opened and to which nobody has come.
  private func close(_ rematch: RoomID?) async throws {
    guard let rematch, try await sitting.service.state(of: rematch)?.phase == .waiting else { return }
    try await sitting.attempt(.act(rematch, .leave))
  }
}
