import Events
import Rules
import Service
import Terminal

// Rounds in which one player draws and the others guess: who draws, what stands on the sheet, and what was guessed.

/// What of a drawing was told.
struct SheetTold {
  var strokes: [HostedView.Stroke] = []
  /// The guesses, by their places among the entries.
  var guesses: Set<Int> = []
  /// When what was on the last picture had come, in milliseconds.
  var pictured: Int?
}

extension HostedView.Round {
  /// Whether entries add up, as in a race.
  var isRace: Bool { choices.isEmpty && sheet == nil }
}

extension HostedView.Sheet {
  /// How many have the word.
  var progress: String {
    let count = Set(guesses.filter(\.isRight).map(\.number)).count
    return count == 1 ? "1 has it" : "\(count) have it"
  }

  /// The strokes as they are drawn in cells.
  var drawn: [HostedStroke] {
    strokes.map { stroke in
      let numbers = stroke.points.split(separator: " ").compactMap { UInt16($0) }
      let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
        HostedStroke.Point(x: numbers[$0], y: numbers[$0 + 1])
      }
      return HostedStroke(colour: stroke.colour, width: UInt16(clamping: stroke.width), points: points)
    }
  }
}

extension RoundsView {
  /// What can be typed where somebody draws.
  static let drawingHelp =
    "Guess: type the word. Draw: line X Y X Y … (0 to 1023, 0 to 767), line red 16 X Y …, clear; show prints the sheet."

  /// How often a picture is printed in between where nothing is drawn over, in milliseconds of the host's clock.
  private static let pictureMilliseconds = 5_000

  /// What a round asks, as it is shown to this player.
  func question(_ round: HostedView.Round, _ rounds: HostedView) -> String {
    let asked = SafeText(round.question, limitColumns: 1_000).text
    guard let sheet = round.sheet else { return asked }
    if sheet.drawer == rounds.number, let word = sheet.word {
      return "You draw: \(SafeText(word, limitColumns: 100).text)"
    }
    return "\(Self.name(sheet.drawer, rounds)) draws. \(asked)"
  }

  /// A player as people know it, by its number.
  private static func name(_ number: Int, _ rounds: HostedView) -> String {
    rounds.players.first { $0.number == number }.map { name($0) } ?? "Player \(number)"
  }

  /// Tells the one who draws that the host is not bound to the word that it told.
  func tellBinding(_ round: HostedView.Round, _ rounds: HostedView) throws {
    guard let sheet = round.sheet, sheet.drawer == rounds.number, round.phase == .open,
      sheet.word == nil || !sheet.isBound
    else { return }
    context.console.note(
      "The host has told you \(sheet.word == nil ? "no word that can be read" : "another word than it is bound to"):"
        + " everybody will be able to show that, and the \(words.round) will count nothing.")
  }

  /// Tells what is new on the sheet, and what was guessed.
  mutating func tellSheet(_ round: HostedView.Round, _ rounds: HostedView) throws {
    guard let sheet = round.sheet, var told = told[round.opening]?.sheet else { return }
    defer { self.told[round.opening]?.sheet = told }
    // Of earlier rounds no strokes are told any more.
    let strokes = round.opening == rounds.round?.opening ? sheet.strokes : told.strokes
    if context.isJSON { try tellStrokes(strokes, after: told.strokes, round) }
    let isNew = strokes != told.strokes
    told.strokes = strokes
    for guess in sheet.guesses where told.guesses.insert(guess.entry).inserted {
      try tell(guess, round, rounds)
    }
    guard !context.isJSON, screen == nil, isLive, isNew, round.phase == .open, let drawn = sheet.drawnAt,
      told.pictured.map({ drawn - $0 >= Self.pictureMilliseconds }) ?? true
    else { return }
    told.pictured = drawn
    try tellPicture(rounds)
  }

  private func tellStrokes(
    _ strokes: [HostedView.Stroke], after before: [HostedView.Stroke], _ round: HostedView.Round
  ) throws {
    var rest = strokes[...]
    if strokes.starts(with: before) {
      rest = rest.dropFirst(before.count)
    } else {
      try context.object("cleared", ["round": .integer(Int64(round.number))])
    }
    for stroke in rest {
      try context.object(
        "stroke",
        [
          "round": .integer(Int64(round.number)), "colour": .string(stroke.colour),
          "width": .integer(Int64(stroke.width)), "points": .string(stroke.points),
        ])
    }
  }

  private func tell(_ guess: HostedView.Guess, _ round: HostedView.Round, _ rounds: HostedView) throws {
    if context.isJSON {
      return try context.object(
        "guess",
        [
          "round": .integer(Int64(round.number)), "number": .integer(Int64(guess.number)),
          "right": .bool(guess.isRight), "text": .optional(guess.text),
          "milliseconds": .integer(Int64(guess.milliseconds)),
        ])
    }
    let name = guess.number == rounds.number ? "You" : Self.name(guess.number, rounds)
    let isOwn = guess.number == rounds.number
    guard !guess.isRight else {
      return try context.console.line(
        "\(name) \(isOwn ? "have" : "has") it, after \(Self.seconds(guess.milliseconds)) s.")
    }
    let text = SafeText(guess.text ?? "?", limitColumns: 64).text
    try context.console.line("\(name) guess\(isOwn ? "" : "es") “\(text)”.")
  }

  /// Prints the sheet of the last round.
  func tellPicture(_ rounds: HostedView) throws {
    guard screen == nil, let sheet = rounds.round?.sheet else { return }
    try context.console.lines(picture(sheet))
  }

  private func picture(_ sheet: HostedView.Sheet) -> [String] {
    StrokeCanvas(
      sheet.drawn, limitColumns: (context.console.output.limitColumns ?? 80) - 1,
      isBraille: context.console.output.drawing.hasUnicode
    ).framed
  }

  /// Tells the word at the end of a round, and what became of the own guesses.
  func tellWord(_ round: HostedView.Round, _ sheet: HostedView.Sheet, _ rounds: HostedView) throws {
    if screen == nil { try context.console.lines(picture(sheet)) }
    try context.console.line(
      context.console.output.drawing.paint("\(words.capitalizedRound) \(round.number): ", .bold)
        + "the word was “\(SafeText(sheet.word ?? "?", limitColumns: 100).text)”, \(sheet.progress).")
    guard let number = rounds.number else { return }
    let points = "\(round.points) point\(round.points == 1 ? "" : "s")"
    let own =
      if sheet.drawer == number {
        "You drew it: \(points)."
      } else {
        switch round.own {
        case .right: "Right: \(points)."
        case .none: "You did not guess."
        case .sent: "Your guess was not counted: the host has not acknowledged it."
        default: "You did not have it: no points."
        }
      }
    try context.console.line(own)
  }
}
