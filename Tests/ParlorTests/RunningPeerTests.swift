import Foundation
import Parlor
import TestKit
import Testing

/// The library as a program outside sees it: what is not public here is not tested here.
@Suite(.timeLimit(.minutes(5))) struct RunningPeerTests {
  /// Calls `body` with a path at which nothing is, and removes what was made there.
  private func withFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("parlor-\(UUID().uuidString)")
      .path
    do { try await body(path) } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
    try FileManager.default.removeItem(atPath: path)
  }

  private func rules(_ game: String) throws -> any GameRules {
    try #require(Games.catalog.newest(game)).rules()
  }

  private func profile(_ name: String, _ bot: any Bot) -> Profile {
    Profile(name: name, bot: BotEntry(bot.declaration, seed: 1))
  }

  @Test("Two peers play over TCP, by bots and by hand, and hold the same in the end", arguments: 0..<2)
  func play(byHand: Int) async throws {
    try await withFolder { path in
      let ada = try await RunningPeer.start(in: path + "/a", listen: "127.0.0.1:0")
      let bob = try await RunningPeer.start(in: path + "/b")
      try await bob.connect(to: try #require(await ada.address))
      let bot = RandomBot()
      let room = try await ada.create(try rules("tic-tac-toe"), as: profile("Ada", bot))
      try await bob.state(of: room) { $0.phase == .waiting }
      let isByHand = byHand == 1
      try await bob.join(room, as: isByHand ? Profile(name: "Bob") : profile("Bob", bot))
      async let one = ada.play(bot, in: room)
      if isByHand {
        await #expect(throws: ServiceError.self, "no bot was declared") { try await bob.play(bot, in: room) }
        while true {
          let state = try await bob.state(of: room) {
            $0.seatToChoose(of: bob.id) != nil || $0.phase == .finished
          }
          guard let seat = state.seatToChoose(of: bob.id), let game = state.position else { break }
          await #expect(throws: ServiceError.self) { try await bob.play(MoveCode(77), in: room) }
          try await bob.play(try #require(game.legalMoves(of: seat).first), in: room)
        }
      } else {
        try await bob.play(bot, in: room)
      }
      _ = try await one
      let first = try await ada.state(of: room) { $0.games.last?.isAgreed == true }
      let second = try await bob.state(of: room) { $0.games.last?.isAgreed == true }
      #expect(first.games.map(\.ending) == second.games.map(\.ending))
      #expect(try await Set(ada.events(of: room)) == Set(bob.events(of: room)))
      #expect(try await ada.neighbours() == [bob.id])
      try await ada.perform(.say("good game"), in: room)
      try await bob.state(of: room) { $0.chat.map(\.text) == ["good game"] }
      #expect(try ada.rooms() == [room] && bob.rooms() == [room])
      #expect(try ada.verify(room).isValid && bob.verify(room).isValid)
      try await bob.close()
      try await ada.close()
    }
  }

  /// Chooses what no game has.
  private struct LawlessBot: Bot {
    let declaration = BotDeclaration(specification: "lawless", version: 1, nodeBudget: 0)
    func choose(_ turn: BotTurn) -> BotChoice { BotChoice(MoveCode(.max)) }
  }

  @Test("A bot that chooses what the rules do not allow is named, and the game goes on without it")
  func lawless() async throws {
    try await withFolder { path in
      let ada = try await RunningPeer.start(in: path + "/a", listen: "127.0.0.1:0")
      let bob = try await RunningPeer.start(in: path + "/b")
      try await bob.connect(to: try #require(await ada.address))
      let room = try await ada.create(
        try rules("tic-tac-toe"), as: profile("Ada", LawlessBot()), starter: .firstSeat)
      try await bob.state(of: room) { $0.phase == .waiting }
      try await bob.join(room, as: profile("Bob", RandomBot()))
      async let other = bob.play(RandomBot(), in: room)
      let refusal = await #expect(throws: ServiceError.self) { try await ada.play(LawlessBot(), in: room) }
      #expect(refusal?.description.contains("lawless") == true)
      #expect(try await ada.state(of: room)?.plyCount == 0)
      try await ada.play(RandomBot(), in: room)
      _ = try await other
      try await bob.close()
      try await ada.close()
    }
  }

  @Test("Whoever waits can stop waiting")
  func cancelled() async throws {
    try await withFolder { path in
      let peer = try await RunningPeer.start(in: path)
      let room = try await peer.create(try rules("tic-tac-toe"), as: Profile(name: "Ada"))
      let waiting = Task { try await peer.state(of: room) { $0.phase == .playing } }
      waiting.cancel()
      let refusal = await #expect(throws: ServiceError.self) { try await waiting.value }
      #expect(refusal?.description.contains("cancelled") == true)
      try await peer.close()
    }
  }

  @Test("What was played is there at the next start, under the same key")
  func restart() async throws {
    try await withFolder { path in
      var key: PeerID?
      var room: RoomID?
      let friend = PeerID(try #require(Bytes32(hex: String(repeating: "ab", count: 32))))
      for _ in 0..<3 {
        let peer = try await RunningPeer.start(in: path)
        #expect(key == nil || key == peer.id)
        key = peer.id
        if let room {
          #expect(try await peer.state(of: room)?.phase == .waiting)
        } else {
          room = try await peer.create(
            try rules("connect-four"), as: Profile(name: "Ada"), scope: .invited, invited: [friend])
        }
        #expect(try peer.rooms() == room.map { [$0] })
        try await peer.close()
      }
    }
  }

  @Test("Whoever comes second to a data folder is told, and makes nothing")
  func second() async throws {
    try await withFolder { path in
      let peer = try await RunningPeer.start(in: path)
      let refusal = await #expect(throws: LogError.self) { try await RunningPeer.start(in: path) }
      #expect(refusal?.description.isEmpty == false)
      #expect(try await peer.state(of: RoomID(.zero)) == nil, "the first one goes on")
      try await peer.close()
      try await RunningPeer.start(in: path).close()
    }
  }

  @Test("What cannot be done is said, and the folder stays usable")
  func refusals() async throws {
    try await withFolder { path in
      for listen in ["", "nowhere", "127.0.0.1:99999", "256.1.1.1:0"] {
        await #expect(throws: ServiceError.self, "\(listen)") {
          try await RunningPeer.start(in: path, listen: listen)
        }
      }
      await #expect(throws: ServiceError.self) { try await RunningPeer.start(in: path, presharedKey: [1]) }
      await #expect(throws: ServiceError.self) { try await RunningPeer.start(in: "") }
      let peer = try await RunningPeer.start(in: path, listen: "127.0.0.1:0")
      let taken = try #require(await peer.address)
      for _ in 0..<2 {
        await #expect(throws: ServiceError.self, "somebody listens there") {
          try await RunningPeer.start(in: path + "/other", listen: taken)
        }
      }
      try await RunningPeer.start(in: path + "/other").close()
      let unknown = RoomID(try #require(Bytes32(hex: String(repeating: "ab", count: 32))))
      #expect(try await peer.state(of: unknown) == nil)
      await #expect(throws: LogError.unknownRoom("\(unknown)")) { try await peer.events(of: unknown) }
      #expect(throws: LogError.unknownRoom("\(unknown)")) { try peer.verify(unknown) }
      await #expect(throws: ServiceError.self) { try await peer.join(unknown, as: Profile(name: "a")) }
      await #expect(throws: ServiceError.self) { try await peer.play(MoveCode(0), in: unknown) }
      await #expect(throws: ServiceError.self) { try await peer.connect(to: "no port") }
      let room = try await peer.create(try rules("tic-tac-toe"), as: Profile(name: "Ada"))
      await #expect(throws: ServiceError.self, "nobody came") { try await peer.play(MoveCode(0), in: room) }
      let crowd = (0...Create.limitInvited).map { number in
        PeerID(Bytes32([UInt8](repeating: UInt8(number + 1), count: 32)) ?? .zero)
      }
      for invited in [[peer.id], [PeerID(.zero)], crowd] {
        await #expect(throws: ServiceError.self, "\(invited.count)") {
          try await peer.create(
            try rules("tic-tac-toe"), as: Profile(name: "Ada"), scope: .invited, invited: invited)
        }
      }
      #expect(try peer.rooms() == [room], "what is refused leaves no room behind")
      // Who waits for what never comes is told when the peer stops.
      let waiting = Task { try await peer.state(of: room) { $0.phase == .playing } }
      try await peer.close()
      await #expect(throws: ServiceError.self) { try await waiting.value }
      await #expect(throws: ServiceError.self) { try await peer.perform(.say("late"), in: room) }
      try await peer.close()
    }
  }

  @Test("A series is as long as it is said to be, and a length that no series has is refused in words")
  func series() async throws {
    try await withFolder { path in
      let ada = try await RunningPeer.start(in: path + "/a")
      let room = try await ada.create(
        try rules("tic-tac-toe"), as: Profile(name: "Ada"), games: 5, wins: 3)
      let first = try #require(try await ada.state(of: room))
      #expect(first.create.games == 5 && first.create.target == 3)
      let open = try await ada.create(try rules("tic-tac-toe"), as: Profile(name: "Ada"), wins: 3)
      let second = try #require(try await ada.state(of: open))
      #expect(second.create.games == Create.limitGames && second.create.target == 3)
      for (games, wins) in [(0, nil), (257, nil), (2, 3), (2, 0), (-1, nil), (nil, 257)] as [(Int?, Int?)] {
        await #expect(throws: ServiceError.self, "\(games ?? -9) \(wins ?? -9)") {
          try await ada.create(try rules("tic-tac-toe"), as: Profile(name: "Ada"), games: games, wins: wins)
        }
      }
      try await ada.close()
    }
  }
}
