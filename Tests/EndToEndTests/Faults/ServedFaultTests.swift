import Foundation
import TestKit
import Testing

/// Storage that fails under a peer on the network: what it says, what goes on, and how it ends.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ServedFaultTests {
  /// A full disk: reading and passing on go on, writing is refused with words, and recovers by itself.
  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.impossible))
  func aFullDiskRefusesAndRecovers() throws {
    let disk = try SmallDisk(kibibytes: 4_096)
    let home = disk.home
    let server = try NetworkRun(["serve", "--archive"], data: "a", home: home)
    try server.first("listening")
    let before = try match("a", home)
    #expect(before.status == 0, "\(before.errors)")
    // That something leaves the machine is noted before the first connection, which needs space.
    let other = try TemporaryFolder()
    let guest = try NetworkRun(["serve", "--archive"], data: "b", home: other, connect: [server])
    try guest.run.wait(for: "a game") { try Logs.digests("b", home: other).count == 1 }
    guest.run.send(SIGINT)
    #expect(try guest.run.finish().status == 130)
    let more = try match("a", home)
    #expect(more.status == 0, "\(more.errors)")
    try disk.fill(leaving: 0)
    let refused = try match("a", home, games: 400)
    #expect(refused.status == 74, "\(refused.errors)")
    #expect(refused.errors.contains("parlor: error: No space is left for the store ("), "\(refused.errors)")
    try server.run.wait(for: "words") { try server.run.errors().contains("No space is left for the store (") }
    let rooms = try Logs.digests("a", home: home)
    #expect(rooms.count > 1)
    let again = try NetworkRun(["serve", "--archive"], data: "b", home: other, connect: [server])
    try again.run.wait(for: "what is stored") { try Logs.digests("b", home: other) == rooms }
    // What the guest has now cannot be taken in, and is not shown.
    let news = try match("b", other)
    #expect(news.status == 0, "\(news.errors)")
    #expect(try Logs.digests("a", home: home) == rooms)
    try disk.empty()
    let all = try Logs.digests("b", home: other)
    #expect(all.count > rooms.count)
    try server.run.wait(for: "what came meanwhile") { try Logs.digests("a", home: home) == all }
    try server.run.wait(for: "words") { try server.run.errors().contains("takes in what is written again") }
    let after = try match("a", home)
    #expect(after.status == 0, "\(after.errors)")
    for run in [again, server] {
      run.run.send(SIGINT)
      #expect(try run.run.finish().status == 130)
    }
    for (data, home) in [("a", home), ("b", other)] { try Logs.verify(data, home: home) }
  }

  private func match(_ data: String, _ home: TemporaryFolder, games: Int = 3) throws -> Program.Finished {
    let words = ["match", "tic-tac-toe", "--players", "random,random", "--games", "\(games)"]
    return try Program.start(words + ["--data", data], home: home).finish()
  }

  /// One call of the running peer that fails, counted from its start.
  static let faults = [
    ("fdatasync", 1), ("fdatasync", 2), ("fdatasync", 3), ("pwrite64", 4), ("fsync", 2), ("fsync", 3),
  ]

  /// A disk that fails: the process says so at once and ends, and nobody was shown what is not there.
  @Test(
    .enabled(if: Strace.path != nil, "there is no strace here that can trace a program"),
    arguments: Effort.isQuick ? Array(faults.prefix(2)) : faults)
  func aFailedWriteEndsThePeer(_ call: String, _ number: Int) throws {
    let (home, logs) = (try TemporaryFolder(), try TemporaryFolder())
    #expect(try match("a", home).status == 0)
    let watch = [
      "-f", "-qq", "-o", logs.file("calls"), "-e", "trace=\(call)", "-e",
      "inject=\(call):error=EIO:when=\(number)",
    ]
    let words = ["serve", "--data", "a", "--json", "--no-discovery", "--listen", "127.0.0.1:0"]
    let server = try Dialogue(watch + [try #require(Program.path)] + words, home: home, program: Strace.path)
    _ = try server.waitOrEnd { try !server.objects("listening").isEmpty }
    let guest = try server.objects("listening").first?["address"].map { address in
      try Dialogue(
        ["serve", "--data", "b", "--json", "--no-discovery", "--connect", "\(address)"], home: home)
    }
    // Somebody writes until the fault has come.
    var runs: [Program.Finished] = []
    _ = try server.waitOrEnd {
      runs.append(try match("a", home))
      return runs.count > 20
    }
    let end = try server.finish()
    #expect(end.status == 74, "\(end.errors)")
    #expect(end.errors.contains(#""code":"input-output""#), "\(end.errors)")
    #expect(end.errors.contains("Input/output error"), "\(end.errors)")
    #expect(try String(decoding: logs.bytes("calls"), as: UTF8.self).contains("(INJECTED)"))
    try Logs.verify("a", home: home)
    guard let guest else { return }
    guest.send(SIGINT)
    #expect(try guest.finish().status == 130)
    let (here, there) = (try Logs.digests("a", home: home), try Logs.digests("b", home: home))
    for (room, digest) in there { #expect(here[room] == digest, "\(room) was shown and is not there") }
  }
}
