import Foundation
import Testing

/// A run of the program that speaks with other runs over the loopback: a data folder and options of its own.
struct NetworkRun {
  let run: Dialogue
  let data: String
  let command: DescribedCommand

  /// Starts a command on a data folder, connected to other runs.
  /// - Parameter host: where it listens, and looks for nobody; `nil` for what is standard.
  init(
    _ words: [String], data: String, home: TemporaryFolder, connect: [NetworkRun] = [], listens: Bool = true,
    at host: String? = "127.0.0.1", environment: [String: String] = [:]
  ) throws {
    var words = words + ["--data", data, "--json"]
    if listens, let host {
      words += ["--no-discovery"] + (words.contains("--listen") ? [] : ["--listen", "\(host):0"])
    }
    for other in connect { words += ["--connect", try other.address()] }
    run = try Dialogue(words, home: home, environment: environment)
    self.data = data
    command = try DescribedCommand.of(words)
  }

  /// Where it waits for others.
  func address() throws -> String { try text("address", of: "listening") }

  /// The room that it hosts or joins.
  func room() throws -> String { try text("room", of: "room") }

  /// A member of the first object of a type.
  func text(_ member: String, of type: String) throws -> String {
    let object = try first(type)
    return try #require(object[member] as? String, "no \(member) in \(object)")
  }

  /// The first object of a type, as soon as it is there.
  @discardableResult func first(_ type: String) throws -> [String: Any] {
    var found: [String: Any]?
    try run.wait(for: "“\(type)” of \(command.name)") {
      found = try run.objects(type).first
      return found != nil
    }
    return try #require(found)
  }

  /// Waits until an object of a type holds this.
  func wait(for type: String, _ what: String, until holds: @escaping ([String: Any]) -> Bool) throws {
    try run.wait(for: "\(type) of \(command.name): \(what)") { try run.objects(type).contains(where: holds) }
  }

  /// Waits until so many moves were made.
  func wait(forPly ply: Int) throws {
    try wait(for: "position", "ply \(ply)") { $0["ply"] as? Int == ply }
  }

  /// Checks every object printed so far.
  func checkObjects() throws { try command.check(run.objects()) }

  /// What the end says.
  func result() throws -> [String: Any] { try first("result") }
}

/// The logs of two data folders.
enum Logs {
  /// The digest of each room of a log, by its id.
  static func digests(_ data: String, home: TemporaryFolder) throws -> [String: String] {
    let run = try Program.run("log", "list", "--all", "--json", "--data", data, home: home)
    #expect(run.status == 0, "\(run.errors)")
    var digests: [String: String] = [:]
    for room in try run.objects() { digests[room["id"] as? String ?? ""] = room["digest"] as? String }
    return digests
  }

  /// Checks that a log verifies.
  static func verify(_ data: String, home: TemporaryFolder) throws {
    let run = try Program.run("log", "verify", "--data", data, home: home)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
