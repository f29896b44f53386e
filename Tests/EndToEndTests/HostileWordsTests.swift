import Foundation
import TestKit
import Testing

/// What comes from the command line and goes into errors never steers the terminal.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct HostileWordsTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  static let places: [@Sendable (String) -> [String]] = [
    { ["play", "tic-tac-toe", "--against", $0] }, { ["play", $0] }, { [$0] }, { ["log", "show", $0] },
    { ["play", "prisoners-dilemma", "--set", "\($0)=1"] },
    { ["play", "prisoners-dilemma", "--set", "rounds=\($0)"] },
    { ["match", "tic-tac-toe", "--players", "random,\($0)"] }, { ["replay", $0] },
    { ["log", "list", "--data", $0] }, { ["solve", "tic-tac-toe", $0] },
    { ["solve", "tic-tac-toe", "--file", $0] }, { ["log", "verify", $0] }, { ["log", "import", $0] },
    { ["tournament", "show", $0] }, { ["play", "--resume", $0] }, { ["bots", "--game", $0] },
  ]

  @Test(arguments: places.indices) func controlCharactersNeverComeOutRaw(_ place: Int) throws {
    let hostile = "x\u{1B}[31m\u{1B}]0;t\u{7}\r\u{202E}\u{200B}\u{7F}\u{9B}\n=y"
    let words = Self.places[place](hostile)
    let run = try Program.start(words, home: home).finish()
    for scalar in (run.output + run.errors).unicodeScalars {
      let isBad = scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
      #expect(
        !isBad && scalar != "\u{202E}" && scalar != "\u{200B}", "\(words): \(run.errors.debugDescription)")
    }
    for line in run.errors.split(separator: "\n") { #expect(!line.hasPrefix("=y")) }
  }

  @Test(
    arguments: [
      ("version <&-", 0, "parlor"), ("version 2>&-", 0, "parlor"), ("version <&- >&- 2>&-", 74, ""),
      ("version >&-", 74, ""), ("play tic-tac-toe --against random --seat first <&-", 0, "game"),
      ("play tic-tac-toe --against random --seat first <&- 2>&-", 0, "game"),
      ("solve tic-tac-toe --file - <&-", 0, ""),
    ] as [(String, Int32, String)])
  func closedDescriptorsAreNoTrap(_ words: String, _ status: Int32, _ says: String) throws {
    let command = "exec '\(try #require(Program.path))' \(words)"
    let end = try Dialogue(["-c", command], home: home, program: "/bin/sh").finish()
    #expect(end.status == status, "\(words): \(end.errors)")
    #expect(says.isEmpty ? end.output.isEmpty : end.output.contains(says))
  }
}
