import Ratings
import Terminal

extension SequentialTest {
  /// The most games of a match that a test ends, when nothing is said.
  static let standardGames = 100_000

  static let option: OptionDefinition = .value(
    "sprt", "WORDS",
    "End when a sequential probability ratio test decides: elo0=N,elo1=N[,alpha=0.05][,beta=0.05][,model=logistic]."
  )

  /// The test of the option; `nil` when it is not given.
  static func option(_ parsed: ParsedCommand) throws(UsageError) -> SequentialTest? {
    try test(parsed.text("sprt") ?? "", parsed)
  }

  /// The test of the option's words, as given now or in the past; `nil` for none.
  static func test(_ text: String, _ parsed: ParsedCommand) throws(UsageError) -> SequentialTest? {
    guard !text.isEmpty else { return nil }
    var numbers = ["alpha": 0.05, "beta": 0.05]
    var scale = Scale.logistic
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw parsed.badValue("sprt", form) }
      if parts[0] == "model" {
        guard let named = Scale(rawValue: parts[1]) else {
          let names = Scale.allCases.map(\.rawValue).joined(separator: ", ")
          throw parsed.badValue("sprt", "the models are \(names)")
        }
        scale = named
      } else {
        guard ["elo0", "elo1", "alpha", "beta"].contains(parts[0]), let number = Double(parts[1]) else {
          throw parsed.badValue("sprt", form)
        }
        numbers[parts[0]] = number
      }
    }
    guard let elo0 = numbers["elo0"], let elo1 = numbers["elo1"], let alpha = numbers["alpha"],
      let beta = numbers["beta"]
    else { throw parsed.badValue("sprt", form) }
    guard let test = SequentialTest(elo0: elo0, elo1: elo1, alpha: alpha, beta: beta, scale: scale) else {
      throw parsed.badValue(
        "sprt",
        "elo0 must be below elo1, both from -1000 to 1000, and alpha and beta above 0 with a sum below 1")
    }
    return test
  }

  private static let form = "it is like elo0=0,elo1=5, perhaps with alpha=0.05, beta=0.05 and model=logistic"
}
