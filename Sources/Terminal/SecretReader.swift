import Glibc
package import Platform

/// Asks at a terminal for lines that are not shown, until somebody asks to stop. Reading blocks the calling thread.
package struct SecretReader: Sendable {
  /// What came.
  package enum Answer: Hashable, Sendable {
    /// A line without its end, which whoever asked has to wipe.
    case line([UInt8])
    /// A line longer than the limit; it was wiped.
    case tooLong
    /// Nothing more will come.
    case end
    /// Somebody asked to stop.
    case interrupted
  }

  /// The longest line that a terminal gives, in bytes with its end.
  private static let terminalBytes = 4_096

  private let terminal: HeldTerminal
  private let output: Descriptor
  private let interrupts: Interrupts

  /// Asks while `body` runs; however that ends, the terminal is as it was before.
  /// - Parameter output: where the questions are shown.
  package static func asking<Result>(
    at input: Descriptor, showingOn output: Descriptor, _ interrupts: Interrupts,
    _ body: (SecretReader) throws -> Result
  ) throws -> Result {
    let terminal = try HeldTerminal(input, .lines)
    defer { interrupts.giveBack(terminal) }
    try interrupts.hold(terminal)
    return try body(SecretReader(terminal: terminal, output: output, interrupts: interrupts))
  }

  /// Asks, and waits for the line.
  /// - Parameter limitBytes: the longest line, without its end.
  package func ask(_ question: String, limitBytes: Int) throws(SystemError) -> Answer {
    terminal.waitForTurn()
    try output.write(Array(question.utf8))
    var line: [UInt8] = []
    // A line that grew would leave copies behind.
    line.reserveCapacity(2 * Self.terminalBytes)
    while true {
      switch try wait() {
      case .stopped:
        line.wipe()
        try output.write([0x0A])
        return .interrupted
      case .returned:
        // What was typed before is gone; the question may still stand in this line.
        try output.write(Array("\r\(question)".utf8))
      case .readable:
        guard try fill(&line) else {
          line.wipe()
          try output.write([0x0A])
          return .end
        }
        // What does not end in time is cut off here, and is too long.
        guard line.last == 0x0A || line.count > Self.terminalBytes else { continue }
        if line.last == 0x0A { line.removeLast() }
        guard line.count <= limitBytes else {
          line.wipe()
          return .tooLong
        }
        return .line(line)
      }
    }
  }

  private enum Readiness { case readable, returned, stopped }

  private func wait() throws(SystemError) -> Readiness {
    while !interrupts.isStopRequested {
      // A shell may have had the terminal, and given it back without a word.
      terminal.waitForTurn()
      try terminal.hold()
      let ready = try Descriptor.waitReadable([terminal.input, terminal.changes, interrupts.stop])
      if ready[2] { break }
      if ready[1], try terminal.takeChange() == .returned { return .returned }
      if ready[0] { return .readable }
    }
    return .stopped
  }

  /// - Returns: `false` when nothing more will come.
  private func fill(_ line: inout [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      guard var bytes = try terminal.input.read(limitBytes: Self.terminalBytes) else { return true }
      defer { bytes.wipe() }
      line += bytes
      return !bytes.isEmpty
    } catch {
      // Whoever had the terminal has gone, as when its window was closed.
      guard error.code == EIO else { throw error }
      return false
    }
  }
}
