/// What an event's payload says, by kind (Docs/PROTOCOL.md §4).
public enum Action: Hashable, Sendable {
  /// A payload of a kind that is not known here, or that is not in its kind's one form: kept, and without effect.
  indirect case unreadable(code: UInt8, payload: [UInt8])
  indirect case create(Create)
  indirect case request(seat: UInt16, Profile)
  case grant(request: EventID, seat: UInt16)
  case ready(roster: Digest, commitment: Digest)
  case draw(nonce: Digest)
  case start(roster: Digest)
  case move(Step, code: UInt32, Note?)
  case commit(Step, commitment: Digest)
  case reveal(Step, choice: UInt32, salt: Digest)
  case resign(node: EventID)
  case undoRequest(node: EventID, ply: UInt16)
  case undoAccept(request: EventID)
  case result(game: UInt16, ending: EventID, scores: [Int32])
  case leave(node: EventID)
  case claim(node: EventID, seat: UInt16)
  case ruling(claim: EventID)
  case chat(String)
  indirect case pairingResult(PairingResult)
  case invite(PeerID)
  case drawOffer(node: EventID)
  case drawAccept(node: EventID, offer: EventID)
  case drawDecline(offer: EventID)

  /// Where a play event stands: the game and the ply (or round) from 0, and the event it stands on.
  public struct Step: Hashable, Sendable {
    public var game: UInt16
    public var ply: UInt16
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
    public var value: Int32
    public var isProven: Bool
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
      public var author: PeerID
      public var sequence: UInt64
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
    public enum Walkover: UInt8, Sendable { case played, firstAbsent, secondAbsent, bothAbsent }

    public var pairing: UInt32
    public var attempt: UInt8
    public var room: RoomID
    /// What the organizer had seen of the room, ascending; none without a room.
    public var heads: [Head]
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
    case .invite: .invite
    case .drawOffer: .drawOffer
    case .drawAccept: .drawAccept
    case .drawDecline: .drawDecline
    }
  }

  /// The number of the payload's kind.
  public var code: UInt8 {
    if case .unreadable(let code, _) = self { code } else { kind?.rawValue ?? 0 }
  }

  /// Whether every payload of the kind that can be made can be read back: it has no part that may be too long.
  var hasFixedLength: Bool {
    switch self {
    case .create, .request, .result, .chat, .pairingResult, .unreadable: false
    default: true
    }
  }
}
