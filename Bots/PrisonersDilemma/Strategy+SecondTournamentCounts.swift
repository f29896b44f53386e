import Games

extension Strategy {
  /// Entries of the second tournament that keep counts of what the other did, as they were programmed.
  static let secondTournamentCounts = [borufsen, hufford, rowsam, yamachi, secondTidemanAndChieruzzi]

  /// Every 25 rounds, from the 27th on, it judges the other by its cooperations since the last time: fewer than
  /// three, or 8 to 17 of which less than 70 % followed a cooperation, are answered with 25 defections. Otherwise it
  /// plays tit-for-tat, but cooperates after three rounds of DD, and once for a defection when both took turns.
  static let borufsen = Strategy(
    "borufsen", "tit-for-tat that ends feuds; defects for 25 rounds on who seems random or bad",
    .axelrod1980b, from: Judge()
  ) { judge, past in judge.choose(past) }

  private struct Judge {
    var afterCooperation = 0
    var afterDefection = 0
    var isDefecting = false
    /// The round in which it last began to play tit-for-tat again.
    var returned = 0
    var forgives = false

    mutating func choose(_ past: Past) -> Choice {
      guard let last = past.other.last else { return .cooperate }
      if last == .cooperate, let own = past.own.secondLast {
        if own == .cooperate { afterCooperation += 1 } else { afterDefection += 1 }
      }
      if past.rounds >= 26, past.rounds % 25 == 1 {
        let wasDefecting = isDefecting
        judge()
        if wasDefecting, !isDefecting { returned = past.rounds }
        if wasDefecting || isDefecting { return .defect }
      }
      if isDefecting { return .defect }
      if returned == 0 || past.rounds - returned >= 3 {
        if past.own.ends(with: "DDD"), past.other.ends(with: "DDD") { return .cooperate }
        if past.own.ends(with: "CDCD"), past.other.ends(with: "DCDC") { forgives = true }
        if past.own.ends(with: "DCDC"), past.other.ends(with: "CDCD") { forgives = true }
      }
      guard last == .defect else { return .cooperate }
      defer { forgives = false }
      return forgives ? .cooperate : .defect
    }

    private mutating func judge() {
      let cooperations = afterCooperation + afterDefection
      isDefecting =
        cooperations < 3 || (8...17).contains(cooperations) && 10 * afterCooperation < 7 * cooperations
      afterCooperation = 0
      afterDefection = 0
    }
  }

  /// The other agrees when it does what it saw done in the round before. Who agrees in more than nine of ten rounds
  /// and in the last four gets cooperation, who does so in five of eight and in two of the last four tit-for-tat,
  /// others defection. A long run of cooperations is tested with a defection; how the other takes that sets the length
  /// of the next run.
  static let hufford = Strategy(
    "hufford", "judges by how often the other did as it saw done, and tests long cooperation", .axelrod1980b,
    from: Agreement()
  ) { agreement, past in agreement.choose(past) }

  private struct Agreement {
    /// It begins as if there had been two rounds before the first one.
    var count = 2
    var lastFour = [true, true, true, true]
    var run = 2
    var longestRun = 21
    var answers = (cooperations: 2, defections: 2)
    /// The round of a test whose answer is to come.
    var tested: Int?

    mutating func choose(_ past: Past) -> Choice {
      guard let last = past.other.last else { return .cooperate }
      let agrees = last == past.own.secondLast ?? .cooperate
      lastFour = lastFour.dropFirst() + [agrees]
      if agrees { count += 1 }
      run = last == .cooperate ? run + 1 : 0
      if let tested {
        if past.rounds == tested + 2 { return takeAnswer(last) }
      } else if run == longestRun {
        tested = past.rounds
        return .defect
      }
      let recent = lastFour.count { $0 }
      let rounds = past.rounds + 1
      if 10 * count > 9 * rounds, recent == 4 { return .cooperate }
      return 8 * count >= 5 * rounds && recent >= 2 ? last : .defect
    }

    private mutating func takeAnswer(_ answer: Choice) -> Choice {
      if answer == .cooperate { answers.cooperations += 1 } else { answers.defections += 1 }
      longestRun = 20 * answers.defections / answers.cooperations + 1
      run = 0
      tested = nil
      return .cooperate
    }
  }

  /// It looks at its score every six rounds. A mean below 2.5, 2, 1.5 or 1 adds 1, 2, 3 or 5 points of distrust and is
  /// answered with DCD; from seven points on it defects for ever. Every 18 rounds it takes back one of three or more.
  static let rowsam = Strategy(
    "rowsam", "looks at its score every six rounds; plays DCD when it is low, defects when it stays low",
    .axelrod1980b, from: (distrust: 0, score: 0, isAnswering: false)
  ) { state, past in
    guard let outcome = past.lastOutcome else { return .cooperate }
    let payoffs = past.game.payoffs
    state.score += Int([payoffs.reward, payoffs.sucker, payoffs.temptation, payoffs.punishment][outcome])
    if state.distrust >= 7 { return .defect }
    let round = past.rounds + 1
    if state.isAnswering, round % 6 == 2 {
      state.isAnswering = false
      return .defect
    }
    if round % 18 == 0, state.distrust >= 3 { state.distrust -= 1 }
    guard round % 6 == 0, 2 * state.score < 5 * round else { return .cooperate }
    let steps = [2, 3, 4].count { 2 * state.score < $0 * round }
    state.distrust += [1, 2, 3, 5][steps]
    state.isAnswering = true
    return .defect
  }

  /// What the other did in each situation, which is its choice before and the own one then, is counted; the choice in
  /// the game may be another than the one that counts as the own one.
  static let yamachi = Strategy(
    "yamachi", "does what the other mostly did then; from round 41 on, defects on who defects half the time",
    .axelrod1980b, from: Forecast()
  ) { forecast, past in
    let choice = forecast.choose(past)
    let round = past.rounds + 1
    // (d + 1/2) / n between 0.45 and 0.55, in whole numbers.
    let share = 20 * past.other.defections + 10
    return round > 40 && 9 * round < share && share < 11 * round ? .defect : choice
  }

  private struct Forecast {
    /// Cooperations less defections, by situation.
    var balances = [0, 0, 0, 0]
    /// The own choices before the last one and last.
    var own: (before: Choice, last: Choice) = (.cooperate, .cooperate)

    /// What was answered counts a round late, as in the program that was entered.
    mutating func choose(_ past: Past) -> Choice {
      let rounds = past.rounds
      if rounds >= 2 {
        let before = rounds >= 3 ? past.other[rounds - 3] : .cooperate
        balances[place(before, own.before)] += past.other[rounds - 2] == .cooperate ? 1 : -1
      }
      let choice = Choice.defect(
        if: balances[place(past.other.secondLast ?? .cooperate, own.last)] < 0)
      own = (own.last, choice)
      return choice
    }

    private func place(_ other: Choice, _ own: Choice) -> Int { 2 * Int(other.rawValue) + Int(own.rawValue) }
  }

  /// Each run of the other's defections raises the lead in points that it wants by five more than the run before. It
  /// defects until it has that lead. While it waits, who does not seem random gets a fresh start, two cooperations and
  /// no claims, at the earliest ten rounds after the last one.
  static let secondTidemanAndChieruzzi = Strategy(
    "second-tideman-and-chieruzzi", "wants a greater lead after each run of defections, grants fresh starts",
    .axelrod1980b, from: Claim()
  ) { claim, past in claim.choose(past) }

  private struct Claim {
    var lead = 0
    var wanted = 0
    var raise = 0
    /// The round of the last fresh start's second cooperation, and whether it comes now.
    var granted: Int?
    var isGranting = false

    mutating func choose(_ past: Past) -> Choice {
      guard let last = past.other.last, let own = past.own.last else { return .cooperate }
      if isGranting {
        self = Claim(granted: past.rounds)
        return .cooperate
      }
      let payoffs = past.game.payoffs
      lead += Int(payoffs.payoff(own, against: last) - payoffs.payoff(last, against: own))
      if last == .defect, past.other.secondLast != .defect {
        wanted += raise
        raise += 5
        return .defect
      }
      if last == .cooperate, lead >= wanted { return .cooperate }
      isGranting = deservesFreshStart(past)
      return isGranting ? .cooperate : .defect
    }

    private func deservesFreshStart(_ past: Past) -> Bool {
      guard granted.map({ past.rounds - $0 >= 10 }) ?? true else { return false }
      // |d - n/2| >= 3 √n / 2, in whole numbers.
      let distance = 2 * past.other.defections - past.rounds
      return distance * distance >= 9 * past.rounds
    }
  }
}
