import BotKit
import EventLog
import Events
import Games
import LineBots
import NATS
import Peer
import Platform
import Queue
import Terminal

/// `parlor worker --queue SERVERS`.
enum WorkerCommand: Command {
  static let definition = CommandDefinition(
    "worker", group: Group.tournaments,
    summary: "Play games of tournaments that are given out through a queue.",
    text: [
      "Takes jobs of `parlor tournament run --queue` and plays them, until it is stopped. A job holds a room that is"
        + " ready to be played and what signs for its two bots there. The played room goes back, and the organizer"
        + " checks it before it counts. A worker needs no identity and stores nothing.",
      "Ctrl-C gives back what is being played. A job of a worker that dies goes to another one after half a minute.",
      "Bots that are commands are started only where --with gives the command: a job comes from others. A job whose"
        + " game or bot this worker has not got is given back.",
    ],
    options: [QueueOptions.queue(isRequired: true)] + NATSOptions.queue.secrets + [
      .value("concurrency", "N", "How many jobs are played at once; one for each processor when not given."),
      .value(
        "name", "NAME", "What this worker is called; the organizer names it where it refuses an answer."),
      .value("idle", "SECONDS", "Stop when no job has come for so long; never when not given."),
      .value(
        "with", "COMMAND", "Let this command play for bots that the tournament calls so.", repeats: true,
        kind: .file),
    ] + BotOptions.definitions,
    examples: [
      .init("worker --queue nats://queue.example.org", "Until Ctrl-C."),
      .init(
        "worker --queue nats://a,nats://b,nats://c --with ./mybot.py",
        "Of three servers, with a bot of one's own."),
    ],
    exitStatuses: [
      .init(.unavailable, "The queue cannot be used, or its library is not installed."),
      .init(.interrupted, "Interrupted by Ctrl-C."),
    ],
    objects: [
      .init(
        "job", "For each job that was played.",
        ["tournament": "the tournament's room", "room": "the room of its games", "events": "how many it has"]),
      .init("returned", "For each job that was given back.", ["reason": "why"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let settings = try NATSOptions.queue.settings(parsed) else {
      preconditionFailure("\(parsed.name) needs a queue")
    }
    let count = try parsed.integer("concurrency", in: 1...256) ?? CurrentProcess.processors
    let idle: UInt64? = try parsed.integer("idle", in: 1...1_000_000)
    for typed in parsed.texts("with") {
      guard BotCatalog.isCommand(typed) else {
        throw parsed.badValue("with", "it takes the command of a bot, with a slash in it, such as ./mybot.py")
      }
      _ = try context.ownBots.name(of: typed)
    }
    let name = parsed.text("name") ?? "worker \(CurrentProcess.id)"
    let connection = try await NATSConnection.connect(settings, as: "parlor \(name)")
    context.console.note("Waiting for games at \(SafeText(settings.shown).text).")
    let worker = Worker(
      source: JobSource(connection), name: name, context: context, idleMilliseconds: idle.map { $0 * 1_000 })
    return try await worker.run(count)
  }
}

/// A process that plays jobs.
private struct Worker: Sendable {
  let source: JobSource
  let name: String
  let context: Context
  let idleMilliseconds: UInt64?
  /// Tells its answers from those of others.
  let nonce = Array(SigningKey.randomSeed().prefix(8)).hex
  let numbers = Guarded<Int>(0)
  let tells = Guarded<Set<String>>([])

  func run(_ count: Int) async throws -> ExitStatus {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { try await work() } }
      try await group.waitForAll()
    }
    return context.interrupts.isStopRequested ? .interrupted : .ok
  }

  private func work() async throws {
    var since = MonotonicClock.tickMilliseconds
    while !context.interrupts.isStopRequested {
      do throws(NATSError) {
        if let lease = try await source.job() {
          try await play(lease)
          since = MonotonicClock.tickMilliseconds
          continue
        }
      } catch {
        guard error.isPassing else { throw error }
        tell(error.description)
        try await Task.sleep(for: .milliseconds(300))
      }
      if let idleMilliseconds, MonotonicClock.tickMilliseconds - since >= idleMilliseconds { return }
    }
  }

  /// Plays a job, and says meanwhile that it is being played.
  private func play(_ lease: JobSource.Lease) async throws(NATSError) {
    let signs = Task {
      while !Task.isCancelled {
        do { try await Task.sleep(for: .milliseconds(JobSource.signMilliseconds)) } catch { return }
        do throws(NATSError) { try await lease.keep() } catch { tell(error.description) }
      }
    }
    defer { signs.cancel() }
    let played: JobAnswer?
    do throws(JobFault) { played = try await play(jobOf: lease) } catch {
      return try await giveBack(lease, error.description, 5_000)
    }
    guard let answer = played else { return try await giveBack(lease, "it was stopped", 0) }
    let number = numbers.withLock { number in
      number += 1
      return number
    }
    while true {
      do throws(NATSError) {
        if try await !lease.answer(answer, id: "\(nonce).\(number)") {
          tell("A tournament is over: nobody takes its games.")
        }
        return
      } catch {
        guard error.isPassing, !context.interrupts.isStopRequested else { throw error }
        tell(error.description)
      }
      do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
    }
  }

  private func play(jobOf lease: JobSource.Lease) async throws(JobFault) -> JobAnswer? {
    let job: Job
    do throws(FormatError) { job = try Job(encoded: lease.bytes) } catch {
      throw .malformed(error.description)
    }
    let room = try JobRoom(job, context.games)
    guard room.tournament.description == lease.tournament else {
      throw .malformed("it is of another tournament than its queue")
    }
    do throws(JobFault) {
      let isCancelled = context.isCancelled
      guard let log = try await job.play(room, context.games, bots, isCancelled: isCancelled) else {
        return nil
      }
      let bundle: [UInt8]
      do throws(BundleError) { bundle = try log.bundle(of: room.network) } catch {
        throw .unplayable(error.description)
      }
      let answer = JobAnswer(room: room.room, worker: name, .played(bundle: bundle))
      let (bytes, limit) = (answer.encoded.count, source.limitBytes)
      guard bytes <= limit else {
        throw .unplayable("the played room has \(bytes) bytes, and the queue takes \(limit)")
      }
      tell(job: lease.tournament, room.room, log.events.count)
      return answer
    } catch {
      guard case .unplayable(let reason) = error else { throw error }
      return JobAnswer(room: room.room, worker: name, .declined(reason: reason))
    }
  }

  /// Those that this program knows by name, and the commands that its user gave.
  private var bots: BotCatalog {
    BotCatalog(context.bots) { [lineBots = context.ownBots.commands] (name, rules) throws(BotError) in
      try lineBots.bot(named: name, for: rules)
    }
  }

  private func giveBack(
    _ lease: JobSource.Lease, _ reason: String, _ milliseconds: Int64
  ) async throws(NATSError) {
    try await lease.giveBack(after: milliseconds)
    tell("A job was given back: \(reason)")
    guard context.isJSON else { return }
    attempt { () throws(ConsoleError) in try context.object("returned", ["reason": .string(reason)]) }
  }

  private func tell(job tournament: String, _ room: RoomID, _ events: Int) {
    guard context.isJSON else { return }
    attempt { () throws(ConsoleError) in
      try context.object(
        "job",
        [
          "tournament": .string(tournament), "room": .string(room.description),
          "events": .integer(Int64(events)),
        ])
    }
  }

  private func attempt(_ body: () throws(ConsoleError) -> Void) {
    do throws(ConsoleError) { try body() } catch { tell(error.description) }
  }

  /// Tells something once.
  private func tell(_ words: String) {
    guard tells.withLock({ $0.insert(words).inserted }) else { return }
    context.console.note(SafeText(words).text)
  }
}
