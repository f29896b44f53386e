import Events
import Games
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// The host of a quiz at the terminal: asks one question after the other.
struct QuizHost {
  /// The options of `parlor host` that are for a quiz alone.
  static let options: [OptionDefinition] = [
    .value(
      "questions", "FILE",
      "quiz: the file with the questions (Docs/QUIZ.md), `-` for standard input with --start-at; without it, the ten"
        + " questions that come along.",
      kind: .file),
    .flag("print-sample", "quiz: print the file with the ten questions that come along, and end."),
    .value("players", "N", "quiz: the most players, 1 to 4096.", standard: "256"),
    .flag("no-join-code", "quiz: let everybody in who sees it, without a code."),
    .value(
      "start-at", "N",
      "quiz: ask the first question when so many players are here, and all others by itself."),
    .value("pause", "SECONDS", "quiz: with --start-at, the time between two questions.", standard: "5"),
    .value(
      "resume", "ROOM",
      "quiz: go on with this quiz of one's own, or with `last`: the newest that is not over; what was asked and not"
        + " settled is asked again."),
    .value(
      "continue", "ROOM",
      "quiz: go on where another peer's quiz stopped, in a new room, with the scores of that one."),
  ]

  private let context: Context
  private let service: any Service
  private let input: TableInput
  private let room: RoomID
  private let file: QuizFile
  /// How many players the first question waits for; `nil` where the host says so.
  private let startAt: Int?
  private let pause: Duration
  private var view: RoundsView
  private var clock: RoundsClock
  private var refusals: Refusals
  /// A line from a pipe that waits for its time.
  private var held: String?
  private var hasEnded = false
  /// When the next question is asked by itself.
  private var next: ContinuousClock.Instant?
  private var timer: Task<Void, any Error>?

  /// Opens a quiz, or finds the one that goes on, and hosts it to its end.
  static func run(
    _ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context
  ) async throws -> ExitStatus {
    if parsed.has("print-sample") {
      try context.console.lines(QuizFile.sample.split(separator: "\n").map(String.init))
      return .ok
    }
    try checkOptions(parsed)
    let file = try questions(parsed, context)
    let rules = try context.rules(definition, parsed)
    let players: UInt16 = try parsed.integer("players", in: 1...Create.limitEntrants) ?? 256
    let startAt = try parsed.integer("start-at", in: 1...4_096)
    let pause = try parsed.integer("pause", in: 0...3_600) ?? 5
    let service = try await context.service(parsed)
    return try await context.using(service) {
      let input = try await TableInput(context.interrupts, following: service)
      let room = try await room(
        file, rules, definition, players, parsed, context, service, input)
      guard let room else { return .interrupted }
      try await service.attend(room)
      var host = QuizHost(
        context, service, input, room: room, file: file, startAt: startAt, pause: .seconds(pause),
        refusals: Refusals(try context.addresses(parsed)))
      return try await host.host()
    }
  }

  private init(
    _ context: Context, _ service: any Service, _ input: TableInput, room: RoomID, file: QuizFile,
    startAt: Int?, pause: Duration, refusals: Refusals
  ) {
    (self.context, self.service, self.input) = (context, service, input)
    (self.room, self.file, self.startAt, self.pause) = (room, file, startAt, pause)
    self.refusals = refusals
    view = RoundsView(context)
    clock = RoundsClock(input)
  }

  /// Refuses options that would be passed over.
  private static func checkOptions(_ parsed: ParsedCommand) throws {
    if parsed.text("scope") == "invited" {
      throw parsed.badValue("scope", "a quiz has no invited peers; its join code keeps others out")
    }
    guard parsed.has("resume") else { return }
    for option in ["continue", "players", "no-join-code", "set", "scope"] where parsed.has(option) {
      throw parsed.badValue(option, "a quiz that is resumed goes on as it was opened")
    }
  }

  private static func questions(_ parsed: ParsedCommand, _ context: Context) throws -> QuizFile {
    guard let path = parsed.text("questions") else {
      return try QuizFile(reading: Array(QuizFile.sample.utf8))
    }
    if path == "-", parsed.text("start-at") == nil {
      throw parsed.badValue(
        "questions",
        "the questions take standard input, so nobody can say when one is asked: add --start-at N")
    }
    let (text, name) =
      path == "-"
      ? (try context.standardInput(limitBytes: QuizFile.limitBytes + 1), "standard input")
      : (try OpenFile.reading(path).readAll(limit: QuizFile.limitBytes + 1), path)
    do throws(QuizFileError) { return try QuizFile(reading: text) } catch {
      throw Failure(
        .dataError, "\(SafeText(name).text): \(error)", hint: "`parlor host quiz --print-sample` shows a file"
      )
    }
  }

  /// The room to host in; `nil` when it was asked to stop.
  private static func room(
    _ file: QuizFile, _ rules: any HostedRules, _ definition: HostedDefinition, _ players: UInt16,
    _ parsed: ParsedCommand, _ context: Context, _ service: any Service, _ input: TableInput
  ) async throws -> RoomID? {
    if parsed.text("resume") == "last" {
      guard let last = try await service.unfinishedRounds(of: definition.name),
        let state = try await service.state(of: last)
      else {
        throw Failure(
          .noInput, "no quiz of this peer waits to be resumed", hint: "`parlor host quiz` begins one")
      }
      try check(state, file, service)
      return last
    }
    if let name = parsed.text("resume") {
      guard let state = try await context.arrival(of: name, parsed, service, input) else { return nil }
      try check(state, file, service)
      return state.room
    }
    var before = RoomID.none
    if let name = parsed.text("continue") {
      guard let state = try await context.arrival(of: name, parsed, service, input) else { return nil }
      guard state.hosted != nil else { throw Failure(.usage, "the room \(state.room.short) is no quiz") }
      before = state.room
    }
    let new = NewHostedRoom(
      rules: definition.name, rulesVersion: definition.version, parameters: rules.parameters.encoded,
      title: file.title, rounds: UInt16(file.questions.count),
      players: players, entries: 1,
      needsCode: !parsed.has("no-join-code"), scope: try context.scope(parsed),
      profile: try context.profile(parsed).profile(of: service.peer),
      continues: before)
    return try await service.perform(.host(new))
  }

  private static func check(_ state: RoomState, _ file: QuizFile, _ service: any Service) throws {
    guard state.hosted != nil, state.creator == service.peer else {
      throw Failure(
        .usage, "the room \(state.room.short) is no quiz of this peer",
        hint: "--continue goes on with another peer's quiz, in a new room")
    }
    let asked = state.hosted?.rounds.filter { $0.phase == .settled } ?? []
    let isSame = asked.allSatisfy { round in
      file.questions.indices.contains(round.number)
        && file.questions[round.number].question.content == round.content
    }
    guard file.questions.count == Int(state.create.games), isSame else {
      throw Failure(
        .usage, "these are not the questions with which the quiz began",
        hint: "--questions names the file that it began with")
    }
  }

  // MARK: - Hosting

  private mutating func host() async throws -> ExitStatus {
    defer {
      clock.stop()
      timer?.cancel()
    }
    var hasHelped = false
    while true {
      guard let table = try await service.table(of: room), let rounds = table.hosted else {
        throw ServiceError.gone("the room is not here")
      }
      try await refusals.tell(service, context.console)
      try view.tell(table)
      if !hasHelped { help() }
      hasHelped = true
      guard table.phase == .waiting || table.phase == .playing else {
        try view.tellEnd(table)
        return .ok
      }
      try await goOn(rounds)
      try view.tellLost(rounds)
      if rounds.round?.elapsed != nil {
        try view.tellTime(rounds, secondsLeft: clock.secondsLeft(rounds.round))
      }
      if let status = try await listen(rounds) { return status }
    }
  }

  /// Says what may be typed, where somebody types.
  private func help() {
    guard Descriptor.input.isTerminal, !context.isJSON else { return }
    context.console.note(
      startAt == nil
        ? "Enter asks the next question; close ends one early; say TEXT; end stops for good; quit to go on later."
        : "Questions are asked by themselves; close ends one early; say TEXT; end stops for good; quit to go on later."
    )
  }

  private func isOn(_ rounds: HostedView) -> Bool {
    guard let round = rounds.round, round.phase == .open || round.phase == .closed else { return false }
    // A round of a process that has ended: nobody can settle it any more.
    return round.elapsed != nil
  }

  /// Asks the next question, when that is to be done by itself and its time has come.
  private mutating func goOn(_ rounds: HostedView) async throws {
    clock.note(rounds.round, isShown: context.console.output.isTerminal)
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
    guard rounds.settled < file.questions.count else { return }
    let item = file.questions[rounds.settled]
    _ = try await service.perform(
      .rounds(
        room,
        .open(
          content: item.question.content, solution: [item.answer], limitMilliseconds: item.limitMilliseconds))
    )
  }

  // MARK: - What is typed

  /// Waits for a line, or for something to happen, and does what the line says.
  /// - Returns: the status to end with.
  private mutating func listen(_ rounds: HostedView) async throws -> ExitStatus? {
    if let line = held, !isOn(rounds) {
      held = nil
      return try await act(on: line, rounds)
    }
    if hasEnded, startAt == nil, held == nil, !isOn(rounds) { return leave(.ok) }
    let isFull = held != nil || hasEnded
    switch isFull ? try await input.change() : try await input.next() {
    case .changed: return nil
    case .line(.line(let text)): return try await act(on: text, rounds)
    case .line(.end): hasEnded = true
    case .line(.interrupted): return leave(.interrupted)
    case .line(.tooLong(let limit)):
      context.console.report(error: "that line is longer than \(limit) bytes")
    case .line(.notText): context.console.report(error: "that line is not UTF-8 text")
    case .line(.timedOut): break
    }
    return nil
  }

  /// Leaves the quiz as it is.
  private func leave(_ status: ExitStatus) -> ExitStatus {
    context.console.note(
      "The quiz waits: `parlor host quiz --resume \(room.short)` goes on, with the same --questions.")
    return status
  }

  private mutating func act(on line: String, _ rounds: HostedView) async throws -> ExitStatus? {
    let words = line.trimmingBlanks
    switch words.lowercased() {
    case "", "next":
      guard !isOn(rounds) else {
        // A pipe says all at once what is to happen in turn.
        if Descriptor.input.isTerminal {
          context.console.report(error: "a question is open", hint: "close ends it early")
        } else {
          held = line
        }
        return nil
      }
      try await ask(rounds)
    case "close": try await context.attempt(.rounds(room, .close), service)
    case "end":
      try await context.attempt(.act(room, .leave), service)
    case "quit", "exit": return leave(.ok)
    case "help", "?": help()
    case let text where text.hasPrefix("say "):
      try await context.attempt(.act(room, .say(String(words.dropFirst(4)))), service)
    default:
      context.console.report(
        error: "“\(SafeText(words, limitColumns: 40))” is nothing that can be done here",
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
