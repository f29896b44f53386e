package import Events

/// What checking the organizer's word on an attempt at a pairing found.
package struct PairingFinding: Hashable, Sendable {
  /// How the word stands to the room of its games. Raw values are the names in words and in JSON.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The room gives what the word says; or it is a decision that no signed result is against.
    case holds
    /// The room is another pairing's, or gives something else where the word's heads are.
    case contradicted
    /// An earlier word names the same room.
    case roomUsedTwice = "room used twice"
    /// It names events of the room that nobody wrote.
    case headsNeverWere = "heads that never were"
    /// All seats had signed something else in what the word's heads rest on.
    case void
    /// All seats have signed something else, which the organizer had not seen: no fraud.
    case againstSigned = "decided against a signed result"
    /// The room is not here, or only in part.
    case notProven = "not proven"
    /// The organizer may not decide its own pairing.
    case refused

    /// Whether the word is false, as its bytes and the room prove.
    package var isFalse: Bool {
      switch self {
      case .contradicted, .roomUsedTwice, .headsNeverWere, .void: true
      case .holds, .againstSigned, .notProven, .refused: false
      }
    }
  }

  /// The event that the word stands in.
  package let event: EventID
  /// The pairing.
  package let pairing: PairingNumber
  /// Which of its rooms, from 0.
  package let attempt: UInt8
  /// The room that the word names; zero when it names none.
  package let room: RoomID
  /// How the word stands to it.
  package let kind: Kind
  /// Why, in words; empty where it holds.
  package let reason: String
  /// Whether nothing but the organizer's word says that somebody was absent, so that it is a decision and no result of
  /// games.
  package let isDecision: Bool

  /// What was found, in words: “M1, attempt 1: void: every seat had signed 1–0”.
  package var description: String {
    "\(pairing), attempt \(Int(attempt) + 1): \(kind.rawValue)" + (reason.isEmpty ? "" : ": \(reason)")
  }
}
