import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Simulation
import Tournaments

// What must hold for honest peers whoever of those that take part has cheated.

extension StoreChecks {
  /// Looks at the rooms of honest peers: all that have one have it in one state, nobody honest is said to have cheated,
  /// and what was a fraud has no effect or is pinned on who committed it.
  func checkFrauds() {
    guard !insiders.isEmpty else { return }
    let honestKeys = Dictionary(
      hosts.indices.filter(plan.isHonest).map { (hosts[$0].peer, hosts[$0].key as any Signer) },
      uniquingKeysWith: { first, _ in first })
    var states: [RoomID: (number: Int, state: RoomState)] = [:]
    for number in honestMachines {
      do throws(LogError) {
        for listing in try hosts[number].disk.rooms(limit: nil) {
          guard attacker?.isOwn(listing.create.author) != true else { continue }
          let log = try hosts[number].disk.load(listing.room, verify: false)
          checkFrauds(log, honestKeys, at: number)
          var projection = try log.projection(Games.catalog)
          let state = projection.state
          if case .openGames = plan.play { continue }
          if let other = states[listing.room], other.state.encoded != state.encoded {
            record.violate(
              .convergence, peer: number,
              "the room \(listing.room.short) is in another state there than at peer \(other.number): "
                + StateDifference.words(other.state, state))
          }
          states[listing.room] = states[listing.room] ?? (number, state)
        }
      } catch { record.violate(.integrity, peer: number, "what is stored cannot be read: \(error)") }
    }
  }

  private func checkFrauds(
    _ log: RoomLog, _ honestKeys: [PeerID: any Signer], at number: Int
  ) {
    let viewer = hosts[number].peer
    guard var projection = RoomProjection(log.graph, catalog: Games.catalog, seenBy: [viewer]) else { return }
    let checks = RoundChecks(
      &projection, log, viewer: viewer, sharers: Set(honestMachines.map { hosts[$0].peer }),
      honestKeys: honestKeys, mayWrite: false)
    for words in checks.convictions { record.violate(.conviction, peer: number, words) }
    for words in checks.unfairRounds { record.violate(.fairness, peer: number, words) }
    for insider in insiders {
      for fraud in insider.cheat.triedFrauds where fraud.room == log.room && log.contains(fraud.event) {
        if let words = checks.fault(of: fraud) { record.violate(.fairness, peer: number, words) }
      }
      for read in insider.cheat.readBoxes where read.room == log.room {
        record.violate(.fairness, peer: number, "peer \(insider.number) reads the answer \(read.entry.short)")
      }
    }
    for peer in checks.state.forked where honestKeys[peer] != nil {
      record.violate(
        .conviction, peer: number, "the feed of honest \(peer.short) in \(log.room.short) is forked")
    }
    checkLosses(checks.state, honestKeys, at: number)
  }

  /// Nobody honest loses a game by what it did not do: no honest seat forks, leaves or resigns, and without a limit of
  /// time none is silent. A dishonest referee is believed all the same: whoever sits there has agreed to it.
  private func checkLosses(_ state: RoomState, _ honestKeys: [PeerID: any Signer], at number: Int) {
    for game in state.games {
      let seat: Seat? =
        switch game.ending?.cause {
        case .offence(let seat), .left(let seat), .resigned(let seat): seat
        case .forked(let seat): seat
        case .ruled(let seat):
          state.create.moveLimitMilliseconds == 0 && honestKeys[state.create.referee] != nil ? seat : nil
        case .rules, .drawAgreed, nil: nil
        }
      guard let seat, let peer = state.seats[seat.index]?.peer, honestKeys[peer] != nil else { continue }
      record.violate(
        .conviction, peer: number,
        "honest \(peer.short) loses game \(game.number) of \(state.room.short) for what it has not done")
    }
  }

  /// A word that can be proven false holds nowhere, and no word but the organizer's is found false.
  func checkLies() {
    guard let insider = insiders.first(where: { $0.number == 0 }), case .tournament = plan.play
    else { return }
    for number in honestMachines {
      do throws(LogError) {
        guard let read = try hosts[number].stored(tournament).read() else { continue }
        let kinds = Dictionary(
          read.findings.map { ($0.event, $0.kind) }, uniquingKeysWith: { first, _ in first })
        for lie in insider.lies {
          guard let kind = kinds[lie.event] else { continue }
          record.statistics.shownLies += kind.isFalse ? 1 : 0
          guard !kind.isFalse, kind != .refused else { continue }
          let isHeld = try hosts[number].disk.rooms(of: tournament).contains { $0.room == lie.room }
          if lie.isProvable(isHeld ? try hosts[number].disk.load(lie.room, verify: false) : nil) {
            record.violate(
              .conviction, peer: number, "\(lie.kind) in \(lie.event.short) is found as \(kind.rawValue)")
          }
        }
        // In a tree other entrants may come to a pairing of which its program has said what they played.
        guard read.state.settings.format.results != .tree else { continue }
        let lies = Set(insider.lies.map(\.event))
        for found in read.findings
        where found.kind.isFalse && found.kind != .roomUsedTwice && !lies.contains(found.event) {
          record.violate(.conviction, peer: number, "a word that its program made: \(found.description)")
        }
      } catch { record.violate(.integrity, peer: number, "the tournament cannot be read: \(error)") }
    }
  }
}
