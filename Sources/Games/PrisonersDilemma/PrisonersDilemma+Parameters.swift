public import Rules

extension PrisonersDilemma {
  /// The numbers of rounds that a game may have.
  public static let roundsRange = 1...1000

  public static let settings = [
    ParameterDefinition(name: "rounds", summary: "number of rounds, 1 to 1000", standard: "10"),
    ParameterDefinition(
      name: "payoffs",
      summary: "T,R,P,S: integers from -100 to 100 with T > R > P > S and 2R > T + S, or article or axelrod",
      standard: Payoffs.article.description),
  ]

  public init(_ parameters: Parameters) throws(RulesError) {
    let known = Self.settings.map(\.name)
    if let entry = parameters.entries.first(where: { !known.contains($0.name) }) {
      throw .unknownParameter(entry.name, known: known)
    }
    rounds = try Self.rounds(parameters["rounds"])
    payoffs = try Self.payoffs(parameters["payoffs"])
  }

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["payoffs"] = payoffs.description
    parameters["rounds"] = "\(rounds)"
    return parameters
  }

  private static func rounds(_ value: String?) throws(RulesError) -> Int {
    guard let value else { return 10 }
    guard let rounds = canonicalInteger(value), roundsRange.contains(rounds) else {
      throw .badParameter(name: "rounds", value: value, expected: "it takes a whole number from 1 to 1000")
    }
    return rounds
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
