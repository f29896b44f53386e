import Glibc
package import Platform
import Synchronization

/// The program's standard output and standard error, and what they can show.
///
/// Whole lines only, from any thread. A status line (progress) stands below the other lines of a terminal:
/// every line wipes it first and draws it again after, and so with lines that are drawn in one place. Notes and
/// errors are made safe here (`MessageText`); other text is written as it comes: pass what others wrote through
/// `SafeText` before.
package final class Console: Sendable {
  /// Standard output: results.
  package let output: Channel
  /// Standard error: progress, errors, hints.
  package let errors: Channel
  let shown = Guarded(Shown())
  /// What long output is read with; `nil` for nothing.
  let pager: Pager?
  private let form = Mutex(Form())

  /// How messages are written.
  private struct Form {
    /// What stands for a command that a message names, without the backquotes.
    var command: (@Sendable (String) -> String)?
    /// Whether errors are JSON objects.
    var hasErrorObjects = false
  }

  /// What stands on the terminal and is to be replaced; never more than one of them.
  struct Shown: Sendable {
    /// The status line.
    var status: String?
    /// The lines of the last call of `draw`.
    var drawn: [String] = []
    /// What fills the terminal, and shows what is written among its news.
    var screen: FullScreen?
  }

  /// A console on two open files.
  ///
  /// - Parameter environment: looks up a variable: `NO_COLOR` (any text: no colour, see no-color.org), `TERM`
  ///   (`dumb`: no colour and no status line; `linux`: no emoji), `LC_ALL`, `LC_CTYPE`, `LANG` (the first
  ///   that is set; not UTF-8: no characters beyond ASCII).
  /// - Parameters:
  ///   - allowsColor: `false` after `--no-color`.
  ///   - allowsPager: `false` after `--no-pager`.
  package init(
    output: Descriptor, errors: Descriptor, allowsColor: Bool = true, allowsPager: Bool = true,
    environment: (String) -> String?
  ) {
    pager = allowsPager ? Pager(environment: environment) : nil
    let isDumb = environment("TERM") == "dumb"
    let noColor = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let hasUnicode = Self.isUnicode(environment)
    func channel(_ descriptor: Descriptor) -> Channel {
      let isTerminal = descriptor.isTerminal
      let drawing = Drawing(
        hasStyles: isTerminal && !isDumb && !noColor && allowsColor, hasUnicode: !isTerminal || hasUnicode)
      return Channel(
        descriptor: descriptor, isTerminal: isTerminal, movesCursor: isTerminal && !isDumb, drawing: drawing)
    }
    self.output = channel(output)
    self.errors = channel(errors)
  }

  /// Writes one line to standard output.
  package func line(_ text: String = "") throws(ConsoleError) { try lines([text]) }

  /// Writes one JSON object, to the byte, wherever standard output goes.
  package func json(_ object: JSONLine) throws(ConsoleError) {
    try write(object.text + "\n", to: output, isData: true)
  }

  /// Writes one line of sentences to standard output, broken at spaces where it is a terminal.
  ///
  /// Commands in it are made such that they can be pasted, and none is broken.
  package func paragraph(_ text: String) throws(ConsoleError) {
    try lines(WrappedText.lines(pasteable(text), columns: wrapColumns(output), keepsCommands: true))
  }

  /// Writes lines to standard output, all of them or an error; one that is wider than the terminal is broken at spaces.
  package func lines(_ texts: [String]) throws(ConsoleError) {
    try write(fitted(texts, to: output).map { $0 + "\n" }.joined(), to: output)
  }

  /// Writes lines that are for programs to standard output, as they are.
  package func data(_ texts: [String]) throws(ConsoleError) {
    try write(texts.map { $0 + "\n" }.joined(), to: output, isData: true)
  }

  /// Writes a question without ending the line, where somebody sits who can see it; elsewhere nothing.
  package func prompt(_ text: String) throws(ConsoleError) {
    if let screen { return screen.update { $0.question = text } }
    let channel = output.isTerminal ? output : errors
    if channel.isTerminal { try write(fitted([text], to: channel).joined(separator: "\n"), to: channel) }
  }

  /// Lines that are wider than a terminal that says how wide it is, broken at spaces. A screen breaks them itself, and
  /// what is set in its columns (ECMA-48: Cursor Character Absolute) was made to fit.
  func fitted(_ texts: [String], to channel: Channel) -> [String] {
    guard channel.isTerminal, screen == nil, let columns = channel.descriptor.terminalColumns else {
      return texts
    }
    return texts.flatMap { text -> [String] in
      guard text.utf8.count > columns, !text.contains(/\u{1B}\[[0-9]*G/) else { return [text] }
      let lines = StyledText(text).brokenAtSpaces(to: max(20, columns))
      return lines.count == 1 ? [text] : lines.map(\.text)
    }
  }

  /// Rings the terminal's bell (ECMA-48: BEL), where there is a terminal.
  package func ring() throws(ConsoleError) {
    if let screen { return screen.ring() }
    let channel = output.isTerminal ? output : errors
    if channel.movesCursor { try write("\u{7}", to: channel) }
  }

  /// Writes one message to standard error, wrapped where it is a terminal; nobody can be told when that fails,
  /// so nothing is said.
  package func note(_ text: String) { tell(message(pasteable(text))) }

  /// Has commands that messages name, such as `parlor log list`, written so that they can be pasted as they stand.
  /// - Parameter form: what stands for a command that begins with the program's name.
  package func setCommandForm(_ form: @escaping @Sendable (String) -> String) {
    self.form.withLock { $0.command = form }
  }

  /// Has errors written as JSON objects.
  package func reportErrorsAsObjects() { form.withLock { $0.hasErrorObjects = true } }

  /// The text with each command in it as it can be pasted.
  package func pasteable(_ text: String) -> String {
    guard let form = form.withLock({ $0.command }) else { return text }
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.count % 2 == 1 else { return text }
    return parts.enumerated().map { index, part in
      let isCommand = index % 2 == 1 && (part == "parlor" || part.hasPrefix("parlor "))
      return isCommand ? form(String(part)) : String(part)
    }.joined(separator: "`")
  }

  /// Writes `parlor: error: …` and, where there is something to do about it, a line with the hint; or the object.
  /// - Parameter status: what the program ends with because of it; `nil` when it goes on.
  package func report(error: String, hint: String? = nil, status: ExitStatus? = nil) {
    let (error, hint) = (pasteable(error), hint.map(pasteable))
    guard !form.withLock({ $0.hasErrorObjects }) else {
      let object = JSONLine([
        JSONMember("type", "error"),
        JSONMember(
          "error",
          .object([
            "code": .string((status ?? .negative).code), "message": .string(error), "hint": .optional(hint),
            "exit": status.map { .integer(Int64($0.rawValue)) } ?? .null,
          ])),
      ])
      do throws(ConsoleError) { try write(object.text + "\n", to: errors, isData: true) } catch { return }
      return
    }
    // Whoever plays on a whole screen knows whose words these are.
    if screen != nil, errors.isTerminal {
      let drawing = errors.drawing
      let hint = hint.map { drawing.paint(MessageText.line($0), .dim) + "\n" } ?? ""
      return tell(drawing.paint(MessageText.line(error), .red) + "\n" + hint)
    }
    var text = message(error, after: "parlor: error:", .bold, .red)
    if let hint { text += message(hint, after: "parlor: hint:", .bold) }
    tell(text)
  }

  /// The lines of a message, after a label in these styles.
  private func message(_ text: String, after label: String = "", _ styles: Style...) -> String {
    let whole = label.isEmpty ? text : "\(label) \(text)"
    let lines = MessageText.lines(whole, columns: wrapColumns(errors))
    let joined = lines.joined(separator: "\n") + "\n"
    guard !label.isEmpty, joined.hasPrefix(label) else { return joined }
    return errors.drawing.paint(label, styles) + joined.dropFirst(label.count)
  }

  /// Shows one line that the next call replaces; only where standard error is a terminal, and nothing is drawn there.
  package func show(status text: String) {
    guard errors.movesCursor || screen != nil else { return }
    shown.withLock { shown in
      if let screen = shown.screen { return screen.update { $0.activity = text } }
      guard shown.drawn.isEmpty else { return }
      shown.status = text
      attempt(Self.wipe + text)
    }
  }

  /// Takes the status line away.
  package func clearStatus() {
    shown.withLock { shown in
      if let screen = shown.screen { return screen.update { $0.activity = nil } }
      guard shown.status != nil else { return }
      shown.status = nil
      attempt(Self.wipe)
    }
  }

  var screen: FullScreen? { shown.withLock { $0.screen } }

  /// Where text is broken: a screen breaks it where it has room.
  private func wrapColumns(_ channel: Channel) -> Int {
    screen != nil && channel.isTerminal ? .max : channel.limitColumns ?? .max
  }

  /// Returns to the line's start and empties it (ECMA-48: CR, Erase in Line).
  private static let wipe = "\r\u{1B}[K"

  private func tell(_ text: String) {
    do throws(ConsoleError) { try write(text, to: errors) } catch { return }
  }

  private func attempt(_ text: String) {
    do throws(ConsoleError) { try Self.send(text, to: errors) } catch { return }
  }

  private func write(_ text: String, to channel: Channel, isData: Bool = false) throws(ConsoleError) {
    try shown.withLock { shown throws(ConsoleError) in
      guard channel.isTerminal else { return try Self.send(text, to: channel, isData: isData) }
      if let screen = shown.screen {
        let lines = text.split(separator: "\n").map(String.init)
        return screen.update { $0.say(lines) }
      }
      if !shown.drawn.isEmpty {
        return try Self.send(Self.above(shown.drawn, text), to: channel, isData: isData)
      }
      guard let status = shown.status else { return try Self.send(text, to: channel, isData: isData) }
      if channel == errors { return try Self.send(Self.wipe + text + status, to: channel) }
      attempt(Self.wipe)
      try Self.send(text, to: channel, isData: isData)
      attempt(status)
    }
  }

  static func send(
    _ text: String, to channel: Channel, isData: Bool = false
  ) throws(ConsoleError) {
    do throws(SystemError) {
      let shown = isData || channel.drawing.hasUnicode ? text : MessageText.plainSigns(text)
      try channel.descriptor.write(Array(shown.utf8))
    } catch {
      throw error.code == EPIPE ? .closed : .failed(error)
    }
  }

  /// Whether emoji would show: not on the console of a Linux kernel, nor in a locale that is not UTF-8.
  ///
  /// Where no locale is set, as in many containers, the terminal around is nearly always one of UTF-8.
  private static func isUnicode(_ environment: (String) -> String?) -> Bool {
    guard environment("TERM") != "linux" else { return false }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
    guard let name = locale?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }
}

/// One of the console's two open files and what it can show.
package struct Channel: Hashable, Sendable {
  /// The open file.
  package let descriptor: Descriptor
  /// Whether somebody may be looking.
  package let isTerminal: Bool
  /// Whether the cursor can be moved, so that a line can be replaced.
  package let movesCursor: Bool
  /// Styles and characters that it can show.
  package let drawing: Drawing

  /// The width now, for text that is wrapped: the terminal's, 80 where there is none, at least 20.
  package var columns: Int { max(20, descriptor.terminalColumns ?? 80) }

  /// The height now: the terminal's, 24 where it does not say.
  package var rows: Int { descriptor.terminalRows ?? 24 }

  /// The width now, for text that is cut: the terminal's, no limit where there is none.
  package var limitColumns: Int? { isTerminal ? columns : nil }
}

/// Why a line could not be written.
package enum ConsoleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whoever read our output has gone, as `head` does: stop quietly.
  case closed
  /// The system refused, as with a full disk.
  case failed(SystemError)

  /// The status to end with: whoever left wants no more, which is no failure.
  package var exitStatus: ExitStatus { self == .closed ? .ok : .inputOutput }

  /// What happened.
  package var description: String {
    switch self {
    case .closed: "the reader of the output has gone"
    case .failed(let error): "cannot write the output: \(error)"
    }
  }
}
