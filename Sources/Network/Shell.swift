package import EventLog
internal import Events
internal import Platform

/// What a peer runs on: this machine, or one that is simulated. Executor, clock, streams, the writer's place, random
/// numbers and what is done away from the loop come from here alone.
package struct Shell: Sendable {
  /// Where the peer lives; its clock is the peer's.
  package let loop: EventLoop
  /// How it comes to connections.
  package let streams: any Transport
  /// Where its store is written.
  package let writer: any WriterExecutor
  /// How many descriptors it may have open.
  package let descriptors: Int
  /// Gives 32 random bytes.
  package let random: @Sendable () -> [UInt8]
  private let elsewhere: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter elsewhere: does something that may take long, or wait, where it holds up nothing.
  package init(
    loop: EventLoop, streams: any Transport, writer: any WriterExecutor, descriptors: Int,
    random: @escaping @Sendable () -> [UInt8],
    elsewhere: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.loop = loop
    self.streams = streams
    self.writer = writer
    self.descriptors = descriptors
    self.random = random
    self.elsewhere = elsewhere
  }

  /// This machine.
  /// - Throws: what the system refused.
  package static func machine() throws(NetworkError) -> Shell {
    let loop = try EventLoop()
    // A bot may wait for a program, and Swift's pool has one thread for each processor.
    return Shell(
      loop: loop, streams: TCPTransport(loop), writer: WriterQueue(),
      descriptors: CurrentProcess.raiseDescriptorLimit(),
      random: SigningKey.randomSeed, elsewhere: { WorkThread().add($0) })
  }

  /// Does something that may take long, or wait, away from the loop and from the pool of tasks.
  nonisolated(nonsending) package func wait<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      elsewhere { continuation.resume(returning: body()) }
    }
  }
}
