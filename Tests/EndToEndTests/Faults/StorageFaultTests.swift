import Foundation
import TestKit
import Testing

/// Storage that takes no more: what is said, what stays, and how it goes on afterwards.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct StorageFaultTests {
  /// Something that keeps a folder from growing.
  struct Shortage {
    let home: TemporaryFolder
    /// Lets the folder grow by so many KiB and no more.
    let begin: (_ kibibytes: Int) throws -> Void
    let end: () throws -> Void
  }

  private static let place = ["--data", "data"]

  /// A small disk that is nearly full.
  @Test(
    .enabled(if: SmallDisk.isPossible, SmallDisk.impossible),
    arguments: Effort.cases([12, 0, 20], quick: 1))
  func aFullDiskIsSaidAndEverythingGoesOnAfterwards(_ kibibytes: Int) throws {
    let disk = try SmallDisk(kibibytes: 4_096)
    try outlive(
      Shortage(home: disk.home, begin: { try disk.fill(leaving: $0) }, end: { try disk.empty() }), kibibytes)
  }

  /// A limit on the size of files, as `ulimit -f` sets it.
  @Test(arguments: Effort.cases([12, 0, 20], quick: 1))
  func soIsALimitOfTheFileSize(_ kibibytes: Int) throws {
    let home = try TemporaryFolder()
    let shortage = Shortage(
      home: home,
      begin: { kibibytes in
        let bytes = try home.bytes("data/log/data.mdb").count + kibibytes << 10
        home.enter = Self.limited(kibibytes: bytes >> 10)
      }, end: { home.enter = [] })
    try outlive(shortage, kibibytes)
  }

  /// Runs a program whose files may not be longer, but for its output.
  private static func limited(kibibytes: Int) -> [String] {
    let script = "( ulimit -f \(kibibytes); exec \"$@\" ) | cat; exit \"${PIPESTATUS[0]}\""
    return ["/bin/bash", "-c", script, "bash"]
  }

  /// Stores something, runs out of space at work of every kind, and goes on when there is space again.
  private func outlive(_ shortage: Shortage, _ kibibytes: Int) throws {
    let home = shortage.home
    var audit = StoreAudit(home)
    var acknowledged = Acknowledged()
    let reference = try TournamentKillTests.simultaneous.get()
    let match = ["match", "tic-tac-toe", "--players", "random,random", "--games", "600"] + Self.place
    #expect(try Program.start(Array(match.prefix(4)) + Self.place, home: home).finish().status == 0)
    _ = try game(["prisoners-dilemma", "--against", "random", "--set", "rounds=9"], home, moves: 2)
    try audit.look(everything: true)
    try shortage.begin(kibibytes)
    var refused = 0
    for words in [["--resume", "last"], ["prisoners-dilemma", "--set", "rounds=80"]] {
      let run = try game(words, home, moves: 90)
      let end = try run.finish()
      #expect([0, 74].contains(end.status), "\(words): \(end.errors)")
      if end.status == 74 { refused += try Self.said(end) }
      try acknowledged.take(run).check(audit)
    }
    refused += try Self.said(try Program.start(match, home: home).finish())
    let tournament = try Dialogue(
      ["tournament", "run", "--json"] + Self.place + TournamentPlan.simultaneous.words, home: home)
    refused += try Self.said(try tournament.finish())
    try acknowledged.take(tournament).check(audit)
    #expect(refused >= 3)
    try audit.look(everything: true)
    try shortage.end()
    try goOn(home, reference)
    try audit.look(everything: true)
    try acknowledged.check(audit)
  }

  /// Everything that was stopped can be ended now, and comes to the same.
  private func goOn(_ home: TemporaryFolder, _ reference: TournamentKillTests.Reference) throws {
    let audit = StoreAudit(home)
    let isThere = try !audit.read("tournament", "list").isEmpty
    let words = isThere ? ["resume"] : ["run"] + TournamentPlan.simultaneous.words
    let run = try Program.start(["tournament"] + words + Self.place, home: home).finish()
    #expect(run.status == 0, "\(run.errors)")
    let standings = try #require(try audit.read("tournament", "standings").first)
    #expect(standings["standingsDigest"] as? String == reference.digest)
    let rest = try game(["--resume", "last"], home, moves: 90).finish()
    #expect([0, 66].contains(rest.status), "\(rest.errors)")
  }

  /// A person's game, with so many lines typed at once.
  private func game(_ words: [String], _ home: TemporaryFolder, moves: Int) throws -> Dialogue {
    let run = try Dialogue(["play", "--json"] + words + Self.place, home: home)
    run.typeIfItListens((0..<moves).map { $0 % 3 == 0 ? "D\n" : "C\n" }.joined())
    try run.endInput()
    _ = try run.finish()
    return run
  }

  /// The words of a run that found no space.
  private static func said(_ end: Program.Finished) throws -> Int {
    #expect(end.status == 74, "\(end.errors)")
    #expect(end.errors.contains("No space is left for the store ("), "\(end.errors)")
    return end.status == 74 ? 1 : 0
  }

  /// Space enough for nothing, for some of it, and for all that a new folder needs.
  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.impossible))
  func aFolderThatTheDiskCannotHoldIsMadeLater() throws {
    var made = 0
    let sizes = [0, 4, 8, 64, 128, 136, 140, 144, 152, 160, 176, 192, 224]
    for kibibytes in Effort.isQuick ? [4, 64, 224] : sizes {
      let disk = try SmallDisk(kibibytes: 1_024)
      try disk.fill(leaving: kibibytes)
      let words = ["match", "tic-tac-toe", "--players", "random,greedy"] + Self.place
      let run = try Program.start(words, home: disk.home).finish()
      #expect([0, 73, 74].contains(run.status), "\(kibibytes) KiB: \(run.errors)")
      if run.status == 0 { made += 1 } else { #expect(run.errors.contains("space"), "\(run.errors)") }
      try disk.empty()
      let again = try Program.start(words, home: disk.home).finish()
      #expect(again.status == 0, "\(kibibytes) KiB: \(again.errors)")
      var audit = StoreAudit(disk.home)
      try audit.look(everything: true)
      let files = try disk.shell("find data | sort").output.split(separator: "\n")
      #expect(files.count == 9, "\(kibibytes) KiB: \(files)")
    }
    #expect((1..<sizes.count).contains(made), "sizes on both sides of what is needed")
  }

  /// The same by a limit of the file size.
  @Test(arguments: Effort.cases([40, 1, 20, 80, 160], quick: 1))
  func norAFolderThatALimitForbids(_ kibibytes: Int) throws {
    let home = try TemporaryFolder()
    let words =
      ["match", "tic-tac-toe", "--players", "random,greedy", "--games", "\(Effort.size(3_000, quick: 800))"]
      + Self.place
    home.enter = Self.limited(kibibytes: kibibytes)
    let run = try Program.start(words, home: home).finish()
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("parlor: error: "), "\(run.errors)")
    home.enter = []
    #expect(try Program.start(words, home: home).finish().status == 0)
    var audit = StoreAudit(home)
    try audit.look(everything: true)
    #expect(try home.tree().count == 9)
  }

  /// A file system that is mounted read-only.
  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.impossible))
  func aReadOnlyDiskIsReadAndNotWritten() throws {
    let disk = try SmallDisk(kibibytes: 4_096)
    for words in DataFolderTests.writers {
      #expect(try Program.start(words + Self.place, home: disk.home).finish().status == 0)
    }
    var audit = StoreAudit(disk.home)
    try audit.look(everything: true)
    let stored = try disk.shell("sha256sum data/log/data.mdb").output
    try disk.shell("mount -o remount,ro '\(disk.home.path)'")
    for data in ["data", "fresh"] {
      for words in DataFolderTests.writers + (data == "data" ? [["play", "--resume", "last"]] : []) {
        let run = try Program.start(words + ["--data", data], home: disk.home).finish()
        #expect(run.status == (data == "fresh" ? 77 : 74), "\(words): \(run.errors)")
        #expect(run.errors.lowercased().contains("read-only"), "\(words): \(run.errors)")
        #expect(run.output.isEmpty)
      }
    }
    try audit.look(everything: true)
    #expect(try Program.start(["replay", "last"] + Self.place, home: disk.home).finish().status == 0)
    #expect(try disk.shell("sha256sum data/log/data.mdb").output == stored)
    try disk.shell("mount -o remount,rw '\(disk.home.path)'")
    let again = try Program.start(DataFolderTests.writers[1] + Self.place, home: disk.home).finish()
    #expect(again.status == 0, "\(again.errors)")
  }

  // MARK: - Several writers

  @Test func theFirstWriterIsNotHarmedByOthers() throws {
    let home = try TemporaryFolder()
    let rounds = Effort.size(12, quick: 1)
    let first = try Dialogue(
      ["play", "prisoners-dilemma", "--set", "rounds=\(rounds)", "--json"] + Self.place, home: home)
    for round in 1...rounds {
      try first.wait(for: "a position") { try first.objects("position").count >= round }
      let words = DataFolderTests.writers[round % 3]
      let second = try Program.start(words + Self.place, home: home).finish()
      #expect(second.status == 75, "\(second.errors)")
      #expect(second.errors.contains("process \(first.process.processIdentifier) (parlor "))
      #expect(second.output.isEmpty)
      try first.type("C\n")
    }
    let end = try first.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(try first.objects("result").count == 1)
    var audit = StoreAudit(home)
    try audit.look(everything: true)
    #expect(try audit.read("log", "list", "--all").count == 1)
  }

  /// Twenty at once, also where each would create the folder.
  @Test func ofManyWritersAtOnceEachStoresOrIsRefused() throws {
    let home = try TemporaryFolder()
    for round in 1...Effort.size(3, quick: 1) {
      let before = try StoreAudit(home).read("log", "list", "--all").count
      let words = ["match", "tic-tac-toe", "--players", "random,greedy"] + Self.place
      let runs = try (0..<20).map { _ in try Program.start(words, home: home) }
      let ends = try runs.map { try $0.finish() }
      for end in ends where end.status != 0 {
        #expect(end.status == 75, "round \(round): \(end.errors)")
        #expect(end.errors.contains("is being written by"), "\(end.errors)")
      }
      let stored = ends.count { $0.status == 0 }
      #expect(stored > 0)
      var audit = StoreAudit(home)
      try audit.look(everything: true)
      #expect(try audit.read("log", "list", "--all").count == before + stored)
      #expect(try home.tree().count == 9)
    }
  }

  /// A room that many import at once is there once, also where each would create the folder; who is refused is told the
  /// one cause.
  @Test func ofManyImportsAtOnceEachTakesTheRoomOrIsRefused() throws {
    let home = try TemporaryFolder()
    let match = ["match", "tic-tac-toe", "--players", "random,greedy", "--games", "50"]
    #expect(try Program.start(match + ["--data", "from"], home: home).finish().status == 0)
    let exported = ["log", "export", "last", "--output", "room.parlor", "--data", "from"]
    #expect(try Program.start(exported, home: home).finish().status == 0)
    for round in 1...Effort.size(6, quick: 2) {
      let words = ["log", "import", "room.parlor", "--json", "--data", "to\(round)"]
      let runs = try (0..<8).map { _ in try Program.start(words, home: home) }
      let ends = try runs.map { try $0.finish() }
      for end in ends where end.status != 0 {
        #expect(end.status == 75, "round \(round): \(end.errors)")
        #expect(end.errors.contains("is being written by"), "\(end.errors)")
      }
      let new = try ends.filter { $0.status == 0 }.flatMap { try $0.objects() }.count {
        $0["new"] as? Int != 0
      }
      #expect(new == 1, "round \(round)")
      try Logs.verify("to\(round)", home: home)
    }
  }
}
