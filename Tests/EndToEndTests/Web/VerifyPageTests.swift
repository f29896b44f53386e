import Events
import Foundation
import TestKit
import Testing

/// The page that checks files of games without a server, as `parlor serve --web` hands it out.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct VerifyPageTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let fetch = """
    import sys, urllib.request
    answer = urllib.request.urlopen(sys.argv[1] + 'verify.html')
    open(sys.argv[2], 'wb').write(answer.read())
    print(answer.headers['Content-Security-Policy'])
    """

  /// Keeps the page as a file.
  /// - Returns: what its answer says that it may run.
  @discardableResult private func keepPage() throws -> String {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "server", home: home)
    let words = ["-c", Self.fetch, try server.text("page", of: "web"), home.file("verify.html")]
    let run = try Dialogue(words, home: home, program: LogReader.python).finish()
    try #require(run.status == 0, "\(run.errors)")
    server.run.kill9()
    return run.output
  }

  /// It asks for nothing else, has each module once, and nothing in it becomes markup.
  @Test func itIsOneFile() throws {
    let policy = try keepPage()
    let text = String(decoding: try home.bytes("verify.html"), as: UTF8.self)
    #expect(text.utf8.count < 240_000)
    for word in ["src=", "href=", "\nimport ", "\nexport ", "innerHTML", "document.write", "eval(", "fetch("]
    {
      #expect(!text.contains(word), "\(word)")
    }
    for name in ["class Blake2b", "class Bundle", "class Play", "function checkFile"] {
      #expect(
        text.components(separatedBy: "\(name) ").count + text.components(separatedBy: "\(name)(").count == 3)
    }
    // From disk it is as strict as from the server.
    let start = try #require(policy.range(of: "; frame-ancestors 'none'")?.lowerBound)
    #expect(text.contains("http-equiv=\"Content-Security-Policy\" content=\"\(policy[..<start])\""))
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"))
  }

  @Test(.inABrowser) func aBrowserChecksFilesFromDisk() async throws {
    try keepPage()
    do {
      let samples = try Samples(home.file("data"))
      let players = [
        "tic-tac-toe": ["greedy", "random"], "connect-four": ["greedy", "random"],
        "prisoners-dilemma": ["tit-for-tat", "random"],
      ]
      for (game, players) in players.sorted(by: { $0.key < $1.key }) {
        let room = try await samples.match(game, players).description
        let run = try Program.run(
          "log", "export", room, "--data", home.file("data"), "--output", home.file(game), home: home)
        try #require(run.status == 0, "\(run.errors)")
      }
    }
    var bytes = try home.bytes("tic-tac-toe")
    bytes[bytes.count / 2] ^= 4
    try home.write("bad", bytes)
    // A page into which somebody has put a script does not run it.
    let page = String(decoding: try home.bytes("verify.html"), as: UTF8.self)
    let changed = page.replacingOccurrences(
      of: "</body>", with: "<script>document.title = 'other';</script></body>")
    try home.write("changed.html", Data(changed.utf8))
    let script = PackageFolder.file("Tests/EndToEndTests/Web/verify.py").path
    let words = ["verify.html", "tic-tac-toe", "bad", "connect-four", "prisoners-dilemma", "changed.html"].map
    { home.file($0) }
    let run = try LogReader.run([script, Browser.path] + words, home: home)
    #expect(run.status == 0 && run.output.hasSuffix("checked\n"), "\(run.output)\n\(run.errors)")
  }
}
