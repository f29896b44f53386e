import Events
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// The host of rounds at the terminal: opens one after the other.
struct RoundsHost {
  /// The options of `parlor host` that are for hosted rounds alone.
  static let options: [OptionDefinition] =
    HostedPlans.options + [
      .value(
        "players", "N",
        "hosted rounds: the most players; a quiz takes 1 to 4096 (256), the others 2 to 16 (16)."),
      .flag("no-join-code", "hosted rounds: let everybody in who sees them, without a code."),
      .value(
        "start-at", "N",
        "hosted rounds: open the first one when so many players are here, and all others by itself."),
      .value("pause", "SECONDS", "hosted rounds: with --start-at, the time between two.", standard: "5"),
      .value(
        "resume", "ROOM",
        "hosted rounds: go on with these of one's own, or with `last`: the newest that are not over;"
          + " what was opened and not settled is opened again.", kind: .stored(.unfinished)),
      .value(
        "continue", "ROOM",
        "hosted rounds: go on where another peer's stopped, in a new room, with the scores of that one.",
        kind: .stored(.unfinished, [])),
    ]

  private let sitting: Sitting
  private let room: RoomID
  private let plan: any HostedPlan
  private let words: RoundWords
  /// How many players the first round waits for; `nil` where the host says so.
  private let startAt: Int?
  private let pause: Duration
  private var view: RoundsView
  private var clock: RoundsClock
  private var refusals: Refusals
  /// A line from a pipe that waits for its time.
  private var held: String?
  private var hasEnded = false
  /// When the next round is opened by itself.
  private var next: ContinuousClock.Instant?
  private var timer: Task<Void, any Error>?

  /// Opens a room, or finds the one that goes on, and hosts it to its end.
  static func run(
    _ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context
  ) async throws -> ExitStatus {
    guard let kind = HostedPlans.all.first(where: { $0.game == definition.name })?.plan else {
      throw Failure(.usage, "this program cannot host \(definition.name)")
    }
    if let status = try kind.shows(parsed, context) { return status }
    let words = RoundWords(definition)
    try checkOptions(parsed, words)
    let plan = try kind.init(definition, parsed, context)
    let limits =
      UInt16(clamping: definition.players.lowerBound)...UInt16(clamping: definition.players.upperBound)
    let players = try parsed.integer("players", in: limits) ?? min(256, limits.upperBound)
    let startAt = try parsed.integer("start-at", in: 1...4_096)
    let pause = try parsed.integer("pause", in: 0...3_600) ?? 5
    return try await Sitting.open(parsed, context) { sitting in
      guard let (room, plan) = try await room(plan, definition, players, sitting) else { return .interrupted }
      try await sitting.service.attend(room)
      var host = RoundsHost(
        sitting, room: room, plan: plan, words, startAt: startAt, pause: .seconds(pause),
        refusals: Refusals(try NetworkOptions.addresses(parsed)))
      return try await host.host()
    }
  }

  private init(
    _ sitting: Sitting, room: RoomID, plan: any HostedPlan, _ words: RoundWords, startAt: Int?,
    pause: Duration, refusals: Refusals
  ) {
    self.sitting = sitting
    (self.room, self.plan, self.words) = (room, plan, words)
    (self.startAt, self.pause, self.refusals) = (startAt, pause, refusals)
    view = RoundsView(sitting.context)
    clock = RoundsClock(sitting.input)
  }

  private var context: Context { sitting.context }
  private var service: any Service { sitting.service }
  private var input: TableInput { sitting.input }

  /// Refuses options that would be passed over.
  private static func checkOptions(_ parsed: ParsedCommand, _ words: RoundWords) throws {
    if parsed.text("scope") == "invited" {
      throw parsed.badValue("scope", "a \(words.game) has no invited peers; its join code keeps others out")
    }
    guard parsed.has("resume") else { return }
    for option in ["continue", "players", "no-join-code", "set", "scope"] where parsed.has(option) {
      throw parsed.badValue(option, "a \(words.game) that is resumed goes on as it was opened")
    }
  }

  /// The room that goes on; `nil` when it was asked to stop.
  private static func resumed(
    _ name: String, _ definition: HostedDefinition, _ sitting: Sitting
  ) async throws -> RoomState? {
    guard name == "last" else { return try await sitting.arrival(of: name) }
    guard let last = try await sitting.service.unfinishedRounds(of: definition.name) else {
      throw Failure(
        .noInput, "no \(RoundWords(definition).game) of this peer waits to be resumed",
        hint: "`parlor host \(definition.name)` begins one")
    }
    return try await sitting.service.state(of: last)
  }

  /// The room to host in, and what is asked there; `nil` when it was asked to stop.
  private static func room(
    _ plan: any HostedPlan, _ definition: HostedDefinition, _ players: UInt16, _ sitting: Sitting
  ) async throws -> (RoomID, any HostedPlan)? {
    let (context, parsed, service) = (sitting.context, sitting.parsed, sitting.service)
    let words = RoundWords(definition)
    if let name = parsed.text("resume") {
      guard let state = try await resumed(name, definition, sitting) else { return nil }
      guard state.hosted != nil, state.creator == service.peer, state.create.rules == definition.name else {
        throw Failure(
          .usage, "the room \(state.room.short) is no \(words.game) of this peer",
          hint: "--continue goes on with another peer's \(words.game), in a new room")
      }
      return (state.room, try plan.resumed(in: state))
    }
    var before = RoomID.none
    if let name = parsed.text("continue") {
      guard let state = try await sitting.arrival(of: name) else { return nil }
      guard state.hosted != nil, state.create.rules == definition.name else {
        throw Failure(.usage, "the room \(state.room.short) is no \(words.game)")
      }
      before = state.room
    }
    let scope = Scope(parsed)
    RelayOptions.note(scope, parsed, context.console)
    let new = NewHostedRoom(
      rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
      title: plan.title, rounds: UInt16(plan.rounds), players: players, entries: plan.entries,
      needsCode: !parsed.has("no-join-code"), scope: scope,
      profile: try ProfileWish(parsed, context.console).profile(of: service.peer), continues: before)
    return (try await service.perform(.host(new)), plan)
  }

  // MARK: - Hosting

  private mutating func host() async throws -> ExitStatus {
    defer {
      clock.stop()
      timer?.cancel()
    }
    do { return try await hostOn() } catch {
      try await input.leaveScreen()
      throw error
    }
  }

  private mutating func hostOn() async throws -> ExitStatus {
    var hasHelped = false
    while true {
      guard let table = try await service.table(of: room), let rounds = table.hosted else {
        throw ServiceError.gone("the room is not here")
      }
      try await refusals.tell(service, context.console)
      try await view.enterScreen(
        table, input, .lines, words: ["next", "close", "say", "end", "quit", "help"])
      try view.tell(table, above: clock.left(rounds.round)?.words)
      if !hasHelped { help() }
      hasHelped = true
      guard table.phase == .waiting || table.phase == .playing else {
        try await view.leaveScreen(table, input)
        try view.tellEnd(table)
        return .ok
      }
      view.draw(table, rounds.round?.elapsed == nil ? nil : clock.left(rounds.round))
      try await goOn(rounds)
      try view.tellLost(rounds)
      if rounds.round?.elapsed != nil {
        try view.tellTime(rounds, clock.left(rounds.round))
      }
      if let status = try await listen(rounds) { return status }
    }
  }

  /// Says what may be typed, where somebody types.
  private func help() {
    guard Descriptor.input.isTerminal, !context.isJSON else { return }
    let begin =
      startAt == nil ? "Enter opens the next \(words.round)" : "Each \(words.round) is opened by itself"
    context.console.note("\(begin); close ends one early; say TEXT; end stops for good; quit to go on later.")
  }

  private func isOn(_ rounds: HostedView) -> Bool {
    guard let round = rounds.round, round.phase == .open || round.phase == .closed else { return false }
    // A round of a process that has ended: nobody can settle it any more.
    return round.elapsed != nil
  }

  /// Opens the next round, when that is to be done by itself and its time has come.
  private mutating func goOn(_ rounds: HostedView) async throws {
    clock.note(rounds.round, isTicking: context.console.output.isTerminal)
    guard let startAt, !isOn(rounds), rounds.settled < rounds.rounds,
      rounds.players.contains(where: { !$0.hasLeft })
    else {
      next = nil
      return
    }
    guard rounds.round != nil || rounds.players.count(where: { !$0.hasLeft }) >= startAt else { return }
    let isFirst = rounds.round == nil
    let time = next ?? (isFirst ? .now : .now + pause)
    next = time
    guard time <= .now else { return setTimer(time) }
    next = nil
    try await ask(rounds)
  }

  private mutating func setTimer(_ time: ContinuousClock.Instant) {
    timer?.cancel()
    timer = Task { [input] in
      try await Task.sleep(until: time, clock: .continuous)
      await input.noteChange()
    }
  }

  private func ask(_ rounds: HostedView) async throws {
    guard rounds.settled < plan.rounds else { return }
    let round = plan.round(rounds.settled)
    _ = try await service.perform(
      .rounds(
        room,
        .open(
          content: round.content, solution: round.solution, limitMilliseconds: round.limitMilliseconds)))
  }

  // MARK: - What is typed

  /// Waits for a line, or for something to happen, and does what the line says.
  /// - Returns: the status to end with.
  private mutating func listen(_ rounds: HostedView) async throws -> ExitStatus? {
    if let line = held, !isOn(rounds) {
      held = nil
      return try await act(on: line, rounds)
    }
    if hasEnded, startAt == nil, held == nil, !isOn(rounds) { return try await leave(.ok) }
    let isFull = held != nil || hasEnded
    switch isFull ? try await input.change() : try await input.next() {
    case .changed: return nil
    case .line(.line(let text)):
      view.forgetCounts()
      return try await act(on: text, rounds)
    case .line(.end): hasEnded = true
    case .line(.interrupted): return try await leave(.interrupted)
    case .line(.tooLong(let limit)):
      context.console.report(error: "that line is longer than \(limit) bytes")
    case .line(.notText): context.console.report(error: "that line is not UTF-8 text")
    case .line(.timedOut): break
    }
    return nil
  }

  /// Leaves the room as it is.
  private mutating func leave(_ status: ExitStatus) async throws -> ExitStatus {
    if let table = try await service.table(of: room) { try await view.leaveScreen(table, input) }
    context.console.note(
      "The \(words.game) waits: `parlor host \(type(of: plan.rules).name) --resume \(room.short)` goes on"
        + "\(plan.resumeHint).")
    return status
  }

  private mutating func act(on line: String, _ rounds: HostedView) async throws -> ExitStatus? {
    let typed = line.trimmingBlanks
    switch typed.lowercased() {
    case "", "next":
      guard !isOn(rounds) else {
        // A pipe says all at once what is to happen in turn.
        if Descriptor.input.isTerminal {
          context.console.report(error: "a \(words.round) is open", hint: "close ends it early")
        } else {
          held = line
        }
        return nil
      }
      try await ask(rounds)
    case "close": try await sitting.attempt(.rounds(room, .close))
    case "end":
      try await sitting.attempt(.act(room, .leave))
    case "quit", "exit": return try await leave(.ok)
    case "help", "?": help()
    case let text where text.hasPrefix("say "):
      try await sitting.attempt(.act(room, .say(String(typed.dropFirst(4)))))
    default:
      context.console.report(
        error: "“\(SafeText(typed, limitColumns: 40))” is nothing that can be done here",
        hint: "next, close, say TEXT, end or quit")
    }
    return nil
  }
}

extension String {
  /// The text without blanks around it.
  var trimmingBlanks: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
