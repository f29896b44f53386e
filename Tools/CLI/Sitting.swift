import Events
import Network
import Peer
import Platform
import Projection
import Service
import Terminal

/// A command that sits with others at tables: what it was asked, the peer that it works through, and what is typed.
struct Sitting {
  let context: Context
  let parsed: ParsedCommand
  let service: any Service
  let input: TableInput

  /// What is asked of other peers.
  var inquiry: Inquiry { Inquiry(context: context, parsed: parsed, service: service) }

  /// Sits down with others: opens the peer of the data folder, and lets go of it whatever happens.
  static func open(
    _ parsed: ParsedCommand, _ context: Context, _ body: (Sitting) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let service = try await context.service(parsed)
    return try await service.untilDone {
      let input = try await TableInput(context.interrupts, following: service)
      return try await body(Sitting(context: context, parsed: parsed, service: service, input: input))
    }
  }

  /// Does something for the person; what cannot be done now is told.
  func attempt(_ intent: Intent) async throws {
    do throws(ServiceError) { _ = try await service.perform(intent) } catch {
      switch error {
      case .refused(let words), .busy(let words), .peer(.notAllowed(let words)), .peer(.full(let words)):
        context.console.report(error: words)
      default: throw error
      }
    }
  }

  /// Takes back a request that was not granted: nobody is to be seated who has gone.
  func withdraw(from room: RoomID) async throws {
    guard let table = try await service.table(of: room), table.phase == .waiting, table.hasAsked else {
      return
    }
    _ = try await service.perform(.act(room, .leave))
  }

  /// A game, as soon as it is here.
  /// - Returns: `nil` when it was asked to stop.
  func arrival(of name: String) async throws -> RoomState? {
    var refusals = Refusals(try NetworkOptions.addresses(parsed))
    let hasAnswers = Guarded(false)
    var answers: Task<Void, any Error>?
    defer { answers?.cancel() }
    while true {
      if let state = try await service.state(named: name) {
        // There is nothing to play and nothing to see.
        if let words = state.phase.refusalOfEdition { throw ServiceError.refused(words) }
        // What is here may be old, and of a game of others no more comes unless it is asked for.
        _ = try await service.perform(.want(name: state.room.description))
        return state
      }
      if answers == nil {
        context.console.note(try waitingWords(name))
        _ = try await service.perform(.want(name: name))
        answers = Task {
          guard try await inquiry.firstAnswers(), !Task.isCancelled else { return }
          hasAnswers.withLock { $0 = true }
          await input.noteChange()
        }
      }
      try await refusals.tell(service, context.console)
      if hasAnswers.withLock({ isNew in
        defer { isNew = false }
        return isNew
      }) {
        let count = try await service.neighbours().count { $0.state == .connected }
        let who =
          count == 0
          ? "No peer is connected yet" : "\(Room.count(count, "peer")) connected, and none has it yet"
        context.console.note(
          "\(who): waiting goes on. `parlor lobby` lists open games; `--connect HOST:PORT` names a peer that has it."
        )
      }
      guard case .changed = try await input.change() else { return nil }
    }
  }

  /// What is waited for, from where, and how it ends.
  private func waitingWords(_ name: String) throws -> String {
    let nearby = parsed.has("no-discovery") ? [] : ["peers nearby"]
    let places = nearby + (try NetworkOptions.addresses(parsed)).map(\.description)
    let source = places.isEmpty ? "" : " from \(places.joined(separator: ", "))"
    return "Waiting for the game \(SafeText(name, limitColumns: 70).text) to come\(source); Ctrl-C ends that."
  }
}
