import Foundation
import Testing

/// A command as the program describes it to other programs: `parlor help --json`.
struct DescribedCommand {
  let path: [String]
  let group: String
  /// Its arguments, each with what help says of it.
  let arguments: [(name: String, summary: String)]
  /// The names of its options but those of every command.
  let options: [String]
  /// The members of the objects that it prints with `--json`, by the object's type.
  let members: [String: Set<String>]

  var name: String { path.joined(separator: " ") }

  private init(_ object: [String: Any]) throws {
    path = try #require(object["name"] as? String).components(separatedBy: " ")
    group = try #require(object["group"] as? String)
    arguments = try #require(object["arguments"] as? [[String: Any]]).map {
      (try #require($0["name"] as? String), try #require($0["summary"] as? String))
    }
    options = try Self.names(object["options"])
    let objects = try #require(object["objects"] as? [[String: Any]])
    members = try Dictionary(
      uniqueKeysWithValues: objects.map { object in
        let fields = try #require(object["members"] as? [[String: Any]])
        return (
          try #require(object["type"] as? String),
          Set(try fields.map { try #require($0["name"] as? String) })
        )
      })
  }

  private static func names(_ objects: Any?) throws -> [String] {
    try #require(objects as? [[String: Any]]).map { try #require($0["name"] as? String) }
  }

  /// All commands.
  static func all() throws -> [DescribedCommand] { try described.get() }

  private static let described = Result {
    let run = try Program.run("help", "--json", home: TemporaryFolder())
    #expect(run.status == 0, "\(run.errors)")
    return try run.objects().filter { $0["type"] as? String == "command" }.map(DescribedCommand.init)
  }

  /// The command that these words begin with.
  static func of(_ words: [String]) throws -> DescribedCommand {
    let found = try all().filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    return try #require(found, "\(words) is no command")
  }

  /// Checks that objects have the members that the program describes, no more and no fewer.
  func check(_ objects: [[String: Any]]) throws {
    for object in objects {
      let type = try #require(object["type"] as? String)
      let described = try #require(members[type], "\(name): \(type)")
      #expect(Set(object.keys) == described.union(["type"]), "\(name): \(type)")
    }
  }
}
