import Events
import Foundation
import TestKit
import Testing

/// The page that checks files of games without a server, as `Tools/verify-page.mjs` writes it.
@Suite(.blocking, .enabled(if: ScriptReader.isThere, ScriptReader.missing)) struct VerifyPageTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func writePage() throws {
    let tool = Program.root.appendingPathComponent("Tools/verify-page.mjs").path
    let run = try ScriptReader.run([tool, home.file("verify.html")], home: home)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// It asks for nothing else, has each module once, and nothing in it becomes markup.
  @Test func itIsOneFile() throws {
    try writePage()
    let text = String(decoding: try home.bytes("verify.html"), as: UTF8.self)
    #expect(text.utf8.count < 200_000)
    for word in ["src=", "href=", "\nimport ", "\nexport ", "innerHTML", "document.write", "eval(", "fetch("]
    {
      #expect(!text.contains(word), "\(word)")
    }
    for name in ["class Blake2b", "class Bundle", "class Play", "function checkFile"] {
      #expect(
        text.components(separatedBy: "\(name) ").count + text.components(separatedBy: "\(name)(").count == 3)
    }
  }

  private static let chromium = "/usr/bin/chromium"

  @Test(
    .enabled(
      if: !Effort.isQuick && FileManager.default.isExecutableFile(atPath: chromium),
      "a browser is needed: Tools/test --full installs chromium, which is large"))
  func aBrowserChecksFilesFromDisk() async throws {
    try writePage()
    do {
      let samples = try Samples(home.file("data"))
      for game in ["tic-tac-toe", "connect-four"] {
        let room = try await samples.match(game, ["greedy", "random"]).description
        let run = try Program.run(
          "log", "export", room, "--data", home.file("data"), "--output", home.file(game), home: home)
        try #require(run.status == 0, "\(run.errors)")
      }
    }
    var bytes = try home.bytes("tic-tac-toe")
    bytes[bytes.count / 2] ^= 4
    try home.write("bad", bytes)
    let script = Program.root.appendingPathComponent("Tests/EndToEndTests/Web/verify.py").path
    let words = ["verify.html", "tic-tac-toe", "bad", "connect-four"].map { home.file($0) }
    let run = try LogReader.run([script, Self.chromium] + words, home: home)
    #expect(run.status == 0 && run.output.hasSuffix("checked\n"), "\(run.output)\n\(run.errors)")
  }
}
