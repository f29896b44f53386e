import Foundation
import TestKit
import Testing

/// Networks that have names are kept apart: their peers, their data folders and their bundles.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct NamedNetworkTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> Program.Finished {
    try Program.start(words + ["--data", "data"], home: home, environment: environment).finish()
  }

  private func match(_ words: String...) throws {
    let run = try Program.start(
      ["match", "tic-tac-toe", "--players", "greedy,random", "--data", "data"] + words, home: home
    ).finish()
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func peersOfOneNameMeetAndOthersAreRefusedWithWords() throws {
    let alice = try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice", "--network", "home"], data: "a",
      home: home)
    let (room, address) = (try alice.room(), try alice.address())
    let strangers = try [["join", room], ["lobby", "--network", "office"]].enumerated().map { number, words in
      try Dialogue(
        words + ["--data", "stranger-\(number)", "--no-discovery", "--listen", "127.0.0.1:0"]
          + ["--connect", address], home: home)
    }
    for run in strangers {
      try run.wait(for: "a reason") {
        try run.errors().contains("\(address): the other end belongs to another network")
      }
      #expect(try run.errors().contains("--network"))
      run.send(SIGINT)
      #expect(try run.finish().status == 130)
    }
    let bob = try NetworkRun(
      ["join", room, "--name", "Bob", "--network", "home"], data: "b", home: home, connect: [alice])
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try bob.run.type("resign\nresign\n")
    #expect(try alice.result()["result"] as? String == "won")
    // What has the folder is found by commands of the same network only.
    let server = try NetworkRun(["serve", "--network", "home"], data: "b2", home: home, connect: [])
    try server.first("listening")
    let asked = try Program.run("peers", "--data", "b2", "--network", "home", home: home)
    #expect(asked.status == 0, "\(asked.errors)")
    let other = try Program.run("peers", "--data", "b2", home: home)
    #expect(other.status == 65, "\(other.errors)")
    #expect(other.errors.contains("--network"))
  }

  @Test func aFolderBelongsToOneNetworkAndLosesNothing() throws {
    try match("--network", "home")
    let listed = try run("log", "list", "--json", "--network", "home")
    #expect(try listed.objects().count == 1, "\(listed.errors)")
    // By its environment form as well, which the option overrules.
    #expect(try run("log", "list", "--json", environment: ["PARLOR_NETWORK": "home"]).output == listed.output)
    #expect(
      try run("log", "list", "--json", "--network", "home", environment: ["PARLOR_NETWORK": "office"]).output
        == listed.output)
    for (words, environment) in [
      ([], [:]), (["--network", "office"], [:]), ([], ["PARLOR_NETWORK": "office"]),
    ] as [([String], [String: String])] {
      for command in [
        ["log", "list"], ["log", "verify"], ["replay"], ["play", "tic-tac-toe"], ["serve", "--no-discovery"],
        ["match", "tic-tac-toe", "--players", "greedy,random"],
      ] {
        let run = try Program.start(
          command + ["--data", "data"] + words, home: home, environment: environment
        ).finish()
        #expect(run.status == 65, "\(command) \(words): \(run.errors)")
        #expect(run.errors.contains("network"), "\(run.errors)")
        #expect(run.errors.contains("--network"), "\(run.errors)")
        #expect(run.errors.contains("PARLOR_NETWORK"), "\(run.errors)")
      }
    }
    #expect(try run("log", "list", "--json", "--network", "home").output == listed.output)
    #expect(try run("log", "verify", "--network", "home").status == 0)
    #expect(try run("replay", "--network", "home").status == 0)
  }

  @Test func bundlesBelongToTheirNetwork() throws {
    try match("--network", "home")
    let export = try run("log", "export", "last", "--output", "a.parlor", "--network", "home")
    #expect(export.status == 0, "\(export.errors)")
    for command in [["log", "import", "a.parlor"], ["log", "verify", "a.parlor"], ["replay", "a.parlor"]] {
      let refused = try Program.start(command + ["--data", "other"], home: home).finish()
      #expect(refused.status == 65, "\(command): \(refused.errors)")
      #expect(refused.errors.contains("--network"), "\(command): \(refused.errors)")
      let taken = try Program.start(command + ["--data", "fresh", "--network", "home"], home: home).finish()
      #expect(taken.status == 0, "\(command): \(taken.errors)")
    }
    #expect(try Program.run("log", "list", "--json", "--data", "other", home: home).output.isEmpty)
  }

  /// The reader that is not ours makes the same id of the name.
  @Test(.enabled(if: LogReader.isThere, LogReader.missing)) func theOtherReaderKnowsNamesToo() throws {
    try match("--network", "Büro 7")
    let export = try run("log", "export", "last", "--output", "a.parlor", "--network", "Büro 7")
    #expect(export.status == 0, "\(export.errors)")
    let read = try LogReader.run([LogReader.script, "--network", "Büro 7", "a.parlor"], home: home)
    #expect(read.status == 0, "\(read.output)\(read.errors)")
    let other = try LogReader.run([LogReader.script, "a.parlor"], home: home)
    #expect(other.status == 1)
    #expect(other.output.contains("another network"))
  }

  @Test func whatIsNoNameIsRefused() throws {
    for (words, environment, status) in [
      (["--network", " home"], [:], 64),
      (["--network", String(repeating: "x", count: 65)], [:], 64),
      ([], ["PARLOR_NETWORK": "home\u{7}"], 78),
    ] as [([String], [String: String], Int32)] {
      let run = try Program.start(
        ["match", "tic-tac-toe", "--players", "greedy,random", "--data", "data"] + words, home: home,
        environment: environment
      ).finish()
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.errors.contains("is no name for a network"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: home.file("data")))
    }
    // A variable that is empty is as good as none.
    try match()
    #expect(try run("log", "list", environment: ["PARLOR_NETWORK": ""]).status == 0)
  }
}
