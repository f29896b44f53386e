import BotKit
import Games
import Rules
import TestKit
import Testing

@Suite("The drawing game") struct DrawingGameTests {
  private static let box = [UInt8](repeating: 7, count: 90)
  private static let word = Array("tree".utf8)

  /// What a round asks in which player 1 draws a tree.
  private static func content(drawer: UInt16 = 1) throws -> [UInt8] {
    try #require(DrawingGame().content(telling: .init(player: drawer, box: box), word))
  }

  @Test("A round is read from its own bytes alone")
  func contents() throws {
    let (game, content) = (DrawingGame(), try Self.content(drawer: 258))
    #expect(Array(content[..<4]) == [1, 2, 4, 90] && Array(content[4...]) == Self.box)
    #expect(game.told(content) == .init(player: 258, box: Self.box))
    #expect(game.question(content)?.text == "A word of 4 letters.")
    for count in content.indices { #expect(game.question(Array(content[..<count])) == nil) }
    #expect(game.question(content + [0]) == nil && game.told([0, 1, 4, 0]) == nil)
    for letters in [0, 65] as [UInt8] {
      #expect(game.question([1, 2, letters, 90] + Self.box) == nil, "\(letters) letters")
    }
    for length in [0, 80, 145] {
      let box = [UInt8](repeating: 1, count: length)
      #expect(game.content(telling: .init(player: 1, box: box), Self.word) == nil, "a box of \(length) bytes")
    }
  }

  @Test("A word has the letters that were said, and is written as it is compared")
  func solutions() throws {
    let (game, content) = (DrawingGame(), try Self.content())
    for (word, isSolution) in [
      ("tree", true), ("bush", true), ("élan", true), ("a tre", true), ("Tree", false), ("tree ", false),
      ("a  tre", false), ("trees", false), ("", false), ("tre\u{7F}", false), ("tre\u{85}", false),
    ] {
      #expect(game.isSolution(Array(word.utf8), of: content) == isSolution, "“\(word)”")
    }
    #expect(!game.isSolution([0xFF, 0x61, 0x61, 0x61], of: content), "not UTF-8")
  }

  @Test("Guesses are compared without regard to case and to blanks that do not count")
  func guesses() throws {
    let (game, content) = (DrawingGame(), try Self.content())
    for (typed, guess) in [
      ("TREE", "tree"), ("  tree", "tree"), ("ice   Cream ", "ice cream"), ("ÉLAN", "élan"),
      ("clear", "clear"),
    ] {
      #expect(game.entry(text: typed, .sealed, in: content) == Array(guess.utf8), "“\(typed)”")
    }
    #expect(game.entry(text: "   ", .sealed, in: content) == nil)
    #expect(game.entry(text: String(repeating: "a", count: 65), .sealed, in: content) == nil)
    #expect(game.form(of: 1, in: content) == .clear && game.form(of: 0, in: content) == .sealed)
    #expect(game.limitEntries(of: 0, in: content) == 20 && game.limitEntries(of: 1, in: content) == .max)
  }

  // MARK: - Points

  private func points(
    _ entries: [(player: UInt16, milliseconds: UInt32, choice: String?)], closed: UInt32 = 10_000
  ) throws -> [UInt32] {
    DrawingGame().points(
      HostedRound(
        content: try Self.content(), solution: Self.word, limitMilliseconds: 10_000,
        closedMilliseconds: closed,
        entries: entries.map { entry in
          let choice = entry.choice.map { StrokeBatch(text: $0)?.bytes ?? Array($0.utf8) }
          return .init(player: entry.player, milliseconds: entry.milliseconds, choice: choice)
        }))
  }

  @Test("The first right guess of each is worth what the quiz says, the drawing the average of them")
  func points() throws {
    let line = "line 1 1 2 2"
    #expect(
      try points([
        (1, 100, line), (0, 1_000, "bush"), (0, 2_000, "tree"), (0, 2_500, "tree"), (1, 3_000, "clear"),
        (2, 5_001, "tree"), (3, 6_000, nil),
      ]) == [649, 0, 800, 0, 0, 499, 0])
    #expect(try points([(1, 100, line), (0, 1_000, "bush")]) == [0, 0], "nobody has it")
    #expect(try points([(0, 1_000, "tree")]) == [900], "who draws nothing has nothing")
    #expect(try points([(1, 100, "tree"), (0, 1_000, "tree")]) == [900, 900], "the drawer's is no guess")
  }

  @Test("A guess behind the close is worth 100 within the grace; a stroke there is nothing")
  func late() throws {
    let line = "line 1 1 2 2"
    #expect(
      try points([(0, 7_000, "tree"), (2, 7_001, "tree")], closed: 4_000) == [100, 0])
    #expect(try points([(1, 4_001, line), (0, 4_500, "tree")], closed: 4_000) == [0, 100])
    #expect(try points([(1, 4_000, line), (0, 4_500, "tree")], closed: 4_000) == [100, 100])
  }

  @Test("The sheet has what the drawer drew since it was cleared, before the close, and no more than fits")
  func sheet() throws {
    func strokes(_ entries: [(UInt16, UInt32, [UInt8])]) throws -> [String] {
      let round = HostedRound(
        content: try Self.content(), solution: [], limitMilliseconds: 9, closedMilliseconds: 100,
        entries: entries.map { .init(player: $0.0, milliseconds: $0.1, choice: $0.2) })
      return DrawingGame().strokes(round).map(\.coordinates)
    }
    func bytes(_ text: String) throws -> [UInt8] { try #require(StrokeBatch(text: text)).bytes }
    #expect(
      try strokes([
        (1, 1, bytes("line 1 2")), (1, 2, bytes("line 3 4; clear; line 5 6 7 8")), (0, 3, bytes("line 9 9")),
        (1, 100, bytes("line 10 11")), (1, 101, bytes("clear")),
      ]) == ["5 6 7 8", "10 11"])
    let full = try bytes((0..<500).map { "line \($0) 1" }.joined(separator: ";"))
    #expect(full.count == 3_500)
    let many = [(UInt16, UInt32, [UInt8])](repeating: (1, 1, full), count: 20)
    #expect(try strokes(many).count == 7 * 500, "seven of them have 24,500 bytes")
  }
}

@Suite("Batches of strokes") struct StrokeBatchTests {
  private static let good: [UInt8] = [2, 3, 2, 0, 1, 0, 2, 3, 0xFF, 2, 0xFF, 0]

  @Test("A batch is read from its own bytes alone, and its text leads back to it")
  func roundTrip() throws {
    let batch = try #require(StrokeBatch(Self.good))
    #expect(batch.bytes == Self.good && batch.text == "line red 16 1 2 1023 767; clear")
    #expect(StrokeBatch(text: batch.text) == batch)
    for count in 0..<Self.good.count - 1 {
      #expect(StrokeBatch(Array(Self.good[..<count])) == nil, "\(count) bytes")
    }
  }

  @Test("Each byte of a line has its bounds, tried with all values")
  func bounds() {
    for (place, allowed) in [(0, 0...8), (1, 1...4), (3, 0...3), (5, 0...2), (7, 0...3), (9, 0...2)] {
      for value in UInt8.min...UInt8.max {
        var bytes = Self.good
        bytes[place] = value
        // With 0 for a colour the sheet is cleared, and the rest is another batch or none.
        guard !(place == 0 && value == 0) else { continue }
        #expect((StrokeBatch(bytes) != nil) == allowed.contains(Int(value)), "\(value) at \(place)")
      }
    }
    for count in UInt8.min...UInt8.max where count != 2 {
      var bytes = Array(Self.good.dropLast())
      bytes[2] = count
      #expect(StrokeBatch(bytes) == nil, "\(count) points said, two there")
    }
  }

  @Test("A batch has at most 3,840 bytes, and its event at most 4,096")
  func size() {
    let dots = [[UInt8]](repeating: [1, 1, 1, 0, 0, 0, 0], count: 549).flatMap(\.self)
    let fits = dots[..<3_836] + [0, 0, 0, 0]
    #expect(fits.count == 3_840 && StrokeBatch(Array(fits)) != nil)
    #expect(StrokeBatch(Array(fits) + [0]) == nil)
    #expect(StrokeBatch(text: [String](repeating: "clear", count: 3_841).joined(separator: ";")) == nil)
  }

  @Test("Random bytes are a batch or not, and trap nowhere")
  func noise() {
    var random = RandomStream(seed: 5)
    var found = 0
    for _ in 0..<Effort.size(200_000, quick: 20_000) {
      let bytes = (0..<Int(random.below(12))).map { _ in UInt8(random.below(random.below(3) == 0 ? 256 : 5)) }
      guard let batch = StrokeBatch(bytes) else { continue }
      found += 1
      #expect(batch.bytes == bytes && StrokeBatch(text: batch.text) == batch)
    }
    #expect(found > 100)
  }

  @Test(
    "What is no line is refused",
    arguments: [
      "", ";", "line", "line 1", "line 1 2 3", "line red 1 2", "line red 5 1 2", "line 1024 0", "line 0 768",
      "line -1 0", "line ١ 0", "clear 1", "dot 1 2", "line pink 8 1 2", "clear;", "line 1 2 x 3",
      "line " + [String](repeating: "1", count: 512).joined(separator: " "),
    ])
  func refused(text: String) { #expect(StrokeBatch(text: text) == nil) }

  @Test("Lines are typed in several ways")
  func typed() throws {
    let line = try #require(StrokeBatch(text: "line 10 10 200 200"))
    for text in ["LINE 10,10 200,200", " line\t10 10  200 200 ", "line black 8 10 10 200 200"] {
      #expect(StrokeBatch(text: text) == line, "\(text)")
    }
    #expect(line.bytes == [1, 2, 2, 0, 10, 0, 10, 0, 200, 0, 200])
  }
}

@Suite("Files of words") struct WordFileTests {
  private func words(_ text: String) throws -> [String] {
    try WordFile(reading: Array(text.utf8)).list.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A file has one word a line, in any case, and each once")
  func reading() throws {
    #expect(try words("Tree\r\n\n  ice   Cream\ntree\nÉté") == ["tree", "ice cream", "été"])
    let list = WordFile.sample.list
    #expect(list.count >= 100 && Set(list).count == list.count)
    for word in list {
      let content = DrawingGame().content(
        telling: .init(player: 0, box: [UInt8](repeating: 0, count: 90)), word)
      #expect(content.map { DrawingGame().isSolution(word, of: $0) } == true)
    }
  }

  @Test("What is wrong is said, with its line")
  func faults() {
    for (text, words) in [
      ([], "it has no word"), (Array("\n \n".utf8), "it has no word"),
      (Array("a\n".utf8) + [0xFF], "line 2: it is not UTF-8"),
      (Array("a\nb\u{7}".utf8), "line 2: it is longer"),
      ([UInt8](repeating: 0x61, count: 65), "line 1: it is longer"),
      ([UInt8](repeating: 0x61, count: WordFile.limitBytes + 1), "larger than"),
    ] {
      do throws(WordFileError) {
        _ = try WordFile(reading: text)
        Issue.record("it was read")
      } catch { #expect(error.description.contains(words), "\(error)") }
    }
  }
}
