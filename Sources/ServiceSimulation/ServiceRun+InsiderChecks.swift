import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Simulation
import Tournaments

// What must hold for honest peers whoever of those that take part has cheated.

extension ServiceRun {
  /// When the organizer calls a dishonest entrant absent who does not play on, and how often it looks.
  private static let absenceMilliseconds: UInt64 = 20_000
  static let lookMilliseconds: UInt64 = 5_000

  /// Whether the creator of what is played has a feed that is known at a peer to be forked.
  func hasForkedCreator(at number: Int) throws(LogError) -> Bool {
    try disks[number].state(of: tournament, verify: false, Games.catalog).forked.contains(keys[0].peer)
  }

  /// The machines of honest ones that have not forgotten a room of what is played. Whoever has, for lack of space,
  /// knows what the organizer says, and not what it rests on.
  var wholeMachines: [Int] {
    get throws(LogError) {
      var whole: [Int] = []
      for number in honestMachines where try lostRooms(at: number).isEmpty { whole.append(number) }
      return whole
    }
  }

  /// Calls dishonest entrants absent where one is to play, as an organizer does who has waited for long: also one that
  /// is dishonest itself has its tournament end.
  func callInsidersAbsent(since begin: UInt64) async throws {
    let entrants = Set(insiders.map(\.number).filter { $0 != organizer }.map { keys[$0].peer })
    guard !entrants.isEmpty, machine.now > begin + Self.absenceMilliseconds,
      let read = try disks[organizer].tournament(tournament, Games.catalog, nil)
    else { return }
    for attempt in read.state.ready {
      let absent = attempt.entrants.filter { entrants.contains(read.entrants[$0.index].peer) }
      if !absent.isEmpty { return await callAbsent(Set(absent), attempt) }
    }
  }

  /// Bots that have left, because a false word or a ruling that was taken back had ended the tournament, are begun
  /// again by their owners.
  func comeBack() throws(LogError) {
    for number in honestMachines where (1..<plan.peers).contains(number) && lives[number]?.playing == nil {
      guard let service = lives[number]?.service,
        try disks[number].tournament(tournament, Games.catalog, nil)?.state.isComplete == false
      else { continue }
      playBot(number, service, in: tournament.description)
    }
  }

  /// Looks at the rooms of honest peers: all that have one have it in one state, nobody honest is said to have cheated,
  /// and what was a fraud has no effect or is pinned on who committed it.
  func checkFrauds() {
    guard !insiders.isEmpty else { return }
    let honestKeys = Dictionary(
      keys.indices.filter(isHonest).map { (keys[$0].peer, keys[$0] as any Signer) },
      uniquingKeysWith: { first, _ in first })
    var states: [RoomID: (number: Int, state: RoomState)] = [:]
    for number in honestMachines {
      do throws(LogError) {
        for listing in try disks[number].rooms(limit: nil) {
          guard attacker?.isOwn(listing.create.author) != true else { continue }
          let log = try disks[number].load(listing.room, verify: false)
          checkFrauds(log, honestKeys, at: number)
          var projection = try log.projection(Games.catalog)
          let state = projection.state
          if case .openGames = plan.play { continue }
          if let other = states[listing.room], other.state.encoded != state.encoded {
            violate(
              .convergence, peer: number,
              "the room \(listing.room.short) is in another state there than at peer \(other.number): "
                + StateDifference.words(other.state, state))
          }
          states[listing.room] = states[listing.room] ?? (number, state)
        }
      } catch { violate(.integrity, peer: number, "what is stored cannot be read: \(error)") }
    }
  }

  private func checkFrauds(
    _ log: RoomLog, _ honestKeys: [PeerID: any Signer], at number: Int
  ) {
    let viewer = keys[number].peer
    guard var projection = RoomProjection(log.graph, catalog: Games.catalog, seenBy: [viewer]) else { return }
    let checks = RoundChecks(
      &projection, log, viewer: viewer, sharers: Set(honestMachines.map { keys[$0].peer }),
      honestKeys: honestKeys, mayWrite: false)
    for words in checks.convictions { violate(.conviction, peer: number, words) }
    for words in checks.unfairRounds { violate(.fairness, peer: number, words) }
    for insider in insiders {
      for fraud in insider.cheat.triedFrauds where fraud.room == log.room && log.contains(fraud.event) {
        if let words = checks.fault(of: fraud) { violate(.fairness, peer: number, words) }
      }
      for read in insider.cheat.readBoxes where read.room == log.room {
        violate(.fairness, peer: number, "peer \(insider.number) reads the answer \(read.entry.short)")
      }
    }
    for peer in checks.state.forked where honestKeys[peer] != nil {
      violate(.conviction, peer: number, "the feed of honest \(peer.short) in \(log.room.short) is forked")
    }
    checkLosses(checks.state, honestKeys, at: number)
  }

  /// Nobody honest loses a game by what it did not do: no honest seat forks, leaves or resigns, and without a limit of
  /// time none is silent.
  private func checkLosses(_ state: RoomState, _ honestKeys: [PeerID: any Signer], at number: Int) {
    for game in state.games {
      let seat: Seat? =
        switch game.ending?.cause {
        case .offence(let seat), .left(let seat), .resigned(let seat): seat
        case .forked(let seat): seat
        case .ruled(let seat): state.create.moveLimitMilliseconds == 0 ? seat : nil
        case .rules, .drawAgreed, nil: nil
        }
      guard let seat, let peer = state.seats[seat.index]?.peer, honestKeys[peer] != nil else { continue }
      violate(
        .conviction, peer: number,
        "honest \(peer.short) loses game \(game.number) of \(state.room.short) for what it has not done")
    }
  }
}
