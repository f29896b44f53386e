import Events
import Projection
import Rules
import Service
import Terminal

// A person's sitting at games over the network.

extension Context {
  /// What `--name` and `--emoji` mean wherever a person sits down.
  static let profileOptions: [OptionDefinition] = [
    .value("emoji", "E", "your piece: an emoji or a team (Cats, Dogs, Ocean, Space, Fruits)"),
    .value("name", "N", "how you are shown; the user's name when not given"),
  ]

  /// Plays a room that this peer has a seat in, or hosts, and then its rematches.
  func sit(at first: RoomID, _ service: any Service, _ input: TableInput) async throws -> ExitStatus {
    var room = first
    while true {
      var table = PlayTable(
        self, NetworkGame(service: service, room: room), input, others: OtherSeats(service))
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

  /// Takes back a request that was not granted: nobody is to be seated who has gone.
  func withdraw(from room: RoomID, _ service: any Service) async throws {
    guard let state = try await service.state(of: room), state.phase == .waiting,
      state.openRequests.contains(where: { $0.peer == service.peer })
    else { return }
    _ = try await service.perform(.leave(room))
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
    let others = OtherSeats(service)
    console.note("Waiting for \(state.name(of: state.creator)) to begin the next game.")
    while true {
      if let next = try await service.rematch(of: room, by: state.creator) {
        return try await service.perform(.join(next, seat: Create.noSeat, profile))
      }
      guard try await others.areHere(in: state) else {
        console.note("\(state.name(of: state.creator)) has gone.")
        return nil
      }
      guard case .changed = try await input.change() else { return nil }
    }
  }
}
