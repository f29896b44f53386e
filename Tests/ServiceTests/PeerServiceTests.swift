import BotKit
import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Rules
import SearchBots
import TestKit
import Testing

@testable import Service

/// Peers with stores on disk, over TCP in one process.
@Suite(.serialized) struct PeerServiceTests {
  @Test func twoPeersPlayAGame() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let room = try await host.host()
    try await connect(guest, to: host)
    try await guest.wait(for: "the game in the lobby") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    for (index, cell) in ["5", "1", "9", "2", "3", "6", "7"].enumerated() {
      let mover: any Service = index.isMultiple(of: 2) ? host : guest
      try await mover.wait(for: "turn \(index)") {
        try await mover.state(of: room)?.seatToChoose(of: mover.peer) != nil
      }
      try await mover.play(cell, in: room)
    }
    for service in [host, guest] {
      try await service.wait(for: "agreement") {
        try await service.state(of: room)?.games.last?.isAgreed == true
      }
      #expect(try await service.state(of: room)?.games.last?.ending?.outcome?.scores == [1, 0])
      #expect(await service.openGames() == [])
    }
    await host.close()
    await guest.close()
  }

  /// Nothing of what a peer owes depends on its process having lived.
  @Test func whoStartsAgainDoesWhatItOwes() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, listens: true)
    let room = try await host.host()
    let guest = try await b.open(2)
    try await connect(guest, to: host)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    await host.close()
    // The request is made while nobody is there to grant it.
    try await guest.wait(for: "the host to be gone") { await guest.openGames() == [] }
    try await guest.join(room)
    host = try await a.open(1, listens: true)
    try await connect(guest, to: host)
    try await host.attend(room)
    try await guest.wait(for: "the seat") { try await guest.state(of: room)?.phase == .playing }
    await host.close()
    await guest.close()
  }

  @Test func theLobbyForgetsWhatIsTakenClosedOrGone() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let (first, second) = (try await host.host(), try await host.host())
    try await connect(guest, to: host)
    let both = [first, second].sorted()
    try await guest.wait(for: "both games") { await guest.openGames() == both }
    _ = try await host.perform(.act(first, .leave))
    try await guest.wait(for: "the closed one to go") { await guest.openGames() == [second] }
    await host.close()
    try await guest.wait(for: "the host's game to go") { await guest.openGames() == [] }
    await guest.close()
  }

  @Test func anInvitationIsSeenDeclinedAndForOthersNot() async throws {
    let folders = [try ServiceFolder(), try ServiceFolder(), try ServiceFolder()]
    let host = try await folders[0].open(1, listens: true)
    let (guest, other) = (try await folders[1].open(2), try await folders[2].open(3))
    let room = try await host.host(scope: .invited, invited: [guest.peer])
    let open = try await host.host()
    for service in [guest, other] { try await connect(service, to: host) }
    try await guest.wait(for: "the invitation") { await guest.table().invitations == [room] }
    try await other.wait(for: "the open game") { await other.openGames() == [open] }
    #expect(try await other.state(of: room) == nil)
    _ = try await guest.perform(.decline(room))
    try await host.wait(for: "the answer") { await host.hasDeclined(guest.peer, room) }
    #expect(await guest.table().invitations == [])
    await #expect(throws: ServiceError.self) { try await guest.perform(.decline(open)) }
    for service in [host, guest, other] { await service.close() }
  }

  @Test func aSeatIsGivenOnceAndTheOthersGetWords() async throws {
    var folders: [ServiceFolder] = []
    for _ in 0..<4 { folders.append(try ServiceFolder()) }
    let host = try await folders[0].open(1, listens: true)
    let room = try await host.host()
    var guests: [PeerService] = []
    for number in 1..<4 {
      let guest = try await folders[number].open(UInt8(number + 1))
      try await connect(guest, to: host)
      guests.append(guest)
    }
    for guest in guests { try await guest.wait(for: "the game") { await guest.openGames() == [room] } }
    for guest in guests {
      do { try await guest.join(room) } catch ServiceError.refused(let words) {
        #expect(words.contains("taken"))
      }
    }
    for service in guests + [host] {
      try await service.wait(for: "play") { try await service.state(of: room)?.phase == .playing }
    }
    let seated = try await host.state(of: room)?.seats.compactMap { $0?.peer } ?? []
    for guest in guests where !seated.contains(guest.peer) {
      await #expect(throws: ServiceError.self) { try await guest.join(room) }
    }
    #expect(seated.count == 2)
    for service in guests + [host] { await service.close() }
  }

  /// A seat of a rematch is for who sat in the game before.
  @Test func aRematchIsForTheSamePlayers() async throws {
    let folders = [try ServiceFolder(), try ServiceFolder(), try ServiceFolder()]
    var host = try await folders[0].open(1, listens: true)
    let (guest, other) = (try await folders[1].open(2), try await folders[2].open(3))
    for service in [guest, other] { try await connect(service, to: host) }
    let room = try await host.host()
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    _ = try await host.perform(.act(room, .resign))
    let state = try #require(try await host.state(of: room))
    let next = try await host.perform(.create(Intent.NewRoom(rematchOf: state, Profile(name: "host"))))
    for service in [guest, other] {
      try await service.wait(for: "the rematch") { try await service.state(of: next) != nil }
      #expect(await service.openGames() == [])
    }
    try await guest.wait(for: "the rematch in the store") {
      try await guest.rematch(of: room, by: host.peer) == next
    }
    try await other.join(next)
    try await host.wait(for: "the stranger's request") {
      try await host.state(of: next)?.openRequests.isEmpty == false
    }
    // Also who has started again since knows who played before.
    await host.close()
    host = try await folders[0].open(1, listens: true)
    for service in [guest, other] { try await connect(service, to: host) }
    try await host.attend(next)
    try await guest.join(next)
    try await guest.wait(for: "play") { try await guest.state(of: next)?.phase == .playing }
    #expect(try await guest.state(of: next)?.seats.map { $0?.peer } == [host.peer, guest.peer])
    for service in [host, guest, other] { await service.close() }
  }

  /// What is over is not kept in memory, and is there all the same.
  @Test func aGameThatIsOverIsStillSaidAndRead() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let room = try await host.host()
    try await connect(guest, to: host)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    try await host.play("5", in: room)
    try await guest.wait(for: "the move") { try await guest.state(of: room)?.currentGame?.plies.count == 1 }
    _ = try await guest.perform(.act(room, .resign))
    for service in [host, guest] {
      try await service.wait(for: "agreement") {
        try await service.state(of: room)?.games.last?.isAgreed == true
      }
      try await service.wait(for: "the room to be put away") {
        await service.networkPeer.read { $0.log(of: room) == nil }
      }
    }
    _ = try await host.perform(.act(room, .say("good game")))
    try await guest.wait(for: "the words") {
      try await guest.state(of: room)?.chat.map(\.text) == ["good game"]
    }
    let third = try ServiceFolder()
    let watcher = try await third.open(3)
    try await connect(watcher, to: host)
    _ = try await watcher.perform(.want(name: room.short))
    try await watcher.wait(for: "the whole game") {
      try await watcher.state(of: room)?.chat.map(\.text) == ["good game"]
    }
    #expect(try await watcher.state(of: room)?.games.last?.isAgreed == true)
    for service in [host, guest, watcher] { await service.close() }
  }

  /// What is over is not read when a peer starts again; everything is as it was.
  @Test func whoStartsAgainGoesByWhatIsStoredOfGamesThatAreOver() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let (over, waiting) = (try await host.host(), try await host.host())
    try await connect(guest, to: host)
    try await guest.wait(for: "both games") { await guest.openGames() == [over, waiting].sorted() }
    try await guest.join(over)
    try await guest.wait(for: "play") { try await guest.state(of: over)?.phase == .playing }
    _ = try await guest.perform(.act(over, .resign))
    for service in [host, guest] {
      try await service.wait(for: "the room to be put away") {
        await service.networkPeer.read { $0.log(of: over) == nil }
      }
    }
    for service in [guest, host] { await service.close() }
    for folder in [a, b] {
      let stored = try folder.log().storedRooms(from: 0, limit: 9)
      #expect(Set(stored.map(\.room)) == [over, waiting])
      #expect(stored.filter { $0.clock != nil }.map(\.room) == [over])
      #expect(stored.compactMap(\.clock).map(\.rule) == [Steward.closing.version])
    }
    (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    for service in [host, guest] {
      #expect(await service.networkPeer.read { $0.log(of: over) == nil && $0.log(of: waiting) != nil })
    }
    #expect(await host.openGames() == [waiting])
    #expect(await host.table().hosted == [waiting])
    try await connect(guest, to: host)
    try await guest.wait(for: "the game that waits") { await guest.openGames() == [waiting] }
    let (one, other) = (guest.peer, host.peer)
    try await guest.wait(for: "nothing to be missing") {
      let isEqual = await guest.surroundings.isEqual(with: other)
      return await host.surroundings.isEqual(with: one) && isEqual
    }
    _ = try await guest.perform(.act(over, .say("again?")))
    try await host.wait(for: "the words") { try await host.state(of: over)?.chat.map(\.text) == ["again?"] }
    let state = try #require(try await host.state(of: over))
    let next = try await host.perform(.create(Intent.NewRoom(rematchOf: state, Profile(name: "host"))))
    try await guest.wait(for: "the rematch") { await guest.table().invitations == [next] }
    for service in [host, guest] { await service.close() }
  }

  /// A bot comes to the games that it is invited to, and to rematches of those that it has played.
  @Test func aBotComesToARematch() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, bot) = (try await a.open(1, listens: true), try await b.open(2, policy: .bot))
    try await connect(bot, to: host)
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules(Parameters())
    let greedy = try BotCatalog(SearchBots.families).bot("greedy", for: rules)
    let keeper = BotKeeper(
      bot, bot: greedy, rules: rules, name: "greedy", scope: .local, seed: 1, limitThinking: 1
    ) { _ in }
    let playing = Task { () throws in try await keeper.run() }
    var room = try await host.host(invited: [bot.peer])
    for round in 0..<2 {
      try await host.wait(for: "play of game \(round)") { try await host.state(of: room)?.phase == .playing }
      let state = try #require(try await host.state(of: room))
      #expect(state.seats.map { $0?.peer } == [host.peer, bot.peer])
      // The bot may have begun, and have moved already.
      if state.currentGame?.plies.isEmpty == true, state.seatToChoose(of: host.peer) != nil {
        try await host.play("5", in: room)
      }
      try await host.wait(for: "the bot's move") {
        try await host.state(of: room)?.seatToChoose(of: host.peer) != nil
      }
      _ = try await host.perform(.act(room, .resign))
      let over = try #require(try await host.state(of: room))
      // One that it has not agreed to, and cannot decline, is passed over.
      var refereed = Intent.NewRoom(rematchOf: over, Profile(name: "host"))
      refereed.terms.referee = PeerID(Blake2b(domain: "a referee").digest())
      _ = try await host.perform(.create(refereed))
      room = try await host.perform(.create(Intent.NewRoom(rematchOf: over, Profile(name: "host"))))
    }
    await host.close()
    await bot.close()
    try await playing.value
  }

  @Test func aMoveForAnotherPlaceIsRefused() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, guest) = (try await a.open(1, listens: true), try await b.open(2))
    let room = try await host.host()
    try await connect(guest, to: host)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    await #expect(throws: ServiceError.self) {
      try await host.perform(.act(room, .choose(BotChoice(MoveCode(4)), game: 0, ply: 1)))
    }
    await #expect(throws: ServiceError.self) {
      try await guest.perform(.act(room, .choose(BotChoice(MoveCode(4)), game: 0, ply: 0)))
    }
    #expect(try await host.state(of: room)?.currentGame?.plies.count == 0)
    await host.close()
    await guest.close()
  }

  /// Whoever waits for its turn while the last one ends is not forgotten.
  @Test func itEndsWhateverIsUnderWay() async throws {
    for number in 0..<Effort.size(300, quick: 40) {
      let folder = try ServiceFolder()
      let service = try await folder.open(1)
      let calls = (0..<4).map { _ in Task { for _ in 0..<10 { await service.settle() } } }
      for _ in 0..<number % 50 { await Task.yield() }
      await service.close()
      for call in calls { await call.value }
    }
  }
}

@Suite struct GameCodeTests {
  @Test func aCodeIsTheBeginningOfAnIdInOtherLetters() throws {
    let room = RoomID(try #require(Bytes32(hex: "0f3a9c" + String(repeating: "0", count: 58))))
    #expect(GameCode.of(room) == "GZKTSW")
    #expect(GameCode.digits(of: GameCode.of(room)) == "0f3a9c")
    #expect(GameCode.digits(of: GameCode.of(room).lowercased()) == "0f3a9c")
    for text in ["", "GZKTS", "GZKTSWX", "0f3a9c", "GZKTSA", "GZKTSÖ"] {
      #expect(GameCode.digits(of: text) == nil, "\(text)")
    }
  }
}
