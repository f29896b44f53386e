/// A command as it was called, with typed access to what was given.
///
/// Asking for an option or argument that the command's definition does not have is a mistake in the program,
/// and traps.
package struct ParsedCommand: Hashable, Sendable {
  /// One option as given.
  struct Given: Hashable, Sendable {
    let name: String
    let value: String?
  }

  /// The command.
  package let definition: CommandDefinition
  private let globals: [OptionDefinition]
  private let given: [Given]
  private let arguments: [String]

  init(definition: CommandDefinition, globals: [OptionDefinition], given: [Given], arguments: [String]) {
    self.definition = definition
    self.globals = globals
    self.given = given
    self.arguments = arguments
  }

  /// The words that name the command, with spaces.
  package var name: String { definition.path.joined(separator: " ") }

  /// Whether the option was given.
  package func has(_ option: String) -> Bool {
    let name = defined(option).name
    return given.contains { $0.name == name }
  }

  /// The options of this command itself that were given, by name, in the order of its table.
  package var givenOptions: [String] { definition.options.map(\.name).filter(has) }

  /// The option's value as given, else its standard value.
  package func text(_ option: String) -> String? {
    let definition = defined(option)
    return given.last { $0.name == definition.name }?.value ?? definition.standard
  }

  /// All values of an option, in the order given; its standard value alone when there is none.
  package func texts(_ option: String) -> [String] {
    let definition = defined(option)
    let values = given.filter { $0.name == definition.name }.compactMap(\.value)
    return values.isEmpty ? definition.standard.map { [$0] } ?? [] : values
  }

  /// The parts of an option's value between commas, as in `--players A,B`; empty parts are errors.
  package func list(_ option: String) throws(UsageError) -> [String] {
    guard let text = text(option) else { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains("") else { throw badValue(option, "a part between the commas is empty") }
    return parts
  }

  /// The option's value as a whole number in this range.
  package func integer<Number: FixedWidthInteger & Sendable>(
    _ option: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = text(option) else { return nil }
    // `Number` would also read a plus sign, which nobody writes on purpose.
    guard !text.hasPrefix("+"), let number = Number(text), range.contains(number) else {
      throw UsageError(
        .badInteger(
          place: "--\(option)", given: text, least: String(range.lowerBound), most: String(range.upperBound)),
        path: definition.path)
    }
    return number
  }

  /// The argument, if it was given.
  package func argument(_ name: String) -> String? { arguments(name).first }

  /// All that was given for the argument.
  package func arguments(_ name: String) -> [String] {
    guard let index = definition.arguments.firstIndex(where: { $0.name == name }) else {
      preconditionFailure("the command \(self.name) has no argument \(name)")
    }
    let rest = arguments.dropFirst(index)
    return definition.arguments[index].repeats ? Array(rest) : Array(rest.prefix(1))
  }

  /// The error that an option's value is wrong, for reasons that only the command knows.
  package func badValue(_ option: String, _ reason: String) -> UsageError {
    UsageError(
      .badValue(place: "--\(option)", given: text(option), reason: reason), path: definition.path)
  }

  /// The error that an argument is wrong, for reasons that only the command knows.
  package func badArgument(_ name: String, _ reason: String) -> UsageError {
    UsageError(
      .badValue(place: name.uppercased(), given: argument(name), reason: reason), path: definition.path)
  }

  private func defined(_ option: String) -> OptionDefinition {
    guard let found = (definition.options + globals).first(where: { $0.name == option }) else {
      preconditionFailure("the command \(name) has no option --\(option)")
    }
    return found
  }
}
