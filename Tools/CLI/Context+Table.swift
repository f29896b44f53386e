import Events
import Peer
import Projection
import Rules
import Service
import Terminal

// A person's sitting at games over the network.

extension Context {
  /// What every command takes at whose table others sit.
  static let noBell: OptionDefinition = .flag(
    "no-bell", "Do not ring the terminal's bell when somebody sits down or moves.")

  /// Plays a room that this peer has a seat in, or hosts, and then its rematches.
  func sit(
    at first: RoomID, _ parsed: ParsedCommand, _ service: any Service, _ input: TableInput
  ) async throws -> ExitStatus {
    let addresses = try addresses(parsed)
    var room = first
    while true {
      if try await service.state(of: room)?.creator == service.peer { try await service.attend(room) }
      var table = PlayTable(
        self, NetworkGame(service, room, at: addresses), input)
      let end = try await table.play()
      guard end == .over, try await table.wantsAnother(),
        let next = try await rematch(of: room, service, input)
      else {
        try await withdraw(from: room, service)
        return end == .interrupted || interrupts.isStopRequested ? .interrupted : .ok
      }
      room = next
    }
  }

  /// Does something for the person; what cannot be done now is told.
  func attempt(_ intent: Intent, _ service: any Service) async throws {
    do throws(ServiceError) { _ = try await service.perform(intent) } catch {
      switch error {
      case .refused(let words), .busy(let words), .peer(.notAllowed(let words)), .peer(.full(let words)):
        console.report(error: words)
      default: throw error
      }
    }
  }

  /// Takes back a request that was not granted: nobody is to be seated who has gone.
  func withdraw(from room: RoomID, _ service: any Service) async throws {
    guard let table = try await service.table(of: room), table.phase == .waiting, table.hasAsked else {
      return
    }
    _ = try await service.perform(.act(room, .leave))
  }

  /// Asks for a seat in the next game; `nil` when somebody else was quicker, or it was asked to stop.
  private func seat(
    in room: RoomID, after before: RoomState, _ profile: Profile, _ service: any Service, _ input: TableInput
  ) async throws -> RoomID? {
    do {
      guard let next = try await service.state(of: room),
        let terms = try await consent(to: next, after: before, input)
      else { return nil }
      _ = try await service.perform(.join(room, seat: Create.noSeat, profile, terms: terms))
    } catch ServiceError.refused(let words) {
      console.note(words)
      return nil
    }
    while let table = try await service.table(of: room) {
      if table.seat != nil { return room }
      guard table.hasFreeSeat, try await input.change().isChange else { break }
    }
    try await withdraw(from: room, service)
    return nil
  }

  /// An open game of the same host and rules.
  private func openGame(like before: RoomState, _ service: any Service) async throws -> RoomID? {
    for room in try await service.openGames() {
      guard let state = try await service.state(of: room), state.creator == before.creator, state.isCasual
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
  private func rematch(
    of room: RoomID, _ service: any Service, _ input: TableInput
  ) async throws -> RoomID? {
    guard let state = try await service.state(of: room) else { return nil }
    let profile = state.seat(of: service.peer).flatMap { state.seats[$0.index]?.profile }
    guard let profile else { return nil }
    let isOfBot = state.create.profile.bot != nil && state.creator != service.peer
    if isOfBot { console.note("Waiting for \(state.name(of: state.creator)) to begin the next game.") }
    var own: RoomID?
    while true {
      let table = try await service.table(of: room)
      if isOfBot {
        let open = try await openGame(like: state, service)
        if let next = try await service.rematch(of: room, by: state.creator) ?? open {
          return try await seat(in: next, after: state, profile, service, input)
        }
      } else if let own, try await service.state(of: own)?.phase != .waiting {
        return own
      } else if let wish = table?.rematch, wish.peer != service.peer {
        try await close(own, service)
        return try await seat(in: wish.room, after: state, profile, service, input)
      } else if own == nil {
        let new = Intent.NewRoom(rematchOf: state, by: service.peer, profile)
        own = try await service.perform(.create(new))
        console.note("Waiting for the other side to come to the next game.")
      }
      if let gone = table?.seats.firstIndex(where: { $0.presence == .away && $0.awaySince != nil }) {
        console.note("\(table?.names[gone] ?? "The other side") has gone.")
        break
      }
      guard case .changed = try await input.change() else { break }
    }
    try await close(own, service)
    return nil
  }

  /// Closes a rematch that this peer has opened and to which nobody has come.
  private func close(_ rematch: RoomID?, _ service: any Service) async throws {
    guard let rematch, try await service.state(of: rematch)?.phase == .waiting else { return }
    try await attempt(.act(rematch, .leave), service)
  }
}
