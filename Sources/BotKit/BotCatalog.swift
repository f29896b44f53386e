public import Rules

/// A kind of bot, as the catalog lists it: `lookahead:DEPTH`.
public struct BotFamily: Sendable {
  /// The name before the colon.
  public let name: String
  /// The bot in one line.
  public let summary: String
  /// What may stand after the colon, as help shows it (`DEPTH`, `[:NODES]` without the colon); `nil` for
  /// nothing.
  public let argument: String?
  private let plays: @Sendable (String) -> Bool
  private let build: @Sendable (any GameRules, String?) throws(BotError) -> any Bot

  /// A family of bots.
  /// - Parameters:
  ///   - plays: whether the family plays the game of this name.
  ///   - build: makes the bot for a game from the text after the colon.
  public init(
    name: String, summary: String, argument: String? = nil, plays: @escaping @Sendable (String) -> Bool,
    build: @escaping @Sendable (any GameRules, String?) throws(BotError) -> any Bot
  ) {
    self.name = name
    self.summary = summary
    self.argument = argument
    self.plays = plays
    self.build = build
  }

  /// Whether the family plays the game of this name.
  public func plays(_ game: String) -> Bool { plays(game) }

  fileprivate func bot(for rules: any GameRules, argument: String?) throws(BotError) -> any Bot {
    try build(rules, argument)
  }
}

/// The bots that a program knows.
public struct BotCatalog: Sendable {
  /// All families, in the order of lists. Of those of one name and game the newest version is first.
  public let families: [BotFamily]
  /// Bots that are named together.
  public let collections: [BotCollection]
  /// Makes the bots that are commands (`isCommand`); `nil` where there are none.
  private let commands: (@Sendable (String, any GameRules) throws(BotError) -> any Bot)?

  /// A catalog of these families, and of collections of their bots.
  public init(_ families: [BotFamily], collections: [BotCollection] = []) {
    self.families = families
    self.collections = collections
    commands = nil
  }

  /// The same catalog with bots that are commands. Whoever may name a bot there may start programs here.
  package init(
    _ catalog: BotCatalog, commands: @escaping @Sendable (String, any GameRules) throws(BotError) -> any Bot
  ) {
    families = catalog.families
    collections = catalog.collections
    self.commands = commands
  }

  /// Whether what names a bot is a command: it has a slash, which no bot's name has, or says first which protocol of
  /// engines it speaks.
  package static func isCommand(_ specification: String) -> Bool {
    specification.utf8.contains(0x2F) || EngineProtocol.parse(specification) != nil
  }

  /// The bots that a name stands for where several may be named: those of a collection of this game, else itself.
  public func members(_ name: String, playing game: String) -> [String] {
    collections.first { $0.name == name && $0.game == game }?.members ?? [name]
  }

  /// Families that play the game of this name.
  public func families(playing game: String) -> [BotFamily] { families.filter { $0.plays(game) } }

  /// Makes the bot that a specification such as `lookahead:4` names, or one of its versions, as in `lookahead@1:4`.
  public func bot(_ specification: String, for rules: any GameRules) throws(BotError) -> any Bot {
    if let commands, Self.isCommand(specification) { return try commands(specification, rules) }
    let parts = specification.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let words = (parts.first ?? "").split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(words.first ?? "")
    let named = families.filter { $0.name == name }
    guard !named.isEmpty else { throw .unknownBot(name, known: families.map(\.name)) }
    let game = rules.definition.name
    let playing = named.filter { $0.plays(game) }
    guard let newest = playing.first else {
      throw .wrongGame(bot: name, game: game, players: families(playing: game).map(\.name))
    }
    let argument = parts.count > 1 ? String(parts[1]) : nil
    if let argument, newest.argument == nil {
      throw .badArgument(bot: name, argument: argument, expected: "it takes nothing after its name")
    }
    guard words.count > 1 else { return try newest.bot(for: rules, argument: argument) }
    var known: [UInt16] = []
    for family in playing {
      let bot = try family.bot(for: rules, argument: argument)
      if String(bot.declaration.version) == words[1] { return bot }
      known.append(bot.declaration.version)
    }
    throw .unknownVersion(bot: name, version: String(words[1]), known: known)
  }

  /// Makes the bot that declared itself so, in just that version. What is a command says its version itself.
  package func bot(
    _ specification: String, version: UInt16, for rules: any GameRules
  ) throws(BotError) -> any Bot {
    try bot(Self.specification(specification, version: version), for: rules)
  }

  /// How a bot that declares itself so is named here: with its version where that is not the newest.
  package func name(
    of specification: String, version: UInt16, for rules: any GameRules
  ) throws(BotError) -> String {
    if Self.isCommand(specification) { return specification }
    let newest = try bot(specification, for: rules).declaration.version
    return newest == version ? specification : Self.specification(specification, version: version)
  }

  /// The words that name one version of a bot: `lookahead@1:4`.
  package static func specification(_ specification: String, version: UInt16) -> String {
    guard !isCommand(specification) else { return specification }
    let name = specification.prefix { $0 != ":" }
    return "\(name)@\(version)\(specification.dropFirst(name.count))"
  }
}
