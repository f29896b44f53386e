import BotKit
import Rules

extension RulesSuite {
  /// Values that are no setting of any game, or look like one.
  static let hostileValues =
    hostileTexts + [
      "1e3", "0x10", "1.5", "nan", "inf", "-0", "007", "9223372036854775808", "-9223372036854775809", ",",
      ",,,",
      "1,2", "1,2,3,4,5", "=", "a=b", "\n", "1\n2=3", String(repeating: ",", count: 600),
    ]

  static func checkStatics<R: Rules>(_ rules: R.Type, _ findings: inout Findings) {
    findings.expect(Parameters.isName(Array(R.name.utf8)), .parameters, "the name \(R.name) is none")
    findings.expect(R.version > 0, .parameters, "version 0")
    for text in [R.title, R.summary] + R.settings.map(\.summary) {
      findings.expect(isPlain(text), .parameters, "the text \(text.debugDescription) is not plain")
    }
    do {
      let standard = try R(Parameters()).parameters
      let named = R.settings.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.standard)" }
      findings.expect(
        standard.entries.map { "\($0.name)=\($0.value)" } == named, .parameters,
        "the standard settings are \(standard.entries), help says \(named)")
    } catch {
      findings.expect(false, .parameters, "the standard settings are refused: \(error)")
    }
  }

  /// Rules with these settings, after checks of their canonical spelling.
  static func rules<R: Rules>(_ rules: R.Type, _ setting: [String], _ findings: inout Findings) -> R? {
    var parameters = Parameters()
    for text in setting {
      let parts = text.split(separator: "=", maxSplits: 1)
      parameters[String(parts.first ?? "")] = parts.count > 1 ? String(parts[1]) : ""
    }
    do {
      let made = try R(parameters)
      try checkCanonical(made, "settings \(setting)", &findings)
      return made
    } catch {
      findings.expect(false, .parameters, "the settings \(setting) are refused: \(error)")
      return nil
    }
  }

  /// Every hostile value of every setting is refused with words or becomes a canonical one.
  static func checkHostileParameters<R: Rules>(_ rules: R.Type, _ findings: inout Findings) {
    for name in ["", "no-such-setting", "Rounds", "a=b", "\u{0}"] + R.settings.map({ $0.name + "-" }) {
      findings.expect(
        refusal(rules, name: name, value: "1") == .unknownParameter(name, known: R.settings.map(\.name)),
        .parameters,
        "the unknown setting \(name.debugDescription) is not refused as such")
    }
    for name in R.settings.map(\.name) {
      for value in hostileValues {
        var parameters = Parameters()
        parameters[name] = value
        do {
          try checkCanonical(try R(parameters), "\(name) \(value.prefix(20).debugDescription)", &findings)
        } catch RulesError.badParameter(let badName, let badValue, let expected) {
          findings.expect(
            badName == name && badValue == value && isPlain(expected), .parameters,
            "\(name) \(value.prefix(20).debugDescription) is refused for \(badName): \(expected)")
        } catch {
          findings.expect(
            false, .parameters, "\(name) \(value.prefix(20).debugDescription) is refused by \(error)")
        }
      }
    }
  }

  private static func checkCanonical<R: Rules>(
    _ rules: R, _ place: String, _ findings: inout Findings
  ) throws(RulesError) {
    let canonical = rules.parameters
    let again = try R(canonical)
    findings.expect(again == rules, .parameters, "\(place): the canonical settings give other rules")
    findings.expect(
      again.parameters == canonical, .parameters, "\(place): the canonical settings change once more")
    findings.expect(
      Parameters(encoded: canonical.encoded) == canonical, .parameters,
      "\(place): the canonical bytes do not read back")
    findings.expect(
      Set(canonical.entries.map(\.name)) == Set(R.settings.map(\.name)), .parameters,
      "\(place): the canonical settings leave out or add one")
  }

  private static func refusal<R: Rules>(_ rules: R.Type, name: String, value: String) -> RulesError? {
    var parameters = Parameters()
    parameters[name] = value
    do {
      _ = try R(parameters)
      return nil
    } catch {
      return error
    }
  }
}
