import Rules

/// Hosted rounds in which a number from 0 to 9 is guessed, with a bug planted on demand; the first right guess has ten
/// points, each later one five.
struct Guess: HostedRules {
  /// What is wrong with the rules.
  enum Bug: String, CaseIterable, Sendable {
    case none, wrongText, laxEntry, laxReading, missingPoints, paidSilence, favourite, reopened,
      lastPlaceFirst
    case forgottenSetting, silentSetting, escapeInQuestion, oneChoice, noQuestion
  }

  static let name = "guess"
  static let version: UInt16 = 1
  static let title = "Guess"
  static let summary = "Guess the number."
  static let settings = [ParameterDefinition(name: "bug", summary: "what is wrong", standard: "none")]
  static let roundWord = "guess"

  let bug: Bug

  init(_ parameters: Parameters) throws(RulesError) {
    bug = Bug(rawValue: parameters["bug"] ?? "none") ?? .none
    for entry in parameters.entries where bug != .silentSetting && entry.name != "bug" {
      throw .unknownParameter(entry.name, known: Self.settings.map(\.name))
    }
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters["bug"] = bug == .forgottenSetting ? "none" : bug.rawValue
    return parameters
  }

  var isSealed: Bool { true }
  var graceMilliseconds: UInt32 { 0 }

  func question(_ content: [UInt8]) -> HostedQuestion? {
    guard content == [7], bug != .noQuestion else { return nil }
    return HostedQuestion(
      text: bug == .escapeInQuestion ? "\u{1B}[2J" : "Which number?",
      choices: bug == .oneChoice ? ["any"] : [])
  }

  func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool { isEntry(solution, in: content) }
  func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool { choice.count == 1 && choice[0] < 10 }

  func entry(text: String, in content: [UInt8]) -> [UInt8]? {
    guard let number = UInt8(text), "\(number)" == text else { return nil }
    return number < 10 || bug == .laxReading ? [number] : nil
  }

  func text(of choice: [UInt8], in content: [UInt8]) -> String {
    guard isEntry(choice, in: content) else {
      return bug == .laxEntry && choice.count == 1 ? "\(choice[0])" : "?"
    }
    return "\(bug == .wrongText ? 0 : choice[0])"
  }

  func points(_ round: HostedRound) -> [UInt32] {
    var isFirst = true
    let points = round.entries.map { entry -> UInt32 in
      if entry.choice == nil { return bug == .paidSilence ? 1 : 0 }
      guard entry.choice == round.solution else { return 0 }
      defer { isFirst = false }
      return (isFirst ? 10 : 5) + (bug == .favourite && entry.player == 3 ? 1 : 0)
    }
    return bug == .missingPoints ? Array(points.dropLast()) : points
  }

  func counts(_ round: HostedRound) -> [HostedCount] {
    let right = round.entries.filter { $0.choice == round.solution }.map(\.player)
    let players = right.indices.filter { !right[..<$0].contains(right[$0]) }.map { right[$0] }
    return players.enumerated().map { index, player in
      HostedCount(player: player, count: 1, place: bug == .lastPlaceFirst ? players.count - index : index + 1)
    }
  }

  func isDecided(_ round: HostedRound) -> Bool {
    let right = round.entries.count { $0.choice == round.solution }
    return bug == .reopened ? right == 1 : right > 0
  }
}
