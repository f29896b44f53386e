import Events
import Games
import Platform
import Projection
import Rules
import Terminal

/// The words of a drawing game, and how long each is drawn.
struct DrawingPlan: HostedPlan {
  static let options: [OptionDefinition] = [
    .value(
      "words", "FILE",
      "drawing: the file with the words, one a line; without it, the words that come along. Each is drawn once at"
        + " most.",
      kind: .file),
    .value("drawings", "N", "drawing: how many words are drawn, 1 to 256; 6 where nothing is said."),
    .value("draw-seconds", "T", "drawing: how long each is drawn, 10 to 300; 80 where nothing is said."),
  ]

  static let bots: [String] = []

  let rules: any HostedRules
  let rounds: Int
  private let seconds: Int
  /// The words by the rounds that have them.
  private let words: [[UInt8]]
  /// Whether the words came from a file.
  private let hasFile: Bool

  static func shows(_ parsed: ParsedCommand, _ context: Context) throws -> ExitStatus? { nil }

  init(_ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context) throws {
    for option in ["drawings", "draw-seconds"] where parsed.has("resume") && parsed.has(option) {
      throw parsed.badValue(option, "a drawing game that is resumed goes on as it was opened")
    }
    rounds = Int(try parsed.integer("drawings", in: 1...Create.limitGames) ?? 6)
    seconds = try parsed.integer("draw-seconds", in: 10...300) ?? 80
    rules = try definition.rules(parsed)
    hasFile = parsed.text("words") != nil
    // The order is drawn anew each time: nobody can know the next word, and the commitment binds the host to it.
    words = try Self.words(parsed).list.shuffled()
    guard parsed.has("resume") || words.count >= rounds else {
      throw parsed.badValue("drawings", "\(rounds) drawings need as many words, and there are \(words.count)")
    }
  }

  private init(_ plan: DrawingPlan, _ rules: any HostedRules, rounds: Int, seconds: Int, words: [[UInt8]]) {
    (self.rules, self.rounds, self.seconds, self.words) = (rules, rounds, seconds, words)
    hasFile = plan.hasFile
  }

  var title: String { "" }
  var entries: UInt16 { UInt16(seconds * 1_000 / Int(StrokeBatch.batchMilliseconds)) + Self.spareEntries }
  var resumeHint: String { hasFile ? ", with the same --words" : "" }
  private static let spareEntries: UInt16 = 10

  func round(_ number: Int) -> HostedAsking {
    HostedAsking(content: [], solution: words[number], limitMilliseconds: UInt32(seconds) * 1_000)
  }

  func resumed(in state: RoomState) throws -> DrawingPlan {
    guard let hosted = state.hosted, let rules = hosted.rules, rules is DrawingGame,
      case .hosted(let entries, _, _) = state.create.purpose
    else {
      throw Failure(.usage, "the room \(state.room.short) is no drawing game that this program knows")
    }
    // The words of settled rounds stand in their places, where they are never looked at.
    let done = hosted.rounds.filter { $0.phase == .settled }.compactMap(\.solution)
    let rest = words.filter { !done.contains($0) }
    let rounds = Int(state.create.games)
    guard done.count + rest.count >= rounds else {
      throw Failure(
        .usage, "\(rounds - done.count) more drawings need as many words, and there are \(rest.count)",
        hint: "--words names a file with more")
    }
    let left = Int(entries) - Int(Self.spareEntries)
    let seconds = (max(0, left) * Int(StrokeBatch.batchMilliseconds) + 999) / 1_000
    return DrawingPlan(self, rules, rounds: rounds, seconds: max(10, seconds), words: done + rest)
  }

  private static func words(_ parsed: ParsedCommand) throws -> WordFile {
    guard let path = parsed.text("words") else { return WordFile.sample }
    let text = try OpenFile.reading(path).readAll(limit: WordFile.limitBytes + 1)
    do throws(WordFileError) { return try WordFile(reading: text) } catch {
      throw Failure(.dataError, "\(SafeText(path).text): \(error)", hint: "the file has one word a line")
    }
  }
}
