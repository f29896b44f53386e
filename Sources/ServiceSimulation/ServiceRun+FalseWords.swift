import EventLog
import Events
import Games
import Peer
import Projection
import Simulation
import Tournaments

// A tournament's organizer that says what was not played, and what comes of it.

extension ServiceRun {
  /// Says something about a pairing that is not so, or disqualifies somebody.
  func sayUntrue(_ insider: Insider, _ core: inout PeerCore) throws(PeerError) -> String {
    if insider.random.oneIn(16) {
      let seat = UInt16(insider.random.below(plan.peers - 1))
      _ = try core.write(.disqualify(seat: seat, reason: "for no reason"), in: tournament)
      return "disqualifies entrant \(seat + 1)"
    }
    let said = core.state(of: tournament)?.tournamentWords ?? []
    let lie: (kind: FalseWord.Kind, word: Action.PairingResult)?
    do throws(LogError) { lie = try word(besides: said, insider) } catch { throw .log(error.description) }
    guard let (kind, word) = lie else { return "nothing" }
    let event = try core.write(.pairingResult(word), in: tournament)
    insider.lies.append(FalseWord(kind: kind, event: event.id, room: word.room, heads: word.heads))
    return "says of \(PairingNumber(word.pairing)) what is not so: \(kind)"
  }

  /// A false word on a pairing, sooner on one of which it has said nothing; `nil` where there is none to say.
  private func word(
    besides said: [RoomState.TournamentWord], _ insider: Insider
  ) throws(LogError) -> (kind: FalseWord.Kind, word: Action.PairingResult)? {
    let disk = disks[insider.number]
    guard let read = try disk.tournament(tournament, Games.catalog, nil) else { return nil }
    let counted = read.rooms.compactMap { room in
      read.state.record(PairingNumber(room.pairing))?.pairing.attempt(Int(room.attempt))
    }
    let (open, all) = (read.attemptsWithoutWord(said), counted + read.state.ready)
    // What is signed counts by itself, until something else is said of it.
    let signed = open.filter { attempt in !read.state.ready.contains(attempt) }
    let attempts = insider.random.oneIn(4) || open.isEmpty ? all : signed.isEmpty ? open : signed
    let kinds =
      signed.isEmpty || insider.random.oneIn(2)
      ? FalseWord.Kind.allCases : [.otherScores, .absenceAgainstSigned]
    guard let attempt = insider.random.pick(attempts), let kind = insider.random.pick(kinds) else {
      return nil
    }
    var truth = Action.PairingResult(
      pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt, room: .none, heads: [],
      walkover: .played, games: [])
    if let table = try disk.table(of: attempt, in: read) {
      let log = try disk.load(table, verify: false)
      var projection = try log.projection(Games.catalog)
      let state = projection.state
      truth.room = table
      truth.heads = Array(log.heads(of: state.participants).sorted().prefix(Action.PairingResult.limitHeads))
      truth.games = state.endedScores
    }
    var others: [RoomID] = []
    for other in all where other != attempt {
      if let table = try disk.table(of: other, in: read) { others.append(table) }
    }
    return change(truth, kind, of: attempt, other: insider.random.pick(others), insider).map { (kind, $0) }
  }

  /// Makes of what the room of an attempt gives something that is not so.
  private func change(
    _ truth: Action.PairingResult, _ kind: FalseWord.Kind, of attempt: PairingAttempt, other: RoomID?,
    _ insider: Insider
  ) -> Action.PairingResult? {
    var word = truth
    let invented = (0..<attempt.games).map { _ in insider.random.oneIn(2) ? [1, 0] : [0, 1] as [Int32] }
    let isOver = truth.room.isSome && truth.games.count == attempt.games
    switch kind {
    case .otherScores:
      guard isOver else { return nil }
      word.games = truth.games.map { $0[0] == $0[1] ? [$0[0] + 1, $0[1]] : [$0[1], $0[0]] }
    case .nowherePlayed: (word.room, word.heads, word.games) = (.none, [], invented)
    case .restsOnNothing:
      guard truth.room.isSome else { return nil }
      (word.heads, word.games) = ([], invented)
    case .inventedHead:
      guard !truth.heads.isEmpty else { return nil }
      word.heads[insider.random.below(word.heads.count)].event = EventID(
        Bytes32(insider.random.bytes(32), at: 0))
      if truth.games.count < attempt.games { word.games = invented }
    case .otherRoom:
      guard let other else { return nil }
      (word.room, word.heads, word.games) = (other, [], invented)
    case .absenceAgainstSigned:
      guard isOver else { return nil }
      (word.walkover, word.games) = (insider.random.oneIn(2) ? .firstAbsent : .secondAbsent, [])
    case .noSuchRoom:
      (word.room, word.heads, word.games) = (RoomID(Bytes32(insider.random.bytes(32), at: 0)), [], invented)
    case .absence:
      let absences: [Action.PairingResult.Walkover] = [.firstAbsent, .secondAbsent, .bothAbsent]
      (word.room, word.heads, word.games) = (.none, [], [])
      word.walkover = insider.random.pick(absences) ?? .bothAbsent
    case .noSuchPairing:
      (word.room, word.heads, word.games) = (.none, [], invented)
      if insider.random.oneIn(2) { word.pairing += 1_000 } else { word.attempt += 7 }
    }
    return word
  }

  // MARK: - What must hold

  /// A word that can be proven false holds nowhere, and no word but the organizer's is found false.
  func checkLies() {
    guard let insider = insiders.first(where: { $0.number == 0 }), case .tournament = plan.play
    else { return }
    for number in honestMachines {
      do throws(LogError) {
        guard let read = try disks[number].tournament(tournament, Games.catalog, nil) else { continue }
        let kinds = Dictionary(
          read.findings.map { ($0.event, $0.kind) }, uniquingKeysWith: { first, _ in first })
        for lie in insider.lies {
          guard let kind = kinds[lie.event] else { continue }
          statistics.shownLies += kind.isFalse ? 1 : 0
          guard !kind.isFalse, kind != .refused else { continue }
          let isHeld = try disks[number].rooms(of: tournament).contains { $0.room == lie.room }
          if lie.isProvable(isHeld ? try disks[number].load(lie.room, verify: false) : nil) {
            violate(
              .conviction, peer: number, "\(lie.kind) in \(lie.event.short) is found as \(kind.rawValue)")
          }
        }
        // In a tree other entrants may come to a pairing of which its program has said what they played.
        guard read.state.settings.format.results != .tree else { continue }
        let lies = Set(insider.lies.map(\.event))
        for found in read.findings
        where found.kind.isFalse && found.kind != .roomUsedTwice && !lies.contains(found.event) {
          violate(.conviction, peer: number, "a word that its program made: \(found.description)")
        }
      } catch { violate(.integrity, peer: number, "the tournament cannot be read: \(error)") }
    }
  }
}
