import EventLog
import Events
import TestKit
import Testing

/// Whatever dishonest keys write, in whatever order it comes and whatever is cut: what honest members write reaches
/// each other, they come to one state, nobody honest is convicted, and nothing honest is refused.
@Suite struct NamingModelTests {
  /// All that two dishonest keys can write in so many events, from what a writer chooses at each.
  private struct Scripts {
    let base: [Event]
    /// What an author can do next, after what was written so far.
    let choices: ([Event]) throws -> [Event]

    func all(of length: Int) throws -> [[Event]] {
      var scripts: [[Event]] = [[]]
      for _ in 0..<length {
        scripts = try scripts.flatMap { script in
          try choices(script).filter { !script.contains($0) }.map { script + [$0] }
        }
      }
      return scripts
    }
  }

  private static let hasher = EventHasher(network: .standard)
  private static let (creator, first, second, dishonest) =
    (ModelKeys.peer(1), ModelKeys.peer(2), ModelKeys.peer(3), ModelKeys.peer(4))
  private static let unknown = EventID(Blake2b(domain: "nobody has it").digest())

  private static func make(
    _ author: PeerID, _ action: Action, after previous: Event?, in room: RoomID, _ parents: [EventID] = []
  ) throws -> Event {
    try Event.author(
      action, room: room, author: author, sequence: (previous?.sequence ?? 0) + 1,
      previous: previous?.id ?? .none, parents: Array(Set(parents)), wallTime: 0, hasher: hasher)
  }

  private static func create(isGames: Bool) throws -> Event {
    let purpose: Create.Purpose =
      isGames
      ? .games(tournament: .none, pairing: 0, attempt: 0)
      : .tournament(format: 1, options: 0, seed: 1, title: "model")
    return try make(
      creator,
      .create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
          nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"), purpose: purpose)),
      after: nil, in: .none)
  }

  private static func request(_ author: PeerID, _ room: RoomID) throws -> Event {
    try make(author, .request(seat: Create.noSeat, Profile(name: "guest")), after: nil, in: room, [room])
  }

  /// A dishonest seat and a stranger, at the table of an honest creator and another honest member.
  private static func dishonestSeat(isGames: Bool) throws -> Scripts {
    let create = try create(isGames: isGames)
    let room = create.id
    let asked = try (request(second, room), request(dishonest, room))
    let granted = try make(
      creator, .grant(request: asked.0.id, seat: 0), after: create, in: room, [asked.0.id])
    let grant = try make(
      creator, .grant(request: asked.1.id, seat: 1), after: granted, in: room, [asked.1.id])
    let stranger = first
    return Scripts(base: [create, asked.0, asked.1, granted, grant]) { script in
      var events: [Event] = []
      let words = Action.chat("\(script.count)")
      for author in [dishonest, stranger] {
        let own = script.filter { $0.author == author }
        let others = script.filter { $0.author != author }.map(\.id)
        let before: [Event?] = author == dishonest ? [asked.1] + own : [nil] + own
        let parents = author == dishonest ? [[grant.id], [grant.id, unknown]] : [[], [room], [unknown]]
        let naming = others.map { author == dishonest ? [grant.id, $0] : [$0] }
        for previous in before {
          for named in parents + naming {
            events.append(try make(author, words, after: previous, in: room, named))
          }
        }
      }
      return events
    }
  }

  /// A dishonest creator that seats whom it likes on any branch of its feed, and a key of its own that it seats.
  private static func dishonestCreator(isGames: Bool, isGranted: Bool) throws -> Scripts {
    let create = try create(isGames: isGames)
    let room = create.id
    let asked = try [first, second, dishonest].map { try request($0, room) }
    var base = [create] + asked
    if isGranted {
      for seat in 0..<2 {
        let last = base.last { $0.author == creator }
        base.append(
          try make(
            creator, .grant(request: asked[seat].id, seat: UInt16(seat)), after: last, in: room,
            [asked[seat].id]))
      }
    }
    let last = base.last { $0.author == creator }
    return Scripts(base: base) { script in
      var events: [Event] = []
      let own = script.filter { $0.author == creator }
      let sybils = script.filter { $0.author == dishonest }
      let starts: [Event?] = last == create ? [create] : [last, create]
      for previous in starts + own {
        for (number, request) in asked.enumerated() {
          let grant = Action.grant(request: request.id, seat: UInt16(number % 2))
          events.append(try make(creator, grant, after: previous, in: room, [request.id]))
        }
        for named in [[]] + sybils.map({ [$0.id] }) {
          events.append(try make(creator, .start(roster: .none), after: previous, in: room, named))
        }
      }
      let words = Action.chat("\(script.count)")
      for previous in [asked[2]] + sybils {
        for named in [[unknown]] + own.map({ [$0.id] }) + own.map({ [$0.id, unknown] }) {
          events.append(try make(dishonest, words, after: previous, in: room, named))
        }
      }
      return events
    }
  }

  /// How many events the dishonest write: with 2 the search takes some minutes (Docs/TESTING.md).
  private static let events = Effort.number("PARLOR_MODEL_EVENTS") ?? 1

  /// Searches all schedules of all scripts.
  /// - Returns: how many states there were.
  private func search(_ scripts: Scripts, honest: [PeerID]) throws -> Int {
    var states = 0
    for script in try scripts.all(of: Self.events) {
      var model = NamingModel(.init(base: scripts.base, events: script, honest: honest))
      try model.search()
      states += model.states
      if !model.faults.isEmpty {
        let words = script.map {
          "\($0.author.short) \($0.sequence) \($0.kindName) names \($0.parents.map(\.short))"
        }
        Issue.record("\(model.faults.sorted()): \(words.joined(separator: "; "))")
        break
      }
    }
    return states
  }

  @Test(arguments: [true, false]) func ofADishonestSeatAndAStranger(isGames: Bool) throws {
    let scripts = try Self.dishonestSeat(isGames: isGames)
    let honest = [Self.creator, Self.second]
    #expect(try search(scripts, honest: honest) > 600)
  }

  @Test(arguments: [true, false], [true, false])
  func ofADishonestCreatorAndItsSybil(isGames: Bool, isGranted: Bool) throws {
    let scripts = try Self.dishonestCreator(isGames: isGames, isGranted: isGranted)
    #expect(try search(scripts, honest: [Self.first, Self.second]) > 700)
  }
}
