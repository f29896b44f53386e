import EventLog
import Events
import Network
import Peer
import Projection
import Testing

@testable import Service

/// Who sits at tables, who is invited to them and who wants to play again.
@Suite(.serialized) struct TablesTests {
  /// A host and a guest with a game that is over.
  private func finishedGame(_ a: ServiceFolder, _ b: ServiceFolder) async throws -> (
    host: PeerService, guest: PeerService, room: RoomID
  ) {
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    try await connect(guest, to: host)
    let room = try await host.host()
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await guest.wait(for: "play") { try await guest.state(of: room)?.phase == .playing }
    _ = try await guest.perform(.act(room, .resign))
    try await host.wait(for: "the end") { try await host.state(of: room)?.phase == .finished }
    return (host, guest, room)
  }

  /// A host was killed: its data folder is open again, and it is not at its table.
  @Test func nobodyIsSeatedWhereNobodySits() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, listens: true)
    let room = try await host.host()
    #expect(await host.leftTables() == [])
    await host.close()
    host = try await a.open(1, listens: true)
    let guest = try await b.open(2)
    try await connect(guest, to: host)
    #expect(await host.leftTables() == [room])
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "the request") {
      try await host.state(of: room)?.openRequests.isEmpty == false
    }
    await host.settle()
    #expect(try await host.state(of: room)?.seats.map { $0?.peer } == [host.peer, nil])
    try await host.attend(room)
    try await guest.wait(for: "play") { try await guest.state(of: room)?.phase == .playing }
    #expect(await host.leftTables() == [])
    await host.close()
    await guest.close()
  }

  /// A command on the data folder sits at the table that it opened, until it ends.
  @Test func aCommandSitsUntilItEnds() async throws {
    let a = try ServiceFolder()
    let host = try await a.open(1)
    var client = try #require(try await a.client())
    let room = try await client.host()
    #expect(try await client.leftTables() == [])
    await client.close()
    try await host.wait(for: "the command to be gone") { await host.leftTables() == [room] }
    client = try #require(try await a.client())
    #expect(try await client.leftTables() == [room])
    try await client.attend(room)
    #expect(try await client.leftTables() == [])
    _ = try await client.perform(.act(room, .leave))
    await client.close()
    #expect(await host.leftTables() == [])
    await host.close()
  }

  /// Bots and programs see all of their tables.
  @Test(arguments: [Steward.Policy.bot, .program]) func whoIsAlwaysThereNeedNotSitDown(
    _ policy: Steward.Policy
  ) async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, policy: policy)
    let room = try await host.host()
    await host.close()
    host = try await a.open(1, listens: true, policy: policy)
    let guest = try await b.open(2)
    try await connect(guest, to: host)
    #expect(await host.leftTables() == [])
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await guest.wait(for: "play") { try await guest.state(of: room)?.phase == .playing }
    await host.close()
    await guest.close()
  }

  @Test func whoDeclinesIsNotAskedAgainAndTheHostIsTold() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let host = try await a.open(1, listens: true)
    var guest = try await b.open(2)
    try await connect(guest, to: host)
    let guestsKey = guest.peer
    let room = try await host.host(invited: [guestsKey])
    try await guest.wait(for: "the invitation") { await guest.table().invitations == [room] }
    #expect(await guest.openGames() == [room])
    #expect(try await host.table(of: room)?.invited == [.init(peer: guestsKey)])
    _ = try await guest.perform(.decline(room))
    #expect(await guest.openGames() == [])
    try await host.wait(for: "the answer") {
      try await host.table(of: room)?.invited == [.init(peer: guestsKey, hasDeclined: true)]
    }
    // Neither another invitation to the same room nor a new start asks again, and a second answer is none.
    _ = try await host.perform(.invite(room, guestsKey))
    await guest.close()
    guest = try await b.open(2)
    try await connect(guest, to: host)
    let hostsKey = host.peer
    try await guest.wait(for: "both to hold the same") { await guest.surroundings.isEqual(with: hostsKey) }
    _ = try await guest.perform(.decline(room))
    #expect(await guest.table().invitations == [])
    #expect(await guest.openGames() == [])
    #expect(try await guest.rooms.log(of: room).entries.count { $0.event.author == guestsKey } == 1)
    // Somebody else may be invited to the same room.
    _ = try await host.perform(.invite(room, SigningKey(seed: [UInt8](repeating: 9, count: 32)).peer))
    #expect(try await host.table(of: room)?.invited.map(\.hasDeclined) == [true, false])
    await host.close()
    await guest.close()
  }

  /// Either player may want the next game, and the other one sees who does.
  @Test func theWishForARematchIsSeen() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest, room) = try await finishedGame(a, b)
    let state = try #require(try await guest.state(of: room))
    #expect(try await host.table(of: room)?.rematch == nil)
    let wish = try await guest.perform(
      .create(Intent.NewRoom(rematchOf: state, by: guest.peer, Profile(name: "guest"))))
    let guests = TableView.Rematch(room: wish, peer: guest.peer)
    #expect(try await guest.table(of: room)?.rematch == guests)
    try await host.wait(for: "the wish") { try await host.table(of: room)?.rematch == guests }
    // Where both want it at the same time, the one of the creator of the game before counts for both.
    let next = try await host.perform(.create(Intent.NewRoom(rematchOf: state, Profile(name: "host"))))
    let hosts = TableView.Rematch(room: next, peer: host.peer)
    for service in [host, guest] {
      try await service.wait(for: "the same wish") { try await service.table(of: room)?.rematch == hosts }
    }
    // A wish that is taken back is none.
    _ = try await host.perform(.act(next, .leave))
    for service in [host, guest] {
      try await service.wait(for: "the other wish") { try await service.table(of: room)?.rematch == guests }
    }
    try await host.join(wish)
    for service in [host, guest] {
      try await service.wait(for: "play") { try await service.state(of: wish)?.phase == .playing }
      #expect(try await service.table(of: room)?.rematch == nil)
    }
    #expect(try await host.state(of: wish)?.seats.map { $0?.peer } == [host.peer, guest.peer])
    await host.close()
    await guest.close()
  }

  /// A stranger's rematch is nobody's wish.
  @Test func aStrangersRematchIsNoWish() async throws {
    let (a, b, c) = (try ServiceFolder(), try ServiceFolder(), try ServiceFolder())
    let (host, guest, room) = try await finishedGame(a, b)
    let other = try await c.open(3)
    try await connect(other, to: host)
    _ = try await other.perform(.want(name: room.description))
    try await other.wait(for: "the game") { try await other.state(of: room)?.phase == .finished }
    let state = try #require(try await other.state(of: room))
    let made = try await other.perform(
      .create(Intent.NewRoom(rematchOf: state, by: other.peer, Profile(name: "other"))))
    try await host.wait(for: "the stranger's room") { try await host.state(of: made) != nil }
    await host.settle()
    #expect(try await host.table(of: room)?.rematch == nil)
    for service in [host, guest, other] { await service.close() }
  }

  @Test func aTableSaysSinceWhenSomebodyIsAway() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    try await connect(guest, to: host)
    let room = try await host.host()
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    let place = try #require(try await host.table(of: room)?.seats[1])
    #expect(place.presence == .connected && place.awaySince == nil)
    await guest.close()
    try await host.wait(for: "the guest to be away") {
      try await host.table(of: room)?.seats[1].presence == .away
    }
    // The clock of these peers stands at zero.
    try await host.wait(for: "the time") { try await host.table(of: room)?.seats[1].awaySince == 0 }
    await host.close()
  }

  /// Strangers cannot make it remember more than a constant.
  @Test func absencesAreBounded() {
    var neighbourhood = Neighbourhood()
    let peers = (0..<Neighbourhood.limit + 3).map { number in
      PeerID(Bytes32([UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 1, count: 30), at: 0))
    }
    for (time, peer) in peers.enumerated() {
      let here = [NeighbourStatus(peer: peer, address: Address(host: "h", port: 1), state: .connected)]
      let isNews = neighbourhood.note(here, atMilliseconds: UInt64(time))
      let isNewsAgain = neighbourhood.note(here, atMilliseconds: 9_998)
      #expect(isNews && !isNewsAgain)
      #expect(neighbourhood.peers == [peer])
    }
    _ = neighbourhood.note([], atMilliseconds: UInt64(peers.count))
    #expect(neighbourhood.absentSince.count == Neighbourhood.limit)
    #expect(neighbourhood.absentSince[peers[2]] == nil && neighbourhood.absentSince[peers[3]] == 4)
    let back = [NeighbourStatus(peer: peers[3], address: Address(host: "h", port: 1), state: .connected)]
    _ = neighbourhood.note(back, atMilliseconds: 9_999)
    #expect(neighbourhood.absentSince[peers[3]] == nil)
  }
}
