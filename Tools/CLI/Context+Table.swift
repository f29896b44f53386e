import Events
import Peer
import Projection
import Rules
import Service
import Terminal

// A person's sitting at games over the network.

extension Context {
  /// Plays a room that this peer has a seat in, or hosts, and then its rematches.
  func sit(
    at first: RoomID, _ parsed: ParsedCommand, _ service: any Service, _ input: TableInput
  ) async throws -> ExitStatus {
    let addresses = try addresses(parsed)
    var room = first
    while true {
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
      case .refused(let words): console.report(error: words)
      case .peer(.notAllowed(let words)): console.report(error: words)
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
      guard let state = try await service.state(of: room), state.creator == before.creator else { continue }
      if state.create.rules == before.create.rules, state.create.parameters == before.create.parameters {
        return room
      }
    }
    return nil
  }

  /// The next game between the same seats: its one writer is who created the one before.
  private func rematch(
    of room: RoomID, _ service: any Service, _ input: TableInput
  ) async throws -> RoomID? {
    guard let state = try await service.state(of: room) else { return nil }
    let profile = state.seat(of: service.peer).flatMap { state.seats[$0.index]?.profile }
    guard let profile else { return nil }
    if state.creator == service.peer {
      return try await service.perform(.create(Intent.NewRoom(rematchOf: state, profile)))
    }
    console.note("Waiting for \(state.name(of: state.creator)) to begin the next game.")
    let isBot = state.create.profile.bot != nil
    while true {
      // A bot has its next game open for whoever comes.
      let open = isBot ? try await openGame(like: state, service) : nil
      if let next = try await service.rematch(of: room, by: state.creator) ?? open {
        return try await seat(in: next, after: state, profile, service, input)
      }
      let connected = try await service.neighbours().compactMap { $0.state == .connected ? $0.peer : nil }
      let others = state.seats.compactMap { $0?.peer }.filter { $0 != service.peer }
      guard others.allSatisfy(connected.contains) else {
        console.note("\(state.name(of: state.creator)) has gone.")
        return nil
      }
      guard case .changed = try await input.change() else { return nil }
    }
  }
}
