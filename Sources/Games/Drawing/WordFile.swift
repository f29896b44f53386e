/// The words of a drawing game, as its host keeps them in a file: one a line.
public struct WordFile: Hashable, Sendable {
  /// The largest file, in bytes.
  public static let limitBytes = 1 << 20
  /// The most words.
  public static let limitWords = 10_000

  /// The words in the form in which guesses are compared, each once.
  public var list: [[UInt8]]

  /// Reads a file; empty lines are passed over.
  /// - Throws: what is wrong, and in which line.
  public init(reading text: [UInt8]) throws(WordFileError) {
    guard text.count <= Self.limitBytes else {
      throw WordFileError(line: nil, reason: "the file is larger than \(Self.limitBytes) bytes")
    }
    var (words, known): ([[UInt8]], Set<[UInt8]>) = ([], [])
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let spelled = String(validating: line, as: UTF8.self) else {
        throw WordFileError(line: index + 1, reason: "it is not UTF-8 text")
      }
      let word = DrawingGame.compared(Array(spelled.lowercased().utf8))
      guard !word.isEmpty else { continue }
      guard DrawingGame.isText(word) else {
        throw WordFileError(
          line: index + 1,
          reason:
            "it is longer than \(DrawingGame.limitTextBytes) bytes, or has characters that nobody can type")
      }
      guard known.insert(word).inserted else { continue }
      words.append(word)
      guard words.count <= Self.limitWords else {
        throw WordFileError(line: index + 1, reason: "these are more than \(Self.limitWords) words")
      }
    }
    guard !words.isEmpty else { throw WordFileError(line: nil, reason: "it has no word") }
    list = words
  }

  private init(_ text: String) { list = text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) } }

  /// The words that come along.
  public static let sample = WordFile(
    """
    anchor apple arrow balloon banana basket bell bicycle bird boat bone book bottle bowl bread bridge broom
    bucket bus butterfly button cactus cake camel candle car carrot castle cat chair cherry church clock cloud
    coat comb crab crown cup dog door drum duck ear egg elephant envelope eye feather fence fish flag flower
    fork fox frog ghost giraffe glasses glove grapes guitar hammer hand hat heart helicopter horse house island
    key kite ladder lamp leaf lemon lighthouse lion mirror moon mountain mouse mushroom nose owl pear pencil
    piano pirate pizza rabbit rainbow robot rocket saw scissors shark ship shoe snail snake snowman sock spider
    spoon stairs star sun sword table tent tiger tooth train tree umbrella violin whale wheel window
    """)
}

/// What is wrong with a file of words.
public struct WordFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, from 1; `nil` where no line is to blame.
  public let line: Int?
  /// What is wrong.
  public let reason: String

  /// The place and the reason.
  public var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
