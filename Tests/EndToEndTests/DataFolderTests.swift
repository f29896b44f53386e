import Foundation
import TestKit
import Testing

/// Where things are written, who may read them, and what happens where nothing can be written.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DataFolderTests {
  let home: TemporaryFolder
  /// Another place than the home and current folder.
  let place: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    place = try TemporaryFolder()
  }

  func run(_ words: [String], _ data: String, _ input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", data], home: home, input: Data(input.utf8)).finish()
  }

  static let writers = [
    ["play", "tic-tac-toe", "--against", "greedy"], ["match", "tic-tac-toe", "--players", "random,greedy"],
    ["tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy"],
  ]

  @Test func nothingIsWrittenOutsideTheDataFolder() throws {
    let data = place.file("deep/data")
    for words in Self.writers { #expect(try run(words, data, "5\nresign\nresign\n").status == 0) }
    for words in [["log", "list"], ["log", "verify"], ["replay", "last"], ["tournament", "show"]] {
      #expect(try run(words, data).status == 0)
    }
    #expect(try home.tree().isEmpty)
    for (path, mode) in try place.tree() {
      let isFolder = ["deep", "deep/data", "deep/data/log"].contains(path)
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(path)")
      #expect(isFolder || path.hasPrefix("deep/data/"), "\(path)")
    }
    #expect(try place.tree().contains { $0.path == "deep/data/identity.key" })
  }

  @Test func whereThereIsNoTournamentOneIsProposed() throws {
    let data = place.file("data")
    #expect(try run(Self.writers[0], data, "resign\n").status == 0)
    let list = try run(["tournament", "list"], data)
    #expect(list.status == 0 && list.output.isEmpty, "\(list.output)")
    #expect(list.errors.contains("tournament run --game GAME"), "\(list.errors)")
  }

  @Test(arguments: [0o644, 0o640, 0o604])
  func aKeyThatOthersCanReadIsRefused(_ mode: Int) throws {
    let data = place.file("data")
    #expect(try run(["identity", "create"], data).status == 0)
    let key = "\(data)/identity.key"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
    for words in Self.writers {
      let refused = try run(words, data, "5\n")
      #expect(refused.status == 77, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("chmod 600"), "\(refused.errors)")
      #expect(refused.output.isEmpty)
    }
    #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == mode)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    #expect(try run(Self.writers[0], data, "5\n").status == 0)
  }

  @Test func aPathThatIsNoFolderIsRefused() throws {
    try place.write("file", Data("mine".utf8))
    let data = place.file("file")
    for words in Self.writers {
      let refused = try run(words, data, "5\n")
      #expect(refused.status == 73, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("Not a directory"), "\(refused.errors)")
    }
    for words in [
      ["log", "list"], ["log", "verify"], ["tournament", "list"], ["replay", "last"],
      ["play", "--resume", "last"],
    ] {
      let refused = try run(words, data)
      #expect(refused.status == 66, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("is not a folder"), "\(refused.errors)")
      #expect(refused.errors.contains("--data DIR"), "\(refused.errors)")
    }
    #expect(try place.bytes("file") == Data("mine".utf8))
  }

  /// What lies where the store's folder or file should be is named, and not waited for.
  @Test(arguments: ["log", "log/data.mdb"], [true, false])
  func somethingElseInThePlaceOfTheStoreIsNamed(_ path: String, _ isPipe: Bool) throws {
    let data = place.file("data")
    try FileManager.default.createDirectory(
      atPath: path == "log" ? data : "\(data)/log", withIntermediateDirectories: true)
    if isPipe {
      // SAFETY: the call reads the terminated string only while it runs.
      let code = unsafe mkfifo("\(data)/\(path)", 0o600)
      #expect(code == 0)
    } else {
      try Data("mine".utf8).write(to: URL(filePath: "\(data)/\(path)"))
    }
    for words in [["log", "list"], ["log", "verify"], ["tournament", "list"], ["lobby", "--once"]] {
      let refused = try run(words, data)
      #expect(refused.status > 63, "\(words): \(refused.output)\(refused.errors)")
      #expect(refused.errors.contains("/log"), "\(refused.errors)")
    }
  }

  @Test func anEmptyPathIsRefused() throws {
    for words in Self.writers + [["log", "list"], ["identity", "create"]] {
      let refused = try run(words, "")
      #expect(refused.status == 64, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("--data cannot be empty"))
    }
    #expect(try home.tree().isEmpty)
  }

  @Test func aPlaceThatTakesNoFolderIsRefused() throws {
    for words in Self.writers {
      let refused = try run(words, "/proc/parlor")
      #expect([73, 77].contains(refused.status), "\(words): \(refused.errors)")
      #expect(refused.errors.contains("cannot create /proc/parlor"), "\(refused.errors)")
    }
  }

  /// Runs the program through a shell that lowers a limit, or gives up rights, first.
  func limited(_ before: String, _ words: [String], _ data: String) throws -> Program.Finished {
    let program = try #require(Program.path)
    let shell = try Dialogue(
      ["-c", "( \(before) \"$@\" ) 2>&1 | cat; exit \"${PIPESTATUS[0]}\"", "bash", program] + words + [
        "--data", data,
      ],
      home: home, program: "/bin/bash")
    try shell.endInput()
    return try shell.finish()
  }

  @Test func aReadOnlyFolderIsRefusedAndReadingItWorks() throws {
    let data = place.file("data")
    #expect(try run(Self.writers[1], data).status == 0)
    let folders = ["data", "data/log"].map { place.file($0) }
    for folder in folders {
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    }
    defer {
      for folder in folders {
        do { try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) } catch {
          Issue.record(error)
        }
      }
    }
    // Permissions do not stop root, who gives up that right for this.
    let before = getuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : ""
    for words in Self.writers {
      let fresh = try limited(before, words, place.file("data/inner"))
      #expect(fresh.status == 77, "\(words): \(fresh.output)")
      #expect(fresh.output.contains("Permission denied"), "\(fresh.output)")
    }
    for words in [["log", "list"], ["log", "verify"], ["replay", "last"]] {
      let reader = try limited(before, words, data)
      #expect(reader.status == 0, "\(words): \(reader.output)")
    }
  }
}
