import Events
import Games
import Projection
import Rules

/// Writes the events of a quiz or a tap race that alice hosts, and plays it by the rules or against them.
struct HostedScript {
  static let question = QuizQuestion(text: "Which?", choices: ["a", "b", "c", "d"])
  static let content = question?.content ?? []

  var script: RoomScript

  init(
    rounds: Int = 2, seats: Int = 8, entries: UInt16 = 1, rematchOf: RoomID = .none, rules: String = "quiz",
    _ settings: String = "curve=linear\ngrace=3000\n"
  ) throws {
    script = try RoomScript(
      RoomScript.Room(
        rules: rules, parameters: Array(settings.utf8), games: rounds, seats: seats,
        creatorSeat: Int(Create.noSeat), rematchOf: rematchOf,
        purpose: .hosted(entries: entries, needsCode: false, title: "Test")))
  }

  var room: RoomID { script.room }

  /// A salt of a test, the same each time.
  static func salt(_ number: UInt8) -> Digest {
    Digest(Bytes32([UInt8](repeating: number, count: 32), at: 0))
  }

  /// Has a player ask, and the host take it in.
  /// - Parameter named: the key by which the peer wants to be told solutions, the sender's of its join proof.
  mutating func join(_ peer: TestPeer, as number: UInt16, naming named: [UInt8]? = nil) throws {
    if let named {
      let box = named + [UInt8](repeating: 0, count: 48)
      try script.write(peer, .hosted(.joinProof(box: box)), seeing: .nothing)
    }
    let request = try script.write(peer, .request(seat: Create.noSeat, peer.profile), seeing: .nothing)
    try script.write(.alice, .grant(request: request.id, seat: number), seeing: .only([request]))
  }

  mutating func open(
    _ round: UInt16, answer: UInt8 = 1, limit: UInt32 = 10_000, seeing: RoomScript.Sight = .only([])
  ) throws -> Event {
    let commitment = Commitments.solution(
      [answer], salt: Self.salt(9), room: room, round: round, content: Self.content, author: TestPeer.alice.id
    )
    return try script.write(
      .alice,
      .hosted(
        .open(.init(round: round, limitMilliseconds: limit, commitment: commitment, content: Self.content))),
      seeing: seeing)
  }

  /// Opens a race.
  mutating func openRace(_ round: UInt16, commitment: Digest = .none, content: [UInt8] = []) throws -> Event {
    try script.write(
      .alice,
      .hosted(
        .open(.init(round: round, limitMilliseconds: 10_000, commitment: commitment, content: content))),
      seeing: .only([]))
  }

  /// A batch of taps of a player.
  mutating func tap(
    _ peer: TestPeer, _ taps: UInt16, in opening: Event, after previous: Event? = nil
  ) throws -> Event {
    try write(peer, .clear(TapRace.batch(taps) ?? []), in: opening, after: previous)
  }

  /// Settles a race, in which nothing was sealed.
  @discardableResult
  mutating func settleRace(_ opening: Event) throws -> Event {
    try script.write(
      .alice, .hosted(.settle(.init(opening: opening.id, solution: [], salt: .none))), seeing: .only([]))
  }

  /// An entry of a player; the salt is that of its number.
  mutating func enter(
    _ peer: TestPeer, _ choice: UInt8, in opening: Event, salt: UInt8 = 1, seeing: [Event]? = nil,
    after previous: Event? = nil
  ) throws -> Event {
    let entry = SealedEntry.seal(
      [choice], salt: Self.salt(salt), room: room, opening: opening.id, author: peer.id,
      host: TestPeer.alice.id)
    return try write(peer, entry ?? .clear([]), in: opening, seeing: seeing, after: previous)
  }

  mutating func write(
    _ peer: TestPeer, _ entry: HostedAction.Entry, in opening: Event, seeing: [Event]? = nil,
    after previous: Event? = nil
  ) throws -> Event {
    try script.write(
      peer, .hosted(.entry(opening: opening.id, entry)),
      seeing: .only(seeing ?? script.head(of: .alice).map { [$0] } ?? []), after: previous)
  }

  @discardableResult
  mutating func acknowledge(
    _ entries: [(event: Event, milliseconds: UInt32)], in opening: Event
  ) throws -> Event {
    let parents = entries.map(\.event.id).sorted()
    let receipts = entries.map { entry in
      HostedAction.Receipt(
        parent: UInt8(parents.firstIndex(of: entry.event.id) ?? 0), milliseconds: entry.milliseconds)
    }
    return try script.write(
      .alice, .hosted(.receipts(opening: opening.id, receipts)), seeing: .only(entries.map(\.event)))
  }

  @discardableResult
  mutating func close(_ opening: Event, after milliseconds: UInt32 = 10_000) throws -> Event {
    try script.write(
      .alice, .hosted(.close(opening: opening.id, milliseconds: milliseconds)), seeing: .only([]))
  }

  /// Settles a round as an honest host does: it opens what it can read.
  @discardableResult
  mutating func settle(_ opening: Event, answer: UInt8 = 1) throws -> Event {
    let round = try state().hosted?.rounds.last { $0.opening == opening.id }
    let players = try state().hosted?.players ?? []
    let entries = (round?.entries ?? []).map { entry in
      SealedEntry.open(
        entry.written, room: room, opening: opening.id, author: players[Int(entry.player)].peer,
        host: TestPeer.alice.key)
    }
    return try settle(opening, [answer], entries)
  }

  @discardableResult
  mutating func settle(
    _ opening: Event, _ solution: [UInt8], _ entries: [HostedAction.OpenedEntry?], first: UInt16 = 0
  ) throws -> Event {
    try script.write(
      .alice,
      .hosted(
        .settle(
          .init(opening: opening.id, solution: solution, salt: Self.salt(9), first: first, entries: entries))),
      seeing: .only([]))
  }

  // MARK: - What it amounts to

  func projection(_ events: [Event]? = nil) throws -> RoomProjection {
    let events = events ?? script.events
    guard var projection = RoomProjection(create: events[0], catalog: Games.catalog) else {
      throw FormatError.badField("create", at: 0)
    }
    for event in events.dropFirst() { projection.apply(event) }
    return projection
  }

  func state() throws -> RoomState {
    var projection = try projection()
    return projection.state
  }

  func verdict(on event: Event) throws -> Verdict? {
    var projection = try projection()
    return projection.verdicts().first { $0.event == event.id }?.verdict
  }

  /// Scores by the players' numbers.
  func scores() throws -> [Int] { try state().hosted?.players.map(\.score) ?? [] }
}
