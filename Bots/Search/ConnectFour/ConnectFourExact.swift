import BotKit
import Games
import Rules
import Synchronization

/// The exact search of Connect Four, with tables that are kept from one search to the next.
///
/// Tables are kept only because making one takes milliseconds: a solver's answer never depends on what it
/// solved before. At most `places` of them exist; one more search at a time waits for the first.
final class ConnectFourExact: ExactSearch {
  private static let places = 4

  private final class Place: Sendable {
    let solver = Mutex<ConnectFourSolver?>(nil)
  }

  private let places: [Place] = (0..<ConnectFourExact.places).map { _ in Place() }

  var leastNodes: UInt64 { 1 }

  func answer(
    _ game: GameOf<ConnectFour>, nodeLimit: UInt64?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ExactAnswer {
    let position = game.position
    let limit = nodeLimit.map { max($0, leastNodes) }
    for place in places {
      let solution = try place.solver.withLockIfAvailable { (solver) throws(BotError) in
        try Self.solve(position, with: &solver, nodeLimit: limit, isCancelled: isCancelled)
      }
      if let solution { return ExactAnswer(solution) }
    }
    let solution = try places[0].solver.withLock { (solver) throws(BotError) in
      try Self.solve(position, with: &solver, nodeLimit: limit, isCancelled: isCancelled)
    }
    return ExactAnswer(solution)
  }

  /// Makes the first table: to fill its memory takes tens of milliseconds.
  func prepare() {
    places[0].solver.withLock { solver in if solver == nil { solver = ConnectFourSolver() } }
  }

  /// Whether a search would find a table.
  var isPrepared: Bool { places[0].solver.withLock { $0 != nil } }

  private static func solve(
    _ position: ConnectFour.Position, with solver: inout ConnectFourSolver?, nodeLimit: UInt64?,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ConnectFourSolution {
    let ready = solver ?? ConnectFourSolver()
    solver = ready
    return try ready.solve(position, nodeLimit: nodeLimit, isCancelled: isCancelled)
  }

  func position(_ text: String, from start: GameOf<ConnectFour>) throws(SolveError) -> GameOf<ConnectFour> {
    do {
      return GameOf(
        rules: start.rules, position: try start.rules.position(moves: text, first: start.position.first))
    } catch {
      throw .badConnectFour(error)
    }
  }
}

extension ExactAnswer {
  /// What the solver of Connect Four found.
  init(_ solution: ConnectFourSolution) {
    self.init(
      lower: solution.lower, upper: solution.upper, best: solution.bestColumns?.map(MoveCode.init(column:)),
      choice: solution.choice.map {
        Choice(code: MoveCode(column: $0.column), lower: $0.lower, isProven: solution.isChoiceProven)
      },
      nodes: solution.nodes)
  }
}

extension MoveCode {
  fileprivate init(column: Int) { self.init(UInt32(truncatingIfNeeded: column)) }
}
