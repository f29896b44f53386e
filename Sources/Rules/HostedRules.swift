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
  /// Whether entries are sealed to the host until it settles the round.
  var isSealed: Bool { get }
  /// How long after the close an entry that was under way still counts, in milliseconds.
  var graceMilliseconds: UInt32 { get }
  /// What a round asks, for displays; `nil` for bytes that no round of these rules has.
  func question(_ content: [UInt8]) -> HostedQuestion?
  /// Whether these bytes solve a round that asks this.
  func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool
  /// Whether a player may enter these bytes.
  func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool
  /// What a player enters that types this; `nil` where it is nothing that can be entered.
  func entry(text: String, in content: [UInt8]) -> [UInt8]?
  /// An entry or a solution as people write it.
  func text(of choice: [UInt8], in content: [UInt8]) -> String
  /// What each entry of a round is worth, by the order of receipts.
  func points(_ round: HostedRound) -> [UInt32]
  /// How far each player is in a round in which entries add up, by place; standard is that they do not.
  func counts(_ round: HostedRound) -> [HostedCount]
  /// Whether who wins is certain before the limit, so that the host closes the round; standard is no.
  func isDecided(_ round: HostedRound) -> Bool
}

extension HostedRules {
  public static var players: ClosedRange<Int> { 1...4_096 }
  public func counts(_ round: HostedRound) -> [HostedCount] { [] }
  public func isDecided(_ round: HostedRound) -> Bool { false }
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
