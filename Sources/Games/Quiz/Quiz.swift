public import Rules

/// A quiz: each round has a question with two to four choices, of which one is right; quick answers are worth more.
public struct Quiz: HostedRules {
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

  public static let name = "quiz"
  public static let version: UInt16 = 1
  public static let title = "Quiz"
  public static let summary = "A host asks, everybody answers at once; right and quick answers score."
  public static let settings = [
    ParameterDefinition(
      name: "curve",
      summary: "how points fall with time: linear (1,000 to 100) or classic (1,000 to 500)",
      standard: Curve.linear.rawValue),
    ParameterDefinition(
      name: "grace", summary: "how many milliseconds after the close a late answer still counts, 0 to 10000",
      standard: "3000"),
  ]
  public static let roundWord = "question"

  /// How points fall with time.
  public var curve: Curve
  public var graceMilliseconds: UInt32

  /// A quiz with these settings.
  public init(curve: Curve = .linear, graceMilliseconds: UInt32 = 3_000) {
    self.curve = curve
    self.graceMilliseconds = graceMilliseconds
  }

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

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["curve"] = curve.rawValue
    parameters["grace"] = "\(graceMilliseconds)"
    return parameters
  }

  public var isSealed: Bool { true }

  public func question(_ content: [UInt8]) -> HostedQuestion? {
    QuizQuestion(content: content).map { HostedQuestion(text: $0.text, choices: $0.choices) }
  }

  public func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool { isEntry(solution, in: content) }

  public func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool {
    guard choice.count == 1, let question = QuizQuestion(content: content) else { return false }
    return Int(choice[0]) < question.choices.count
  }

  /// A choice is typed as its number or its letter.
  public func entry(text: String, in content: [UInt8]) -> [UInt8]? {
    let typed = Array(text.utf8)
    guard typed.count == 1 else { return nil }
    let number: UInt8
    switch typed[0] {
    case UInt8(ascii: "1")...UInt8(ascii: "4"): number = typed[0] - UInt8(ascii: "1")
    case UInt8(ascii: "a")...UInt8(ascii: "d"): number = typed[0] - UInt8(ascii: "a")
    case UInt8(ascii: "A")...UInt8(ascii: "D"): number = typed[0] - UInt8(ascii: "A")
    default: return nil
    }
    return isEntry([number], in: content) ? [number] : nil
  }

  public func text(of choice: [UInt8], in content: [UInt8]) -> String {
    isEntry(choice, in: content) ? "\(choice[0] + 1)" : "?"
  }

  public func points(_ round: HostedRound) -> [UInt32] {
    round.entries.map { entry in
      guard entry.choice == round.solution else { return 0 }
      if entry.milliseconds > round.closedMilliseconds {
        return entry.milliseconds - round.closedMilliseconds <= graceMilliseconds ? Self.least : 0
      }
      return points(after: entry.milliseconds, of: round.limitMilliseconds)
    }
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
