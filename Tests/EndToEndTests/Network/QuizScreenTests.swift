import Foundation
import TestKit
import Testing

/// A quiz as its host and its players see it, each at a terminal.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct QuizScreenTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let questions = """
    {"title": "Rivers", "seconds": 600, "questions": [
      {"text": "Which river flows through Paris?", "choices": ["Loire", "Seine", "Rhône"], "answer": 2},
      {"text": "Two?", "choices": ["a", "b"], "answer": 1}]}
    """

  private func host(_ words: String = "", size: (Int, Int)? = nil) throws -> (host: Sitting, join: String) {
    try home.write("quiz.json", Data(Self.questions.utf8))
    let host = try Sitting(
      "host quiz --questions quiz.json --no-join-code --name Hanna --data host \(words)", home: home,
      size: size.map { (columns: $0.0, rows: $0.1) })
    let address = try host.address()
    try host.expect("parlor join ")
    let code = try #require(try host.run.output().firstMatch(of: #/parlor join ([G-Z]{6})/#))
    return (host, "join \(code.1) --connect \(address)")
  }

  private func join(_ words: String, _ name: String, size: (Int, Int)? = nil) throws -> Sitting {
    try Sitting(
      "\(words) --name \(name) --data \(name)", home: home, size: size.map { (columns: $0.0, rows: $0.1) })
  }

  private func isShown(_ screen: [String], _ texts: String...) -> Bool {
    texts.allSatisfy { text in screen.contains { $0.contains(text) } }
  }

  /// The question and its choices stand still, with the time that is left and how many have answered; what is typed
  /// stays when others answer, and what became of the round stands below the next question.
  @Test(arguments: TerminalScreenTests.sizes) func aQuizFillsTheTerminal(_ columns: Int, _ rows: Int) throws {
    // Its address stands in one line.
    let (host, words) = try host(size: (120, 40))
    let (ada, bo) = (
      try join(words, "Ada", size: (columns, rows)), try join(words, "Bo", size: (columns, rows))
    )
    for name in ["Ada", "Bo"] { try host.expect("\(name) (") }
    try host.run.type("\n")
    try host.expectShown("Which river")
    try host.resize(columns: columns, rows: rows)
    for (sitting, question) in [(host, ">"), (ada, "Your answer, 1 to 3:"), (bo, "Your answer, 1 to 3:")] {
      try sitting.wait("the question") { screen in
        screen.last == question && screen[rows - 2].hasSuffix(" s left, 0 of 2 answered.")
          && isShown(screen, "Which river", "  1  Loire", "  2  Seine", "  3  Rhône")
      }
      #expect(try sitting.screen()[0].hasPrefix("Quiz “Rivers” — question 1 of 2"))
    }
    try ada.run.type("9")
    try bo.run.type("3\n")
    for sitting in [host, ada] {
      try sitting.wait("Bo's answer") { $0[rows - 2].hasSuffix(" s left, 1 of 2 answered.") }
    }
    #expect(try ada.screen().last == "Your answer, 1 to 3: 9")
    try bo.wait("the answer that is taken") { isShown($0, "3 is locked in, after ") && $0.last == ">" }
    try ada.run.type("\u{7F}2\n")
    for sitting in [host, ada, bo] {
      try sitting.wait("the bars and the standings") {
        isShown($0, "✔ 2", "Question 1: Which", "Ada (", "RANK")
      }
    }
    #expect(try isShown(ada.screen(), "Right: ") && isShown(bo.screen(), "Wrong: no points."))
    #expect(try host.screen()[rows - 2] == "Enter opens the next question.")
    try host.run.type("next\n")
    try ada.wait("the second question") { isShown($0, "Two?", "  1  a") && $0.last == "Your answer, 1 to 2:" }
    try ada.run.type("quit\n")
    let left = try ada.run.finish()
    #expect(left.status == 0)
    let terminal = try ada.view.look(at: ada.run)
    #expect(!terminal.isSecondShown && terminal.isCursorShown && terminal.unknown.isEmpty)
    #expect(isShown(terminal.picture, "Ada (", "Your score stays"))
    try host.run.type("close\n")
    for sitting in [host, bo] {
      #expect(try sitting.run.finish().status == 0)
      let terminal = try sitting.view.look(at: sitting.run)
      #expect(!terminal.isSecondShown && isShown(terminal.picture, "RANK", " wins with "))
    }
  }

  /// Who does not read a whole screen is asked in lines, and the question stays when others answer.
  @Test func inLinesTheQuestionStaysToo() throws {
    let (host, words) = try host("--plain")
    let (ada, bo) = (try join(words + " --plain", "Ada"), try join(words + " --plain", "Bo"))
    for name in ["Ada", "Bo"] { try host.expect("\(name) (") }
    try host.run.type("\n")
    for player in [ada, bo] { try player.expect("600 s: ") }
    try bo.run.type("1\n")
    try bo.expect("1 is locked in, after ")
    try host.run.type("say Ada is awaited\n")
    try ada.expect("Ada is awaited")
    try ada.run.type("2\n")
    try ada.expect("Right: ")
    let text = try ada.run.output()
    let asked = try #require(text.firstRange(of: "600 s: "))
    let next = try #require(text[asked.upperBound...].firstRange(of: "Hanna"))
    #expect(!text[asked.upperBound..<next.lowerBound].contains("\u{1B}[K"), "the question was wiped")
    try host.run.type("end\n")
    for sitting in [host, ada, bo] { #expect(try sitting.run.finish().status == 0) }
  }

  /// Who looks on types nothing; `q` ends.
  @Test func aQuizIsWatchedOnOneScreen() throws {
    let (host, words) = try host(size: (80, 24))
    let ada = try join(words, "Ada")
    try host.expect("Ada (")
    try host.run.type("\n")
    try host.expectShown("Which river")
    let onlooker = try Sitting(
      words.replacing("join", with: "watch") + " --data onlooker", home: home, size: (columns: 80, rows: 24))
    try onlooker.wait("the question") {
      isShown($0, "Which river", "0 of 1 answered.") && $0.last == "q ends"
    }
    try onlooker.run.type("q")
    #expect(try onlooker.run.finish().status == 0)
    try host.send(SIGINT)
    #expect(try host.run.finish().status == 130)
    #expect(try isShown(host.view.look(at: host.run).picture, "--resume"))
    try ada.run.type("quit\n")
    #expect(try ada.run.finish().status == 0)
  }
}
