/// What an event does (Docs/PROTOCOL.md §1.2): the kinds of edition 1.
public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case create = 1
  case request = 2
  case grant = 3
  case ready = 4
  case draw = 5
  case start = 6
  case move = 7
  case commit = 8
  case reveal = 9
  case resign = 10
  case undoRequest = 11
  case undoAccept = 12
  case result = 13
  case leave = 14
  case claim = 15
  case ruling = 16
  case chat = 17
  case pairingResult = 18
  case invite = 19
  case drawOffer = 20
  case drawAccept = 21
  case drawDecline = 22

  /// Whether the kind has one layout in all editions: from these it follows who may hold a room, and whom its members
  /// may name.
  package var isOfMembership: Bool {
    switch self {
    case .create, .request, .grant, .start, .leave, .invite: true
    default: false
    }
  }

  /// The kind's name in tables and `--json`.
  public var name: String {
    switch self {
    case .undoRequest: "undo-request"
    case .undoAccept: "undo-accept"
    case .drawOffer: "draw-offer"
    case .drawAccept: "draw-accept"
    case .drawDecline: "draw-decline"
    case .pairingResult: "pairing-result"
    default: "\(self)"
    }
  }
}
