import Events
import Service
import Terminal

/// What is said in a room, each line told once, and none that was said before somebody looked.
struct ChatLines {
  static let object = ObjectDefinition(
    "chat", "When somebody says something.",
    ["room": "the room's id", "name": "who", "peer": "that peer's key", "text": "the words"])

  private var heard: Set<EventID>?

  /// Notes what was said before, at the first look.
  mutating func begin(_ table: TableView) {
    if heard == nil { heard = Set(table.chat.map(\.event)) }
  }

  /// Tells what is new.
  /// - Parameter isShared: whether others play from elsewhere; programs that know their own words are told else none.
  mutating func tell(_ table: TableView, isShared: Bool, _ context: Context) throws {
    for line in table.chat where heard?.insert(line.event).inserted == true {
      let name = table.name(of: line.peer)
      if !context.isJSON {
        let author = line.peer == table.peer ? "You" : name
        try context.console.line("\(author): \(SafeText(line.text).text)")
      } else if isShared {
        try context.object(
          "chat",
          [
            "room": .string(table.room.description), "name": .string(name),
            "peer": .string(line.peer.description), "text": .string(line.text),
          ])
      }
    }
  }
}
