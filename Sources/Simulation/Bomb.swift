package import Events

/// A kind of event that is allowed, leads nowhere, and comes without end in a room of whoever writes it.
package struct Bomb: Sendable {
  /// Where it is written.
  private enum Place { case beforePlay, inPlay }

  package let name: String
  private let place: Place
  /// Which seat writes it; `nil` where each event has an author of its own.
  private let author: Int?
  /// What is written: by its number, on the last node of the line, or one before play, and another node.
  private let action: @Sendable (_ number: Int, _ tip: EventID, _ before: EventID) -> Action
  /// Whether each names an event that never comes.
  private var isEarly = false
  /// Whether the first names an event that never comes, and so the others wait for it.
  private var isStalled = false
  /// Whether somebody has forked its feed before them: the other seat in play, else a stranger.
  private var isForked = false
  /// Whether each author says it twice, on two branches.
  private var isTwice = false
  /// Whether both seats write them, each on the other's last one, and the last comes first.
  private var isBackwards = false
  /// Whether both seats write them, each on the other's last one, of something that a stranger has said.
  private var isLadder = false

  package static func create(games: UInt16 = 1, number: UInt8 = 0) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: games,
      nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "Anna"), creatorSeat: 0,
      starter: .firstSeat, allowsUndo: true)
  }

  /// The keys of both seats.
  package static let keys: [SigningKey] = [11, 12].map {
    SigningKey(seed: [UInt8](repeating: $0, count: 32))
  }

  package static func room(_ keys: [SigningKey] = keys) -> SyntheticRoom {
    SyntheticRoom(
      keys: keys, hasher: EventHasher(network: .standard), wallTime: 0, limitUnsigned: .max)
  }

  package static let all: [Bomb] = [
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
      name: "seat-fork", place: .inPlay, author: nil,
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
  /// - Parameters:
  ///   - keys: those of both seats.
  ///   - guest: somebody who is invited first, so that it wants the room.
  ///   - stranger: who writes the event of a number where each has an author of its own.
  package func events(
    _ count: Int, keys: [SigningKey] = keys, inviting guest: PeerID? = nil,
    by stranger: (Int) -> PeerID = peer
  ) throws(FormatError) -> [Event] {
    var room = Self.room(keys)
    var (start, tip) = (EventID.none, EventID.none)
    switch place {
    case .beforePlay:
      _ = try room.fill(Self.create())
    case .inPlay:
      start = try room.begin(Self.create())
      tip = try room.write(.move(Action.Step(game: 0, ply: 0, node: start), code: 0, nil), by: 0)
    }
    if let guest { _ = try room.write(.invite(guest), by: 0) }
    let created = room.events[0].id
    func first(of author: PeerID, _ action: Action, wallTime: UInt64 = 0) throws(FormatError) -> Event {
      try Event.author(
        action, room: created, author: author, sequence: 1, previous: .none, parents: [created],
        wallTime: wallTime, hasher: room.hasher)
    }
    var said: [Event] = []
    if isForked {
      let forker = place == .inPlay ? room.keys[1].peer : stranger(count)
      said = [try first(of: forker, .chat("x")), try first(of: forker, .chat("y"))]
    }
    guard let author else {
      return try room.events + said
        + (0..<count).map { number throws(FormatError) in
          let (author, time) = isTwice ? (number / 2, number % 2) : (number, 0)
          return try first(of: stranger(author), action(number, tip, start), wallTime: UInt64(time))
        }
    }
    if isLadder {
      said = [try first(of: stranger(0), .chat("x"))]
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

  /// Somebody whose key nobody has.
  package static func peer(_ number: Int) -> PeerID { PeerID(digest(number).bytes) }
}
