/// A command line that cannot be understood: what is wrong with it, and where to read more.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// No command begins with these words; the second value holds near ones.
    case unknownCommand(String, near: [String])
    /// The words are only the beginning of commands, which go on with one of these.
    case incompleteCommand(String, next: [String])
    /// The command has no such option; the second value holds near ones.
    case unknownOption(String, near: [String])
    /// The option needs a value and none follows.
    case missingValue(option: String, value: String)
    /// The option's value is an empty text.
    case emptyValue(option: String)
    /// A switch was given a value.
    case unwantedValue(option: String)
    /// The option was given more than once.
    case repeated(option: String)
    /// The command cannot do without this option.
    case missingOption(String)
    /// The command cannot do without this argument.
    case missingArgument(String)
    /// One argument too many.
    case unexpectedArgument(String)
    /// What was given is none of the choices; the last value holds near ones.
    case badChoice(place: String, given: String, choices: [String], near: [String])
    /// What was given is not a whole number in the range.
    case badInteger(place: String, given: String, least: String, most: String)
    /// What was given, `nil` for nothing or for a switch, is wrong for a reason that the command knows.
    case badValue(place: String, given: String?, reason: String)
  }

  /// What is wrong.
  package let problem: Problem
  /// The command that was meant, as far as it was understood.
  package let path: [String]

  /// A problem with a command's use.
  package init(_ problem: Problem, path: [String]) {
    self.problem = problem
    self.path = path
  }

  /// What to run to read more.
  package func hint(program: String) -> String {
    "see `\(([program, "help"] + path).joined(separator: " "))`"
  }

  /// What is wrong, in one line that is safe to print.
  package var description: String {
    switch problem {
    case .unknownCommand(let name, let near):
      "there is no command “\(Self.safe(name))”\(Self.didYouMean(near))"
    case .incompleteCommand(let name, let next):
      (name.isEmpty ? "a command is missing" : "“\(name)” is not a whole command")
        + "; it goes on with \(Self.alternatives(next))"
    case .unknownOption(let name, let near): "there is no option \(Self.safe(name))\(Self.didYouMean(near))"
    case .missingValue(let option, let value):
      "\(option) needs a value: \(option) \(value) (a value that begins with a hyphen goes as \(option)=…)"
    case .emptyValue(let option): "\(option) cannot be empty"
    case .unwantedValue(let option): "\(option) is a switch and takes no value"
    case .repeated(let option): "\(option) is given twice"
    case .missingOption(let usage): "\(usage) is missing"
    case .missingArgument(let name): "\(name) is missing"
    case .unexpectedArgument(let given): "“\(Self.safe(given))” is one argument too many"
    case .badChoice(let place, let given, let choices, let near):
      "\(place) cannot be “\(Self.safe(given))”: it is \(Self.alternatives(choices))\(Self.didYouMean(near))"
    case .badInteger(let place, let given, let least, let most):
      "\(place) takes a whole number from \(least) to \(most), not “\(Self.safe(given))”"
    case .badValue(let place, let given?, let reason): "\(place) cannot be “\(Self.safe(given))”: \(reason)"
    case .badValue(let place, nil, let reason):
      place.hasPrefix("-") ? "\(place) cannot stand here: \(reason)" : "\(place) is missing: \(reason)"
    }
  }

  private static func safe(_ text: String) -> String { SafeText(text, limitColumns: 60).text }

  private static func didYouMean(_ near: [String]) -> String {
    near.isEmpty ? "" : "; did you mean \(alternatives(near))?"
  }

  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last else { return "nothing" }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " or " + last
  }
}
