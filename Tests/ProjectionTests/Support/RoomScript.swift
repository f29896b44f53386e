import Events
import Games
import Projection
import Rules

/// Where the next step stands: the node, and which game and ply that is.
struct Place {
  var node: EventID
  var game = 0
  var ply = 0

  /// The place after a step of the same game.
  func after(_ event: Event) -> Place { Place(node: event.id, game: game, ply: ply + 1) }
  /// The place after an ending of the game.
  func nextGame(_ ending: Event) -> Place { Place(node: ending.id, game: game + 1, ply: 0) }
  /// The place after a take-back.
  func back(_ accept: Event, to ply: Int) -> Place { Place(node: accept.id, game: game, ply: ply) }
}

/// Writes the events of one room, each with the causal past that its test means.
struct RoomScript {
  /// What an author had seen when writing.
  enum Sight {
    /// The last event of every other feed.
    case everything
    /// These events, and what the author's own feed holds.
    case only([Event])
    /// Nothing but the author's own feed.
    case nothing
  }

  /// What a room is, as far as tests vary it.
  struct Room: Hashable {
    var rules = "tic-tac-toe"
    var version: UInt16 = 1
    var parameters: [UInt8] = []
    var games = 1
    var target: UInt32 = 0
    var seats = 2
    var creatorSeat = 0
    var starter = Create.Starter.firstSeat
    var scope = Scope.local
    var allowsUndo = false
    var hasOpenRounds = false
    var referee: PeerID = .none
    var rematchOf: RoomID = .none
    var openings: [[UInt16]] = []
    var purpose = Create.Purpose.games(tournament: .none, pairing: 0, attempt: 0)

    static func oddOneOut(seats: Int = 3, turns: Int = 4, games: Int = 1, referee: PeerID = .none) -> Room {
      Room(
        rules: OddOneOut.name, parameters: Array("players=\(seats)\nturns=\(turns)\n".utf8), games: games,
        seats: seats, referee: referee)
    }

    static func memory(seats: Int, cards: Int = 8, games: Int = 1, referee: PeerID = .none) -> Room {
      Room(
        rules: "memory-match", parameters: Array("cards=\(cards)\nplayers=\(seats)\n".utf8), games: games,
        seats: seats, referee: referee)
    }

    static func dilemma(
      rounds: Int, games: Int = 1, referee: PeerID = .none, noise: Int = 0, ending: Int = 0
    ) -> Room {
      let settings = "ending=\(ending)\nnoise=\(noise)\npayoffs=3,2,0,-1\nrounds=\(rounds)\n"
      return Room(
        rules: "prisoners-dilemma", parameters: Array(settings.utf8), games: games, referee: referee)
    }
  }

  private static let hasher = EventHasher(network: .standard)

  /// All events, in the order in which they were written.
  private(set) var events: [Event] = []
  /// The last event of each feed, of the branch that was written last.
  private(set) var heads: [(author: PeerID, event: Event)] = []
  /// How many events were written: told apart by their wall times.
  var time: UInt64 = 0
  let create: Event

  init(_ room: Room = Room(), by creator: TestPeer = .alice) throws {
    try self.init(
      Create(
        rules: room.rules, rulesVersion: room.version, parameters: room.parameters, seats: UInt16(room.seats),
        games: UInt16(room.games), target: room.target, nonce: [UInt8](repeating: 7, count: 16),
        profile: creator.profile,
        creatorSeat: UInt16(room.creatorSeat), starter: room.starter, scope: room.scope,
        allowsUndo: room.allowsUndo, hasOpenRounds: room.hasOpenRounds, referee: room.referee,
        rematchOf: room.rematchOf,
        openings: room.openings, purpose: room.purpose), by: creator)
  }

  init(_ room: Create, by creator: TestPeer, at wallTime: UInt64 = 0) throws {
    create = try Event.author(
      .create(room), room: .none, author: creator.id, sequence: 1, previous: .none, parents: [],
      wallTime: wallTime, hasher: Self.hasher)
    events = [create]
    heads = [(creator.id, create)]
  }

  var room: RoomID { create.id }

  func head(of peer: TestPeer) -> Event? { heads.last { $0.author == peer.id }?.event }

  // MARK: - Writing

  /// Writes an event.
  /// - Parameter previous: the author's event before it, when it is not the last one: a fork.
  @discardableResult
  mutating func write(
    _ peer: TestPeer, _ action: Action, seeing: Sight = .everything, after previous: Event? = nil
  ) throws -> Event {
    let before = previous ?? head(of: peer)
    let seen =
      switch seeing {
      case .everything: heads.map(\.event)
      case .only(let events): events
      case .nothing: before == nil ? [create] : [Event]()
      }
    let parents = Set(seen.filter { $0.author != peer.id && $0.id != before?.previous }.map(\.id))
    time += 1
    let event = try Event.author(
      action, room: room, author: peer.id, sequence: (before?.sequence ?? 0) + 1,
      previous: before?.id ?? .none,
      parents: parents.sorted().suffix(Event.limitParents), wallTime: time, hasher: Self.hasher)
    events.append(event)
    heads.removeAll { $0.author == peer.id }
    heads.append((peer.id, event))
    return event
  }

  /// Takes in an event that another script wrote in the same room.
  mutating func adopt(_ event: Event) {
    events.append(event)
    heads.removeAll { $0.author == event.author }
    heads.append((event.author, event))
  }

  /// Forgets that anything was written after the first events: what comes next is concurrent with it.
  mutating func rewind(to count: Int) {
    events.removeSubrange(count...)
    heads = []
    for event in events {
      heads.removeAll { $0.author == event.author }
      heads.append((event.author, event))
    }
  }

  // MARK: - Steps

  @discardableResult
  mutating func move(
    _ peer: TestPeer, _ code: UInt32, at place: Place, seeing: Sight = .everything,
    after previous: Event? = nil
  ) throws -> Event {
    try write(peer, .move(place.step, code: code, nil), seeing: seeing, after: previous)
  }

  @discardableResult
  mutating func commit(
    _ peer: TestPeer, seat: Int, _ choice: UInt32, at place: Place, seeing: Sight = .everything,
    after previous: Event? = nil
  ) throws -> Event {
    let salt = peer.salt(room, game: place.game, round: place.ply, seat: seat)
    let commitment = Commitments.choice(
      choice, salt: salt, room: room, game: UInt16(place.game), round: UInt16(place.ply), seat: UInt16(seat),
      author: peer.id)
    return try write(peer, .commit(place.step, commitment: commitment), seeing: seeing, after: previous)
  }

  @discardableResult
  mutating func reveal(
    _ peer: TestPeer, seat: Int, _ choice: UInt32, of commit: Event, at place: Place,
    seeing: Sight = .everything, after previous: Event? = nil
  ) throws -> Event {
    let salt = peer.salt(room, game: place.game, round: place.ply, seat: seat)
    let step = Action.Step(game: UInt16(place.game), ply: UInt16(place.ply), node: commit.id)
    return try write(peer, .reveal(step, choice: choice, salt: salt), seeing: seeing, after: previous)
  }

  /// The commit of Rita, the referee, to her share in the chance of the round; `nil` where she has none.
  mutating func commitReferee(at place: Place) throws -> Event? {
    guard state.refereeOfChance == TestPeer.rita.id else { return nil }
    return try commit(.rita, seat: Int(Create.noSeat), 0, at: place)
  }

  /// Her reveal of what she committed to, if she did.
  mutating func revealReferee(_ commit: Event?, at place: Place) throws {
    guard let commit else { return }
    try reveal(.rita, seat: Int(Create.noSeat), 0, of: commit, at: place)
  }

  /// Both seats choose and open honestly.
  /// - Returns: the place after the round; its node is the reveal of seat 0.
  mutating func round(_ choices: (UInt32, UInt32), at place: Place) throws -> Place {
    let first = try commit(.alice, seat: 0, choices.0, at: place)
    let second = try commit(.bob, seat: 1, choices.1, at: place)
    let opened = try reveal(.alice, seat: 0, choices.0, of: first, at: place)
    try reveal(.bob, seat: 1, choices.1, of: second, at: place)
    return place.after(opened)
  }

  /// Plays moves by turns.
  /// - Returns: the place after the last of them.
  mutating func play(_ codes: [UInt32], from place: Place, first: Int = 0) throws -> Place {
    var place = place
    for (index, code) in codes.enumerated() {
      place = place.after(try move(TestPeer.players[(first + index) % 2], code, at: place))
    }
    return place
  }

  @discardableResult
  mutating func result(
    _ peer: TestPeer, game: Int, _ ending: EventID, _ scores: [Int32], seeing: Sight = .everything
  ) throws -> Event {
    try write(peer, .result(game: UInt16(game), ending: ending, scores: scores), seeing: seeing)
  }

  /// Both seats sign the same.
  mutating func agree(game: Int, _ ending: EventID, _ scores: [Int32]) throws {
    for peer in TestPeer.players { try result(peer, game: game, ending, scores) }
  }
}

extension Place {
  var step: Action.Step { Action.Step(game: UInt16(game), ply: UInt16(ply), node: node) }
}
