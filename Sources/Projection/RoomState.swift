public import Events
public import Rules

/// What a room's events amount to. Equal sets of events give equal states, whatever the order of arrival.
public struct RoomState: Sendable {
  /// What the creator fixed.
  public let create: Create
  /// Who created the room.
  public let creator: PeerID
  /// The room's id.
  public let room: RoomID
  /// Where the room stands.
  public internal(set) var phase: Phase = .waiting
  /// Who sits where; `nil` for a free seat.
  public internal(set) var seats: [Occupant?] = []
  /// Requests that were neither granted nor withdrawn.
  public internal(set) var openRequests: [OpenRequest] = []
  /// The seat that moves first in the first game, once play has started.
  public internal(set) var first: Seat?
  /// The start event.
  public internal(set) var start: EventID?
  /// Games begun or next to begin, in order.
  public internal(set) var games: [GameRecord] = []
  /// The line's last event: what the next step stands on.
  public internal(set) var tip: EventID = .none
  /// The seats that have committed to a choice for the round that is on, and those that have revealed it.
  public internal(set) var round: RoundProgress = RoundProgress()
  /// A take-back that somebody asked for at the tip.
  public internal(set) var undoRequest: UndoRequest?
  /// Chat, in causal order of each author, authors by key.
  public internal(set) var chat: [ChatLine] = []
  /// What changes a tournament, in the order of the organizer's feed.
  public internal(set) var tournamentWords: [TournamentWord] = []
  /// Authors whose feeds are forked, ascending.
  public internal(set) var forked: [PeerID] = []

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
  }

  /// Something that changes a tournament.
  public enum TournamentWord: Hashable, Sendable {
    /// The organizer's word on one attempt at a pairing.
    case result(Action.PairingResult)
    /// An entrant has left. It stands before the organizer's first event that has it in its past; one that the
    /// organizer has not seen comes last, such ones by seat.
    case withdrawal(Seat)
  }

  /// Who holds a seat.
  public struct Occupant: Hashable, Sendable {
    public let peer: PeerID
    public let profile: Profile
    /// The grant that seats the peer; for the creator's own seat the `create` event.
    public let grant: EventID
    /// Whether the seat has signed the full roster.
    public internal(set) var isReady = false
  }

  /// Somebody who would like a seat.
  public struct OpenRequest: Hashable, Sendable {
    public let id: EventID
    public let peer: PeerID
    public let seat: UInt8
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
    public let id: EventID
    public let seat: Seat
    public let ply: Int
  }

  /// One line of chat.
  public struct ChatLine: Hashable, Sendable {
    public let event: EventID
    public let author: PeerID
    public let text: String
  }

  /// The seat of a peer.
  public func seat(of peer: PeerID) -> Seat? {
    seats.firstIndex { $0?.peer == peer }.map { Seat(UInt8(truncatingIfNeeded: $0)) }
  }

  /// The game that is on, or the last one.
  public var currentGame: GameRecord? { games.last }

  /// Whose choice the room waits for; `nil` unless a game is on.
  public var turn: Turn? {
    guard phase == .playing, let game = games.last, game.ending == nil else { return nil }
    return game.state.turn
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
  /// The position now.
  public internal(set) var state: any GameState
  /// How the game ended; `nil` while it is on.
  public internal(set) var ending: Ending?
  /// Whether every seat has signed this result.
  public internal(set) var isAgreed = false

  /// A move, or a round of choices.
  public struct Ply: Hashable, Sendable {
    /// The event that the next step stands on.
    public let node: EventID
    /// One code for a move; one per seat for a round.
    public let codes: [MoveCode]
    /// Who moved; `nil` for a round.
    public let seat: Seat?
    /// What a bot's search said of the move.
    public let note: Action.Note?
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
  }
}
