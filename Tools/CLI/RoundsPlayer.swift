import Events
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// A player of a quiz or a drawing game at the terminal, who types lines, or a bot that plays in its place.
struct RoundsPlayer {
  private let guest: RoundsGuest
  private let rules: any HostedRules
  private var view: RoundsView
  private var clock: RoundsClock
  /// Where a bot's choices come from; `nil` for a person.
  private var guess: SystemRandomNumberGenerator?
  /// The round in which something was entered.
  private var entered = EventID.none
  /// A line from a pipe that waits for its time.
  private var held: String?
  private var hasEnded = false
  private var isAsking = false
  /// The round that the prompt is about.
  private var askedAbout: EventID?

  init(_ guest: RoundsGuest, _ rules: any HostedRules, guesses: Bool) {
    (self.guest, self.rules) = (guest, rules)
    view = RoundsView(guest.context)
    clock = RoundsClock(guest.input)
    if guesses { guess = SystemRandomNumberGenerator() }
  }

  private var context: Context { guest.context }
  private var input: TableInput { guest.input }

  /// Plays to the end, or until the person goes.
  mutating func play() async throws -> ExitStatus {
    defer { clock.stop() }
    do { return try await playOn() } catch {
      try await input.leaveScreen()
      throw error
    }
  }

  private mutating func playOn() async throws -> ExitStatus {
    while true {
      let (table, rounds) = try await guest.table()
      if guess == nil { try await view.enterScreen(table, input, .lines, words: ["say", "quit", "help"]) }
      if isAsking, table.phase != .playing || openRound(rounds)?.opening != askedAbout { try wipeQuestion() }
      try view.tell(table)
      guard table.phase == .waiting || table.phase == .playing else {
        try await view.leaveScreen(table, input)
        try view.tellEnd(table)
        return .ok
      }
      view.draw(table, clock.left(rounds.round))
      try await guessIfAsked(rounds)
      if openRound(rounds) == nil || guess != nil {
        try view.tellTime(rounds, clock.left(rounds.round))
      }
      if let status = try await listen(rounds) { return status }
    }
  }

  /// Leaves the room, and gives the terminal back.
  private mutating func leave(_ status: ExitStatus) async throws -> ExitStatus {
    try await view.leaveScreen(try await guest.table().0, input)
    return try await guest.leave(status)
  }

  /// The round in which this player may still enter something.
  private func openRound(_ rounds: HostedView) -> HostedView.Round? {
    guard let round = rounds.round, round.phase == .open else { return nil }
    if round.sheet != nil { return round.own == .right ? nil : round }
    return round.own == .none && round.opening != entered ? round : nil
  }

  private mutating func guessIfAsked(_ rounds: HostedView) async throws {
    guard var random = guess, let round = openRound(rounds), !round.choices.isEmpty else { return }
    let number = Int.random(in: 1...round.choices.count, using: &random)
    guess = random
    try await enter("\(number)", round, rounds)
  }

  // MARK: - What is typed

  private mutating func listen(_ rounds: HostedView) async throws -> ExitStatus? {
    let round = openRound(rounds)
    clock.note(
      rounds.round, isTicking: context.console.output.isTerminal && (round == nil || view.screen != nil))
    if let line = held, round != nil {
      held = nil
      return try await act(on: line, rounds)
    }
    try ask(round)
    let isFull = held != nil || hasEnded
    switch isFull ? try await input.change() : try await input.next() {
    case .changed: return nil
    case .line(.line(let text)):
      isAsking = false
      return try await act(on: text, rounds)
    case .line(.end): hasEnded = true
    case .line(.interrupted): return try await leave(.interrupted)
    case .line(.tooLong(let limit)):
      context.console.report(error: "that line is longer than \(limit) bytes")
    case .line(.notText): context.console.report(error: "that line is not UTF-8 text")
    case .line(.timedOut): break
    }
    isAsking = false
    return nil
  }

  /// Asks for an answer where somebody types; on a screen, where the question stands above, as long as it is open.
  private mutating func ask(_ round: HostedView.Round?) throws {
    let range = question(round)
    if view.screen != nil { return try context.console.prompt(round == nil ? "> " : "\(range): ") }
    guard let round, guess == nil, !isAsking, Descriptor.input.isTerminal, !hasEnded else { return }
    let time =
      clock.left(round).map { "\($0.isMost ? "at most " : "")\($0.seconds) s" } ?? "\(round.limit / 1_000) s"
    try context.console.prompt("\(range), within \(time): ")
    (isAsking, askedAbout) = (true, round.opening)
  }

  /// What a round asks for at the prompt.
  private func question(_ round: HostedView.Round?) -> String {
    guard let sheet = round?.sheet else { return "Your answer, 1 to \(round?.choices.count ?? 4)" }
    return sheet.drawer == view.number ? "Draw: line X Y X Y …, or clear" : "Your guess"
  }

  /// Takes the prompt away when there is nothing more to answer.
  private mutating func wipeQuestion() throws {
    isAsking = false
    try context.console.prompt(context.console.output.movesCursor ? "\r\u{1B}[K" : "\n")
  }

  private mutating func act(on line: String, _ rounds: HostedView) async throws -> ExitStatus? {
    let words = line.trimmingBlanks
    switch words.lowercased() {
    case "": return nil
    case "say": context.console.report(error: "say what? Type: say TEXT")
    case "quit", "exit", "leave": return try await leave(.ok)
    case "help", "?":
      context.console.note(
        "\(rounds.round?.sheet == nil ? "Type the number of an answer, or:" : RoundsView.drawingHelp)"
          + "  say TEXT  chat     quit  leave; come back by `parlor join`")
    case "show" where rounds.round?.sheet != nil: try view.tellPicture(rounds)
    case let text where text.hasPrefix("guess ") && rounds.round?.sheet != nil:
      try await answer(String(words.dropFirst(6)), rounds)
    case let text where text.hasPrefix("say "):
      try await guest.say(String(words.dropFirst(4)))
    default: try await answer(words, rounds)
    }
    return nil
  }

  private mutating func answer(_ words: String, _ rounds: HostedView) async throws {
    guard let round = openRound(rounds) else {
      if !Descriptor.input.isTerminal {
        held = words
        return
      }
      let isGiven =
        rounds.round.map { $0.phase == .open && ($0.opening == entered || $0.own != .none) } ?? false
      return context.console.report(
        error: !isGiven
          ? "nothing is asked now"
          : rounds.round?.sheet == nil
            ? "your answer is given, and stays as it is" : "you have it: wait for the others"
      )
    }
    try await enter(words, round, rounds)
  }

  private mutating func enter(
    _ words: String, _ round: HostedView.Round, _ rounds: HostedView
  ) async throws {
    guard let content = try await guest.service.state(of: guest.room)?.hosted?.round?.content,
      let number = rounds.number.flatMap({ UInt16(exactly: $0 - 1) }),
      case let form = rules.form(of: number, in: content),
      let choice = rules.entry(text: words, form, in: content)
    else {
      return context.console.report(
        error: "“\(SafeText(words, limitColumns: 40))” is "
          + (round.sheet == nil ? "none of the answers" : "nothing that can be sent"),
        hint: round.sheet == nil
          ? "type a number from 1 to \(round.choices.count), or quit" : RoundsView.drawingHelp)
    }
    if round.sheet == nil { entered = round.opening }
    view.choice = rules.text(of: choice, in: content)
    try await guest.attempt(.rounds(guest.room, .enter(opening: round.opening, choice: choice)))
    if !rounds.isHostThere {
      context.console.note("The host is away: your answer waits for it, and is not counted yet.")
    }
  }
}
