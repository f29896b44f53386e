import BotKit
import Events
import Peer
import Projection
import Rules

/// What a game at the table waits for.
enum TableWait {
  /// The person's choice.
  case person(Seat)
  /// A bot of this process.
  case bot
  /// Somebody elsewhere: what happens comes as a change.
  case others
  /// Nothing: the game is over.
  case over
}

/// What a person does at the table.
enum TableAct {
  case choose(MoveCode)
  case resign
  case requestUndo
  case agreeToUndo
  case claim
  case offerDraw
  case agreeToDraw
  case declineDraw
  case say(String)
  case leave
}

/// A game that a person plays at the terminal: against a bot of this process, or with somebody over the network.
protocol TableGame: Sendable {
  /// The person.
  var owner: PeerID { get }
  /// What goes on with the game when the person has left it open, as a command line without the program.
  var resuming: String { get }
  /// Whether others play from elsewhere.
  var isRemote: Bool { get }
  /// The room as it stands.
  mutating func state() async throws -> RoomState
  /// What it waits for.
  mutating func wait() async throws -> TableWait
  /// Lets the bot that it waits for choose, away from this task.
  /// - Returns: `false` when it was asked to stop.
  mutating func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool
  /// What a bot that knows the game would choose for the person, thought out away from this task.
  /// - Returns: `nil` when it was asked to stop.
  /// - Throws: `PeerError.notAllowed` where hints are not given.
  mutating func hint(for seat: Seat, isCancelled: @escaping @Sendable () -> Bool) async throws -> Hint?
  /// Does something for the person; it is durable when this returns.
  /// - Throws: `PeerError.notAllowed` for what cannot be done now.
  mutating func perform(_ act: TableAct) async throws
  /// The game is over: makes durable what is left.
  mutating func end() async throws
}

/// What a bot would choose.
struct Hint {
  /// The bot, as on the command line.
  let bot: String
  let code: MoveCode
}

/// A game against a bot of this process.
struct SessionGame: TableGame {
  private let household: Household
  private(set) var session: Session

  init(_ session: Session, _ household: Household) {
    self.session = session
    self.household = household
  }

  var owner: PeerID { household.owner.peer }
  var resuming: String { "play --resume \(session.room.short)" }
  var isRemote: Bool { false }

  mutating func state() -> RoomState { session.state }

  mutating func wait() throws -> TableWait {
    switch session.wait() {
    case .bot: return .bot
    case .person(_, let seat): return .person(seat)
    case .over: return .over
    case .others: throw PeerError.unplayable("the game waits for something that is not here")
    }
  }

  mutating func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool {
    guard case .bot(let player, var turn) = session.wait() else { return true }
    turn.isCancelled = isCancelled
    let (asked, bot, household) = (turn, session.players[player].bot, household)
    async let thought = household.think(bot, asked)
    guard let choice = try await thought else { return false }
    try session.play(choice, by: player)
    try await household.commit(&session)
    return true
  }

  /// The bots that are asked for hints, the first one that plays the game; each answers within seconds.
  private static let advisers = ["lookahead:8", "tit-for-tat"]

  mutating func hint(for seat: Seat, isCancelled: @escaping @Sendable () -> Bool) async throws -> Hint? {
    let state = session.state
    guard let game = state.currentGame else { throw PeerError.notAllowed("there is no move to choose") }
    let rules = try household.rules(of: state.create)
    for specification in Self.advisers {
      let bot: any Bot
      do throws(BotError) { bot = try household.bots.bot(specification, for: rules) } catch { continue }
      let source = RandomSource(
        seed: session.place.seed, round: session.place.round, pairing: session.place.pairing,
        game: UInt32(truncatingIfNeeded: game.number), seat: seat,
        ply: UInt32(truncatingIfNeeded: game.plies.count))
      var turn = BotTurn(game: game.state.view(for: seat), seat: seat, randomness: source)
      turn.isCancelled = isCancelled
      let (asked, household) = (turn, household)
      async let thought = household.think(bot, asked)
      return try await thought.map { Hint(bot: specification, code: $0.code) }
    }
    throw PeerError.notAllowed("no bot that could give a hint plays this game")
  }

  mutating func perform(_ act: TableAct) async throws {
    // The person hosts every session that is played at a table.
    let player = 0
    switch act {
    case .choose(let code): try session.play(BotChoice(code), by: player)
    case .resign: try session.act(player) { (core, room) throws(PeerError) in try core.resign(in: room) }
    case .requestUndo:
      try session.act(player) { (core, room) throws(PeerError) in try core.requestUndo(in: room) }
    case .agreeToUndo: throw PeerError.notAllowed("nobody asks to take back a move")
    case .offerDraw:
      try session.act(player) { (core, room) throws(PeerError) in try core.offerDraw(in: room) }
    case .agreeToDraw, .declineDraw: throw PeerError.notAllowed("the other side offers no draw")
    case .claim: throw PeerError.notAllowed("a bot of this process has no time limit")
    case .say(let text):
      try session.act(player) { (core, room) throws(PeerError) in try core.say(text, in: room) }
    case .leave: try session.act(player) { (core, room) throws(PeerError) in try core.leave(room) }
    }
    try await household.commit(&session)
  }

  mutating func end() async throws { try await household.commit(&session) }
}
