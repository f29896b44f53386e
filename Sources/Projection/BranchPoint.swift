package import Events
package import Rules

/// Why no game can go on from a position of another one.
package enum BranchFault: Error, Hashable, Sendable {
  /// The game, by its number from 1, has not so many plies.
  case tooFar(game: Int, plies: Int)
  /// The game is over there.
  case over
  /// A room cannot hold so many moves before the first one of its own.
  case tooLong(plies: Int)
  /// The moves cannot open a game of these rules.
  case opening(OpeningFault)
}

extension BranchFault: CustomStringConvertible {
  /// What is wrong, in words.
  package var description: String {
    switch self {
    case .tooFar(let game, let plies): "game \(game) has \(Self.moves(plies)); take a number up to that"
    case .over: "the game is over there: take a lower number"
    case .tooLong(let plies): "a room cannot hold an opening of \(Self.moves(plies))"
    case .opening(let fault): fault.description
    }
  }

  private static func moves(_ count: Int) -> String { count == 1 ? "1 move" : "\(count) moves" }
}

/// A position of a game from which another game can go on: the moves that lead there open the other one.
package struct BranchPoint: Hashable, Sendable {
  /// Which position it is, as the new room says.
  package let branch: Create.Branch
  /// The openings of the new room; none for the start.
  package let openings: [[UInt16]]
  /// Who is to move there, where seat 0 has moved first.
  package let mover: Seat

  /// The position of a game after some of the plies that stand.
  /// - Parameters:
  ///   - plies: how many; 0 for the start.
  ///   - game: over or not.
  ///   - room: the game's.
  ///   - rules: the room's, with its parameters.
  package init(
    after plies: Int, of game: GameRecord, in room: RoomID, _ rules: any GameRules
  ) throws(BranchFault) {
    guard (0...game.plies.count).contains(plies) else {
      throw .tooFar(game: game.number + 1, plies: game.plies.count)
    }
    let codes = game.plies.prefix(plies).compactMap { UInt16(exactly: $0.code.rawValue) }
    guard codes.count == plies, let ply = UInt16(exactly: plies), codes.isEmpty || Create.canHold([codes])
    else { throw .tooLong(plies: plies) }
    mover = try Self.mover(after: codes, rules)
    openings = codes.isEmpty ? [] : [codes]
    branch = Create.Branch(room: room, game: UInt16(clamping: game.number), ply: ply)
  }

  /// Who is to move after these moves, where seat 0 has moved first. They must be legal whoever moves first.
  private static func mover(after codes: [UInt16], _ rules: any GameRules) throws(BranchFault) -> Seat {
    do throws(OpeningFault) {
      let moves = codes.map { MoveCode(UInt32($0)) }
      let position = try rules.opened(with: moves, first: Seat(0))
      _ = try rules.opened(with: moves, first: Seat(1))
      guard case .seat(let mover) = position.turn else { throw .noOpenings(game: rules.definition.name) }
      return mover
    } catch {
      if case .ends = error { throw .over }
      throw .opening(error)
    }
  }
}
