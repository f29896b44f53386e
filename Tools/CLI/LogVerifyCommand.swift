import EventLog
import Events
import Network
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal
import Tournaments

/// `parlor log verify [ROOM…]`.
enum LogVerifyCommand: Command {
  static let definition = CommandDefinition(
    "log verify", group: Group.log, summary: "Check rooms, bundle files, or the whole log.",
    text: [
      "Checks every id, chain and signature, plays every game again by its rules, and compares what was"
        + " signed with what the moves give; the organizer's results of a tournament with the rooms of its games. A"
        + " result whose room is not here is not proven, and each that is false is named with its event. A file of"
        + " `tournament export` is checked whole; `tournament verify` tells more of it. Forks are"
        + " shown with their proof: they accuse their author and are no fault of the log.",
      "A result against one that all seats signed is false when the organizer had seen it; else the decision stands,"
        + " is told, and is no fraud.",
      "Of several rooms and files each is named. What cannot be read is said on standard error and the others"
        + " are checked; then the status is 1 if anything is false, else that of the first that was not read, else 69"
        + " if anything is not proven.",
    ],
    arguments: [
      .init(
        "room",
        "The first digits of a room's id, `last` for the newest, a bundle file, or `-` for one on standard"
          + " input; all rooms of the log when it is left out.",
        isOptional: true, repeats: true, kind: .stored(.rooms, orFile: true))
    ],
    examples: [
      .init("log verify", "Check everything."),
      .init("log verify game.parlor", "Check a file without taking it."),
      .init("log verify downloads/*.parlor", "Check many files."),
    ],
    exitStatuses: [
      .init(.ok, "Everything holds."), .init(.negative, "Something is false, or a bundle was changed."),
      .init(
        .unavailable, "Nothing is false, and something is not proven: a room that is needed is not here."),
      .init(.dataError, "The file is no bundle at all."),
      .init(.noInput, "There is no such room, file or log."),
    ],
    objects: [
      .init(
        "verified", "For each room.",
        [
          "path": "the bundle file as it was named; null for rooms of the log",
          "room": "the room's id; null when a damaged bundle or log does not even say it",
          "valid":
            "true when everything holds, false when something is false, null when something is not proven",
          "events": "how many events were read",
          "event": "the first false event, or null", "reason": "what is wrong, or null",
          "forks":
            "proofs of forked feeds: objects with `author`, `sequence` and `events`, the ids that contradict"
            + " each other",
          "findings":
            "of a tournament, the organizer's results that do not simply hold: objects with `event`, `pairing`,"
            + " `attempt`, `room`, `finding` (\(PairingFinding.Kind.names)) and `reason`",
          "faults":
            "of hosted rounds, what the log proves against the host: objects with `event` and `fault`"
            + " (wrong-solution, wrong-entry or denied-entry)",
          "notes": "what could not be checked here, in words",
        ])
    ])

  /// What checking found of one room.
  private struct Finding {
    /// The bundle file as it was named.
    var path: String?
    /// Whether people are told the path: where one of several files is meant.
    var namesPath = false
    var room: RoomID?
    /// What it is about where no room is known.
    var subject = "The bundle"
    var events = 0
    var event: EventID?
    var reason: String?
    var forks: [ForkProof] = []
    var notes: [String] = []
    /// Of a tournament, what the organizer said that does not simply hold.
    var findings: [PairingFinding] = []
    /// Of hosted rounds, what can be proven against the host.
    var faults: [HostedView.Proven] = []
    var isValid: Bool { reason == nil }
    /// Of a tournament's file, how many rooms it has.
    var rooms = 1
    /// Whether more than results can be neither shown nor refuted.
    var isUnproven = false
    var unproven: Int { findings.count { $0.kind == .notProven } }
    var status: ExitStatus { isValid ? unproven == 0 && !isUnproven ? .ok : .unavailable : .negative }
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let names = parsed.arguments("room")
    let readsStore = names.isEmpty || names.contains { isRoom($0, context) }
    guard !readsStore || isReader else { return try verifyApart(context) }
    switch names.count {
    case 0: return try verifyAll(context)
    case 1: return try show(try verify(named: names[0], context), context)
    default: return try verifyEach(names, context)
    }
  }

  /// Whether a name means a room of the log.
  private static func isRoom(_ name: String, _ context: Context) -> Bool {
    do throws(Failure) { return try RoomName(name).bundlePath() == nil } catch { return false }
  }

  /// Checks several rooms and files; what cannot be read is said, and the others are checked.
  private static func verifyEach(_ names: [String], _ context: Context) throws -> ExitStatus {
    var (isFalse, isUnproven) = (false, false)
    var unread: ExitStatus?
    for name in names {
      try context.checkStop()
      var finding: Finding
      do { finding = try verify(named: name, context) } catch {
        let failure = Failure(error)
        guard !failure.isInterruption, let words = failure.words else { throw error }
        context.console.report(error: "\(SafeText(name).text): \(words)", hint: failure.hint)
        unread = unread ?? failure.status
        continue
      }
      finding.namesPath = true
      let status = try show(finding, context)
      isFalse = isFalse || status == .negative
      isUnproven = isUnproven || status == .unavailable
    }
    return isFalse ? .negative : unread ?? (isUnproven ? .unavailable : .ok)
  }

  /// Checks the file or the room of the log that a name means.
  private static func verify(named name: String, _ context: Context) throws -> Finding {
    if let path = try RoomName(name).bundlePath() { return try verifyFile(path, context) }
    let log = try context.store.reader()
    return try verify(try roomID(name, in: log, context), in: log, context)
  }

  /// Says in the environment of a second process that it is the one to read the store.
  static let readerVariable = "PARLOR_READS_STORE"

  /// Whether this is that process.
  static var isReader: Bool { CurrentProcess.variable(readerVariable) != nil }

  /// Has a second process do the work, because a damaged store can crash whoever reads it.
  static func verifyApart(_ context: Context) throws -> ExitStatus {
    let end: ProcessEnd
    do throws(SystemError) {
      end = try SecondProcess.run(
        CommandLine.arguments, variable: "\(readerVariable)=1", isStopRequested: context.isCancelled)
    } catch {
      throw LogError.store("The store is read by a second process, which could not be started: \(error).")
    }
    switch end {
    case .exited(let number):
      guard let status = ExitStatus(rawValue: number) else {
        throw Failure(.software, "the process that read the store ended with status \(number)")
      }
      return status
    case .crashed:
      return try show(
        Finding(subject: "The log", reason: "the store is damaged: reading it crashed"), context)
    case .killed(let signal):
      throw Failure(.unavailable, "the process that read the store was ended by signal \(signal)")
    }
  }

  /// The room that a name means, damaged or not.
  private static func roomID(_ name: String, in log: LMDBEventLog, _ context: Context) throws -> RoomID {
    if name == "last", let newest = try log.roomIDs().rooms.first { return newest }
    return try RoomName(name).id(in: log)
  }

  private static func verifyAll(_ context: Context) throws -> ExitStatus {
    let log = try context.store.reader()
    // Shown before anything else is read, because that may crash.
    let pageFault = try log.pageFault()
    if let pageFault { try show(Finding(subject: "The log", reason: pageFault), context) }
    let (rooms, faults) = try log.roomIDs()
    for fault in faults { try show(Finding(subject: "The log", reason: fault), context) }
    let progress = ProgressLine(
      on: context.console, label: "verifying", unit: "rooms", total: rooms.count,
      now: ContinuousClock().stopwatch)
    defer { progress.finish() }
    var (events, invalid, unproven) = (0, 0, 0)
    for (done, room) in rooms.enumerated() {
      try context.checkStop()
      let finding = try verify(room, in: log, context)
      events += finding.events
      if !finding.isValid { invalid += 1 }
      unproven += finding.unproven
      if context.isJSON || finding.status != .ok || !finding.forks.isEmpty || !finding.findings.isEmpty {
        try show(finding, context)
      }
      progress.advance(to: done + 1)
    }
    let isWhole = invalid == 0 && faults.isEmpty && pageFault == nil
    if !context.isJSON {
      let counts = "\(Room.count(rooms.count, "room")), \(Room.count(events, "event"))"
      try context.console.line(
        !isWhole
          ? "\(counts): \(Room.count(invalid, "room")) false."
          : unproven > 0
            ? "\(counts): nothing is false, \(Room.count(unproven, "result")) not proven."
            : "\(counts): everything holds.")
      if invalid > 0 {
        context.console.note(
          "`parlor log forget ROOM` removes a room; others that have it can give it again.")
      }
    }
    return !isWhole ? .negative : unproven > 0 ? .unavailable : .ok
  }

  /// Checks a room of the log. What is damaged is a finding, so that other rooms can follow.
  private static func verify(_ id: RoomID, in log: LMDBEventLog, _ context: Context) throws(LogError)
    -> Finding
  {
    do throws(LogError) {
      if let (state, events, clock) = try log.straightState(of: id, verify: true, context.games) {
        return Finding(
          room: id, events: events, reason: try clockFault(in: log, state, events: events, clock))
      }
      let report = try log.verify(id)
      guard report.isValid else {
        return Finding(
          room: id, event: report.event, reason: report.reason ?? "it does not hold", forks: report.forks)
      }
      return try check(try log.load(id, verify: false), in: log, context)
    } catch {
      switch error {
      case .unknownRoom: return Finding(room: id, reason: "the list of rooms has lost it")
      case .corrupt(let event, let reason): return Finding(room: id, event: event, reason: reason)
      default: throw error
      }
    }
  }

  private static func verifyFile(_ path: String, _ context: Context) throws -> Finding {
    let file: LogFile
    do { file = try LogFile(path, context.store) } catch let error as BundleError {
      return try finding(of: error, path, room: nil)
    }
    switch consume file {
    case .bundle(let reader):
      let room = reader.room
      let memory = MemoryEventLog(network: try context.store.network())
      do {
        let taken = try memory.take(reader)
        var finding = try check(try memory.load(taken.room, verify: false), in: nil, context)
        finding.path = path
        return finding
      } catch let error as BundleError { return try finding(of: error, path, room: room) }
    case .tournament(let reader):
      do {
        return finding(of: try ProofSteps(context).proof(of: reader), path)
      } catch let error as BundleError {
        return try finding(of: error, path, room: reader.rooms[0])
      }
    }
  }

  /// What is false of a file that is one of ours.
  private static func finding(
    of error: BundleError, _ path: String, room: RoomID?
  ) throws(BundleError) -> Finding {
    guard error.isOfContent else { throw error }
    return Finding(path: path, room: room, event: error.event, reason: error.description)
  }

  /// What a tournament's file proves, as of one room.
  private static func finding(of proof: TournamentProof, _ path: String) -> Finding {
    var finding = Finding(path: path, room: proof.room, events: proof.events)
    (finding.event, finding.reason) = (proof.fault?.event, proof.fault?.description)
    finding.findings = proof.tournament?.findings.filter { $0.kind != .holds } ?? []
    (finding.rooms, finding.isUnproven) = (proof.rooms, proof.isUnproven)
    return finding
  }

  /// Plays the games of a room whose events are genuine.
  private static func check(
    _ log: RoomLog, in store: LMDBEventLog?, _ context: Context
  ) throws(LogError) -> Finding {
    let check = try RoomCheck(log, in: store, context.games)
    var reason = check.fault?.reason
    if reason == nil, let store, try store.storedClock(of: log.room) != nil {
      var projection = try log.projection(context.games)
      reason = try clockFault(in: store, projection.state, events: log.graph.events.count, log.clock)
    }
    var finding = Finding(
      room: log.room, events: log.graph.events.count, event: check.fault?.event, reason: reason,
      forks: log.forkProofs, notes: check.notes, findings: check.findings)
    if log.membership.isHosted {
      var projection = try log.projection(context.games)
      finding.faults = projection.state.hosted?.faults.map(HostedView.Proven.init) ?? []
    }
    return finding
  }

  /// What is wrong in words with what is stored of what a room offers, by which a peer goes when it starts.
  private static func clockFault(
    in store: LMDBEventLog, _ state: RoomState, events: Int, _ clock: VectorClock
  ) throws(LogError) -> String? {
    // Beside a writer the room may have more events by now, and what is stored may be of those.
    guard state.phase.isKnown, let stored = try store.storedClock(of: state.room),
      stored.events == events
    else { return nil }
    let rule = Steward.closing
    let isOver = stored.rule != rule.version || rule.isOver(state)
    return isOver && stored == StoredClock(state, events: events, clock, rule: stored.rule)
      ? nil : "what is stored of what it offers is not what its events give"
  }

  // MARK: - Showing

  @discardableResult
  private static func show(_ finding: Finding, _ context: Context) throws(ConsoleError) -> ExitStatus {
    if context.isJSON {
      try context.object("verified", members(of: finding))
      return finding.status
    }
    let drawing = context.console.output.drawing
    let path = finding.path.flatMap { finding.namesPath ? "\(SafeText($0).text): " : nil } ?? ""
    let room = path + (finding.room.map { "Room \($0.short)" } ?? finding.subject)
    if let reason = finding.reason {
      let event = finding.event.map { " Event: \($0)." } ?? ""
      try context.console.line(
        "\(room): \(drawing.paint("false", .bold, .red)): \(SafeText(reason).text).\(event)")
    } else {
      let rooms = finding.rooms > 1 ? "\(Room.count(finding.rooms, "room")), " : ""
      let events = rooms + Room.count(finding.events, "event")
      let found =
        finding.status == .unavailable
        ? finding.unproven == 0
          ? drawing.paint("not proven", .bold)
          : "\(drawing.paint("not proven", .bold)): rooms of \(Room.count(finding.unproven, "result")) are missing"
        : drawing.paint("everything holds", .green)
      try context.console.line("\(room): \(found), \(events).")
    }
    for found in finding.findings {
      try context.console.lines(["  \(SafeText(found.description).text).", "    Event: \(found.event)"])
    }
    for fork in finding.forks { try context.console.lines(words(for: fork)) }
    for proven in finding.faults {
      try context.console.lines(["  The host \(proven.fault.words).", "    Event: \(proven.event)"])
    }
    for note in finding.notes { context.console.note("Not checked: \(SafeText(note).text).") }
    return finding.status
  }

  private static func words(for fork: ForkProof) -> [String] {
    let events = "\(fork.events.count) different events as its number \(fork.sequence)"
    return ["  Fork: peer \(fork.author) signed \(events):"] + fork.events.map { "    \($0)" }
  }

  private static func members(of finding: Finding) -> [JSONMember] {
    let forks = finding.forks.map { fork in
      JSONValue.object([
        "author": .string(fork.author.description), "sequence": .unsigned(fork.sequence),
        "events": .array(fork.events.map { .string($0.description) }),
      ])
    }
    return [
      JSONMember("path", .optional(finding.path)), JSONMember("room", .optional(finding.room?.description)),
      JSONMember("valid", finding.status == .unavailable ? .null : .bool(finding.isValid)),
      JSONMember("events", .integer(Int64(finding.events))),
      JSONMember("event", .optional(finding.event?.description)),
      JSONMember("reason", .optional(finding.reason)), JSONMember("forks", .array(forks)),
      JSONMember("findings", .array(finding.findings.map(\.json))),
      JSONMember(
        "faults",
        .array(
          finding.faults.map {
            .object(["fault": .string($0.fault.rawValue), "event": .string($0.event.description)])
          })),
      JSONMember("notes", .array(finding.notes.map { .string($0) })),
    ]
  }
}
