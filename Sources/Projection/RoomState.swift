public import Events
public import Rules

/// What a room's events amount to. Equal sets of events give equal states, whatever the order of arrival.
public struct RoomState: Sendable {
  /// Everything that a step of a game leaves as it is; one reference, because states are read at every step.
  final class Company: Sendable {
    let opening: Event
    let seats: [Occupant?]
    let openRequests: [OpenRequest]
    let invited: [PeerID]
    let first: Seat?
    let start: EventID?
    let chat: [ChatLine]
    let tournamentWords: [TournamentWord]
    let forked: [PeerID]

    init(
      opening: Event, seats: [Occupant?], openRequests: [OpenRequest], invited: [PeerID], first: Seat?,
      start: EventID?, chat: [ChatLine], tournamentWords: [TournamentWord], forked: [PeerID]
    ) {
      self.opening = opening
      self.seats = seats
      self.openRequests = openRequests
      self.invited = invited
      self.first = first
      self.start = start
      self.chat = chat
      self.tournamentWords = tournamentWords
      self.forked = forked
    }
  }

  /// What steps change; one reference as well, because a state is handed on several times at every step.
  final class Play: Sendable {
    let phase: Phase
    let games: [GameRecord]
    let tip: EventID
    let round: RoundProgress
    let undoRequest: UndoRequest?
    let drawOffers: [DrawOffer]
    let claims: [OpenClaim]
    let hosted: HostedState?

    init(
      phase: Phase, games: [GameRecord] = [], tip: EventID = .none, round: RoundProgress = RoundProgress(),
      undoRequest: UndoRequest? = nil, drawOffers: [DrawOffer] = [], claims: [OpenClaim] = [],
      hosted: HostedState? = nil
    ) {
      self.phase = phase
      self.games = games
      self.tip = tip
      self.round = round
      self.undoRequest = undoRequest
      self.drawOffers = drawOffers
      self.claims = claims
      self.hosted = hosted
    }
  }

  private let company: Company
  private let play: Play

  init(_ company: Company, _ play: Play) {
    self.company = company
    self.play = play
  }

  /// What the creator fixed.
  public var create: Create {
    guard case .create(let create) = company.opening.action else {
      preconditionFailure("room \(room) was opened by an event of kind \(company.opening.code)")
    }
    return create
  }
  /// Who created the room.
  public var creator: PeerID { company.opening.author }
  /// The room's id.
  public var room: RoomID { company.opening.id }
  /// Where the room stands.
  public var phase: Phase { play.phase }
  /// Who sits where; `nil` for a free seat.
  public var seats: [Occupant?] { company.seats }
  /// Requests that were neither granted nor withdrawn.
  public var openRequests: [OpenRequest] { company.openRequests }
  /// Whom the creator has invited, in the order of the creator's feed.
  public var invited: [PeerID] { company.invited }
  /// The seat that moves first in the first game, once play has started.
  public var first: Seat? { company.first }
  /// The start event.
  public var start: EventID? { company.start }
  /// Games begun or next to begin, in order.
  public var games: [GameRecord] { play.games }
  /// The line's last event: what the next step stands on.
  public var tip: EventID { play.tip }
  /// The seats that have committed to a choice for the round that is on, and those that have revealed it.
  public var round: RoundProgress { play.round }
  /// A take-back that somebody asked for at the tip.
  public var undoRequest: UndoRequest? { play.undoRequest }
  /// Offers of a draw that wait for an answer, by seat; of each seat the last one.
  public var drawOffers: [DrawOffer] { play.drawOffers }
  /// Claims that a seat which owes a step at the tip is silent, and that wait for the referee; by the seat that claims.
  public var claims: [OpenClaim] { play.claims }
  /// Rounds, players and scores of a room of hosted rounds; `nil` in all others.
  public var hosted: HostedState? { play.hosted }
  /// Chat, in causal order of each author, authors by key.
  public var chat: [ChatLine] { company.chat }
  /// What changes a tournament, in the order of the organizer's feed.
  public var tournamentWords: [TournamentWord] { company.tournamentWords }
  /// Authors whose feeds are forked, ascending.
  public var forked: [PeerID] { company.forked }

  /// Where a room stands.
  public enum Phase: Hashable, Sendable {
    /// Seats are free, or not all have signed ready.
    case waiting
    /// A game is on, or a tournament.
    case playing
    /// All games are over.
    case finished
    /// A seat left in the middle of a game.
    case abandoned(Seat)
    /// The room closed before anything was played, because this peer left or forked.
    case closed(PeerID)
    /// The rules or their version are not known here: the room can be kept and passed on, not played.
    case unknownRules
    /// The room is of an edition that this program does not know: it can be kept and passed on, not read.
    case unknownEdition(UInt16)

    /// Whether this program knows what is going on.
    public var isKnown: Bool {
      switch self {
      case .unknownRules, .unknownEdition: false
      default: true
      }
    }
  }

  /// Something that changes a tournament.
  public enum TournamentWord: Hashable, Sendable {
    /// The organizer's word on one attempt at a pairing, and the event that it stands in.
    case result(Action.PairingResult, event: EventID)
    /// An entrant has left. It stands before the organizer's first event that has it in its past; one that the
    /// organizer has not seen comes last, such ones by seat.
    case withdrawal(Seat)
  }

  /// Who holds a seat.
  public struct Occupant: Hashable, Sendable {
    /// Whose seat it is.
    public let peer: PeerID
    /// How the peer is shown, and which bot plays for it.
    public let profile: Profile
    /// The grant that seats the peer; for the creator's own seat the `create` event.
    public let grant: EventID
    /// Whether the seat has signed the full roster.
    public internal(set) var isReady = false
  }

  /// Somebody who would like a seat.
  public struct OpenRequest: Hashable, Sendable {
    /// The request's event.
    public let id: EventID
    /// Who asks.
    public let peer: PeerID
    /// Which seat is asked for; `Create.noSeat` for any.
    public let seat: UInt16
    /// How the peer would like to be shown.
    public let profile: Profile
  }

  /// How far a round of simultaneous choices is.
  public struct RoundProgress: Hashable, Sendable {
    /// Each seat's commit of the round that is on.
    public internal(set) var commits: [Seat: EventID] = [:]
    /// Each seat's reveal.
    public internal(set) var reveals: [Seat: EventID] = [:]
  }

  /// A take-back asked for.
  public struct UndoRequest: Hashable, Sendable {
    /// The request's event.
    public let id: EventID
    /// Who asks.
    public let seat: Seat
    /// The ply that would be the next one again.
    public let ply: Int
  }

  /// A draw offered.
  public struct DrawOffer: Hashable, Sendable {
    /// The offer's event.
    public let id: EventID
    /// Who offers.
    public let seat: Seat
  }

  /// A claim that the referee has not answered.
  public struct OpenClaim: Hashable, Sendable {
    /// The claim's event.
    public let id: EventID
    /// Who claims.
    public let claimant: Seat
    /// Who is said to be silent.
    public let silent: Seat
  }

  /// One line of chat.
  public struct ChatLine: Hashable, Sendable {
    /// The line's event.
    public let event: EventID
    /// Who says it.
    public let author: PeerID
    /// The words, as they came: a display must guard itself.
    public let text: String
  }

  /// The seat of a peer.
  public func seat(of peer: PeerID) -> Seat? {
    seats.firstIndex { $0?.peer == peer }.map { Seat(UInt16(truncatingIfNeeded: $0)) }
  }

  /// The referee that `create` names, unless it holds a seat: then nobody rules.
  public var referee: PeerID? {
    create.referee.isSome && seat(of: create.referee) == nil ? create.referee : nil
  }

  /// Whether seats may agree on a draw.
  public var allowsDraws: Bool {
    guard let rules = position else { return false }
    return seats.count == 2 && rules.canBeDrawn && !rules.turn.isRound
  }

  /// The seats that play the game that is on: those that have not dropped out.
  public var playing: SeatSet { games.last?.playing ?? .none }

  /// Whether the game that is on waits for a step of this seat.
  public func owes(_ seat: Seat) -> Bool {
    turn?.waits(for: seat, round, playing: playing) ?? false
  }

  /// The seats of which the game that is on waits for a step, ascending.
  public var owing: [Seat] {
    seats.indices.map { Seat(UInt16(truncatingIfNeeded: $0)) }.filter(owes)
  }

  /// Whether a peer may replicate the room, as its scope says: whoever sends it to others asks.
  ///
  /// Rooms of scope `invited` are for their creator, referee, seats and invited peers. What nearby means in
  /// rooms of scope `local` is for the transport to say.
  public func mayReplicate(_ peer: PeerID) -> Bool {
    members?.contains(peer) ?? true
  }

  /// The peers that may replicate a room of scope `invited`, ascending; `nil` for other scopes.
  public var members: [PeerID]? {
    guard create.scope == .invited else { return nil }
    let seated = seats.compactMap { $0?.peer }
    return Set([creator, create.referee] + invited + seated).filter(\.isSome).sorted()
  }

  /// The creator, the referee if there is one, and the holders of seats.
  public var participants: [PeerID] {
    [creator] + (create.referee.isSome ? [create.referee] : []) + seats.compactMap { $0?.peer }
  }

  /// Whether a peer's request for a seat would count, when it is written by who has seen this state.
  public func mayRequest(_ peer: PeerID) -> Bool {
    peer != creator && peer != create.referee && start == nil
      && (create.scope != .invited || invited.contains(peer))
  }

  /// How many games have ended, when it is known that the first `known` have.
  public func endedGames(from known: Int) -> Int {
    var ended = known
    while ended < games.count, games[ended].ending != nil { ended += 1 }
    return ended
  }

  /// The game that is on, or the last one.
  public var currentGame: GameRecord? { games.last }

  /// The position of the game that is on, or the last one.
  public var position: (any GameState)? { games.isEmpty ? nil : games[games.count - 1].state }

  /// How many plies stand of the game that is on, or the last one.
  public var plyCount: Int { games.isEmpty ? 0 : games[games.count - 1].plies.count }

  /// Whose choice the room waits for; `nil` unless a game is on.
  public var turn: Turn? {
    guard phase == .playing, let last = games.indices.last, games[last].ending == nil else { return nil }
    return games[last].turn
  }
}

/// One game of a room's series.
public struct GameRecord: Sendable {
  /// Its place in the series, from 0.
  public let number: Int
  /// The seat that moves first.
  public let first: Seat
  /// The event that the game's first step stands on.
  public let root: EventID
  /// What was played and stands, in order.
  public internal(set) var plies: [Ply] = []
  /// The seats that dropped out of it, in order; only games of more than two seats go on without a seat.
  public private(set) var dropOuts: [DropOut] = []
  /// The seats that said that they go, or broke the protocol: nothing that they write counts any more, and they drop
  /// out where the game next waits for them.
  public internal(set) var leaving = SeatSet.none
  /// The seats that play it.
  public private(set) var playing: SeatSet
  /// The position now.
  public private(set) var state: any GameState
  /// Whose choice the position waits for.
  public private(set) var turn: Turn
  /// How the game ended; `nil` while it is on.
  public internal(set) var ending: Ending?
  /// Whether every seat has signed this result.
  public internal(set) var isAgreed = false

  /// A move, or a round of choices.
  public struct Ply: Hashable, Sendable {
    /// What few plies have, apart from them: plies are most of what a state takes in memory.
    private enum More: Hashable, Sendable {
      case nothing
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
      more = .round(others: Array(codes.dropFirst()), choosing: choosing, chance)
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
      if case .round(let others, _, _) = more { [code] + others } else { [code] }
    }

    /// One choice for a move; one per seat for a round, `nil` for seats that did not choose.
    public var choices: [MoveCode?] {
      guard case .round(_, let choosing, _) = more else { return [code] }
      return codes.enumerated().map { index, code in
        choosing.contains(Seat(UInt16(truncatingIfNeeded: index))) ? code : nil
      }
    }

    /// The choices as text, one for a move; one per seat for a round, empty for seats that did not choose.
    public func texts(in game: any GameState) -> [String] {
      choices.map { $0.map { game.text(of: $0) } ?? "" }
    }

    /// Whether it was a draw: a round in which no seat chose.
    public var isDraw: Bool { if case .round(_, let choosing, _) = more { choosing.isEmpty } else { false } }

    /// The random numbers that all seats drew together in a round.
    public var chance: Chance { if case .round(_, _, let chance) = more { chance } else { .none } }
  }

  init(number: Int, first: Seat, root: EventID, state: any GameState) {
    self.number = number
    self.first = first
    self.root = root
    self.state = state
    turn = state.turn
    playing = .all(state.seats)
    plies.reserveCapacity(9)
  }

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
    turn = state.turn
    playing.remove(seat)
    dropOuts.append(DropOut(seat: seat, ply: plies.count, cause: cause, event: event))
  }

  /// The positions before the first ply and after each of the first ones, without those who dropped out there.
  /// - Parameter start: the position before the first.
  /// - Returns: `nil` when a ply is not legal there: the record is not one of these rules.
  public func positions(from start: any GameState, plies count: Int) -> [any GameState]? {
    var state = start
    var positions: [any GameState] = []
    for ply in 0...count {
      for gone in dropOuts where gone.ply == ply { state.dropOut(gone.seat) }
      positions.append(state)
      if ply < count, !state.play(plies[ply]) { return nil }
    }
    return positions
  }

  /// Puts the game at another position.
  mutating func set(_ state: any GameState) {
    self.state = state
    turn = state.turn
  }

  /// Whether a take-back may return to a ply: nothing that chance gave or a seat chose in secret is taken back.
  package func mayReturn(to ply: Int) -> Bool { plies[ply...].allSatisfy { $0.seat != nil } }

  /// Plays a move of a seat.
  /// - Returns: `false`, and nothing changed, when it is not legal.
  mutating func play(_ code: MoveCode, by seat: Seat, _ note: Action.Note?, as node: EventID) -> Bool {
    guard let turn = state.play(code, by: seat) else { return false }
    self.turn = turn
    plies.append(Ply(node: node, code: code, seat: seat, note: note))
    return true
  }

  /// Plays one choice per seat together.
  /// - Returns: `false`, and nothing changed, when one is not legal.
  mutating func resolve(_ codes: [MoveCode], by chance: Chance, as node: EventID) -> Bool {
    let choosing = turn.choosing
    guard state.resolve(codes, by: chance) else { return false }
    turn = state.turn
    plies.append(Ply(node: node, codes: codes, choosing: choosing, chance: chance))
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
  func waits(for seat: Seat, _ round: RoomState.RoundProgress, playing: SeatSet) -> Bool {
    switch self {
    case .seat(let mover): mover == seat
    case .round:
      playing.contains(seat)
        && (round.commits[seat] == nil
          || (round.commits.count == playing.count && round.reveals[seat] == nil))
    case .over: false
    }
  }
}
