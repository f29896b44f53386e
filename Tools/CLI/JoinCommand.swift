import BotKit
import Events
import Games
import Peer
import Platform
import Projection
import Rules
import Service
import TapRaceBots
import Terminal

/// `parlor join`: a seat in somebody's game, or on with a game of one's own.
enum JoinCommand: Command {
  static let definition = CommandDefinition(
    "join", group: Group.network,
    summary: "Join a game, a quiz, a tap race or a drawing game, or go on with one, and play it.",
    text: [
      "Waits until the game has come from another peer. Where this peer has a seat in it already, it goes on from"
        + " the position in the log.",
      "A quiz is joined by its code with the join code behind it, as its host shows them: KTQWXZ-7K2M9QXTRB. Who comes"
        + " back keeps the score, and needs no join code. A tap race and a drawing game are joined in the same way.",
      "In a drawing game who draws types `line X Y X Y …` with places from 0 0 to 1023 767, `line red 16 X Y …` for a"
        + " colour and a width, or `clear`; all others type what they guess, and `guess TEXT` where that is a command."
        + " `show` prints the drawing. There are no bots for it.",
      "In a tap race the space bar taps, and q leaves. Where the input is no terminal, a line of N spaces or `tap N`"
        + " is N taps, which are made as quickly as they count; a line that comes early waits for the race.",
      "With --level a bot taps in a tap race, from 1, slow as a small child, to 10, twelve taps a second: never quite"
        + " evenly, and as its seed says. Each level beats the one below (Docs/LEVELS.md). A quiz has no levels: a bot"
        + " knows no answers, and can only guess.",
      "Of a host it can be proven that it opened another answer than it was bound to. It cannot be proven that it told"
        + " a friend the answers, or counted an answer late or not at all; the screen says when yours is not counted.",
    ],
    arguments: [
      .init(
        "room",
        "The game's code of six letters, its id, the id's first digits, or `last` for the newest here; of a quiz, a tap"
          + " race or a drawing game with its join code.", kind: .stored(.seats))
    ],
    options: [
      RefereeConsent.option, Context.noBell, Context.plain, Context.verbose,
      .flag("guess", "quiz: answer every question by chance, as a bot; tap race: tap by chance."),
      .value("level", "N", "tap race: tap as a bot of this level, 1 to 10."),
      .value("seed", "N", "the seed of a level's taps; drawn when not given"),
      EarlierGames.option(mayGoOn: false),
    ] + ProfileWish.options + NetworkOptions.definitions,
    examples: [
      .init("join KTQWXZ --connect 192.168.0.7:4141", "the game with this code, from the peer there"),
      .init("join KTQWXZ --relay nats://relay.example.org", "the same, from a peer behind the relay"),
      .init("join KTQWXZ-7K2M9QXTRB --name Ada", "a quiz, with its join code"),
      .init("join KTQWXZ-7K2M9QXTRB --level 4", "a bot for a tap race"),
      .init("join 3fa2 --emoji Dogs", "the game whose id begins so"),
    ],
    exitStatuses: [
      .init(.ok, "The game is over, or waits to be resumed."),
      .init(.negative, "Somebody else has the seat, it is for others, or its referee was not agreed to."),
    ],
    objects: [NetworkOptions.listeningObject, EarlierGames.object] + PlayView.remoteObjects
      + RoundsView.liveObjects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let (name, code) = try RoomName.gameAndCode(parsed, context.store)
    let wish = try ProfileWish(parsed, context.console)
    let level = try level(parsed)
    return try await Sitting.open(parsed, context) { sitting in
      guard let state = try await sitting.arrival(of: name) else { return .interrupted }
      if state.isTournament {
        throw ServiceError.refused(
          "it is a tournament: `parlor tournament join \(GameCode.of(state.room))` enters it")
      }
      let me = sitting.service.peer
      if state.creator != me { try await EarlierGames(sitting: sitting).settle() }
      var profile = wish.profile(of: me)
      if state.hosted != nil { return try await play(state, code, profile, sitting) }
      if code != nil { throw parsed.badArgument("room", "that game has no join code: leave it out") }
      if parsed.has("guess") { throw parsed.badValue("guess", "that game is no quiz and no tap race") }
      if level != nil { throw parsed.badValue("level", "that game is no tap race") }
      guard try await seated(state, &profile, sitting) else { return .interrupted }
      return try await Rematches(sitting: sitting).play(at: state.room)
    }
  }

  /// Plays hosted rounds.
  private static func play(
    _ state: RoomState, _ code: String?, _ profile: Profile, _ sitting: Sitting
  ) async throws -> ExitStatus {
    let (context, parsed) = (sitting.context, sitting.parsed)
    guard let hosted = state.hosted, let rules = hosted.rules else {
      throw ServiceError.refused("this program does not know the rules of that game")
    }
    let words = RoundWords(context.games.newestHosted(state.create.rules))
    guard state.creator != sitting.service.peer else {
      throw ServiceError.refused(
        "it is this peer's own \(words.game): `parlor host \(state.create.rules) --resume \(state.room.short)` goes on"
          + " with it")
    }
    var code = code
    if case .hosted(_, true, _) = state.create.purpose, hosted.player(sitting.service.peer) == nil,
      code == nil
    {
      guard let typed = try await joinCode(state, sitting) else { return .interrupted }
      code = typed
    }
    var profile = profile
    let guesses = parsed.has("guess")
    if rules is DrawingGame, guesses || parsed.has("level") {
      throw parsed.badValue(guesses ? "guess" : "level", "no bot draws or guesses words")
    }
    if guesses { profile.bot = BotEntry(specification: "guess", version: 1, nodeBudget: 0, seed: 0) }
    var bot = guesses ? RacePlayer.Bot.chance(SystemRandomNumberGenerator()) : nil
    if let level = try level(parsed) {
      guard rules is TapRace else {
        throw parsed.badValue(
          "level", "a quiz has no levels: a bot knows no answers, and can only guess (--guess)")
      }
      let seed = try parsed.integer("seed", in: 0...UInt64.max) ?? RandomSource.drawnSeed()
      bot = .level(level, seed: seed)
      profile.bot = BotEntry(
        specification: TapRaceBot.specification(level: level), version: TapRaceBot.version, nodeBudget: 0,
        seed: seed)
    }
    let guest = RoundsGuest(sitting: sitting, room: state.room)
    guard try await guest.comeIn(code: code, profile) else { return .interrupted }
    if rules is TapRace {
      var player = RacePlayer(guest, bot: bot)
      return try await player.play()
    }
    var player = RoundsPlayer(guest, rules, guesses: guesses)
    return try await player.play()
  }

  /// The level of `--level`.
  private static func level(_ parsed: ParsedCommand) throws(UsageError) -> Int? {
    let level = try parsed.integer("level", in: TapRaceBot.levels)
    if level != nil, parsed.has("guess") {
      throw parsed.badValue("level", "--guess is another bot; give one")
    }
    if level == nil, parsed.text("seed") != nil { throw parsed.badValue("seed", "it needs --level") }
    return level
  }

  /// Asks for the join code, where somebody can be asked.
  /// - Returns: `nil` when it was asked to stop.
  private static func joinCode(
    _ state: RoomState, _ sitting: Sitting
  ) async throws -> String? {
    let context = sitting.context
    guard Descriptor.input.isTerminal, !context.isJSON else {
      throw Failure(
        .usage, "it is joined with a join code, which its host shows",
        hint: "parlor join \(GameCode.of(state.room))-CODE")
    }
    while true {
      try context.console.prompt("Join code: ")
      guard case .line(let text) = try await sitting.input.line() else { return nil }
      if let code = JoinCode.read(text.trimmingBlanks) { return code }
      context.console.report(error: "a join code has \(JoinCode.count) letters and digits")
    }
  }

  /// Asks for a seat where this peer has none, and waits for the answer.
  /// - Returns: `false` when it was asked to stop.
  private static func seated(
    _ state: RoomState, _ profile: inout Profile, _ sitting: Sitting
  ) async throws -> Bool {
    let (context, service) = (sitting.context, sitting.service)
    let me = service.peer
    guard state.creator != me, state.seat(of: me) == nil else { return true }
    // Nobody is asked about a game that cannot be joined.
    let isOpen = state.phase == .waiting && state.seats.contains(nil) && state.create.referee != me
    guard let terms = isOpen ? try await RefereeConsent(sitting: sitting).terms(of: state) : Terms() else {
      return false
    }
    profile.adaptEmoji(to: state, context.console)
    context.console.note("Asking \(state.name(of: state.creator)) for a seat; Ctrl-C takes that back.")
    _ = try await service.perform(.join(state.room, seat: Create.noSeat, profile, terms: terms))
    while true {
      guard let table = try await service.table(of: state.room) else { return false }
      if table.seat != nil { return true }
      guard table.hasFreeSeat else {
        try await sitting.withdraw(from: state.room)
        if table.phase == .closed { throw ServiceError.refused("the game was closed before it began") }
        throw ServiceError.refused("the seat is taken: somebody else was quicker")
      }
      guard case .changed = try await sitting.input.change() else {
        try await sitting.withdraw(from: state.room)
        return false
      }
    }
  }
}
