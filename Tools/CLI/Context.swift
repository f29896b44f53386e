import BotKit
import Games
import Platform
import Rules
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
  /// The bots that this user may name.
  let ownBots: OwnBots
  /// This user's log and identity.
  var store: UserStore

  /// - Parameter environment: looks up a variable, and refuses one that cannot be read.
  init(
    _ parsed: ParsedCommand, console: Console, interrupts: Interrupts,
    environment: @escaping @Sendable (String) throws(Failure) -> String?
  ) throws(UsageError) {
    self.console = console
    self.interrupts = interrupts
    ownBots = try OwnBots(parsed, console)
    store = UserStore(parsed, console: console, environment: environment)
    isJSON = parsed.has("json")
    rings = !isJSON && !parsed.givenOptions.contains(Self.noBell.name)
    isVerbose = parsed.givenOptions.contains(Self.verbose.name)
    isPlain = parsed.givenOptions.contains(Self.plain.name)
  }

  /// The games that this program knows.
  var games: GameCatalog { Games.catalog }

  /// The bots that this program knows by name.
  var bots: BotCatalog { OwnBots.known }

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
}
