import Events
import Projection
import Service
import Terminal

/// `parlor watch`: somebody else's game.
enum WatchCommand: Command {
  static let definition = CommandDefinition(
    "watch", group: Group.network, summary: "Look on while others play a game.",
    text: ["Waits until the game has come, then draws each position as it comes, to the end or Ctrl-C."],
    arguments: [.init("room", "The game's code, its id, or the id's first digits.")],
    options: [Context.plain] + Context.networkOptions,
    examples: [.init("watch KTQWXZ --connect 192.168.0.7:4141", "the game with this code")],
    objects: [Context.listeningObject] + PlayView.remoteObjects + RoundsView.liveObjects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    // Who looks on needs no join code.
    let name = try context.roomNameAndCode(parsed).name
    let service = try await context.service(parsed)
    return try await context.using(service) {
      let input = try await TableInput(context.interrupts, following: service)
      guard let first = try await context.arrival(of: name, parsed, service, input) else {
        return .interrupted
      }
      if first.hosted != nil { return try await watchRounds(in: first.room, context, service, input) }
      var (view, game) = (PlayView(context), NetworkGame(service, first.room, at: []))
      while true {
        let table = try await game.table()
        try view.tell(table)
        if table.ending != nil, game.goOn() {
          try view.tellEnd(table, isLast: false)
          continue
        }
        if !table.isOn, table.phase != .waiting {
          try view.tellEnd(table, isLast: true)
          return .ok
        }
        guard try await input.change().isChange else { return .interrupted }
      }
    }
  }

  private static func watchRounds(
    in room: RoomID, _ context: Context, _ service: any Service, _ input: TableInput
  ) async throws -> ExitStatus {
    var (view, clock) = (RoundsView(context), RoundsClock(input))
    defer { clock.stop() }
    while let table = try await service.table(of: room) {
      clock.note(table.hosted?.round, isTicking: context.console.output.movesCursor)
      try view.tell(table, above: clock.words(for: table.hosted?.round))
      guard table.phase == .waiting || table.phase == .playing else {
        try view.tellEnd(table)
        return .ok
      }
      guard try await input.change().isChange else { return .interrupted }
    }
    return .ok
  }
}
