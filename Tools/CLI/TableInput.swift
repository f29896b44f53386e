import Platform
import Service
import Terminal

/// What a person types and what happens elsewhere, one after the other as it comes.
///
/// Lines are read on a thread of their own, the next one when it is asked for, so that what was not asked for stays
/// in the pipe.
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
  private let stop: Descriptor
  private var isReading = false
  /// Whether a thread waits for a request to stop.
  private var isWaiting = false
  private var hasEnded = false
  private var read: Result<LineReader.Result, LineReaderError>?
  private var isChanged = false
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ interrupts: Interrupts) {
    reader = LineReader(.input, stop: interrupts.stop)
    stop = interrupts.stop
  }

  /// The input, and what changes at a peer.
  init(_ interrupts: Interrupts, following service: any Service) async throws {
    self.init(interrupts)
    follow(try await service.changes())
  }

  /// Takes in the signals of a stream, until it ends; the end is one as well, so that who waits asks why.
  func follow(_ changes: AsyncStream<Void>) {
    Task {
      for await _ in changes { self.noteChange() }
      self.noteChange()
    }
  }

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

  private func takeLine() throws -> LineReader.Result? {
    guard let read else { return nil }
    self.read = nil
    return try read.get()
  }

  private func wait() async throws {
    try startReading()
    await withCheckedContinuation { waiter = $0 }
  }

  private func startReading() throws {
    guard !isReading else { return }
    isReading = true
    let (asked, stop, hasEnded) = (reader, stop, hasEnded)
    try Background.start {
      var reader = asked
      let result: Result<LineReader.Result, LineReaderError>
      do throws(LineReaderError) {
        result = .success(try hasEnded ? LineReader.waitForStop(stop) : reader.next())
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
    read = result
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
