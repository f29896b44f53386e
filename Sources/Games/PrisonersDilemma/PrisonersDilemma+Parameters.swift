public import Rules

extension PrisonersDilemma {
  /// The numbers of rounds that a game may have.
  public static let roundsRange = 1...1000
  /// The chances that `noise` may have, in 1,000: above 500 every choice would rather mean its opposite.
  public static let noiseRange = 0...500
  /// The chances that `ending` may have, in 1,000.
  public static let endingRange = 0...1000

  public static let settings = [
    ParameterDefinition(
      name: "rounds", summary: "number of rounds, 1 to 1000; with ending, the most of them", standard: "10"),
    ParameterDefinition(
      name: "payoffs",
      summary: "T,R,P,S: integers from -100 to 100 with T > R > P > S and 2R > T + S, or article or axelrod",
      standard: Payoffs.article.description),
    ParameterDefinition(
      name: "noise", summary: "in how many of 1000 cases a choice is turned into its opposite, 0 to 500",
      standard: "0"),
    ParameterDefinition(
      name: "ending", summary: "in how many of 1000 cases a round is the last one, 0 to 1000", standard: "0"),
  ]

  public init(_ parameters: Parameters) throws(RulesError) {
    try parameters.check(known: Self.settings)
    rounds = try parameters.number("rounds", in: Self.roundsRange, standard: 10)
    noise = try parameters.number("noise", in: Self.noiseRange, standard: 0)
    ending = try parameters.number("ending", in: Self.endingRange, standard: 0)
    payoffs = try Self.payoffs(parameters["payoffs"])
  }

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["payoffs"] = payoffs.description
    parameters["rounds"] = "\(rounds)"
    parameters["noise"] = "\(noise)"
    parameters["ending"] = "\(ending)"
    return parameters
  }

  private static func payoffs(_ value: String?) throws(RulesError) -> Payoffs {
    switch value {
    case nil, "article": return .article
    case "axelrod": return .axelrod
    case let value?:
      let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { canonicalInteger($0) }
      guard numbers.count == 4, case let (t?, r?, p?, s?) = (numbers[0], numbers[1], numbers[2], numbers[3]),
        let payoffs = Payoffs(temptation: t, reward: r, punishment: p, sucker: s)
      else {
        throw .badParameter(
          name: "payoffs", value: value,
          expected: "it takes T,R,P,S, four integers from -100 to 100 with T > R > P > S and 2R > T + S, "
            + "or one of the names article (3,2,0,-1) and axelrod (5,3,1,0)")
      }
      return payoffs
    }
  }

  /// Reads an integer in its only spelling: no plus sign, no leading zeros, no minus zero.
  private static func canonicalInteger(_ text: some StringProtocol) -> Int? {
    guard let number = Int(text), "\(number)" == text else { return nil }
    return number
  }
}
