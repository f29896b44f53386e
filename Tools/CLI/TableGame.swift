import BotKit
import Events
import Peer
import Projection
import Rules
import Service
import Terminal

/// A game that a person plays at the terminal: against a bot of this process, or with somebody over the network.
protocol TableGame: Sendable {
  /// What goes on with the game when the person has left it open, as a command line without the program.
  var resuming: String { get }
  /// The table as the person sees it now.
  mutating func table() async throws -> TableView
  /// Goes on to the next game of a series.
  /// - Returns: whether the table was of an earlier one than that which is on, or was the last.
  mutating func goOn() -> Bool
  /// Lets the bot that the game waits for choose, away from this task.
  /// - Returns: `false` when it was asked to stop.
  mutating func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool
  /// What a bot that knows the game would choose for the person, thought out away from this task.
  /// - Returns: the words; `nil` when it was asked to stop.
  /// - Throws: `PeerError.notAllowed` where hints are not given.
  mutating func hint(isCancelled: @escaping @Sendable () -> Bool) async throws -> String?
  /// Does something for the person; it is durable when this returns.
  /// - Throws: `PeerError.notAllowed` for what cannot be done now.
  mutating func perform(_ act: TableAct) async throws
  /// Tells what keeps others away, where that was not told yet.
  mutating func tellHindrances(_ console: Console) async throws
  /// The game is over: makes durable what is left.
  mutating func end() async throws
}

/// Which game of a series a person is at: each is told to its end, however far play has gone on.
struct SeriesPlace {
  /// From 1; 0 before the first.
  private var number = 0
  private var newest = 0

  /// The earlier game that is to be told before that of a table; `nil` where there is none.
  mutating func earlier(than table: TableView) -> Int? {
    newest = table.number
    if number == 0 { number = newest }
    return number < newest ? number : nil
  }

  /// Goes on to the next game, where there is one.
  mutating func goOn() -> Bool {
    guard number < newest else { return false }
    number += 1
    return true
  }
}

/// A game against a bot of this process.
struct SessionGame: TableGame {
  private let household: Household
  private(set) var session: Session
  private var series = SeriesPlace()

  init(_ session: Session, _ household: Household) {
    self.session = session
    self.household = household
  }

  var resuming: String { "play --resume \(session.room.short)" }

  mutating func table() throws -> TableView {
    if case .others = session.wait() {
      throw PeerError.unplayable("the game waits for something that is not here")
    }
    let state = session.state
    let table = TableView(
      state, for: household.owner.peer, games: household.games, here: Set(session.players.map(\.signer.peer)))
    return series.earlier(than: table).map { table.atEnd(ofGame: $0, state) } ?? table
  }

  mutating func goOn() -> Bool { series.goOn() }

  mutating func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool {
    guard case .bot(let player, var turn) = session.wait() else { return true }
    turn.isCancelled = isCancelled
    guard let bot = session.players[player].bot else { return true }
    let (asked, household, game) = (turn, household, session.state.games.count - 1)
    async let thought = household.think(bot, asked)
    switch try await thought {
    case .choice(let choice): try session.play(choice, by: player)
    case .resigns: try session.perform(.resign, by: player)
    case .stopped: return false
    }
    conclude(from: game)
    try await household.commit(&session)
    return true
  }

  mutating func hint(isCancelled: @escaping @Sendable () -> Bool) async throws -> String? {
    guard case .person(_, let seat) = session.wait(), let game = session.state.currentGame else {
      throw PeerError.notAllowed("it is not your turn")
    }
    let turn = session.turn(of: seat, session.state)
    let adviser = Adviser(household: household, rules: try household.rules(of: session.state.create))
    async let advice = adviser.advice(turn, isCancelled: isCancelled)
    return try await advice.map { "\($0.bot) would play \(game.state.text(of: $0.code))." }
  }

  mutating func perform(_ act: TableAct) async throws {
    // The person hosts every session that is played at a table.
    let game = session.state.games.count - 1
    try session.perform(act, by: 0)
    conclude(from: game)
    try await household.commit(&session)
  }

  /// Tells the bots of games that have ended, from this one on.
  private mutating func conclude(from game: Int) {
    for game in session.state.games[max(0, game)...] where game.ending != nil { session.conclude(game) }
  }

  func tellHindrances(_ console: Console) {}

  mutating func end() async throws { try await household.commit(&session) }
}
