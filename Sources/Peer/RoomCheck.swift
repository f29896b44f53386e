package import EventLog
package import Events
internal import Projection
package import Rules
internal import Tournaments

/// What is wrong with a room whose events are all genuine: signed results that the moves do not give.
package struct RoomFault: Hashable, Sendable {
  /// The event that says what is not so.
  package let event: EventID
  /// What is wrong with it.
  package let reason: String
}

/// Plays a room's games again and compares them with what its peers signed.
package struct RoomCheck: Sendable {
  /// The first thing that is false; `nil` when everything that can be checked here holds.
  package private(set) var fault: RoomFault?
  /// What could not be checked, and why.
  package private(set) var notes: [String] = []

  /// Checks a room.
  /// - Parameter store: where the rooms of a tournament's games are looked for; `nil` for nowhere.
  /// - Throws: `.corrupt` when the room does not begin with its `create`, or what the store throws.
  package init(_ log: RoomLog, in store: (any EventLog)?, _ catalog: GameCatalog) throws(LogError) {
    var projection = try log.projection(catalog)
    let state = projection.state
    switch state.phase {
    case .unknownRules: notes.append("its rules are not known here, so its games were not played again")
    case .unknownEdition(let edition):
      notes.append(
        "it is of edition \(edition) and this program knows \(Create.edition), so nothing was derived")
    default: break
    }
    fault = Self.falseResult(in: log, state, projection.verdicts())
    var results: [Action.PairingResult] = []
    do throws(TournamentError) { results = try TournamentRoom(state, catalog)?.rooms ?? [] } catch {
      fault = fault ?? RoomFault(event: state.room, reason: "its settings cannot be: \(error)")
    }
    for result in results where fault == nil {
      fault = try check(result, of: log, in: store, catalog)
    }
  }

  /// A result that every seat signed alike and that the moves do not give.
  private static func falseResult(
    in log: RoomLog, _ state: RoomState, _ verdicts: [(event: EventID, verdict: Verdict)]
  ) -> RoomFault? {
    let peers = Set(state.seats.compactMap { $0?.peer })
    var signers: [SignedResult: Set<PeerID>] = [:]
    for (entry, verdict) in zip(log.entries, verdicts) {
      guard verdict.verdict == .wrongResult,
        case .result(let game, let ending, let scores) = entry.event.action
      else { continue }
      let signed = SignedResult(game: game, ending: ending, scores: scores)
      signers[signed, default: []].insert(entry.event.author)
      guard signers[signed] == peers else { continue }
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
    _ result: Action.PairingResult, of tournament: RoomLog, in store: (any EventLog)?, _ catalog: GameCatalog
  ) throws(LogError) -> RoomFault? {
    let entry = tournament.entries.first { $0.event.action == .pairingResult(result) }
    guard let word = entry?.event.id else { return nil }
    let pairing = "\(PairingNumber(result.pairing)), attempt \(Int(result.attempt) + 1)"
    guard result.room.isSome, let room = try Self.room(result.room, in: store, catalog) else {
      if result.walkover == .played {
        notes.append("\(pairing): room \(result.room.short) is not here, or damaged")
      }
      return nil
    }
    guard case .games(tournament.room, result.pairing, result.attempt) = room.state.create.purpose
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

  /// Another room; `nil` when it is not here, or damaged, which its own check says.
  private static func room(
    _ id: RoomID, in store: (any EventLog)?, _ catalog: GameCatalog
  ) throws(LogError) -> (log: RoomLog, state: RoomState)? {
    guard let store else { return nil }
    do throws(LogError) {
      let log = try store.load(id, verify: false)
      var projection = try log.projection(catalog)
      return (log, projection.state)
    } catch {
      switch error {
      case .unknownRoom, .corrupt: return nil
      default: throw error
      }
    }
  }
}
