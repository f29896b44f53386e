public import Rules

/// What was played of a game and stands, in order: a view of where it is kept, made without a copy.
public struct GameHistory: RandomAccessCollection, Sendable {
  /// A move, or a round of choices.
  public struct Ply: Hashable, Sendable {
    /// Who moved; `nil` for a round.
    public var seat: Seat?
    /// One code for a move; one per seat for a round, `nil` for seats that did not choose.
    public var choices: [MoveCode?]

    /// A ply of these values.
    public init(seat: Seat?, choices: [MoveCode?]) {
      self.seat = seat
      self.choices = choices
    }
  }

  private let record: any GamePlies

  /// The history of a game whose plies are kept elsewhere.
  package init(_ record: any GamePlies) { self.record = record }

  /// A history of these plies, such as for a bot's test; without any, the game begins.
  public init(_ plies: [Ply] = []) { record = ListedPlies(plies: plies) }

  public var startIndex: Int { 0 }
  public var endIndex: Int { record.count }

  public subscript(position: Int) -> Ply {
    precondition(indices.contains(position), "ply \(position) of a game of \(record.count)")
    return record.ply(at: position)
  }
}

/// Where the plies of a game are kept.
package protocol GamePlies: Sendable {
  var count: Int { get }
  func ply(at index: Int) -> GameHistory.Ply
}

private struct ListedPlies: GamePlies {
  let plies: [GameHistory.Ply]

  var count: Int { plies.count }
  func ply(at index: Int) -> GameHistory.Ply { plies[index] }
}
