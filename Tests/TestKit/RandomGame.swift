package import BotKit
package import Rules

/// A game played by random choices, with every position that it met.
package struct RandomGame<R: Rules>: Sendable {
  /// The seat that was asked to move first.
  package var first: Seat
  /// All positions, the first one before any move, the last one after the last move.
  package var positions: [R.Position]
  /// What led from each position to the next: one code, or one per seat in a round.
  package var steps: [[MoveCode]] = []
  /// The chance of each step.
  package var chances: [Chance] = []

  /// Plays until the game is over, until nobody can move, or until the limit.
  package init(_ rules: R, first: Seat, plyLimit: Int, random: inout RandomStream) {
    self.init(rules, first: first, from: rules.start(first: first), plyLimit: plyLimit, random: &random)
  }

  /// Plays on from a position.
  init(_ rules: R, first: Seat, from start: R.Position, plyLimit: Int, random: inout RandomStream) {
    self.first = first
    var position = start
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
    let turn = rules.turn(in: position)
    if turn.outcome != nil { return nil }
    let choosing = rules.seatsToChoose(in: position)
    var step: [MoveCode] = []
    for seat in turn.isRound ? rules.allSeats : choosing {
      guard choosing.contains(seat) else {
        step.append(.none)
        continue
      }
      let moves = rules.legalMoves(of: seat, in: position)
      guard !moves.isEmpty else { return nil }
      step.append(rules.code(of: moves[Int(random.below(UInt64(moves.count)))]))
    }
    return step
  }
}

extension Rules {
  /// Every seat at the table.
  var allSeats: [Seat] { (0..<seats).map { Seat(UInt16(truncatingIfNeeded: $0)) } }

  /// The seats that the position waits for.
  func seatsToChoose(in position: Position) -> [Seat] {
    switch turn(in: position) {
    case .seat(let seat): [seat]
    case .round(let choosing): Array(choosing)
    case .over: []
    }
  }

  /// The position after the choices of one step, which are legal.
  func after(_ step: [MoveCode], by chance: Chance, in position: Position) -> Position {
    var next = position
    if case .round(let choosing) = turn(in: position) {
      var chance = chance
      let moves = zip(allSeats, step).map { choosing.contains($0) ? known($1) : nil }
      resolve(moves, by: &chance, in: &next)
    } else {
      play(known(step[0]), in: &next)
    }
    return next
  }

  private func known(_ code: MoveCode) -> Move {
    guard let move = move(code: code) else { preconditionFailure("\(Self.name): a legal move has no code") }
    return move
  }
}
