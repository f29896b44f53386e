package import BotKit
package import EventLog
package import Events
import Projection
package import Rules

/// Why a job cannot be played.
package enum JobFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no job that an organizer makes; what is wrong, in words.
  case malformed(String)
  /// This program lacks something for it that another may have: the game or a bot; in words.
  case lacking(String)
  /// The games could not be played to their end; in words.
  case unplayable(String)

  package var description: String {
    switch self {
    case .malformed(let words): "no job that can be: \(words)"
    case .lacking(let words), .unplayable(let words): words
    }
  }
}

/// A job's room, read with every check.
package struct JobRoom: Sendable {
  /// The room up to its start.
  package let log: RoomLog
  /// The network that it belongs to.
  package let network: NetworkID
  let state: RoomState
  /// Milliseconds since 1970 of the last event: all that is played has this time, so that whoever plays the job makes
  /// the same bytes.
  let time: UInt64

  /// The room's id.
  package var room: RoomID { log.room }
  /// The tournament's room.
  package let tournament: RoomID

  /// Reads the room of a job.
  package init(_ job: Job, _ games: GameCatalog) throws(JobFault) {
    do throws(BundleError) {
      (log, network) = try Self.read(
        job.bundle, room: nil, network: nil,
        limits: .init(events: Job.limitEvents, bytes: UInt64(Job.limitBytes)))
    } catch { throw .malformed(error.description) }
    do throws(LogError) {
      var projection = try log.projection(games)
      state = projection.state
    } catch { throw .malformed(error.description) }
    switch state.phase {
    case .playing: break
    case .unknownRules, .unknownEdition:
      throw .lacking("the game \(state.create.rules) version \(state.create.rulesVersion) is not known here")
    default: throw .malformed("its room has not started")
    }
    guard case .games(let tournament, _, _) = state.create.purpose, tournament.isSome else {
      throw .malformed("its room is of no tournament")
    }
    self.tournament = tournament
    guard state.seats.count == Job.seatCount, state.seats.map({ $0?.peer }) == job.seats.map({ $0.key.peer }),
      state.seats.allSatisfy({ $0?.profile.bot != nil })
    else { throw .malformed("its keys are not those of the bots at its seats") }
    guard !log.isBegun else { throw .malformed("its room was begun to be played") }
    time = log.events.last?.wallTime ?? 0
  }

  /// Reads a bundle that somebody sent, with every check that bundles have.
  static func read(
    _ bytes: [UInt8], room: RoomID?, network: NetworkID?, limits: Bundle.Limits
  ) throws(BundleError) -> (RoomLog, NetworkID) {
    var rest: [UInt8]? = bytes
    let reader = try BundleReader(network: network, limits: limits) {
      defer { rest = nil }
      return rest ?? []
    }
    let found = reader.network
    guard room == nil || reader.room == room else { throw .wrongHeads }
    let content = try BundleContent(reader)
    var log = RoomLog(room: content.room)
    do throws(LogError) { try log.merge(verified: content.entries) } catch { throw .log(error) }
    guard log.graph.isWhole, log.events.count == content.entries.count else { throw .wrongHeads }
    return (log, found)
  }
}

extension RoomLog {
  /// Whether something was played in the room, after all had sat down.
  var isBegun: Bool {
    events.contains { event in
      switch event.kind {
      case .create, .request, .grant, .ready, .draw, .start: false
      default: true
      }
    }
  }
}

extension Job {
  /// Plays the job to its end. Two that play it, anywhere and at any time, make the same events as long as the bots
  /// make the same moves.
  /// - Parameters:
  ///   - bots: those that may play. A job comes from others: programs must be among them only as far as this user
  ///     names them.
  ///   - isCancelled: asked before each choice, and by bots while they think.
  /// - Returns: the whole room; `nil` when it was asked to stop.
  package func play(
    _ room: JobRoom, _ games: GameCatalog, _ bots: BotCatalog, isCancelled: @escaping @Sendable () -> Bool
  ) async throws(JobFault) -> RoomLog? {
    let time = room.time
    let store = MemoryEventLog(network: room.network)
    let household = Household(
      owner: SigningKey(seed: SigningKey.randomSeed()), log: store, games: games, bots: bots, now: { time },
      elapsed: { 0 })
    let players = try players(room, household)
    do throws(LogError) { try store.write([RoomChange(room.log, from: 0)]) } catch {
      throw .unplayable(error.description)
    }
    var host = household.core(household.owner)
    host.open(room.log, isDurable: true)
    do throws(PeerError) {
      var session = try Session(
        room: room.room, core: host, conduct: .init(profile: Profile(name: "worker")), guests: players,
        place: place(in: room))
      guard try await household.playOut(&session, isCancelled: isCancelled) == .finished else { return nil }
      return session.core.log(of: room.room)
    } catch { throw .unplayable(error.description) }
  }

  /// Where the bots' random numbers and the salts come from.
  func place(in room: JobRoom) -> Session.Place {
    let seed = room.state.seats[0]?.profile.bot?.seed ?? 0
    return Session.Place(seed: seed, round: round, pairing: pairing, fixesSalts: true)
  }

  /// The bots of the seats, with what signs for them.
  private func players(_ room: JobRoom, _ household: Household) throws(JobFault) -> [Session.Player] {
    do throws(PeerError) {
      let rules = try household.rules(of: room.state.create)
      var players: [Session.Player] = []
      for (seat, occupant) in room.state.seats.enumerated() {
        guard let occupant, let entry = occupant.profile.bot else { continue }
        let bot = try household.bot(entry, for: rules)
        guard BotEntry(bot.declaration, seed: entry.seed) == entry else {
          throw .notAllowed("the bot \(entry.specification) is another one here than the one that entered")
        }
        players.append(
          household.player(
            bot: bot, key: RoomSigner(seats[seat].key, salts: seats[seat].salts), name: occupant.profile.name,
            seat: UInt16(seat), seed: entry.seed, signsEachGame: false))
      }
      return players
    } catch { throw .lacking(error.description) }
  }
}

extension RoomLog {
  /// The room as a bundle.
  package func bundle(of network: NetworkID) throws(BundleError) -> [UInt8] {
    var bytes: [UInt8] = []
    try BundleWriter(self, network: network).write { bytes += $0 }
    return bytes
  }
}
