import BotKit
import Events
import Games
import LineBots
import MemoryMatchBots
import Platform
import PrisonersDilemmaBots
import Rules
import SearchBots
import Terminal

/// What every command is given besides its own arguments.
struct Context: Sendable {
  /// Standard output and standard error.
  let console: Console
  /// Whether results are to be JSON objects.
  let isJSON: Bool
  /// Whether the bell is rung when somebody sits down or moves.
  let rings: Bool
  /// Whether games are told in lines where they could fill the terminal.
  let isPlain: Bool
  /// Whether bots' moves come with the numbers of their searches.
  let isVerbose: Bool
  /// Ctrl-C and requests to end.
  let interrupts: Interrupts
  /// The bots that are commands.
  let lineBots: LineBots
  /// The store's mark, which this process has taken away and puts back at its end.
  let closing: StoreClosing
  private let dataOption: String?
  private let networkOption: String?
  /// The folders that lead from the data folder to the one that is meant.
  private var inner: [String] = []
  private let environment: @Sendable (String) throws(Failure) -> String?

  /// - Parameter environment: looks up a variable, and refuses one that cannot be read.
  init(
    _ parsed: ParsedCommand, console: Console, interrupts: Interrupts,
    environment: @escaping @Sendable (String) throws(Failure) -> String?
  ) throws(UsageError) {
    self.console = console
    self.interrupts = interrupts
    closing = StoreClosing()
    let limits = try BotOptions.settings(parsed).limits(over: LineBotLimits())
    lineBots = LineBots(limits: limits, home: CurrentProcess.variable("HOME")) { console.tell($0) }
    self.environment = environment
    isJSON = parsed.has("json")
    rings = !isJSON && !parsed.givenOptions.contains(Self.noBell.name)
    isVerbose = parsed.givenOptions.contains(Self.verbose.name)
    isPlain = parsed.givenOptions.contains(Self.plain.name)
    dataOption = parsed.text("data")
    networkOption = parsed.text("network")
  }

  /// A variable of the environment, unless it is empty.
  /// - Throws: when it is not UTF-8: a place or a network that is not the one that was meant must not be taken.
  func variable(_ name: String) throws(Failure) -> String? {
    let value = try environment(name)
    return value?.isEmpty == false ? value : nil
  }

  /// The games that this program knows.
  var games: GameCatalog { Games.catalog }

  /// The bots that this program knows by name.
  var bots: BotCatalog { Self.catalogOfBots }

  static var catalogOfBots: BotCatalog {
    BotCatalog(
      SearchBots.families + PrisonersDilemmaBots.families + MemoryMatchBots.families,
      collections: PrisonersDilemmaBots.collections)
  }

  /// The same and bots that are commands, for those whom this user names.
  var ownBots: BotCatalog {
    BotCatalog(bots) { [lineBots] (specification, rules) throws(BotError) in
      try lineBots.bot(specification, for: rules)
    }
  }

  /// The folder of this user's log and identity.
  func dataFolder() throws(Failure) -> DataFolder {
    try DataFolder(option: dataOption, environment: environment).inside(inner)
  }

  /// The network that this command keeps to: that of `--network`, else of `PARLOR_NETWORK`, else everybody's.
  func network() throws(Failure) -> NetworkID {
    let named = if let networkOption { networkOption as String? } else { try variable("PARLOR_NETWORK") }
    guard let name = named else { return .standard }
    guard let network = NetworkID(name: name) else {
      let place = networkOption == nil ? "PARLOR_NETWORK" : "--network"
      throw Failure(
        networkOption == nil ? .configuration : .usage,
        "\(place): “\(SafeText(name, limitColumns: 40).text)” is no name for a network",
        hint:
          "a name has 1 to \(NetworkID.limitNameBytes) bytes, and neither control characters nor spaces around it"
      )
    }
    return network
  }

  /// A command that somebody else may paste, who has another data folder and may have set no network.
  func forOthers(_ command: String) throws(Failure) -> String {
    let name = if let networkOption { networkOption as String? } else { try variable("PARLOR_NETWORK") }
    return "parlor \(command)" + (name.map { " --network \(CommandForm.quoted($0))" } ?? "")
  }

  /// The same for a folder inside the data folder, with a log and an identity of its own.
  ///
  /// - Parameter name: anything; it is made into a name of letters, digits, points and hyphens.
  func inFolder(_ folder: String, named name: String) -> Context {
    let safe = name.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
      return isPlain ? byte : UInt8(ascii: "-")
    }
    var context = self
    context.inner = [folder, String(decoding: safe, as: UTF8.self)]
    return context
  }

  /// Answers whether somebody asked to stop, for searches and long loops.
  var isCancelled: @Sendable () -> Bool { { [interrupts] in interrupts.isStopRequested } }

  /// Throws when somebody asked to stop; what is durable stays so.
  func checkStop() throws(Failure) {
    if interrupts.isStopRequested { throw Failure(.interrupted, nil) }
  }
}

// MARK: - The terminal

extension Context {
  /// What every command takes that draws a game.
  static let plain: OptionDefinition = .flag(
    "plain", "Print lines one below the other instead of drawing the game on the whole terminal.")

  /// What every command takes at whose table others sit.
  static let noBell: OptionDefinition = .flag(
    "no-bell", "Do not ring the terminal's bell when somebody sits down or moves.")

  /// What every command takes where bots' moves are told.
  static let verbose: OptionDefinition = .flag(
    "verbose",
    "Show what bots' searches say of their moves in numbers, with the nodes visited, instead of words.")

  /// Whether games fill the terminal: somebody sits there, and it says how large it is.
  var fillsTerminal: Bool {
    !isJSON && !isPlain && Descriptor.input.isTerminal && FullScreen.fits(console.output)
  }
}

// MARK: - Printing

extension Context {
  /// Prints one JSON object, its `type` first.
  func object(_ type: String, _ members: KeyValuePairs<String, JSONValue>) throws(ConsoleError) {
    try object(type, members.map { JSONMember($0.key, $0.value) })
  }

  /// Prints one JSON object, its `type` first.
  func object(_ type: String, _ members: [JSONMember]) throws(ConsoleError) {
    try console.json(JSONLine([JSONMember("type", .string(type))] + members))
  }

  /// Prints a table to standard output.
  func table(_ table: TextTable) throws(ConsoleError) { try console.lines(lines(of: table)) }

  /// A table as it is printed.
  func lines(of table: TextTable) -> [String] {
    let channel = console.output
    return table.lines(limitColumns: channel.limitColumns, drawing: channel.drawing)
  }

  /// Prints lines to standard output, a page at a time where they are many and somebody sits there.
  func pages(_ lines: [String]) throws(ConsoleError) { try console.pages(lines, interrupts) }

  /// The game that an argument names.
  func game(_ name: String, _ parsed: ParsedCommand, place: String = "game") throws(UsageError)
    -> GameDefinition
  {
    guard let found = games.newest(name) else { throw parsed.badArgument(place, unknownGame(name)) }
    return found
  }

  /// The game that an option names.
  func game(_ name: String, _ parsed: ParsedCommand, option: String) throws(UsageError) -> GameDefinition {
    guard let found = games.newest(name) else { throw parsed.badValue(option, unknownGame(name)) }
    return found
  }

  private func unknownGame(_ name: String) -> String {
    if games.newestHosted(name) != nil {
      return "one peer hosts it with `parlor host \(name)`, and the others play by `parlor join CODE`"
    }
    let names = games.definitions.map(\.name) + games.hosted.map(\.name)
    let near = Spelling.near(name, among: names)
    guard near.isEmpty else { return "did you mean \(near.joined(separator: " or "))?" }
    return "the games are \(names.joined(separator: ", "))"
  }
}
