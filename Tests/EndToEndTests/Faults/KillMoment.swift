import BotKit
import Foundation

/// The moment of a kill: after so many lines of output, and then so much later.
struct KillMoment: CustomStringConvertible {
  let lines: Int
  let microseconds: UInt32

  var description: String { "after \(lines) lines and \(microseconds) µs" }

  /// While the program starts, which is when it creates what is absent and takes up what is there.
  static func starting(_ random: inout RandomStream) -> KillMoment {
    KillMoment(lines: 0, microseconds: UInt32.random(in: 0...30_000, using: &random))
  }

  /// At the work: some time after one of the lines that acknowledge something, or right upon it, when what
  /// was not stored before it was said is not stored yet.
  static func working(lines: Int, _ random: inout RandomStream) -> KillMoment {
    KillMoment(
      lines: Int.random(in: 1...max(1, lines), using: &random),
      microseconds: Bool.random(using: &random) ? 0 : UInt32.random(in: 0...4_000, using: &random))
  }
}

extension Dialogue {
  /// Kills the run at a moment, if it has not ended before.
  /// - Returns: `false` when it had ended by itself.
  func kill9(at moment: KillMoment) throws -> Bool {
    _ = try waitOrEnd(pollMicroseconds: 50) { try moment.lines == 0 || lineCount() >= moment.lines }
    if moment.microseconds > 0 { usleep(moment.microseconds) }
    return kill9()
  }
}
