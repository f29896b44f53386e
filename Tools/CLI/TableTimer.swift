import Service

/// Has a table looked at when the next seat's time is up, and each second where clocks are shown.
struct TableTimer {
  private var timer: Task<Void, any Error>?

  /// Waits for the next time of a table, and for no other one.
  /// - Parameter isShown: whether somebody sees the clocks run.
  mutating func set(_ table: TableView, _ input: TableInput, isShown: Bool) {
    timer?.cancel()
    let left = table.seats.compactMap { $0.owes ? $0.left : nil }.filter { $0 > 0 }.min()
    timer = left.map { left in
      let wait = isShown ? (left - 1) % 1000 + 1 : left
      return Task {
        try await Task.sleep(for: .milliseconds(wait + 1))
        await input.noteChange()
      }
    }
  }

  /// Waits no longer.
  func stop() { timer?.cancel() }
}
