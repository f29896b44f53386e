import EventLog
import Events
import Peer
import Projection
import Service
import Terminal

/// `parlor chat`: words in a room.
enum ChatCommand: Command {
  static let definition = CommandDefinition(
    "chat", group: Group.network, summary: "Say something to everybody in a game.",
    text: [
      "Goes through the process that has the data folder, such as `parlor serve` or a game at another terminal;"
        + " without one, the command connects itself, and ends when the peers that answer have the words."
    ],
    arguments: [
      RoomName.gameArgument,
      .init("text", "The words.", repeats: true),
    ],
    options: NetworkOptions.definitions,
    examples: [.init("chat KTQWXZ good game", "everybody who holds the game can read it")],
    objects: [
      NetworkOptions.listeningObject,
      .init(
        "said", "When it is stored.", ["room": "the room's id", "text": "the words as they stand in the log"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = try RoomName.game(parsed, context.store)
    let text = parsed.arguments("text").joined(separator: " ")
    guard text.contains(where: { $0 != " " }) else { throw parsed.badArgument("text", "there are no words") }
    let service = try await service(parsed, context)
    let inquiry = Inquiry(context: context, parsed: parsed, service: service)
    return try await service.untilDone {
      guard let state = try await inquiry.game(name) else { return .interrupted }
      let room = try await service.perform(.act(state.room, .say(text)))
      let said = text.prefix(utf8Bytes: Action.limitChatBytes)
      if said != text { context.console.note("That was cut to \(Action.limitChatBytes) bytes.") }
      if context.isJSON {
        try context.object("said", ["room": .string(room.description), "text": .string(said)])
      }
      return try await inquiry.firstAnswers() ? .ok : .interrupted
    }
  }

  /// The peer of the data folder; a game against bots at another terminal has the folder to itself.
  private static func service(_ parsed: ParsedCommand, _ context: Context) async throws -> any Service {
    do { return try await context.service(parsed) } catch let error as LogError {
      guard case .locked = error else { throw error }
      throw Failure(
        error.exitStatus, error.description,
        hint: "where a game is played at that terminal, type `say TEXT` there")
    }
  }
}
