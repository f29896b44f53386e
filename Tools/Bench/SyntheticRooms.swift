import EventLog
import Events
import Simulation

/// Rooms of tic-tac-toe that are written straight into a store, for stores of a wanted size and shape.
struct SyntheticRooms {
  /// What every room is.
  enum Shape: String {
    /// 256 drawn games, their result signed by both seats.
    case large
    /// One game that the first seat wins with the fifth move.
    case small
    /// The same, its result signed by both seats: nobody owes anything any more.
    case over

    var games: Int { self == .large ? 256 : 1 }
    /// The cells of each game, in order.
    var cells: [UInt32] { self == .large ? [0, 2, 1, 3, 5, 4, 6, 7, 8] : [0, 3, 1, 4, 2] }
    /// The last game's scores, where both seats sign them.
    var scores: [Int32]? {
      switch self {
      case .large: [0, 0]
      case .small: nil
      case .over: [1, 0]
      }
    }
    /// Create, request, grant, both ready, start, the moves, and results.
    var events: Int { 6 + games * cells.count + (scores == nil ? 0 : 2) }
  }

  private let shape: Shape
  private let signsEach: Bool
  private let host: SigningKey
  private let guest: SigningKey
  private let hasher = EventHasher(network: .standard)

  /// - Parameter signsEach: whether every event has a signature, as where each was waited for; else both feeds are
  ///   signed at their ends.
  init(_ shape: Shape, signsEach: Bool = false) {
    self.shape = shape
    self.signsEach = signsEach
    host = SigningKey(seed: [UInt8](repeating: 11, count: 32))
    guest = SigningKey(seed: [UInt8](repeating: 12, count: 32))
  }

  /// Writes rooms until the log has so many events.
  /// - Returns: how many rooms there are.
  func write(events: Int, to log: LMDBEventLog) throws -> Int {
    let rooms = events / shape.events
    var changes: [RoomChange] = []
    for number in 0..<rooms {
      changes.append(try room(number))
      if changes.count * shape.events >= 20_000 || number == rooms - 1 {
        try log.write(changes)
        changes = []
      }
    }
    return rooms
  }

  private func room(_ number: Int) throws -> RoomChange {
    var nonce: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    nonce.append(bigEndian: UInt64(number))
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: UInt16(shape.games),
      nonce: nonce,
      profile: Profile(name: "Anna", emoji: "🐱"), creatorSeat: 0)
    var room = SyntheticRoom(
      keys: [host, guest], hasher: hasher, wallTime: 1_700_000_000_000 + UInt64(number),
      limitUnsigned: signsEach ? 1 : Run.limitEvents)
    let start = try room.begin(create)
    var node = start
    for game in 0..<shape.games {
      for (ply, cell) in shape.cells.enumerated() {
        let step = Action.Step(game: UInt16(game), ply: UInt16(ply), node: node)
        node = try room.write(.move(step, code: cell, nil), by: (game + ply) % 2)
      }
    }
    if let scores = shape.scores {
      let result = Action.result(game: UInt16(shape.games - 1), ending: node, scores: scores)
      for seat in 0..<2 { _ = try room.write(result, by: seat) }
    }
    return room.change()
  }
}
