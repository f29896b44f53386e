package import BotKit
package import Rules

/// A game looked at move by move: what each was worth beside the best, and which one lost it.
package struct GameReview: Sendable {
  /// A move that was made.
  package struct Step: Sendable {
    /// How many moves were made with it.
    package var ply: Int
    /// The move.
    package var code: MoveCode
    /// What the moves were worth where it was made.
    package var analysis: PositionAnalysis
    /// What it was worth.
    package var played: PositionAnalysis.Move

    /// The seat that made it.
    package var seat: Seat { analysis.seat }
    /// Whether no other move is worth more.
    package var isBest: Bool { played.isAsGood(as: analysis.best) }
    /// Whether it gave away a win, or that its seat does not lose.
    package var isMistake: Bool { played.isMistake(beside: analysis.best) }
  }

  /// How well a seat has played.
  package struct Play: Hashable, Sendable {
    /// The moves that were looked at.
    package var moves = 0
    /// Those that were as good as any.
    package var best = 0
    /// Those that gave away a win, or that the seat does not lose.
    package var mistakes = 0

    /// The share of moves that were as good as any, in whole percents; `nil` without a move.
    package var accuracyPercent: Int? { moves > 0 ? (best * 100 + moves / 2) / moves : nil }
  }

  /// The moves in order; what chance drew is left out.
  package private(set) var steps: [Step] = []

  package init() {}

  /// Takes in the next move.
  /// - Parameters:
  ///   - position: a position that waits for `seat`.
  ///   - code: the legal move that was made there.
  ///   - ply: how many moves were made with it.
  /// - Throws: what `SearchBots.analyze` throws.
  package mutating func add(
    _ code: MoveCode, by seat: Seat, in position: any GameState, ply: Int, nodes: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) {
    let analysis = try SearchBots.analyze(
      position, seat: seat, played: code, nodes: nodes, isCancelled: isCancelled)
    guard let played = analysis.move(code) else { return }
    steps.append(Step(ply: ply, code: code, analysis: analysis, played: played))
  }

  /// The move that led to a position; `nil` at the start.
  package func step(to ply: Int) -> Step? { steps.first { $0.ply == ply } }

  /// How well a seat has played.
  package func play(of seat: Seat) -> Play {
    steps.reduce(into: Play()) { play, step in
      guard step.seat == seat else { return }
      play.moves += 1
      play.best += step.isBest ? 1 : 0
      play.mistakes += step.isMistake ? 1 : 0
    }
  }

  /// The move with which a seat lost: the last one where it had a choice that did not lose, as far as the search sees;
  /// `nil` where there was none, or where nothing says that the game was lost after it.
  package func losingMistake(of seat: Seat) -> Step? {
    let own = steps.filter { $0.seat == seat }
    guard let index = own.lastIndex(where: { !$0.analysis.best.isLost }) else { return nil }
    return own[index].played.isLost || index < own.count - 1 ? own[index] : nil
  }

  /// The move with which a game was lost: that of the first seat beside the winner that has one.
  package func losingMistake(winner: Seat, seats: Int) -> Step? {
    (0..<seats).lazy.map { Seat(UInt16(clamping: $0)) }.filter { $0 != winner }
      .compactMap { losingMistake(of: $0) }.first
  }
}
