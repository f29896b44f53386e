import Service

/// Has a table looked at when the next seat's time is up, and each second where clocks are shown.
struct TableTimer {
  private var timer: Task<Void, any Error>?

  /// Waits for the next time of a table, and for no other one.
  /// - Parameter isShown: whether somebody sees the clocks run.
  mutating func set(_ table: TableView, _ input: TableInput, isShown: Bool) {
    timer?.cancel()
    let left = table.seats.compactMap { $0.owes ? $0.left : nil }.filter { $0 > 0 }.min()
    if let left { set(isShown ? (left - 1) % 1000 + 1 : left, input) }
  }

  /// Has the table looked at after so many milliseconds, and at no other time.
  mutating func set(_ milliseconds: Int, _ input: TableInput) {
    timer?.cancel()
    timer = Task {
      try await Task.sleep(for: .milliseconds(milliseconds + 1))
      await input.noteChange()
    }
  }

  /// Waits no longer.
  func stop() { timer?.cancel() }
}
