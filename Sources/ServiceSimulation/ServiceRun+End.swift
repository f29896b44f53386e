import EventLog
import Peer
import Projection
import Service
import Simulation
import Tournaments

// How a run is run, and when what is played is over.

/// A digest to which several add, on one thread.
private final class SharedDigest {
  var value = RunDigest()
}

extension ServiceRun {
  /// When a run that has not ended by itself is ended, in milliseconds.
  private static let limitMilliseconds: UInt64 = 1_200_000

  /// How long what is left of a run is run when it was looked at, in milliseconds.
  private static let remainsMilliseconds: UInt64 = 120_000

  /// Runs all, on the machine's thread.
  nonisolated func run(_ options: SimulationOptions) -> (RunReport, [String]) {
    let digest = SharedDigest()
    unsafe network.watcher = { [machine] bytes, from, to in
      digest.value.add(bytes, from: from, to: to, at: machine.microseconds)
    }
    begin()
    machine.run(loop, untilMilliseconds: Self.limitMilliseconds) { assumeIsolated { $0.isOver } }
    // What is still to be done keeps the peers, and they the machine that would do it.
    defer { machine.run(loop, untilMilliseconds: machine.now + Self.remainsMilliseconds) { false } }
    return assumeIsolated { run in
      let record = run.record
      if !run.isOver { record.violate(.ability, "nothing goes on, or not everything came to its end") }
      if machine.strays > 0 {
        record.violate(.conduct, "\(machine.strays) jobs came from a thread that is not the machine's")
      }
      run.checks.add(to: &digest.value)
      var counts = record.statistics
      counts.steps = machine.steps
      unsafe counts.messages = network.counts.pieces
      unsafe counts.bytes = network.counts.bytes
      let report = RunReport(
        options: options, digest: digest.value.finish(), violations: record.violations, statistics: counts,
        files: options.keepsFiles ? run.checks.files() : [:])
      return (report, record.trace)
    }
  }

  /// Waits until all peers see the same end.
  func settle() async throws {
    switch plan.play {
    case .openGames, .visits: return
    case .tournament, .rounds: break
    }
    let begin = machine.now
    let end = begin + (plan.hasDishonestHost ? Self.insidersMilliseconds : Self.patienceMilliseconds)
    var lookAt = begin
    while try !honestMachines.allSatisfy(isAtItsEnd) {
      guard machine.now < end else {
        let late = try honestMachines.filter { try !isAtItsEnd($0) }
        checks.tellRooms()
        for number in late { try checks.tellReady(number) }
        if try await mayWaitForEver(late) { return record.tell("peers \(late) wait for somebody dishonest") }
        return record.violate(.convergence, "what is played has not come to its end at peers \(late)")
      }
      await sleep(250)
      guard case .tournament = plan.play, machine.now > lookAt else { continue }
      lookAt = machine.now + Self.lookMilliseconds
      try await callInsidersAbsent(since: begin)
      if plan.hasDishonestHost { try comeBack() }
    }
    record.statistics.convergenceMilliseconds = machine.now - begin
    record.tell("it is over everywhere")
  }

  private func isAtItsEnd(_ number: Int) throws -> Bool {
    if case .rounds = plan.play { return try areRoundsOver(number) }
    guard let found = try hosts[number].stored(tournament).read() else { return false }
    if plan.hasDishonestHost { return found.state.isComplete || found.waitsForOrganizer }
    guard number == organizer else {
      return found.state.isComplete || plan.faults.contains(.organizerGone) && found.waitsForOrganizer
    }
    guard found.state.isComplete else { return false }
    let state = try hosts[number].stored(tournament).state()
    return found.isEnded(by: state.tournamentWords)
  }

  /// Whether what is played may never end for these peers: a host need not settle its rounds, an organizer that forks
  /// its feed stops its tournament, and one that gave others an event of its own without what that names is not let
  /// write there by its own process, which takes its store for an old copy.
  private func mayWaitForEver(_ late: [Int]) async throws -> Bool {
    guard plan.hasDishonestHost else { return false }
    if case .rounds = plan.play { return true }
    let isForked = try late.allSatisfy { try hosts[$0].stored(tournament).hasForked(hosts[0].peer) }
    if isForked { return true }
    let log = try await hosts[organizer].life?.service.rooms.log(of: tournament)
    return log?.waitingRoom.contains(by: hosts[organizer].peer) == true
  }
}
