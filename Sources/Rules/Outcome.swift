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
    seats == 2 && seat.index < 2
      ? wonOfTwo[seat.index] : Outcome(scores: (0..<seats).map { $0 == seat.index ? 1 : 0 })
  }

  /// A game that nobody of `seats` won.
  public static func drawn(of seats: Int) -> Outcome {
    seats == 2 ? drawnOfTwo : Outcome(scores: [Int32](repeating: 0, count: seats))
  }

  // Most games end so: all of them share one list of scores.
  private static let wonOfTwo = [Outcome(scores: [1, 0]), Outcome(scores: [0, 1])]
  private static let drawnOfTwo = Outcome(scores: [0, 0])

  /// The seat with the highest score, when one seat alone has it.
  public var winner: Seat? {
    var best: Int?
    var isShared = false
    for (seat, score) in scores.enumerated() {
      if let best, score <= scores[best] {
        isShared = isShared || score == scores[best]
      } else {
        (best, isShared) = (seat, false)
      }
    }
    guard let best, !isShared else { return nil }
    return Seat(UInt16(truncatingIfNeeded: best))
  }
}
