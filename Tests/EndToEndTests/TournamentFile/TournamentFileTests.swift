import EventLog
import Events
import Foundation
import TestKit
import Testing

/// A tournament leaves a machine as one file, and is proven from it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentFileTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., from folder: String? = nil, input: Data = Data()) throws
    -> Program.Finished
  {
    try Program.start(words + ["--data", folder ?? data], home: home, input: input).finish()
  }

  private func play() async throws -> RoomID {
    try await Samples(data).tournament(["greedy", "random", "random"])
  }

  @Test func itMovesToAnotherMachineWhole() async throws {
    let room = try await play()
    let exported = try run("tournament", "export", "--output", "cup", "--json").objects()
    #expect(exported.count == 1 && exported[0]["rooms"] as? Int == 4)
    #expect(exported[0]["id"] as? String == room.description)
    #expect((exported[0]["missing"] as? [Any])?.isEmpty == true)
    // What is there stays, and standard output gets the same bytes.
    let again = try run("tournament", "export", "--output", "cup")
    #expect(again.status == 73 && again.errors.contains("`--force`"))
    #expect(try run("tournament", "export", "--output", "cup", "--force").status == 0)
    let folder = home.file("other")
    for (words, new) in [(["cup"], true), (["cup"], false), (["-"], false)] {
      let input = words == ["-"] ? try home.bytes("cup") : Data()
      let taken = try Program.start(
        ["log", "import", "--json", "--data", folder] + words, home: home, input: input)
      let objects = try taken.finish().objects()
      #expect(objects.count == 4)
      #expect(objects.first?["room"] as? String == room.description)
      for object in objects { #expect((object["new"] as? Int ?? 0 > 0) == new) }
    }
    for command in ["standings", "show", "verify"] {
      let here = try run("tournament", command, "--json")
      let there = try run("tournament", command, "--json", from: folder)
      #expect(here.status == 0 && there.status == 0 && here.output == there.output, "\(there.errors)")
    }
    #expect(try run("tournament", "export", "--output", "copy", from: folder).status == 0)
    #expect(try home.bytes("copy") == home.bytes("cup"))
  }

  @Test func fromTheStoreAndFromAFileTheSameIsProven() async throws {
    _ = try await play()
    _ = try run("tournament", "export", "--output", "cup")
    let bytes = try home.bytes("cup")
    var proofs: [[String: Any]] = []
    for name in ["last", "./cup", "-"] {
      let run = try run("tournament", "verify", name, "--json", input: name == "-" ? bytes : Data())
      #expect(run.status == 0, "\(run.errors)")
      let objects = try run.objects()
      #expect(objects.map { $0["type"] as? String } == ["proof"])
      #expect(objects[0]["valid"] as? Bool == true && objects[0]["rooms"] as? Int == 4)
      proofs.append(objects[0].filter { $0.key != "path" })
    }
    #expect(proofs.allSatisfy { NSDictionary(dictionary: $0) == NSDictionary(dictionary: proofs[0]) })
    let standings = try run("tournament", "standings", "--json").objects()[0]
    #expect(proofs[0]["standingsDigest"] as? String == standings["standingsDigest"] as? String)
    let text = try run("tournament", "verify", "./cup")
    #expect(text.output.contains("3 of 3 pairings decided: everything is proven."), "\(text.output)")
    #expect(try run("log", "verify", "./cup").output.contains("everything holds"))
  }

  @Test func whatIsNotHereIsSaid() async throws {
    let honest = try Samples(home.file("honest"))
    let tournament = try await honest.tournament(["greedy", "random", "random"])
    let events = try Samples(data).retell(tournament, from: honest, rooms: [0, 2]) { _, _ in }
    let exported = try run("tournament", "export", "--output", "cup")
    #expect(exported.status == 0 && exported.errors.contains("Not in the file: room "), "\(exported.errors)")
    for name in ["last", "./cup"] {
      let run = try run("tournament", "verify", name, "--json")
      #expect(run.status == 69, "\(run.errors)")
      let objects = try run.objects()
      #expect(objects.map { $0["finding"] as? String } == ["not proven", nil])
      #expect(objects[0]["event"] as? String == events[1].description)
      #expect(objects[1]["valid"] is NSNull)
    }
    #expect(try run("log", "verify", "./cup").status == 69)
  }

  @Test func anOrganizerThatLiesIsNamedFromAFile() async throws {
    let honest = try Samples(home.file("honest"))
    let tournament = try await honest.tournament(["greedy", "random", "random"])
    let events = try Samples(data).retell(tournament, from: honest) { words, _ in
      (words[0].walkover, words[0].games) = (.secondAbsent, [])
      (words[1].walkover, words[1].games, words[1].room, words[1].heads) = (.firstAbsent, [], .none, [])
      words[2].room = words[0].room
      words[2].heads = words[0].heads
    }
    #expect(try run("tournament", "export", "--output", "cup").status == 0)
    let run = try run("tournament", "verify", "./cup", "--json")
    #expect(run.status == 1, "\(run.errors)")
    let objects = try run.objects().dropLast()
    let found = Dictionary(
      objects.map { ($0["event"] as? String ?? "", $0["reason"] as? String ?? "") }
    ) { one, _ in one }
    #expect(found[events[0].description]?.hasPrefix("void") == true)
    #expect(found[events[1].description]?.hasPrefix("decided against a signed result") == true)
    #expect(found[events[2].description]?.hasPrefix("room used twice") == true)
    #expect(
      objects.map { $0["finding"] as? String }.sorted { $0 ?? "" < $1 ?? "" } == [
        "decision", "false", "false",
      ])
  }

  /// A file that ends too early is no whole one, wherever it ends; what was taken is said.
  @Test func aFileThatEndsEarlyIsRefused() async throws {
    _ = try await play()
    _ = try run("tournament", "export", "--output", "cup")
    let bytes = try home.bytes("cup")
    let heading = 8 + 32 + 4 + 4 * 32
    let first = heading + 8 + Int(bytes[heading..<heading + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    for (end, taken) in [
      (20, 0), (heading, 0), (first - 1, 0), (first, 1), (first + 100, 1), (bytes.count - 1, 3),
    ] {
      try home.write("short", bytes.prefix(end))
      let folder = home.file("end\(end)")
      let run = try run("log", "import", "short", from: folder)
      #expect(run.status == 65 && run.errors.contains("the file ends too early"), "\(end): \(run.errors)")
      #expect(run.output.split(separator: "\n").count == taken)
      #expect(run.errors.contains("taken of the 4 that the file names") == (taken > 0), "\(run.errors)")
      let verified = try self.run("tournament", "verify", "./short", "--json")
      #expect(verified.status == 1, "\(end): \(verified.errors)")
      #expect(verified.output.contains("the file ends too early"))
    }
    try home.write("long", bytes + [0])
    #expect(try run("log", "import", "long", from: home.file("long store")).status == 65)
    #expect(try run("tournament", "verify", "./long").status == 1)
    try home.write("newer", Data("PARLORT2".utf8) + bytes.dropFirst(8))
    let newer = try run("tournament", "verify", "./newer")
    #expect(newer.status == 65 && newer.errors.contains("version 2 of its form"), "\(newer.errors)")
    _ = try run("log", "export", "last", "--output", "room")
    let room = try run("tournament", "verify", "./room")
    #expect(room.status == 65 && room.errors.contains("no tournament"), "\(room.errors)")
    #expect(try run("log", "show", "./cup").status == 65)
    #expect(try run("tournament", "verify", "./absent").status == 66)
  }
}
