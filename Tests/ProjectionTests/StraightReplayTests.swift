import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing

/// The replay that keeps no events says what the projection of all events says, or says nothing.
@Suite("Straight replays")
struct StraightReplayTests {
  private static let hasher = EventHasher(network: .standard)

  /// The state in canonical bytes after these events; `nil` when they are not of a straight room.
  private func straight(_ events: some Collection<Event>) -> [UInt8]? {
    events.first.flatMap { straight(records: records(events), of: $0.room) }
  }

  /// The records of events in this order.
  private func records(_ events: some Collection<Event>) -> [[UInt8]] {
    var graph = CausalGraph()
    return events.map { event in
      _ = graph.restore(event)
      var record: [UInt8] = []
      RecordCoder.append(at: graph.count - 1, of: graph, to: &record)
      return record
    }
  }

  private func check(_ events: [Event], _ place: Comment) -> (straight: Int, games: Int) {
    guard let first = events.first, var whole = RoomProjection(create: first, catalog: Games.catalog) else {
      Issue.record("no room, \(place)")
      return (0, 0)
    }
    var counts = (straight: 0, games: 0)
    for count in 1...events.count {
      if count > 1 { whole.apply(events[count - 1]) }
      guard let state = straight(events.prefix(count)) else { break }
      #expect(state == whole.state.encoded, place)
      counts = (counts.straight + 1, whole.state.games.filter { $0.ending != nil }.count)
    }
    return counts
  }

  @Test("Every beginning of a random room that is straight gives the projection's state")
  func agrees() throws {
    var counts = (straight: 0, games: 0)
    let seeds = Effort.size(200, quick: 60)
    for seed in 0..<UInt64(seeds) {
      let room = try RandomRoom(seed: seed, isSerial: seed % 3 != 0)
      let one = check(room.script.events, "seed \(seed)")
      counts = (counts.straight + one.straight, counts.games + one.games)
    }
    #expect(counts.straight > 4 * seeds)
  }

  @Test("So does every beginning of a series that is played honestly, signed soon, late or never")
  func agreesOnHonestSeries() throws {
    var games = 0
    let seeds = Effort.size(150, quick: 20)
    for seed in 0..<UInt64(seeds) {
      var random = RandomStream(seed: seed)
      var (script, _) = try RoomScript.started(.init(games: 1 + Int(random.below(4))))
      var projection = script.projection()
      while let (action, peer) = next(projection.state, &random) {
        projection.apply(try script.write(peer, action))
      }
      let counts = check(script.events, "seed \(seed)")
      #expect(counts.straight == script.events.count, "seed \(seed)")
      games += counts.games
    }
    #expect(games > 2 * seeds)
  }

  /// A move of the seat whose turn it is, or now and then a seat's result of a game that is over.
  private func next(_ state: RoomState, _ random: inout RandomStream) -> (Action, TestPeer)? {
    if random.below(4) == 0, let game = state.games.last(where: { $0.ending != nil }),
      let ending = game.ending, let outcome = ending.outcome
    {
      return (
        .result(game: UInt16(game.number), ending: ending.node, scores: outcome.scores),
        TestPeer.players[Int(random.below(2))]
      )
    }
    guard case .seat(let seat)? = state.turn, let game = state.games.last else { return nil }
    let moves = game.state.legalMoves(of: seat)
    let step = Action.Step(
      game: UInt16(game.number), ply: UInt16(game.plies.count), node: state.tip)
    let code = moves[Int(random.below(UInt64(moves.count)))]
    return (.move(step, code: code.rawValue, nil), TestPeer.players[seat.index])
  }

  @Test("Games, results and a following game are straight; agreed games are so in both")
  func playsASeries() throws {
    var (script, place) = try RoomScript.started(.init(games: 2))
    for (game, first) in [(0, 0), (1, 1)] {
      place = try script.play([0, 3, 1, 4, 2], from: place, first: first)
      let scores: [Int32] = first == 0 ? [1, 0] : [0, 1]
      try script.agree(game: game, place.node, scores)
      if game == 0 { place = Place(node: place.node, game: 1, ply: 0) }
    }
    let counts = check(script.events, "a series")
    #expect(counts.straight == script.events.count && counts.games == 2)
    #expect(script.projection().state(\.games.last?.isAgreed) == true)
  }

  /// The state after the events of these records; `nil` when they are not of a straight room or no events.
  private func straight(records: [[UInt8]], of room: RoomID) -> [UInt8]? {
    do throws(FormatError) {
      let shown = try replayed(records, of: room, byPosition: false)
      let unseen = try replayed(records, of: room, byPosition: true)
      #expect(shown.map(Outcome.init) == unseen.map(Outcome.init))
      return shown?.encoded
    } catch { return nil }
  }

  /// What the two ways to replay must agree on: all but ids.
  private struct Outcome: Equatable {
    let phase: RoomState.Phase
    let codes: [[[MoveCode]]]
    let outcomes: [String]
    let agreed: [Bool]

    init(_ state: RoomState) {
      phase = state.phase
      codes = state.games.map { $0.plies.map(\.codes) }
      outcomes = state.games.map { "\(String(describing: $0.ending?.outcome))" }
      agreed = state.games.map(\.isAgreed)
    }
  }

  private func replayed(
    _ records: [[UInt8]], of room: RoomID, byPosition: Bool
  ) throws(FormatError) -> RoomState? {
    var reader = RecordReader(room: room, hasher: Self.hasher)
    var replay: StraightReplay?
    var feeds = 0
    for (position, record) in records.enumerated() {
      let fields = try RecordFields(unsafe record.span.bytes, at: position, feeds: feeds)
      if fields.opensFeed { feeds += 1 }
      if byPosition, replay?.hasStarted == true {
        replay?.take(fields)
        continue
      }
      try reader.read(unsafe record.span.bytes)
      if position == 0 {
        replay = StraightReplay(create: try reader.view, catalog: Games.catalog)
      } else {
        replay?.take(try reader.view, fields)
      }
    }
    return replay.take()?.finish()
  }

  @Test("A room with a changed byte, at any place, is not straight or what the projection says it is")
  func changedBytes() throws {
    var (script, place) = try RoomScript.started(.init(games: 2))
    place = try script.play([0, 3, 1, 4, 2], from: place)
    try script.agree(game: 0, place.node, [1, 0])
    let note = Action.Note(value: -3, isProven: true, nodes: 4)
    let step = Action.Step(game: 1, ply: 0, node: place.node)
    try script.write(.bob, .move(step, code: 4, note))
    let records = records(script.events)
    let room = script.events[0].room
    #expect(straight(records: records, of: room) != nil)
    var counts = (refused: 0, left: 0, straight: 0)
    for (number, record) in records.enumerated() where number > 0 {
      for bit in 0..<8 * record.count {
        var changed = records
        changed[number][bit / 8] ^= 1 << UInt8(bit % 8)
        guard let events = events(changed, of: room) else {
          counts.refused += 1
          #expect(straight(records: changed, of: room) == nil, "bit \(bit) of event \(number)")
          continue
        }
        guard let state = straight(records: changed, of: room) else {
          counts.left += 1
          continue
        }
        counts.straight += 1
        let isSame = projected(events) == state
        #expect(isSame, "bit \(bit) of event \(number)")
      }
    }
    // Times, names and the like may change without anything else.
    #expect(counts.refused > 100 && counts.left > 1_000 && counts.straight > 100, "\(counts)")
  }

  /// The events of records; `nil` when one is no event.
  private func events(_ records: [[UInt8]], of room: RoomID) -> [Event]? {
    do throws(FormatError) {
      var reader = RecordReader(room: room, hasher: Self.hasher)
      var events: [Event] = []
      for record in records {
        try reader.read(unsafe record.span.bytes)
        events.append(try reader.view.event)
      }
      return events
    } catch { return nil }
  }

  private func projected(_ events: [Event]) -> [UInt8]? {
    guard var projection = RoomProjection(create: events[0], catalog: Games.catalog) else { return nil }
    for event in events.dropFirst() { projection.apply(event) }
    return projection.state.encoded
  }

  @Test("What is contested, late or false is not straight")
  func leavesTheRest() throws {
    let (start, place) = try RoomScript.started(.init(games: 2))
    #expect(straight(start.events) != nil)
    let others: [(String, (inout RoomScript) throws -> Void)] = [
      ("a move out of turn", { try $0.move(.bob, 0, at: place) }),
      ("an illegal move", { try $0.move(.alice, 9, at: place) }),
      ("a move of another ply", { try $0.move(.alice, 0, at: .init(node: place.node, game: 0, ply: 1)) }),
      ("a resignation", { try $0.write(.alice, .resign(node: place.node)) }),
      ("a result of nothing", { try $0.result(.alice, game: 0, place.node, [1, 0]) }),
      (
        "a move whose author had not seen the one it answers",
        {
          let first = try $0.move(.alice, 0, at: place)
          try $0.move(.bob, 3, at: place.after(first), seeing: .nothing)
        }
      ),
      (
        "a false result",
        {
          let end = try $0.play([0, 3, 1, 4, 2], from: place)
          try $0.result(.alice, game: 0, end.node, [0, 1])
        }
      ),
      ("words in play", { try $0.write(.alice, .chat("well")) }),
      (
        "a concurrent move",
        {
          try $0.move(.alice, 0, at: place)
          try $0.write(.bob, .chat("late"), seeing: .nothing)
        }
      ),
      (
        "a branch of a feed",
        {
          let before = try #require($0.events.last { $0.author == TestPeer.alice.id })
          let first = try $0.move(.alice, 0, at: place)
          let answer = try $0.move(.bob, 3, at: place.after(first))
          try $0.move(.alice, 1, at: place.after(first).after(answer), after: before)
        }
      ),
      (
        "a second move",
        {
          try $0.move(.alice, 0, at: place)
          try $0.move(.alice, 1, at: place)
        }
      ),
    ]
    for (name, write) in others {
      var script = start
      try write(&script)
      #expect(straight(script.events) == nil, "\(name) was taken for straight")
    }
  }
}

extension RoomProjection {
  fileprivate func state<Value>(_ path: KeyPath<RoomState, Value>) -> Value {
    var copy = self
    return copy.state[keyPath: path]
  }
}
