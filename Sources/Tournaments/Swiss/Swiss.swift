extension TournamentFormat {
  /// Entrants of equal points meet, nobody twice, for a number of rounds.
  package static let swiss = TournamentFormat(
    code: 3, name: "swiss",
    summary: "entrants of equal points meet, nobody twice, for some rounds: FIDE's Dutch system",
    options: [.rounds], followsWords: true,
    results: .byRound, report: .dutch, system: { Swiss(settings: $0) })
}

extension FormatOption {
  /// The rounds of a Swiss tournament. When nothing is said they are as many as a knock-out has.
  static let rounds = FormatOption(
    name: "rounds", placeholder: "N",
    summary:
      "The rounds of a swiss, when not given as many as a knock-out has, or of a ladder, as many as entrants.",
    // Rounds of large fields take seconds to pair.
    limits: { entrants in 1...min(entrants > 1_000 ? 24 : 255, entrants - 1 + entrants % 2) },
    standard: { entrants in Int.bitWidth - (entrants - 1).leadingZeroBitCount }, bits: (0, 8), least: 0)
}

/// A Swiss tournament: in each round those meet who have equal points, as far as they have not met.
///
/// Rounds are paired by FIDE's Dutch system (``SwissDutch``) when the one before is decided. Seeds are pairing
/// numbers. White is seat 0, and the top seed has it in the first round.
///
/// A pairing that is won is a point for its winner, a level one half a point for both. Where both are absent neither
/// gains. With an odd number of entrants one has a bye, which is a point. An entrant who has withdrawn is not paired
/// any more. A pairing of which no game was played gives nobody a colour, and may come again.
///
/// The tournament ends early when fewer than two entrants are left, and when no pairing of all who are left keeps to
/// the absolute criteria: in a small field everybody has met.
///
/// Who comes in after the start has the next pairing number, and has gained nothing in the rounds before. Numbers of
/// pairings are by round, then board.
package struct Swiss: PairingSystem {
  private let settings: TournamentSettings
  private let rounds: Int

  /// The system of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    rounds = settings.value(of: .rounds) ?? 1
  }

  package var pairingCount: Int { rounds * (settings.entrants / 2) }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    (rounds - ledger.roundCount) * (ledger.seeds.count { !ledger.hasWithdrawn($0) } / 2)
  }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    let round = ledger.roundCount
    guard ledger.knownCount == ledger.decidedCount, round < rounds,
      ledger.seeds.count(where: { !ledger.hasWithdrawn($0) }) > 1
    else { return NextPairings([]) }
    let paired: SwissPairing
    do throws(SwissError) {
      paired = try SwissDutch(rules: SwissRules(rounds: rounds, initialColour: .white))
        .pairing(of: players(in: ledger))
    } catch { return NextPairings([]) }
    let pairings = paired.boards.enumerated().map { board, pair in
      settings.pairing(
        ScheduledPairing(round: round, position: board, upper: .bye, lower: .bye),
        PairingNumber(index: ledger.knownCount + board), first: EntrantIndex(index: pair.white),
        second: EntrantIndex(index: pair.black))
    }
    return NextPairings(
      pairings, byes: paired.bye.map { [Bye(round: round, entrant: EntrantIndex(index: $0))] } ?? [])
  }

  /// Everybody with all rounds so far, as the pairing of the next one sees them.
  func players(in ledger: TournamentLedger) -> [SwissPlayer] {
    let absent = SwissGame(opponent: nil, colour: nil, isPlayed: false, isPaired: false, points: 0)
    var games = [[SwissGame]](
      repeating: [SwissGame](repeating: absent, count: ledger.roundCount), count: ledger.entrants)
    for case let record? in ledger.records {
      let (pairing, gained) = (record.pairing, record.halfPoints)
      for (own, other, colour, gain) in [
        (pairing.first, pairing.second, SwissColour.white, gained.first),
        (pairing.second, pairing.first, .black, gained.second),
      ] {
        games[own.index][pairing.round] = SwissGame(
          opponent: other.index, colour: colour, isPlayed: record.isPlayed, isPaired: true,
          points: gain * Self.tenths)
      }
    }
    for bye in ledger.byes {
      games[bye.entrant.index][bye.round].isPaired = true
      games[bye.entrant.index][bye.round].points = Self.bye * Self.tenths
    }
    return ledger.seeds.map { seed in
      SwissPlayer(number: seed.index + 1, games: games[seed.index], isPresent: !ledger.hasWithdrawn(seed))
    }
  }

  /// Half points in tenths of a point.
  private static let tenths = 5
  /// What a bye is worth, in half points.
  static let bye = 2

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    var rounds = ScheduledPairing.rounds(of: ledger)
    for bye in ledger.byes {
      rounds[bye.round].append(
        ScheduledPairing(
          round: bye.round, position: rounds[bye.round].count, upper: .entrant(bye.entrant), lower: .bye))
    }
    return rounds
  }

  package func remark(on ledger: TournamentLedger) -> String? {
    guard ledger.roundCount < rounds else { return nil }
    return "It ended after \(ledger.roundCount) of \(rounds) rounds, as no other round could be paired."
  }
}

extension PairingRecord {
  /// What both gained of the pairing's one point, in half points; nothing while it is open.
  var halfPoints: (first: Int, second: Int) {
    guard let decision else { return (0, 0) }
    if let winner = decision.winner { return winner == pairing.first ? (2, 0) : (0, 2) }
    return results.last?.absence == .bothSeats ? (0, 0) : (1, 1)
  }

  /// Whether a game of it was played.
  var isPlayed: Bool { results.contains { !$0.games.isEmpty } }
}
