public import Events

/// Why a peer cannot do what it was asked to.
public enum PeerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The room is not here.
  case unknownRoom(RoomID)
  /// The move is not legal here, or not this peer's to make; the reason in words.
  case notAllowed(String)
  /// The log refused; its reason in words.
  case log(String)
  /// The room is damaged or was made by other rules; the reason in words.
  case unplayable(String)

  /// The data folder may be older than what others hold of this peer, and nobody was asked yet.
  case recovering
  /// The same, and there is nobody who can be asked.
  case alone

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unknownRoom(let room): "the room \(room.short) is not here"
    case .recovering:
      "this data folder may be an old copy: rooms held before can be written to when another peer was asked how far"
        + " they go"
    case .alone:
      "this data folder may be an old copy, and no other peer can be reached that knows how far its rooms go:"
        + " they can be written to when one comes; a new key may play at once"
    case .notAllowed(let words), .log(let words), .unplayable(let words): words
    }
  }
}
