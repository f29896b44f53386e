import BotKit
import Events
import Peer
import Projection
import Rules
import Terminal

/// One person's place at the terminal: shows a session and asks for moves.
struct PlayTable {
  /// How a sitting ended.
  enum End {
    case over
    /// The person quit, or the input ended; the game waits.
    case quit
    case interrupted
  }

  private let context: Context
  private let household: Household
  private var reader: LineReader
  private var view: PlayView

  init(_ context: Context, _ household: Household) {
    self.context = context
    self.household = household
    reader = LineReader(.input, stop: context.interrupts.stop)
    view = PlayView(context, owner: household.owner.peer)
  }

  /// Plays until the game is over or the person goes.
  mutating func play(_ session: inout Session) async throws -> End {
    try view.announce(session.state)
    while true {
      switch session.wait() {
      case .bot(let player, let turn):
        try view.show(session.state)
        guard let choice = try await think(session.players[player].bot, turn) else {
          return try leaveOpen(&session, .interrupted)
        }
        try session.play(choice, by: player)
      case .person(let player, let seat):
        try view.show(session.state)
        if let end = try await ask(player, seat, &session) { return end }
      case .over:
        try await household.commit(&session)
        try view.show(session.state)
        try view.tellEnd(&session)
        return .over
      case .others:
        throw PeerError.unplayable("the game waits for something that is not here")
      }
      try await household.commit(&session)
    }
  }

  /// Whether the person, at a terminal, wants a rematch.
  mutating func wantsAnother() throws -> Bool {
    guard Descriptor.input.isTerminal, !context.isJSON else { return false }
    guard case .line(let answer) = try reader.ask("Play again? [y/N] ", on: context.console) else {
      context.console.note("")
      return false
    }
    return ["y", "yes"].contains(answer.lowercased())
  }

  // MARK: - Bots

  /// Lets the bot think away from this task, and shows that it does.
  private func think(_ bot: (any Bot)?, _ turn: BotTurn) async throws -> BotChoice? {
    let (interrupts, console, household) = (context.interrupts, context.console, household)
    var asked = turn
    asked.isCancelled = { interrupts.isStopRequested }
    let turn = asked
    let isTerminal = console.errors.movesCursor
    async let choice = household.think(bot, turn)
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
    let result: Result<BotChoice?, any Error>
    do { result = .success(try await choice) } catch { result = .failure(error) }
    ticker.cancel()
    _ = await ticker.result
    console.clearStatus()
    return try result.get()
  }

  // MARK: - The person

  /// Asks until there is a move, or the person goes.
  private mutating func ask(_ player: Int, _ seat: Seat, _ session: inout Session) async throws -> End? {
    while true {
      let line: String
      switch try reader.ask("Your move: ", on: context.console) {
      case .line(let text): line = Self.trimmed(text)
      case .end: return try leaveOpen(&session, .quit, endsPrompt: true)
      case .interrupted: return try leaveOpen(&session, .interrupted, endsPrompt: true)
      case .tooLong(let limit):
        context.console.report(error: "that line is longer than \(limit) bytes", hint: nil)
        continue
      case .notText:
        context.console.report(error: "that line is not UTF-8 text", hint: nil)
        continue
      case .timedOut: continue
      }
      if let end = try await act(on: line, player, seat, &session) { return end.ended }
    }
  }

  /// What a typed line led to.
  private struct Act {
    /// Whether the person has gone.
    var ended: End?
  }

  /// Does what a typed line says.
  /// - Returns: `nil` when there is still a move to make.
  private mutating func act(
    on line: String, _ player: Int, _ seat: Seat, _ session: inout Session
  ) async throws -> Act? {
    switch line.lowercased() {
    case "": return nil
    case "help", "?":
      try tell([
        "Type a move, or:  undo  take back your last move (the other side must agree)",
        "                  resign  give up     quit  stop here; `parlor play --resume` goes on",
        "                  say TEXT  chat      board  show the position again",
      ])
      return nil
    case "quit", "exit": return Act(ended: try leaveOpen(&session, .quit))
    case "board":
      view.forget()
      try view.show(session.state)
      return nil
    case "resign":
      try session.act(player) { (core, room) throws(PeerError) in try core.resign(in: room) }
      return Act()
    case "undo": return try undo(player, &session)
    case let words where words.hasPrefix("say "):
      let text = String(line.dropFirst(4))
      try session.act(player) { (core, room) throws(PeerError) in try core.say(text, in: room) }
      try await household.commit(&session)
      try tellSaid(text, session.state)
      return nil
    default: return try move(line, player, seat, &session)
    }
  }

  private mutating func undo(_ player: Int, _ session: inout Session) throws -> Act? {
    let before = session.state
    func count(_ state: RoomState) -> Int { state.currentGame?.plies.count ?? 0 }
    do {
      try session.act(player) { (core, room) throws(PeerError) in try core.requestUndo(in: room) }
    } catch {
      guard case .notAllowed(let words) = error else { throw error }
      context.console.report(error: words, hint: nil)
      return nil
    }
    guard session.state.tip != before.tip else {
      context.console.report(error: "the other side has not agreed to the take-back", hint: nil)
      return nil
    }
    if !context.isJSON {
      try tell(["You took back \(Room.count(count(before) - count(session.state), "move"))."])
    }
    return Act()
  }

  /// Words between moves; not among the objects of `--json`.
  private func tell(_ lines: [String]) throws {
    guard context.isJSON else { return try context.console.lines(lines) }
    for line in lines { context.console.note(line) }
  }

  /// Repeats what the person said as it stands in the log.
  private func tellSaid(_ text: String, _ state: RoomState) throws {
    let said = text.prefix(utf8Bytes: Action.limitChatBytes)
    let name = state.seat(of: household.owner.peer).map { state.name(of: $0) } ?? "You"
    if !context.isJSON { try context.console.line("\(name): \(SafeText(said).text)") }
    guard said != text else { return }
    context.console.note("That was cut to \(Action.limitChatBytes) bytes.")
  }

  private mutating func move(
    _ text: String, _ player: Int, _ seat: Seat, _ session: inout Session
  ) throws -> Act? {
    guard let game = session.state.currentGame else { return nil }
    guard let code = game.state.code(text: text) else {
      let moves = game.state.legalMoves(of: seat).map { game.state.text(of: $0) }.joined(separator: " ")
      context.console.report(
        error: "“\(SafeText(text, limitColumns: 40))” is no move here", hint: "moves: \(moves); or help, quit"
      )
      return nil
    }
    do {
      try session.play(BotChoice(code), by: player)
      return Act()
    } catch {
      guard case .notAllowed(let words) = error else { throw error }
      context.console.report(error: words, hint: nil)
      return nil
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  /// - Parameter endsPrompt: whether the cursor stands behind a question that nobody answered.
  private func leaveOpen(_ session: inout Session, _ end: End, endsPrompt: Bool = false) throws -> End {
    if endsPrompt, Descriptor.input.isTerminal { context.console.note("") }
    try view.tellWaiting(session.state)
    return end
  }
}
