import BotKit
import Games

extension Strategy {
  /// The first tournament's entries but tit-for-tat, grudger (Friedman), joss and random, which are basics.
  package static let firstTournament = [
    tidemanAndChieruzzi, nydegger, grofman, shubik, steinAndRapoport, davis, graaskamp, downing, feld,
    tullock,
    anonymous, revisedDowning,
  ]

  /// Each run of the other's defections is answered with one defection more than the run before. The other gets a
  /// fresh start, two cooperations and no longer answers, when it is 10 points or more behind, did not just defect,
  /// had no fresh start in 20 rounds, 10 rounds or more are left, and its defections since the last fresh start are
  /// at least 3 standard deviations from half of all rounds. The last two rounds are defections.
  static let tidemanAndChieruzzi = Strategy(
    "tideman-and-chieruzzi", "answers runs of defections ever longer, but grants fresh starts", .axelrod1980,
    from: FreshStarts()
  ) { state, past in
    if past.isInLast(2) { return .defect }
    if past.rounds == 0 { return .cooperate }
    return state.choose(past)
  }

  private struct FreshStarts {
    /// Defections that are left of this answer, and how long the last answer was.
    var left = 0
    var length = 0
    /// The round of the last fresh start.
    var granted: Int?

    mutating func choose(_ past: Past) -> Choice {
      if let granted, granted == past.rounds - 1 { return .cooperate }
      if deservesFreshStart(past) {
        self = FreshStarts(granted: past.rounds)
        return .cooperate
      }
      if left > 0 {
        left -= 1
        return .defect
      }
      guard past.other.last == .defect else { return .cooperate }
      length += 1
      left = length - 1
      return .defect
    }

    private func deservesFreshStart(_ past: Past) -> Bool {
      let payoffs = past.game.payoffs
      let lead =
        (past.rounds(with: .exploiting) - past.rounds(with: .exploited))
        * Int(payoffs.temptation - payoffs.sucker)
      guard lead >= 10, past.other.last == .cooperate, granted.map({ past.rounds - $0 >= 20 }) ?? true,
        past.length.map({ $0 - past.rounds >= 10 }) ?? true
      else { return false }
      let defections = past.other.defections(inLast: past.rounds - (granted ?? 0))
      // |d - n/2| >= 3 √n / 2, in whole numbers.
      let distance = 2 * defections - past.rounds
      return distance * distance >= 9 * past.rounds
    }
  }

  /// The sums of the last three rounds, 3 for DD, 2 for the other's and 1 for the own defection alone, weighted by 16,
  /// 4 and 1 from the last round back, after which it defects.
  private static let nydeggerDefects: Set = [
    1, 6, 7, 17, 22, 23, 26, 29, 30, 31, 33, 38, 39, 45, 49, 54, 55, 58, 61,
  ]

  static let nydegger = Strategy(
    "nydegger", "tit-for-tat at first, then by a table of the last three rounds", .axelrod1980, memory: 3
  ) { past in
    if past.rounds == 2, past.outcome(0) == 1, past.outcome(1) == 2 { return .defect }
    if past.rounds < 3 { return past.titForTat }
    let sum = (1...3).reduce(0) { 4 * $0 + [0, 2, 1, 3][past.outcome(past.rounds - $1)] }
    return .defect(if: nydeggerDefects.contains(sum))
  }

  static let grofman = Strategy(
    "grofman", "cooperates after both did the same, else in two of seven cases", .axelrod1980, memory: 1
  ) { past, random in
    past.own.last == past.other.last ? .cooperate : .cooperate(2, in: 7, &random)
  }

  static let shubik = Strategy(
    "shubik", "answers each defection on its cooperation with one defection more than the time before",
    .axelrod1980, from: (left: 0, length: 0)
  ) { state, past in
    if state.left == 0, past.own.last == .cooperate, past.other.last == .defect {
      state.length += 1
      state.left = state.length
    }
    guard state.left > 0 else { return .cooperate }
    state.left -= 1
    return .defect
  }

  /// Every 15 rounds, a chi-squared test at 5 % says whether the other chooses evenly.
  static let steinAndRapoport = Strategy(
    "stein-and-rapoport", "tit-for-tat that defects on who seems random and in the last two rounds",
    .axelrod1980,
    from: false
  ) { isRandom, past in
    if past.rounds < 4 { return .cooperate }
    if past.isInLast(2) { return .defect }
    if past.rounds % 15 == 14 { isRandom = past.other.seemsEven }
    return isRandom ? .defect : past.titForTat
  }

  static let davis = Strategy(
    "davis", "cooperates ten times, then plays as grudger does", .axelrod1980
  ) { .defect(if: $0.rounds >= 10 && $0.other.hasDefected) }

  /// Whether the other's choices were the own ones of the round before.
  private static func playsTitForTat(_ past: Past) -> Bool {
    (0..<past.rounds).allSatisfy { past.other[$0] == ($0 == 0 ? .cooperate : past.own[$0 - 1]) }
  }

  /// After a test defection in round 51 it defects for ever on who seems to choose evenly, and plays tit-for-tat with
  /// who does so or is its twin; on others it defects each time 5 to 14 rounds later, which is what was compared.
  static let graaskamp = Strategy(
    "graaskamp", "tests with a defection in round 51, then plays by what the other seems to be", .axelrod1980,
    from: (isEven: false, next: nil as Int?)
  ) { state, past, random in
    if past.rounds < 56 { return past.rounds == 50 ? .defect : past.titForTat }
    if state.isEven || past.other.seemsEven {
      state.isEven = true
      return .defect
    }
    let isTwin = (0..<past.rounds).allSatisfy { past.own[$0] == past.other[$0] }
    if isTwin || playsTitForTat(past) { return past.titForTat }
    let next = state.next ?? past.rounds + 5 + Int(random.below(10))
    state.next = next == past.rounds ? past.rounds + 5 + Int(random.below(10)) : next
    return .defect(if: next == past.rounds)
  }

  /// Estimates how often the other cooperates after the own cooperations and after the own defections, and does what
  /// pays more by that; when both pay the same, the opposite of what it did.
  static let downing = Strategy(
    "downing", "estimates the other's answers and takes what pays more; defects twice first", .axelrod1980,
    from: (afterCooperation: 0, afterDefection: 0)
  ) { answers, past in
    guard let last = past.own.last else { return .defect }
    if past.other.last == .cooperate {
      if (past.own.secondLast ?? .cooperate) == .cooperate {
        answers.afterCooperation += 1
      } else {
        answers.afterDefection += 1
      }
    }
    guard past.rounds > 1 else { return .defect }
    let alpha = Double(answers.afterCooperation) / Double(past.own.cooperations + 1)
    let beta = Double(answers.afterDefection) / Double(max(past.own.defections, 2))
    let payoffs = past.game.payoffs
    let cooperating = alpha * Double(payoffs.reward) + (1 - alpha) * Double(payoffs.sucker)
    let defecting = beta * Double(payoffs.temptation) + (1 - beta) * Double(payoffs.punishment)
    return cooperating == defecting ? last.opposite : .defect(if: defecting > cooperating)
  }

  /// How the other answered in the second tournament's form of Downing's rule.
  private struct Answers {
    var good = 1.0
    var bad = 0.0
    var niceAfterCooperation = 0
    var niceAfterDefection = 0
    var cooperations = 0
    var defections = 0

    mutating func count(_ answer: Choice, after own: Choice) {
      let nice = answer == .cooperate ? 1 : 0
      if own == .defect {
        niceAfterDefection += nice
        defections += 1
        bad = Double(niceAfterDefection) / Double(defections)
      } else {
        niceAfterCooperation += nice
        cooperations += 1
        good = Double(niceAfterCooperation) / Double(cooperations)
      }
    }
  }

  /// The article says that Downing's rule with a nice beginning would have won the first tournament.
  static let revisedDowning = Strategy(
    "revised-downing", "downing that thinks well of the other first", .axelrod1980, from: Answers()
  ) { answers, past in
    guard let last = past.own.last else { return .cooperate }
    if let own = past.own.secondLast, let answer = past.other.last { answers.count(answer, after: own) }
    let cooperating = 6 * answers.good - 8 * answers.bad - 2
    let alternating = 4 * answers.good - 5 * answers.bad - 1
    if cooperating >= 0, cooperating >= alternating { return .cooperate }
    return alternating >= 0 ? last.opposite : .defect
  }

  static let feld = Strategy(
    "feld", "tit-for-tat that answers cooperation ever less often, half of the times from round 200 on",
    .axelrod1980
  ) { past, random in
    guard past.other.last == .cooperate else { return past.titForTat }
    return .cooperate(400 - min(past.rounds, 200), in: 400, &random)
  }

  static let tullock = Strategy(
    "tullock", "cooperates 11 times, then a tenth less often than the other in the last ten rounds",
    .axelrod1980
  ) { past, random in
    if past.rounds < 11 { return .cooperate }
    return .cooperate(past.other.cooperations(inLast: 10) - 1, in: 10, &random)
  }

  /// The entry whose author did not wish to be named.
  static let anonymous = Strategy(
    "anonymous", "cooperates with a probability between 0.3 and 0.7, drawn anew each round", .axelrod1980,
    memory: 0
  ) { _, random in
    let cases = 300 + Int(random.below(401))
    return .cooperate(cases, in: 1000, &random)
  }
}

extension Past.Choices {
  /// Whether a chi-squared test at 5 % does not tell the choices from even ones.
  var seemsEven: Bool {
    let difference = cooperations - defections
    return Double(difference * difference) <= 3.841458820694124 * Double(count)
  }
}
