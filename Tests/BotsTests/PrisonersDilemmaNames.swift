/// Our names of the strategies in the recorded games.
enum PrisonersDilemmaNames {
  private static let exceptions = [
    "TitFor2Tats": "tit-for-two-tats", "HardTitFor2Tats": "hard-tit-for-two-tats",
    "NTitsForMTats": "three-tits-for-two-tats", "GeneralSoftGrudger": "soft-grudger",
    "OmegaTFT": "omega-tit-for-tat",
    "DelayedAON1": "delayed-aon-1", "AON2": "aon-2", "TF1": "tf-1", "TF2": "tf-2", "TF3": "tf-3",
    "SolutionB1": "solution-b1", "SolutionB5": "solution-b5", "EvolvedFSM4": "evolved-fsm-4",
    "EvolvedFSM16": "evolved-fsm-16", "EvolvedFSM16Noise05": "evolved-fsm-16-noise-05",
    "SecondByGrofman": "second-grofman", "SecondByTidemanAndChieruzzi": "second-tideman-and-chieruzzi",
    "SecondByGraaskampKatzen": "graaskamp-and-katzen", "SecondByRichardHufford": "hufford",
    "GTFT": "generous-tit-for-tat", "NaiveProber": "joss", "StochasticWSLS": "stochastic-wsls",
    "ZDGTFT2": "zd-gtft-2",
    "ZDExtort2v2": "zd-extort-2-v2",
  ]

  /// The name with hyphens before capitals and numbers, without the tournament.
  static func ours(_ recorded: String) -> String {
    if let name = exceptions[recorded] { return name }
    for prefix in ["Cycler", "ZD"] where recorded.hasPrefix(prefix) {
      return "\(prefix.lowercased())-\(hyphenated(recorded.dropFirst(prefix.count), prefix == "ZD"))"
    }
    for prefix in ["FirstBy", "SecondBy"] where recorded.hasPrefix(prefix) {
      return hyphenated(recorded.dropFirst(prefix.count), true)
    }
    return hyphenated(Substring(recorded), true)
  }

  private static func hyphenated(_ name: Substring, _ breaks: Bool) -> String {
    var words = ""
    var last: Character?
    for character in name {
      let isBreak =
        character.isUppercase || (character.isNumber && last?.isNumber != true)
      if character == "_" {
        words += "-"
      } else {
        if breaks, isBreak, let last, last != "_" { words += "-" }
        words += character.lowercased()
      }
      last = character
    }
    return words
  }
}
