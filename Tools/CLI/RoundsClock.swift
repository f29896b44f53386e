import Service
import Terminal

/// Has a loop look again while a round is open, so that what is left of it is shown; on terminals alone.
struct RoundsClock {
  private let input: TableInput
  private var ticks: Task<Void, any Error>?
  /// Since when this process sees the round that is on.
  private var seen: (opening: HostedView.Round, since: ContinuousClock.Instant)?

  init(_ input: TableInput) { self.input = input }

  /// Notes how the round stands.
  /// - Parameter isShown: whether anything is shown that changes with time.
  mutating func note(_ round: HostedView.Round?, isShown: Bool) {
    if let round, round.opening != seen?.opening.opening { seen = (round, .now) }
    let isOn = round.map { $0.phase == .open } ?? false
    guard isOn, isShown else {
      ticks?.cancel()
      ticks = nil
      return
    }
    guard ticks == nil else { return }
    ticks = Task { [input] in
      while true {
        try await Task.sleep(for: .milliseconds(500))
        await input.noteChange()
      }
    }
  }

  /// The seconds that are left of a round, by the host's clock where this is the host, else since it was seen here.
  func secondsLeft(_ round: HostedView.Round?) -> Int? {
    guard let round, let seen, seen.opening.opening == round.opening else { return nil }
    let passed = round.elapsed ?? Int((ContinuousClock.now - seen.since) / .milliseconds(1))
    return max(0, round.limit - passed + 999) / 1_000
  }

  func stop() { ticks?.cancel() }
}
