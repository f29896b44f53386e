import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Service
import Simulation

// A person who comes to games that others keep open.

extension ServiceRun {
  /// How long a person looks for a game before it asks somebody for one.
  static let codeMilliseconds: UInt64 = 30_000

  /// Comes to one open game after the other, and plays it to its end.
  func playAsPerson() async throws {
    var asked: Set<RoomID> = []
    var played = 0
    while played < plan.games {
      var room = RoomID.none
      let begin = machine.now
      try await act(0, "join a game") { run, service in
        // Whoever finds no game asks somebody for the code of one, which is here sooner or later.
        let code = run.machine.now > begin + Self.codeMilliseconds ? try run.openGame(besides: asked) : nil
        for open in await service.openGames() + [code].compactMap(\.self) {
          guard let state = try await service.state(of: open), state.phase == .waiting,
            run.hosts.contains(where: { $0.peer == state.creator })
          else { continue }
          // Somebody dishonest lets others wait for ever.
          if run.insiders.contains(state.creator), !asked.insert(open).inserted { continue }
          room = open
          do throws(ServiceError) {
            _ = try await service.perform(
              .join(open, seat: Create.noSeat, Profile(name: "person"), terms: Terms(state.create)))
          } catch {
            // It was closed meanwhile.
            guard case .refused = error else { throw error }
            continue
          }
          return true
        }
        if let code { _ = try await service.perform(.want(name: code.description)) }
        return false
      }
      record.tell("the person has asked for a seat in \(room.short)")
      if try await playGame(in: room) { played += 1 }
    }
  }

  /// A game that another one has open.
  /// - Parameter asked: those of somebody dishonest in which the person has asked for a seat.
  private func openGame(besides asked: Set<RoomID>) throws -> RoomID? {
    for number in machines.dropFirst() {
      for listing in try hosts[number].disk.rooms(limit: nil)
      where listing.create.author == hosts[number].peer && !asked.contains(listing.room) {
        let state = try hosts[number].disk.state(of: listing.room, verify: false, Games.catalog)
        if state.phase == .waiting { return listing.room }
      }
    }
    return nil
  }

  /// - Returns: whether it counts as played: it came to its end, or somebody dishonest does not go on.
  private func playGame(in room: RoomID) async throws -> Bool {
    let asked = machine.now
    var isPlayed = false
    try await act(0, "play \(room.short) to its end") { run, service in
      guard let state = try await service.state(of: room) else { return false }
      if state.seats.contains(where: { $0.map { run.insiders.contains($0.peer) } == true }),
        run.machine.now > asked + Self.insidersMilliseconds
      {
        // Whoever does not play on is left sitting.
        isPlayed = true
        return true
      }
      switch state.phase {
      case .finished, .abandoned:
        isPlayed = true
        return true
      case .closed: return true
      case .waiting:
        // Whoever opened it may have given the seat to another, or be gone.
        guard state.seat(of: service.peer) == nil, run.machine.now > asked + 20_000 else { return false }
        return true
      default: break
      }
      guard state.phase == .playing else { return true }
      guard let seat = state.seat(of: service.peer) else { return true }
      guard state.seatToChoose(of: service.peer) == seat, let game = state.currentGame else { return false }
      let moves = game.state.legalMoves(of: seat)
      guard let move = run.random.pick(moves) else { return false }
      do throws(ServiceError) {
        _ = try await service.perform(
          .act(
            room,
            .choose(BotChoice(move), game: UInt16(game.number), ply: UInt16(game.plies.count))))
      } catch {
        guard case .peer(.notAllowed) = error else { throw error }
      }
      return false
    }
    return isPlayed
  }
}
