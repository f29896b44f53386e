/// How a game ended: one score per seat, by seat number. A higher score is better.
///
/// Games that are only won, drawn or lost give 1 to the winner and 0 to everybody else; 0 to all is a draw.
public struct Outcome: Hashable, Sendable {
  /// One score per seat, by seat number.
  public var scores: [Int32]

  /// An outcome with these scores, one per seat.
  public init(scores: [Int32]) { self.scores = scores }

  /// A game won by one seat of `seats`.
  public static func won(by seat: Seat, of seats: Int) -> Outcome {
    Outcome(scores: (0..<seats).map { $0 == seat.index ? 1 : 0 })
  }

  /// A game that nobody of `seats` won.
  public static func drawn(of seats: Int) -> Outcome {
    Outcome(scores: [Int32](repeating: 0, count: seats))
  }

  /// The seat with the highest score, when one seat alone has it.
  public var winner: Seat? {
    guard let best = scores.max() else { return nil }
    let holders = scores.indices.filter { scores[$0] == best }
    return holders.count == 1 ? Seat(UInt8(truncatingIfNeeded: holders[0])) : nil
  }
}
