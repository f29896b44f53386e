import Events
import Peer
import Platform
import Projection
import Ratings
import Rules
import Terminal

/// A match being played, from its beginning or from where its log ends.
struct MatchRun {
  let plan: Household.MatchPlan
  /// The test that ends it; `nil` for none.
  let test: SequentialTest?
  let household: Household
  /// How many rooms are played at once.
  let concurrency: Int
  let context: Context
  /// What the log has of it; `nil` for a new one.
  var stored: Household.StoredMatch?

  /// Plays what is left of the match and tells the end.
  func play() async throws -> ExitStatus {
    let running = RunningScore(plan, test)
    let fault = OutputFault()
    let isCancelled: @Sendable () -> Bool = { [interrupts = context.interrupts] in
      interrupts.isStopRequested || fault.isThere || running.isDecided || Task.isCancelled
    }
    var rooms = MatchRooms(plan, context, fault)
    try readStored(into: &rooms, running)
    if !context.interrupts.isStopRequested {
      let progress = ProgressLine(
        on: context.console, label: "match", unit: "games", total: plan.games, done: running.games,
        now: ContinuousClock().stopwatch, note: { running.words })
      defer { progress.finish() }
      try await playRooms(into: &rooms, isCancelled: isCancelled) {
        running.count($0, room: $1)
        progress.advance()
      }
    }
    try fault.check()
    try rooms.score.tell(running.strength, context)
    guard context.interrupts.isStopRequested else { return .ok }
    tellStop(after: running.games, in: rooms.first ?? stored?.rooms.values.first)
    return .interrupted
  }

  /// Counts what is over according to the log.
  private func readStored(into rooms: inout MatchRooms, _ running: RunningScore) throws {
    guard let stored else { return }
    for number in stored.rooms.keys.sorted() where !context.interrupts.isStopRequested {
      guard let room = try household.storedMatchRoom(number, of: stored) else { continue }
      for game in room.games { running.count(game, room: number) }
      if room.isOver { rooms.add(number, room) }
    }
  }

  /// Plays the rooms that are not over, several at once. What is begun in the log is counted though the test has
  /// decided.
  private func playRooms(
    into rooms: inout MatchRooms, isCancelled: @escaping @Sendable () -> Bool,
    onGame: @escaping @Sendable (GameRecord, Int) -> Void
  ) async throws {
    let over = rooms.over
    try await withThrowingTaskGroup(of: (Int, Household.MatchRoom).self) { group in
      var next = 0
      func add() {
        while over.contains(next) { next += 1 }
        let known = stored?.rooms[next]
        guard next < plan.rooms, known != nil || !isCancelled() else { return }
        let number = next
        next += 1
        group.addTask {
          (
            number,
            try await household.playMatchRoom(number, of: plan, in: known, isCancelled: isCancelled) {
              onGame($0, number)
            }
          )
        }
      }
      for _ in 0..<concurrency { add() }
      while let (number, room) = try await group.next() {
        rooms.add(number, room)
        add()
      }
    }
  }

  private func tellStop(after games: Int, in room: RoomID?) {
    guard let room else { return context.console.note("Stopped before the first move; nothing is stored.") }
    let all = "\(plan.wins == nil && test == nil ? "" : "at most ")\(Room.count(plan.games, "game"))"
    context.console.note(
      "Stopped after \(games) of \(all): `parlor match --resume \(room.short)` goes on.")
  }
}

/// The rooms of a match as they end, in any order: counted at once, printed in the order of their numbers.
private struct MatchRooms {
  private(set) var score: MatchScore
  /// The numbers of those that came.
  private(set) var over: Set<Int> = []
  /// The one of the lowest number.
  private(set) var first: RoomID?
  private var lowest = Int.max
  private var next = 0
  private var waiting: [Int: Household.MatchRoom] = [:]
  private let plan: Household.MatchPlan
  private let context: Context
  private let fault: OutputFault

  init(_ plan: Household.MatchPlan, _ context: Context, _ fault: OutputFault) {
    score = MatchScore(plan)
    self.plan = plan
    self.context = context
    self.fault = fault
  }

  mutating func add(_ number: Int, _ room: Household.MatchRoom) {
    score.count(room)
    over.insert(number)
    if number < lowest { (lowest, first) = (number, room.room) }
    guard context.isJSON else { return }
    waiting[number] = room
    while let ready = waiting.removeValue(forKey: next) {
      fault.attempt { () throws(ConsoleError) in try print(ready) }
      next += 1
    }
  }

  /// One line of JSON for each game of a room.
  private func print(_ room: Household.MatchRoom) throws(ConsoleError) {
    for game in room.games {
      let view = game.state.view(for: nil)
      let moves = game.plies.map { ply -> JSONValue in
        let texts = ply.texts(in: view).map { JSONValue.string($0) }
        return texts.count == 1 ? texts[0] : .array(texts)
      }
      try context.object(
        "game",
        [
          "game": .integer(Int64(room.firstGame + game.number + 1)),
          "room": .string(room.room.description),
          "first": .string(plan.labels[game.first.index]),
          "moves": .array(moves), "opening": .integer(Int64(game.opening)),
          "outcome": .optional(
            game.ending?.outcome.map { outcome in
              outcome.winner.map { plan.labels[$0.index] } ?? "draw"
            }),
          "scores": .array((game.ending?.outcome?.scores ?? []).map { .integer(Int64($0)) }),
        ])
    }
  }
}

/// The score of games as they end, in any order and on any thread.
private final class RunningScore: Sendable {
  private let state: Guarded<(score: MatchScore, strength: MatchStrength, games: Int)>

  init(_ plan: Household.MatchPlan, _ test: SequentialTest?) {
    state = Guarded((MatchScore(plan), MatchStrength(test), 0))
  }

  func count(_ game: GameRecord, room: Int) {
    state.withLock { state in
      state.score.count(game)
      state.strength.take(game, room: room)
      state.games += 1
    }
  }

  /// How many games are over.
  var games: Int { state.withLock { $0.games } }

  var strength: MatchStrength { state.withLock { $0.strength } }

  /// Whether the test has decided.
  var isDecided: Bool { state.withLock { $0.strength.decision != .undecided } }

  /// The score and what the test has; empty before a game has ended.
  var words: String {
    state.withLock { state in
      guard state.score.games > 0 else { return "" }
      return [state.score.words, state.strength.words].filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }
}
