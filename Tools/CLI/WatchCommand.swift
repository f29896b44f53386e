import Events
import Projection
import Service
import Terminal

/// `parlor watch`: somebody else's game.
enum WatchCommand: Command {
  static let definition = CommandDefinition(
    "watch", group: Group.network, summary: "Look on while others play a game.",
    text: [
      "Waits until the game has come, then draws each position as it comes, to the end, to q where it fills the"
        + " terminal, or to Ctrl-C."
    ],
    arguments: [RoomName.gameArgument],
    options: [Context.plain, Context.verbose] + NetworkOptions.definitions,
    examples: [.init("watch KTQWXZ --connect 192.168.0.7:4141", "the game with this code")],
    objects: [NetworkOptions.listeningObject] + PlayView.remoteObjects + RoundsView.liveObjects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    // Who looks on needs no join code.
    let name = try RoomName.gameAndCode(parsed, context.store).name
    return try await Sitting.open(parsed, context) { sitting in
      let (service, input) = (sitting.service, sitting.input)
      guard let first = try await sitting.arrival(of: name) else { return .interrupted }
      if first.isTournament {
        throw ServiceError.refused(
          "it is a tournament: `parlor tournament watch \(GameCode.of(first.room))` looks on")
      }
      do {
        return first.hosted == nil
          ? try await watch(NetworkGame(service, first.room, at: []), context, input)
          : try await watchRounds(in: first.room, context, service, input)
      } catch {
        try await input.leaveScreen()
        throw error
      }
    }
  }

  private static func watch(
    _ game: consuming NetworkGame, _ context: Context, _ input: TableInput
  ) async throws -> ExitStatus {
    var (view, game, timer) = (PlayView(context), game, TableTimer())
    defer { timer.stop() }
    while true {
      let table = try await game.table()
      if table.isOn { try await view.enterScreen(table, input, words: nil) }
      timer.set(table, input, isShown: view.screen != nil)
      try view.tell(table)
      if table.ending != nil, game.goOn() {
        try view.tellEnd(table, isLast: false)
        continue
      }
      if !table.isOn, table.phase != .waiting {
        try await view.leaveScreen(table, input)
        try view.tellEnd(table, isLast: true)
        return .ok
      }
      // Nothing is typed to a game, unless keys are read there.
      let event = try await view.screen == nil ? input.change() : input.next()
      guard case .line(let line) = event else { continue }
      try await view.leaveScreen(table, input)
      return line == .interrupted ? .interrupted : .ok
    }
  }

  private static func watchRounds(
    in room: RoomID, _ context: Context, _ service: any Service, _ input: TableInput
  ) async throws -> ExitStatus {
    var (view, clock) = (RoundsView(context), RoundsClock(input))
    defer { clock.stop() }
    while let table = try await service.table(of: room) {
      try await view.enterScreen(table, input, .onlyEnd)
      clock.note(table.hosted?.round, isTicking: context.console.output.movesCursor)
      try view.tell(table, above: clock.left(table.hosted?.round)?.words)
      guard table.phase == .waiting || table.phase == .playing else {
        try await view.leaveScreen(table, input)
        try view.tellEnd(table)
        return .ok
      }
      view.draw(table, clock.left(table.hosted?.round))
      // Nothing is typed to rounds, unless keys are read there.
      let event = try await view.screen == nil ? input.change() : input.next()
      guard case .line(let line) = event else { continue }
      try await view.leaveScreen(table, input)
      return line == .interrupted ? .interrupted : .ok
    }
    return .ok
  }
}
