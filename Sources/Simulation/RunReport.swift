package import Events

/// What happened in a run, in numbers.
package struct RunStatistics: Hashable, Sendable {
  /// Steps of the simulation.
  package var steps = 0
  /// Own events that honest peers made durable.
  package var events = 0
  package var rooms = 0
  /// Messages that were sent.
  package var messages = 0
  package var delivered = 0
  package var bytes = 0
  package var lost = 0
  package var commits = 0
  package var crashes = 0
  package var restores = 0
  package var refusals = 0
  /// Games that all seats have signed, counted once a room.
  package var agreedGames = 0
  /// Rounds that a host has settled, and draws of chance at tables of games, counted once a room.
  package var settledRounds = 0
  package var draws = 0
  /// Frauds in rounds, by what they are called, as far as an honest peer has them.
  package var roundFrauds: [String: Int] = [:]
  /// Results of pairings that an organizer wrote.
  package var pairings = 0
  /// How often the network was split, an organizer or entrant ruled or withdrew, and a signed result was overruled.
  package var partitions = 0
  package var rulings = 0
  package var overruled = 0
  /// How often an organizer went on elsewhere or was gone for good.
  package var departures = 0
  /// How many entrants came into a tournament after its start.
  package var lateEntrants = 0
  /// Feeds that are proven forked, counted once a room.
  package var convictions = 0
  /// How often somebody dishonest did something to a whole peer.
  package var attacks = 0
  /// How often somebody dishonest among whole peers did something with the key that it takes part with.
  package var insiderFrauds = 0
  /// Words of a dishonest organizer that are shown to be false, once for each peer that is shown it.
  package var shownLies = 0
  /// Games that people with browsers came to the end of, and moves and lines of chat that pages showed them.
  package var visitedGames = 0
  package var shownEvents = 0
  /// How long after the last wanted event all were alike, in milliseconds.
  package var convergenceMilliseconds: UInt64 = 0

  /// Nothing yet.
  package init() {}

  /// Sums, and the longest convergence.
  package mutating func add(_ other: RunStatistics) {
    steps += other.steps
    events += other.events
    rooms += other.rooms
    messages += other.messages
    delivered += other.delivered
    bytes += other.bytes
    lost += other.lost
    commits += other.commits
    crashes += other.crashes
    restores += other.restores
    refusals += other.refusals
    agreedGames += other.agreedGames
    settledRounds += other.settledRounds
    draws += other.draws
    roundFrauds.merge(other.roundFrauds, uniquingKeysWith: +)
    pairings += other.pairings
    partitions += other.partitions
    rulings += other.rulings
    overruled += other.overruled
    departures += other.departures
    lateEntrants += other.lateEntrants
    convictions += other.convictions
    attacks += other.attacks
    insiderFrauds += other.insiderFrauds
    shownLies += other.shownLies
    visitedGames += other.visitedGames
    shownEvents += other.shownEvents
    convergenceMilliseconds = max(convergenceMilliseconds, other.convergenceMilliseconds)
  }
}

/// What came out of a run.
package struct RunReport: Sendable {
  /// What was run.
  package let options: SimulationOptions
  /// A hash over everything that was delivered and over the final states: equal digests, equal runs.
  package let digest: Digest
  /// What must not happen and did, in the order in which it was seen.
  package let violations: [Violation]
  package let statistics: RunStatistics
  /// By peer: the file of the tournament as an honest peer holds it at the end, where the options ask for that.
  package let files: [Int: [UInt8]]

  package init(
    options: SimulationOptions, digest: Digest, violations: [Violation], statistics: RunStatistics,
    files: [Int: [UInt8]] = [:]
  ) {
    self.options = options
    self.digest = digest
    self.violations = violations
    self.statistics = statistics
    self.files = files
  }
}

/// Runs seeds.
package enum Simulator {
  /// Runs one seed of any scenario but that of whole peers.
  /// - Parameter trace: is given a line for each thing of note that happens.
  package static func run(_ options: SimulationOptions, trace: ((String) -> Void)? = nil) -> RunReport {
    precondition(!options.scenario.hasWholePeers, "whole peers have a thread of their own")
    var run = SimulationRun(options, trace: trace)
    return run.run()
  }
}
