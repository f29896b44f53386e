import Foundation
import TestKit
import Testing

/// Why an address that was named is no use is said at once, by every command that goes on trying.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct RefusalTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Starts each command with an address, and waits until it has said these words.
  private func expect(
    _ reason: String, from address: String, _ words: [String] = [],
    of commands: [[String]] = [
      ["join", "KTQWXZ"], ["lobby"], ["watch", "KTQWXZ"], ["serve"], ["host", "tic-tac-toe"],
    ]
  ) throws {
    let runs = try commands.enumerated().map { number, command in
      try Dialogue(
        command + ["--data", "other-\(number)", "--no-discovery", "--listen", "127.0.0.1:0"]
          + ["--connect", address] + words, home: home)
    }
    for run in runs {
      try run.wait(for: "“\(reason)”") {
        try run.errors().split(separator: "\n").contains { $0.contains(address) && $0.contains(reason) }
      }
      run.send(SIGINT)
      let end = try run.finish()
      #expect(end.status == 130)
      // A reason is not said again with each attempt.
      #expect(end.errors.components(separatedBy: reason).count == 2, "\(end.errors)")
    }
  }

  @Test func wrongAndMissingKeysAreNamed() throws {
    for (name, digits) in [("key", "ab"), ("other-key", "cd")] {
      try home.write(name, Data((String(repeating: digits, count: 32) + "\n").utf8))
    }
    let server = try NetworkRun(["serve", "--key", "key"], data: "a", home: home)
    try expect("has a pre-shared key", from: try server.address())
    try expect("another key or network", from: try server.address(), ["--key", "other-key"])
  }

  /// Whoever waits for a game that nobody has reads where it is looked for, what came of it, and what can be done.
  @Test(arguments: ["join", "watch"]) func aGameThatNobodyHasIsWaitedForWithWords(_ command: String) throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    let address = try server.address()
    for (words, said) in [
      (["--connect", address], "1 peer connected, and none has it yet"), ([], "No peer is connected yet"),
    ] {
      let run = try Dialogue(
        [command, "KTQWXZ", "--data", "other", "--no-discovery", "--listen", "127.0.0.1:0"] + words,
        home: home)
      try run.wait(for: "the answers") { try run.errors().contains(said) }
      let errors = try run.errors()
      let place = words.isEmpty ? "" : " from \(address)"
      #expect(errors.contains("Waiting for the game KTQWXZ to come\(place); Ctrl-C ends that."), "\(errors)")
      for hint in ["`parlor lobby --data other` lists open games", "`--connect HOST:PORT` names a peer"] {
        #expect(errors.contains(hint), "\(errors)")
      }
      run.send(SIGINT)
      #expect(try run.finish().status == 130)
    }
  }

  @Test(.enabled(if: Tricks.arePossible, Tricks.impossible)) func whereNobodyListensIsNamed() throws {
    let (holder, address) = try port(of: ["hold"])
    try expect("connection refused", from: address)
    withExtendedLifetime(holder) {}
  }

  /// A program that has a port, and where that is.
  private func port(of words: [String]) throws -> (program: Dialogue, address: String) {
    let program = try Tricks.python("hostile.py", words, home: home)
    try program.wait(for: "its port") { try program.output().contains("\n") }
    return (program, "127.0.0.1:\(try program.output().filter(\.isNumber))")
  }

  /// What another version, and something that is no Parlor, say first.
  @Test(
    .enabled(if: Tricks.arePossible, Tricks.impossible),
    arguments: [
      ("7061726c6f72000900" + String(repeating: "00", count: 16), "version 9"),
      ("485454502f312e31203430302042616420526571756573740d0a", "does not speak Parlor's protocol"),
    ])
  func whoSpeaksOtherwiseIsNamed(said: String, words: String) throws {
    let (other, address) = try port(of: ["answer", said])
    try expect(words, from: address, of: [["join", "KTQWXZ"]])
    withExtendedLifetime(other) {}
  }

  /// A command that goes through another process on its folder hears of it as well.
  @Test(.enabled(if: Tricks.arePossible, Tricks.impossible))
  func aCommandOfAServedFolderIsToldToo() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let (holder, address) = try port(of: ["hold"])
    defer { withExtendedLifetime(holder) {} }
    let lobby = try Dialogue(["lobby", "--data", "a", "--connect", address], home: home)
    try lobby.wait(for: "the reason") { try lobby.errors().contains("connection refused") }
    lobby.send(SIGINT)
    #expect(try lobby.finish().status == 130)
  }
}
