package import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

/// What is wrong with a room whose events are all genuine: signed results that the moves do not give.
package struct RoomFault: Hashable, Sendable {
  /// The event that says what is not so.
  package let event: EventID
  /// What is wrong with it.
  package let reason: String
}

/// Plays a room's games again and compares them with what its peers signed, and an organizer's words with the rooms
/// that they name.
package struct RoomCheck: Sendable {
  /// The first thing that is false; `nil` when everything that can be checked here holds.
  package private(set) var fault: RoomFault?
  /// Of a tournament, the organizer's words that do not simply hold.
  package private(set) var findings: [PairingFinding] = []
  /// What could not be checked, and why.
  package private(set) var notes: [String] = []
  /// What the room amounts to.
  package let state: RoomState

  /// What the reveals of joint draws and of choices were.
  package let reveals: Reveals

  /// How many reveals open what was committed.
  package struct Reveals: Hashable, Sendable {
    /// Those that do.
    package var opened = 0
    /// Those that do not, and so have no effect.
    package var unopened = 0

    static func += (a: inout Reveals, b: Reveals) {
      a.opened += b.opened
      a.unopened += b.unopened
    }
  }

  /// Whether something that was said can be neither shown nor refuted here.
  package var isUnproven: Bool { findings.contains { $0.kind == .notProven } }

  /// Checks a room.
  /// - Parameter store: where the rooms of a tournament's games are looked for; `nil` for nowhere.
  /// - Throws: `.corrupt` when the room does not begin with its `create`, or what the store throws.
  package init(_ log: RoomLog, in store: (any EventLog)?, _ catalog: GameCatalog) throws(LogError) {
    var projection = try log.projection(catalog)
    let state = projection.state
    self.state = state
    switch state.phase {
    case .unknownRules: notes.append("its rules are not known here, so its games were not played again")
    case .unknownEdition(let edition):
      notes.append(
        "it is of edition \(edition) and this program knows \(Create.edition), so nothing was derived")
    default: break
    }
    let verdicts = projection.verdicts()
    reveals = Self.reveals(in: log, verdicts)
    fault = Self.falseResult(in: log, state, verdicts)
    let unplayed: TournamentRoom?
    do throws(TournamentError) { unplayed = try TournamentRoom(unplayed: state, catalog) } catch {
      fault = fault ?? RoomFault(event: state.room, reason: "its settings cannot be: \(error)")
      return
    }
    guard let unplayed else { return }
    findings = try unplayed.folded(state, in: store, catalog).findings.filter { $0.kind != .holds }
    guard let first = findings.first(where: \.kind.isFalse) else { return }
    fault = fault ?? RoomFault(event: first.event, reason: first.description)
  }

  private static func reveals(
    in log: RoomLog, _ verdicts: [(event: EventID, verdict: Verdict)]
  ) -> Reveals {
    var found = Reveals()
    for (entry, verdict) in zip(log.entries, verdicts) where entry.event.kind == .reveal {
      switch verdict.verdict {
      case .effective: found.opened += 1
      case .doesNotOpen: found.unopened += 1
      default: break
      }
    }
    return found
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
}
