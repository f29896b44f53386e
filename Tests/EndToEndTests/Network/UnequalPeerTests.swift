import Foundation
import Network
import TestKit
import Testing

/// Commands end although a neighbour never comes to hold the same, or never says so. They wait for 15 and 30 seconds;
/// when they end is tested by `PatienceTests`, on simulated time.
@Suite(.onlyAtFullSize, .blocking, .enabled(if: Program.isThere, Program.missing)) struct UnequalPeerTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: [String], _ data: String, at address: Address) throws -> Dialogue {
    try Dialogue(
      words + [
        "--json", "--data", data, "--no-discovery", "--listen", "127.0.0.1:0", "--connect", "\(address)",
      ], home: home)
  }

  private func sync(_ data: String, _ address: Address) throws -> Dialogue {
    try Dialogue(["sync", "\(address)", "--json", "--data", data], home: home)
  }

  private func stored(_ data: String) throws -> [String?] {
    try Program.run("log", "list", "--json", "--data", data, home: home).objects().map { $0["id"] as? String }
  }

  @Test func whoSaysNothingHoldsNobodyUp() async throws {
    let silent = try SilentPeer()
    let address = try await silent.listen()
    let peers = try start(["peers"], "a", at: address)
    let lobby = try start(["lobby", "--once"], "b", at: address)
    let sync = try sync("c", address)
    let listed = try peers.finish()
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(listed.errors.contains("Not everybody has answered"))
    #expect(try listed.objects().last?["state"] as? String == "connected")
    let games = try lobby.finish()
    #expect(games.status == 0, "\(games.errors)")
    #expect(games.errors.contains("Not everybody has answered"))
    let end = try sync.finish()
    #expect(end.status == 75, "\(end.errors)")
    #expect(end.errors.contains("nothing more has come or gone"))
    #expect(try end.objects().last?["complete"] as? Bool == false)
    #expect(await silent.opened == 3)
    await silent.stop()
  }

  /// Both hold the same of what both want.
  @Test func whoLimitsWhatItWantsHoldsNobodyUpAndWhatCameIsKept() async throws {
    let limited = try await LimitedPeer()
    let lobby = try start(["lobby", "--once"], "a", at: limited.address)
    let sync = try sync("b", limited.address)
    let games = try lobby.finish()
    #expect(games.status == 0, "\(games.errors)")
    #expect(try games.objects().last?["room"] as? String == "\(limited.room)")
    let end = try sync.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(try end.objects().last?["events"] as? Int == 1)
    #expect(try end.objects().last?["complete"] as? Bool == true)
    for data in ["a", "b"] { #expect(try stored(data) == ["\(limited.room)"]) }
    await limited.stop()
  }
}
