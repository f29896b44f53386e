import BotKit
package import EventLog
package import Events
import Projection
import Rules
import Tournaments

/// Checks what came back for a job, before it counts.
///
/// Whoever played it had all that is needed to sign as its entrants, so signatures alone prove nothing. Where both bots
/// can be computed again, the job is played again here and the events must be the same ones. Else the moves of the bots
/// that can be are played again, and the rest is taken on the worker's word: it is legal and signed, and that is all.
package struct JobCheck: Sendable {
  /// Why an answer does not count.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bundle does not hold; in words.
    case bundle(String)
    /// It is not the room of the job as far as that was given out.
    case otherRoom
    /// Something stands in it that play does not write, or that has no effect; in words.
    case event(EventID, String)
    /// The games did not come to an end on which both seats agree.
    case unfinished
    /// The bot of a seat does not play so; in words.
    case otherMoves(String)

    package var description: String {
      switch self {
      case .bundle(let words): words
      case .otherRoom: "it is not the room that was given out"
      case .event(let event, let words): "event \(event.short): \(words)"
      case .unfinished: "its games did not come to an end on which both seats agree"
      case .otherMoves(let words): words
      }
    }
  }

  /// A room that counts.
  package struct Accepted: Sendable {
    package let log: RoomLog
    /// The labels of the bots whose moves are taken on the worker's word; none where all were played again.
    package let onWord: [String]
  }

  let job: Job
  let room: JobRoom
  let attempt: PairingAttempt
  let games: GameCatalog
  let bots: BotCatalog
  let patience: BotAudit.Patience

  /// Checks a bundle.
  /// - Returns: `nil` when it was asked to stop.
  func check(_ bundle: [UInt8]) async throws(Refusal) -> Accepted? {
    let log = try read(bundle)
    var projection: RoomProjection
    do throws(LogError) { projection = try log.projection(games) } catch { throw .bundle(error.description) }
    try check(log, projection.verdicts())
    let state = projection.state
    guard PlayedRoom(attempt, log, state) != nil else { throw .unfinished }
    let occupants = state.seats.compactMap(\.self)
    let onWord = occupants.filter { $0.profile.bot?.isRecomputable != true }.map(\.profile.name)
    let holds = onWord.isEmpty ? try await playAgain(log) : try audit(log, state)
    return holds ? Accepted(log: log, onWord: onWord) : nil
  }

  private func read(_ bundle: [UInt8]) throws(Refusal) -> RoomLog {
    do throws(BundleError) {
      let limits = Bundle.Limits(events: 1 << 18, bytes: UInt64(JobAnswer.limitBytes))
      return try JobRoom.read(bundle, room: room.room, network: room.network, limits: limits).0
    } catch { throw .bundle(error.description) }
  }

  /// Refuses events that nobody writes who plays the job.
  private func check(
    _ log: RoomLog, _ verdicts: [(event: EventID, verdict: Verdict)]
  ) throws(Refusal) {
    guard room.log.events.allSatisfy({ log.contains($0.id) }) else { throw .otherRoom }
    let players = job.seats.map { $0.key.peer }
    for (event, verdict) in zip(log.events, verdicts) where !room.log.contains(event.id) {
      guard players.contains(event.author) else {
        throw .event(event.id, "it is of somebody who does not play")
      }
      switch event.kind {
      case .move, .commit, .reveal, .result, .resign: break
      default: throw .event(event.id, "nobody writes such an event who plays")
      }
      guard verdict.verdict == .effective else {
        throw .event(event.id, "it has no effect: \(verdict.verdict)")
      }
      guard event.wallTime == room.time else { throw .event(event.id, "its time is not that of the job") }
      guard hasOwnSalt(event, in: log) else {
        throw .event(event.id, "its salt is not the one that follows from the job")
      }
    }
    guard log.forkProofs.isEmpty else { throw .bundle("a seat's feed is forked") }
  }

  /// Whether a reveal opens the salt that follows from the job. With another one whoever plays could choose its chance.
  private func hasOwnSalt(_ event: Event, in log: RoomLog) -> Bool {
    guard case .reveal(let step, _, let salt) = event.action else { return true }
    guard let commit = log.position(of: step.node).map({ log.events[$0] }),
      let seat = job.seats.firstIndex(where: { $0.key.peer == event.author })
    else { return false }
    let signer = RoomSigner(job.seats[seat].key, salts: job.seats[seat].salts)
    let secrets = RoomSecrets(of: signer, in: room.room, name: job.place(in: room).saltName)
    return salt == secrets.choice(step, seat: Seat(UInt16(seat)), sequence: commit.sequence)
  }

  /// Plays the job again, whose events must be those of the log.
  private func playAgain(_ log: RoomLog) async throws(Refusal) -> Bool {
    let own: RoomLog?
    do throws(JobFault) {
      own = try await job.play(room, games, bots, isCancelled: patience.isCancelled)
    } catch { throw .otherMoves("it cannot be played again here: \(error)") }
    guard let own else { return false }
    guard let other = log.events.first(where: { !own.contains($0.id) }) else {
      guard own.events.count == log.events.count else { throw .unfinished }
      return true
    }
    throw .otherMoves("event \(other.id.short): whoever plays the job again writes another one")
  }

  /// Plays the moves of those bots again that can be computed.
  private func audit(_ log: RoomLog, _ state: RoomState) throws(Refusal) -> Bool {
    let rules = games.definition(state.create.rules, version: state.create.rulesVersion)
    let parameters = Parameters(encoded: state.create.parameters)
    var known: (any GameRules)?
    if let rules, let parameters {
      do throws(RulesError) { known = try rules.rules(parameters) } catch { throw .bundle(error.description) }
    }
    let audit = BotAudit(
      log.events, state, rules: known, bots: bots, occasion: .success(.pairing(attempt)), patience: patience)
    guard let audit else { return false }
    for seat in audit.seats where seat.profile.bot?.isRecomputable == true {
      if let finding = seat.findings.first {
        throw .otherMoves(
          "event \(finding.event.short): \(seat.profile.name) does not play so in game \(finding.game + 1)")
      }
      guard seat.reason == nil else { throw .otherMoves("\(seat.profile.name) cannot be played again here") }
    }
    return true
  }
}

extension BotEntry {
  /// Whether its moves follow from the log: those of all bots but programs that do not declare so.
  var isRecomputable: Bool { !BotCatalog.isCommand(specification) || nodeBudget > 0 }
}
