import Dispatch
import Foundation
package import Testing

/// Runs each test on a thread of its own, because it blocks its thread while it waits for programs.
///
/// Swift's own pool has one thread for each processor: two tests that block would stop all others. No more than a few
/// such tests run at once, so that each of them gets on.
package struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
  private static let places = Places(3 * ProcessInfo.processInfo.activeProcessorCount)

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.places.take()
    let result: Result<Void, any Error>
    do {
      try await withTaskExecutorPreference(SerialQueue()) { try await function() }
      result = .success(())
    } catch { result = .failure(error) }
    await Self.places.giveBack()
    try result.get()
  }
}

extension Trait where Self == BlockingTests {
  /// For tests that block their thread while they wait for programs.
  package static var blocking: Self { Self() }
}

/// Places that are taken in turn.
private actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func giveBack() {
    guard !waiting.isEmpty else { return free += 1 }
    waiting.removeFirst().resume()
  }
}

/// An executor of one task. The system gives each serial queue a thread that others cannot hold up.
private final class SerialQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "parlor.blocking-test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
