/// How far the opening swap2 is where an engine of Gomocup's protocol has to choose, and what its answers mean.
///
/// The protocol knows three questions, each a `SWAP2BOARD` with the stones: with none for three stones, with three
/// and with five for a colour. An engine that stays with white puts its next stone in the same answer.
struct GomocupOpening: Hashable, Sendable {
  private enum Stage: Sendable {
    case stones, answer, addition, choice
  }

  private let stage: Stage

  /// `nil` where the opening is over.
  /// - Parameter moves: the moves before, as people write them.
  init?(after moves: [String]) {
    let stones = Self.stones(of: moves).count
    switch moves.filter(Self.isWord) {
    case []: stage = stones < 3 ? .stones : .answer
    case ["two"]: stage = stones < 5 ? .addition : .choice
    default: return nil
    }
  }

  /// How many stones the engine is shown: where it has begun an answer, those that were there before.
  var shown: Int {
    switch stage {
    case .stones: 0
    case .answer, .addition: 3
    case .choice: 5
    }
  }

  /// The moves that are stones.
  static func stones(of moves: [String]) -> [String] { moves.filter { !isWord($0) } }

  private static func isWord(_ move: String) -> Bool { ["white", "black", "two"].contains(move) }

  /// What an answer means, as moves one after the other; `nil` where it means nothing.
  /// - Parameters:
  ///   - cells: its words, where all of them are stones.
  ///   - moves: the moves before.
  func choices(_ words: [String], _ cells: [String]?, _ moves: [String]) -> [String]? {
    let isSwap = words.map { $0.uppercased() } == ["SWAP"]
    return switch (stage, cells?.count ?? 0) {
    case (.stones, 3): Array(left(of: cells, moves).prefix(3 - moves.count))
    case (.answer, _) where isSwap, (.choice, _) where isSwap: ["black"]
    case (.answer, 1), (.choice, 1): ["white"] + (cells ?? [])
    case (.answer, 2): ["two"] + (cells ?? [])
    case (.addition, 2): Array(left(of: cells, moves).prefix(5 - Self.stones(of: moves).count))
    default: nil
    }
  }

  /// Those stones that were not put already.
  private func left(of cells: [String]?, _ moves: [String]) -> [String] {
    (cells ?? []).filter { !moves.contains($0) }
  }
}
