internal import JSON

/// The questions of a quiz with their answers, as its host keeps them in a file (Docs/QUIZ.md).
public struct QuizFile: Hashable, Sendable {
  /// The largest file, in bytes.
  public static let limitBytes = 1 << 20
  /// The most questions: as many as a room has rounds.
  public static let limitQuestions = 256
  /// The longest title, in bytes of UTF-8.
  public static let limitTitleBytes = 64
  /// The seconds for an answer where nothing is said, and what may be said.
  public static let standardSeconds = 15
  /// The seconds that may be given for an answer.
  public static let limitSeconds = 1...600

  /// A question with its answer.
  public struct Item: Hashable, Sendable {
    /// What is asked.
    public var question: QuizQuestion
    /// Which choice is right, from 0.
    public var answer: UInt8
    /// How long players may think, in milliseconds.
    public var limitMilliseconds: UInt32
  }

  /// The quiz's title.
  public var title: String
  /// The questions, in order.
  public var questions: [Item]

  /// Reads a file.
  /// - Throws: what is wrong, and in which line.
  public init(reading text: [UInt8]) throws(QuizFileError) {
    guard text.count <= Self.limitBytes else {
      throw QuizFileError(line: nil, reason: "the file is larger than \(Self.limitBytes) bytes")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
      throw QuizFileError(line: error.line, reason: "column \(error.column): \(error.reason)")
    }
    do throws(Fault) {
      let members = try Self.members(of: value, ["title", "seconds", "questions"])
      title = try Self.text(members["title"], "title", limit: Self.limitTitleBytes) ?? ""
      let seconds = try Self.seconds(members["seconds"]) ?? Self.standardSeconds
      guard let values = members["questions"]?.array else { throw Fault("it has no list “questions”") }
      guard (1...Self.limitQuestions).contains(values.count) else {
        throw Fault("it has \(values.count) questions, and takes 1 to \(Self.limitQuestions)")
      }
      questions = []
      for (index, value) in values.enumerated() {
        do throws(Fault) { questions.append(try Item(value, seconds: seconds)) } catch {
          throw Fault(error.reason, question: index)
        }
      }
    } catch {
      let place = error.question.map { "question \($0 + 1): " } ?? ""
      let line = error.question.flatMap { Self.line(of: $0, in: value, text) }
      throw QuizFileError(line: line, reason: place + error.reason)
    }
  }

  fileprivate struct Fault: Error {
    let reason: String
    let question: Int?

    init(_ reason: String, question: Int? = nil) {
      self.reason = reason
      self.question = question
    }
  }

  /// In which line a question begins.
  private static func line(of question: Int, in value: JSONValue, _ text: [UInt8]) -> Int? {
    guard case .object(let members) = value else { return nil }
    let list = members.firstIndex { $0.name == "questions" }
    return list.flatMap { JSONPlaces(text).place($0, question)?.line }
  }

  /// The members of an object by name; others than these are refused.
  fileprivate static func members(
    of value: JSONValue, _ known: [String]
  ) throws(Fault) -> [String: JSONValue] {
    guard case .object(let members) = value else { throw Fault("it is no object in braces") }
    for member in members where !known.contains(member.name) {
      throw Fault("“\(member.name.prefix(40))” is unknown here; there is \(known.joined(separator: ", "))")
    }
    return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  fileprivate static func text(
    _ value: JSONValue?, _ name: String, limit: Int
  ) throws(Fault) -> String? {
    guard let value else { return nil }
    guard let text = value.string else { throw Fault("“\(name)” is no text in quotation marks") }
    guard text.utf8.count <= limit else {
      throw Fault("“\(name)” has \(text.utf8.count) bytes, and takes \(limit)")
    }
    return text
  }

  fileprivate static func seconds(_ value: JSONValue?) throws(Fault) -> Int? {
    guard let value else { return nil }
    guard case .integer(let seconds) = value, limitSeconds.contains(Int(clamping: seconds)) else {
      throw Fault(
        "“seconds” must be a whole number from \(limitSeconds.lowerBound) to \(limitSeconds.upperBound)")
    }
    return Int(seconds)
  }
}

extension QuizFile.Item {
  fileprivate init(_ value: JSONValue, seconds: Int) throws(QuizFile.Fault) {
    let members = try QuizFile.members(of: value, ["text", "choices", "answer", "seconds"])
    guard let text = try QuizFile.text(members["text"], "text", limit: QuizQuestion.limitTextBytes),
      !text.isEmpty
    else { throw QuizFile.Fault("it has no “text”") }
    let choices = try Self.choices(members["choices"])
    guard let question = QuizQuestion(text: text, choices: choices) else {
      throw QuizFile.Fault("it has an empty choice")
    }
    guard case .integer(let answer)? = members["answer"], (1...Int64(choices.count)).contains(answer) else {
      throw QuizFile.Fault("“answer” must be the number of the right choice, from 1 to \(choices.count)")
    }
    self.question = question
    self.answer = UInt8(answer - 1)
    limitMilliseconds = UInt32(try QuizFile.seconds(members["seconds"]) ?? seconds) * 1_000
  }

  private static func choices(_ value: JSONValue?) throws(QuizFile.Fault) -> [String] {
    let counts = QuizQuestion.choiceCounts
    guard let values = value?.array, counts.contains(values.count) else {
      throw QuizFile.Fault(
        "“choices” must be a list of \(counts.lowerBound) to \(counts.upperBound) texts")
    }
    var choices: [String] = []
    for value in values {
      guard let text = try QuizFile.text(value, "choices", limit: QuizQuestion.limitChoiceBytes) else {
        continue
      }
      choices.append(text)
    }
    return choices
  }
}

/// What is wrong with a file of questions.
public struct QuizFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, from 1; `nil` where no line is to blame.
  public let line: Int?
  /// What is wrong.
  public let reason: String

  /// The place and the reason.
  public var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
