public import Rules

/// A quiz: each round has a question with two to four choices, of which one is right; quick answers are worth more.
public struct Quiz: HostedRules {
  public static let name = "quiz"
  public static let version: UInt16 = 1
  public static let title = "Quiz"
  public static let summary = "A host asks, everybody answers at once; right and quick answers score."
  public static let settings = AnswerPoints.settings
  public static let roundWord = "question"

  /// What right answers are worth.
  public var worth: AnswerPoints
  public var graceMilliseconds: UInt32 { worth.graceMilliseconds }

  /// A quiz with these settings.
  public init(curve: AnswerPoints.Curve = .linear, graceMilliseconds: UInt32 = 3_000) {
    worth = AnswerPoints(curve: curve, graceMilliseconds: graceMilliseconds)
  }

  public init(_ parameters: Parameters) throws(RulesError) { worth = try AnswerPoints(parameters) }

  public var parameters: Parameters { worth.parameters }

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
    round.entries.map { $0.choice == round.solution ? worth.points($0, in: round) : 0 }
  }
}
