package import BotKit
package import Rules

/// A game played by random choices, with every position that it met.
package struct RandomGame<R: Rules>: Sendable {
  /// The seat that was asked to move first.
  package var first: Seat
  /// All positions, the first one before any move, the last one after the last move.
  package var positions: [R.Position]
  /// What led from each position to the next: one code, or one per seat where seats choose together.
  package var steps: [[MoveCode]] = []
  /// The chance of each step.
  package var chances: [Chance] = []

  /// Plays until the game is over, until nobody can move, or until the limit.
  package init(_ rules: R, first: Seat, plyLimit: Int, random: inout RandomStream) {
    self.first = first
    var position = rules.start(first: first)
    positions = [position]
    while steps.count < plyLimit, let step = Self.step(rules, position, &random) {
      let chance = Chance(seed: random.next())
      position = rules.after(step, by: chance, in: position)
      positions.append(position)
      steps.append(step)
      chances.append(chance)
    }
  }

  /// Where a finding was made; spelled out only when it is shown.
  struct Place: CustomStringConvertible {
    let steps: [[MoveCode]]
    let ply: Int

    var description: String { "ply \(ply) after \(steps.prefix(ply).map { $0.map(\.rawValue) })" }
  }

  /// The place of the position after so many steps.
  func place(_ ply: Int) -> Place { Place(steps: steps, ply: ply) }

  private static func step(_ rules: R, _ position: R.Position, _ random: inout RandomStream) -> [MoveCode]? {
    var step: [MoveCode] = []
    for seat in rules.seatsToChoose(in: position) {
      let moves = rules.legalMoves(of: seat, in: position)
      guard !moves.isEmpty else { return nil }
      step.append(rules.code(of: moves[Int(random.below(UInt64(moves.count)))]))
    }
    return step.isEmpty ? nil : step
  }
}

extension Rules {
  /// Every seat at the table.
  var allSeats: [Seat] { (0..<seats).map { Seat(UInt16(truncatingIfNeeded: $0)) } }

  /// The seats that the position waits for.
  func seatsToChoose(in position: Position) -> [Seat] {
    switch turn(in: position) {
    case .seat(let seat): [seat]
    case .everyone: allSeats
    case .over: []
    }
  }

  /// The position after the choices of one step, which are legal.
  func after(_ step: [MoveCode], by chance: Chance, in position: Position) -> Position {
    var next = position
    let moves = step.compactMap { move(code: $0) }
    precondition(moves.count == step.count, "\(Self.name): a legal move has no code")
    if case .everyone = turn(in: position) {
      var chance = chance
      resolve(moves, by: &chance, in: &next)
    } else {
      play(moves[0], in: &next)
    }
    return next
  }
}
