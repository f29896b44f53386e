import BotKit
import EventLog
import Events
import Foundation
import Games
import Peer
import Projection
import Rules
import TestKit
import Testing

@testable import Service

/// Two peers of one process at a table, and somebody who looks on.
private struct TwoSeats {
  /// Members: the host in seat 1, the guest in seat 2.
  var core: PeerCore
  let room: RoomID
  static let keys = (1...3).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
  static let lookers = keys.map(\.peer)

  init(
    _ rules: String, _ settings: [(name: String, value: String)] = [], host: String = "Ada\u{1B}[2J",
    games: UInt16 = 1, referee: PeerID = .none
  ) throws {
    core = PeerCore(
      signer: Self.keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
    _ = core.admit(Self.keys[1])
    let definition = try #require(Games.catalog.newest(rules))
    var parameters = Parameters()
    for setting in settings { parameters[setting.name] = setting.value }
    room = try core.create(
      Create(
        rules: rules, rulesVersion: definition.version,
        parameters: try definition.rules(parameters).parameters.encoded, seats: 2,
        games: games, nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: host, emoji: "🐱"),
        creatorSeat: 0, allowsUndo: true, referee: referee))
  }

  /// Has both do what they owe.
  mutating func settle() throws {
    for _ in 0..<64 {
      for member in 0..<2 {
        _ = try core.doDuties(
          in: room, PeerCore.Conduct(profile: Profile(name: "Bo"), wantedSeat: member == 1 ? 1 : nil),
          by: member)
      }
    }
  }

  mutating func perform(_ act: TableAct, by member: Int) throws {
    try core.perform(act, in: room, by: member)
    try settle()
  }

  mutating func choose(_ text: String, by member: Int) throws {
    let state = core.state(of: room)
    let choice = BotChoice(try #require(state?.position?.code(text: text)))
    let ply = try #require(state?.plyCount)
    let game = try #require(state?.currentGame).number
    try perform(.choose(choice, game: UInt16(game), ply: UInt16(ply)), by: member)
  }

  /// What the host, the guest and a stranger see.
  func tables() throws -> [TableView] {
    var core = core
    let found = core.state(of: room)
    let state = try #require(found)
    return Self.lookers.map {
      TableView(state, for: $0, games: Games.catalog, connected: Set(Self.lookers))
    }
  }

  /// What each of them sees who looks back, from one number of plies on.
  func steps(of number: Int, from ply: Int = 0) throws -> [[TableStep]] {
    var core = core
    let found = core.state(of: room)
    let state = try #require(found)
    let game = state.games[number - 1]
    return try Self.lookers.map {
      try #require(
        TableStep.steps(
          ply...game.plies.count, of: game, state.create, for: state.seat(of: $0), games: Games.catalog))
    }
  }

  /// The host's table, when its form and that of the others were looked at.
  @discardableResult func checked(_ phase: TableView.Phase) throws -> TableView {
    let tables = try tables()
    for table in tables {
      #expect(table.phase == phase)
      #expect(try TableView(json: table.json) == table)
      #expect(table.json.allSatisfy { (0x20...0x7E).contains($0) })
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(table.json)) as? [String: Any])
      #expect(object["room"] as? String == room.description)
      #expect((object["moves"] as? [Any])?.isEmpty == !table.may.contains(.choose))
      #expect(table.seat == nil ? table.may == [.say] : !table.may.isEmpty)
    }
    return tables[0]
  }
}

/// Anybody may write into a room, with any number of keys.
@Test func aTableStaysSmallHoweverManySpeak() throws {
  var seats = try TwoSeats("tic-tac-toe")
  try seats.settle()
  for _ in 0..<(RoomState.limitChatLines + 9) { try seats.core.perform(.say("own"), in: seats.room, by: 0) }
  let speakers = RoomState.limitOnlookersLines / RoomState.limitChatLines + 2
  for speaker in 0..<speakers {
    let member = seats.core.admit(SigningKey(seed: [UInt8](repeating: UInt8(100 + speaker), count: 32)))
    for _ in 0..<(RoomState.limitChatLines + 9) {
      try seats.core.perform(.say("strange"), in: seats.room, by: member)
    }
  }
  let chat = try #require(try seats.tables().first).chat.map(\.text)
  #expect(chat.count { $0 == "own" } == RoomState.limitChatLines)
  #expect(chat.count { $0 == "strange" } == RoomState.limitOnlookersLines)
}

@Suite struct TableViewTests {
  /// The referee's share in a draw is waited for: that is told to whoever is not connected with it.
  @Test func aRefereeThatIsAwayIsSaid() throws {
    let referee = TwoSeats.lookers[2]
    var seats = try TwoSeats("memory-match", [("players", "2"), ("cards", "8")], referee: referee)
    try seats.settle()
    func isAwaited(by looker: Int, connected: Set<PeerID>) throws -> Bool {
      var core = seats.core
      let found = core.state(of: seats.room)
      return TableView(
        try #require(found), for: TwoSeats.lookers[looker], games: Games.catalog, connected: connected
      )
      .isRefereeAwaited
    }
    #expect(try !isAwaited(by: 0, connected: []), "nothing is drawn yet")
    try seats.choose("1", by: 0)
    #expect(try isAwaited(by: 0, connected: []) && isAwaited(by: 1, connected: [TwoSeats.lookers[0]]))
    #expect(try !isAwaited(by: 0, connected: [referee]) && !isAwaited(by: 2, connected: []))
  }

  /// A connection that is lost for a moment does not end the wait for a signature; one that is gone does.
  @Test func theLastSignatureIsWaitedForWhereItMayCome() throws {
    let lost: UInt64 = 1_000_000
    let patience = TableView.patienceMilliseconds
    var seats = try TwoSeats("tic-tac-toe")
    try seats.settle()
    func waits(
      _ seats: TwoSeats, at now: UInt64, absent: [PeerID: UInt64] = [:], connected: Bool = false,
      agreed: Bool = false
    ) throws -> Int? {
      var core = seats.core
      let found = core.state(of: seats.room)
      var table = TableView(
        try #require(found), for: TwoSeats.lookers[0], games: Games.catalog,
        connected: connected ? [TwoSeats.lookers[1]] : [], absent: absent)
      table.ending?.isAgreed = agreed
      return table.patience(at: now)
    }
    let absent = [TwoSeats.lookers[1]: lost]
    #expect(try waits(seats, at: lost, absent: absent) == nil, "nothing has ended")
    for (ply, move) in ["5", "1", "9", "2"].enumerated() { try seats.choose(move, by: ply % 2) }
    try seats.perform(.resign, by: 0)
    #expect(try waits(seats, at: lost, connected: true) == patience)
    #expect(try waits(seats, at: lost, connected: true, agreed: true) == nil)
    #expect(try waits(seats, at: lost) == nil, "it has never been seen")
    for (later, left) in [(0, patience), (1, patience - 1), (patience - 1, 1)] {
      #expect(try waits(seats, at: lost + UInt64(later), absent: absent) == left)
    }
    for now in [lost + UInt64(patience), .max, lost - 1, 0] {
      #expect(try waits(seats, at: now, absent: absent) == nil, "\(now)")
    }
    #expect(try waits(seats, at: lost, absent: [TwoSeats.lookers[1]: .max]) == nil)
  }

  @Test(arguments: [
    ("tic-tac-toe", ["5", "1", "9", "2", "3", "6", "7"]),
    ("connect-four", ["4", "1", "4", "1", "4", "1", "4"]),
  ])
  func aGameInTurnIsReadAsItWasWritten(_ rules: String, _ moves: [String]) throws {
    var seats = try TwoSeats(rules)
    let open = try #require(try seats.tables().first)
    #expect(try TableView(json: open.json) == open && open.may == [.say, .leave])
    #expect(open.hasFreeSeat && open.creator.name == "Ada\u{1B}[2J")
    try seats.settle()
    for (ply, move) in moves.enumerated() {
      let table = try seats.checked(.playing)
      #expect(table.plies.count == ply && table.turn == Seat(UInt16(ply % 2)))
      #expect(table.seats.map(\.owes) == [ply % 2 == 0, ply % 2 == 1])
      #expect(try seats.tables().map(\.moves.isEmpty) == [ply % 2 == 1, ply % 2 == 0, true])
      if ply == 1 {
        try seats.perform(.requestUndo, by: 0)
        try seats.perform(.offerDraw, by: 0)
        try seats.perform(.say("\u{202E}“\\\"\u{0}🐳"), by: 1)
        let asked = try seats.checked(.playing)
        #expect(asked.undo?.seat == Seat(0) && asked.draws.map(\.seat) == [Seat(0)])
        #expect(asked.chat.map(\.text) == ["\u{202E}“\\\"\u{0}🐳"])
        #expect(!asked.may.contains(.agreeToUndo) && !asked.may.contains(.offerDraw))
        let answers: Set<TableAct.Kind> = [.agreeToUndo, .agreeToDraw, .declineDraw]
        #expect(answers.isSubset(of: try seats.tables()[1].may))
      }
      try seats.choose(move, by: ply % 2)
    }
    let table = try seats.checked(.finished)
    #expect(table.ending?.cause == .rules && table.ending?.winner == Seat(0))
    #expect(table.ending?.isAgreed == true && table.seats.map(\.wins) == [1, 0])
    #expect(table.position.board.joined().contains { $0.isMarked })
    #expect(table.plies.flatMap(\.moves) == moves)
    let state = seats.core.state(of: seats.room)
    #expect(table.position.diagram == state?.position?.diagram)
  }

  /// Who looks back sees what the tables showed then, each its own, and of a round that is on nothing.
  @Test(
    arguments: [
      ("tic-tac-toe", [], ["5", "1", "9"]), ("othello", [], ["d3", "c3", "c4"]),
      ("prisoners-dilemma", [("rounds", "3")], ["C", "D", "D"]),
    ] as [(String, [(name: String, value: String)], [String])])
  func positionsAreThoseThatTablesShowed(
    _ rules: String, _ settings: [(name: String, value: String)], _ moves: [String]
  ) throws {
    var seats = try TwoSeats(rules, settings)
    try seats.settle()
    var told: [[TableView]] = [try seats.tables()]
    for (index, move) in moves.enumerated() {
      try seats.choose(move, by: index % 2)
      let tables = try seats.tables()
      if tables[0].plies.count == told.count { told.append(tables) }
    }
    #expect(told.count > 1)
    for (looker, steps) in try seats.steps(of: 1).enumerated() {
      #expect(steps.map(\.ply) == Array(0..<told.count))
      #expect(steps.map(\.position) == told.map { $0[looker].position })
      for step in steps.dropFirst() {
        let ply = told[step.ply][looker].plies[step.ply - 1]
        #expect(step.event == ply.event && step.seat == ply.seat && step.moves == ply.moves)
      }
      #expect(steps[0].event == nil && steps[0].seat == nil && steps[0].moves == [])
    }
    #expect(try seats.steps(of: 1, from: 1) == seats.steps(of: 1).map { Array($0.dropFirst()) })
  }

  /// The end of an earlier game is shown with what was won until then, however far the series is.
  @Test func anEarlierGameIsToldAsItEnded() throws {
    var seats = try TwoSeats("tic-tac-toe", games: 3)
    try seats.settle()
    // Who moves first wins; the seats take turns at that.
    for number in 0..<3 {
      for (ply, move) in ["5", "1", "9", "2", "3", "6", "7"].enumerated() {
        try seats.choose(move, by: (number + ply) % 2)
      }
    }
    let found = seats.core.state(of: seats.room)
    let (state, table) = (try #require(found), try seats.checked(.finished))
    #expect(table.seats.map(\.wins) == [2, 1])
    let ends = (1...3).map { table.atEnd(ofGame: $0, state) }
    #expect(ends.map { $0.seats.map(\.wins) } == [[1, 0], [1, 1], [2, 1]])
    #expect(ends.map(\.number) == [1, 2, 3])
  }

  @Test func roundsAndOtherEndsAreReadAsTheyWereWritten() throws {
    var seats = try TwoSeats("prisoners-dilemma", [("rounds", "3")])
    try seats.settle()
    #expect(try seats.checked(.playing).isRound)
    try seats.choose("C", by: 0)
    #expect(try seats.checked(.playing).seats.map(\.owes) == [false, true])
    try seats.choose("D", by: 1)
    let table = try seats.checked(.playing)
    #expect(table.plies.map(\.moves) == [["C", "D"]] && table.plies[0].seat == nil)
    #expect(table.settings.contains(.init(name: "rounds", value: "3")))
    var left = seats
    try left.perform(.leave, by: 1)
    #expect(try left.checked(.abandoned).leaver == TwoSeats.lookers[1])
    try seats.perform(.resign, by: 0)
    #expect(try seats.checked(.finished).ending?.seat == Seat(0))
    var closed = try TwoSeats("tic-tac-toe")
    try closed.perform(.leave, by: 0)
    #expect(try closed.checked(.closed).leaver == TwoSeats.lookers[0])
  }

  /// What a seat has chosen and not revealed is in no byte of anybody's table.
  @Test func aHiddenChoiceChangesNoByte() throws {
    var seats = try TwoSeats("prisoners-dilemma", [("rounds", "2")])
    try seats.settle()
    for (round, first) in ["D", "C"].enumerated() {
      let before = try seats.tables().map(\.json)
      var (kind, unkind) = (seats, seats)
      try kind.choose("C", by: 1)
      try unkind.choose("D", by: 1)
      #expect(
        kind.core.log(of: seats.room)?.entries.last?.event.id
          != unkind.core.log(of: seats.room)?.entries.last?.event.id)
      #expect(try kind.tables().map(\.json) == unkind.tables().map(\.json), "round \(round)")
      #expect(try kind.tables().map(\.json) != before)
      try seats.choose(first, by: 1)
      try seats.choose("C", by: 0)
    }
    #expect(try seats.checked(.finished).plies.map(\.moves) == [["C", "D"], ["C", "C"]])
  }

  /// Whatever is done to the text, it is refused or is the form of another table; nothing traps.
  @Test func aDamagedTableIsRefusedOrReadAgain() throws {
    var seats = try TwoSeats("tic-tac-toe")
    try seats.settle()
    try seats.choose("5", by: 0)
    try seats.perform(.say("“hm”"), by: 1)
    let json = try seats.tables()[1].json
    #expect(throws: FormatError.self) { try TableView(json: json + [0x20]) }
    for index in stride(from: 0, to: json.count, by: Effort.size(1, quick: 7)) {
      #expect(throws: FormatError.self) { try TableView(json: Array(json.prefix(index))) }
      for byte in [json[index] ^ 0x01, json[index] ^ 0x80, UInt8(ascii: "9"), UInt8(ascii: "\"")] {
        var changed = json
        changed[index] = byte
        do throws(FormatError) { #expect(try TableView(json: changed).json == changed) } catch { continue }
      }
    }
    let numbers = ["-1", "9007199254740993", "99999999999999999999", "1.5", "-0", "+1", "01", "", "-"]
    let games = try #require(String(decoding: json, as: UTF8.self).range(of: "\"games\":1"))
    for number in numbers {
      let text = String(decoding: json, as: UTF8.self).replacingCharacters(
        in: games, with: "\"games\":\(number)")
      do throws(FormatError) {
        #expect(try TableView(json: Array(text.utf8)).games == Int(number) && number == "-1")
      } catch { #expect(number != "-1") }
    }
  }

  /// The page says every field, and its example is what the program gives, but for the digits of ids.
  @Test func thePageIsTrue() throws {
    var seats = try TwoSeats("tic-tac-toe", host: "Ada")
    try seats.settle()
    try seats.choose("5", by: 0)
    try seats.perform(.say("hello"), by: 1)
    let json = String(decoding: try seats.tables()[1].json, as: UTF8.self)
    let page = try PackageFolder.text("Docs/TABLE.md")
    let blocks = page.components(separatedBy: "```")
    let example = try #require(blocks.first { $0.hasPrefix("json\n") }).dropFirst(5)
    func object(_ text: String) throws -> NSDictionary? {
      let text = text.replacing(#/[0-9a-f]{64}/#, with: "id")
      return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    }
    #expect(try object(String(example)) == object(json), "\(json)")
    for name in json.matches(of: #/"([a-z-]+)":/#).map(\.output.1) {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
  }

  /// Whose time runs sees it in process and through the socket, and no byte differs.
  @Test func clocksAreThoseOfTheProcessThatHasTheFolder() async throws {
    let (a, b, hands) = (try ServiceFolder(), try ServiceFolder(), Hands())
    let host = try await a.open(1, listens: true, clock: hands)
    let guest = try await b.open(2, clock: hands)
    let client = try #require(try await b.client())
    let referee = TwoSeats.lookers[2]
    let room = try await host.host(referee: referee, moveLimitMilliseconds: 60_000)
    await guest.found(try #require(await host.address))
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    try await guest.join(room, referee: referee)
    try await client.wait(for: "play") { try await client.table(of: room)?.isOn == true }
    try await host.wait(for: "play") { try await host.table(of: room)?.isOn == true }
    hands.advance(by: 20_000)
    #expect(try await client.table(of: room)?.seats.map(\.left) == [40_000, nil])
    #expect(try await client.table(of: room) == guest.table(of: room))
    #expect(try await client.table(of: room)?.seats.map(\.presence) == [.connected, .own])
    #expect(try await client.table(of: room)?.terms == Terms(#require(try await host.state(of: room)).create))
    hands.advance(by: 40_001)
    #expect(try await host.table(of: room)?.seats.map(\.left) == [0, nil])
    #expect(try await client.table(of: room)?.may.contains(.claim) == true)
    await client.close()
    await guest.close()
    await host.close()
  }
}
