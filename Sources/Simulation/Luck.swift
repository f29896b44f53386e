import BotKit

/// What a run draws its random numbers from: a stream for each purpose, so that leaving out one fault does not change
/// what is drawn for the others.
struct Luck: Sendable {
  /// Who is connected with whom.
  var topology: RandomStream
  /// How long commits take, and what a crash leaves of them.
  var disks: RandomStream
  /// By fault: when it strikes, and whom.
  var strikes: [Fault: RandomStream] = [:]
  /// How long reading rooms takes, and who cares to.
  var reading: RandomStream

  init(seed: UInt64) {
    topology = RandomStream(seed: seed, for: .topology)
    disks = RandomStream(seed: seed, for: .disks)
    reading = RandomStream(seed: seed, for: .reading)
    for (number, fault) in Fault.allCases.enumerated() {
      strikes[fault] = RandomStream(seed: seed, for: .mischief, number)
    }
  }
}
