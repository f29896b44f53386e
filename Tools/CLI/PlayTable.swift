import Events
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// One person's place at the terminal: shows a game and asks for moves.
struct PlayTable<Game: TableGame> {
  private let context: Context
  private let input: TableInput
  private var view: PlayView
  private(set) var game: Game
  /// Who plays on the other side, as the network has it; `nil` for a bot of this process.
  private var others: OtherSeats?
  /// A line from a pipe that is no command, until there is a move to make.
  private var held: String?
  /// Whether the cursor stands behind a question.
  private var isAsking = false
  /// What this process's clock says of the time that seats take; `nil` where nothing limits it.
  private var clocks: SeatClocks?
  private let stopwatch: @Sendable () -> Int64
  /// Has the table looked at when a seat's time is up.
  private var timer: Task<Void, any Error>?
  /// Whether there is nothing more to read.
  private var hasEnded = false

  init(_ context: Context, _ game: Game, _ input: TableInput, others: OtherSeats? = nil) {
    self.context = context
    self.game = game
    self.input = input
    self.others = others
    view = PlayView(context, owner: game.owner, isRemote: game.isRemote)
    stopwatch = context.stopwatch
  }

  /// Plays until the game is over or the person goes.
  mutating func play() async throws -> TableEnd {
    defer { timer?.cancel() }
    while true {
      let state = try await game.state()
      keepTime(state)
      let wait = try await game.wait()
      try await tellNews(state)
      switch wait {
      case .bot:
        try view.show(state)
        guard try await think() else { return try await leaveOpen(.interrupted) }
      case .person, .others:
        try view.show(state, clocks, atMilliseconds: now)
        if let clocks { try view.tellTimeUp(clocks, state, atMilliseconds: now) }
        if let end = try await listen(wait, state) { return end }
      case .over:
        try await game.end()
        let state = try await agreed()
        try view.show(state)
        try view.tellEnd(state)
        return state.phase == .finished ? .over : .left
      }
    }
  }

  /// Whether the person, at a terminal, wants a rematch.
  mutating func wantsAnother() async throws -> Bool {
    guard Descriptor.input.isTerminal, !context.isJSON else { return false }
    try context.console.prompt("Play again? [y/N] ")
    guard case .line(let answer) = try await input.line() else {
      context.console.note("")
      return false
    }
    return ["y", "yes"].contains(answer.lowercased())
  }

  /// The state in which all seats have signed the result, where all are still there to do so.
  private mutating func agreed() async throws -> RoomState {
    while true {
      let state = try await game.state()
      guard game.isRemote, state.phase == .finished, state.games.last?.isAgreed == false,
        try await others?.areHere(in: state) ?? false
      else { return state }
      if case .line(.interrupted) = try await input.next() { return state }
    }
  }

  /// Tells what happened besides moves.
  private mutating func tellNews(_ state: RoomState) async throws {
    view.beginHearing(state)
    guard state.phase != .waiting else {
      let console = context.console
      try await others?.tellRefusals(console)
      return try view.tellSeats(state)
    }
    try view.announce(state)
    try view.tellNews(state)
    if let change = try await others?.change(in: state) { try view.tell(change, state) }
  }

  // MARK: - Time

  private var now: UInt64 { UInt64(clamping: stopwatch()) }

  /// Notes when what each seat owes was seen first, and has the table looked at when the next seat's time is up.
  private mutating func keepTime(_ state: RoomState) {
    timer?.cancel()
    timer = nil
    guard state.referee != nil, var clocks = clocks ?? SeatClocks(state.create) else { return }
    clocks.observe(state, at: now)
    self.clocks = clocks
    let due = state.owing.compactMap { clocks.due(of: $0) }.filter { $0 > now }.min()
    guard let due else { return }
    let (wait, input) = (due - now + 1, input)
    timer = Task {
      try await Task.sleep(for: .milliseconds(wait))
      await input.noteChange()
    }
  }

  /// Claims that another seat is silent, when the own clock says that its time is up.
  private mutating func claim() async throws {
    let state = try await game.state()
    keepTime(state)
    let silent = state.owing.first { $0 != state.seat(of: game.owner) }
    if let silent, state.referee != nil, let left = clocks?.left(of: silent, at: now), left > 0 {
      return report("\(state.name(of: silent)) has \(Create.duration(left + 999)) left")
    }
    if silent != nil, state.referee != nil, clocks == nil { return report("the game has no time limits") }
    try await perform(.claim)
  }

  /// Takes the draw that the other side offers, or offers one.
  private mutating func draw() async throws {
    let state = try await game.state()
    let isOffered = state.drawOffers.contains { $0.seat != state.seat(of: game.owner) }
    try await perform(isOffered ? .agreeToDraw : .offerDraw)
    guard !isOffered else { return }
    let after = try await game.state()
    if after.drawOffers.contains(where: { $0.seat == after.seat(of: game.owner) }) {
      try tell(["You offer a draw: the other side may agree, decline, or play on."])
    } else if !game.isRemote, state.allowsDraws, after.turn != nil {
      try tell(["The draw is declined."])
    }
  }

  // MARK: - Bots

  /// Lets the bot think.
  private mutating func think() async throws -> Bool {
    let isCancelled = context.isCancelled
    return try await Self.showingThought(context.console) { try await game.think(isCancelled: isCancelled) }
  }

  /// Shows that a bot thinks while it does.
  private static func showingThought<Result: Sendable>(
    _ console: Console, _ think: () async throws -> Result
  ) async throws -> Result {
    let isTerminal = console.errors.movesCursor
    let ticker = Task {
      var ticks = 0
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(150))
        ticks += 1
        if isTerminal, !Task.isCancelled {
          console.show(status: "thinking\(String(repeating: ".", count: ticks % 4))")
        }
      }
    }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await think()) } catch { result = .failure(error) }
    ticker.cancel()
    _ = await ticker.result
    console.clearStatus()
    return try result.get()
  }

  // MARK: - The person

  /// Waits for one line, or for something to happen, and does what the line says.
  private mutating func listen(_ wait: TableWait, _ state: RoomState) async throws -> TableEnd? {
    var seat: Seat?
    if case .person(let own) = wait { seat = own }
    if let seat, let line = held {
      held = nil
      return try await move(line, seat)
    }
    if seat != nil, hasEnded { return try await leaveOpen(.quit) }
    // Whoever's turn it is not may read no further than the move that is held.
    if held != nil { return try await listenToOthers() }
    if seat != nil, !isAsking, Descriptor.input.isTerminal {
      try context.console.prompt("Your move: ")
      isAsking = true
    }
    switch try await input.next() {
    case .changed: try wipeQuestion()
    case .line(let line):
      let wasAsking = isAsking
      isAsking = false
      return try await take(line, seat, wasAsking: wasAsking)
    }
    return nil
  }

  private mutating func listenToOthers() async throws -> TableEnd? {
    switch try await input.change() {
    case .changed: return nil
    case .line: return try await leaveOpen(.interrupted)
    }
  }

  private mutating func take(
    _ line: LineReader.Result, _ seat: Seat?, wasAsking: Bool
  ) async throws -> TableEnd? {
    switch line {
    case .line(let text): return try await act(on: Self.trimmed(text), seat)
    case .end:
      hasEnded = true
      // Who only looks on, or waits, needs no input.
      return seat == nil ? nil : try await leaveOpen(.quit, endsQuestion: wasAsking)
    case .interrupted: return try await leaveOpen(.interrupted, endsQuestion: wasAsking)
    case .tooLong(let limit): report("that line is longer than \(limit) bytes")
    case .notText: report("that line is not UTF-8 text")
    case .timedOut: break
    }
    return nil
  }

  private func report(_ words: String, hint: String? = nil) {
    context.console.report(error: words, hint: hint)
  }

  /// Takes the question away, so that what happened can be told.
  private mutating func wipeQuestion() throws {
    guard isAsking else { return }
    isAsking = false
    try context.console.prompt(context.console.output.movesCursor ? "\r\u{1B}[K" : "\n")
  }

  /// Does what a typed line says.
  /// - Returns: how the sitting ended, when it did.
  private mutating func act(on line: String, _ seat: Seat?) async throws -> TableEnd? {
    switch line.lowercased() {
    case "": return nil
    case "help", "?": try tell(help(try await game.state()))
    case "draw": try await draw()
    case "decline" where game.isRemote: try await perform(.declineDraw)
    case "claim" where game.isRemote: try await claim()
    case "quit", "exit": return try await leaveOpen(.quit)
    case "board":
      view.forget()
      try view.show(try await game.state())
    case "resign": try await perform(.resign)
    case "undo": try await undo()
    case "hint": try await tellHint(seat)
    case "agree" where game.isRemote: try await perform(.agreeToUndo)
    case "leave" where game.isRemote:
      try await perform(.leave)
    case let words where words.hasPrefix("say "):
      let text = String(line.dropFirst(4))
      try await perform(.say(text))
      try tellSaid(text, try await game.state())
    default:
      if let seat { return try await move(line, seat) }
      guard Descriptor.input.isTerminal else {
        held = line
        return nil
      }
      report("it is not your turn", hint: "say TEXT, leave, quit or help can be typed at any time")
    }
    return nil
  }

  private func help(_ state: RoomState) -> [String] {
    [
      "Type a move, or:  undo  take back your last move (the other side must agree)",
      "                  resign  give up     quit  stop here; `parlor \(resumeWords)` goes on",
      "                  say TEXT  chat      board  show the position again",
    ]
      + (game.isRemote ? [] : ["                  hint  what a bot would play"])
      + (game.isRemote
        ? ["                  agree  let the other side take back     leave  end the game; it is lost"] : [])
      + (state.allowsDraws
        ? ["                  draw  offer a draw, or take the other side's; decline refuses it"] : [])
      + (state.referee != nil && clocks != nil
        ? ["                  claim  the other side's time is up: the referee rules"] : [])
      + (game.isRemote && state.referee == nil
        ? ["                  There is no referee: when the other side is silent, quit sets the game aside."]
        : [])
  }

  private var resumeWords: String { game.isRemote ? game.resuming : "play --resume" }

  /// Does something; what cannot be done now is told.
  private mutating func perform(_ act: TableAct) async throws {
    do { try await game.perform(act) } catch let error as PeerError {
      guard case .notAllowed(let words) = error else { throw error }
      report(words)
    }
  }

  private mutating func tellHint(_ seat: Seat?) async throws {
    guard let seat, let position = try await game.state().currentGame?.state else {
      return report("it is not your turn")
    }
    let isCancelled = context.isCancelled
    do {
      let hint = try await Self.showingThought(context.console) {
        try await game.hint(for: seat, isCancelled: isCancelled)
      }
      guard let hint else { return }
      try tell(["\(hint.bot) would play \(position.text(of: hint.code))."])
    } catch let error as PeerError {
      guard case .notAllowed(let words) = error else { throw error }
      report(words)
    }
  }

  private mutating func undo() async throws {
    let before = try await game.state()
    func count(_ state: RoomState) -> Int { state.currentGame?.plies.count ?? 0 }
    do { try await game.perform(.requestUndo) } catch let error as PeerError {
      guard case .notAllowed(let words) = error else { throw error }
      return report(words)
    }
    if game.isRemote { return try tell(["You ask to take back your last move; the other side decides."]) }
    let after = try await game.state()
    guard after.tip != before.tip else { return report("the other side has not agreed to the take-back") }
    if !context.isJSON {
      try tell(["You took back \(Room.count(count(before) - count(after), "move"))."])
    }
  }

  /// Words between moves; not among the objects of `--json`.
  private func tell(_ lines: [String]) throws {
    guard context.isJSON else { return try context.console.lines(lines) }
    for line in lines { context.console.note(line) }
  }

  /// Repeats what the person said as it stands in the log; over the network that comes as news.
  private func tellSaid(_ text: String, _ state: RoomState) throws {
    let said = text.prefix(utf8Bytes: Action.limitChatBytes)
    let name = state.seat(of: game.owner).map { state.name(of: $0) } ?? "You"
    if !context.isJSON, !game.isRemote { try context.console.line("\(name): \(SafeText(said).text)") }
    guard said != text else { return }
    context.console.note("That was cut to \(Action.limitChatBytes) bytes.")
  }

  private mutating func move(_ text: String, _ seat: Seat) async throws -> TableEnd? {
    guard let position = try await game.state().currentGame else { return nil }
    guard let code = position.state.code(text: text) else {
      let moves = position.state.legalMoves(of: seat).map { position.state.text(of: $0) }
      report(
        "“\(SafeText(text, limitColumns: 40))” is no move here",
        hint: "moves: \(moves.joined(separator: " ")); or help, quit")
      return nil
    }
    try await perform(.choose(code))
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  /// - Parameter endsQuestion: whether the cursor stands behind a question that nobody answered.
  private mutating func leaveOpen(_ end: TableEnd, endsQuestion: Bool = false) async throws -> TableEnd {
    if endsQuestion, Descriptor.input.isTerminal { context.console.note("") }
    try view.tellWaiting(try await game.state(), resuming: game.resuming)
    return end
  }
}

/// How a sitting ended.
enum TableEnd {
  case over
  /// Somebody left the game.
  case left
  /// The person quit, or the input ended; the game waits.
  case quit
  case interrupted
}
