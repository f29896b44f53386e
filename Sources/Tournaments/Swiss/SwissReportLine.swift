/// One line of a tournament report, whose parts stand at fixed places.
struct SwissReportLine {
  let number: Int
  private let characters: [Unicode.Scalar]

  init(_ characters: [Unicode.Scalar], number: Int) {
    self.characters = characters
    self.number = number
  }

  /// The first three characters, which say what the line is.
  var code: String { text(1...3) }

  /// What follows the code, without spaces around it.
  var rest: String { Self.trimmed(characters.dropFirst(4)) }

  /// Lines that would change the pairings, and are not known here.
  static let unsupported = [
    "XXA": "a tournament with acceleration", "250": "a tournament with acceleration",
    "XXP": "a tournament with forbidden pairs", "260": "a tournament with forbidden pairs",
    "XXS": "a point system that is given by XXS", "162": "a point system that is given by 162",
    "013": "a tournament of teams", "310": "a tournament of teams",
    "299": "a tournament with points that are not those of results",
  ]

  /// The characters at places that are counted from 1, as far as the line goes.
  private func text(_ places: ClosedRange<Int>) -> String {
    Self.trimmed(characters.dropFirst(places.lowerBound - 1).prefix(places.count))
  }

  private static func trimmed(_ part: ArraySlice<Unicode.Scalar>) -> String {
    var part = part
    while part.last == " " || part.last == "\t" { part.removeLast() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: part.drop { $0 == " " || $0 == "\t" })
    return String(text)
  }

  private func fault(_ words: String) -> SwissReportError { .fault(line: number, words) }

  /// A word for a message; whatever a file says may be long.
  private static func shown(_ text: String) -> String { "“\(text.prefix(20))”" }

  /// Tenths of a point from a text such as `2.5` or `3`.
  private static func tenths(_ text: String) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = digits(first), whole < 1_000 else { return nil }
    guard parts.count > 1 else { return whole * 10 }
    guard parts[1].utf8.count == 1, let tenth = digits(parts[1]) else { return nil }
    return whole * 10 + tenth
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 6, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return Int(text)
  }

  /// A whole number after the code.
  func whole(in range: ClosedRange<Int>, _ what: String) throws(SwissReportError) -> Int {
    guard let value = Self.digits(rest[...]), range.contains(value) else {
      throw fault(
        "\(what) is \(Self.shown(rest)), not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// What a result is worth, after the code.
  func worth() throws(SwissReportError) -> Int {
    guard let tenths = Self.tenths(rest), tenths <= 999 else {
      throw fault("the worth of a result is \(Self.shown(rest)), not a number such as 1.0")
    }
    return tenths
  }

  /// The colour drawn by lot, after the code.
  func initialColour() throws(SwissReportError) -> SwissColour {
    switch rest {
    case "W", "w": return .white
    case "B", "b": return .black
    default: throw fault("the first colour is \(Self.shown(rest)), not W or B")
    }
  }

  /// Refuses pairing systems that are named and are not this one; free words name none.
  func checkSystem() throws(SwissReportError) {
    let name = rest.uppercased()
    if name.contains("BAKU") { throw .unsupported(line: number, "a tournament with acceleration") }
    guard name.hasPrefix("FIDE_") || code == "192" else { return }
    guard !["FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026"].contains(name) else { return }
    throw .unsupported(line: number, "the pairing system \(Self.shown(rest))")
  }

  /// Whether a type of tournament, in free words, is a round robin.
  var namesRoundRobin: Bool { rest.lowercased().filter(\.isLetter).contains("roundrobin") }

  /// A player's line.
  ///
  /// ```
  /// place  5–8 number   81–84 points   then for each round, ten on from the last:
  ///        92–95 opponent   97 colour   99 result
  /// ```
  func row() throws(SwissReportError) -> SwissReportReading.Row {
    let own = text(5...8)
    guard let pairing = Self.digits(own[...]), pairing > 0 else {
      throw fault("places 5 to 8 hold \(Self.shown(own)), not a pairing number")
    }
    let score = text(81...84)
    guard let points = Self.tenths(score) else {
      throw fault("places 81 to 84 hold \(Self.shown(score)), not points such as 2.5")
    }
    var row = SwissReportReading.Row(line: number, number: pairing, points: points, rounds: [])
    var place = 92
    while place <= characters.count {
      guard row.rounds.count < SwissReport.mostRounds else {
        throw fault("it has more than \(SwissReport.mostRounds) rounds")
      }
      row.rounds.append(try entry(at: place, own: pairing, round: row.rounds.count + 1))
      place += 10
    }
    while row.rounds.last?.isEmpty == true { row.rounds.removeLast() }
    return row
  }

  private func entry(at place: Int, own: Int, round: Int) throws(SwissReportError) -> SwissReportReading.Entry
  {
    let opponent = text(place...place + 3)
    var entry = SwissReportReading.Entry(result: " ")
    if !opponent.isEmpty, opponent != "0000" {
      guard let pairing = Self.digits(opponent[...]), pairing > 0, pairing != own else {
        throw fault("round \(round) is against \(Self.shown(opponent)), not another player's pairing number")
      }
      entry.opponent = pairing
    }
    let colour = text(place + 5...place + 5)
    switch colour {
    case "w", "W": entry.colour = .white
    case "b", "B": entry.colour = .black
    case "-", "": break
    default: throw fault("the colour of round \(round) is \(Self.shown(colour)), not w, b or -")
    }
    let result = text(place + 7...place + 7).uppercased()
    guard result.isEmpty || "10=+-WDLHFUZ".contains(result) else {
      throw fault("the result of round \(round) is \(Self.shown(result)), none that there is")
    }
    entry.result = result.first ?? " "
    try check(entry, round: round)
    return entry
  }

  /// Checks that opponent, colour and result can stand together.
  private func check(_ entry: SwissReportReading.Entry, round: Int) throws(SwissReportError) {
    if entry.opponent == nil {
      guard entry.colour == nil else { throw fault("round \(round) has a colour and no opponent") }
      guard "HFUZ+-= ".contains(entry.result) else {
        throw fault("round \(round) has the result \(entry.result) and no opponent")
      }
      return
    }
    guard entry.result != " " else { throw fault("round \(round) has an opponent and no result yet") }
    guard !"HFUZ".contains(entry.result) else {
      throw fault("round \(round) has an opponent and the result \(entry.result), which is that of a bye")
    }
    guard entry.colour != nil || entry.isForfeit else {
      throw fault("round \(round) was played and has no colour")
    }
  }
}
