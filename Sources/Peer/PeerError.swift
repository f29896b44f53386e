internal import EventLog
public import Events

/// Why a peer cannot do what it was asked to.
public enum PeerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The room is not here.
  case unknownRoom(RoomID)
  /// The move is not legal here, or not this peer's to make; the reason in words.
  case notAllowed(String)
  /// The log refused; its reason in words.
  case log(String)
  /// Another command is at that, or the process that writes has ended: it can be done later; in words.
  case busy(String)
  /// The store has no space, and nothing of this was stored; its words. It can be done when there is space again.
  case full(String)
  /// The room is damaged or was made by other rules; the reason in words.
  case unplayable(String)

  /// The data folder may be older than what others hold of this peer, and nobody was asked yet.
  case recovering
  /// The same, and there is nobody who can be asked.
  case alone
  /// The same, and these peers, who have seats in the room, have not shown what they hold of it; without any,
  /// nobody has.
  case unconfirmed(RoomID, [PeerID])
  /// Another process with this key is on the network.
  case doubled
  /// The room was forgotten here, and not all has come back that this peer wrote there: so many events, or
  /// `ForgottenRoom.unknown` where the room was damaged.
  case notWhole(RoomID, UInt64)

  /// What can be done at once.
  private static let instead =
    "A rematch or any other new game can be played at once, and so can a new key, in another data folder"

  /// Does what the log or the coding of events may refuse; their words are the error's.
  static func mapped<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(PeerError) -> Value {
    do throws(Failure) { return try body() } catch { throw .log(error.description) }
  }

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unknownRoom(let room): "the room \(room.short) is not here"
    case .recovering:
      "this data folder may be an old copy: rooms held before can be written to when another peer was asked how far"
        + " they go"
    case .alone:
      "this data folder may be an old copy, and no other peer can be reached that knows how far its rooms go:"
        + " they can be written to when one comes. \(Self.instead)"
    case .unconfirmed(let room, let peers):
      "this data folder may be an old copy, and what it lacks of the room \(room.short) "
        + (peers.isEmpty
          ? "no peer that is connected has" : "\(peers.map(\.short).joined(separator: " and ")) may have")
        + ": the room can be written to when "
        + (peers.isEmpty
          ? "one that has the room comes" : "\(peers.count == 1 ? "that peer has" : "they have") come")
        + ". \(Self.instead)"
    case .doubled:
      "another process with this peer's key is on the network, perhaps from a copy of this data folder: neither may"
        + " write into rooms that others hold. End one of both and start the other again"
    case .notWhole(let room, ForgottenRoom.unknown):
      "the room \(room.short) was damaged here when it was forgotten: nobody knows how far this peer's own events went"
        + " there, and it writes nothing more into it. \(Self.instead)"
    case .notWhole(let room, let events):
      "the room \(room.short) was forgotten here, and the \(events) events that this peer wrote there have not all"
        + " come back: it can be written to when they have. \(Self.instead)"
    case .notAllowed(let words), .log(let words), .busy(let words), .full(let words), .unplayable(let words):
      words
    }
  }
}

extension PeerError {
  /// Why the log did not take or give something.
  init(_ error: LogError) {
    switch error {
    case .full(let words): self = .full(words)
    case .busy(let words): self = .busy(words)
    default: self = .log(error.description)
    }
  }
}
