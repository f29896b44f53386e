internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Platform
internal import Projection
internal import Rules
internal import SearchBots
internal import Service

// What the moves of a game that is over were worth.

extension TableSockets {
  /// The most moves of a game that is looked at, and how many positions are: of a game, and of a move.
  private static let (limitMoves, limitNodes, limitMoveNodes) = (512, 1_000_000, 20_000)

  /// What each move of a game was worth, and which one lost it. A game that is on is not looked at: that would help
  /// one player against the other.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func analyze(_ state: RoomState, _ number: Int?, _ client: Client) async throws(ServiceError)
    -> [JSONMember]
  {
    let game = try game(number, of: state)
    let number = game.number + 1
    guard let ending = game.ending else {
      throw .refused("game \(number) is on: what its moves are worth is said when it is over")
    }
    guard SearchBots.analyzedGames.contains(state.create.rules), let rules = games.rules(of: state.create)
    else {
      throw .refused("no search knows that game")
    }
    guard game.plies.count <= Self.limitMoves else {
      throw .refused("game \(number) is too long: it has \(Self.plies(game.plies.count))")
    }
    let key = GameReviews.Key(room: state.room, number: number, end: ending.node)
    let review: Task<[JSONMember]?, Never>
    if let begun = reviews.review(key) {
      review = begun
    } else {
      guard !reviews.isFull, client.files.take(at: loop.now), allFiles.take(at: loop.now) else {
        throw .refused("many games were asked for; try again in a minute")
      }
      let isStopped = reviews.isStopped
      let seats = state.seats.count
      let positions = game.positions(from: rules.start(first: game.first), plies: game.plies.count) ?? []
      review = reviews.begin(key) {
        Self.review(game, positions, seats: seats, state.create.rules) { isStopped.withLock { $0 } }
      }
      _ = await review.value
      reviews.end(key)
    }
    guard let members = await review.value else { throw .refused("that game could not be looked at") }
    return Self.named(state.room) + members
  }

  /// - Parameter positions: those of the game, before its first move and after each.
  /// - Returns: `nil` when it was stopped.
  private static func review(
    _ game: GameRecord, _ positions: [any GameState], seats: Int, _ name: String,
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
      JSONMember("moves", .array(review.steps.map { json($0, positions[$0.ply - 1], name) })),
    ]
  }

  private static func json(_ step: GameReview.Step, _ position: any GameState, _ name: String) -> JSONValue {
    func words(_ move: PositionAnalysis.Move) -> JSONValue {
      .string(SearchBots.words(for: move, in: name, after: step.ply))
    }
    let best = step.isBest ? nil : step.analysis.best
    return [
      "ply": .integer(Int64(step.ply)), "seat": .integer(Int64(step.seat.index + 1)),
      "move": .string(position.text(of: step.code)), "worth": words(step.played),
      "best": .optional(best.map { position.text(of: $0.code) }), "best-worth": best.map(words) ?? .null,
      "mistake": .bool(step.isMistake),
    ]
  }
}

/// What was found of games, made one after the other on a thread of its own, and kept for whoever asks next.
struct GameReviews {
  /// A game that has ended, and how.
  struct Key: Equatable {
    let room: RoomID
    let number: Int
    let end: EventID
  }

  /// How many are kept, and how many may wait.
  private static let (limit, limitWaiting) = (64, 8)

  private let thread = WorkThread()
  private var all: [(key: Key, isOver: Bool, review: Task<[JSONMember]?, Never>)] = []
  /// Whether nothing is looked at any more.
  let isStopped = Guarded(false)

  /// Whether so many wait that no other may.
  var isFull: Bool { all.count { !$0.isOver } >= Self.limitWaiting }

  /// What is found or sought of a game; `nil` for one that has to be begun.
  func review(_ key: Key) -> Task<[JSONMember]?, Never>? { all.first { $0.key == key }?.review }

  /// Begins to look at a game.
  mutating func begin(
    _ key: Key, _ work: @escaping @Sendable () -> [JSONMember]?
  ) -> Task<[JSONMember]?, Never> {
    let thread = thread
    let review = Task {
      await withCheckedContinuation { answer in thread.add { answer.resume(returning: work()) } }
    }
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
