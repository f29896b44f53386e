public import Rules

/// What right answers are worth by when they came, with the settings that say so: of a quiz, and of whatever else gives
/// points for right and quick answers.
public struct AnswerPoints: Hashable, Sendable {
  /// How points fall with time.
  public enum Curve: String, CaseIterable, Sendable {
    /// In proportion to the time that is left, and never less than 100 of 1,000.
    case linear
    /// From 1,000, which answers in the first half second have, down to 500 at the limit.
    case classic
  }

  /// What an answer under half a second is worth with the classic curve, and one at once with the linear one.
  private static let most: UInt32 = 1_000
  /// The least that a right answer is worth.
  private static let least: UInt32 = 100
  private static let fullMarksMilliseconds: UInt32 = 500

  /// The settings.
  public static let settings = [
    ParameterDefinition(
      name: "curve",
      summary: "how points fall with time: linear (1,000 to 100) or classic (1,000 to 500)",
      standard: Curve.linear.rawValue),
    ParameterDefinition(
      name: "grace", summary: "how many milliseconds after the close a late answer still counts, 0 to 10000",
      standard: "3000"),
  ]

  /// How points fall with time.
  public var curve: Curve
  /// How long after the close an answer that was under way still counts, in milliseconds.
  public var graceMilliseconds: UInt32

  /// Points by this curve, and with this grace.
  public init(curve: Curve = .linear, graceMilliseconds: UInt32 = 3_000) {
    self.curve = curve
    self.graceMilliseconds = graceMilliseconds
  }

  /// Reads the settings; those not given have their standard values.
  public init(_ parameters: Parameters) throws(RulesError) {
    self.init()
    for entry in parameters.entries {
      switch entry.name {
      case "curve":
        guard let curve = Curve(rawValue: entry.value) else {
          throw .badParameter(name: "curve", value: entry.value, expected: "linear or classic")
        }
        self.curve = curve
      case "grace":
        guard let grace = UInt32(entry.value), grace <= 10_000, "\(grace)" == entry.value else {
          throw .badParameter(
            name: "grace", value: entry.value, expected: "a number of milliseconds from 0 to 10000")
        }
        graceMilliseconds = grace
      default: throw .unknownParameter(entry.name, known: Self.settings.map(\.name))
      }
    }
  }

  /// The settings in their canonical spelling.
  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["curve"] = curve.rawValue
    parameters["grace"] = "\(graceMilliseconds)"
    return parameters
  }

  /// What a right answer of a round is worth.
  public func points(_ entry: HostedRound.Entry, in round: HostedRound) -> UInt32 {
    if entry.milliseconds > round.closedMilliseconds {
      return entry.milliseconds - round.closedMilliseconds <= graceMilliseconds ? Self.least : 0
    }
    return points(after: entry.milliseconds, of: round.limitMilliseconds)
  }

  /// What a right answer is worth that came in time.
  /// - Parameters:
  ///   - time: milliseconds since the question was asked.
  ///   - limit: the question's limit, in milliseconds.
  public func points(after time: UInt32, of limit: UInt32) -> UInt32 {
    guard time < limit else { return curve == .linear ? Self.least : Self.most / 2 }
    let (time, limit, most) = (UInt64(time), UInt64(limit), UInt64(Self.most))
    switch curve {
    case .linear: return max(Self.least, UInt32(most * (limit - time) / limit))
    case .classic:
      if time < Self.fullMarksMilliseconds { return Self.most }
      // The nearest whole number to 1,000 · (1 − t/2L), a half rounded up.
      return UInt32((most * (2 * limit - time) + limit) / (2 * limit))
    }
  }
}
