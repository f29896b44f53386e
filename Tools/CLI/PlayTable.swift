import BotKit
import Events
import Peer
import Platform
import Rules
import Service
import Terminal

/// One person's place at the terminal: shows a game and asks for moves.
struct PlayTable<Game: TableGame> {
  let context: Context
  let input: TableInput
  var view: PlayView
  var game: Game
  /// A line from a pipe that is no command, until there is a move to make.
  private var held: String?
  /// A move that was typed while nothing may be written, and the place that it is meant for.
  private var kept: (text: String, game: Int, ply: Int)?
  /// Why nothing may be written now, and what of that was told last to whom the turn is.
  private var hindrance: String?
  private var toldHindrance: String?
  /// What is asked once more before it is done.
  private var confirming: Confirmation?
  /// The take-back that was declined last.
  private var declined: EventID?
  /// Whether the cursor stands behind a question.
  private var isAsking = false
  private var timer = TableTimer()
  /// Whether there is nothing more to read.
  private var hasEnded = false

  init(_ context: Context, _ game: Game, _ input: TableInput) {
    self.context = context
    self.game = game
    self.input = input
    view = PlayView(context)
  }

  /// Plays until the game is over or the person goes.
  mutating func play() async throws -> TableEnd {
    defer { timer.stop() }
    do { return try await playOn() } catch {
      try await input.leaveScreen()
      throw error
    }
  }

  private mutating func playOn() async throws -> TableEnd {
    while true {
      let table = try await game.table()
      try await enterScreen(table)
      timer.set(table, input, isShown: view.screen != nil)
      if table.phase == .waiting { try await game.tellHindrances(context.console) }
      try view.tell(table)
      if table.ending != nil, game.goOn() {
        try view.tellEnd(table, isLast: false)
      } else if table.seats.contains(where: { $0.presence == .here && $0.owes }) {
        guard try await think(table) else { return try await leaveOpen(.interrupted) }
      } else if table.isOn || table.phase == .waiting {
        if let end = try await listen(table) { return end }
      } else {
        try await game.end()
        // What is typed by now is for what comes next.
        if let held { await input.putBack(held) }
        held = nil
        let table = try await agreed()
        try view.tell(table)
        try await leaveScreen(table)
        try view.tellEnd(table, isLast: true)
        return table.phase == .finished ? .over : .left
      }
    }
  }

  /// Whether the person, at a terminal, wants a rematch.
  mutating func wantsAnother() async throws -> Bool {
    guard Descriptor.input.isTerminal, !context.isJSON else { return false }
    var told: TableView.Rematch?
    while true {
      let table = try await game.table()
      if let wish = table.rematch, wish != told, wish.peer != table.peer {
        told = wish
        try wipeQuestion()
        try context.console.line("\(table.name(of: wish.peer)) wants a rematch: type `y` to play it.")
      }
      if !isAsking { try context.console.prompt("Play again? [y/N] ") }
      isAsking = true
      switch try await input.next() {
      case .changed: break
      case .line(.line(let answer)):
        isAsking = false
        return ["y", "yes"].contains(answer.trimmingBlanks.lowercased())
      case .line:
        isAsking = false
        context.console.note("")
        return false
      }
    }
  }

  /// The table at which all seats have signed the result, where they can be waited for.
  private mutating func agreed() async throws -> TableView {
    var isTold = false
    while true {
      let table = try await game.table()
      guard let patience = table.patience(at: WallClock.milliseconds()) else { return table }
      if let gone = table.seats.firstIndex(where: { $0.presence == .away }), !isTold, view.screen == nil {
        let name = table.names[gone]
        context.console.note(
          "Waiting for \(name), whose connection was lost, to sign the result; Ctrl-C waits no longer.")
        isTold = true
      }
      timer.set(patience, input)
      guard try await input.change().isChange else { return table }
    }
  }

  /// Lets the bot think.
  private mutating func think(_ table: TableView) async throws -> Bool {
    let isCancelled = context.isCancelled
    let index = table.seats.firstIndex { $0.presence == .here && $0.owes } ?? 0
    let name = table.label(of: Seat(UInt16(clamping: index)), context.console.errors.drawing)
    return try await Self.showingThought(of: name, below: view.drawn, context.console) {
      try await game.think(isCancelled: isCancelled)
    }
  }

  /// Shows that a bot thinks while it does.
  /// - Parameter lines: what is drawn already, and gives way to what comes next.
  private static func showingThought<Result: Sendable>(
    of name: String, below lines: [String] = [], _ console: Console, _ think: () async throws -> Result
  ) async throws -> Result {
    let isTerminal = console.errors.movesCursor
    let ticker = Task {
      var ticks = 0
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(150))
        ticks += 1
        guard !Task.isCancelled else { break }
        let words = "\(name) thinks\(String(repeating: ".", count: ticks % 4))"
        if !lines.isEmpty {
          try console.draw(lines + [words])
        } else if isTerminal {
          console.show(status: words)
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

  /// Waits for one line, or for something to happen, and does what the line says.
  private mutating func listen(_ table: TableView) async throws -> TableEnd? {
    let mayChoose = table.may.contains(.choose)
    try tellHindrance(table)
    if let move = kept, hindrance == nil || (move.game, move.ply) != (table.number, table.plies.count) {
      return try await makeKept(move, table)
    }
    if mayChoose, let line = held {
      held = nil
      return try await move(line, table)
    }
    if mayChoose, hasEnded, kept == nil { return try await leaveOpen(.quit) }
    // Whoever's turn it is not may read no further than the move that is held, or kept.
    if held != nil || kept != nil && (hasEnded || !Descriptor.input.isTerminal) {
      return try await input.change().isChange ? nil : leaveOpen(.interrupted)
    }
    if let screen = view.screen {
      let question = confirming?.question ?? (mayChoose ? "Your move: " : "> ")
      screen.update { $0.question = question }
    } else if mayChoose || confirming != nil, !isAsking, Descriptor.input.isTerminal {
      try context.console.prompt(confirming?.question ?? "Your move: ")
      isAsking = true
    }
    switch try await input.next() {
    case .changed: try wipeQuestion()
    case .line(let line):
      let wasAsking = isAsking
      isAsking = false
      return try await take(line, table, wasAsking: wasAsking)
    }
    return nil
  }

  private mutating func take(
    _ line: LineReader.Result, _ table: TableView, wasAsking: Bool
  ) async throws -> TableEnd? {
    switch line {
    case .line(let text): return try await act(on: text.trimmingBlanks, table)
    case .end:
      hasEnded = true
      // On a screen it is typed on purpose.
      if view.screen != nil { return try await leaveOpen(.quit) }
      // Who only looks on, or waits, needs no input.
      return table.may.contains(.choose) ? try await leaveOpen(.quit, endsQuestion: wasAsking) : nil
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
  private mutating func act(on line: String, _ table: TableView) async throws -> TableEnd? {
    if let asked = confirming {
      confirming = nil
      switch line.lowercased() {
      case asked.kind.rawValue, "y", "yes": return try await carryOut(asked, table)
      case "", "n", "no": return nil
      default: break
      }
    }
    switch line.lowercased() {
    case "": return nil
    case "help", "?": try tell(helpLines(table))
    case "draw": try await draw(table)
    case "decline": try await decline(table)
    case "claim": try await claim()
    case "quit", "exit": return try await leaveOpen(.quit)
    case "board":
      view.forget()
      try view.show(table)
    case "start": try await perform(.start)
    case "resign": return try await confirm(.resign, table)
    case "undo":
      guard try await perform(.requestUndo) else { break }
      let table = try await game.table()
      if table.undo.map({ $0.seat == table.seat }) == true {
        try tell(["You ask to take back your last move; the other side decides."])
      }
    case "hint": try await tellHint(table)
    case "agree": try await perform(.agreeToUndo)
    case "leave": return try await confirm(.leave, table)
    case let words where words.hasPrefix("say "):
      let text = String(line.dropFirst(4))
      try await perform(.say(text))
      guard text.prefix(utf8Bytes: Action.limitChatBytes) != text else { break }
      context.console.note("That was cut to \(Action.limitChatBytes) bytes.")
    default:
      if table.may.contains(.choose) { return try await move(line, table) }
      guard Descriptor.input.isTerminal else {
        held = line
        return nil
      }
      report(
        table.hasChosen
          ? "you have chosen already, and all read it when everybody has" : "it is not your turn",
        hint: Self.meant(line) ?? "say TEXT, leave, quit or help can be typed at any time")
    }
    return nil
  }

  /// Does something; what cannot be done now is told.
  /// - Returns: whether it was done.
  @discardableResult private mutating func perform(_ act: TableAct) async throws -> Bool {
    if let hindrance {
      report("that cannot be done yet: \(hindrance)")
      return false
    }
    do { try await game.perform(act) } catch PeerError.notAllowed(let words) {
      report(words)
      return false
    }
    return true
  }

  private mutating func tellHint(_ table: TableView) async throws {
    guard table.may.contains(.choose) else {
      return report(table.hasChosen ? "you have chosen already" : "it is not your turn")
    }
    let isCancelled = context.isCancelled
    do {
      let hint = try await Self.showingThought(of: "A bot", context.console) {
        try await game.hint(isCancelled: isCancelled)
      }
      if let hint { try tell([hint]) }
    } catch PeerError.notAllowed(let words) { report(words) }
  }

  /// Claims that another seat is silent, when this peer's clock says that its time is up.
  private mutating func claim() async throws {
    let table = try await game.table()
    let silent = table.seats.firstIndex { $0.owes && $0.presence != .own }
    if let silent, table.referee != nil {
      guard let left = table.seats[silent].left else { return report("the game has no time limits") }
      if left > 0 {
        return report("\(table.names[silent]) has \(Terms.duration(UInt64(clamping: left) + 999)) left")
      }
    }
    try await perform(.claim)
  }

  /// Takes the draw that the other side offers, or offers one.
  private mutating func draw(_ table: TableView) async throws {
    if table.may.contains(.agreeToDraw) {
      try await perform(.agreeToDraw)
    } else if try await perform(.offerDraw) {
      view.noteOffer(table)
      if try await game.table().draws.contains(where: { $0.seat == table.seat }) {
        try tell(["You offer a draw: the other side may agree, decline, or play on."])
      }
    }
  }

  /// Declines what the other side asks for.
  private mutating func decline(_ table: TableView) async throws {
    guard let asked = table.undo, asked.seat != table.seat, asked.event != declined else {
      try await perform(.declineDraw)
      return
    }
    // No event says it: a take-back is lapsed by the next move. Words tell who waits for the answer.
    if try await perform(.say("I do not agree to take that back.")) { declined = asked.event }
  }

  /// Has something confirmed that cannot be undone, where it costs the game.
  private mutating func confirm(_ kind: TableAct.Kind, _ table: TableView) async throws -> TableEnd? {
    let asked = Confirmation(kind: kind)
    let costs =
      table.phase == .playing && (kind == .resign || table.number > 1 || table.plies.count > table.opening)
    guard costs, hindrance == nil, table.may.contains(kind) else { return try await carryOut(asked, table) }
    confirming = asked
    if !Descriptor.input.isTerminal {
      context.console.note("\(asked.question)`\(kind.rawValue)` again, or `yes`, does it.")
    }
    return nil
  }

  /// Does what was confirmed.
  private mutating func carryOut(_ asked: Confirmation, _ table: TableView) async throws -> TableEnd? {
    try await perform(asked.kind == .resign ? .resign : .leave)
    guard asked.kind == .leave, table.seats.count > 2, table.phase == .playing else { return nil }
    try await leaveScreen(try await game.table())
    context.console.note("You left; the others go on. `parlor watch \(table.room.short)` shows how.")
    return .quit
  }

  /// Says, once each, why nothing can be written now, and that a move that is typed is kept.
  private mutating func tellHindrance(_ table: TableView) throws {
    hindrance = table.hindrance
    guard table.may.contains(.choose), hindrance != toldHindrance else { return }
    toldHindrance = hindrance
    guard let hindrance else { return }
    try wipeQuestion()
    let move = kept.map { "Your move \(SafeText($0.text, limitColumns: 40).text) is kept, and made" }
    context.console.note(
      "\(move ?? "A move that you type is kept, and made") as soon as it can be: \(hindrance).")
  }

  /// Makes the move that was kept, unless the game has gone on without it.
  private mutating func makeKept(
    _ move: (text: String, game: Int, ply: Int), _ table: TableView
  ) async throws -> TableEnd? {
    kept = nil
    try wipeQuestion()
    guard (move.game, move.ply) == (table.number, table.plies.count), table.may.contains(.choose) else {
      context.console.note(
        "Your move \(SafeText(move.text, limitColumns: 40).text) is not made: the game has gone on.")
      return nil
    }
    return try await self.move(move.text, table)
  }

  /// What can be typed besides moves.
  static var commands: [String] {
    [
      "help", "undo", "resign", "start", "quit", "exit", "say", "board", "agree", "decline", "leave", "hint",
      "draw",
      "claim",
    ]
  }

  /// What somebody may have meant with a line that is neither a move nor a command; `nil` where nothing is near.
  private static func meant(_ line: String) -> String? {
    let word = line.prefix { $0 != " " }.lowercased()
    let near = word.count > 2 ? Spelling.near(word, among: commands) : []
    return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
  }

  /// Words between moves; not among the objects of `--json`.
  private func tell(_ lines: [String]) throws {
    guard context.isJSON else { return try context.console.lines(lines) }
    for line in lines { context.console.note(line) }
  }

  private mutating func move(_ text: String, _ table: TableView) async throws -> TableEnd? {
    guard let code = try context.games.rules(of: table)?.start(first: Seat(0)).code(text: text) else {
      let moves = table.moves.map(\.text)
      report(
        "“\(SafeText(text, limitColumns: 40))” is no move here",
        hint: Self.meant(text) ?? "moves: \(Self.listed(moves)); or help, quit")
      return nil
    }
    guard hindrance == nil else {
      kept = (text, table.number, table.plies.count)
      toldHindrance = nil
      try tellHindrance(table)
      return nil
    }
    // Where the game has gone on meanwhile, the move was meant for another position.
    let (game, ply) = (UInt16(clamping: table.number - 1), UInt16(clamping: table.plies.count))
    try await perform(.choose(BotChoice(code), game: game, ply: ply))
    return nil
  }

  /// The moves, or the first ones of a large board.
  private static func listed(_ moves: [String]) -> String {
    let shown = moves.count > 40 ? 20 : moves.count
    let rest = moves.count > shown ? " and \(moves.count - shown) more" : ""
    return moves.prefix(shown).joined(separator: " ") + rest
  }

  /// - Parameter endsQuestion: whether the cursor stands behind a question that nobody answered.
  private mutating func leaveOpen(_ end: TableEnd, endsQuestion: Bool = false) async throws -> TableEnd {
    let table = try await game.table()
    if view.screen != nil {
      try await leaveScreen(table)
    } else if endsQuestion, Descriptor.input.isTerminal {
      context.console.note("")
    }
    try view.leaveDrawing()
    try view.tellWaiting(table, resuming: game.resuming)
    return end
  }
}

/// Something that is asked about before it is done.
private struct Confirmation {
  let kind: TableAct.Kind

  var question: String { kind == .resign ? "Give the game up? [y/N] " : "Leave and lose the game? [y/N] " }
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
