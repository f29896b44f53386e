/// A game of hosted rounds: what the host asks, what players may enter, and what that is worth.
///
/// A conforming type is a value that holds the parsed parameters and nothing else. All functions are pure. The host's
/// feed says which entries came, in which order and when; the rules make points of that.
public protocol HostedRules: Hashable, Sendable {
  /// The game's name on the command line and in events: lower-case letters and hyphens.
  static var name: String { get }
  /// The rules' version in events.
  static var version: UInt16 { get }
  /// The game's name for people.
  static var title: String { get }
  /// The game in one line.
  static var summary: String { get }
  /// What may be set, in the order of help texts.
  static var settings: [ParameterDefinition] { get }
  /// What the most players of a room may be; standard is 1 to 4,096.
  static var players: ClosedRange<Int> { get }
  /// What people call a round: a question, a race.
  static var roundWord: String { get }

  /// Reads settings; those not given have their standard values.
  init(_ parameters: Parameters) throws(RulesError)

  /// Every setting with its value in one canonical spelling; `init` of it gives an equal value.
  var parameters: Parameters { get }
  /// Whether a round has a solution, which the host opens with the sealed entries when it settles the round.
  var isSealed: Bool { get }
  /// Whether the host says of each sealed entry whether it is right while the round is on; standard is no.
  var isMarked: Bool { get }
  /// Whether the solution of each round is told to one player alone, who takes a turn; standard is no.
  var tellsOne: Bool { get }
  /// How long after the close an entry that was under way still counts, in milliseconds.
  var graceMilliseconds: UInt32 { get }
  /// What a round asks, for displays; `nil` for bytes that no round of these rules has.
  func question(_ content: [UInt8]) -> HostedQuestion?
  /// Whom a round tells its solution, and how; `nil` where nobody is told, and for bytes that no round has.
  func told(_ content: [UInt8]) -> HostedTold?
  /// What a round asks that tells a player its solution; `nil` where no round of these rules does.
  func content(telling told: HostedTold, _ solution: [UInt8]) -> [UInt8]?
  /// How a player writes entries in a round; standard is sealed where the round has a solution.
  func form(of player: UInt16, in content: [UInt8]) -> HostedForm
  /// How many entries of a player count in a round, where that is fewer than the room says.
  func limitEntries(of player: UInt16, in content: [UInt8]) -> UInt16
  /// Whether these bytes solve a round that asks this.
  func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool
  /// Whether a player may enter these bytes.
  func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool
  /// What a player enters that types this; `nil` where it is nothing that can be entered.
  func entry(text: String, in content: [UInt8]) -> [UInt8]?
  /// Whether a player may enter these bytes in this form; standard is that all players enter the same.
  func isEntry(_ choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> Bool
  /// What a player enters in this form that types this; standard is that all players enter the same.
  func entry(text: String, _ form: HostedForm, in content: [UInt8]) -> [UInt8]?
  /// An entry or a solution as people write it.
  func text(of choice: [UInt8], in content: [UInt8]) -> String
  /// An entry of this form as people write it; standard is that all players enter the same.
  func text(of choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> String
  /// What each entry of a round is worth, by the order of receipts.
  func points(_ round: HostedRound) -> [UInt32]
  /// How far each player is in a round in which entries add up, by place; standard is that they do not.
  func counts(_ round: HostedRound) -> [HostedCount]
  /// What has been drawn in a round; standard is nothing.
  func strokes(_ round: HostedRound) -> [HostedStroke]
  /// Whether who wins is certain before the limit, so that the host closes the round; standard is no.
  func isDecided(_ round: HostedRound) -> Bool
}

extension HostedRules {
  public static var players: ClosedRange<Int> { 1...4_096 }
  public var isMarked: Bool { false }
  public var tellsOne: Bool { false }
  public func told(_ content: [UInt8]) -> HostedTold? { nil }
  public func content(telling told: HostedTold, _ solution: [UInt8]) -> [UInt8]? { nil }
  public func form(of player: UInt16, in content: [UInt8]) -> HostedForm { isSealed ? .sealed : .clear }
  public func limitEntries(of player: UInt16, in content: [UInt8]) -> UInt16 { .max }
  public func isEntry(_ choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> Bool {
    isEntry(choice, in: content)
  }
  public func entry(text: String, _ form: HostedForm, in content: [UInt8]) -> [UInt8]? {
    entry(text: text, in: content)
  }
  public func text(of choice: [UInt8], _ form: HostedForm, in content: [UInt8]) -> String {
    text(of: choice, in: content)
  }
  public func strokes(_ round: HostedRound) -> [HostedStroke] { [] }
  public func counts(_ round: HostedRound) -> [HostedCount] { [] }
  public func isDecided(_ round: HostedRound) -> Bool { false }
}

/// How a player writes an entry.
public enum HostedForm: Hashable, Sendable {
  /// For everybody to read.
  case clear
  /// For the host alone until it opens it.
  case sealed
}

/// That one player is told the solution of a round.
public struct HostedTold: Hashable, Sendable {
  /// The player's number.
  public var player: UInt16
  /// The solution, sealed to that player.
  public var box: [UInt8]

  /// The box of a player.
  public init(player: UInt16, box: [UInt8]) {
    self.player = player
    self.box = box
  }
}

/// A line that was drawn, or a dot where it has one point.
public struct HostedStroke: Hashable, Sendable {
  /// A place on the sheet, from its upper left corner.
  public struct Point: Hashable, Sendable {
    /// How far to the right.
    public var x: UInt16
    /// How far down.
    public var y: UInt16

    /// The place with these coordinates.
    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// How many units the sheet has across and down.
  public static let sheet = (columns: 1_024, rows: 768)

  /// The colour's name.
  public var colour: String
  /// How wide it is, in units of the sheet.
  public var width: UInt16
  /// The line's points, in order.
  public var points: [Point]

  /// All coordinates, with a blank between two.
  public var coordinates: String { points.map { "\($0.x) \($0.y)" }.joined(separator: " ") }

  /// A line through these points.
  public init(colour: String, width: UInt16, points: [Point]) {
    self.colour = colour
    self.width = width
    self.points = points
  }
}

/// What a round asks, for displays.
public struct HostedQuestion: Hashable, Sendable {
  /// The question.
  public var text: String
  /// What may be chosen from; empty where there is no choice of answers.
  public var choices: [String]
  /// The count that players want to reach; `nil` where there is none.
  public var goal: UInt32?

  /// A question with its choices, or with the count to be reached.
  public init(text: String, choices: [String] = [], goal: UInt32? = nil) {
    self.text = text
    self.choices = choices
    self.goal = goal
  }
}

/// How far a player is in a round in which entries add up.
public struct HostedCount: Hashable, Sendable {
  /// The player's number.
  public var player: UInt16
  /// The sum that counts.
  public var count: UInt32
  /// The place, from 1; those who are level share one.
  public var place: Int

  /// A count of these values.
  public init(player: UInt16, count: UInt32, place: Int) {
    self.player = player
    self.count = count
    self.place = place
  }
}

/// A round, as rules see it.
public struct HostedRound: Hashable, Sendable {
  /// An entry that the host has acknowledged.
  public struct Entry: Hashable, Sendable {
    /// The player's number.
    public var player: UInt16
    /// Milliseconds since the round was opened.
    public var milliseconds: UInt32
    /// What was entered; `nil` where it cannot be read or is not what the rules allow.
    public var choice: [UInt8]?

    /// An entry of these values.
    public init(player: UInt16, milliseconds: UInt32, choice: [UInt8]?) {
      self.player = player
      self.milliseconds = milliseconds
      self.choice = choice
    }
  }

  /// What was asked.
  public var content: [UInt8]
  /// What the host opened as the solution; empty where there is none.
  public var solution: [UInt8]
  /// The round's limit.
  public var limitMilliseconds: UInt32
  /// When the host closed it; the largest number while it is open.
  public var closedMilliseconds: UInt32
  /// What players entered, in the order of receipts.
  public var entries: [Entry]

  /// A round of these values.
  public init(
    content: [UInt8], solution: [UInt8], limitMilliseconds: UInt32, closedMilliseconds: UInt32,
    entries: [Entry]
  ) {
    self.content = content
    self.solution = solution
    self.limitMilliseconds = limitMilliseconds
    self.closedMilliseconds = closedMilliseconds
    self.entries = entries
  }
}

/// A game of hosted rounds as the catalog lists it.
public struct HostedDefinition: Sendable {
  /// Name on the command line and in events.
  public let name: String
  /// The rules' version in events.
  public let version: UInt16
  /// Name for people.
  public let title: String
  /// The game in one line.
  public let summary: String
  /// What may be set.
  public let settings: [ParameterDefinition]
  /// What the most players of a room may be.
  public let players: ClosedRange<Int>
  /// What people call a round.
  public let roundWord: String
  private let build: @Sendable (Parameters) throws(RulesError) -> any HostedRules

  /// The entry of rules `R`.
  public init<R: HostedRules>(_ rules: R.Type) {
    name = R.name
    version = R.version
    title = R.title
    summary = R.summary
    settings = R.settings
    players = R.players
    roundWord = R.roundWord
    build = { (parameters) throws(RulesError) in try R(parameters) }
  }

  /// The rules with these settings; those not given have their standard values.
  public func rules(_ parameters: Parameters = Parameters()) throws(RulesError) -> any HostedRules {
    try build(parameters)
  }
}
