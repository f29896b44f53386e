/// What an event does (Docs/PROTOCOL.md §1.2): the kinds of edition 1.
public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// Opens a room, and says all that is fixed for it.
  case create = 1
  /// Asks for a seat.
  case request = 2
  /// The creator gives the seat that a request asked for.
  case grant = 3
  /// A seat agrees to the roster, and commits to its part of the joint draw.
  case ready = 4
  /// A seat opens its part of the joint draw.
  case draw = 5
  /// The creator begins play with the roster that all seats agreed to.
  case start = 6
  /// A move, where seats move in turn.
  case move = 7
  /// A seat commits to its choice, where seats choose at once.
  case commit = 8
  /// A seat opens its choice.
  case reveal = 9
  /// A seat gives its game up.
  case resign = 10
  /// A seat asks to take back its last move.
  case undoRequest = 11
  /// The other seat agrees to that.
  case undoAccept = 12
  /// A seat signs how a game ended.
  case result = 13
  /// A peer leaves: it takes its request back, or gives up its seat.
  case leave = 14
  /// A seat claims that another one, which owes a step, is silent.
  case claim = 15
  /// The referee rules on a claim.
  case ruling = 16
  /// Words to all in the room.
  case chat = 17
  /// A tournament's organizer writes the result of a pairing.
  case pairingResult = 18
  /// The creator invites a peer.
  case invite = 19
  /// A seat offers a draw.
  case drawOffer = 20
  /// The other seat takes the offer.
  case drawAccept = 21
  /// The other seat declines it.
  case drawDecline = 22
  /// Somebody shows the host of rounds that it knows the join code.
  case joinProof = 23
  /// The host does not take a peer in.
  case joinRefusal = 24
  /// The host opens a round.
  case roundOpen = 25
  /// A player enters something in a round.
  case entry = 26
  /// The host acknowledges entries, each with its time.
  case receipts = 27
  /// The host closes a round.
  case roundClose = 28
  /// The host opens the solution of a round, and the entries that were sealed to it.
  case settle = 29
  /// A player shows that its entry can be read.
  case entryProof = 30
  /// The host carries over the scores of a room that stopped.
  case carry = 31
  /// A tournament's organizer disqualifies an entrant.
  case disqualify = 32
  /// The host of rounds says which sealed entries are right.
  case marks = 33
  /// A tournament's organizer takes a decision of its own back.
  case revoke = 34

  /// Whether the kind has one layout in all editions: from these it follows who may hold a room, and whom its members
  /// may name.
  package var isOfMembership: Bool {
    switch self {
    case .create, .request, .grant, .start, .leave, .invite: true
    default: false
    }
  }

  /// The kinds that rooms of hosted rounds have, and no others.
  package static let ofHostedRounds: [Kind] = [
    .joinProof, .joinRefusal, .roundOpen, .entry, .receipts, .roundClose, .settle, .entryProof, .carry,
    .marks,
  ]

  /// The kind's name in tables and `--json`.
  public var name: String {
    switch self {
    case .undoRequest: "undo-request"
    case .undoAccept: "undo-accept"
    case .drawOffer: "draw-offer"
    case .drawAccept: "draw-accept"
    case .drawDecline: "draw-decline"
    case .pairingResult: "pairing-result"
    case .joinProof: "join-proof"
    case .joinRefusal: "join-refusal"
    case .roundOpen: "round-open"
    case .roundClose: "round-close"
    case .entryProof: "entry-proof"
    default: "\(self)"
    }
  }
}
