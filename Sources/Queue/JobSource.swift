import Events
package import NATS
package import Peer
import Platform

/// A worker's side of queues: it takes jobs of any tournament, and gives answers.
package actor JobSource {
  /// How often it is looked for tournaments that are new.
  private static let lookMilliseconds: UInt64 = 2_000
  /// How long a job is waited for at a time.
  private static let waitMilliseconds: Int64 = 500
  /// How often a worker says that it is still at a job.
  package static let signMilliseconds = QueueNames.waitMilliseconds / 3

  /// A job that nobody else has, as long as it says from time to time that it is being played.
  package struct Lease: Sendable {
    /// The job as it came.
    package let bytes: [UInt8]
    fileprivate let names: QueueNames
    fileprivate let handed: JetStream.Handed
    private let stream: JetStream

    fileprivate init(_ handed: JetStream.Handed, _ names: QueueNames, _ stream: JetStream) {
      bytes = handed.bytes
      self.handed = handed
      self.names = names
      self.stream = stream
    }

    /// The tournament that the queue is of, in hexadecimal digits.
    package var tournament: String { names.tournament }

    /// Says that the job is being played.
    package func keep() async throws(NATSError) { try await stream.tell(.inProgress, of: handed) }

    /// Gives the job back for somebody else.
    /// - Parameter milliseconds: how long nobody is to get it, so that it does not come straight back.
    package func giveBack(after milliseconds: Int64) async throws(NATSError) {
      try await stream.tell(.again(afterMilliseconds: milliseconds), of: handed)
    }

    /// Stores an answer and then lets go of the job. When it returns, the servers have the answer.
    /// - Parameter id: unlike those of all other answers.
    /// - Returns: `false` when nobody wants answers any more: the tournament is over.
    package func answer(_ answer: JobAnswer, id: String) async throws(NATSError) -> Bool {
      do throws(NATSError) {
        try await stream.store(answer.encoded, as: id, in: names.answerSubject)
      } catch {
        guard error.isPassing, try await stream.count(of: names.answers) == nil else { throw error }
        return false
      }
      try await stream.tell(.done, of: handed)
      return true
    }
  }

  private let stream: JetStream
  private var known: [QueueNames] = []
  private var next = 0
  private var looked: UInt64?

  /// The most bytes of an answer that the servers take.
  package nonisolated var limitBytes: Int { min(stream.connection.limitBytes, JobAnswer.limitBytes) }

  package init(_ connection: NATSConnection) { stream = JetStream(connection: connection) }

  /// A job of any tournament; `nil` when there was none for about half a second.
  package func job() async throws(NATSError) -> Lease? {
    let now = MonotonicClock.tickMilliseconds
    if looked.map({ now - $0 >= Self.lookMilliseconds }) ?? true {
      known = try await stream.streams(taking: QueueNames.allJobs).compactMap(QueueNames.init(jobs:))
      looked = now
    }
    // Where there are several, none may keep the worker from the others.
    let wait = known.count == 1 ? Self.waitMilliseconds : 0
    for _ in known {
      next = (next + 1) % max(1, known.count)
      let names = known[next]
      do throws(NATSError) {
        let handed = try await stream.next(QueueNames.workers, of: names.jobs, waitMilliseconds: wait)
        if let handed { return Lease(handed, names, stream) }
      } catch {
        // The tournament is over, or its servers are away: it is looked again.
        looked = nil
        guard error.isPassing else { throw error }
        break
      }
    }
    if wait == 0 {
      do { try await Task.sleep(for: .milliseconds(Self.waitMilliseconds)) } catch { return nil }
    }
    return nil
  }
}
