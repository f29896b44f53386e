import Events
import Foundation
import Network
import TestKit
import Testing

/// `sync` ends, with words, where something is refused.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SyncRefusalTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test(arguments: FalsePeer.Fault.allCases) func whatIsRefusedIsNamed(_ fault: FalsePeer.Fault) async throws
  {
    let other = try await FalsePeer(fault)
    let sync = ["sync", "\(other.address)", "--json", "--data", "a"]
    #expect(try Dialogue(sync, home: home).finish().status == 0)
    await other.offerBadRoom()
    let end = try Dialogue(sync, home: home).finish()
    #expect(end.status == 65, "\(end.errors)")
    for words in [other.bad.short, other.event.short, other.peer.short, fault.words] {
      #expect(end.errors.contains(words), "\(end.errors)")
    }
    let synced = try #require(try end.objects().last)
    #expect(synced["complete"] as? Bool == false && synced["peer"] as? String == "\(other.peer)")
    // What came before stays, of the room itself too.
    let stored = try Program.run("log", "list", "--all", "--json", "--data", "a", home: home).objects()
      .map { "\($0["id"] ?? "") \($0["events"] ?? "")" }
    #expect(stored.contains("\(other.good) 1"))
    let isKept = stored.contains { $0.hasPrefix("\(other.bad) ") }
    #expect(isKept == (fault != .misnamedInOneRun))
    await other.stop()
  }

  @Test func whoHangsUpEndsIt() async throws {
    let silent = try SilentPeer()
    let sync = try Dialogue(["sync", "\(try await silent.listen())", "--data", "a"], home: home)
    while await silent.opened == 0 { try await Task.sleep(for: .milliseconds(5)) }
    await silent.stop()
    let end = try sync.finish()
    #expect(end.status != 0 && end.errors.contains("the connection ended"), "\(end.errors)")
  }

  @Test func whoWantsNoConnectionsEndsIt() async throws {
    let busy = try await BusyPeer()
    let end = try Dialogue(["sync", "\(busy.address)", "--data", "a"], home: home).finish()
    #expect(end.status != 0 && end.errors.contains("as many connections as it wants"), "\(end.errors)")
    await busy.stop()
  }
}

/// Rooms of an edition that this program does not know are named and not taken, unless they were asked for by id.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LaterEditionTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func stored(_ data: String) throws -> Set<String> {
    Set(
      try Program.run("log", "list", "--all", "--json", "--data", data, home: home).objects()
        .compactMap { $0["id"] as? String })
  }

  @Test func theyAreNamedAndTakenOnlyWhenAskedFor() async throws {
    let other = try await LaterPeer()
    let sync = try Dialogue(["sync", "\(other.address)", "--data", "a"], home: home).finish()
    #expect(sync.status == 0, "\(sync.errors)")
    for room in other.rooms {
      #expect(
        sync.errors.components(separatedBy: "(\(room.short)) is of edition 2").count == 2, "\(sync.errors)")
    }
    #expect(sync.errors.contains("this program takes edition 1") && sync.errors.contains("parlor watch"))
    #expect(try stored("a") == [])
    let id = "\(other.rooms[0])"
    for name in [String(id.prefix(6)), id] {
      let watch = try Dialogue(
        [
          "watch", name, "--data", "a", "--no-discovery", "--listen", "127.0.0.1:0", "--connect",
          "\(other.address)",
        ], home: home
      ).finish()
      #expect(watch.status == 1)
      #expect(watch.errors.contains("of edition 2, and this program takes edition 1"), "\(watch.errors)")
      #expect(try stored("a") == [id])
    }
    await other.stop()
  }

  @Test func anArchiveHoldsThem() async throws {
    let other = try await LaterPeer()
    let serve = try NetworkRun(
      ["serve", "--archive", "--connect", "\(other.address)"], data: "a", home: home)
    let expected = Set(other.rooms.map(\.description))
    try serve.run.wait(for: "the rooms") { try stored("a") == expected }
    serve.run.send(SIGINT)
    let end = try serve.run.finish()
    #expect(!end.errors.contains("edition"), "\(end.errors)")
    await other.stop()
  }
}
