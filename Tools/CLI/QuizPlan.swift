import Events
import Games
import Platform
import Projection
import Rules
import Terminal

/// The questions of a quiz, from their file.
struct QuizPlan: HostedPlan {
  static let options: [OptionDefinition] = [
    .value(
      "questions", "FILE",
      "quiz: the file with the questions (Docs/QUIZ.md), `-` for standard input with --start-at; without it, the ten"
        + " questions that come along.",
      kind: .file),
    .flag("print-sample", "quiz: print the file with the ten questions that come along, and end."),
  ]

  static let bots = ["guess"]

  let rules: any HostedRules
  private let file: QuizFile

  static func shows(_ parsed: ParsedCommand, _ context: Context) throws -> ExitStatus? {
    guard parsed.has("print-sample") else { return nil }
    try context.console.lines(QuizFile.sample.split(separator: "\n").map(String.init))
    return .ok
  }

  init(_ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context) throws {
    file = try Self.questions(parsed, context)
    rules = try definition.rules(parsed)
  }

  var title: String { file.title }
  var rounds: Int { file.questions.count }
  var entries: UInt16 { 1 }
  var resumeHint: String { ", with the same --questions" }

  func round(_ number: Int) -> HostedAsking {
    let item = file.questions[number]
    return HostedAsking(
      content: item.question.content, solution: [item.answer], limitMilliseconds: item.limitMilliseconds)
  }

  func resumed(in state: RoomState) throws -> QuizPlan {
    let asked = state.hosted?.rounds.filter { $0.phase == .settled } ?? []
    let isSame = asked.allSatisfy { round in
      file.questions.indices.contains(round.number)
        && file.questions[round.number].question.content == round.content
    }
    guard file.questions.count == Int(state.create.games), isSame else {
      throw Failure(
        .usage, "these are not the questions with which the quiz began",
        hint: "--questions names the file that it began with")
    }
    return self
  }

  private static func questions(_ parsed: ParsedCommand, _ context: Context) throws -> QuizFile {
    guard let path = parsed.text("questions") else {
      return try QuizFile(reading: Array(QuizFile.sample.utf8))
    }
    if path == "-", parsed.text("start-at") == nil {
      throw parsed.badValue(
        "questions",
        "the questions take standard input, so nobody can say when one is asked: add --start-at N")
    }
    let (text, name) =
      path == "-"
      ? (try context.interrupts.standardInput(limitBytes: QuizFile.limitBytes + 1), "standard input")
      : (try OpenFile.reading(path).readAll(limit: QuizFile.limitBytes + 1), path)
    do throws(QuizFileError) { return try QuizFile(reading: text) } catch {
      throw Failure(
        .dataError, "\(SafeText(name).text): \(error)", hint: "`parlor host quiz --print-sample` shows a file"
      )
    }
  }
}
