import EventLog
import Events
import Foundation
import Network
import Peer
import Projection
import Testing

@testable import Service

/// Rooms that a person has forgotten, and peers that a person has blocked, through the process of a data folder.
@Suite(.serialized) struct ForgettingTests {
  @Test func aRoomIsForgottenThroughTheSocketAndStaysAway() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let rooms = [try await host.host(), try await host.host()]
    try await connect(guest, to: host)
    try await guest.wait(for: "both games") { await guest.openGames() == rooms.sorted() }
    let client = try #require(try await b.client())
    #expect(try await client.forget([rooms[0], rooms[0]], .strangers) == [rooms[0]])
    #expect(await guest.openGames() == [rooms[1]])
    #expect(try b.log().rooms(limit: nil).map(\.room) == [rooms[1]])
    await client.close()
    await guest.close()
    // Nor does it come after a start.
    let again = try await b.open(2)
    try await connect(again, to: host)
    let late = try await host.host()
    try await again.wait(for: "what is new") { try await again.state(of: late) != nil }
    #expect(try await again.state(of: rooms[0]) == nil)
    // It does when somebody asks for it.
    _ = try await again.perform(.want(name: rooms[0].description))
    try await again.wait(for: "what is wanted") { try b.log().rooms(limit: nil).count == 3 }
    #expect(try b.log().forgottenRooms().isEmpty)
    await again.close()
    await host.close()
  }

  @Test func whatIsPlayedIsForgottenOnlyByForce() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let room = try await host.host()
    try await connect(guest, to: host)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await guest.wait(for: "play") { try await guest.state(of: room)?.phase == .playing }
    for service in [host, guest] {
      await #expect(throws: ServiceError.self) { try await service.forget([room], .unplayed) }
      #expect(try await service.forget([room], .strangers) == [])
      #expect(try await service.state(of: room)?.phase == .playing)
    }
    #expect(try await guest.forget([room], .all) == [room])
    let table = await guest.table()
    #expect(table.others == [] && table.toChoose == [])
    #expect(try b.log().forgottenRooms().map(\.isOfStrangers) == [false])
    await guest.close()
    await host.close()
  }

  @Test func aBlockedPeerIsDisconnectedAtOnceAndAfterAStart() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, listens: true)
    let guest = try await b.open(2)
    try await connect(guest, to: host)
    try await host.wait(for: "a connection") { await !host.neighbours().isEmpty }
    let client = try #require(try await a.client())
    _ = try await client.perform(.block(guest.peer, isBlocked: true))
    #expect(await host.neighbours().isEmpty)
    #expect(try BlockedPeers.read(in: a.path) == [guest.peer])
    await #expect(throws: ServiceError.self) { try await host.perform(.block(host.peer, isBlocked: true)) }
    await client.close()
    await host.close()
    host = try await a.open(1, listens: true)
    try await connect(guest, to: host)
    let address = try #require(await host.address)
    try await guest.wait(for: "a refusal") { await guest.surroundings.status(of: address)?.reason != nil }
    #expect(await host.neighbours().isEmpty)
    _ = try await host.perform(.block(guest.peer, isBlocked: false))
    try await host.wait(for: "a connection") { await !host.neighbours().isEmpty }
    await guest.close()
    await host.close()
  }

  @Test func theListOfBlockedPeersIsReadOrRefused() throws {
    let folder = try ServiceFolder()
    let peers = Set((1...3).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)).peer })
    #expect(try BlockedPeers.read(in: folder.path).isEmpty)
    try BlockedPeers.write(peers, in: folder.path)
    #expect(try BlockedPeers.read(in: folder.path) == peers)
    let path = folder.path + "/" + BlockedPeers.fileName
    for text in ["", "parlor-blocked-2\n", "parlor-blocked-1\n00\n"] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: ServiceError.self) { try BlockedPeers.read(in: folder.path) }
    }
  }

  @Test func theLeastRecentlyUsedRoomsAreChosen() {
    let candidates = [(1, 30, 300), (2, 10, 100), (3, 20, 100), (4, 40, 100)].map { number, used, bytes in
      Pruning.Candidate(
        room: RoomID(Bytes32([UInt8](repeating: UInt8(number), count: 32), at: 0)), events: 1, bytes: bytes,
        used: UInt64(used))
    }
    func chosen(_ pruning: Pruning) -> [UInt64] { pruning.choose(candidates).map(\.used) }
    #expect(chosen(Pruning(limitBytes: 0)) == [10, 20, 30, 40])
    #expect(chosen(Pruning(limitBytes: 400)) == [10, 20])
    #expect(chosen(Pruning(limitBytes: 399)) == [10, 20, 30])
    #expect(chosen(Pruning(limitBytes: 600)) == [])
    #expect(chosen(Pruning(before: 30)) == [10, 20])
    #expect(chosen(Pruning(before: 20, limitBytes: 0)) == [10])
  }
}
