import Games
import Rules
import Testing

@Suite("The quiz") struct QuizTests {
  private static let content = QuizQuestion(text: "Which?", choices: ["a", "b", "c"])?.content ?? []

  private func points(_ quiz: Quiz, at time: UInt32, closed: UInt32 = 15_000, choice: UInt8 = 1) -> UInt32 {
    quiz.points(
      HostedRound(
        content: Self.content, solution: [1], limitMilliseconds: 15_000, closedMilliseconds: closed,
        entries: [.init(player: 0, milliseconds: time, choice: [choice])]))[0]
  }

  @Test("The linear curve is the article's, in whole numbers, at every millisecond")
  func linear() {
    let quiz = Quiz()
    for time in 0...15_000 as ClosedRange<UInt32> {
      // 1,000 · (L − t) / L for L = 15,000 is (15,000 − t) / 15, rounded down by the division.
      let expected = max(100, (15_000 - time) / 15)
      #expect(points(quiz, at: time) == expected, "\(time) ms")
    }
    #expect(points(quiz, at: 3, choice: 2) == 0)
  }

  @Test("The classic curve has full marks under half a second, and half of them at the limit")
  func classic() {
    let quiz = Quiz(curve: .classic)
    #expect(
      [0, 499, 500, 7_500, 14_999, 15_000].map { points(quiz, at: $0) } == [1_000, 1_000, 983, 750, 500, 500])
    for limit in [1, 2, 3, 999, 1_001, 20_000] as [UInt32] {
      for time in stride(from: 500, to: limit, by: 7) {
        let exact = 1_000 * (1 - Double(time) / Double(2 * limit))
        #expect(
          abs(Double(quiz.worth.points(after: time, of: limit)) - exact) <= 0.500_001, "\(time) of \(limit)")
      }
    }
  }

  @Test("What comes behind the close is worth 100 within the grace, and nothing after it")
  func late() {
    let quiz = Quiz(graceMilliseconds: 3_000)
    #expect([4_000, 4_001, 7_000, 7_001].map { points(quiz, at: $0, closed: 4_000) } == [733, 100, 100, 0])
  }

  @Test("Limits of one millisecond and of the longest kind trap nowhere")
  func extremes() {
    for curve in AnswerPoints.Curve.allCases {
      let quiz = AnswerPoints(curve: curve)
      for limit in [0, 1, UInt32.max] {
        for time in [0, 1, UInt32.max] { #expect(quiz.points(after: time, of: limit) <= 1_000) }
      }
    }
  }

  @Test("A question is read from its own bytes alone, and choices are numbers and letters")
  func questions() throws {
    let question = try #require(QuizQuestion(text: "é?", choices: ["ja", "nein"]))
    #expect(QuizQuestion(content: question.content) == question)
    for count in question.content.indices {
      #expect(QuizQuestion(content: Array(question.content[..<count])) == nil)
    }
    #expect(QuizQuestion(content: question.content + [0]) == nil)
    #expect(
      QuizQuestion(text: "", choices: ["a", "b"]) == nil && QuizQuestion(text: "x", choices: ["a"]) == nil)
    #expect(QuizQuestion(content: [0, 1, 0xFF, 2, 1, 0x61, 1, 0x62]) == nil, "not UTF-8")
    let quiz = Quiz()
    #expect(
      ["1", "b", "C", "4", "d", "", "12", "é"].map { quiz.entry(text: $0, in: Self.content) } == [
        [0], [1], [2], nil, nil, nil, nil, nil,
      ])
    #expect(
      !quiz.isEntry([3], in: Self.content) && !quiz.isEntry([], in: Self.content)
        && !quiz.isEntry([1], in: []))
  }

  @Test("Settings have one spelling, and wrong ones are refused with words")
  func settings() throws {
    var parameters = Parameters()
    parameters["grace"] = "0"
    let quiz = try Quiz(parameters)
    #expect(quiz.graceMilliseconds == 0 && quiz.parameters["curve"] == "linear")
    for (name, value) in [("grace", "01"), ("grace", "10001"), ("curve", "steep"), ("time", "5")] {
      var wrong = Parameters()
      wrong[name] = value
      #expect(throws: RulesError.self) { try Quiz(wrong) }
    }
  }
}

@Suite("Files of questions") struct QuizFileTests {
  @Test("The file that comes along can be read, and has ten questions")
  func sample() throws {
    let file = try QuizFile(reading: Array(QuizFile.sample.utf8))
    #expect(file.title == "Ten questions" && file.questions.count == 10)
    #expect(file.questions[2].limitMilliseconds == 20_000 && file.questions[2].answer == 3)
    #expect(file.questions[0].limitMilliseconds == 15_000)
  }

  private static let good = #"{"text": "A?", "choices": ["x", "y"], "answer": 1}"#

  @Test(
    "What is wrong is said, with its line",
    arguments: [
      ("{\n\"questions\": [}", 2, "column"),
      ("[]", nil, "object"),
      ("{\"questions\": []}", nil, "0 questions"),
      ("{\"title\": 3, \"questions\": [\(good)]}", nil, "“title”"),
      ("{\"tilte\": \"x\", \"questions\": [\(good)]}", nil, "“tilte” is unknown"),
      (
        "{\"questions\": [\n\(good),\n{\"text\": \"{\\\"[\", \"choices\": [\"x\"], \"answer\": 1}]}", 3,
        "question 2: “choices”"
      ),
      (
        "{\"questions\": [\n{\"text\": \"A?\", \"choices\": [\"x\", \"y\"], \"answer\": 3}]}", 2,
        "from 1 to 2"
      ),
      ("{\"questions\": [{\"text\": \"\", \"choices\": [\"x\", \"y\"], \"answer\": 1}]}", 1, "“text”"),
      ("{\"questions\": [{\"text\": \"A?\", \"choices\": [\"x\", \"\"], \"answer\": 1}]}", 1, "empty choice"),
      ("{\"seconds\": 0, \"questions\": [\(good)]}", nil, "“seconds”"),
      ("{\"questions\": [{\"text\": \"A?\", \"choices\": [\"x\", 2], \"answer\": 1}]}", 1, "“choices”"),
    ] as [(String, Int?, String)])
  func faults(_ text: String, _ line: Int?, _ words: String) {
    do throws(QuizFileError) {
      _ = try QuizFile(reading: Array(text.utf8))
      Issue.record("it was read: \(text)")
    } catch {
      #expect(error.line == line && error.description.contains(words), "\(error)")
    }
  }

  @Test("No file is too large, too deep or too odd to be refused")
  func hostile() {
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: " ", count: QuizFile.limitBytes + 1), "\u{0}",
    ] {
      #expect(throws: QuizFileError.self) { try QuizFile(reading: Array(text.utf8)) }
    }
  }
}
