import BotKit
import Events
import Network
import Peer
import Projection
import Rules
import Synchronization
import Testing

@testable import Service

/// Referees, time limits and silence between peers with stores on disk, over TCP in one process. Time is kept by clocks
/// that the tests set.
@Suite(.serialized) struct RefereeTests {
  private let folders: [ServiceFolder]
  private let hands = Hands()

  init() throws { folders = [try ServiceFolder(), try ServiceFolder(), try ServiceFolder()] }

  /// Host, guest and a third peer, who are connected.
  private func open(third: Steward.Policy = .person) async throws -> [PeerService] {
    let host = try await folders[0].open(1, listens: true, clock: hands)
    let others = [
      try await folders[1].open(2, clock: hands), try await folders[2].open(3, policy: third, clock: hands),
    ]
    for service in others { await service.found(try #require(await host.address)) }
    return [host] + others
  }

  private func refusal(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return "\(error)" }
    return "nothing"
  }

  /// The host has moved, and everybody has seen it.
  private func begin(_ room: RoomID, _ services: [PeerService]) async throws {
    let (host, guest) = (services[0], services[1])
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room, referee: try #require(try await guest.state(of: room)).create.referee)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    try await host.play("5", in: room)
    for service in services {
      try await service.wait(for: "the move") { try await service.state(of: room)?.plyCount == 1 }
      await service.settle()
    }
  }

  @Test func theRefereesProgramRulesByItself() async throws {
    let services = try await open()
    let (host, guest, referee) = (services[0], services[1], services[2])
    let room = try await host.host(referee: referee.peer, moveLimitMilliseconds: 60_000)
    try await begin(room, services)
    // Whoever has written into the room may write at once: only the time keeps the referee from ruling.
    _ = try await referee.perform(.act(room, .say("here")))
    _ = try await host.perform(.act(room, .claim))
    try await referee.wait(for: "the claim") {
      let state = try await referee.state(of: room)
      return state?.claims.count == 1 || state?.turn == nil
    }
    await referee.settle()
    #expect(try await referee.state(of: room)?.turn != nil)
    try await referee.wait(for: "the ruling") {
      hands.advance(by: 60_000)
      await referee.settle()
      return try await referee.state(of: room)?.turn == nil
    }
    for service in [host, guest] {
      try await service.wait(for: "agreement") {
        try await service.state(of: room)?.games.last?.isAgreed == true
      }
      #expect(try await service.state(of: room)?.games.last?.ending?.cause == .ruled(Seat(1)))
      #expect(try await service.takeRulings() == [])
    }
    #expect(try await referee.takeRulings() == [ToldRuling(room: room, seat: Seat(1), limit: .move)])
    #expect(try await referee.takeRulings() == [])
    for service in services { await service.close() }
  }

  /// A bot that notes how long it has, and what was played.
  private final class HurriedBot: Bot {
    let declaration = BotDeclaration(specification: "hurried", version: 1, nodeBudget: 0)
    let asked = Mutex<[BotTurn]>([])

    func choose(_ turn: BotTurn) -> BotChoice {
      asked.withLock { $0.append(turn) }
      return BotChoice(turn.game.legalMoves[0])
    }
  }

  @Test func aBotIsToldWhatWasPlayedAndHowLongItHas() async throws {
    let services = try await open()
    let (host, guest) = (services[0], services[1])
    let room = try await host.host(referee: services[2].peer, moveLimitMilliseconds: 60_000)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    let bot = HurriedBot()
    let terms = Terms(try #require(try await guest.state(of: room)).create)
    let profile = Profile(name: "bot", bot: BotEntry(bot.declaration, seed: 1))
    _ = try await guest.perform(.join(room, seat: Create.noSeat, profile, terms: terms))
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    try await host.play("5", in: room)
    try await guest.wait(for: "the move") { try await guest.state(of: room)?.plyCount == 1 }
    await guest.settle()
    hands.advance(by: 20_000)
    try await guest.choose(bot, in: room)
    let turn = try #require(bot.asked.withLock { $0 }.first)
    #expect(turn.leftMilliseconds == 40_000)
    #expect(Array(turn.history) == [GameHistory.Ply(seat: Seat(0), choices: [MoveCode(4)])])
    for service in services { await service.close() }
  }

  @Test func aStepThatComesBeforeTheRulingCounts() async throws {
    let services = try await open()
    let (host, guest, referee) = (services[0], services[1], services[2])
    let room = try await host.host(referee: referee.peer, moveLimitMilliseconds: 60_000)
    try await begin(room, services)
    _ = try await host.perform(.act(room, .claim))
    try await guest.play("1", in: room)
    try await referee.wait(for: "the move") { try await referee.state(of: room)?.plyCount == 2 }
    hands.advance(by: 60_000)
    await referee.settle()
    try await host.play("9", in: room)
    try await referee.wait(for: "the next move") { try await referee.state(of: room)?.plyCount == 3 }
    #expect(try await referee.state(of: room)?.games[0].ending == nil)
    for service in services { await service.close() }
  }

  @Test func withoutARefereeSilenceHasNoOutcomeAndTheGameGoesOn() async throws {
    var services = try await open()
    let (host, third) = (services[0], services[2])
    let room = try await host.host()
    try await begin(room, services)
    await services[1].close()
    hands.advance(by: 1 << 40)
    await host.settle()
    let words = await refusal { _ = try await host.perform(.act(room, .claim)) }
    #expect(words.contains("no referee"))
    #expect(await host.table().others == [room])
    // The step that is owed comes, however late.
    services[1] = try await folders[1].open(2, clock: hands)
    let guest = services[1]
    await guest.found(try #require(await host.address))
    try await guest.play("1", in: room)
    try await host.wait(for: "the move") { try await host.state(of: room)?.plyCount == 2 }
    try await host.wait(for: "its turn") { await host.table().toChoose == [room] }
    for service in [host, guest, third] { await service.close() }
  }

  /// The attack of a host that names itself, or a peer of its own, and rules at the guest's first turn.
  @Test func nobodyJoinsARefereeThatPlaysNorOneNotAgreedTo() async throws {
    let services = try await open()
    let (host, guest, third) = (services[0], services[1], services[2])
    let me = host.peer
    let crooked = try await host.networkPeer.write { core throws(PeerError) in
      try core.create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
          nonce: [UInt8](repeating: 1, count: 16),
          profile: Profile(name: "host"), creatorSeat: 0, referee: me))
    }
    let second = try await host.host(referee: third.peer, moveLimitMilliseconds: 1_000)
    for service in [guest, third] {
      try await service.wait(for: "both games") { await service.openGames() == [crooked, second].sorted() }
    }
    #expect(await refusal { try await guest.join(crooked, referee: host.peer) }.contains("rule for itself"))
    #expect(await refusal { try await guest.join(second) }.contains("not agreed"))
    #expect(await refusal { try await guest.join(second, referee: host.peer) }.contains("not agreed"))
    #expect(await refusal { try await third.join(second, referee: third.peer) }.contains("holds no seat"))
    #expect(await refusal { _ = try await host.host(referee: host.peer) }.contains("cannot be the referee"))
    #expect(await refusal { _ = try await host.perform(.invite(second, third.peer)) }.contains("referee"))
    for room in [crooked, second] {
      #expect(try await guest.state(of: room)?.openRequests.isEmpty == true)
    }
    for service in services { await service.close() }
  }

  /// A rematch, or any other game, has the referee and the limits that were agreed to, or is not joined.
  @Test func theNextGameWithOtherLimitsIsNotJoinedUnasked() async throws {
    let services = try await open()
    let (host, guest, third) = (services[0], services[1], services[2])
    let first = try await host.host(referee: third.peer, moveLimitMilliseconds: 60_000)
    try await begin(first, services)
    _ = try await host.perform(.act(first, .resign))
    let before = try #require(try await host.state(of: first))
    let agreed = Terms(before.create)
    let changes: [(inout Terms) -> Void] = [
      { $0.moveLimitMilliseconds = 1_000 }, { $0.moveLimitMilliseconds = 0 },
      { $0.clockMilliseconds = 60_000 },
      { $0.incrementMilliseconds = 1 },
    ]
    var rooms: [RoomID] = []
    for change in changes {
      var new = Intent.NewRoom(rematchOf: before, Profile(name: "host"))
      change(&new.terms)
      rooms.append(try await host.perform(.create(new)))
    }
    let same = try await host.perform(.create(Intent.NewRoom(rematchOf: before, Profile(name: "host"))))
    for room in rooms + [same] {
      try await guest.wait(for: "a game") { try await guest.state(of: room) != nil }
    }
    for room in rooms {
      #expect(await refusal { try await guest.join(room, agreed: agreed) }.contains("other time limits"))
      #expect(try await guest.state(of: room)?.openRequests.isEmpty == true)
      try await guest.join(room, referee: third.peer)
    }
    try await guest.join(same, agreed: agreed)
    for room in rooms + [same] {
      try await host.wait(for: "the guest") { try await host.state(of: room)?.seat(of: guest.peer) != nil }
    }
    for service in services { await service.close() }
  }

  /// Also where the referee asks for a seat with a program of its own, it is given none.
  @Test func aRefereeIsGivenNoSeat() async throws {
    let services = try await open()
    let (host, guest, third) = (services[0], services[1], services[2])
    let room = try await host.host(referee: third.peer, moveLimitMilliseconds: 1_000)
    try await third.wait(for: "the game") { await third.openGames() == [room] }
    _ = try await third.networkPeer.write { core throws(PeerError) in
      try core.write(.request(seat: 1, Profile(name: "referee")), in: room).room
    }
    try await host.wait(for: "the request") { try await host.state(of: room)?.openRequests.count == 1 }
    await host.settle()
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room, referee: third.peer)
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    #expect(try await host.state(of: room)?.seats[1]?.peer == guest.peer)
    for service in services { await service.close() }
  }

  @Test func aDrawIsOfferedDeclinedByABotAndTakenByAPerson() async throws {
    let host = try await folders[0].open(1, listens: true)
    let guest = try await folders[1].open(2)
    await guest.found(try #require(await host.address))
    let room = try await host.host()
    try await begin(room, [host, guest])
    _ = try await host.perform(.act(room, .offerDraw))
    try await guest.wait(for: "the offer") { try await guest.state(of: room)?.drawOffers.count == 1 }
    #expect(await refusal { _ = try await host.perform(.act(room, .offerDraw)) }.contains("already"))
    #expect(
      await refusal { _ = try await host.perform(.act(room, .agreeToDraw)) }.contains("no draw"))
    _ = try await guest.perform(.act(room, .declineDraw))
    try await host.wait(for: "the answer") { try await host.state(of: room)?.drawOffers.isEmpty == true }
    _ = try await host.perform(.act(room, .offerDraw))
    try await guest.wait(for: "the second offer") { try await guest.state(of: room)?.drawOffers.count == 1 }
    await guest.close()
    let bot = try await folders[1].open(2, policy: .bot)
    await bot.found(try #require(await host.address))
    try await host.wait(for: "the bot's answer") {
      try await host.state(of: room)?.drawOffers.isEmpty == true
    }
    #expect(try await host.state(of: room)?.turn != nil)
    await bot.close()
    let again = try await folders[1].open(2)
    await again.found(try #require(await host.address))
    _ = try await again.perform(.act(room, .offerDraw))
    try await host.wait(for: "the other side's offer") {
      try await host.state(of: room)?.drawOffers.count == 1
    }
    _ = try await host.perform(.act(room, .agreeToDraw))
    for service in [host, again] {
      try await service.wait(for: "the draw") {
        try await service.state(of: room)?.games.last?.isAgreed == true
      }
      #expect(try await service.state(of: room)?.games.last?.ending?.cause == .drawAgreed)
      await service.close()
    }
  }
}
