public import Events
public import Rules

/// What a room's events amount to. Equal sets of events give equal states, whatever the order of arrival.
public struct RoomState: Sendable {
  /// Everything that a step of a game leaves as it is; one reference, because states are read at every step.
  final class Company: Sendable {
    let opening: Event
    let create: Create
    let seats: [Occupant?]
    let openRequests: RequestList
    let invited: [PeerID]
    let first: Seat?
    let start: EventID?
    let chat: [ChatLine]
    let tournamentWords: [TournamentWord]
    let forked: [PeerID]
    let seeding: SeedingDraw?
    /// Who sits where, by seat, and the referee that holds no seat: asked for at each step.
    let peers: [PeerID?]
    let referee: PeerID?

    init(
      opening: Event, create: Create, seats: [Occupant?], openRequests: RequestList, invited: [PeerID],
      first: Seat?,
      start: EventID?, chat: [ChatLine], tournamentWords: [TournamentWord], forked: [PeerID],
      seeding: SeedingDraw? = nil
    ) {
      self.opening = opening
      self.create = create
      self.seats = seats
      self.openRequests = openRequests
      self.invited = invited
      self.first = first
      self.start = start
      self.chat = chat
      self.tournamentWords = tournamentWords
      self.forked = forked
      self.seeding = seeding
      peers = seats.map { $0?.peer }
      referee = create.referee.isSome && !peers.contains(create.referee) ? create.referee : nil
    }
  }

  /// What steps change; one reference as well, because a state is handed on several times at every step.
  final class Play: Sendable {
    let phase: Phase
    let isMidGame: Bool
    let games: [GameRecord]
    let tip: EventID
    let round: RoundProgress
    let undoRequest: UndoRequest?
    let drawOffers: [DrawOffer]
    let claims: [OpenClaim]
    let hosted: HostedState?

    init(
      phase: Phase, isMidGame: Bool = false, games: [GameRecord] = [], tip: EventID = .none,
      round: RoundProgress = RoundProgress(),
      undoRequest: UndoRequest? = nil, drawOffers: [DrawOffer] = [], claims: [OpenClaim] = [],
      hosted: HostedState? = nil
    ) {
      self.phase = phase
      self.isMidGame = isMidGame
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

  /// What the creator fixed; where the room is played by fewer than it has seats for, as if it had been made for those.
  public var create: Create { company.create }
  /// Who created the room.
  public var creator: PeerID { company.opening.author }
  /// Milliseconds since 1970 when the room was created, by the creator's clock.
  package var createdAt: UInt64 { company.opening.wallTime }
  /// The room's id.
  public var room: RoomID { company.opening.id }
  /// Where the room stands.
  public var phase: Phase { play.phase }
  /// Who sits where; `nil` for a free seat.
  public var seats: [Occupant?] { company.seats }
  /// Requests that were neither granted nor withdrawn.
  public var openRequests: [OpenRequest] { company.openRequests.all }
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
  /// Chat, in causal order of each author, authors by key: of each author the last `limitChatLines`, and of all
  /// together who neither sit nor made the room at most `limitOnlookersLines`.
  public var chat: [ChatLine] { company.chat }
  /// What changes a tournament, in the order of the organizer's feed.
  public var tournamentWords: [TournamentWord] { company.tournamentWords }
  /// Where the draw of a tournament's seeds stands; `nil` before the organizer calls anybody, and from the start on.
  public var seeding: SeedingDraw? { company.seeding }
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
    /// The organizer has disqualified an entrant, says why, and the event that it stands in.
    case disqualification(Seat, reason: String, event: EventID)
    /// The organizer has let an entrant in after the start, by the event of its grant.
    case entry(Seat, event: EventID)
    /// The organizer takes back a decision of its own: an absence or a disqualification, by its event.
    case revocation(of: EventID, event: EventID)

    /// The event that it stands in; `nil` for a withdrawal.
    public var event: EventID? {
      switch self {
      case .withdrawal: nil
      case .result(_, let event), .disqualification(_, _, let event), .entry(_, let event),
        .revocation(_, let event):
        event
      }
    }

    /// Whether the organizer decides in it what nobody has played, and may take that back.
    public var isDecision: Bool {
      switch self {
      case .result(let result, _): result.walkover != .played
      case .disqualification: true
      case .withdrawal, .entry, .revocation: false
      }
    }
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

  /// The most lines of chat of one author.
  public static let limitChatLines = 128
  /// The most lines of chat of all together who neither sit nor made the room.
  public static let limitOnlookersLines = 512

  /// One line of chat.
  public struct ChatLine: Hashable, Sendable {
    private let said: Event

    /// A line that an event says.
    init(_ event: Event) { said = event }

    /// The line's event.
    public var event: EventID { said.id }
    /// Who says it.
    public var author: PeerID { said.author }
    /// The words, as they came: a display must guard itself.
    public var text: String {
      guard case .chat(let text) = said.action else { return "" }
      return text
    }
  }

  /// The seat of a peer.
  public func seat(of peer: PeerID) -> Seat? {
    company.peers.firstIndex(of: peer).map { Seat(UInt16(truncatingIfNeeded: $0)) }
  }

  /// The referee that `create` names, unless it holds a seat: then nobody rules.
  public var referee: PeerID? { company.referee }

  /// Whether the room is a tournament.
  package var isTournament: Bool { company.create.isTournament }

  /// Whether seats may agree on a draw.
  public var allowsDraws: Bool {
    guard let rules = position else { return false }
    return seats.count == 2 && rules.canBeDrawn && !rules.turn.isRound
  }

  /// Whether a game is on in which nobody owes anything but a choice, and nobody has asked for anything at its tip.
  public var isMidGame: Bool { play.isMidGame }

  /// The seats that play the game that is on: those that have not dropped out.
  public var playing: SeatSet { games.last?.playing ?? .none }

  /// Whether the game that is on waits for a step of this seat.
  public func owes(_ seat: Seat) -> Bool {
    turn?.waits(for: seat, round, playing: playing, hasReferee: refereeOfChance != nil) ?? false
  }

  /// The referee, where it has a share in the chance of the round that is on: it commits with the seats, and reveals
  /// when they have. Nobody waits for one whose feed is forked.
  public var refereeOfChance: PeerID? {
    guard turn?.isRound == true, position?.usesChance == true, let referee, !forked.contains(referee) else {
      return nil
    }
    return referee
  }

  /// Whether the game that is on waits for the referee's share in chance.
  public var refereeOwes: Bool {
    guard refereeOfChance != nil else { return false }
    return round.refereeCommit == nil
      || round.revealed == playing.count && round.refereeReveal == nil
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

  /// How many may still be let into a tournament that has started; 0 in all other rooms.
  public var lateSeats: Int {
    guard start != nil, case .create(let made) = company.opening.action else { return 0 }
    return max(0, made.placesAfterStart - seats.count)
  }

  /// How many may sit here, those included who may still be let into a tournament that has started.
  public var places: Int { seats.count + lateSeats }

  /// Whether a peer's request for a seat would count, when it is written by who has seen this state.
  public func mayRequest(_ peer: PeerID) -> Bool {
    peer != creator && peer != create.referee && (start == nil || lateSeats > 0)
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

  /// The plies that stand of the game that is on, or the last one.
  package var plies: [GameRecord.Ply] { games.isEmpty ? [] : games[games.count - 1].plies }

  /// How many plies stand of the game that is on, or the last one.
  public var plyCount: Int { games.isEmpty ? 0 : games[games.count - 1].plies.count }

  /// Whose choice the room waits for; `nil` unless a game is on.
  public var turn: Turn? {
    guard phase == .playing, let last = games.indices.last, games[last].ending == nil else { return nil }
    return games[last].turn
  }
}
