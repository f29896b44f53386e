import Foundation
import TestKit
import Testing

/// `Tools/read-log.mjs`, the third reader, run by Node with the modules of the page.
enum ScriptReader {
  /// Debian's Node, or one beside it.
  static let node: String = {
    let places = ["/usr/bin/node", "/usr/local/bin/node"]
    return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? ""
  }()

  static let isThere = LogReader.isThere && !node.isEmpty
  static let missing: Comment =
    "there is no program, no Node or no module nacl (Tools/setup --tests installs them)"

  static let script = PackageFolder.file("Tools/read-log.mjs").path

  /// Runs one of Node's programs to its end; its heap may grow to 512 MiB.
  static func run(_ arguments: [String], home: TemporaryFolder) throws -> Program.Finished {
    let run = try Dialogue(["--max-old-space-size=512"] + arguments, home: home, program: node)
    try run.endInput()
    return try run.finish()
  }

  /// What it says of files, in their order; many files a run.
  static func readings(of paths: [String], home: TemporaryFolder) throws -> [LogReader.Reading] {
    var readings: [LogReader.Reading] = []
    for start in stride(from: 0, to: paths.count, by: 1000) {
      let some = Array(paths[start..<min(paths.count, start + 1000)])
      let finished = try run([script, "--json"] + some, home: home)
      let found = try LogReader.objects(LogReader.Reading.self, in: finished)
      try #require(found.map(\.path) == some, "\(finished.errors)")
      #expect(finished.errors == "")
      #expect(finished.status == (found.allSatisfy(\.good) ? 0 : 1))
      readings += found
    }
    return readings
  }

  /// Checks that it says of files what the reader in Python does; nothing where there is no Node.
  static func checkSame(as readings: [LogReader.Reading], home: TemporaryFolder) throws {
    guard isThere else { return }
    for (reading, script) in zip(readings, try Self.readings(of: readings.map(\.path), home: home)) {
      let differences = differences(reading, script)
      #expect(differences.isEmpty, "\(reading.path): \(differences)")
    }
  }

  /// What two readers say differently of one file, by what it is about.
  static func differences(_ one: LogReader.Reading, _ two: LogReader.Reading) -> [String] {
    let isSame: [(String, Bool)] = [
      ("good", one.good == two.good), ("room", one.room == two.room), ("event", one.event == two.event),
      ("rules", one.rules == two.rules), ("moves", one.moves == two.moves), ("games", one.games == two.games),
      ("first", one.draw?.first == two.draw?.first), ("draw", one.draw?.combined == two.draw?.combined),
      ("players", one.players == two.players), ("rounds", one.rounds == two.rounds),
      ("host", one.host == two.host), ("faults", one.faults == two.faults),
      ("idle", one.withoutEffect.map(\.id) == two.withoutEffect.map(\.id)),
      ("forks", one.forks.map(\.author) == two.forks.map(\.author)),
    ]
    return isSame.filter { !$0.1 }.map(\.0)
  }
}
