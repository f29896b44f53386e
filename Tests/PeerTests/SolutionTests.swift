import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Testing

/// What a host lets others know of the right answer before the round is over: nothing.
@Suite("The solution of an open round") struct SolutionTests {
  private static let keys = [1, 2].map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
  private static let content = QuizQuestion(text: "Which?", choices: ["a", "b", "c", "d"])?.content ?? []

  /// A host with two rounds to ask, and a player who is in.
  private static func hosted() throws -> (core: PeerCore, player: Int, room: RoomID) {
    var core = PeerCore(
      signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
    let player = core.admit(keys[1])
    let room = try NewHostedRoom(
      rules: Quiz.name, rulesVersion: Quiz.version, parameters: Quiz().parameters.encoded, title: "",
      rounds: 2, players: 8, entries: 1, needsCode: false, scope: .local, profile: Profile(name: "host")
    ).create(in: &core, nonce: [UInt8](repeating: 7, count: 16), by: 0)
    try core.perform(.join(code: nil, Profile(name: "p")), in: room, by: player, at: 0)
    _ = try core.host(room, at: 0)
    return (core, player, room)
  }

  private static func open(_ answer: UInt8, _ core: inout PeerCore, _ room: RoomID, at now: UInt64) throws {
    try core.perform(
      .open(content: content, solution: [answer], limitMilliseconds: 10_000), in: room, by: 0, at: now)
  }

  private static func openings(_ core: PeerCore, _ room: RoomID) -> [HostedAction.Opening] {
    (core.log(of: room)?.events ?? []).compactMap {
      if case .hosted(.open(let opening)) = $0.action { opening } else { nil }
    }
  }

  private static func settlements(_ core: PeerCore, _ room: RoomID) -> [HostedAction.Settlement] {
    (core.log(of: room)?.events ?? []).compactMap {
      if case .hosted(.settle(let settlement)) = $0.action { settlement } else { nil }
    }
  }

  @Test("Of four right answers nothing differs but the commitment, and what others know does not open it")
  func nothingTells() throws {
    var seen: [HostedAction.Opening] = []
    for answer in UInt8(0)...3 {
      var (core, player, room) = try Self.hosted()
      // A first round, whose salt everybody knows in the second.
      try Self.open(answer, &core, room, at: 0)
      _ = try core.host(room, at: 10_000)
      _ = try core.host(room, at: 20_000)
      let past = try #require(Self.settlements(core, room).first)
      #expect(past.solution == [answer] && past.salt.isSome)
      try Self.open(answer, &core, room, at: 30_000)
      let opening = try #require(Self.openings(core, room).last)
      #expect(core.state(of: room)?.hosted?.round?.solution == nil)
      let id = try #require(core.state(of: room)?.hosted?.round?.opening)
      try core.perform(.enter(opening: id, choice: [2]), in: room, by: player, at: 31_000)
      _ = try core.host(room, at: 31_000)
      _ = try core.host(room, at: 31_100)
      seen.append(opening)

      // Whoever tries all four with any 32 bytes that stand in the log before the end gets nowhere.
      let author = core.id
      let events = try #require(core.log(of: room)).events
      let known = events.prefix(through: try #require(events.lastIndex { $0.kind == .roundClose }))
      #expect(known.contains { $0.id == id } && known.contains { $0.kind == .settle })
      for event in known {
        let bytes = event.body
        for start in 0..<max(bytes.count - 31, 0) {
          let salt = Digest(Bytes32(bytes, at: start))
          for solution in UInt8(0)...3 {
            let tried = Commitments.solution(
              [solution], salt: salt, room: room, round: opening.round, content: Self.content, author: author)
            #expect(tried != opening.commitment)
          }
        }
      }
    }
    var masked = seen
    for index in masked.indices { masked[index].commitment = .none }
    #expect(Set(masked).count == 1 && Set(seen.map(\.commitment)).count == 4)
  }
}
