import Events
import Platform
package import Simulation

extension Simulator {
  /// Runs one seed of any scenario.
  /// - Parameter trace: is given a line for each thing of note that happens.
  package static func report(
    of options: SimulationOptions, trace: ((String) -> Void)? = nil
  ) async -> RunReport {
    guard options.scenario.hasWholePeers else { return run(options, trace: trace) }
    let isTraced = trace != nil
    let thread = WorkThread()
    let (report, lines) = await withCheckedContinuation { continuation in
      thread.add { continuation.resume(returning: runServices(options, isTraced: isTraced)) }
    }
    for line in lines { trace?(line) }
    return report
  }

  /// Runs whole peers on the thread that calls: no task may be under way there.
  private static func runServices(_ options: SimulationOptions, isTraced: Bool) -> (RunReport, [String]) {
    var digest = RunDigest()
    do {
      let run = try ServiceRun(options, isTraced: isTraced)
      return run.run(options)
    } catch {
      let violation = Violation(promise: .ability, time: 0, peer: nil, room: nil, words: "\(error)")
      let report = RunReport(
        options: options, digest: digest.finish(), violations: [violation], statistics: RunStatistics())
      return (report, [])
    }
  }
}
