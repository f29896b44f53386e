import Events
import Platform
import Rules
import Service
import Terminal

// Whose turn it is while somebody else's step is waited for.

/// The seats for whose steps a game waits, none of which is one's own.
struct Awaited: Equatable {
  private let game: Int
  private let ply: Int
  /// By seat, whether who sits there is away.
  fileprivate let isAway: [Int: Bool]

  /// What a table waits for; `nil` where it waits for nothing, for who looks, or for a bot of this process, which is
  /// shown while it thinks.
  init?(_ table: TableView) {
    let owing = table.seats.indices.filter { table.seats[$0].owes }
    guard table.phase == .playing, !owing.isEmpty, owing.allSatisfy({ table.seats[$0].isElsewhere }) else {
      return nil
    }
    // What a seat owes without choosing it gives by itself, as soon as it is there.
    let told = owing.filter { index in
      !table.isRound || table.choosing.contains { $0.index == index } || table.seats[index].presence == .away
    }
    guard !told.isEmpty else { return nil }
    (game, ply) = (table.number, table.plies.count)
    isAway = Dictionary(uniqueKeysWithValues: told.map { ($0, table.seats[$0].presence == .away) })
  }

  /// Whether the same is awaited as before, and nobody of them has come back. Who goes is told elsewhere.
  fileprivate func isTold(by before: Awaited?) -> Bool {
    guard let before, (game, ply) == (before.game, before.ply), isAway.count == before.isAway.count else {
      return false
    }
    // tidy: order does not matter because all have to hold
    return isAway.allSatisfy { seat, isAway in before.isAway[seat].map { isAway || !$0 } ?? false }
  }
}

extension PlayView {
  /// Tells people whose step the game waits for, once for each step, and again when its seat is back.
  mutating func tellTurn(_ table: TableView) throws {
    try tellReferee(table)
    let (before, now) = (awaited, Awaited(table))
    awaited = now
    guard let now, !now.isTold(by: before), !context.isJSON, screen == nil else { return }
    for words in turnWords(now, table) { try context.console.line(words) }
  }

  /// Whose step is awaited, a line for each seat.
  func turnWords(_ awaited: Awaited, _ table: TableView) -> [String] {
    awaited.isAway.keys.sorted().map { words(forTurnOf: $0, table) }
  }

  /// Tells people that the game cannot go on without its referee, once each time.
  private mutating func tellReferee(_ table: TableView) throws {
    let wasAwaited = isRefereeAwaited
    isRefereeAwaited = table.isRefereeAwaited
    guard isRefereeAwaited, !wasAwaited, !context.isJSON, let referee = table.referee else { return }
    try context.console.paragraph(
      "The game waits for its referee \(referee.short), who has a share in each draw and is not connected with you"
        + " now.")
  }

  private func words(forTurnOf index: Int, _ table: TableView) -> String {
    let seat = Seat(UInt16(clamping: index))
    let place = table.seats[index]
    let name = table.label(of: seat, context.console.output.drawing)
    let turn = table.turn == seat ? "It is the turn of \(name)" : "The game waits for \(name)"
    guard place.presence == .away else {
      return place.bot == nil ? "\(turn)." : "\(turn), a bot, which thinks."
    }
    guard let since = place.awaySince else { return "\(turn), who is not connected with you now." }
    return "\(turn), who has been away since \(WallClock.text(milliseconds: UInt64(clamping: since)))."
  }
}

/// What of a table somebody who looks elsewhere is called back for.
struct News {
  private let seated: Int
  private let game: Int
  private let steps: Int

  init(_ table: TableView) {
    seated = table.seats.count { $0.isElsewhere }
    game = table.number
    steps = table.plies.dropFirst(table.opening).count { ply in
      // A round is over when the last one has chosen, who may be elsewhere.
      ply.seat.map { table.seats.indices.contains($0.index) && table.seats[$0.index].isElsewhere } ?? true
    }
  }

  /// Whether somebody has come, or moved, since.
  func isMore(than before: News) -> Bool {
    seated > before.seated || (game == before.game ? steps > before.steps : steps > 0)
  }
}
