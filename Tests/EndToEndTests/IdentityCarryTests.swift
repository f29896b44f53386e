import Foundation
import TestKit
import Testing

/// `identity export` and `identity import` with the real program.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct IdentityCarryTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try home.write("words", Data("correct horse battery staple\r\nmore\n".utf8))
    try home.write("wrong", Data("correct horse battery stapel\n".utf8))
  }

  private func run(_ words: String..., input: Data = Data()) throws -> Program.Finished {
    try Program.start(["identity"] + words, home: home, input: input).finish()
  }

  private func peer(_ data: String) throws -> String {
    try #require(try run("show", "--json", "--data", data).objects().first?["peer"] as? String)
  }

  private func made(_ data: String) throws -> String {
    #expect(try run("create", "--data", data).status == 0)
    return try peer(data)
  }

  private func paths() throws -> [String] { try home.tree().map(\.path) }

  @Test func aKeyComesToAnotherFolder() throws {
    let key = try made("a")
    let exported = try run("export", "file", "--passphrase-file", "words", "--data", "a", "--json")
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(try exported.objects().first?["peer"] as? String == key)
    #expect(try home.tree().first { $0.path == "file" }?.mode == 0o600)
    let secret = String(decoding: try home.bytes("a/identity.key"), as: UTF8.self).split(separator: "\n")[1]
    #expect(!String(decoding: try home.bytes("file"), as: UTF8.self).contains(secret.dropFirst(5)))
    let imported = try run("import", "file", "--passphrase-file", "words", "--data", "b", "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try imported.objects().first?["new"] as? Bool == true)
    #expect(try home.bytes("b/identity.key") == home.bytes("a/identity.key"))
    #expect(try peer("b") == key)
    for (path, mode) in try home.tree() where path.hasPrefix("b/") { #expect(mode == 0o600, "\(path)") }
    // Once more nothing changes, and the file and the passphrase are checked.
    let before = try paths()
    let again = try run("import", "file", "--passphrase-file", "words", "--data", "b", "--json")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try again.objects().first?["new"] as? Bool == false)
    #expect(try run("import", "file", "--passphrase-file", "wrong", "--data", "b").status == 1)
    #expect(try paths() == before)
  }

  @Test func aKeyGoesThroughPipes() throws {
    let key = try made("a")
    let words = Data("a passphrase that comes through a pipe".utf8)
    let exported = try run("export", "-", "--passphrase-file", "-", "--data", "a", input: words)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(exported.errors.isEmpty)
    try home.write("words", words)
    let imported = try run(
      "import", "-", "--passphrase-file", "words", "--data", "b", input: Data(exported.output.utf8))
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try peer("b") == key)
  }

  @Test func whatDoesNotOpenIsRefusedAndNothingIsWritten() throws {
    _ = try made("a")
    #expect(try run("export", "file", "--passphrase-file", "words", "--data", "a").status == 0)
    let bytes = try home.bytes("file")
    try home.write("cut", bytes.dropLast(9))
    try home.write("none", Data())
    let text = String(decoding: bytes, as: UTF8.self)
    try home.write("greedy", Data(text.replacing(" 262144\n", with: " 4294967295\n").utf8))
    let before = try paths()
    for (file, words, status, says) in [
      ("file", "wrong", Int32(1), "not the passphrase"), ("file", "none", 64, "passphrase is empty"),
      ("cut", "words", 65, "not whole"), ("greedy", "words", 65, "not whole"),
      ("none", "words", 65, "no exported identity"), ("a/identity.key", "words", 65, "no exported identity"),
      ("absent", "words", 66, "cannot read absent"), ("a", "words", 66, "cannot read a"),
      ("file", "absent", 66, "cannot read absent"), ("-", "-", 64, "standard input is the exported key"),
    ] {
      let refused = try run("import", file, "--passphrase-file", words, "--data", "b")
      #expect(refused.status == status, "\(file) \(words): \(refused.output)\(refused.errors)")
      #expect(refused.errors.contains(says), "\(refused.errors)")
      #expect(refused.output.isEmpty)
    }
    #expect(try paths() == before)
  }

  @Test func nothingIsReplaced() throws {
    let (first, second) = (try made("a"), try made("b"))
    #expect(try run("export", "file", "--passphrase-file", "words", "--data", "a").status == 0)
    let bytes = try home.bytes("file")
    let again = try run("export", "file", "--passphrase-file", "words", "--data", "b")
    #expect(again.status == 73, "\(again.errors)")
    #expect(again.errors.contains("never replaced"))
    #expect(try home.bytes("file") == bytes)
    let before = try paths()
    let other = try run("import", "file", "--passphrase-file", "words", "--data", "b")
    #expect(other.status == 73, "\(other.errors)")
    #expect(
      other.errors.contains(String(first.prefix(10))) && other.errors.contains(String(second.prefix(10))))
    #expect(other.errors.contains("--data DIR"))
    #expect(try peer("b") == second)
    #expect(try paths() == before)
  }

  @Test func whatCannotBeExportedIsRefused() throws {
    let absent = try run("export", "file", "--passphrase-file", "words", "--data", "b")
    #expect(absent.status == 66, "\(absent.errors)")
    _ = try made("a")
    try home.write("long", Data(repeating: 0x61, count: 1_025))
    try home.write("empty", Data("\nsecond\n".utf8))
    for words in ["long", "empty"] {
      let refused = try run("export", "file", "--passphrase-file", words, "--data", "a")
      #expect(refused.status == 64, "\(words): \(refused.errors)")
    }
    let nowhere = try run("export", "none/file", "--passphrase-file", "words", "--data", "a")
    #expect(nowhere.status == 73, "\(nowhere.errors)")
    #expect(try !paths().contains { $0.hasPrefix("file") })
    try home.write("short", Data("tiny\n".utf8))
    let short = try run("export", "file", "--passphrase-file", "short", "--data", "a")
    #expect(short.status == 0)
    #expect(short.errors.contains("passphrase is short"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")))
  func withoutATerminalAFileMustBeNamed() throws {
    _ = try made("a")
    #expect(try run("export", "file", "--passphrase-file", "words", "--data", "a").status == 0)
    home.enter = ["/usr/bin/setsid", "--wait"]
    for words in [["export", "other", "--data", "a"], ["import", "file", "--data", "b"]] {
      let refused = try Program.start(["identity"] + words, home: home).finish()
      #expect(refused.status == 64, "\(refused.errors)")
      #expect(refused.errors.contains("no terminal") && refused.errors.contains("--passphrase-file FILE"))
    }
    #expect(try !paths().contains { $0.hasPrefix("other") || $0.hasPrefix("b") })
  }

  /// The folder is marked, durably, before the key has its name there.
  @Test(.enabled(if: Strace.path != nil, "there is no strace here that can trace a program"))
  func theMarkComesBeforeTheKey() throws {
    _ = try made("a")
    #expect(try run("export", "file", "--passphrase-file", "words", "--data", "a").status == 0)
    let words = ["identity", "import", "file", "--passphrase-file", "words", "--data", "b"]
    let watch = [
      "-f", "-qq", "-o", home.file("calls"), "-e", "trace=?renameat,?renameat2,?fsync,?link,?linkat",
    ]
    let traced = try Dialogue(
      watch + [try #require(Program.path)] + words, home: home, program: Strace.path
    ).finish()
    #expect(traced.status == 0, "\(traced.errors)")
    let calls = String(decoding: try home.bytes("calls"), as: UTF8.self).split(separator: "\n")
    let mark = try #require(calls.firstIndex { $0.contains("\"imported\"") }, "\(calls)")
    let key = try #require(calls.firstIndex { $0.contains("identity.key\"") }, "\(calls)")
    #expect(calls[..<mark].contains { $0.contains("fsync(") }, "its content: \(calls)")
    // The folder's, and that of the key's own content.
    #expect(mark < key && calls[mark..<key].count { $0.contains("fsync(") } >= 2, "its name: \(calls)")
  }

  /// Another process writes there: the key would be taken for the one that it began with.
  @Test func aFolderInUseTakesNoKey() throws {
    _ = try made("a")
    #expect(try run("export", "file", "--passphrase-file", "words", "--data", "a").status == 0)
    let server = try NetworkRun(["serve"], data: "b", home: home)
    try server.first("listening")
    try FileManager.default.moveItem(atPath: home.file("b/identity.key"), toPath: home.file("kept"))
    let refused = try run("import", "file", "--passphrase-file", "words", "--data", "b")
    #expect(refused.status == 75, "\(refused.errors)")
    #expect(refused.errors.contains("end it first"), "\(refused.errors)")
    let left = try paths()
    #expect(!left.contains("b/identity.key") && !left.contains("b/imported"))
  }
}

/// The same at a terminal, where the passphrase is asked for.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct IdentityQuestionTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    #expect(try Program.run("identity", "create", "--data", "a", home: home).status == 0)
  }

  /// Runs the program at a terminal, and says afterwards how that is left.
  private func at(_ words: String, then more: String = "") throws -> Dialogue {
    let program = try #require(Program.path)
    // The shell outlives Ctrl-C, which the program gets as usual.
    let command = "set -m; trap : INT; '\(program)' identity \(words)\n\(more)\necho \"ended $?\"; stty -a"
    return try Dialogue(
      ["--quiet", "--return", "--command", command, "/dev/null"], home: home, program: Script.path,
      environment: ["TERM": "xterm", "SHELL": "/bin/bash"])
  }

  private func expect(_ text: String, _ run: Dialogue) throws {
    try run.wait(for: "“\(text)”") { try run.output().contains(text) }
  }

  /// What it printed, the terminal being as it was.
  private func end(_ run: Dialogue, status: Int) throws -> String {
    let output = try run.finish().output
    #expect(output.contains("ended \(status)\r\n"), "\(output)")
    #expect(output.contains(" echo ") && output.contains(" icanon"), "\(output)")
    return output
  }

  @Test func aPassphraseIsAskedForAndNotShown() throws {
    let export = try at("export file --data a")
    try expect("New passphrase: ", export)
    try export.type("öffne dich sofort\n")
    try expect("The same once more: ", export)
    try export.type("öffne dich sofort\n")
    #expect(try !end(export, status: 0).contains("sofort"))
    // The file itself comes through a pipe, and the question goes to the terminal all the same.
    let program = try at("import - --data b <file")
    try expect("Passphrase: ", program)
    try program.type("öffne dich sofort\n")
    #expect(try !end(program, status: 0).contains("sofort"))
    #expect(try home.bytes("b/identity.key") == home.bytes("a/identity.key"))
  }

  @Test func whatIsTypedTwiceMustBeAlike() throws {
    let export = try at("export file --data a")
    try expect("New passphrase: ", export)
    try export.type("one long passphrase\n")
    try expect("The same once more: ", export)
    try export.type("another passphrase\n")
    #expect(try end(export, status: 64).contains("differ"))
    #expect(try !home.tree().contains { $0.path.hasPrefix("file") })
  }

  @Test(arguments: ["", "half a passphrase"]) func ctrlCLeavesEverythingAsItWas(_ typed: String) throws {
    let before = try home.tree().map(\.path)
    let export = try at("export file --data a")
    try expect("New passphrase: ", export)
    try export.type(typed + "\u{3}")
    #expect(try !end(export, status: 130).contains("half"))
    #expect(try home.tree().map(\.path) == before)
  }

  /// Begun behind a shell's back it stops, as what reads from the terminal does, and asks when it is its turn.
  @Test func whatRunsInTheBackgroundWaitsForItsTurn() throws {
    let export = try at(
      "export file --data a &", then: "while [ -z \"$(jobs -s)\" ]; do sleep 0.1; done; echo it waits; fg")
    try expect("it waits", export)
    try expect("New passphrase: ", export)
    try export.type("one long passphrase\n")
    try expect("The same once more: ", export)
    try export.type("one long passphrase\n")
    #expect(try !end(export, status: 0).contains("one long"))
  }

  @Test func anEmptyPassphraseAndTheEndOfInputAreRefused() throws {
    for typed in ["\n", "\u{4}"] {
      let export = try at("export file --data a")
      try expect("New passphrase: ", export)
      try export.type(typed)
      #expect(try end(export, status: 64).contains("passphrase is empty"))
    }
    #expect(try !home.tree().contains { $0.path.hasPrefix("file") })
  }
}
