package import Events
import Projection

/// One word of the organizer's on an attempt at a pairing, compared with the room that it names.
struct WordCheck {
  /// What was found, in words.
  struct Finding {
    let kind: PairingFinding.Kind
    var reason = ""
    /// Whether all seats have signed what the word says.
    var isSigned = false
  }

  let tournament: TournamentRoom
  let attempt: PairingAttempt
  let result: Action.PairingResult

  /// Whether the word says that the games were played and ended so.
  func states(_ scores: [[Int32]]) -> Bool { result.walkover == .played && result.games == scores }

  /// What the word is worth beside this room.
  func finding(in room: PairingRoom) -> Finding {
    if let reason = tournament.otherTerms(of: room.state, than: attempt) {
      return Finding(kind: .contradicted, reason: reason)
    }
    guard room.state.isKnown else {
      return Finding(kind: .notProven, reason: "the rules of room \(result.room.short) are not known here")
    }
    let participants = room.state.participants + tournament.peers(of: attempt)
    if let stranger = result.heads.first(where: { !participants.contains($0.author) }) {
      return Finding(
        kind: .headsNeverWere,
        reason: "it rests on peer \(stranger.author.short), who has no part in its room")
    }
    switch room.past {
    case .invented(let head):
      return Finding(
        kind: .headsNeverWere,
        reason:
          "what it names as event \(head.sequence) of peer \(head.author.short) is not what that peer wrote")
    case .missing(_, let rest?) where rest.signedScores(of: attempt.games) != nil:
      return finding(in: room.state, past: rest)
    case .missing(let head, _):
      return Finding(
        kind: .notProven,
        reason: "room \(result.room.short) is here only in part: "
          + "event \(head.sequence) of peer \(head.author.short) is missing")
    case .held(let past): return finding(in: room.state, past: past)
    }
  }

  /// What the word is worth by who sat in the room, and what was over, where the word rests on it: whoever forks a feed
  /// later can change who sits there now.
  private func finding(in state: PairingRoom.Told, past: PairingRoom.Told) -> Finding {
    if let reason = tournament.strangerSeated(in: past, of: attempt) {
      return Finding(kind: .contradicted, reason: reason)
    }
    if let signed = past.signedScores(of: attempt.games) {
      return states(signed)
        ? Finding(kind: .holds, isSigned: true)
        : Finding(kind: .void, reason: "every seat had signed \(Self.words(signed)), which counts")
    }
    if tournament.peers(of: attempt).contains(tournament.organizer),
      state.create.referee != tournament.referee(of: attempt)
    {
      return Finding(
        kind: .contradicted,
        reason:
          "the organizer plays in room \(result.room.short), whose referee is not the one that the tournament names"
      )
    }
    if let reason = difference(past) { return Finding(kind: .contradicted, reason: reason) }
    guard tournament.strangerSeated(in: state, of: attempt) == nil,
      let signed = state.signedScores(of: attempt.games)
    else { return Finding(kind: .holds) }
    return states(signed) ? Finding(kind: .holds, isSigned: true) : Self.against(signed)
  }

  /// That the word stands against what all seats have signed meanwhile, or in another room.
  static func against(_ signed: [[Int32]]) -> Finding {
    Finding(
      kind: .againstSigned,
      reason: "every seat signed \(words(signed)), which the organizer had not seen; the decision stands")
  }

  /// What the games that were over at the word's heads give against it; `nil` for nothing.
  private func difference(_ past: PairingRoom.Told) -> String? {
    let room = "room \(result.room.short)"
    let ended = past.endedScores
    for (number, scores) in zip(ended, result.games).enumerated() where scores.0 != scores.1 {
      return "game \(number + 1) of \(room) ended otherwise"
    }
    if ended.count < result.games.count {
      return "game \(ended.count + 1) of \(room) was not over where the word rests on it"
    }
    if ended.count > result.games.count {
      return "game \(result.games.count + 1) of \(room) was over, and the word does not say how it ended"
    }
    return nil
  }

  static func words(_ scores: [[Int32]]) -> String {
    scores.map { $0.map(String.init).joined(separator: "–") }.joined(separator: ", ")
  }
}

extension TournamentRoom {
  /// Whether a word of the organizer's on an attempt is false beside its room.
  package func isFalse(
    _ result: Action.PairingResult, on attempt: PairingAttempt, in room: PairingRoom
  ) -> Bool {
    WordCheck(tournament: self, attempt: attempt, result: result).finding(in: room).kind.isFalse
  }

  /// The openings of the room of an attempt: those of the tournament go through its pairings, one for two games of a
  /// pairing, whose attempts are counted as one series.
  package func openings(of attempt: PairingAttempt) -> [[UInt16]] {
    let all = create.openings
    guard !all.isEmpty else { return [] }
    let pairing = attempt.pairing
    let before = attempt.attempt == 0 ? 0 : pairing.games + Int(attempt.attempt) - 1
    let first = Int(pairing.number.rawValue) * ((pairing.games + 1) / 2) + before / 2
    return (0..<min(all.count, (attempt.games + 1) / 2)).map { all[(first + $0) % all.count] }
  }

  /// The peers of an attempt, by seat.
  func peers(of attempt: PairingAttempt) -> [PeerID] { attempt.entrants.map { entrants[$0.index].peer } }

  /// Why a room is not one of this attempt at a pairing; `nil` when it is.
  func misfit(of room: PairingRoom.Told, to attempt: PairingAttempt) -> String? {
    otherTerms(of: room, than: attempt) ?? strangerSeated(in: room, of: attempt)
  }

  /// Why a room was not made for this attempt; `nil` when it was. That stays as it is, whatever comes of the room.
  func otherTerms(of room: PairingRoom.Told, than attempt: PairingAttempt) -> String? {
    let made = room.create
    let peers = peers(of: attempt)
    let name = "room \(room.room.short)"
    let purpose = Create.Purpose.games(
      tournament: self.room, pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt)
    if made.purpose != purpose { return "\(name) was not made for it" }
    guard room.creator == organizer || peers.contains(room.creator) else {
      return "\(name) was made by somebody who has no part in it"
    }
    let isSameGame =
      Int(made.seats) == peers.count && made.rules == create.rules && made.rulesVersion == create.rulesVersion
      && made.parameters == create.parameters && Int(made.games) == attempt.games
      && made.openings == openings(of: attempt)
    if !isSameGame {
      return "\(name) has another game, other openings or another number of games than the tournament"
    }
    if made.hasOpenRounds != create.hasOpenRounds {
      return "\(name) does not play its rounds as the tournament says, in secret or in the open"
    }
    return nil
  }

  /// Which seat of a room that was made for this attempt is held by somebody else than the entrant, in words.
  func strangerSeated(in room: PairingRoom.Told, of attempt: PairingAttempt) -> String? {
    let pairs = Array(zip(room.seats, peers(of: attempt)))
    guard let seat = pairs.firstIndex(where: { seated, entrant in seated != nil && seated != entrant }) else {
      return nil
    }
    return "seat \(seat + 1) of room \(room.room.short) is not held by the entrant that is paired"
  }
}
