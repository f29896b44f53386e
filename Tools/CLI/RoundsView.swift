import Events
import Rules
import Service
import Terminal

/// What host, players and onlookers of hosted rounds are shown: who comes, each question, what became of it, and the
/// standings. Each thing is told once, however often it looks.
struct RoundsView {
  /// The most players in a list on a screen; the own line follows.
  private static let limitListed = 20

  let context: Context
  /// The whole terminal, while the rounds fill it.
  var screen: FullScreen?
  /// Whether it looks on while things happen, rather than at what was.
  let isLive: Bool
  private(set) var words = RoundWords(nil)
  /// The own number as a player, from 1.
  private(set) var number: Int?
  private let bars = CountBars()
  /// What was told last, but for the bars.
  private var seen: TableView?
  /// The counts that were told of a round.
  private var counts: [EventID: [HostedView.Tally]] = [:]
  private var hasBegun = false
  /// The players who take part, by number.
  private var here: [Int: Bool] = [:]
  /// What was told of a round.
  struct Told {
    var phase = HostedView.Phase.open
    var isAnswered = false
    var sheet = SheetTold()
  }

  var told: [EventID: Told] = [:]
  private var faults: Set<HostedView.Proven> = []
  /// The last seconds that were told of a round, and the rounds that were told to be lost.
  private var timesTold: [EventID: Int] = [:]
  private var lost: Set<EventID> = []
  private var isHostThere = true
  private var chat = ChatLines()
  /// What the player of this process has chosen, as text.
  var choice: String?

  /// - Parameter isLive: whether it looks on while things happen, rather than at what was.
  init(_ context: Context, isLive: Bool = true) { (self.context, self.isLive) = (context, isLive) }

  /// Tells what is new.
  /// - Parameter heading: what stands above the bars of a round in which entries add up.
  mutating func tell(_ table: TableView, above heading: String? = nil) throws {
    guard let rounds = table.hosted else { return }
    number = rounds.number
    words = RoundWords(context.games.newestHosted(table.game))
    let racing =
      drawsCounts ? rounds.round.flatMap { $0.phase == .open && $0.isRace ? $0 : nil } : nil
    if drawsCounts {
      // Between two lines the bars are drawn over, without being taken away.
      let news = table.withoutCounts
      defer { seen = news }
      if let racing, news == seen {
        return try bars.draw(racing, rounds, heading: heading, on: context.console)
      }
      try bars.wipe(on: context.console)
    }
    chat.begin(table)
    if !hasBegun { try begin(table, rounds) }
    // Every player needs not see who else comes; the host and programs do.
    if table.peer == table.creator.peer || context.isJSON { try tellPlayers(rounds) }
    try tellHost(table, rounds)
    try tellRounds(rounds)
    try chat.tell(table, isShared: true, context)
    for proven in rounds.faults where faults.insert(proven).inserted { try tell(proven) }
    hasBegun = true
    if let racing { try bars.draw(racing, rounds, heading: heading, on: context.console) }
  }

  /// Whether bars are drawn again and again in one place.
  private var drawsCounts: Bool {
    isLive && screen == nil && context.console.output.movesCursor && !context.isJSON
  }

  /// Leaves the bars where they are, because others have written.
  mutating func forgetCounts() { bars.forget(on: context.console) }

  /// Takes the bars away, because others are about to write.
  mutating func wipeCounts() throws { if drawsCounts { try bars.wipe(on: context.console) } }

  /// The last words.
  mutating func tellEnd(_ table: TableView) throws {
    guard let rounds = table.hosted else { return }
    if context.isJSON {
      return try context.object(
        "over", ["room": .string(table.room.description), "rounds": .integer(Int64(rounds.settled))])
    }
    guard rounds.settled > 0 else { return try context.console.line("It ended before anything was settled.") }
    let best = rounds.players.filter { $0.rank == 1 }
    if rounds.settled < rounds.rounds {
      try context.console.line("It ended after round \(rounds.settled) of \(rounds.rounds).")
    }
    guard let first = best.first else { return }
    let names = best.prefix(3).map { Self.name($0) }.joined(separator: ", ")
    try context.console.line(
      best.count == 1
        ? "🏆 \(names) wins with \(first.score) points."
        : "🏆 First place is shared, with \(first.score) points: \(names)\(best.count > 3 ? " and others" : "")."
    )
  }

  /// Tells how much of the round is left, twice before its end.
  mutating func tellTime(_ rounds: HostedView, _ left: TimeLeft?) throws {
    guard let round = rounds.round, round.phase == .open, let left, !context.isJSON,
      screen == nil, !round.isRace, let mark = [5, 10].first(where: { left.seconds <= $0 }),
      round.limit > mark * 1_000,
      timesTold[round.opening] ?? .max > mark
    else { return }
    timesTold[round.opening] = mark
    let present = rounds.players.count { !$0.hasLeft }
    let done = round.sheet.map { $0.progress } ?? "\(round.entries) of \(present) answered"
    try context.console.line("\(left.words), \(done).")
  }

  /// Says of a round that an earlier process had opened that nothing comes of it, where the host looks.
  mutating func tellLost(_ rounds: HostedView) throws {
    guard let round = rounds.round, round.phase == .open || round.phase == .closed, round.elapsed == nil,
      lost.insert(round.opening).inserted, !context.isJSON
    else { return }
    try context.console.line(
      "\(words.capitalizedRound) \(round.number) was open when the \(words.game) stopped: it counts nothing, and comes"
        + " again.")
  }

  // MARK: - Parts

  /// Tells when the connection with the host is lost, and when it is back.
  private mutating func tellHost(_ table: TableView, _ rounds: HostedView) throws {
    guard table.phase == .waiting || table.phase == .playing, rounds.isHostThere != isHostThere,
      table.peer.isSome
    else { return }
    isHostThere = rounds.isHostThere
    if context.isJSON { return try context.object("host", ["connected": .bool(isHostThere)]) }
    let isUncounted = rounds.round.map { $0.phase == .open && $0.own == .sent } ?? false
    let lost = "The connection with the host is lost; the \(words.game) waits for it."
    try context.console.line(
      isHostThere ? "The host is back." : lost + (isUncounted ? " Your answer is not counted yet." : ""))
  }

  private func begin(_ table: TableView, _ rounds: HostedView) throws {
    let code = GameCode.of(table.room)
    let join = rounds.needsCode ? rounds.code.map { "\(code)-\($0)" } : code
    if context.isJSON {
      return try context.object(
        "rounds",
        [
          "room": .string(table.room.description), "code": .string(code), "join": .optional(join),
          "game": .string(table.game), "title": .string(rounds.title),
          "rounds": .integer(Int64(rounds.rounds)),
          "number": rounds.number.map { .integer(Int64($0)) } ?? .null,
        ])
    }
    var words = Self.heading(table, rounds)
    words += ", \(rounds.rounds) round\(rounds.rounds == 1 ? "" : "s")"
    if table.peer != table.creator.peer { words += ", hosted by \(table.name(of: table.creator.peer))" }
    try context.console.paragraph("\(words), room \(table.room.short).")
    if table.peer == table.creator.peer, let join {
      try context.console.lines(["Join with:", "  parlor join \(join)"])
    }
    if let number = rounds.number, let own = rounds.players.first(where: { $0.number == number }),
      own.score > 0
    {
      try context.console.line("You are back, with \(own.score) points.")
    }
  }

  private mutating func tellPlayers(_ rounds: HostedView) throws {
    let present = rounds.players.count { !$0.hasLeft }
    for player in rounds.players.sorted(by: { $0.number < $1.number })
    where here[player.number] != !player.hasLeft {
      let isBack = here[player.number] == false
      here[player.number] = !player.hasLeft
      if context.isJSON {
        try context.object(
          "player",
          [
            "number": .integer(Int64(player.number)), "name": .string(player.name),
            "peer": .string(player.peer.description), "here": .bool(!player.hasLeft),
          ])
      } else {
        let act = player.hasLeft ? "has left" : isBack ? "is back" : "is here"
        try context.console.line("\(Self.name(player)) \(act); \(present) player\(present == 1 ? "" : "s").")
      }
    }
  }

  /// Tells what is new of the last rounds; of a round that was over before somebody looked, nothing.
  private mutating func tellRounds(_ rounds: HostedView) throws {
    for round in rounds.recent {
      if told[round.opening] == nil {
        guard hasBegun || round.phase == .open || round.phase == .closed else {
          told[round.opening] = Told(phase: round.phase, isAnswered: true)
          continue
        }
        choice = nil
        try tellQuestion(round, rounds)
        told[round.opening] = Told()
      }
      if told[round.opening]?.isAnswered == false, [.taken, .right, .wrong].contains(round.own) {
        told[round.opening]?.isAnswered = true
        try tellAnswered(round)
      }
      if context.isJSON { try tellCounts(round) }
      try tellSheet(round, rounds)
      guard let before = told[round.opening]?.phase, before != round.phase else { continue }
      told[round.opening]?.phase = round.phase
      if round.phase == .void { try tellVoid(round) }
      if before == .open, round.phase != .void { try tellClosed(round) }
      guard round.phase == .settled else { continue }
      try tellSettled(round, rounds)
      if round.number == rounds.settled { try tellStandings(rounds) }
    }
  }

  private func tellQuestion(_ round: HostedView.Round, _ rounds: HostedView) throws {
    if context.isJSON {
      return try context.object(
        "question",
        [
          "round": .integer(Int64(round.number)), "opening": .string(round.opening.description),
          "question": .string(round.question), "choices": .array(round.choices.map { .string($0) }),
          "limit": .integer(Int64(round.limit)),
          "drawer": round.sheet.map { .integer(Int64($0.drawer)) } ?? .null,
          "word": .optional(round.sheet?.word),
        ])
    }
    let console = context.console
    try tellBinding(round, rounds)
    // A screen shows the question above.
    guard screen == nil else { return }
    try console.line()
    try console.line(
      console.output.drawing.paint(
        "\(words.capitalizedRound) \(round.number) of \(rounds.rounds), \(Self.seconds(round.limit)) s", .bold
      ))
    try console.paragraph(question(round, rounds))
    for (index, choice) in round.choices.enumerated() {
      let text = SafeText(choice, limitColumns: 200).text
      try console.lines(
        WrappedText.lines(
          text, columns: console.output.limitColumns ?? .max, indent: 5, first: "  \(index + 1)"))
    }
  }

  /// Tells how far the players are, where that has changed.
  private mutating func tellCounts(_ round: HostedView.Round) throws {
    guard counts[round.opening] ?? [] != round.counts else { return }
    counts[round.opening] = round.counts
    try context.object(
      "counts",
      [
        "round": .integer(Int64(round.number)),
        "counts": .array(
          round.counts.map { tally in
            .object([
              "number": .integer(Int64(tally.number)), "count": .integer(Int64(tally.count)),
              "place": .integer(Int64(tally.place)),
            ])
          }),
      ])
  }

  private func tellAnswered(_ round: HostedView.Round) throws {
    guard !round.choices.isEmpty else { return }
    let time = round.milliseconds ?? 0
    guard !context.isJSON else {
      return try context.object(
        "answered", ["round": .integer(Int64(round.number)), "milliseconds": .integer(Int64(time))])
    }
    let chosen = choice.map { "\($0) is locked in" } ?? "Your answer is locked in"
    try context.console.line("\(chosen), after \(Self.seconds(time)) s.")
  }

  private func tellClosed(_ round: HostedView.Round) throws {
    guard context.isJSON else { return }
    try context.object(
      "closed",
      [
        "round": .integer(Int64(round.number)),
        "milliseconds": round.closed.map { .integer(Int64($0)) } ?? .null,
        "answers": .integer(Int64(round.entries)),
      ])
  }

  private func tellVoid(_ round: HostedView.Round) throws {
    if context.isJSON {
      try context.object("void", ["round": .integer(Int64(round.number))])
    } else {
      try context.console.line(
        "\(words.capitalizedRound) \(round.number) is void: it counts nothing, and comes again.")
    }
  }

  private func tellSettled(_ round: HostedView.Round, _ rounds: HostedView) throws {
    if context.isJSON {
      return try context.object(
        "settled",
        [
          "round": .integer(Int64(round.number)),
          "solution": round.sheet != nil
            ? .optional(round.solution) : round.solution.flatMap { Int64($0) }.map { .integer($0) } ?? .null,
          "answers": .integer(Int64(round.entries)),
          "chosen": .array(
            round.chosen.map { .object(["choice": .string($0.text), "count": .integer(Int64($0.count))]) }),
          "own": rounds.number == nil ? .null : .string(round.own.rawValue),
          "points": .integer(Int64(round.points)),
        ])
    }
    if let sheet = round.sheet { return try tellWord(round, sheet, rounds) }
    if round.choices.isEmpty {
      // A screen shows the bars above, until the next race.
      guard screen == nil else { return try tellRace(round, rounds) }
      try context.console.lines(CountBars.lines(round, rounds, context.console.output))
      return try tellOwn(round, rounds)
    }
    if screen != nil {
      let heading =
        "\(words.capitalizedRound) \(round.number): \(SafeText(round.question, limitColumns: 200).text)"
      try context.console.line(context.console.output.drawing.paint(heading, .bold))
    }
    let (drawing, most) = (context.console.output.drawing, max(1, round.chosen.map(\.count).max() ?? 1))
    let (mark, block) = drawing.hasUnicode ? ("✔", "█") : ("*", "#")
    let width = min(20, max(4, (context.console.output.limitColumns ?? 80) - 30))
    for (index, choice) in round.choices.enumerated() {
      let count = round.chosen.first { $0.text == "\(index + 1)" }?.count ?? 0
      let bar = String(repeating: block, count: count * width / most)
      let isRight = round.solution == "\(index + 1)"
      try context.console.line(
        "  \(isRight ? mark : " ") \(index + 1)  \(bar)\(bar.isEmpty ? "" : " ")\(count)"
          + (isRight ? "  \(SafeText(choice, limitColumns: width).text)" : ""))
    }
    try tellOwn(round, rounds)
  }

  /// Says on a screen who was first in a race, and what became of the own taps.
  private func tellRace(_ round: HostedView.Round, _ rounds: HostedView) throws {
    let first = round.counts.filter { $0.place == 1 }
    let names = first.compactMap { tally in rounds.players.first { $0.number == tally.number }.map(Self.name)
    }
    let taps = first.first.map { ", \($0.count) tap\($0.count == 1 ? "" : "s")" } ?? ""
    try context.console.line(
      context.console.output.drawing.paint("\(words.capitalizedRound) \(round.number): ", .bold)
        + (names.isEmpty ? "nobody tapped." : "\(names.joined(separator: ", ")) first\(taps)."))
    try tellOwn(round, rounds)
  }

  private func tellOwn(_ round: HostedView.Round, _ rounds: HostedView) throws {
    guard let number = rounds.number else { return }
    guard !round.choices.isEmpty else { return try tellOwnCount(round, number) }
    let words =
      switch round.own {
      case .right: "Right: \(round.points) points."
      case .wrong: "Wrong: no points."
      case .unreadable: "The host could not read your answer; this program shows that it can be read."
      case .misread: "The host opened your answer as another one, as everybody can show."
      case .sent: "Your answer was not counted: the host has not acknowledged it."
      case .none, .taken: "You gave no answer."
      }
    try context.console.line(words)
  }

  /// Says what became of the own taps.
  private func tellOwnCount(_ round: HostedView.Round, _ number: Int) throws {
    guard let tally = round.counts.first(where: { $0.number == number }) else {
      return try context.console.line("None of your taps counted.")
    }
    try context.console.line(
      "Place \(tally.place), with \(tally.count) tap\(tally.count == 1 ? "" : "s"):"
        + " \(round.points) point\(round.points == 1 ? "" : "s").")
  }

  func tellStandings(_ rounds: HostedView) throws {
    if context.isJSON {
      let players = rounds.players.map { player in
        JSONValue.object([
          "rank": .integer(Int64(player.rank)), "number": .integer(Int64(player.number)),
          "name": .string(player.name), "peer": .string(player.peer.description),
          "score": .integer(Int64(player.score)), "points": .integer(Int64(player.points)),
        ])
      }
      return try context.object(
        "standings", ["round": .integer(Int64(rounds.settled)), "players": .array(players)])
    }
    guard !rounds.players.isEmpty else { return }
    var list = TextTable([.number("RANK"), .text("PLAYER"), .number("SCORE"), .number("ROUND")])
    for player in Self.listed(rounds) {
      list.append(["\(player.rank)", Self.name(player), "\(player.score)", "+\(player.points)"])
    }
    try context.table(list)
    let rest = rounds.players.count - Self.limitListed
    if rest > 0 { try context.console.line("… and \(rest) more") }
  }

  /// The best players, and the own one wherever it stands.
  private static func listed(_ rounds: HostedView) -> [HostedView.Player] {
    let best = Array(rounds.players.prefix(limitListed))
    guard let number = rounds.number, !best.contains(where: { $0.number == number }) else { return best }
    return best + rounds.players.filter { $0.number == number }
  }

  private func tell(_ proven: HostedView.Proven) throws {
    if context.isJSON {
      return try context.object(
        "fault", ["fault": .string(proven.fault.rawValue), "event": .string(proven.event.description)])
    }
    context.console.note(
      "The host has broken the rules, as everybody can show: it \(proven.fault.words)"
        + " (event \(proven.event.short))."
    )
  }

  /// What is played, and the name that its host gave it.
  static func heading(_ table: TableView, _ rounds: HostedView) -> String {
    let (title, name) = (table.title ?? table.game, SafeText(rounds.title, limitColumns: 60).text)
    return name.isEmpty ? title : "\(title) “\(name)”"
  }

  /// A player as people know it: the name it gave itself, safe to print, and the beginning of its key.
  static func name(_ player: HostedView.Player) -> String {
    let name = SafeText(player.name, limitColumns: 32).text
    let digits = player.peer.description.prefix(6)
    return name.isEmpty ? String(digits) : "\(name) (\(digits))"
  }

  /// Milliseconds as seconds, with tenths where they are not whole.
  static func seconds(_ milliseconds: Int) -> String {
    let tenths = milliseconds / 100
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
