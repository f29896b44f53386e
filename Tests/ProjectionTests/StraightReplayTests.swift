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
  /// The state in canonical bytes after these events; `nil` when they are not of a straight room.
  private func straight(_ events: some Collection<Event>) -> [UInt8]? {
    var events = events.makeIterator()
    guard let create = events.next(),
      var replay = StraightReplay(create: EventView(create), catalog: Games.catalog)
    else { return nil }
    while let event = events.next() { replay.take(EventView(event)) }
    return replay.finish()?.encoded
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
    let seeds = Effort.size(500, quick: 60)
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

  /// The state after the events of these records, ids in front of bodies; `nil` when they are not of a straight
  /// room or no events.
  private func straight(records: [[UInt8]]) -> [UInt8]? {
    do throws(FormatError) {
      guard let first = records.first,
        var replay = StraightReplay(
          create: try EventView(idAndBody: first), catalog: Games.catalog)
      else { return nil }
      for record in records.dropFirst() { replay.take(try EventView(idAndBody: record)) }
      return replay.finish()?.encoded
    } catch { return nil }
  }

  @Test("A room with a changed byte, at any place, is not straight or what the projection says it is")
  func changedBytes() throws {
    var (script, place) = try RoomScript.started(.init(games: 2))
    place = try script.play([0, 3, 1, 4, 2], from: place)
    try script.agree(game: 0, place.node, [1, 0])
    let note = Action.Note(value: -3, isProven: true, nodes: 4)
    let step = Action.Step(game: 1, ply: 0, node: place.node)
    try script.write(.bob, .move(step, code: 4, note))
    let records = script.events.map { event in
      var bytes: [UInt8] = []
      event.append(to: &bytes, withID: true)
      return bytes
    }
    #expect(straight(records: records) != nil)
    var counts = (refused: 0, left: 0, straight: 0)
    for (number, record) in records.enumerated() {
      for at in record.indices {
        var changed = records
        changed[number][at] ^= 1 << UInt8(at % 8)
        guard let events = events(changed) else {
          counts.refused += 1
          #expect(straight(records: changed) == nil, "byte \(at) of event \(number)")
          continue
        }
        guard let state = straight(records: changed) else {
          counts.left += 1
          continue
        }
        counts.straight += 1
        let isSame = projected(events) == state
        #expect(isSame, "byte \(at) of event \(number)")
      }
    }
    // Times, names and the like may change without anything else.
    #expect(counts.refused > 100 && counts.left > 1_000 && counts.straight > 100, "\(counts)")
  }

  /// The events of records; `nil` when one is no event.
  private func events(_ records: [[UInt8]]) -> [Event]? {
    do throws(FormatError) {
      var events: [Event] = []
      for record in records {
        events.append(try Event(body: Array(record[32...]), id: EventID(Bytes32(record, at: 0))))
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
