import Platform

/// The program with which long output is read at a terminal, a page at a time, chosen as git chooses it.
struct Pager: Sendable {
  /// Its command line.
  let words: [String]
  /// Entries of its environment, as `NAME=VALUE`, beside this process's.
  let variables: [String]

  /// What a person chose: `PARLOR_PAGER`, else `PAGER`, else `less`. `nil` where that is empty or `cat`.
  /// - Parameter environment: looks up a variable.
  init?(environment: (String) -> String?) {
    let command = environment("PARLOR_PAGER") ?? environment("PAGER") ?? "less"
    let words = command.split(separator: " ").map(String.init)
    guard !words.isEmpty, words != ["cat"] else { return nil }
    // Only a shell knows what these mean.
    let needsShell = command.utf8.contains { Self.shellSigns.contains($0) }
    self.words = needsShell ? ["/bin/sh", "-c", command] : words
    // Styles as they are; it ends by itself where a page is enough, and what was read stays.
    variables = [("LESS", "FRX"), ("LV", "-c")].filter { environment($0.0) == nil }.map { "\($0.0)=\($0.1)" }
  }

  private static let shellSigns = Set("|&;<>()$`\\\"' \t\n*?[#~=%".utf8).subtracting([0x20])

  /// Shows a text, and waits until it was read.
  /// - Returns: whether it was shown; not where there is no such program.
  func show(_ text: String, isStopRequested: () -> Bool) -> Bool {
    do throws(SystemError) {
      let end = try ReaderProgram.run(
        words, adding: variables, input: Array(text.utf8), isStopRequested: isStopRequested)
      // What shells say of a program that they do not find, or may not start.
      return end != .exited(127) && end != .exited(126)
    } catch { return false }
  }
}

extension Console {
  /// Writes lines to standard output, all of them or an error; at a terminal that has not so many, through the pager of
  /// whoever sits there, who has the terminal meanwhile, with Ctrl-C.
  package func pages(_ texts: [String], _ interrupts: Interrupts) throws(ConsoleError) {
    let texts = fitted(texts, to: output)
    guard let pager, output.movesCursor, let rows = output.descriptor.terminalRows, texts.count >= rows,
      screen == nil
    else { return try lines(texts) }
    clearStatus()
    let text = texts.map { $0 + "\n" }.joined()
    let shown = interrupts.lend {
      pager.show(output.drawing.hasUnicode ? text : MessageText.plainSigns(text)) {
        interrupts.isStopRequested
      }
    }
    if !shown { try lines(texts) }
  }
}
