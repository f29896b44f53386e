import BotKit
import EventLog
package import Events
import Projection
import Rules
import Tournaments

/// Where an organizer has attempts played that it does not play itself.
package struct Elsewhere: Sendable {
  /// An answer to a job.
  package struct Delivery: Sendable {
    package let answer: JobAnswer
    /// Called when the answer is dealt with for good: what counts of it is durable, or none of it counts.
    package let settle: @Sendable () async -> Void

    package init(_ answer: JobAnswer, settle: @escaping @Sendable () async -> Void) {
      self.answer = answer
      self.settle = settle
    }
  }

  /// What an organizer tells of it.
  package enum News: Hashable, Sendable {
    /// A worker's room counts; these bots' moves on its word.
    case accepted(worker: String, onWord: [String])
    /// A worker's answer does not count, and why. The job is given out again, or played here.
    case refused(worker: String, reason: String)
    /// No worker is asked any more: the attempt is played here, and why.
    case playedHere(reason: String)
  }

  /// How often a job is given out before the organizer plays it itself.
  package static let limitTries = 3

  /// How many attempts are given out at once.
  let window: Int
  /// Gives out a job and returns the answer; `nil` when the organizer was asked to stop.
  let play: @Sendable (_ job: Job, _ room: RoomID, _ number: Int) async throws(PeerError) -> Delivery?
  /// Milliseconds of a clock that only goes forward.
  let elapsed: @Sendable () -> UInt64

  /// - Parameters:
  ///   - window: how many attempts are given out at once.
  ///   - elapsed: milliseconds of a clock that only goes forward.
  ///   - play: gives out a job, for the time of this number, from 0, and returns the answer; `nil` when the organizer
  ///     was asked to stop.
  package init(
    window: Int, elapsed: @escaping @Sendable () -> UInt64,
    play: @escaping @Sendable (_ job: Job, _ room: RoomID, _ number: Int) async throws(PeerError) -> Delivery?
  ) {
    self.window = max(1, window)
    self.elapsed = elapsed
    self.play = play
  }
}

extension Household {
  /// Plays an attempt elsewhere, where that may be, or here.
  func play(
    _ attempt: PairingAttempt, in known: RoomID?, of tournament: TournamentRoom, _ rules: any GameRules,
    _ entrants: [Entrant], _ elsewhere: Elsewhere?, isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Organizer.Report) -> Void
  ) async throws(PeerError) -> PlayedRoom? {
    var room = known
    if let elsewhere {
      var session = try await session(attempt, in: known, of: tournament, rules, entrants)
      // What signs for the seats is given away for this room: all that is in it must be durable before.
      try await commit(&session)
      room = session.room
      let errand = Errand(
        attempt: attempt, rules: rules, elsewhere: elsewhere, isCancelled: isCancelled, report: report)
      switch try await errand.run(self, session, entrants) {
      case .played(let played): return played
      case .stopped: return nil
      case .here: break
      }
    }
    return try await play(
      attempt, in: room, of: tournament, rules, entrants, isCancelled: isCancelled, report: report)
  }
}

/// One attempt that is given out.
private struct Errand: Sendable {
  enum End: Sendable {
    case played(PlayedRoom)
    /// It is to be played here.
    case here
    case stopped
  }

  let attempt: PairingAttempt
  let rules: any GameRules
  let elsewhere: Elsewhere
  let isCancelled: @Sendable () -> Bool
  let report: @Sendable (Organizer.Report) -> Void

  func run(
    _ household: Household, _ session: Session, _ entrants: [Household.Entrant]
  ) async throws(PeerError) -> End {
    guard let log = session.core.log(of: session.room), !log.isBegun else { return .here }
    let check = try check(household, session, log, entrants)
    guard !isRefereeNeeded(check.room.state) else { return .here }
    report(.started(attempt, session.room, ended: 0))
    for number in 0..<Elsewhere.limitTries {
      guard let delivery = try await elsewhere.play(check.job, session.room, number) else { return .stopped }
      let worker = delivery.answer.worker
      switch delivery.answer.outcome {
      case .declined(let reason):
        tell(.playedHere(reason: reason))
        await delivery.settle()
        return .here
      case .played(let bundle):
        let accepted: JobCheck.Accepted?
        do throws(JobCheck.Refusal) { accepted = try await check.check(bundle) } catch {
          tell(.refused(worker: worker, reason: error.description))
          await delivery.settle()
          continue
        }
        guard let accepted else { return .stopped }
        let played = try await take(accepted, worker, household)
        await delivery.settle()
        return .played(played)
      }
    }
    tell(.playedHere(reason: "\(Elsewhere.limitTries) answers did not count"))
    return .here
  }

  /// Whether nobody can play on without the referee's key, as in rooms of editions before this one.
  private func isRefereeNeeded(_ state: RoomState) -> Bool {
    rules.drawsChance && state.create.referee.isSome
  }

  private func tell(_ news: Elsewhere.News) { report(.elsewhere(attempt, news)) }

  private func check(
    _ household: Household, _ session: Session, _ log: RoomLog, _ entrants: [Household.Entrant]
  ) throws(PeerError) -> JobCheck {
    let origin = rules.saltOrigin(in: session.room, session.place)
    let seats = attempt.entrants.map { entrant in
      let key = entrants[entrant.index].key
      return Job.Seat(key: key.lent, salts: key.saltSecret(of: origin))
    }
    let job: Job
    do throws(BundleError) {
      job = Job(
        round: session.place.round, pairing: session.place.pairing, seats: seats,
        bundle: try log.bundle(of: household.log.network))
    } catch { throw .log(error.description) }
    let room: JobRoom
    do throws(JobFault) { room = try JobRoom(job, household.games) } catch { throw .unplayable("\(error)") }
    return JobCheck(
      job: job, room: room, attempt: attempt, games: household.games, bots: household.bots,
      patience: .init(limitMilliseconds: 600_000, elapsed: elsewhere.elapsed, isCancelled: isCancelled))
  }

  /// Makes durable what counts.
  private func take(
    _ accepted: JobCheck.Accepted, _ worker: String, _ household: Household
  ) async throws(PeerError) -> PlayedRoom {
    var log = try household.read(accepted.log.room)
    let base = log.events.count
    let state: RoomState
    do throws(LogError) {
      try log.merge(verified: Array(accepted.log.entries))
      var projection = try log.projection(household.games)
      state = projection.state
    } catch { throw PeerError(error) }
    guard let played = PlayedRoom(attempt, log, state) else {
      throw .unplayable("room \(log.room.short) is another one in the log than the one that was checked")
    }
    try await household.store(RoomChange(log, from: base), allowed: [])
    tell(.accepted(worker: worker, onWord: accepted.onWord))
    for game in state.games { report(.ended(attempt, game)) }
    return played
  }
}
