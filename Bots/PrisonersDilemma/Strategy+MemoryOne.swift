import Games

extension Strategy {
  /// Strategies whose probability to cooperate follows from the last round's outcome. They cooperate first, but where
  /// the summary says something else.
  static let memoryOne = [
    generousTitForTat,
    outcomes(
      "firm-but-fair", "cooperates but after CD, and after DD in two of three cases", .frean1994,
      [3, 0, 3, 2], in: 3),
    outcomes(
      "stochastic-wsls", "win-stay-lose-shift that errs in one case of 20", .knight2023, [19, 1, 1, 19],
      in: 20),
    outcomes(
      "stochastic-cooperator", "cooperates after CC and seldom else, evolved", .adami2013,
      [935, 229, 266, 420],
      in: 1000),
    zero("zd-extort-2", "extorts twice its surplus", .stewart2012, (1, 9), (1, 2), .punishment),
    zero(
      "zd-extort-2-v2", "extorts twice its surplus, another slope", .kuhn2017, (1, 8), (1, 2), .punishment),
    zero("zd-extort-3", "extorts three times its surplus", .press2012, (3, 26), (1, 3), .punishment),
    zero("zd-extort-4", "extorts four times its surplus", .li2014, (4, 17), (1, 4), .punishment),
    zero("zd-extortion", "extorts ten times its surplus", .roemheld2013, (1, 5), (1, 10), .punishment),
    zero("zd-gtft-2", "takes twice the other's loss", .stewart2012, (1, 4), (1, 2), .reward),
    zero("zd-gen-2", "takes twice the other's loss, another slope", .kuhn2017, (1, 8), (1, 2), .reward),
    zero("zd-set-2", "sets the other's score to the mean of R and P", .kuhn2017, (1, 4), (0, 1), .middle),
    zero("zd-mischief", "sets the other's score to P", .roemheld2013, (1, 10), (0, 1), .punishment),
    outcomes(
      "willing", "defects after DD alone; draws first", .berg2015, [1, 1, 1, 0], in: 1, first: (1, 2)),
    outcomes(
      "hopeless", "defects after CC alone; draws first", .berg2015, [0, 1, 1, 1], in: 1, first: (1, 2)),
    outcomes(
      "desperate", "cooperates after DD alone; draws first", .berg2015, [0, 0, 0, 1], in: 1, first: (1, 2)),
  ]

  /// A strategy of memory one.
  /// - Parameters:
  ///   - cases: in how many of `all` cases it cooperates after CC, CD, DC, DD, its own choice first.
  ///   - first: in how many cases of how many it cooperates first.
  static func outcomes(
    _ name: String, _ summary: String, _ source: Source, _ cases: [Int], in all: Int,
    first: (Int, Int) = (1, 1)
  ) -> Strategy {
    precondition(cases.count == 4, "\(name): \(cases)")
    return Strategy(name, summary, source, memory: 1) { past, random in
      guard let outcome = past.lastOutcome else { return .cooperate(first.0, in: first.1, &random) }
      return .cooperate(cases[outcome], in: all, &random)
    }
  }

  /// The score κ of which a zero-determinant strategy makes both seats' surpluses multiples.
  enum Baseline {
    case punishment, reward
    /// Between both.
    case middle
    /// So many thousandths.
    case value(Int)

    /// The score in thousandths.
    func thousandths(_ payoffs: PrisonersDilemma.Payoffs) -> Int {
      switch self {
      case .punishment: 1_000 * Int(payoffs.punishment)
      case .reward: 1_000 * Int(payoffs.reward)
      case .middle: 500 * Int(payoffs.punishment + payoffs.reward)
      case .value(let value): value
      }
    }
  }

  /// A zero-determinant strategy for any payoffs (Press & Dyson 2012, in the form of Stewart & Plotkin 2012): its
  /// surplus over κ times χ is the other's, with slope φ. Probabilities outside 0 to 1 count as those.
  /// - Parameters:
  ///   - phi: φ as a fraction.
  ///   - chi: χ as a fraction.
  static func zero(
    _ name: String, _ summary: String, _ source: Source, _ phi: (Int, Int), _ chi: (Int, Int),
    _ kappa: Baseline
  ) -> Strategy {
    Strategy(name, "zero-determinant: \(summary)", source, memory: 1) { past, random in
      guard let outcome = past.lastOutcome else { return .cooperate }
      let payoffs = past.game.payoffs
      let base = kappa.thousandths(payoffs)
      let choices = (own: Choice.defect(if: outcome > 1), other: Choice.defect(if: outcome % 2 > 0))
      let own = 1_000 * Int(payoffs.payoff(choices.own, against: choices.other)) - base
      let other = 1_000 * Int(payoffs.payoff(choices.other, against: choices.own)) - base
      // p = (1 after an own cooperation, else 0) + φ (χ own - other), with one denominator.
      let all = 1_000 * phi.1 * chi.1
      let cases = (outcome < 2 ? all : 0) + phi.0 * (chi.0 * own - chi.1 * other)
      return .cooperate(min(cases, all), in: all, &random)
    }
  }

  /// It forgives as often as the payoffs allow: min(1 - (T - R)/(R - S), (R - P)/(T - P)).
  static let generousTitForTat = Strategy(
    "generous-tit-for-tat", "tit-for-tat that forgives as often as the payoffs allow, a third with 5,3,1,0",
    .nowak1992, memory: 1
  ) { past, random in
    guard past.other.last == .defect else { return .cooperate }
    let payoffs = past.game.payoffs
    let (t, r) = (Int(payoffs.temptation), Int(payoffs.reward))
    let (p, s) = (Int(payoffs.punishment), Int(payoffs.sucker))
    let (loss, gain) = ((cases: 2 * r - s - t, all: r - s), (cases: r - p, all: t - p))
    let least = loss.cases * gain.all < gain.cases * loss.all ? loss : gain
    return .cooperate(least.cases, in: least.all, &random)
  }
}
