package import Events
package import Projection
import Rules

/// A tournament's own projection: the organizer's words in their order, each compared with the room that it names.
///
/// What all seats of an attempt's room have signed counts by itself, as soon as the attempt is to be played, unless a
/// word of the organizer's decides it. A word decides unless it is refused, does not fit, or a signed result stands
/// against it: one that lies in what the word rests on, or any where the word is false, or says without proof what was
/// played. So equal sets of events, of the tournament's room and of those of its games, give equal tournaments
/// (Docs/PROTOCOL.md §1.9).
package struct TournamentFold<Failure: Error>: Sendable {
  /// Finds a room as it is held, and as it was at these heads if there are any to ask for; `nil` when it is not here.
  package typealias Find = @Sendable (RoomID, [Action.PairingResult.Head]?) throws(Failure) -> PairingRoom?

  /// The tournament as far as it is read.
  package private(set) var tournament: TournamentRoom
  /// `nil` to read words alone.
  private let find: Find?
  /// The rooms that are held of each attempt.
  private var held: [Attempt: [RoomID]] = [:]
  /// The words that are still to be taken.
  private var words: [Attempt: Word] = [:]
  /// The first word that names each room.
  private var firstUse: [RoomID: EventID] = [:]
  private var judgements: [EventID: Judgement] = [:]
  /// How many pairings were known when all were looked through.
  private var looked = 0
  /// The tournament by words alone, whatever they are worth, where its pairings follow from it; `nil` elsewhere.
  private var listed: TournamentState?

  private struct Attempt: Hashable {
    let pairing: UInt32
    let attempt: UInt8
  }

  private struct Word {
    let event: EventID
    let result: Action.PairingResult
  }

  /// What a word is worth, and what all seats signed, where that counts whatever the word says.
  private struct Judgement {
    let finding: WordCheck.Finding
    let signed: Signed?
  }

  private struct Signed {
    let room: RoomID
    let scores: [[Int32]]
  }

  /// A tournament at its start.
  /// - Parameters:
  ///   - rooms: the rooms that are held and say that they are of this tournament.
  ///   - find: finds one of them, or another.
  package init(_ unplayed: TournamentRoom, rooms: [(room: RoomID, create: Create)] = [], find: Find? = nil) {
    tournament = unplayed
    self.find = find
    let settings = unplayed.state.settings
    if settings.format.followsWords { listed = TournamentState(settings: settings) }
    for (room, create) in rooms {
      guard case .games(unplayed.room, let pairing, let attempt) = create.purpose else { continue }
      held[Attempt(pairing: pairing, attempt: attempt), default: []].append(room)
    }
  }

  /// Takes what changes the tournament, in the order of the organizer's feed: once, and all of it.
  package mutating func take(_ said: [RoomState.TournamentWord]) throws(Failure) {
    let (all, revoked) = tournament.standing(said)
    tournament.revoked = revoked
    var places: [EventID: Int] = [:]
    for case .result(let result, let event) in all {
      places[event] = places.count
      let attempt = Attempt(pairing: result.pairing, attempt: result.attempt)
      words[attempt] = words[attempt] ?? Word(event: event, result: result)
      if result.room.isSome { firstUse[result.room] = firstUse[result.room] ?? event }
    }
    try settleAll()
    for word in all { try take(word) }
    tournament.findings.sort { places[$0.event] ?? 0 < places[$1.event] ?? 0 }
  }

  /// Takes a word that comes after all that were taken, where words alone are read.
  package mutating func takeNext(_ word: RoomState.TournamentWord) throws(Failure) {
    precondition(find == nil, "what a word is worth beside rooms may follow from later words")
    try take(word)
  }

  private mutating func take(_ word: RoomState.TournamentWord) throws(Failure) {
    switch word {
    case .withdrawal(let seat):
      let entrant = EntrantIndex(rawValue: seat.rawValue)
      try settle(beforeLeaving: entrant)
      apply(.withdrawal(entrant))
    case .entry(let seat, _): apply(.entry(EntrantIndex(rawValue: seat.rawValue)))
    case .revocation: return
    case .disqualification(let seat, let reason, _):
      let entrant = EntrantIndex(rawValue: seat.rawValue)
      try settle(beforeLeaving: entrant)
      apply(.disqualification(entrant))
      tournament.disqualified[entrant] = reason
    case .result(let result, let event):
      if let entry = TournamentEntry(result) { _ = listed?.apply(entry) }
      try take(Word(event: event, result: result))
    }
    if let listed { tournament.state.follow(listed) }
    try settleAll()
  }

  /// Takes what is so whatever the rooms of the games say.
  private mutating func apply(_ entry: TournamentEntry) {
    _ = listed?.apply(entry)
    _ = tournament.state.apply(entry)
  }

  // MARK: - Words

  private mutating func take(_ word: Word) throws(Failure) {
    let number = PairingNumber(word.result.pairing)
    let place = Attempt(pairing: word.result.pairing, attempt: word.result.attempt)
    // From here on it has its effect or none, and keeps nothing from counting.
    if words[place]?.event == word.event { words[place] = nil }
    if let settled = judgements[word.event], settled.signed != nil { return }
    let finding = find == nil ? nil : finding(ofBytes: word)
    guard let entry = TournamentEntry(word.result), tournament.state.rejection(of: entry) == nil,
      let attempt = tournament.state.record(number)?.open
    else {
      if let finding { note(finding, of: word) }
      return
    }
    if let refusal = tournament.refusal(of: word.result, in: attempt) {
      return note(finding ?? .init(kind: .refused, reason: refusal.description), of: word)
    }
    if find != nil { note(try judge(word, attempt).finding, of: word) }
    count(entry, word.result.games, in: word.result.room)
    try settle(number)
  }

  /// Whether a word decides an attempt as far as it can be seen without a room.
  private func decides(_ word: Word, _ attempt: PairingAttempt) -> Bool {
    guard let entry = TournamentEntry(word.result) else { return false }
    return tournament.state.rejection(of: entry) == nil
      && tournament.refusal(of: word.result, in: attempt) == nil
  }

  /// - Returns: whether it counts.
  @discardableResult
  private mutating func count(_ entry: TournamentEntry, _ games: [[Int32]], in room: RoomID) -> Bool {
    guard tournament.state.apply(entry) == nil, case .result(let result) = entry else { return false }
    tournament.rooms.append(
      .init(pairing: result.pairing.rawValue, attempt: result.attempt, room: room, games: games))
    return true
  }

  private mutating func note(_ finding: WordCheck.Finding, of word: Word) {
    tournament.findings.append(
      PairingFinding(
        event: word.event, pairing: PairingNumber(word.result.pairing), attempt: word.result.attempt,
        room: word.result.room, kind: finding.kind, reason: finding.reason,
        isDecision: word.result.walkover != .played && !finding.isSigned))
  }

  /// What a word on an attempt is worth.
  private mutating func judge(_ word: Word, _ attempt: PairingAttempt) throws(Failure) -> Judgement {
    if let known = judgements[word.event] { return known }
    let check = WordCheck(tournament: tournament, attempt: attempt, result: word.result)
    var finding = try finding(of: word, check)
    var signed: Signed?
    if finding.kind.isFalse {
      signed = try self.signed(attempt)
      if signed != nil, finding.kind != .void { finding.reason += "; what every seat signed counts" }
    } else if finding.isSigned {
      signed = Signed(room: word.result.room, scores: word.result.games)
    } else if finding.kind == .holds, let other = try self.signed(attempt, besides: word.result.room),
      !check.states(other.scores)
    {
      finding = WordCheck.against(other.scores)
    } else if finding.kind == .notProven, word.result.walkover == .played {
      // Of what was played the word is no better witness than the seats; a decision is the organizer's own.
      signed = try self.signed(attempt)
      if let signed, !check.states(signed.scores) { finding.reason += "; what every seat signed counts" }
    }
    let judgement = Judgement(finding: finding, signed: signed)
    judgements[word.event] = judgement
    return judgement
  }

  /// What is false of a word, effective or not, whatever is in the rooms of the games; `nil` for nothing.
  private func finding(ofBytes word: Word) -> WordCheck.Finding? {
    let room = word.result.room
    if !room.isSome {
      return word.result.walkover == .played
        ? .init(kind: .contradicted, reason: "it says that games were played, and names no room") : nil
    }
    guard let first = firstUse[room], first != word.event else { return nil }
    return .init(kind: .roomUsedTwice, reason: "an earlier result names room \(room.short), event \(first)")
  }

  private func finding(of word: Word, _ check: WordCheck) throws(Failure) -> WordCheck.Finding {
    if let finding = finding(ofBytes: word) { return finding }
    let room = word.result.room
    guard room.isSome else { return .init(kind: .holds) }
    guard let found = try find?(room, word.result.heads) else {
      return .init(kind: .notProven, reason: "room \(room.short) is not here, or damaged")
    }
    return check.finding(in: found)
  }

  // MARK: - What all seats signed

  /// Counts what all seats signed, where an attempt is to be played and no word decides it.
  private mutating func settleAll() throws(Failure) {
    guard find != nil else { return }
    while looked < tournament.state.ledger.knownCount {
      looked = tournament.state.ledger.knownCount
      for attempt in tournament.state.ready { try settle(attempt.pairing.number) }
    }
  }

  /// Counts what all seats signed of an entrant's pairings before it is out: a word that comes later on one of them
  /// finds it decided, and would have kept what was signed from counting and had no effect itself.
  private mutating func settle(beforeLeaving entrant: EntrantIndex) throws(Failure) {
    guard find != nil else { return }
    for attempt in tournament.state.ready where attempt.entrants.contains(entrant) {
      try settle(attempt.pairing.number, heedsWords: false)
    }
  }

  /// Counts what is known of a pairing's attempts, one after the other, as long as one of them is decided by it.
  /// - Parameter heedsWords: whether a word on an attempt that comes later decides it.
  private mutating func settle(_ number: PairingNumber, heedsWords: Bool = true) throws(Failure) {
    guard find != nil else { return }
    while let attempt = tournament.state.record(number)?.open {
      let key = Attempt(pairing: number.rawValue, attempt: attempt.attempt)
      var signed: Signed?
      if heedsWords, let word = words[key], decides(word, attempt) {
        let judgement = try judge(word, attempt)
        signed = judgement.signed
        if signed != nil { note(judgement.finding, of: word) }
      } else {
        signed = try self.signed(attempt)
      }
      guard let signed else { return }
      let result = PairingResult(
        pairing: number, attempt: attempt.attempt, games: signed.scores.map { Outcome(scores: $0) })
      guard count(.result(result), signed.scores, in: signed.room) else { return }
    }
  }

  /// What all seats signed in the rooms that the organizer made for an attempt, and at the players' own table; `nil`
  /// where two of them differ.
  private func signed(_ attempt: PairingAttempt, besides: RoomID = .none) throws(Failure) -> Signed? {
    let key = Attempt(pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt)
    var found: Signed?
    for room in held[key] ?? [] where room != besides {
      guard let state = try find?(room, nil)?.state,
        state.creator == tournament.organizer || tournament.isTable(state, of: attempt),
        tournament.misfit(of: state, to: attempt) == nil,
        let scores = state.signedScores(of: attempt.games)
      else { continue }
      if let found, found.scores != scores { return nil }
      found = found ?? Signed(room: room, scores: scores)
    }
    return found
  }
}

extension TournamentEntry {
  /// The organizer's word as an entry; `nil` when it is none of any tournament.
  init?(_ word: Action.PairingResult) {
    guard let absence = Absence(rawValue: word.walkover.rawValue) else { return nil }
    self = .result(
      PairingResult(
        pairing: PairingNumber(word.pairing), attempt: word.attempt, absence: absence,
        games: word.games.map { Outcome(scores: $0) }))
  }
}
