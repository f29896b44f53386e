import Glibc
package import Platform

/// Reads a terminal key by key, until somebody asks to stop. Reading blocks the calling thread.
package struct KeyReader {
  /// What came.
  package enum Event: Hashable, Sendable {
    case key(Key)
    /// The terminal has another size.
    case resized
    /// This process was stopped and goes on: what it has drawn may be gone.
    case returned
    /// Nothing more will come.
    case end
    /// Somebody asked to stop.
    case interrupted
  }

  /// How long the rest of a sequence may take; an ESC that stands alone for so long is a key.
  package static let pauseMilliseconds = 100

  private let terminal: HeldTerminal
  private let interrupts: Interrupts
  private let pauseMilliseconds: Int
  /// Becomes readable when no more keys are wanted.
  private let stop: Descriptor?
  private var parser = KeyParser()
  /// The keys that have come and were not taken, the next one last.
  private var keys: [Key] = []

  private init(
    _ terminal: HeldTerminal, _ interrupts: Interrupts, pauseMilliseconds: Int, until stop: Descriptor?
  ) {
    self.terminal = terminal
    self.interrupts = interrupts
    self.pauseMilliseconds = pauseMilliseconds
    self.stop = stop
  }

  /// Reads keys while `body` runs; however that ends, the terminal is as it was before.
  /// - Parameter stop: what becomes readable when no more keys are wanted, which is the end.
  package static func reading<Result>(
    _ input: Descriptor, _ interrupts: Interrupts, pauseMilliseconds: Int = Self.pauseMilliseconds,
    until stop: Descriptor? = nil, _ body: (inout KeyReader) throws -> Result
  ) throws -> Result {
    try reading(
      HeldTerminal(input, .keys), interrupts, pauseMilliseconds: pauseMilliseconds, until: stop, body)
  }

  /// The same, of a terminal that is not held yet.
  static func reading<Result>(
    _ terminal: HeldTerminal, _ interrupts: Interrupts, pauseMilliseconds: Int = Self.pauseMilliseconds,
    until stop: Descriptor?, _ body: (inout KeyReader) throws -> Result
  ) throws -> Result {
    defer { interrupts.giveBack(terminal) }
    try interrupts.hold(terminal)
    var reader = KeyReader(terminal, interrupts, pauseMilliseconds: pauseMilliseconds, until: stop)
    return try body(&reader)
  }

  /// Waits for what comes next.
  package mutating func next() throws(SystemError) -> Event {
    while true {
      if interrupts.isStopRequested { return .interrupted }
      if let key = keys.popLast() { return .key(key) }
      // A shell may have had the terminal, and given it back without a word.
      if try terminal.hold() { return .returned }
      let pause = parser.isWithinKey ? pauseMilliseconds : nil
      let ready = try Descriptor.waitReadable(
        [terminal.input, terminal.changes, interrupts.stop] + (stop.map { [$0] } ?? []),
        timeoutMilliseconds: pause)
      if ready[2] { return .interrupted }
      if ready.count > 3, ready[3] { return .end }
      if ready[1] {
        switch try terminal.takeChange() {
        case .resized: return .resized
        case .returned: return .returned
        case nil: continue
        }
      }
      if ready[0] {
        guard try fill() else { return .end }
      } else if let key = parser.pause() {
        return .key(key)
      }
    }
  }

  /// - Returns: `false` when nothing more will come.
  private mutating func fill() throws(SystemError) -> Bool {
    do throws(SystemError) {
      guard let bytes = try terminal.input.read(limitBytes: 1024) else { return true }
      keys = parser.take(bytes).reversed()
      return !bytes.isEmpty
    } catch {
      // Whoever had the terminal has gone, as when its window was closed.
      guard error.code == EIO else { throw error }
      return false
    }
  }
}
