import EventLog
import Events
import Peer
import Service
import Terminal

/// `parlor log forget ROOM…`.
enum LogForgetCommand: Command {
  /// What is printed of each room that is forgotten.
  static let object = ObjectDefinition(
    "forgotten", "For each room that was forgotten.",
    [
      "room": "the room's id", "events": "how many events it had",
      "bytes": "what they took as they were stored",
    ])

  static let definition = CommandDefinition(
    "log forget", group: Group.log, summary: "Remove rooms from the log.",
    text: [
      "Their events are gone from this data folder, and are not fetched from others again until `parlor log import`,"
        + " `parlor join` or `parlor watch` asks for the room. Others keep what they have. How far your own events went"
        + " is remembered: should the room come back, nothing is written there before they have.",
      "A room in which a game of yours is on stays, unless --force is given. The file does not get smaller: what was"
        + " freed is used for what comes.",
      "A damaged room is forgotten too, while no other command has the folder. Nothing is written into it again from"
        + " this folder: nobody knows any more how far your own events went.",
    ],
    arguments: [
      .init(
        "room", "The first digits of a room's id, or `last` for the newest.", repeats: true,
        kind: .stored(.rooms))
    ],
    options: [.flag("force", "Also rooms in which a game of yours is on.")],
    examples: [
      .init("log forget 3fa2", "the room whose id begins so"),
      .init("log forget 3fa2 9c01 --force", "two rooms, also when a game is on there"),
    ],
    exitStatuses: [
      .init(
        .negative,
        "A game of yours is on in one of the rooms, or another command plays there; nothing was forgotten."),
      .init(.noInput, "A room is not here; nothing was forgotten."),
    ],
    objects: [object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let log = try context.store.reader()
    let sizes = try log.storedBytes()
    var rooms: [Pruning.Candidate] = []
    for name in parsed.arguments("room") {
      let room = try RoomName(name).id(in: log)
      guard !rooms.contains(where: { $0.room == room }) else { continue }
      let events = try log.events(of: room)
      rooms.append(.init(room: room, events: events, bytes: sizes[room] ?? 0, used: 0))
    }
    let owner = try context.store.identity(nil).peer
    let damaged = try rooms.compactMap { try log.forgottenIfDamaged($0.room, owner: owner) }
    log.close()
    if let first = damaged.first {
      guard damaged.count == rooms.count else {
        throw Failure(
          .usage, "the room \(first.room.short) is damaged, and is forgotten without the others",
          hint: "`parlor log forget \(first.room.short)`, then the others; nothing was forgotten")
      }
      // No process opens them, so that none has to close them.
      try context.store.markedWriter().log.forget(damaged)
      try tell(rooms, context)
      return .ok
    }
    try await forget(rooms, parsed.has("force") ? .all : .unplayed, parsed, context)
    return .ok
  }

  /// Forgets rooms of the data folder, here or through the process that has it, and tells what was freed.
  static func forget(
    _ rooms: [Pruning.Candidate], _ which: Forgetting, _ parsed: ParsedCommand, _ context: Context
  ) async throws {
    let service = try await context.folderService(parsed)
    _ = try await service.untilDone {
      do {
        let gone = Set(try await service.forget(rooms.map(\.room), which))
        try tell(rooms.filter { gone.contains($0.room) }, context)
      } catch ServiceError.refused(let words) {
        throw Failure(
          .negative, words, hint: "nothing was forgotten; --force is for games of your own that are on")
      }
      return .ok
    }
  }

  /// Tells what was forgotten.
  private static func tell(_ rooms: [Pruning.Candidate], _ context: Context) throws {
    for room in rooms {
      guard context.isJSON else {
        try context.console.line("Room \(room.room.short): \(Room.count(room.events, "event")) forgotten.")
        continue
      }
      try context.object(
        "forgotten",
        [
          "room": .string(room.room.description), "events": .integer(Int64(room.events)),
          "bytes": .integer(Int64(room.bytes)),
        ])
    }
    guard !context.isJSON else { return }
    let bytes = rooms.reduce(0) { $0 + $1.bytes }
    try context.console.line(
      rooms.isEmpty
        ? "Nothing was forgotten."
        : "\(Room.count(rooms.count, "room")) forgotten, \(SizeText.text(bytes)) freed for what comes.")
  }
}
