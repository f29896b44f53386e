import EventLog
import Events
import Games
import Peer
import Projection
import Simulation
import Tournaments

// A tournament's organizer that says what was not played.

extension Insider {
  /// Says something about a pairing that is not so, or disqualifies somebody.
  func sayUntrue(of tournament: StoredTournament, _ core: inout PeerCore) throws(PeerError) -> String {
    if random.oneIn(16) {
      let seat = UInt16(random.below(peers - 1))
      _ = try core.write(.disqualify(seat: seat, reason: "for no reason"), in: tournament.room)
      return "disqualifies entrant \(seat + 1)"
    }
    let said = core.state(of: tournament.room)?.tournamentWords ?? []
    let lie: (kind: FalseWord.Kind, word: Action.PairingResult)?
    do throws(LogError) { lie = try word(on: tournament, besides: said) } catch {
      throw .log(error.description)
    }
    guard let (kind, word) = lie else { return "nothing" }
    let event = try core.write(.pairingResult(word), in: tournament.room)
    lies.append(FalseWord(kind: kind, event: event.id, room: word.room, heads: word.heads))
    return "says of \(PairingNumber(word.pairing)) what is not so: \(kind)"
  }

  /// A false word on a pairing, sooner on one of which it has said nothing; `nil` where there is none to say.
  private func word(
    on tournament: StoredTournament, besides said: [RoomState.TournamentWord]
  ) throws(LogError) -> (kind: FalseWord.Kind, word: Action.PairingResult)? {
    let disk = tournament.disk
    guard let read = try tournament.read() else { return nil }
    let counted = read.rooms.compactMap { room in
      read.state.record(PairingNumber(room.pairing))?.pairing.attempt(Int(room.attempt))
    }
    let (open, all) = (read.attemptsWithoutWord(said), counted + read.state.ready)
    // What is signed counts by itself, until something else is said of it.
    let signed = open.filter { attempt in !read.state.ready.contains(attempt) }
    let attempts = random.oneIn(4) || open.isEmpty ? all : signed.isEmpty ? open : signed
    let kinds =
      signed.isEmpty || random.oneIn(2)
      ? FalseWord.Kind.allCases : [.otherScores, .absenceAgainstSigned]
    guard let attempt = random.pick(attempts), let kind = random.pick(kinds) else {
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
    return change(truth, kind, of: attempt, other: random.pick(others)).map { (kind, $0) }
  }

  /// Makes of what the room of an attempt gives something that is not so.
  private func change(
    _ truth: Action.PairingResult, _ kind: FalseWord.Kind, of attempt: PairingAttempt, other: RoomID?
  ) -> Action.PairingResult? {
    var word = truth
    let invented = (0..<attempt.games).map { _ in random.oneIn(2) ? [1, 0] : [0, 1] as [Int32] }
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
      word.heads[random.below(word.heads.count)].event = EventID(
        Bytes32(random.bytes(32), at: 0))
      if truth.games.count < attempt.games { word.games = invented }
    case .otherRoom:
      guard let other else { return nil }
      (word.room, word.heads, word.games) = (other, [], invented)
    case .absenceAgainstSigned:
      guard isOver else { return nil }
      (word.walkover, word.games) = (random.oneIn(2) ? .firstAbsent : .secondAbsent, [])
    case .noSuchRoom:
      (word.room, word.heads, word.games) = (RoomID(Bytes32(random.bytes(32), at: 0)), [], invented)
    case .absence:
      let absences: [Action.PairingResult.Walkover] = [.firstAbsent, .secondAbsent, .bothAbsent]
      (word.room, word.heads, word.games) = (.none, [], [])
      word.walkover = random.pick(absences) ?? .bothAbsent
    case .noSuchPairing:
      (word.room, word.heads, word.games) = (.none, [], invented)
      if random.oneIn(2) { word.pairing += 1_000 } else { word.attempt += 7 }
    }
    return word
  }
}
