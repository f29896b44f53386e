import EventLog
import Events
import Games
import Gossip
import Peer
import Terminal

/// What it costs to follow a room that somebody fills with events that are allowed and lead nowhere, signatures apart.
///
/// A peer that shows a room reads its state whenever something has come, so it is read after each so many events.
struct Bombs: Figure {
  /// One figure for each kind.
  static let all: [any Figure] = Bomb.all.map(Bombs.init)

  private let bomb: Bomb

  var name: String { "bombs.\(bomb.name)" }
  var summary: String { "seconds of CPU to follow a room with 40,000 of them, beside as many honest moves" }

  /// How many events come between two looks at the room.
  private static let batch = 64

  func measure(_ bench: Bench) async throws {
    let count = bench.size(40_000, quick: 1_000)
    bench.tell("\(name): \(count) events")
    let honest = try Self.seconds(HonestRooms.events(count))
    let hostile = try Self.seconds([bomb.events(count)])
    var line = FigureLine(
      name, value: hostile, unit: "s of CPU time", floor: honest, ratio: honest / hostile)
    line.add("floor_is", .text("as many honest moves"))
    line.add("events", .integer(count))
    try bench.print(line)
  }

  /// The processor time to follow rooms.
  private static func seconds(_ rooms: [[Event]]) throws -> Double {
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      throw BenchFailure(.software, "a signature of 64 bytes is none")
    }
    var messages: [(room: RoomID, messages: [[UInt8]])] = []
    for events in rooms {
      let runs = events.map { Run(events: [$0], signature: signature) }
      messages.append(
        (
          events[0].id,
          stride(from: 0, to: runs.count, by: batch).map { first in
            Message.runs(RunsMessage(room: events[0].id, runs: Array(runs[first...].prefix(batch)))).encoded()
          }
        ))
    }
    return try Span.of {
      var follower = Follower()
      for (room, messages) in messages { try follower.follow(room, messages) }
    }
    .0.cpu
  }
}

/// A peer with one neighbour, from which all comes: it takes the events in, has them durable, offers them, and reads
/// the room; at the end it closes the room and opens it again.
private struct Follower {
  private struct Unchecked: SignatureScheme {
    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool { true }
  }

  private var core: PeerCore
  private var now: UInt64 = 0

  init() {
    core = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 13, count: 32)), network: .standard, catalog: Games.catalog,
      scheme: Unchecked(), now: { 0 })
    let other = SigningKey(seed: [UInt8](repeating: 11, count: 32)).peer
    core.connect(Neighbour(0), as: other, isNearby: true, at: Tick(milliseconds: now))
  }

  mutating func follow(_ room: RoomID, _ messages: [[UInt8]]) throws {
    for message in messages {
      // Slowly enough for what a neighbour may send.
      now += 100
      core.receive(message, from: Neighbour(0), at: Tick(milliseconds: now))
      try store(room)
      core.advance(to: Tick(milliseconds: now))
      _ = core.takeOutbox(at: Tick(milliseconds: now))
      if let (_, reason) = core.takeRefused().first { throw BenchFailure(.software, "\(reason)") }
      guard core.state(of: room) != nil else { throw BenchFailure(.software, "a room is not taken in") }
    }
    _ = core.storedClock(of: room, rule: 1)
    guard let log = core.log(of: room) else { throw BenchFailure(.software, "a room is gone") }
    core.close(room)
    core.open(log, isDurable: true, at: Tick(milliseconds: now))
    _ = core.state(of: room)
    core.close(room)
  }

  private mutating func store(_ room: RoomID) throws {
    for room in core.takeChanged() {
      if let change = try core.prepareCommit(room) { core.markDurable(change, at: Tick(milliseconds: now)) }
    }
  }
}

/// Rooms of drawn games, to compare with.
private enum HonestRooms {
  private static let cells: [UInt32] = [0, 2, 1, 3, 5, 4, 6, 7, 8]

  static func events(_ count: Int) throws(FormatError) -> [[Event]] {
    var rooms: [[Event]] = []
    var left = count
    while left > 0 {
      var room = Bomb.room()
      var node = try room.begin(Bomb.create(games: 256, number: UInt8(rooms.count)))
      for number in 0..<min(left, 256 * cells.count) {
        let (game, ply) = number.quotientAndRemainder(dividingBy: cells.count)
        let step = Action.Step(game: UInt16(game), ply: UInt16(ply), node: node)
        node = try room.write(.move(step, code: cells[ply], nil), by: (game + ply) % 2)
      }
      left -= 256 * cells.count
      rooms.append(room.events)
    }
    return rooms
  }
}

/// A kind of event that comes without end.
private struct Bomb: Sendable {
  /// Where it is written.
  enum Place { case beforePlay, inPlay }

  let name: String
  let place: Place
  /// Which seat writes it; `nil` where each event has an author of its own.
  let author: Int?
  /// What is written: by its number, on the last node of the line, or one before play, and another node.
  let action: @Sendable (_ number: Int, _ tip: EventID, _ before: EventID) -> Action
  /// Whether each names an event that never comes.
  var isEarly = false
  /// Whether the first names an event that never comes, and so the others wait for it.
  var isStalled = false
  /// Whether somebody has forked its feed before them: the other seat in play, else a stranger.
  var isForked = false
  /// Whether each author says it twice, on two branches.
  var isTwice = false
  /// Whether both seats write them, each on the other's last one, and the last comes first.
  var isBackwards = false
  /// Whether both seats write them, each on the other's last one, of something that a stranger has said.
  var isLadder = false

  static func create(games: UInt16 = 1, number: UInt8 = 0) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: games,
      nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "Anna"), creatorSeat: 0,
      starter: .firstSeat, allowsUndo: true)
  }

  static func room() -> SyntheticRoom {
    SyntheticRoom(
      keys: [11, 12].map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) },
      hasher: EventHasher(network: .standard), wallTime: 0, limitUnsigned: .max)
  }

  static let all: [Bomb] = [
    Bomb(name: "starts", place: .beforePlay, author: 0) { number, _, _ in .start(roster: digest(number)) },
    Bomb(name: "readies", place: .beforePlay, author: 1) { number, _, _ in
      .ready(roster: digest(number), commitment: .none)
    },
    Bomb(name: "draws", place: .beforePlay, author: 1) { number, _, _ in .draw(nonce: digest(number)) },
    Bomb(name: "invitations", place: .beforePlay, author: 0) { number, _, _ in .invite(peer(number)) },
    Bomb(name: "requests", place: .beforePlay, author: 1) { number, _, _ in
      .request(seat: 0, Profile(name: "\(number)"))
    },
    Bomb(name: "strangers", place: .beforePlay, author: nil) { _, _, _ in .chat("x") },
    Bomb(name: "applicants", place: .beforePlay, author: nil) { number, _, _ in
      .request(seat: 1, Profile(name: "\(number)"))
    },
    Bomb(
      name: "fork", place: .beforePlay, author: nil,
      action: { number, _, _ in .request(seat: 1, Profile(name: "\(number)")) }, isForked: true),
    Bomb(name: "forks", place: .beforePlay, author: nil, action: { _, _, _ in .chat("x") }, isTwice: true),
    Bomb(name: "grants", place: .beforePlay, author: 0) { number, tip, _ in
      .grant(request: EventID(digest(number).bytes), seat: 1)
    },
    Bomb(name: "leavers", place: .beforePlay, author: nil) { _, _, _ in .leave(node: .none) },
    Bomb(name: "onlookers", place: .inPlay, author: nil) { number, tip, _ in
      switch number % 4 {
      case 0: .undoRequest(node: tip, ply: 0)
      case 1: .move(Action.Step(game: 0, ply: 1, node: tip), code: 4, nil)
      case 2: .leave(node: tip)
      default: .chat("x")
      }
    },
    Bomb(
      name: "onlookers-after-a-fork", place: .inPlay, author: nil,
      action: { number, tip, _ in number.isMultiple(of: 2) ? .leave(node: tip) : .chat("x") }, isForked: true),
    Bomb(name: "words", place: .beforePlay, author: 1) { _, _, _ in .chat("x") },
    Bomb(name: "doubles", place: .inPlay, author: 1) { number, tip, _ in
      .move(Action.Step(game: 0, ply: 1, node: tip), code: UInt32(9 + number), nil)
    },
    Bomb(name: "branches", place: .inPlay, author: 0) { number, _, start in
      .move(Action.Step(game: 0, ply: 0, node: start), code: UInt32(number % 9), nil)
    },
    Bomb(name: "results", place: .inPlay, author: 1) { _, tip, _ in
      .result(game: 0, ending: tip, scores: [1, -1])
    },
    Bomb(name: "undos", place: .inPlay, author: 1) { _, tip, _ in .undoRequest(node: tip, ply: 0) },
    Bomb(name: "offers", place: .inPlay, author: 1) { _, tip, _ in .drawOffer(node: tip) },
    Bomb(name: "claims", place: .inPlay, author: 1) { _, tip, _ in .claim(node: tip, seat: 0) },
    Bomb(name: "talk", place: .inPlay, author: 1) { _, _, _ in .chat("x") },
    Bomb(name: "early", place: .inPlay, author: 1, action: { _, _, _ in .chat("x") }, isEarly: true),
    Bomb(name: "stalled", place: .inPlay, author: 1, action: { _, _, _ in .chat("x") }, isStalled: true),
    Bomb(
      name: "backwards", place: .inPlay, author: 1, action: { _, _, _ in .chat("x") }, isBackwards: true),
    Bomb(
      name: "ladder", place: .inPlay, author: 1, action: { _, _, said in .undoRequest(node: said, ply: 0) },
      isLadder: true),
    Bomb(name: "mix", place: .inPlay, author: 1) { number, tip, start in
      switch number % 6 {
      case 0: .undoRequest(node: tip, ply: 0)
      case 1: .move(Action.Step(game: 0, ply: 0, node: start), code: 4, nil)
      case 2: .drawOffer(node: tip)
      case 3: .claim(node: tip, seat: 0)
      case 4: .result(game: 0, ending: tip, scores: [1, -1])
      default: .invite(peer(number))
      }
    },
  ]

  /// A room with so many events of the kind, and those that it begins with.
  func events(_ count: Int) throws(FormatError) -> [Event] {
    var room = Self.room()
    var (start, tip) = (EventID.none, EventID.none)
    switch place {
    case .beforePlay:
      _ = try room.fill(Self.create())
    case .inPlay:
      start = try room.begin(Self.create())
      tip = try room.write(.move(Action.Step(game: 0, ply: 0, node: start), code: 0, nil), by: 0)
    }
    let created = room.events[0].id
    func first(of author: PeerID, _ action: Action, wallTime: UInt64 = 0) throws(FormatError) -> Event {
      try Event.author(
        action, room: created, author: author, sequence: 1, previous: .none, parents: [created],
        wallTime: wallTime, hasher: room.hasher)
    }
    var said: [Event] = []
    if isForked {
      let other = room.keys[1].peer
      said = try (0..<2).map { number throws(FormatError) in
        try first(of: place == .inPlay ? other : Self.peer(count), .chat("\(number)"))
      }
    }
    guard let author else {
      return try room.events + said
        + (0..<count).map { number throws(FormatError) in
          let (author, time) = isTwice ? (number / 2, number % 2) : (number, 0)
          return try first(of: Self.peer(author), action(number, tip, start), wallTime: UInt64(time))
        }
    }
    if isLadder {
      said = [try first(of: Self.peer(0), .chat("x"))]
      start = said[0].id
    }
    for number in 0..<count {
      let missing = isEarly || isStalled && number == 0 ? EventID(Self.digest(number).bytes) : nil
      _ = try room.write(
        action(number, tip, start), by: isBackwards || isLadder ? number % 2 : author, naming: missing)
    }
    let (first, last) = (room.events.dropLast(count) + said, room.events.suffix(count))
    return first + (isBackwards ? last.reversed() : Array(last))
  }

  private static func digest(_ number: Int) -> Digest {
    var bytes = [UInt8](repeating: 1, count: 24)
    bytes.append(bigEndian: UInt64(number))
    return Digest(Bytes32(bytes, at: 0))
  }

  private static func peer(_ number: Int) -> PeerID { PeerID(digest(number).bytes) }
}
