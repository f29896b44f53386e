/// A question of a quiz, as it is asked: without its answer.
public struct QuizQuestion: Hashable, Sendable {
  /// The longest question, in bytes of UTF-8.
  public static let limitTextBytes = 1_024
  /// The longest choice, in bytes of UTF-8.
  public static let limitChoiceBytes = 200
  /// How many choices a question has.
  public static let choiceCounts = 2...4

  /// The question.
  public var text: String
  /// What is to be chosen from.
  public var choices: [String]

  /// A question; `nil` where a text is empty or over its limit, or there are too few or too many choices.
  public init?(text: String, choices: [String]) {
    guard (1...Self.limitTextBytes).contains(text.utf8.count), Self.choiceCounts.contains(choices.count),
      choices.allSatisfy({ (1...Self.limitChoiceBytes).contains($0.utf8.count) })
    else { return nil }
    self.text = text
    self.choices = choices
  }

  /// The canonical bytes: the text with a length of two bytes, the number of choices, each with a length of one byte.
  public var content: [UInt8] {
    var bytes = [UInt8(truncatingIfNeeded: text.utf8.count >> 8), UInt8(truncatingIfNeeded: text.utf8.count)]
    bytes += Array(text.utf8)
    bytes.append(UInt8(truncatingIfNeeded: choices.count))
    for choice in choices {
      bytes.append(UInt8(truncatingIfNeeded: choice.utf8.count))
      bytes += Array(choice.utf8)
    }
    return bytes
  }

  /// Reads the canonical bytes; `nil` when they are not exactly what `content` would give.
  public init?(content: [UInt8]) {
    var rest = content[...]
    func take(_ count: Int) -> String? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return String(validating: rest.prefix(count), as: UTF8.self)
    }
    guard rest.count >= 2 else { return nil }
    let length = Int(rest[0]) << 8 | Int(rest[1])
    rest = rest.dropFirst(2)
    guard let text = take(length), let count = rest.popFirst() else { return nil }
    var choices: [String] = []
    for _ in 0..<count {
      guard let length = rest.popFirst(), let choice = take(Int(length)) else { return nil }
      choices.append(choice)
    }
    guard rest.isEmpty else { return nil }
    self.init(text: text, choices: choices)
  }
}
