import Synchronization
import Terminal

/// The first error with which output failed while work went on elsewhere; the work is to stop then.
final class OutputFault: Sendable {
  private let first = Mutex<ConsoleError?>(nil)

  /// Whether some output was refused.
  var isThere: Bool { first.withLock { $0 != nil } }

  /// Prints, unless that failed before.
  func attempt(_ body: () throws(ConsoleError) -> Void) {
    guard !isThere else { return }
    do throws(ConsoleError) { try body() } catch { first.withLock { $0 = $0 ?? error } }
  }

  /// Throws what was kept.
  func check() throws(ConsoleError) { if let error = first.withLock({ $0 }) { throw error } }
}
