import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Rules
import Testing

@testable import Service

/// A quiz between peers with stores on disk, over TCP in one process, on a clock that the test sets.
@Suite("Hosted rounds between peers", .serialized) struct HostedServiceTests {
  private static let question = QuizQuestion(text: "Which?", choices: ["a", "b", "c"])

  private func room(
    rounds: UInt16 = 2, players: UInt16 = 8, needsCode: Bool = true, continues: RoomID = .none
  )
    -> NewHostedRoom
  {
    NewHostedRoom(
      rules: "quiz", rulesVersion: 1, parameters: Quiz().parameters.encoded, title: "Test", rounds: rounds,
      players: players, entries: 1, needsCode: needsCode, scope: .local, profile: Profile(name: "host"),
      continues: continues)
  }

  private func open(_ room: RoomID, _ host: any Service, answer: UInt8 = 1, limit: UInt32 = 10_000)
    async throws
  {
    let content = try #require(Self.question).content
    _ = try await host.perform(
      .rounds(room, .open(content: content, solution: [answer], limitMilliseconds: limit)))
  }

  private func code(_ room: RoomID, _ host: any Service) async throws -> String {
    try #require(try await host.table(of: room)?.hosted?.code)
  }

  /// Comes in, and waits until that is so.
  private func join(_ room: RoomID, _ player: PeerService, code: String?, name: String = "p") async throws {
    try await player.wait(for: "the room") { await player.openGames() == [room] }
    _ = try await player.perform(.rounds(room, .join(code: code, Profile(name: name))))
    try await player.wait(for: "a number") { try await player.table(of: room)?.hosted?.number != nil }
  }

  private func answer(_ choice: UInt8, _ room: RoomID, _ player: PeerService) async throws {
    try await player.wait(for: "the question") {
      try await player.table(of: room)?.hosted?.round?.phase == .open
    }
    let opening = try #require(try await player.table(of: room)?.hosted?.round?.opening)
    _ = try await player.perform(.rounds(room, .enter(opening: opening, choice: [choice])))
  }

  /// Answers, and lets the time go by in which the host gathers answers.
  private func answer(
    _ choice: UInt8, _ room: RoomID, _ player: PeerService, _ host: PeerService, _ hands: Hands
  ) async throws {
    try await answer(choice, room, player)
    let number = try #require(try await player.table(of: room)?.hosted?.number)
    try await host.wait(for: "the answer") {
      try await host.state(of: room)?.hosted?.round?.waiting.contains(UInt16(number - 1)) == true
    }
    await host.settle()
    hands.advance(by: UInt64(Hosting.gatherMilliseconds))
    await host.settle()
  }

  private func wait(_ phase: HostedView.Phase, _ room: RoomID, _ services: any Service...) async throws {
    for service in services {
      try await service.wait(for: "\(phase)") {
        try await service.table(of: room)?.hosted?.round?.phase == phase
      }
    }
  }

  @Test("A quiz from the join code to the last points; a wrong code is refused; times are the host's")
  func quiz() async throws {
    let (a, b, c, hands) = (try ServiceFolder(), try ServiceFolder(), try ServiceFolder(), Hands())
    let host = try await a.open(1, listens: true, clock: hands)
    let (bob, carol) = (try await b.open(2), try await c.open(3))
    let room = try await host.perform(.host(room()))
    for player in [bob, carol] { await player.found(try #require(await host.address)) }
    let code = try await code(room, host)
    try await join(room, bob, code: code, name: "Bob")
    try await carol.wait(for: "the room") { await carol.openGames() == [room] }
    #expect(try await carol.table(of: room)?.hosted?.code == nil, "the host alone is told")
    _ = try await carol.perform(.rounds(room, .join(code: "AAAAAAAAAA", Profile(name: "Carol"))))
    try await carol.wait(for: "a refusal") { try await carol.table(of: room)?.hosted?.refusal == .wrongCode }
    try await join(room, carol, code: code, name: "Carol")

    try await open(room, host)
    hands.advance(by: 2_000)
    try await answer(1, room, bob, host, hands)
    try await bob.wait(for: "a receipt") { try await bob.table(of: room)?.hosted?.round?.own == .taken }
    // An answer is given once.
    let opening = try #require(try await bob.table(of: room)?.hosted?.round?.opening)
    await #expect(throws: ServiceError.self) {
      try await bob.perform(.rounds(room, .enter(opening: opening, choice: [2])))
    }
    hands.advance(by: 2_960)
    try await answer(2, room, carol, host, hands)
    // Everybody has answered, so nobody waits for the limit.
    try await wait(.settled, room, host, bob, carol)
    #expect(try await carol.table(of: room)?.hosted?.players.map(\.score) == [800, 0])
    #expect(try await carol.table(of: room)?.hosted?.round?.own == .wrong)
    #expect(try await bob.table(of: room)?.hosted?.round?.milliseconds == 2_000)
    #expect(try await host.table(of: room)?.hosted?.round?.chosen.map(\.count) == [1, 1])

    try await open(room, host, answer: 0)
    try await wait(.open, room, bob, carol)
    hands.advance(by: 4_000)
    _ = try await host.perform(.rounds(room, .close))
    try await wait(.closed, room, host, bob, carol)
    // What was under way at the close counts; then the grace is over.
    hands.advance(by: 1_000)
    let second = try #require(try await carol.table(of: room)?.hosted?.round?.opening)
    _ = try await carol.perform(.rounds(room, .enter(opening: second, choice: [0])))
    try await host.wait(for: "the late answer") {
      try await host.state(of: room)?.hosted?.round?.waiting.isEmpty == false
    }
    await host.settle()
    hands.advance(by: 3_001)
    await host.settle()
    try await wait(.settled, room, host, bob, carol)
    #expect(try await bob.table(of: room)?.hosted?.players.map(\.score) == [800, 100])
    #expect(try await bob.table(of: room)?.phase == .finished)
    for service in [host, bob, carol] { await service.close() }
  }

  @Test(
    "The limit closes a round, and who leaves is not waited for; the table is the same through the socket")
  func limitAndLeaving() async throws {
    let (a, b, hands) = (try ServiceFolder(), try ServiceFolder(), Hands())
    let (host, bob) = (try await a.open(1, listens: true, clock: hands), try await b.open(2))
    let client = try #require(try await a.client())
    let room = try await client.perform(.host(room(rounds: 3, needsCode: false)))
    await bob.found(try #require(await host.address))
    try await join(room, bob, code: nil)
    try await open(room, client)
    #expect(try await client.table(of: room) == host.table(of: room))
    hands.advance(by: 9_999)
    await host.settle()
    #expect(try await host.table(of: room)?.hosted?.round?.phase == .open)
    hands.advance(by: 1)
    await host.settle()
    #expect(try await host.table(of: room)?.hosted?.round?.closed == 10_000)
    hands.advance(by: 3_001)
    await host.settle()
    try await wait(.settled, room, host, bob)
    #expect(try await bob.table(of: room)?.hosted?.round?.own == HostedView.Own.none)
    _ = try await bob.perform(.act(room, .leave))
    try await host.wait(for: "bob to be gone") {
      try await host.table(of: room)?.hosted?.players.first?.hasLeft == true
    }
    try await open(room, host)
    // Back without a code, with the score, in the middle of a round.
    _ = try await bob.perform(.rounds(room, .join(code: nil, Profile(name: "p"))))
    try await answer(1, room, bob, host, hands)
    try await wait(.settled, room, host, bob)
    #expect(try await host.table(of: room)?.hosted?.players.map(\.score) == [1_000])
    await client.close()
    await host.close()
    await bob.close()
  }

  @Test("A round is closed when the host says so, also while answers are gathered, and those count")
  func closeWhileGathering() async throws {
    let (a, b, c, hands) = (try ServiceFolder(), try ServiceFolder(), try ServiceFolder(), Hands())
    let host = try await a.open(1, listens: true, clock: hands)
    let (bob, silent) = (try await b.open(2), try await c.open(3))
    let room = try await host.perform(.host(room(needsCode: false)))
    for player in [bob, silent] {
      await player.found(try #require(await host.address))
      try await join(room, player, code: nil)
    }
    try await open(room, host)
    try await answer(1, room, bob)
    try await host.wait(for: "the answer") {
      try await host.state(of: room)?.hosted?.round?.waiting.isEmpty == false
    }
    await host.settle()
    hands.advance(by: 5)
    _ = try await host.perform(.rounds(room, .close))
    try await wait(.closed, room, host, bob, silent)
    #expect(try await host.table(of: room)?.hosted?.round?.entries == 1)
    hands.advance(by: 3_001)
    await host.settle()
    try await wait(.settled, room, host, bob)
    #expect(try await bob.table(of: room)?.hosted?.players.first?.score == 1_000)
    for service in [host, bob, silent] { await service.close() }
  }

  @Test("A host that starts again asks the open question anew; what was settled stands")
  func restart() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, listens: true)
    let bob = try await b.open(2)
    let room = try await host.perform(.host(room(needsCode: true)))
    await bob.found(try #require(await host.address))
    let code = try await code(room, host)
    try await join(room, bob, code: code)
    try await open(room, host)
    try await answer(1, room, bob)
    try await wait(.settled, room, host, bob)
    let score = try #require(try await bob.table(of: room)?.hosted?.players.first?.score)
    try await open(room, host)
    try await wait(.open, room, bob)
    await host.close()
    host = try await a.open(1, listens: true)
    #expect(try await self.code(room, host) == code, "the code is the same")
    #expect(try await host.table(of: room)?.hosted?.round?.elapsed == nil)
    await bob.found(try #require(await host.address))
    try await bob.wait(for: "the host") { await bob.openGames() == [room] }
    try await open(room, host, answer: 2)
    try await bob.wait(for: "the question anew") {
      try await bob.state(of: room)?.hosted?.rounds.map(\.phase) == [.settled, .void, .open]
    }
    try await answer(2, room, bob)
    try await wait(.settled, room, host, bob)
    #expect(try #require(try await bob.table(of: room)?.hosted?.players.first?.score) > score)
    await host.close()
    await bob.close()
  }

  @Test("A host that starts again lets nobody in before it sits there, and counts the wrong codes of before")
  func doorAfterRestart() async throws {
    let (a, b, c) = (try ServiceFolder(), try ServiceFolder(), try ServiceFolder())
    var host = try await a.open(1, listens: true)
    let (bob, eve) = (try await b.open(2), try await c.open(3))
    let room = try await host.perform(.host(room(needsCode: true)))
    let code = try await code(room, host)
    for player in [bob, eve] {
      await player.found(try #require(await host.address))
      try await player.wait(for: "the room") { await player.openGames() == [room] }
    }
    func join(_ player: PeerService, _ code: String) async throws {
      _ = try await player.perform(.rounds(room, .join(code: code, Profile(name: "p"))))
    }
    func requests(_ host: PeerService) async throws -> [PeerID] {
      try await host.state(of: room)?.hosted?.requests.map(\.peer) ?? []
    }
    for attempt in 1...5 {
      try await join(eve, "AAAAAAAAAA")
      try await eve.wait(for: "refusal \(attempt)") {
        try await eve.rooms.log(of: room).entries.count { $0.event.kind == .joinRefusal } == attempt
      }
    }
    await host.close()
    host = try await a.open(1, listens: true)
    for (player, others) in [(eve, [eve]), (bob, [bob, eve])] {
      await player.found(try #require(await host.address))
      try await join(player, code)
      let asked = others.map(\.peer).sorted()
      try await host.wait(for: "the request") { try await requests(host).sorted() == asked }
    }
    await host.settle()
    #expect(try await host.state(of: room)?.hosted?.players.isEmpty == true)
    try await host.attend(room)
    try await bob.wait(for: "a number") { try await bob.table(of: room)?.hosted?.number != nil }
    await host.settle()
    #expect(try await host.state(of: room)?.hosted?.players.map(\.peer) == [bob.peer])
    #expect(try await requests(host) == [eve.peer])
    for service in [host, bob, eve] { await service.close() }
  }

  @Test("A full room refuses; a player goes on with the scores in a room of its own")
  func fullAndContinued() async throws {
    let (a, b, c) = (try ServiceFolder(), try ServiceFolder(), try ServiceFolder())
    let (host, bob, carol) = (
      try await a.open(1, listens: true), try await b.open(2, listens: true), try await c.open(3)
    )
    let room = try await host.perform(.host(room(players: 1, needsCode: false)))
    for player in [bob, carol] { await player.found(try #require(await host.address)) }
    try await join(room, bob, code: nil)
    try await carol.wait(for: "the full room") {
      try await carol.state(of: room)?.hosted?.players.count == 1
    }
    _ = try await carol.perform(.rounds(room, .join(code: nil, Profile(name: "c"))))
    try await carol.wait(for: "a refusal") { try await carol.table(of: room)?.hosted?.refusal == .full }
    try await open(room, host)
    try await answer(1, room, bob)
    try await wait(.settled, room, host, bob)
    let score = try #require(try await bob.table(of: room)?.hosted?.players.first?.score)
    await host.close()
    // Bob's score is Bob's own, who is the host now and does not play; Carol has none.
    let next = try await bob.perform(.host(self.room(needsCode: false, continues: room)))
    await carol.found(try #require(await bob.address))
    try await carol.wait(for: "the next room") { await carol.openGames() == [next] }
    _ = try await carol.perform(.rounds(next, .join(code: nil, Profile(name: "c"))))
    try await carol.wait(for: "a number") { try await carol.table(of: next)?.hosted?.number == 1 }
    let carried = try #require(try await carol.state(of: next)?.hosted?.carried)
    #expect(carried.scores == [bob.peer: UInt32(score)])
    await bob.close()
    await carol.close()
  }

  @Test("What nobody may do is refused with words")
  func refusals() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let (host, bob) = (try await a.open(1, listens: true), try await b.open(2))
    let room = try await host.perform(.host(room(needsCode: false)))
    await bob.found(try #require(await host.address))
    try await bob.wait(for: "the room") { await bob.openGames() == [room] }
    let content = try #require(Self.question).content
    for intent: Intent in [
      .rounds(room, .enter(opening: room.asEvent, choice: [1])), .rounds(room, .close),
      .rounds(room, .open(content: content, solution: [1], limitMilliseconds: 1)),
    ] {
      await #expect(throws: ServiceError.self) { try await bob.perform(intent) }
    }
    for intent: Intent in [
      .rounds(room, .close), .rounds(room, .join(code: nil, Profile(name: "h"))),
      .rounds(room, .open(content: content, solution: [3], limitMilliseconds: 1)),
      .rounds(room, .open(content: [], solution: [1], limitMilliseconds: 1)),
    ] {
      await #expect(throws: ServiceError.self) { try await host.perform(intent) }
    }
    let game = try await host.host()
    await #expect(throws: ServiceError.self) { try await host.perform(.rounds(game, .close)) }
    await host.close()
    await bob.close()
  }
}

extension RoomID {
  fileprivate var asEvent: EventID { EventID(bytes) }
}
