import EventLog
import Events
import Projection
import Rules
import Tournaments

/// What is wrong with a room whose events are all genuine: signed results that the moves do not give.
struct RoomFault: Hashable {
  /// The event that says what is not so.
  let event: EventID
  /// What is wrong with it.
  let reason: String
}

/// Plays a room's games again and compares them with what its peers signed.
struct RoomCheck {
  /// The first thing that is false; `nil` when everything that can be checked here holds.
  private(set) var fault: RoomFault?
  /// What could not be checked, and why.
  private(set) var notes: [String] = []

  /// Checks a room.
  /// - Parameter other: a room of the same log, `nil` when it is not there.
  init(_ room: inout Room, other: (RoomID) throws -> Room?) throws {
    if room.rules == nil {
      notes.append("its rules are not known here, so its games were not played again")
    }
    fault = Self.falseResult(in: &room)
    if let error = room.tournamentFault {
      fault = fault ?? RoomFault(event: room.state.room, reason: "its settings cannot be: \(error)")
    }
    guard let tournament = room.tournament else { return }
    for result in tournament.rooms where fault == nil {
      fault = try check(result, of: room, other: other)
    }
  }

  /// A result that every seat signed alike and that the moves do not give.
  private static func falseResult(in room: inout Room) -> RoomFault? {
    var signers: [SignedResult: [PeerID]] = [:]
    for (entry, verdict) in zip(room.log.entries, room.verdicts()) {
      guard verdict.verdict == .wrongResult,
        case .result(let game, let ending, let scores) = entry.event.action
      else { continue }
      let signed = SignedResult(game: game, ending: ending, scores: scores)
      signers[signed, default: []].append(entry.event.author)
      let peers = room.state.seats.compactMap { $0?.peer }
      guard Set(signers[signed] ?? []) == Set(peers) else { continue }
      return RoomFault(
        event: entry.event.id,
        reason: "every seat signed a result of game \(Int(game) + 1) that its moves do not give")
    }
    return nil
  }

  private struct SignedResult: Hashable {
    let game: UInt16
    let ending: EventID
    let scores: [Int32]
  }

  /// Compares the organizer's word on a pairing with the room that it names.
  private mutating func check(
    _ result: Action.PairingResult, of tournament: Room, other: (RoomID) throws -> Room?
  ) throws -> RoomFault? {
    let entry = tournament.log.entries.first { $0.event.action == .pairingResult(result) }
    guard let word = entry?.event.id else { return nil }
    let pairing = "\(PairingNumber(result.pairing)), attempt \(Int(result.attempt) + 1)"
    guard result.room.isSome, let room = try other(result.room) else {
      if result.walkover == .played {
        notes.append("\(pairing): room \(result.room.short) is not here, or damaged")
      }
      return nil
    }
    guard
      case .games(tournament.state.room, result.pairing, result.attempt) = room.state.create.purpose
    else { return RoomFault(event: word, reason: "\(pairing): the room it names was not made for it") }
    guard result.walkover == .played else { return nil }
    let held = room.state.games.compactMap { $0.ending?.outcome?.scores }
    for (number, scores) in zip(held, result.games).enumerated() where scores.0 != scores.1 {
      return RoomFault(
        event: word, reason: "\(pairing): game \(number + 1) of room \(result.room.short) ended otherwise")
    }
    if held.count < result.games.count {
      notes.append("\(pairing): room \(result.room.short) is here only in part")
    } else if room.log.clock.digest(room: result.room) != result.heads {
      notes.append("\(pairing): room \(result.room.short) has events that came after its result")
    }
    return nil
  }
}
