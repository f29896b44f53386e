import BotKit
package import Rules
package import Testing

// The suite for games of hosted rounds, which have entries and points in place of moves and positions.

extension RulesSuite {
  /// Records an issue for every fault of rules `R` of hosted rounds.
  /// - Parameters:
  ///   - settings: the settings to play with, as lists of `name=value`; by default the standard ones.
  ///   - contents: rounds that can be asked.
  ///   - solutions: what solves each of them.
  ///   - typed: what people may type as entries.
  ///   - isFreeText: whether an entry may be any text, which displays clean.
  package static func checkHosted<R: HostedRules>(
    _ rules: R.Type, settings: [[String]] = [[]], contents: [[UInt8]], solutions: [[UInt8]],
    typed: [String], isFreeText: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let findings = hostedFindings(
      rules, settings: settings, contents: contents, solutions: solutions, typed: typed,
      isFreeText: isFreeText)
    for finding in findings { Issue.record("\(R.name): \(finding)", sourceLocation: sourceLocation) }
  }

  /// All faults of rules `R` of hosted rounds, at most a few of each check.
  package static func hostedFindings<R: HostedRules>(
    _ rules: R.Type, settings: [[String]] = [[]], contents: [[UInt8]], solutions: [[UInt8]], typed: [String],
    isFreeText: Bool = false
  ) -> [Finding] {
    var findings = Findings()
    checkHostedStatics(rules, &findings)
    for setting in settings {
      guard let rules = hosted(rules, setting, &findings) else { continue }
      var random = RandomStream(seed: 1)
      for (content, solution) in zip(contents, solutions) {
        checkQuestion(rules, content, solution, &findings)
        let entries = checkEntries(rules, content, typed: typed, isFreeText, &random, &findings)
        findings.expect(!entries.isEmpty, .codec, "nothing that is typed can be entered")
        for _ in 0..<Effort.size(300, quick: 60) {
          let round = HostedRound(random: &random, content: content, solution: solution, entries: entries)
          checkPoints(rules, round, &findings)
        }
      }
    }
    return findings.list
  }

  private static func checkHostedStatics<R: HostedRules>(_ rules: R.Type, _ findings: inout Findings) {
    findings.expect(Parameters.isName(Array(R.name.utf8)), .parameters, "the name \(R.name) is none")
    findings.expect(R.version > 0, .parameters, "version 0")
    findings.expect(
      R.players.lowerBound > 0 && R.players.upperBound <= 4_096, .parameters, "\(R.players) players")
    for text in [R.title, R.summary, R.roundWord] + R.settings.map(\.summary) {
      findings.expect(isPlain(text), .parameters, "the text \(text.debugDescription) is not plain")
    }
  }

  /// Rules with these settings, whose canonical spelling gives the same.
  private static func hosted<R: HostedRules>(
    _ rules: R.Type, _ setting: [String], _ findings: inout Findings
  ) -> R? {
    var parameters = Parameters()
    for text in setting {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      parameters[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    do throws(RulesError) {
      let made = try R(parameters)
      let again = try R(made.parameters)
      findings.expect(
        again == made && again.parameters == made.parameters, .parameters,
        "\(setting): the canonical settings give other rules")
      checkUnknownSettings(rules, parameters, &findings)
      return made
    } catch {
      findings.expect(false, .parameters, "the settings \(setting) are refused: \(error)")
      return nil
    }
  }

  private static func checkUnknownSettings<R: HostedRules>(
    _ rules: R.Type, _ parameters: Parameters, _ findings: inout Findings
  ) {
    for name in ["", "no-such-setting", "a=b"] + R.settings.map({ $0.name + "-" }) {
      var parameters = parameters
      parameters[name] = "1"
      do throws(RulesError) {
        _ = try R(parameters)
        findings.expect(false, .parameters, "the unknown setting \(name.debugDescription) is not refused")
      } catch {
        if case .unknownParameter = error { continue }
        findings.expect(false, .parameters, "the unknown setting \(name.debugDescription) is \(error)")
      }
    }
  }

  private static func checkQuestion<R: HostedRules>(
    _ rules: R, _ content: [UInt8], _ solution: [UInt8], _ findings: inout Findings
  ) {
    guard let question = rules.question(content) else {
      return findings.expect(false, .display, "a round that can be asked is none")
    }
    for text in [question.text] + question.choices {
      findings.expect(isPlain(text), .display, "the text \(text.debugDescription) is not plain")
    }
    findings.expect(question.choices.count != 1, .display, "one choice is none")
    findings.expect(rules.isSolution(solution, of: content), .codec, "the solution is none")
  }

  /// What is typed leads to bytes that may be entered, and their text back to them; other bytes may not.
  /// - Returns: the entries that were found.
  private static func checkEntries<R: HostedRules>(
    _ rules: R, _ content: [UInt8], typed: [String], _ isFreeText: Bool, _ random: inout RandomStream,
    _ findings: inout Findings
  ) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for text in typed + hostileTexts {
      guard let entry = rules.entry(text: text, in: content) else { continue }
      findings.expect(
        rules.isEntry(entry, in: content), .codec, "\(text.debugDescription) gives what may not be entered")
      found.append(entry)
    }
    let noise = (0..<Effort.size(4_000, quick: 400)).map { _ in
      (0..<Int(random.below(4))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    for entry in found + noise {
      // Whatever it is asked about, it answers.
      _ = rules.question(entry)
      let text = rules.text(of: entry, in: content)
      guard rules.isEntry(entry, in: content) else {
        findings.expect(text == "?", .codec, "\(entry) may not be entered, and has the text \(text)")
        continue
      }
      findings.expect(
        isFreeText || isPlain(text), .display, "the text \(text.debugDescription) is not plain")
      findings.expect(
        rules.entry(text: text, in: content) == entry, .codec, "the text of \(entry) leads elsewhere")
    }
    return found
  }

  /// Points go by what was entered and when, and never by a player's number.
  private static func checkPoints<R: HostedRules>(
    _ rules: R, _ round: HostedRound, _ findings: inout Findings
  ) {
    let points = rules.points(round)
    guard points.count == round.entries.count else {
      return findings.expect(
        false, .outcome, "\(points.count) points for \(round.entries.count) entries")
    }
    for (entry, points) in zip(round.entries, points) where entry.choice == nil {
      findings.expect(points == 0, .outcome, "\(points) points for what cannot be read")
    }
    var others = round
    for index in others.entries.indices { others.entries[index].player = 99 - others.entries[index].player }
    findings.expect(rules.points(others) == points, .outcome, "points go by a player's number")
    let counts = rules.counts(round)
    findings.expect(
      Set(counts.map(\.player)).count == counts.count && counts.map(\.place) == counts.map(\.place).sorted()
        && counts.allSatisfy { $0.place > 0 }, .outcome, "places that are none")
    var begun = round
    begun.entries = Array(round.entries.prefix(round.entries.count / 2))
    findings.expect(
      !rules.isDecided(begun) || rules.isDecided(round), .outcome, "what was decided is open again")
  }
}

extension HostedRound {
  /// A round of up to eight players whose entries come in the order of time.
  fileprivate init(
    random: inout RandomStream, content: [UInt8], solution: [UInt8], entries: [[UInt8]]
  ) {
    let limit = UInt32(1_000 + random.below(30_000))
    var time: UInt32 = 0
    let made = (0..<Int(random.below(24))).map { _ in
      time += UInt32(random.below(3_000))
      let choice =
        entries.isEmpty || random.below(8) == 0 ? nil : entries[Int(random.below(UInt64(entries.count)))]
      return Entry(player: UInt16(1 + random.below(8)), milliseconds: time, choice: choice)
    }
    self.init(
      content: content, solution: solution, limitMilliseconds: limit,
      closedMilliseconds: random.below(2) == 0 ? .max : limit, entries: made)
  }
}
