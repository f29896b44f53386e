internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Platform
internal import Projection
internal import Rules
internal import SearchBots

/// What was found of games, made one after the other away from the loop, and kept for whoever asks next.
struct GameReviews {
  /// A game that has ended, and how.
  struct Key: Equatable {
    let room: RoomID
    let number: Int
    let end: EventID
  }

  /// How many are kept, and how many may wait.
  private static let (limit, limitWaiting) = (64, 8)

  private let shell: Shell
  /// The last one that was begun.
  private var last: Task<[JSONMember]?, Never>?
  private var all: [(key: Key, isOver: Bool, review: Task<[JSONMember]?, Never>)] = []
  /// Whether nothing is looked at any more.
  let isStopped = Guarded(false)

  init(_ shell: Shell) { self.shell = shell }

  /// Whether so many wait that no other may.
  var isFull: Bool { all.count { !$0.isOver } >= Self.limitWaiting }

  /// What is found or sought of a game; `nil` for one that has to be begun.
  func review(_ key: Key) -> Task<[JSONMember]?, Never>? { all.first { $0.key == key }?.review }

  /// Begins to look at a game.
  mutating func begin(
    _ key: Key, _ work: @escaping @Sendable () -> [JSONMember]?
  ) -> Task<[JSONMember]?, Never> {
    let (shell, before) = (shell, last)
    let review = Task {
      _ = await before?.value
      return await shell.wait(work)
    }
    last = review
    if all.count >= Self.limit, let oldest = all.firstIndex(where: \.isOver) { all.remove(at: oldest) }
    all.append((key, false, review))
    return review
  }

  /// Looks at nothing more.
  func stop() { isStopped.withLock { $0 = true } }

  /// A game was looked at.
  mutating func end(_ key: Key) {
    if let place = all.firstIndex(where: { $0.key == key }) { all[place].isOver = true }
  }
}

extension GameReview {
  /// How many positions are looked at: of a game, and of a move.
  private static let (limitNodes, limitMoveNodes) = (1_000_000, 20_000)

  /// What each move of a game was worth, and which one lost it.
  /// - Parameter positions: those of the game, before its first move and after each.
  /// - Returns: `nil` when it was stopped.
  static func members(
    of game: GameRecord, _ positions: [any GameState], seats: Int, _ name: String,
    isStopped: @escaping @Sendable () -> Bool
  ) -> [JSONMember]? {
    guard positions.count == game.plies.count + 1 else { return nil }
    let nodes = min(limitMoveNodes, limitNodes / max(1, game.plies.count))
    var review = GameReview()
    for (index, ply) in game.plies.enumerated() where index >= game.opening {
      guard let seat = ply.seat else { continue }
      do throws(BotError) {
        try review.add(
          ply.code, by: seat, in: positions[index], ply: index + 1, nodes: UInt64(nodes),
          isCancelled: isStopped)
      } catch { return nil }
    }
    let winner = game.ending?.outcome?.winner
    let losing = winner.flatMap { review.losingMistake(winner: $0, seats: seats) }
    return [
      JSONMember("number", .integer(Int64(game.number + 1))),
      JSONMember("plies", .integer(Int64(game.plies.count))),
      JSONMember("losing", losing.map { .integer(Int64($0.ply)) } ?? .null),
      JSONMember(
        "accuracy",
        .array(
          (0..<seats).map { index in
            review.play(of: Seat(UInt16(clamping: index))).accuracyPercent.map { .integer(Int64($0)) }
              ?? .null
          })),
      JSONMember("moves", .array(review.steps.map { $0.json(in: positions[$0.ply - 1], name) })),
    ]
  }
}

extension GameReview.Step {
  fileprivate func json(in position: any GameState, _ name: String) -> JSONValue {
    func words(_ move: PositionAnalysis.Move) -> JSONValue {
      .string(SearchBots.words(for: move, in: name, after: ply))
    }
    let best = isBest ? nil : analysis.best
    return [
      "ply": .integer(Int64(ply)), "seat": .integer(Int64(seat.index + 1)),
      "move": .string(position.text(of: code)), "worth": words(played),
      "best": .optional(best.map { position.text(of: $0.code) }), "best-worth": best.map(words) ?? .null,
      "mistake": .bool(isMistake),
    ]
  }
}
