/// Pairs the rounds of a tournament again, each from what was before it, and compares.
package struct SwissCheck: Sendable {
  private let report: SwissReport

  /// A check of what a report tells.
  package init(_ report: SwissReport) { self.report = report }

  /// A game or a bye, by pairing numbers.
  package struct Pair: Hashable, Sendable {
    /// Who has white, or the bye.
    package var white: Int
    /// Who has black; nil for a bye.
    package var black: Int?
  }

  /// What one round was found to be.
  package struct Round: Equatable, Sendable {
    /// Its number, from 1.
    package var number: Int
    /// What the system pairs and the report does not have.
    package var expected: [Pair] = []
    /// What the report has in place of that.
    package var found: [Pair] = []
    /// Whether no pairing at all keeps to the absolute criteria.
    package var isUnpairable = false

    /// Whether the report has what the system pairs.
    package var agrees: Bool { expected.isEmpty && found.isEmpty && !isUnpairable }
  }

  /// Pairs one round again.
  /// - Parameter round: its place, from 0.
  package func check(_ round: Int) throws(SwissError) -> Round {
    if report.system == .roundRobin { return checkTables(round) }
    let players = report.players.map { player in
      SwissPlayer(
        number: player.number, games: Array(player.games[..<round]), isPresent: player.games[round].isPaired)
    }
    var result = Round(number: round + 1)
    do throws(SwissError) {
      let pairing = try SwissDutch(rules: report.rules).pairing(of: players)
      var expected = pairing.boards.map { Pair(white: number($0.white), black: number($0.black)) }
      if let bye = pairing.bye { expected.append(Pair(white: number(bye), black: nil)) }
      let right = Set(expected)
      let found = found(in: round, right)
      let known = Set(found)
      result.expected = expected.filter { !known.contains($0) }
      result.found = found.filter { !right.contains($0) }
    } catch {
      guard error == .noPairing else { throw error }
      result.isUnpairable = true
    }
    return result
  }

  /// Compares a round of a round robin with the Berger tables. Who is not paired in it is taken as absent.
  private func checkTables(_ round: Int) -> Round {
    let count = report.players.count
    let table = RoundRobin.table(lines: count + count % 2)
    let isSwapped = !(round / table.count).isMultiple(of: 2)
    var expected: [Pair] = []
    for pair in table[round % table.count] where max(pair.first, pair.second) < count {
      let (white, black) = isSwapped ? (pair.second, pair.first) : (pair.first, pair.second)
      guard [white, black].allSatisfy({ report.players[$0].games[round].isPaired }) else { continue }
      expected.append(Pair(white: number(white), black: number(black)))
    }
    let found = found(in: round, Set(expected))
    var result = Round(number: round + 1)
    result.expected = expected.filter { !found.contains($0) }
    result.found = found.filter { !expected.contains($0) }
    return result
  }

  private func number(_ place: Int) -> Int { report.players[place].number }

  /// What the report has in a round, by the number of whoever comes first. A forfeit without colours is taken as
  /// it is expected.
  private func found(in round: Int, _ expected: Set<Pair>) -> [Pair] {
    report.players.compactMap { player in
      let game = player.games[round]
      guard let opponent = game.opponent.map(number) else {
        return game.isPaired ? Pair(white: player.number, black: nil) : nil
      }
      let pair = Pair(white: player.number, black: opponent)
      guard game.colour == nil else { return game.colour == .white ? pair : nil }
      let turned = Pair(white: opponent, black: player.number)
      guard player.number < opponent else { return nil }
      return expected.contains(turned) ? turned : pair
    }
  }
}
