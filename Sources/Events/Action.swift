/// What an event's payload says, by kind (Docs/PROTOCOL.md §4).
public enum Action: Hashable, Sendable {
  /// A payload of a kind that is not known here, or that is not in its kind's one form: kept, and without effect.
  indirect case unreadable(code: UInt8, payload: [UInt8])
  /// Opens a room, and says all that is fixed for it.
  indirect case create(Create)
  /// Asks for a seat, `Create.noSeat` for any.
  indirect case request(seat: UInt16, Profile)
  /// The creator gives a seat to the author of a request.
  case grant(request: EventID, seat: UInt16)
  /// A seat agrees to the roster, by its hash, and commits to its part of the joint draw.
  case ready(roster: Digest, commitment: Digest)
  /// A seat opens its part of the joint draw.
  case draw(nonce: Digest)
  /// The creator begins play with a roster.
  case start(roster: Digest)
  /// A move, where seats move in turn.
  case move(Step, code: UInt32, Note?)
  /// A seat commits to its choice, where seats choose at once.
  case commit(Step, commitment: Digest)
  /// A seat opens its choice: the move's code, and the salt of its commitment.
  case reveal(Step, choice: UInt32, salt: Digest)
  /// A seat gives up the game whose last step is this event.
  case resign(node: EventID)
  /// A seat asks to go back to before a ply; the line's last step is this event.
  case undoRequest(node: EventID, ply: UInt16)
  /// The other seat agrees to a request.
  case undoAccept(request: EventID)
  /// A seat signs how a game ended: at which event, with which scores by seat.
  case result(game: UInt16, ending: EventID, scores: [Int32])
  /// A peer leaves; in play, where the line's last step is this event.
  case leave(node: EventID)
  /// A seat claims that another one owes the step after this event, and is silent.
  case claim(node: EventID, seat: UInt16)
  /// The referee rules on a claim.
  case ruling(claim: EventID)
  /// Words to all in the room.
  case chat(String)
  /// A tournament's organizer writes the result of a pairing.
  indirect case pairingResult(PairingResult)
  /// A tournament's organizer disqualifies the entrant of a seat, and says why.
  case disqualify(seat: UInt16, reason: String)
  /// A tournament's organizer takes back what it decided in another event.
  case revoke(word: EventID)
  /// The creator invites a peer.
  case invite(PeerID)
  /// A seat offers a draw where the line's last step is this event.
  case drawOffer(node: EventID)
  /// The other seat takes an offer.
  case drawAccept(node: EventID, offer: EventID)
  /// The other seat declines an offer.
  case drawDecline(offer: EventID)
  /// What is said in a room of hosted rounds.
  indirect case hosted(HostedAction)

  /// Where a play event stands: the game and the ply (or round) from 0, and the event it stands on.
  public struct Step: Hashable, Sendable {
    /// The game in the room's series, from 0.
    public var game: UInt16
    /// The ply or round of the game, from 0.
    public var ply: UInt16
    /// The event that the step stands on.
    public var node: EventID

    /// A step at this place.
    public init(game: UInt16, ply: UInt16, node: EventID) {
      self.game = game
      self.ply = ply
      self.node = node
    }
  }

  /// What a search says of its move.
  public struct Note: Hashable, Sendable {
    /// The value for the mover in the game's own units; when not proven, the best bound known.
    public var value: Int32
    /// Whether the move is proven best.
    public var isProven: Bool
    /// How many positions were visited.
    public var nodes: UInt64

    /// A note of these values.
    public init(value: Int32, isProven: Bool, nodes: UInt64) {
      self.value = value
      self.isProven = isProven
      self.nodes = nodes
    }
  }

  /// The organizer's word on one attempt at a pairing.
  public struct PairingResult: Hashable, Sendable {
    /// The most heads that a word names.
    public static let limitHeads = 32

    /// An event of the pairing's room that the organizer had seen: the last one of a feed, or of a branch of it.
    public struct Head: Hashable, Comparable, Sendable {
      /// Whose feed it is.
      public var author: PeerID
      /// The event's place in the feed, from 1.
      public var sequence: UInt64
      /// The event.
      public var event: EventID

      /// A head of these values.
      public init(author: PeerID, sequence: UInt64, event: EventID) {
        self.author = author
        self.sequence = sequence
        self.event = event
      }

      /// Heads stand in the order of their authors, branches of one feed in that of their ids.
      public static func < (a: Head, b: Head) -> Bool { (a.author, a.event) < (b.author, b.event) }
    }

    /// Who did not come.
    public enum Walkover: UInt8, Sendable {
      /// Both came, and played.
      case played
      /// The first entrant of the pairing was absent.
      case firstAbsent
      /// The second one was.
      case secondAbsent
      /// Both were.
      case bothAbsent
    }

    /// The pairing's number in the tournament.

    public var pairing: UInt32
    /// Which attempt at the pairing this is, from 0.
    public var attempt: UInt8
    /// The room in which it was played; none for one that was not.
    public var room: RoomID
    /// What the organizer had seen of the room, ascending; none without a room.
    public var heads: [Head]
    /// Who did not come.
    public var walkover: Walkover
    /// The two seats' scores of each game.
    public var games: [[Int32]]

    /// A result of these values; each game has two scores. At most 32 heads are taken.
    public init(
      pairing: UInt32, attempt: UInt8, room: RoomID, heads: [Head], walkover: Walkover, games: [[Int32]]
    ) {
      self.pairing = pairing
      self.attempt = attempt
      self.room = room
      self.heads = Array(heads.sorted().prefix(Self.limitHeads))
      self.walkover = walkover
      self.games = games
    }
  }

  /// The payload's kind; `nil` when it cannot be read.
  public var kind: Kind? {
    switch self {
    case .unreadable: nil
    case .create: .create
    case .request: .request
    case .grant: .grant
    case .ready: .ready
    case .draw: .draw
    case .start: .start
    case .move: .move
    case .commit: .commit
    case .reveal: .reveal
    case .resign: .resign
    case .undoRequest: .undoRequest
    case .undoAccept: .undoAccept
    case .result: .result
    case .leave: .leave
    case .claim: .claim
    case .ruling: .ruling
    case .chat: .chat
    case .pairingResult: .pairingResult
    case .disqualify: .disqualify
    case .revoke: .revoke
    case .invite: .invite
    case .drawOffer: .drawOffer
    case .drawAccept: .drawAccept
    case .drawDecline: .drawDecline
    case .hosted(let action): action.kind
    }
  }

  /// The number of the payload's kind.
  public var code: UInt8 {
    if case .unreadable(let code, _) = self { code } else { kind?.rawValue ?? 0 }
  }

  /// Whether every payload of the kind that can be made can be read back: it has no part that may be too long.
  var hasFixedLength: Bool {
    switch self {
    case .create, .request, .result, .chat, .pairingResult, .disqualify, .hosted, .unreadable: false
    default: true
    }
  }
}
