/// Rules with their parameters set, of a game whose kind is not known when the program is compiled.
public protocol GameRules: Sendable {
  /// The game's entry in the catalog.
  var definition: GameDefinition { get }
  /// Every setting in its canonical spelling.
  var parameters: Parameters { get }
  /// How many seats play.
  var seats: Int { get }
  /// A new game in which `first` moves first.
  func start(first: Seat) -> any GameState
}

private struct GameRulesOf<R: Rules>: GameRules {
  let rules: R
  var definition: GameDefinition { GameDefinition(R.self) }
  var parameters: Parameters { rules.parameters }
  var seats: Int { rules.seats }
  func start(first: Seat) -> any GameState { rules.newGame(first: first) }
}

/// A game as the catalog lists it.
public struct GameDefinition: Sendable {
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
  /// Whether tournaments rank by the sum of scores rather than by games won.
  public let ranksByScore: Bool
  /// Whether a game may end without a winner.
  public let canBeDrawn: Bool
  private let build: @Sendable (Parameters) throws(RulesError) -> any GameRules

  /// The entry of rules `R`.
  public init<R: Rules>(_ rules: R.Type) {
    name = R.name
    version = R.version
    title = R.title
    summary = R.summary
    settings = R.settings
    ranksByScore = R.ranksByScore
    canBeDrawn = R.canBeDrawn
    build = { (parameters) throws(RulesError) in GameRulesOf(rules: try R(parameters)) }
  }

  /// The rules with these settings; those not given have their standard values.
  public func rules(_ parameters: Parameters = Parameters()) throws(RulesError) -> any GameRules {
    try build(parameters)
  }
}

/// The games that a program knows: by name for people, by name and version for events.
public struct GameCatalog: Sendable {
  /// All entries, in the order of lists. Of several versions of a game the newest comes last.
  public let definitions: [GameDefinition]
  /// Games of hosted rounds, in the order of lists. Of several versions of a game the newest comes last.
  public let hosted: [HostedDefinition]

  /// A catalog of these games.
  public init(_ definitions: [GameDefinition], hosted: [HostedDefinition] = []) {
    self.definitions = definitions
    self.hosted = hosted
  }

  /// The newest version of the game of hosted rounds of this name.
  public func newestHosted(_ name: String) -> HostedDefinition? { hosted.last { $0.name == name } }

  /// Exactly this version of a game of hosted rounds.
  public func hosted(_ name: String, version: UInt16) -> HostedDefinition? {
    hosted.first { $0.name == name && $0.version == version }
  }

  /// The newest version of the game of this name.
  public func newest(_ name: String) -> GameDefinition? {
    definitions.last { $0.name == name }
  }

  /// Exactly this version.
  public func definition(_ name: String, version: UInt16) -> GameDefinition? {
    definitions.first { $0.name == name && $0.version == version }
  }
}
