package import Events
package import NATS
package import Peer
import Platform

/// The organizer's side of a queue: jobs go out, answers come back.
///
/// Streams keep both, so that neither a worker nor an organizer that dies loses any. A message may come twice, and a
/// job may be played twice; the first answer that the organizer takes counts.
package actor JobQueue {
  /// How many jobs are given out at once.
  package static let window = 2_048
  /// How often streams are asked for before the servers count as away.
  private static let openingTries = 20
  /// How long nothing may come before it is looked whether jobs were lost.
  private static let patienceMilliseconds: UInt64 = 15_000

  /// What is told while it runs.
  package enum News: Hashable, Sendable {
    /// The servers cannot be reached; they are asked again until they can.
    case waits(NATSError)
    /// They can be reached again.
    case goesOn
    /// Something came that is no answer.
    case garbage(String)
    /// Nothing has come for a while, though jobs are out.
    case silence
    /// Jobs had been lost, and were sent again: so many.
    case sentAgain(Int)
  }

  private struct Waiting {
    let job: Job
    var number: Int
    let resume: CheckedContinuation<Result<Elsewhere.Delivery?, NATSError>, Never>
  }

  private let stream: JetStream
  private let names: QueueNames
  private let replicas: Int
  private let report: @Sendable (News) -> Void
  /// Tells the jobs of this run from those of an earlier one.
  private let run = Array(SigningKey.randomSeed().prefix(8)).hex
  private var waiting: [RoomID: Waiting] = [:]
  /// Answers for which nobody waits yet.
  private var early: [RoomID: Elsewhere.Delivery] = [:]
  /// Rooms whose answers are being looked at, and those that are done with.
  private var inHand: Set<RoomID> = []
  private var done: Set<RoomID> = []
  private var end: Result<Elsewhere.Delivery?, NATSError>?
  private var lastNews = MonotonicClock.tickMilliseconds
  private var emptyLooks = 0
  private var isAway = false
  private var extra = 1_000

  /// A queue for a tournament, whose streams are made where they are not there.
  /// - Parameters:
  ///   - replicas: how many servers keep what is stored.
  ///   - report: is told what goes wrong, and what becomes of it.
  package init(
    _ connection: NATSConnection, tournament: RoomID, replicas: Int,
    report: @escaping @Sendable (News) -> Void
  ) {
    stream = JetStream(connection: connection)
    names = QueueNames(tournament)
    self.replicas = replicas
    self.report = report
  }

  /// Makes the streams. Jobs that are left from an earlier run are taken away, because they are given out anew.
  /// - Throws: when no server does so for some seconds, as long as several take to choose who leads them.
  package func open() async throws(NATSError) {
    for _ in 0..<Self.openingTries {
      do throws(NATSError) {
        try await makeStreams()
        try await stream.purge(names.jobs)
        if isAway { report(.goesOn) }
        isAway = false
        return
      } catch {
        guard error.isPassing else { throw error }
        await pause(after: error)
      }
    }
    try await makeStreams()
    try await stream.purge(names.jobs)
  }

  private func makeStreams() async throws(NATSError) {
    try await stream.makeWorkQueue(names.jobs, subject: names.jobSubject, replicas: replicas)
    try await stream.makeWorkQueue(names.answers, subject: names.answerSubject, replicas: replicas)
    let wait = QueueNames.waitMilliseconds
    try await stream.makeConsumer(QueueNames.workers, of: names.jobs, waitMilliseconds: wait)
    try await stream.makeConsumer(QueueNames.organizer, of: names.answers, waitMilliseconds: wait)
  }

  /// Takes the streams away, when the tournament is complete.
  package func remove() async throws(NATSError) {
    for name in [names.jobs, names.answers] { try await remove(name) }
  }

  private func remove(_ name: String) async throws(NATSError) {
    for _ in 0..<Self.openingTries {
      do throws(NATSError) { return try await stream.delete(name) } catch {
        guard error.isPassing else {
          // It was deleted by a request whose answer did not come.
          guard try await stream.count(of: name) != nil else { return }
          throw error
        }
        await pause(after: error)
      }
    }
    try await stream.delete(name)
  }

  // MARK: - Jobs

  /// Gives out a job and returns the answer; `nil` when the queue was stopped.
  package func play(_ job: Job, _ room: RoomID, _ number: Int) async throws(NATSError) -> Elsewhere.Delivery?
  {
    if let end { return try end.get() }
    // An answer that did not count was settled; another one is wanted.
    inHand.remove(room)
    done.remove(room)
    if let delivery = early.removeValue(forKey: room) {
      inHand.insert(room)
      return delivery
    }
    let result = await withCheckedContinuation { resume in
      waiting[room] = Waiting(job: job, number: number, resume: resume)
      Task { await self.send(job, room, number) }
    }
    return try result.get()
  }

  private func send(_ job: Job, _ room: RoomID, _ number: Int) async {
    while end == nil, waiting[room]?.number == number {
      do throws(NATSError) {
        return try await stream.store(job.encoded, as: "\(room).\(run).\(number)", in: names.jobSubject)
      } catch {
        if case .tooLong = error {
          let answer = JobAnswer(room: room, worker: "", .declined(reason: error.description))
          waiting.removeValue(forKey: room)?.resume.resume(returning: .success(.init(answer) {}))
        } else {
          await pause(after: error)
        }
      }
    }
  }

  // MARK: - Answers

  /// Takes answers until it is stopped.
  /// - Parameter isCancelled: asked several times a second.
  package func takeAnswers(isCancelled: @escaping @Sendable () -> Bool) async {
    lastNews = MonotonicClock.tickMilliseconds
    while end == nil {
      if isCancelled() { return stop(.success(nil)) }
      do throws(NATSError) {
        if let handed = try await stream.next(QueueNames.organizer, of: names.answers, waitMilliseconds: 400)
        {
          await take(handed)
        } else {
          try await lookForLosses()
        }
        if isAway { report(.goesOn) }
        isAway = false
      } catch { await pause(after: error) }
    }
  }

  /// Stops the queue: nobody waits for an answer any more.
  package func stop() { stop(.success(nil)) }

  private func stop(_ end: Result<Elsewhere.Delivery?, NATSError>) {
    self.end = self.end ?? end
    for (_, waiting) in waiting { waiting.resume.resume(returning: end) }
    waiting = [:]
  }

  private func take(_ handed: JetStream.Handed) async {
    lastNews = MonotonicClock.tickMilliseconds
    emptyLooks = 0
    let answer: JobAnswer
    do throws(FormatError) { answer = try JobAnswer(encoded: handed.bytes) } catch {
      report(.garbage(error.description))
      return await settle(handed, nil)
    }
    let room = answer.room
    if done.contains(room) { return await settle(handed, nil) }
    // It came again while it is looked at.
    guard !inHand.contains(room) else { return }
    let delivery = Elsewhere.Delivery(answer) { await self.settle(handed, room) }
    if let waiting = waiting.removeValue(forKey: room) {
      inHand.insert(room)
      waiting.resume.resume(returning: .success(delivery))
    } else if early.count < Self.window {
      early[room] = delivery
    } else {
      // More than an earlier run gave out: somebody makes them up. A job that is played for nothing is given out again.
      await settle(handed, nil)
    }
  }

  /// Acknowledges an answer. Where that fails it comes again, and is passed over then.
  private func settle(_ handed: JetStream.Handed, _ room: RoomID?) async {
    if let room { done.insert(room) }
    do throws(NATSError) { try await stream.tell(.done, of: handed) } catch { note(error) }
  }

  /// Sends jobs again when the servers have neither jobs nor answers any more, as after a loss of their disks.
  private func lookForLosses() async throws(NATSError) {
    let now = MonotonicClock.tickMilliseconds
    guard !waiting.isEmpty, now - lastNews >= Self.patienceMilliseconds else { return }
    lastNews = now
    let (jobs, answers) = (try await stream.count(of: names.jobs), try await stream.count(of: names.answers))
    guard jobs ?? 0 == 0, answers ?? 0 == 0 else { return report(.silence) }
    emptyLooks += 1
    guard emptyLooks > 1 || jobs == nil || answers == nil else { return }
    emptyLooks = 0
    try await makeStreams()
    let lost = waiting.keys.sorted()
    for room in lost {
      guard let known = waiting[room] else { continue }
      extra += 1
      waiting[room]?.number = extra
      await send(known.job, room, extra)
    }
    report(.sentAgain(lost.count))
  }

  // MARK: - Servers that are away

  private func note(_ error: NATSError) {
    guard !isAway else { return }
    isAway = true
    report(.waits(error))
  }

  /// Waits a little before servers are asked again.
  private func pause(after error: NATSError) async {
    note(error)
    do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
  }
}
