import Foundation
import TestKit
import Testing

/// A system that gives a process too few threads or open files, or refuses it a basic call: the program says so and
/// ends, and hangs and crashes nowhere.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ShortSystemTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Commands that end by themselves, and one that does not.
  private static let commands = [
    ["version"], ["match", "tic-tac-toe", "--players", "random,random", "--data", "a"],
    ["tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,random", "--data", "a"],
    ["play", "tic-tac-toe", "--against", "random", "--seat", "first", "--data", "a"],
    ["host", "tic-tac-toe", "--listen", "127.0.0.1:0", "--data", "a"],
    ["serve", "--web", "127.0.0.1:0", "--listen", "127.0.0.1:0", "--data", "a"],
  ]

  /// Runs each command under a limit: it does its work, or says what it lacks.
  /// - Parameter name: what the shell's `ulimit` calls the limit.
  /// - Returns: how many commands were refused.
  private func outlive(_ name: String, _ limit: Int) throws -> Int {
    var refused = 0
    for words in Self.commands {
      let run = try Dialogue(words + (words == ["version"] ? [] : ["--json"]), home: home)
      run.typeIfItListens("5\nresign\nyes\n")
      // Whoever waits for others is there once it says so.
      _ = try run.waitOrEnd { try run.output().contains("\"listening\"") }
      run.send(SIGINT)
      let end = try run.finish()
      let what: Comment = "\(words[0]) with ulimit -\(name) \(limit): \(end.status), \(end.errors)"
      #expect([0, 71, 130].contains(end.status), what)
      #expect((end.status == 71) == end.errors.contains("(`ulimit -\(name)`)"), what)
      if end.status == 71 { refused += 1 }
    }
    return refused
  }

  @Test(arguments: Effort.isQuick ? [6, 20, 33, 49, 60] : Array(6...60))
  func tooFewOpenFilesAreSaid(_ limit: Int) throws {
    home.enter = ["/bin/bash", "-c", "ulimit -n \(limit); exec \"$@\"", "bash"]
    let refused = try outlive("n", limit)
    #expect(limit >= 60 ? refused == 0 : limit > 48 || refused == Self.commands.count)
  }

  /// Holds more connections to a peer than it may have files, and runs a command meanwhile.
  private static let crowd = """
    import socket, subprocess, sys
    host, port = sys.argv[1].rsplit(":", 1)
    held = [socket.create_connection((host, int(port)), 60) for _ in range(300)]
    run = subprocess.run(sys.argv[2:], capture_output=True, text=True, timeout=60)
    print(run.returncode, run.stdout, run.stderr)
    """

  @Test func strangersTakeNoFilesThatOnesOwnCommandsNeed() throws {
    home.enter = ["/bin/bash", "-c", "ulimit -n 160; exec \"$@\"", "bash"]
    let server = try NetworkRun(["serve"], data: "a", home: home)
    let address = try server.address()
    let python = try #require(OtherProgram.find("python3"))
    let program = try #require(Program.path)
    let command = [program, "peers", "--data", "a"]
    let run = try OtherProgram.run(python, ["-c", Self.crowd, address] + command, in: home)
    #expect(run.output.hasPrefix("0 "), "\(run.output)\(run.errors)")
    server.run.send(SIGINT)
    _ = try server.run.finish()
  }

  /// The number of a user who has no other process.
  private static let user = 41_641

  /// Begins a command line that runs the rest as that user, with so many processes and threads at the most.
  private static func limited(_ limit: String) -> [String] {
    let script = "ulimit -u \(limit); exec setpriv --reuid \(user) --regid \(user) --clear-groups \"$@\""
    return ["/bin/bash", "-c", script, "bash"]
  }

  /// Whether the program can be run as another user: the limit does not bind root.
  private static let hasUser: Bool = {
    guard geteuid() == 0, let program = Program.path else { return false }
    do {
      let words = limited("unlimited") + [program, "version"]
      return try OtherProgram.run(words[0], Array(words.dropFirst()), in: try TemporaryFolder()).status == 0
    } catch { return false }
  }()

  @Test(
    .enabled(if: hasUser, "only root can run the program as a user who has no other process"),
    .serialized, arguments: Effort.isQuick ? [1, 2, 3, 5, 7, 200] : Array(1...16) + [200])
  func tooFewThreadsAreSaid(_ limit: Int) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: Self.user, .groupOwnerAccountID: Self.user], ofItemAtPath: home.path)
    home.enter = Self.limited("\(limit)")
    let refused = try outlive("u", limit)
    #expect(refused == (limit == 200 ? 0 : limit < 13 ? Self.commands.count : refused))
  }

  @Test(
    .enabled(if: Strace.path != nil, "there is no strace here that can trace a program"),
    arguments: [
      "epoll_ctl:error=ENOSPC", "epoll_create1:error=EMFILE", "eventfd2:error=ENFILE", "socket:error=ENOBUFS",
    ])
  func aCallThatALoopNeedsIsRefused(_ fault: String) throws {
    let words = ["serve", "--no-discovery", "--listen", "127.0.0.1:0", "--data", "a"]
    let watch = [
      "-f", "-qq", "-o", "calls", "-e", "trace=\(fault.prefix { $0 != ":" })", "-e", "inject=\(fault)",
    ]
    let run = try OtherProgram.run(
      try #require(Strace.path), watch + [try #require(Program.path)] + words, in: home)
    #expect(run.status == 71, "\(fault): \(run.errors)")
    #expect(run.errors.contains("parlor: error: "), "\(run.errors)")
  }
}
