import Service
import Terminal

/// Has a loop look again while a round is open, because something is to be shown or done as time passes.
struct RoundsClock {
  private let input: TableInput
  private let interval: Duration
  private var ticks: Task<Void, any Error>?
  /// Since when this process sees the round that is on.
  private var seen: (opening: HostedView.Round, since: ContinuousClock.Instant)?

  /// - Parameter interval: how often the loop is to look.
  init(_ input: TableInput, every interval: Duration = .milliseconds(500)) {
    (self.input, self.interval) = (input, interval)
  }

  /// Notes how the round stands.
  /// - Parameter isTicking: whether anything is shown or done that changes with time.
  mutating func note(_ round: HostedView.Round?, isTicking: Bool) {
    if let round, round.opening != seen?.opening.opening { seen = (round, .now) }
    let isOn = round.map { $0.phase == .open } ?? false
    guard isOn, isTicking else {
      ticks?.cancel()
      ticks = nil
      return
    }
    guard ticks == nil else { return }
    ticks = Task { [input, interval] in
      while true {
        try await Task.sleep(for: interval)
        await input.noteChange()
      }
    }
  }

  /// How long a round is open, in milliseconds, by the host's clock where this is the host, else since it was seen
  /// here; `nil` where it was not seen.
  func elapsed(_ round: HostedView.Round?) -> Int? {
    guard let round, let seen, seen.opening.opening == round.opening else { return nil }
    return round.elapsed ?? Int((ContinuousClock.now - seen.since) / .milliseconds(1))
  }

  /// The seconds that are left of a round.
  func secondsLeft(_ round: HostedView.Round?) -> Int? {
    guard let round, let passed = elapsed(round) else { return nil }
    return max(0, round.limit - passed + 999) / 1_000
  }

  /// What is left of a round in which entries add up, in words.
  func words(for round: HostedView.Round?) -> String? {
    guard let round, round.phase == .open, let left = secondsLeft(round) else { return nil }
    return "\(left) s left"
  }

  func stop() { ticks?.cancel() }
}
