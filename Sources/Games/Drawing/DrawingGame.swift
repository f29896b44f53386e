public import Rules

/// A drawing game: in each round one player draws a word, and the others guess it; quick guesses are worth more.
///
/// The word is told to the drawer alone. Strokes are entries in clear, guesses are sealed to the host, which says of
/// each at once whether it is right.
public struct DrawingGame: HostedRules {
  public static let name = "drawing"
  public static let version: UInt16 = 1
  public static let title = "Drawing game"
  public static let summary = "One draws a word, the others guess it; right and quick guesses score."
  public static let settings = AnswerPoints.settings
  public static let players = 2...16
  public static let roundWord = "drawing"

  /// The most guesses of a player in a round.
  public static let limitGuesses: UInt16 = 20
  /// The longest word or guess, in bytes of UTF-8.
  public static let limitTextBytes = 64

  /// What right guesses are worth.
  public var worth: AnswerPoints
  public var graceMilliseconds: UInt32 { worth.graceMilliseconds }

  /// A drawing game with these settings.
  public init(curve: AnswerPoints.Curve = .linear, graceMilliseconds: UInt32 = 3_000) {
    worth = AnswerPoints(curve: curve, graceMilliseconds: graceMilliseconds)
  }

  public init(_ parameters: Parameters) throws(RulesError) { worth = try AnswerPoints(parameters) }

  public var parameters: Parameters { worth.parameters }
  public var isSealed: Bool { true }
  public var isMarked: Bool { true }
  public var tellsOne: Bool { true }

  // MARK: - What is asked

  /// The drawer's number, how many letters the word has, and the box with the word.
  private static func asked(_ content: [UInt8]) -> (told: HostedTold, letters: UInt8)? {
    guard content.count >= 4, content.count == 4 + Int(content[3]), (81...144).contains(content[3]),
      (1...UInt8(limitTextBytes)).contains(content[2])
    else { return nil }
    let player = UInt16(content[0]) << 8 | UInt16(content[1])
    return (HostedTold(player: player, box: Array(content[4...])), content[2])
  }

  public func question(_ content: [UInt8]) -> HostedQuestion? {
    Self.asked(content).map {
      HostedQuestion(text: "A word of \($0.letters) letter\($0.letters == 1 ? "" : "s").")
    }
  }

  public func told(_ content: [UInt8]) -> HostedTold? { Self.asked(content)?.told }

  public func content(telling told: HostedTold, _ solution: [UInt8]) -> [UInt8]? {
    guard let letters = Self.letters(of: solution), let length = UInt8(exactly: told.box.count) else {
      return nil
    }
    let content =
      [UInt8(told.player >> 8), UInt8(truncatingIfNeeded: told.player), letters, length] + told.box
    return Self.asked(content) == nil ? nil : content
  }

  /// A word has as many letters as were said.
  public func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool {
    guard Self.isText(solution), let letters = Self.letters(of: solution) else { return false }
    return letters == Self.asked(content)?.letters
  }

  // MARK: - What is entered

  public func form(of player: UInt16, in content: [UInt8]) -> HostedForm {
    told(content)?.player == player ? .clear : .sealed
  }

  public func limitEntries(of player: UInt16, in content: [UInt8]) -> UInt16 {
    form(of: player, in: content) == .clear ? .max : Self.limitGuesses
  }

  public func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool {
    Self.asked(content) != nil && Self.isText(choice)
  }

  public func isEntry(_ choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> Bool {
    switch form {
    case .clear: Self.asked(content) != nil && StrokeBatch(choice) != nil
    case .sealed: isEntry(choice, in: content)
    }
  }

  /// A guess in small ASCII letters and without blanks that do not count.
  public func entry(text: String, in content: [UInt8]) -> [UInt8]? {
    let guess = Self.compared(Array(text.utf8))
    return isEntry(guess, in: content) ? guess : nil
  }

  /// Strokes as they are typed, or a guess, of which all letters are made small.
  public func entry(text: String, _ form: HostedForm, in content: [UInt8]) -> [UInt8]? {
    switch form {
    case .clear: Self.asked(content) == nil ? nil : StrokeBatch(text: text)?.bytes
    case .sealed: entry(text: text.lowercased(), in: content)
    }
  }

  public func text(of choice: [UInt8], in content: [UInt8]) -> String {
    isEntry(choice, in: content) ? String(decoding: choice, as: UTF8.self) : "?"
  }

  public func text(of choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> String {
    switch form {
    case .clear: StrokeBatch(choice)?.text ?? "?"
    case .sealed: text(of: choice, in: content)
    }
  }

  /// Whether bytes are a word or a guess: text without control characters, in the form in which it is compared.
  static func isText(_ bytes: [UInt8]) -> Bool {
    guard (1...limitTextBytes).contains(bytes.count), compared(bytes) == bytes,
      let text = String(validating: bytes, as: UTF8.self)
    else { return false }
    return text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
  }

  /// Bytes as they are compared: small ASCII letters, one blank for several, and none at the ends.
  public static func compared(_ bytes: [UInt8]) -> [UInt8] {
    let small = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return Array(small.split(separator: 0x20).joined(separator: [0x20]))
  }

  /// How many letters a word has, blanks apart; `nil` where it is no text, or has none.
  private static func letters(of word: [UInt8]) -> UInt8? {
    guard let text = String(validating: word, as: UTF8.self) else { return nil }
    return UInt8(exactly: text.unicodeScalars.count { $0 != " " }).flatMap { $0 == 0 ? nil : $0 }
  }

  // MARK: - What it is worth

  /// The first right guess of each player is worth what a right answer of a quiz is; the drawer's first entry is worth
  /// the average of those who guessed.
  public func points(_ round: HostedRound) -> [UInt32] {
    var points = [UInt32](repeating: 0, count: round.entries.count)
    let drawer = told(round.content)?.player
    var guessed: Set<UInt16> = []
    for (at, entry) in round.entries.enumerated() where entry.player != drawer {
      guard entry.choice == round.solution, guessed.insert(entry.player).inserted
      else { continue }
      points[at] = worth.points(entry, in: round)
    }
    let worths = points.filter { $0 > 0 }
    if let first = round.entries.firstIndex(where: { isDrawn($0, in: round) }), !worths.isEmpty {
      points[first] = worths.reduce(0, +) / UInt32(worths.count)
    }
    return points
  }

  /// Whether an entry is the drawer's, and came before the close.
  private func isDrawn(_ entry: HostedRound.Entry, in round: HostedRound) -> Bool {
    told(round.content)?.player == entry.player && entry.milliseconds <= round.closedMilliseconds
  }

  /// What stands on the sheet: the drawer's strokes since it was cleared last.
  public func strokes(_ round: HostedRound) -> [HostedStroke] {
    var (strokes, bytes): ([HostedStroke], Int) = ([], 0)
    for entry in round.entries where isDrawn(entry, in: round) {
      guard let choice = entry.choice, let batch = StrokeBatch(choice) else { continue }
      bytes += choice.count
      guard bytes <= StrokeBatch.limitRoundBytes else { break }
      for mark in batch.marks {
        switch mark {
        case .clear: strokes = []
        case .stroke(let stroke): strokes.append(stroke)
        }
      }
    }
    return strokes
  }
}
