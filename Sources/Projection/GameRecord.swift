public import Events
public import Rules

/// One game of a room's series.
public struct GameRecord: Sendable {
  /// Its place in the series, from 0.
  public let number: Int
  /// The seat that moves first.
  public let first: Seat
  /// The event that the game's first step stands on.
  public let root: EventID
  /// What was played and stands, in order; the moves of the game's opening come first.
  public internal(set) var plies: [Ply] = []
  /// How many of the plies are its opening: moves that the room's creator chose and nobody wrote. Each has the game's
  /// root for its node.
  public private(set) var opening = 0
  /// The seats that dropped out of it, in order; only games of more than two seats go on without a seat.
  public private(set) var dropOuts: [DropOut] = []
  /// The seats that said that they go, or broke the protocol: nothing that they write counts any more, and they drop
  /// out where the game next waits for them.
  public internal(set) var leaving = SeatSet.none
  /// The seats that play it.
  public private(set) var playing: SeatSet
  /// The position now.
  public private(set) var state: any GameState
  /// Whose choice the game waits for. Where rounds are played in the open it is one seat's after the other's.
  public private(set) var turn: Turn
  /// Whether rounds are played in the open.
  public let hasOpenRounds: Bool
  /// What the first ones have chosen in the open round that is on.
  private var chosen: [MoveCode] = []
  /// How the game ended; `nil` while it is on.
  public internal(set) var ending: Ending?
  /// Whether every seat has signed this result.
  public internal(set) var isAgreed = false

  /// A move, or a round of choices.
  public struct Ply: Hashable, Sendable {
    /// What few plies have, apart from them: plies are most of what a state takes in memory.
    private enum More: Hashable, Sendable {
      case nothing
      /// What the second of two seats chose in a round in which both chose and nothing was drawn.
      case second(MoveCode)
      indirect case note(Action.Note)
      indirect case round(others: [MoveCode], choosing: SeatSet, Chance)
    }

    /// The event that the next step stands on.
    public let node: EventID
    /// The move's code; of a round, the first seat's.
    public let code: MoveCode
    /// Who moved; `nil` for a round.
    public let seat: Seat?
    private let more: More

    /// A round, with a code for each seat.
    init(node: EventID, codes: [MoveCode], choosing: SeatSet, chance: Chance) {
      self.node = node
      code = codes[0]
      seat = nil
      more =
        codes.count == 2 && choosing == .all(2) && chance == .none
        ? .second(codes[1]) : .round(others: Array(codes.dropFirst()), choosing: choosing, chance)
    }

    /// A move.
    init(node: EventID, code: MoveCode, seat: Seat, note: Action.Note?) {
      self.node = node
      self.code = code
      self.seat = seat
      more = note.map { .note($0) } ?? .nothing
    }

    /// What a bot's search said of the move.
    public var note: Action.Note? { if case .note(let note) = more { note } else { nil } }

    /// One code for a move; one per seat for a round, `MoveCode.none` for seats that did not choose.
    public var codes: [MoveCode] {
      switch more {
      case .nothing, .note: [code]
      case .second(let other): [code, other]
      case .round(let others, _, _): [code] + others
      }
    }

    /// One choice for a move; one per seat for a round, `nil` for seats that did not choose.
    public var choices: [MoveCode?] {
      guard case .round(_, let choosing, _) = more else { return codes }
      return codes.enumerated().map { index, code in
        choosing.contains(Seat(UInt16(truncatingIfNeeded: index))) ? code : nil
      }
    }

    /// The choices as text, one for a move; one per seat for a round, empty for seats that did not choose.
    public func texts(in game: any GameView) -> [String] {
      choices.map { $0.map { game.text(of: $0) } ?? "" }
    }

    /// Whether it was a draw: a round in which no seat chose.
    public var isDraw: Bool { if case .round(_, let choosing, _) = more { choosing.isEmpty } else { false } }

    /// The random numbers that all seats drew together in a round.
    public var chance: Chance { if case .round(_, _, let chance) = more { chance } else { .none } }
  }

  /// - Parameter wantsOpenRounds: whether the room wants rounds in the open; it has them where the game is of two seats
  ///   and leaves nothing to chance.
  init(number: Int, first: Seat, root: EventID, state: any GameState, wantsOpenRounds: Bool = false) {
    self.number = number
    self.first = first
    self.root = root
    self.state = state
    hasOpenRounds = wantsOpenRounds && state.seats == 2 && !state.usesChance
    turn = state.turn
    playing = .all(state.seats)
    plies.reserveCapacity(9)
    wait(for: turn)
  }

  /// Notes what the position waits for now.
  private mutating func wait(for turn: Turn) {
    self.turn = turn
    guard hasOpenRounds, case .round(let choosing) = turn else { return }
    chosen = []
    if let first = choosing.first { self.turn = .seat(first) }
  }

  /// Whether the game waits for choices that are made together, in the open or not.
  public var isInRound: Bool { turn.isRound || (hasOpenRounds && state.turn.isRound) }

  /// The seats whose choices a round still waits for; none outside of rounds.
  public var choosing: SeatSet {
    guard hasOpenRounds, case .seat(let seat) = turn, case .round(var choosing) = state.turn else {
      return turn.choosing
    }
    for earlier in choosing where earlier < seat { choosing.remove(earlier) }
    return choosing
  }

  /// Plays the moves of the game's opening, before any other.
  /// - Returns: `false` when one is not legal, or ends the game.
  mutating func open(with codes: [UInt16]) -> Bool {
    for code in codes {
      guard case .seat(let seat) = turn, play(MoveCode(UInt32(code)), by: seat, nil, as: root) else {
        return false
      }
    }
    opening = plies.count
    return turn.outcome == nil
  }

  /// Whether anything was played of it but its opening.
  public var hasMoves: Bool { plies.count > opening }

  /// Whether a seat plays on.
  public func isPlaying(_ seat: Seat) -> Bool { playing.contains(seat) && !leaving.contains(seat) }

  /// A seat that dropped out.
  public struct DropOut: Hashable, Sendable {
    /// Who it was.
    public let seat: Seat
    /// How many plies there were before.
    public let ply: Int
    /// Why.
    public let cause: Cause
    /// The event that says so; `nil` for a forked feed.
    public let event: EventID?
  }

  /// Takes a seat out of the game, which then waits for others.
  mutating func dropOut(_ seat: Seat, _ cause: Cause, by event: EventID?) {
    state.dropOut(seat)
    wait(for: state.turn)
    playing.remove(seat)
    dropOuts.append(DropOut(seat: seat, ply: plies.count, cause: cause, event: event))
  }

  /// The positions before the first ply and after each of the first ones, without those who dropped out there.
  /// - Parameter start: the position before the first.
  /// - Returns: `nil` when a ply is not legal there: the record is not one of these rules.
  public func positions(from start: any GameState, plies count: Int) -> [any GameState]? {
    positions(from: start, after: 0...count)
  }

  /// The positions after some numbers of plies, the same way.
  /// - Parameter counts: of the plies that there are; 0 for the position before the first.
  package func positions(from start: any GameState, after counts: ClosedRange<Int>) -> [any GameState]? {
    var state = start
    var positions: [any GameState] = []
    for ply in 0...counts.upperBound {
      for gone in dropOuts where gone.ply == ply { state.dropOut(gone.seat) }
      if counts.contains(ply) { positions.append(state) }
      if ply < counts.upperBound, !state.play(plies[ply]) { return nil }
    }
    return positions
  }

  /// Puts the game at another position.
  mutating func set(_ state: any GameState) {
    self.state = state
    wait(for: state.turn)
  }

  /// Whether a take-back may return to a ply: nothing of the opening, and nothing that chance gave or a seat chose in
  /// secret is taken back.
  package func mayReturn(to ply: Int) -> Bool {
    ply >= opening && plies[ply...].allSatisfy { $0.seat != nil }
  }

  /// Plays a move of a seat, or its choice in an open round, which is a ply once the last one has chosen.
  /// - Returns: `false`, and nothing changed, when it is not legal.
  mutating func play(_ code: MoveCode, by seat: Seat, _ note: Action.Note?, as node: EventID) -> Bool {
    if let turn = state.play(code, by: seat) {
      plies.append(Ply(node: node, code: code, seat: seat, note: note))
      wait(for: turn)
      return true
    }
    guard hasOpenRounds, turn == .seat(seat), state.mayOpen(code, by: seat) else { return false }
    return choose(code, by: seat, as: node)
  }

  private mutating func choose(_ code: MoveCode, by seat: Seat, as node: EventID) -> Bool {
    let choosing = state.turn.choosing
    chosen.append(code)
    if let next = choosing.first(where: { $0 > seat }) {
      turn = .seat(next)
      return true
    }
    var codes = chosen
    for index in 0..<state.seats where !choosing.contains(Seat(UInt16(truncatingIfNeeded: index))) {
      codes.insert(.none, at: index)
    }
    guard resolve(codes, choosing, by: .none, as: node) else {
      chosen.removeLast()
      return false
    }
    return true
  }

  /// Plays one choice per seat together.
  /// - Returns: `false`, and nothing changed, when one is not legal.
  mutating func resolve(_ codes: [MoveCode], by chance: Chance, as node: EventID) -> Bool {
    resolve(codes, turn.choosing, by: chance, as: node)
  }

  private mutating func resolve(
    _ codes: [MoveCode], _ choosing: SeatSet, by chance: Chance, as node: EventID
  ) -> Bool {
    guard state.resolve(codes, by: chance) else { return false }
    plies.append(Ply(node: node, codes: codes, choosing: choosing, chance: chance))
    wait(for: state.turn)
    return true
  }

  /// How a game ended.
  public struct Ending: Hashable, Sendable {
    /// The ending node.
    public let node: EventID
    /// Scores by seat; `nil` when the game never was or is void.
    public let outcome: Outcome?
    /// Why it ended.
    public let cause: Cause
  }

  /// Why a game ended.
  public enum Cause: Hashable, Sendable {
    /// By the rules.
    case rules
    /// This seat resigned.
    case resigned(Seat)
    /// This seat left; the outcome is a loss, or none when nothing had been played.
    case left(Seat)
    /// The referee ruled against this silent seat.
    case ruled(Seat)
    /// This seat broke the protocol: moved twice, revealed early, or opened an illegal choice.
    case offence(Seat)
    /// This seat's feed is forked; `nil` when several are.
    case forked(Seat?)
    /// One seat offered a draw, the other one took it.
    case drawAgreed
  }
}

extension GameState {
  /// Plays a ply of a record again.
  /// - Returns: `false`, and nothing changed, when it is not legal here.
  public mutating func play(_ ply: GameRecord.Ply) -> Bool {
    ply.seat == nil ? resolve(ply.codes, by: ply.chance) : play(ply.code)
  }
}

extension Turn {
  /// Whether a seat owes a step where a position waits so: its move, its commit, or its reveal once all have committed.
  /// - Parameter hasReferee: whether the referee has a share in the round.
  func waits(
    for seat: Seat, _ round: RoomState.RoundProgress, playing: SeatSet, hasReferee: Bool
  ) -> Bool {
    switch self {
    case .seat(let mover): mover == seat
    case .round:
      playing.contains(seat)
        && (round.commit(of: seat) == nil
          || (round.committed == playing.count && !(hasReferee && round.refereeCommit == nil)
            && round.reveal(of: seat) == nil))
    case .over: false
    }
  }
}
