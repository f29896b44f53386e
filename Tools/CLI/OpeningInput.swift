import Events
import Peer
import Platform
import Projection
import Rules
import SearchBots
import Terminal

/// The openings of a match or tournament, as its options say.
enum OpeningInput {
  static let options: [OptionDefinition] = [
    .value(
      "opening", "MOVES",
      "begin games with these moves, as they are typed; may be given again. Two games in a row have one opening, with"
        + " the seats exchanged",
      repeats: true),
    .value(
      "openings", "FILE",
      "begin games with the openings of a file, `-` for standard input: one a line, # begins a comment",
      kind: .file),
    .value(
      "opening-plies", "N", "begin games with so many random moves, which follow from --seed"),
  ]

  /// The largest file that is read.
  private static let limitBytes = 4 << 20

  /// The openings that are asked for; none where nobody asks.
  /// - Parameter pairs: how many openings can be used: one for two games.
  static func openings(
    _ parsed: ParsedCommand, for rules: any GameRules, pairs: Int, seed: UInt64, _ context: Context
  ) throws -> [[UInt16]] {
    if let plies = try parsed.integer("opening-plies", in: 1...Create.limitOpenings - 1) {
      for other in ["opening", "openings"] where parsed.has(other) {
        throw parsed.badValue(other, "it is given with --opening-plies, which draws them")
      }
      do throws(OpeningFault) {
        return try rules.drawnOpenings(plies: plies, count: pairs, seed: seed)
      } catch {
        guard case .ends = error else { throw parsed.badValue("opening-plies", error.description) }
        throw parsed.badValue("opening-plies", "no game was found that goes on after so many random moves")
      }
    }
    var openings: [[UInt16]] = []
    for text in parsed.texts("opening") {
      do throws(OpeningTextError) { openings.append(try opening(text, rules)) } catch {
        throw parsed.badValue("opening", error.words)
      }
    }
    if let path = parsed.text("openings") { openings += try file(path, rules, parsed, context) }
    openings = Array(openings.prefix(pairs))
    guard Create.canHold(openings) else {
      throw Failure(
        .usage, "\(Room.count(openings.count, "opening")) are more than a room can hold",
        hint: "together they may have \(Create.limitOpenings) moves, where each opening counts one more")
    }
    return openings
  }

  private static func file(
    _ path: String, _ rules: any GameRules, _ parsed: ParsedCommand, _ context: Context
  ) throws -> [[UInt16]] {
    let bytes =
      path == "-"
      ? try context.interrupts.standardInput(limitBytes: limitBytes + 1)
      : try OpenFile.reading(path).readAll(limit: limitBytes + 1)
    let name = path == "-" ? "standard input" : SafeText(path).text
    guard bytes.count <= limitBytes else {
      throw Failure(.dataError, "\(name) is larger than 4 MiB", hint: "it is to have an opening in each line")
    }
    var openings: [[UInt16]] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let moves = line.prefix { $0 != 0x23 }.filter { $0 != 0x0D }
      guard moves.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
      let text = String(decoding: moves.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
      do throws(OpeningTextError) { openings.append(try opening(text, rules)) } catch {
        throw Failure(
          .dataError, "\(name), line \(number + 1): \(error.words)",
          hint: "a line holds the moves of an opening, such as `4 4 3`")
      }
    }
    guard !openings.isEmpty else { throw Failure(.dataError, "\(name) has no opening") }
    return openings
  }

  private struct OpeningTextError: Error {
    let words: String
  }

  /// The codes of the moves of a text.
  private static func opening(
    _ text: String, _ rules: any GameRules
  ) throws(OpeningTextError) -> [UInt16] {
    do throws(OpeningFault) { _ = try rules.opened(with: [], first: Seat(0)) } catch {
      throw OpeningTextError(words: error.description)
    }
    let moves: [MoveCode]
    do throws(SolveError) { moves = try SearchBots.played(text, of: rules).moves } catch {
      throw OpeningTextError(words: error.description)
    }
    do throws(OpeningFault) { _ = try rules.opened(with: moves, first: Seat(0)) } catch {
      throw OpeningTextError(words: error.description)
    }
    guard !moves.isEmpty else { throw OpeningTextError(words: "an opening has a move at least") }
    guard moves.count < Create.limitOpenings else {
      throw OpeningTextError(words: "an opening has \(Create.limitOpenings - 1) moves at the most")
    }
    let codes = moves.compactMap { UInt16(exactly: $0.rawValue) }
    guard codes.count == moves.count else {
      throw OpeningTextError(words: "it has a move that a room cannot hold in an opening")
    }
    return codes
  }
}
