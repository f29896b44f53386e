import Platform
import Service
import Terminal

/// What a person types and what happens elsewhere, one after the other as it comes.
///
/// Lines are read on a thread of their own, the next one when it is asked for, so that what was not asked for stays
/// in the pipe. While a game fills the terminal, its keys are read instead (`ScreenInput`).
actor TableInput {
  /// What came.
  enum Event {
    case line(LineReader.Result)
    /// Something may have changed.
    case changed

    /// Whether something may have changed, and nobody has asked to stop.
    var isChange: Bool { if case .changed = self { true } else { false } }
  }

  private var reader: LineReader
  private let interrupts: Interrupts
  private var stop: Descriptor { interrupts.stop }
  /// What is typed where a game fills the terminal.
  private var screen: ScreenInput?
  /// Whole lines that were typed and not asked for: there, or put back.
  private var typed: [LineReader.Result] = []
  /// Ends the reading of lines, and who waits for that.
  private var halt: (read: Descriptor, write: Descriptor)?
  private var halted: CheckedContinuation<Void, Never>?
  private var isReading = false
  /// Whether a thread waits for a request to stop.
  private var isWaiting = false
  private var hasEnded = false
  private var read: Result<LineReader.Result, LineReaderError>?
  private var isChanged = false
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ interrupts: Interrupts) {
    reader = LineReader(.input, stop: interrupts.stop)
    self.interrupts = interrupts
  }

  deinit {
    halt?.read.forget()
    halt?.write.forget()
  }

  /// The input, and what changes at a peer.
  init(_ interrupts: Interrupts, following service: any Service) async throws {
    self.init(interrupts)
    follow(try await service.changes())
  }

  /// Takes in the signals of a stream, until it ends; the end is one as well, so that who waits asks why.
  func follow(_ changes: some AsyncSequence<Void, Never> & Sendable) {
    Task {
      for await _ in changes { self.noteChange() }
      self.noteChange()
    }
  }

  // MARK: - A game that fills the terminal

  /// Reads keys from here on, which a screen shows. What was typed of a line goes on there.
  /// - Parameter keys: what keys do there.
  func enter(_ screen: FullScreen, _ keys: ScreenInput.Keys) async throws {
    try await stopReading()
    self.screen = try ScreenInput(screen, interrupts, keys) { [weak self] in
      Task { await keys == .taps ? self?.noteChange() : self?.wake() }
    }
  }

  /// How often the space bar was pressed on the screen since the last call.
  func takeTaps() -> Int { screen?.takeTaps() ?? 0 }

  /// Gives the terminal back, and reads lines again.
  func leaveScreen() async throws {
    guard let screen else { return }
    await screen.leave()
    self.screen = nil
    while let result = try screen.take() {
      if case .line = result { typed.append(result) }
    }
  }

  /// Stops to read lines; what was typed of the next one stays in the terminal.
  private func stopReading() async throws {
    // After the end nothing is read.
    guard isReading, !hasEnded, let halt else { return }
    try halt.write.write([1])
    await withCheckedContinuation { halted = $0 }
    _ = try halt.read.read(limitBytes: 1)
  }

  // MARK: - What came

  /// The next line. After the last one, waits until somebody asks to stop.
  func line() async throws -> LineReader.Result {
    while true {
      if let line = try takeLine() { return line }
      try await wait()
    }
  }

  /// The next line, or that something may have changed.
  func next() async throws -> Event {
    while true {
      if let line = try takeLine() { return .line(line) }
      if isChanged {
        isChanged = false
        return .changed
      }
      try await wait()
    }
  }

  /// Like `next`, without reading: a line that was read before is kept.
  func change() async throws -> Event {
    while true {
      if isChanged {
        isChanged = false
        return .changed
      }
      if case .success(.interrupted)? = read { return .line(.interrupted) }
      try startWaiting()
      await withCheckedContinuation { waiter = $0 }
    }
  }

  /// Has a line come again as the next one.
  func putBack(_ line: String) { typed.insert(.line(line), at: 0) }

  private func takeLine() throws -> LineReader.Result? {
    if !typed.isEmpty { return typed.removeFirst() }
    if let result = try screen?.take() { return result }
    guard let read else { return nil }
    self.read = nil
    return try read.get()
  }

  private func wait() async throws {
    if screen == nil { try startReading() }
    await withCheckedContinuation { waiter = $0 }
  }

  private func startReading() throws {
    guard !isReading else { return }
    if halt == nil { halt = try Descriptor.pipe() }
    isReading = true
    let (asked, stop, halt, hasEnded) = (reader, stop, halt?.read, hasEnded)
    try Background.start {
      var reader = asked
      let result: Result<LineReader.Result, LineReaderError>
      do throws(LineReaderError) {
        result = .success(try hasEnded ? LineReader.waitForStop(stop) : reader.next(until: halt))
      } catch { result = .failure(error) }
      let used = reader
      Task { await self.put(result, used) }
    }
  }

  /// Has somebody listen for a request to stop while nothing is read.
  private func startWaiting() throws {
    guard !isReading, !isWaiting else { return }
    isWaiting = true
    let stop = stop
    try Background.start {
      let result: Result<LineReader.Result, LineReaderError>
      do throws(LineReaderError) { result = .success(try LineReader.waitForStop(stop)) } catch {
        result = .failure(error)
      }
      Task { await self.hasStopped(result) }
    }
  }

  private func hasStopped(_ result: Result<LineReader.Result, LineReaderError>) {
    read = result
    wake()
  }

  private func put(_ result: Result<LineReader.Result, LineReaderError>, _ reader: LineReader) {
    isReading = false
    self.reader = reader
    if case .success(.end) = result { hasEnded = true }
    if case .success(.timedOut) = result {} else { read = result }
    halted?.resume()
    halted = nil
    wake()
  }

  /// Has whoever waits look again.
  func noteChange() {
    isChanged = true
    wake()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
