public import Rules

extension PrisonersDilemma {
  /// What a seat chooses in a round; the raw value is the move's code.
  public enum Choice: UInt8, Hashable, Sendable, CaseIterable {
    /// Cooperate, written C.
    case cooperate = 0
    /// Defect, written D.
    case defect = 1

    /// The other choice.
    package var opposite: Choice { self == .cooperate ? .defect : .cooperate }
  }

  /// What one seat chose in each round, a bit per round.
  public struct History: Hashable, Sendable {
    /// How many rounds were played.
    public private(set) var count = 0
    private var words: [UInt64] = []

    /// What was chosen in a round, counted from 0.
    public subscript(round: Int) -> Choice {
      precondition((0..<count).contains(round), "round \(round) of \(count) was not played")
      return words[round / 64] >> UInt64(round % 64) & 1 == 0 ? .cooperate : .defect
    }

    /// What was chosen last, `nil` before the first round.
    public var last: Choice? { count == 0 ? nil : self[count - 1] }

    /// How many times the seat defected.
    public var defections: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// How many times the seat defected in these rounds.
    public func defections(in rounds: Range<Int>) -> Int {
      precondition(
        rounds.lowerBound >= 0 && rounds.upperBound <= count, "rounds \(rounds) of \(count) were not played")
      var sum = 0
      var round = rounds.lowerBound
      while round < rounds.upperBound {
        let bits = min(rounds.upperBound - round, 64 - round % 64)
        let word = (words[round / 64] >> UInt64(round % 64)) << UInt64(64 - bits)
        sum += word.nonzeroBitCount
        round += bits
      }
      return sum
    }

    /// Whether the first choices were those of another history.
    public func starts(with earlier: History) -> Bool {
      guard earlier.count <= count else { return false }
      let whole = earlier.count / 64
      guard words.prefix(whole).elementsEqual(earlier.words.prefix(whole)) else { return false }
      let rest = UInt64(earlier.count % 64)
      return rest == 0 || (words[whole] ^ earlier.words[whole]) << (64 - rest) == 0
    }

    /// Whether the seat ever defected.
    public var hasDefected: Bool { words.contains { $0 != 0 } }

    /// Eight rounds a byte, the earliest in the lowest bit, a set bit for a defection.
    var bytes: [UInt8] {
      (0..<(count + 7) / 8).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    fileprivate mutating func append(_ choice: Choice) {
      if count % 64 == 0 { words.append(0) }
      words[count / 64] |= UInt64(choice.rawValue) << UInt64(count % 64)
      count += 1
    }
  }

  /// All choices so far and what they paid.
  public struct Position: Hashable, Sendable {
    private var history0 = History()
    private var history1 = History()
    private var score0: Int32 = 0
    private var score1: Int32 = 0
    /// What chance did in the last round: a bit for each seat whose choice was turned, then one for the end.
    private(set) var chanceBits: UInt8 = 0

    /// Before the first round.
    init() {}

    /// How many rounds were played.
    public var roundsPlayed: Int { history0.count }

    /// What counted as the choices of a seat, 0 or 1, so far: with noise, some were turned.
    public func history(of seat: Seat) -> History {
      precondition(seat.rawValue < 2, "the prisoner's dilemma has two seats, not \(seat)")
      return seat.rawValue == 0 ? history0 : history1
    }

    /// The sum of a seat's payoffs, by seat number.
    public var scores: [Int32] { [score0, score1] }

    /// Whether noise turned a seat's last choice into its opposite.
    public func wasTurned(_ seat: Seat) -> Bool { seat.index < 2 && chanceBits >> UInt8(seat.index) & 1 != 0 }

    /// Whether chance ended the game.
    public var wasEndedByChance: Bool { chanceBits & 4 != 0 }

    mutating func endByChance() { chanceBits |= 4 }

    /// Plays one round.
    /// - Parameter turned: by seat, whether noise turns the choice into its opposite.
    mutating func append(
      _ choice0: Choice, _ choice1: Choice, turned: (Bool, Bool) = (false, false), payoffs: Payoffs
    ) {
      let (choice0, choice1) = (turned.0 ? choice0.opposite : choice0, turned.1 ? choice1.opposite : choice1)
      chanceBits = (turned.0 ? 1 : 0) | (turned.1 ? 2 : 0)
      history0.append(choice0)
      history1.append(choice1)
      score0 += payoffs.payoff(choice0, against: choice1)
      score1 += payoffs.payoff(choice1, against: choice0)
    }
  }
}
