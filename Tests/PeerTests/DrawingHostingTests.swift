import EventLog
import Events
import Games
import Gossip
import Projection
import Rules
import Testing

@testable import Peer

/// What the host of a drawing game and its players do by themselves, on a clock that the test sets.
@Suite("The host of a drawing game") struct DrawingHostingTests {
  private struct Game {
    var core: PeerCore
    let players: [Int]
    let room: RoomID

    /// A host and players who are in.
    init(players count: Int = 3, entries: UInt16 = 30, rounds: UInt16 = 4, needsCode: Bool = false) throws {
      let keys = (1...UInt8(count + 1)).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
      var core = PeerCore(
        signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
      let players = keys.dropFirst().map { core.admit($0) }
      let room = try NewHostedRoom(
        rules: DrawingGame.name, rulesVersion: DrawingGame.version,
        parameters: DrawingGame().parameters.encoded,
        title: "", rounds: rounds, players: 16, entries: entries, needsCode: needsCode, scope: .local,
        profile: Profile(name: "host")
      ).create(in: &core, nonce: [UInt8](repeating: 7, count: 16), by: 0)
      let code = needsCode ? JoinCode.code(of: room, keys[0]) : nil
      for player in players {
        try core.perform(.join(code: code, Profile(name: "p")), in: room, by: player, at: 0)
        _ = try core.host(room, at: 0)
      }
      (self.core, self.players, self.room) = (core, players, room)
    }

    @discardableResult
    mutating func open(_ word: String, at now: UInt64) throws -> EventID {
      try core.perform(
        .open(content: [], solution: Array(word.utf8), limitMilliseconds: 10_000), in: room, by: 0, at: now)
      let round = try round()
      return try #require(round).opening
    }

    mutating func draw(_ player: Int, _ text: String, in opening: EventID, at now: UInt64) throws {
      try enter(player, try #require(StrokeBatch(text: text)?.bytes), in: opening, at: now)
    }

    mutating func guess(_ player: Int, _ text: String, in opening: EventID, at now: UInt64) throws {
      try enter(player, Array(text.utf8), in: opening, at: now)
    }

    private mutating func enter(_ player: Int, _ choice: [UInt8], in opening: EventID, at now: UInt64) throws
    {
      try core.perform(.enter(opening: opening, choice: choice), in: room, by: players[player], at: now)
      _ = try core.host(room, at: now)
      _ = try core.host(room, at: now + 40)
    }

    mutating func state() throws -> RoomState {
      let state = core.state(of: room)
      return try #require(state)
    }
    mutating func round() throws -> HostedState.Round? { try state().hosted?.round }
    mutating func scores() throws -> [Int] { try state().hosted?.players.map(\.score) ?? [] }

    /// The number of the player whose turn the round is.
    mutating func drawer() throws -> UInt16? {
      let hosted = try state().hosted
      return hosted?.rules?.told(hosted?.round?.content ?? [])?.player
    }
  }

  @Test(
    "Each guess is marked as it is acknowledged, and the round ends when all but the drawer have the word")
  func marks() throws {
    var game = try Game()
    let opening = try game.open("tree", at: 0)
    try game.draw(0, "line 1 1 2 2", in: opening, at: 100)
    try game.guess(1, "bush", in: opening, at: 1_000)
    #expect(try game.round()?.entries.map(\.isMarkedRight) == [nil, false])
    #expect(try game.round()?.entries.last?.choice == Array("bush".utf8))
    try game.guess(1, "tree", in: opening, at: 2_000)
    #expect(try game.round()?.entries.map(\.isMarkedRight) == [nil, false, true])
    #expect(try game.round()?.phase == .open, "one has not guessed")
    try game.guess(2, "tree", in: opening, at: 4_000)
    #expect(try game.round()?.phase == .settled)
    #expect(try game.scores() == [700, 800, 600] && game.state().hosted?.faults == [])
  }

  @Test(
    "A round ends too when nobody has a guess left; the drawer's program and others' refuse what does not count"
  )
  func limits() throws {
    var game = try Game(players: 2, entries: 22)
    let opening = try game.open("tree", at: 0)
    for number in 0..<22 as Range<UInt64> { try game.draw(0, "clear", in: opening, at: 100 * number) }
    #expect(throws: PeerError.self) { try game.draw(0, "clear", in: opening, at: 2_200) }
    #expect(throws: PeerError.self) { try game.guess(0, "tree", in: opening, at: 2_200) }
    #expect(throws: PeerError.self) { try game.draw(1, "line 1 1", in: opening, at: 2_200) }
    for number in 0..<20 as Range<UInt64> {
      #expect(try game.round()?.phase == .open)
      try game.guess(1, "no", in: opening, at: 3_000 + 100 * number)
    }
    #expect(try game.round()?.phase == .settled && game.scores() == [0, 0])
  }

  @Test(
    "Players draw in turn, those who have left are passed over, and a round asked anew is the same player's")
  func turns() throws {
    var game = try Game()
    var drawers: [UInt16?] = []
    for now in [0, 20_000, 40_000, 60_000] as [UInt64] {
      try game.open("tree", at: now)
      drawers.append(try game.drawer())
      if now == 20_000 {
        // The host stops, and starts again.
        try game.open("bush", at: now)
        drawers.append(try game.drawer())
        _ = try game.core.write(.leave(node: .none), in: game.room, by: game.players[2])
      }
      for end in [10_000, 13_001] as [UInt64] { _ = try game.core.host(game.room, at: now + end) }
      #expect(try game.round()?.phase == .settled, "at \(now)")
    }
    #expect(drawers == [0, 1, 1, 0, 1])
    #expect(try game.state().phase == .finished)
  }

  @Test("Whoever left before it knew that it was let in keeps nobody from drawing")
  func leftTooSoon() throws {
    var game = try Game(players: 1)
    let late = SigningKey(seed: [UInt8](repeating: 77, count: 32))
    let player = game.core.admit(late)
    try game.core.perform(.join(code: nil, Profile(name: "late")), in: game.room, by: player, at: 0)
    // It leaves while the host takes it in: by its own past a stranger does, whom the host cannot name.
    var elsewhere = game.core
    let leave = try elsewhere.write(.leave(node: .none), in: game.room, by: player)
    _ = try game.core.host(game.room, at: 0)
    let run = Run(events: [leave], signature: late.sign(leave.id))
    try game.core.adopt(RunsMessage(room: game.room, runs: [run]), isMade: false, isLast: true)
    #expect(try game.state().hosted?.players.map(\.hasLeft) == [false, true])
    var drawers: [UInt16?] = []
    for now in [0, 20_000, 40_000] as [UInt64] {
      try game.open("tree", at: now)
      drawers.append(try game.drawer())
      for end in [10_000, 13_001] as [UInt64] { _ = try game.core.host(game.room, at: now + end) }
      #expect(try game.round()?.phase == .settled, "at \(now)")
    }
    // It has its turn like anybody who is silent.
    #expect(drawers == [0, 1, 0])
  }

  @Test("A round for which nobody is there is not opened")
  func nobody() throws {
    var game = try Game(players: 1)
    _ = try game.core.write(.leave(node: .none), in: game.room, by: game.players[0])
    #expect(throws: PeerError.self) { try game.open("tree", at: 0) }
    for word in ["", "Tree", "a  b", "\u{7}"] {
      #expect(throws: PeerError.self) { try game.open(word, at: 0) }
    }
  }

  @Test("The drawer alone is told the word, and knows whether the host is bound to it")
  func drawerKnows() throws {
    var game = try Game()
    try game.open("tree", at: 0)
    let state = try game.state()
    let ids = ([0] + game.players).map { game.core.keys.ids[$0] }
    let told = ids.map { state.toldSolution(to: $0, game.core.keys) }
    #expect(told.map { $0?.solution } == [nil, Array("tree".utf8), nil, nil] && told[1]?.isBound == true)
    // A host that is bound to another word, and one whose box is for somebody else.
    let salt = Digest(Bytes32([UInt8](repeating: 3, count: 32), at: 0))
    for (receiver, word) in [(ids[1], "bush"), (ids[2], "")] {
      let box = try #require(
        ToldSolution.seal(Array("bush".utf8), salt: salt, room: game.room, round: 0, to: receiver))
      let content = try #require(
        DrawingGame().content(telling: .init(player: 0, box: box), Array("tree".utf8)))
      let commitment = Commitments.solution(
        Array("tree".utf8), salt: salt, room: game.room, round: 0, content: content, author: ids[0])
      _ = try game.core.write(
        .hosted(.open(.init(round: 0, limitMilliseconds: 9, commitment: commitment, content: content))),
        in: game.room)
      let found = try game.state().toldSolution(to: ids[1], game.core.keys)
      #expect(found?.isBound == false && found?.solution == Array(word.utf8), "\(word)")
    }
  }

  @Test(
    "Who has come in by a join code is told the word by the key that its join proof names"
  )
  func drawerWithCode() throws {
    var game = try Game(needsCode: true)
    let hosted = try #require(try game.state().hosted)
    let names = hosted.players.map { $0.named?.sequence }
    #expect(names == [1, 1, 1] && Set(hosted.players.map { $0.named?.key }).count == 3)
    try game.open("tree", at: 0)
    let ids = game.players.map { game.core.keys.ids[$0] }
    let told = try game.state().toldSolution(to: ids[0], game.core.keys)
    #expect(told?.solution == Array("tree".utf8) && told?.isBound == true)
    // The key of the player itself is not the one that was used.
    let box = try #require(
      try game.state().hosted?.rules?.told(try game.state().hosted?.round?.content ?? [])?.box)
    #expect(game.core.keys.signers[game.players[0]].open(box) == nil)
  }

  @Test(
    "A player shows by itself that a guess can be read which the host called unreadable, however long it is")
  func proves() throws {
    var game = try Game(players: 2)
    let opening = try game.open("tree", at: 0)
    let word = String(repeating: "é", count: 32)
    try game.guess(1, word, in: opening, at: 100)
    let sequence = try #require(game.core.log(of: game.room)?.sequence(of: opening))
    let salt = game.core.secrets(of: 0, in: game.room).solution(round: 0, sequence: sequence)
    for action: HostedAction in [
      .close(opening: opening, milliseconds: 200),
      .settle(.init(opening: opening, solution: Array("tree".utf8), salt: salt, entries: [nil])),
    ] { _ = try game.core.write(.hosted(action), in: game.room) }
    let first = try game.round()?.entries.first
    let entry = try #require(first)
    #expect(entry.isUnreadable && entry.fault == nil)
    let hasProven = try game.core.proveEntries(in: game.room, by: game.players[1])
    #expect(hasProven)
    #expect(try game.state().hosted?.faults == [.deniedEntry(entry.event)])
    let provesAgain = try game.core.proveEntries(in: game.room, by: game.players[1])
    #expect(!provesAgain, "once is enough")
  }
}
