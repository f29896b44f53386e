extension SwissReport {
  /// Reads a tournament report.
  /// - Parameter bytes: the file. Lines end with CR, LF or both; what is not UTF-8 is taken as Latin-1.
  package init(_ bytes: [UInt8]) throws(SwissReportError) {
    guard bytes.count <= Self.mostBytes else { throw .tooLong }
    var reading = SwissReportReading()
    for (index, line) in Self.lines(of: bytes).enumerated() { try reading.take(line, number: index + 1) }
    self = try reading.report()
  }

  /// The lines, each as its characters, because the places of a line are counted so.
  private static func lines(of bytes: [UInt8]) -> [[Unicode.Scalar]] {
    var lines: [[Unicode.Scalar]] = []
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest.dropFirst(line.count)
      let isPair = rest.starts(with: [0x0D, 0x0A])
      rest = rest.dropFirst(isPair ? 2 : 1)
      if let text = String(validating: line, as: UTF8.self) {
        lines.append(Array(text.unicodeScalars))
      } else {
        lines.append(line.map { Unicode.Scalar($0) })
      }
    }
    return lines
  }
}

/// A tournament report while it is read.
struct SwissReportReading {
  /// One player's line.
  struct Row {
    var line: Int
    var number: Int
    var points: Int
    var rounds: [Entry]
  }

  /// One round in a player's line.
  struct Entry {
    var opponent: Int?
    var colour: SwissColour?
    var result: Character

    /// Whether nothing stands there.
    var isEmpty: Bool { opponent == nil && colour == nil && result == " " }
    var isForfeit: Bool { result == "+" || result == "-" }
    /// Whether the player was paired, also when the game was won by forfeit or the bye was given.
    var isPaired: Bool { opponent != nil || result == "U" || result == "+" }
  }

  /// What results are worth, in tenths of a point, unless the file says otherwise.
  struct Worth {
    var win = 10
    var draw = 5
    var loss = 0
    var absence = 0
    var forfeit = 0
    var bye: Int?
  }

  private var name = ""
  private var rows: [Row] = []
  private var worth = Worth()
  private var rounds: (number: Int, line: Int)?
  private var initialColour: SwissColour?
  private var system = SwissReport.System.dutch

  mutating func take(_ line: [Unicode.Scalar], number: Int) throws(SwissReportError) {
    let text = SwissReportLine(line, number: number)
    switch text.code {
    case "001": rows.append(try text.row())
    case "012": name = text.rest
    case "XXR", "142":
      let value = try text.whole(in: 1...SwissReport.mostRounds, "the number of rounds")
      rounds = (value, number)
    case "152": initialColour = try text.initialColour()
    case "XXC": try takeConfiguration(text)
    case "BBW": worth.win = try text.worth()
    case "BBD": worth.draw = try text.worth()
    case "BBL": worth.loss = try text.worth()
    case "BBZ": worth.absence = try text.worth()
    case "BBF": worth.forfeit = try text.worth()
    case "BBU": worth.bye = try text.worth()
    case "092", "192":
      try text.checkSystem()
      if text.code == "092", text.namesRoundRobin { system = .roundRobin }
    default:
      if let words = SwissReportLine.unsupported[text.code] {
        throw .unsupported(line: number, words)
      }
    }
  }

  private mutating func takeConfiguration(_ text: SwissReportLine) throws(SwissReportError) {
    for word in text.rest.split(separator: " ") {
      switch word {
      case "white1": initialColour = .white
      case "black1": initialColour = .black
      case "rank":
        throw .unsupported(line: text.number, "a tournament that is paired by rank in place of number")
      default: continue
      }
    }
  }

  /// The whole report, when all lines have been read.
  func report() throws(SwissReportError) -> SwissReport {
    let rows = rows.sorted { ($0.number, $0.line) < ($1.number, $1.line) }
    guard !rows.isEmpty else { throw .noReport }
    guard rows.count <= SwissDutch.mostPlayers else {
      throw .unsupported(
        line: rows.last?.line ?? 1, "a tournament of more than \(SwissDutch.mostPlayers) players")
    }
    for (row, next) in zip(rows, rows.dropFirst()) where row.number == next.number {
      throw .fault(line: next.line, "the pairing number \(next.number) is also that of line \(row.line)")
    }
    let count = rows.reduce(0) { max($0, $1.rounds.count) }
    if let rounds, rounds.number < count {
      throw .fault(line: rounds.line, "it says \(rounds.number) rounds, and the players have \(count)")
    }
    let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.number, $0) })
    var players: [SwissPlayer] = []
    for row in rows { players.append(try player(row, count: count, rows, places)) }
    let rules = SwissRules(
      rounds: rounds?.number ?? count, initialColour: initialColour ?? Self.firstColour(of: players),
      winPoints: worth.win, drawPoints: worth.draw, lossPoints: worth.loss)
    return SwissReport(name: name, players: players, roundCount: count, rules: rules, system: system)
  }

  private func player(
    _ row: Row, count: Int, _ rows: [Row], _ places: [Int: Int]
  ) throws(SwissReportError) -> SwissPlayer {
    var games: [SwissGame] = []
    var sum = 0
    for round in 0..<count {
      let entry = round < row.rounds.count ? row.rounds[round] : Entry(result: " ")
      var opponent: Int?
      if let number = entry.opponent {
        guard let place = places[number] else {
          throw .fault(line: row.line, "round \(round + 1) is against \(number), which no player has")
        }
        opponent = place
        try checkGame(entry, against: rows[place], row, round: round)
      }
      let points = points(of: entry)
      sum += points
      games.append(
        SwissGame(
          opponent: opponent, colour: entry.colour, isPlayed: opponent != nil && !entry.isForfeit,
          isPaired: entry.isPaired, points: points))
    }
    guard sum == row.points else {
      throw .fault(
        line: row.line,
        "it has \(Self.text(row.points)) points, and the results give \(Self.text(sum)); BBW, BBD and the like"
          + " say what results are worth")
    }
    return SwissPlayer(number: row.number, games: games)
  }

  /// Checks that both players tell the same of a game.
  private func checkGame(_ entry: Entry, against other: Row, _ row: Row, round: Int) throws(SwissReportError)
  {
    let answer = round < other.rounds.count ? other.rounds[round] : Entry(result: " ")
    guard answer.opponent == row.number else {
      throw .fault(
        line: row.line,
        "round \(round + 1) is against \(other.number), who in line \(other.line) has another opponent")
    }
    guard entry.colour == answer.colour?.opposite else {
      throw .fault(line: row.line, "the colours of round \(round + 1) do not fit those of line \(other.line)")
    }
    guard entry.isForfeit == answer.isForfeit else {
      throw .fault(
        line: row.line, "round \(round + 1) was played by this line or line \(other.line) alone")
    }
  }

  private func points(of entry: Entry) -> Int {
    switch entry.result {
    case "1", "W", "+", "F": worth.win
    case "U": worth.bye ?? worth.win
    case "=", "D", "H": worth.draw
    case "0", "L": worth.loss
    case "-": entry.opponent == nil ? worth.absence : worth.forfeit
    default: worth.absence
    }
  }

  /// The colour of the first round that the players' colours tell, when no line says it: of those paired until
  /// the first round with colours, the first one has it, the second the other, and so on.
  private static func firstColour(of players: [SwissPlayer]) -> SwissColour {
    let count = players.first?.games.count ?? 0
    let round = (0..<count).first { round in players.contains { $0.games[round].colour != nil } }
    guard let round else { return .white }
    let paired = players.filter { $0.games[...round].contains(where: \.isPaired) }
    for (place, player) in paired.enumerated() {
      if let colour = player.games[round].colour { return place.isMultiple(of: 2) ? colour : colour.opposite }
    }
    return .white
  }

  /// Tenths of a point as a person writes them.
  static func text(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
}
