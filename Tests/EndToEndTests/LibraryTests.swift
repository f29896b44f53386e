import Foundation
import Parlor
import TestKit
import Testing

/// The library as somebody else's package sees it, which knows nothing of this one but `import Parlor`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LibraryTests {
  private static let package = PackageFolder.file("Tests/OutsidePackage").path
  /// Kept from run to run, so that only what changed is built.
  private static let scratch = PackageFolder.file(".build/outside").path

  /// The one build of the package: several tests want it, and run beside each other.
  private static let built = Result { try build() }

  private static func run(_ arguments: [String]) throws -> (status: Int32, words: String) {
    let words = Pipe()
    let process = try ChildProcess(
      ["/usr/bin/env"] + arguments, output: .pipe(words), errors: .pipe(words))
    let bytes = try words.fileHandleForReading.readToEnd() ?? Data()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  private static func build() throws {
    let words = ["swift", "build", "--package-path", package, "--scratch-path", scratch]
    var built = try run(words)
    if built.status != 0 {
      // What was kept may name files that are gone.
      try FileManager.default.removeItem(atPath: scratch)
      built = try run(words)
    }
    try #require(built.status == 0, "\(built.words.suffix(4_000))")
  }

  @Test("While a program has a folder open, commands on the folder work through it")
  func commandsWorkThroughTheProgram() async throws {
    let home = try TemporaryFolder()
    let peer = try await RunningPeer.start(in: home.path + "/data")
    let room = try await peer.create(GameDefinition(TicTacToe.self).rules(), as: Profile(name: "Ada"))
    let said = try Program.run("chat", "\(room)", "hello", "--data", home.path + "/data", home: home)
    #expect(said.status == 0, "\(said.errors)")
    #expect(try await peer.state(of: room)?.chat.map(\.text) == ["hello"])
    let listed = try Program.run("log", "list", "--data", home.path + "/data", home: home)
    #expect(listed.status == 0 && listed.output.contains(room.short), "\(listed.output)")
    try await peer.close()
    let again = try Program.run("log", "verify", "--data", home.path + "/data", home: home)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test(
    "A package is built, and its two peers play its game over TCP; `parlor` checks what they wrote",
    .onlyAtFullSize)
  func twoPeersPlayAGameOfTheirOwn() throws {
    try Self.built.get()
    let home = try TemporaryFolder()
    let folders = ["ada", "bob"].map { home.path + "/" + $0 }
    let played = try Self.run([Self.scratch + "/debug/nim"] + folders)
    #expect(played.status == 0, "\(played.words)")
    // Of 22 stones the first seat takes two, and wins.
    for line in ["winner: seat 1", "same state: true", "same events: true", "verified: true"] {
      #expect(played.words.split(separator: "\n").contains(Substring(line)), "\(line): \(played.words)")
    }
    for folder in folders {
      let verified = try Program.run("log", "verify", "--data", folder, home: home)
      #expect(verified.status == 0, "\(verified.errors)")
      let listed = try Program.run("log", "list", "--data", folder, home: home)
      #expect(listed.output.contains("nim") && listed.output.contains("unknown-rules"), "\(listed.output)")
    }
    let wrong = try Self.run([Self.scratch + "/debug/nim"])
    #expect(wrong.status == 64 && wrong.words.contains("usage"))
  }

  @Test("The blocks of the page on writing a game are the game of the package, in their order")
  func thePageIsTheGame() throws {
    let page = try PackageFolder.text("Docs/WRITING-A-GAME.md")
    let section = try #require(
      page.components(separatedBy: "\n## ").first { $0.hasPrefix("A game with chance") })
    let blocks = section.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    let game = try String(contentsOfFile: Self.package + "/Sources/dare/Dare.swift", encoding: .utf8)
    #expect(blocks.count > 5)
    #expect(blocks.joined(separator: "\n") == game)
  }

  @Test(
    "The game with chance and three seats is played over TCP, and goes on when one leaves", .onlyAtFullSize)
  func threePeersPlayTheGameOfThePage() throws {
    try Self.built.get()
    let home = try TemporaryFolder()
    let folders = ["ada", "bob", "cy"].map { home.path + "/" + $0 }
    let played = try Self.run([Self.scratch + "/debug/dare"] + folders)
    #expect(played.status == 0, "\(played.words)")
    for line in ["dropped out: [\"seat 3\"]", "rounds with three: 1", "same game: true", "verified: true"] {
      #expect(played.words.split(separator: "\n").contains(Substring(line)), "\(line): \(played.words)")
    }
    for folder in folders {
      let verified = try Program.run("log", "verify", "--data", folder, home: home)
      #expect(verified.status == 0, "\(verified.errors)")
    }
  }

  @Test("All that is public has a comment, and the documentation is made of them", .onlyAtFullSize)
  func theDocumentationIsMade() throws {
    let home = try TemporaryFolder()
    try Self.built.get()
    let docs = PackageFolder.file("Tools/docs").path
    let made = try Self.run([docs, "--modules", Self.scratch + "/debug/Modules", home.path + "/pages"])
    #expect(made.status == 0, "\(made.words.suffix(4_000))")
    let page = String(
      decoding: try home.bytes("pages/data/documentation/parlor/runningpeer.json"), as: UTF8.self)
    #expect(page.contains("A peer that runs in this process"))
  }
}
