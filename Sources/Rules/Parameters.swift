/// A game's settings, fixed when a room is created: names and values in one canonical text.
///
/// The text is `name=value` lines sorted by the bytes of the name, each ended by a line feed. Names are
/// lower-case letters and hyphens, values printable ASCII without spaces; at most 512 bytes in all.
public struct Parameters: Hashable, Sendable {
  /// The longest canonical text, in bytes.
  public static let limitBytes = 512

  /// Names and values, sorted by name.
  public private(set) var entries: [Entry]

  /// One setting.
  public struct Entry: Hashable, Sendable {
    /// The setting's name.
    public var name: String
    /// Its value, as text.
    public var value: String
  }

  /// No settings.
  public init() { entries = [] }

  /// The value of one setting; setting `nil` removes it.
  public subscript(name: String) -> String? {
    get { entries.first { $0.name == name }?.value }
    set {
      entries.removeAll { $0.name == name }
      guard let newValue else { return }
      entries.append(Entry(name: name, value: newValue))
      entries.sort { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    }
  }

  /// The canonical bytes.
  public var encoded: [UInt8] {
    entries.flatMap { Array("\($0.name)=\($0.value)\n".utf8) }
  }

  /// Reads the canonical bytes; `nil` when they are not exactly what `encoded` would give.
  public init?(encoded bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.limitBytes else { return nil }
    self.init()
    var last: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0A), let equals = rest[..<end].firstIndex(of: 0x3D) else {
        return nil
      }
      let name = Array(rest[..<equals])
      let value = Array(rest[rest.index(after: equals)..<end])
      guard Self.isName(name), Self.isValue(value), last.lexicographicallyPrecedes(name) else { return nil }
      entries.append(
        Entry(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
      last = name
      rest = rest[rest.index(after: end)...]
    }
  }

  /// Whether these bytes may be a setting's name.
  public static func isName(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
  }

  /// Whether these bytes may be a setting's value.
  public static func isValue(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// What a person may set of a game, for help and error texts.
public struct ParameterDefinition: Hashable, Sendable {
  /// The setting's name, as after `--set`.
  public var name: String
  /// What it means, in one line, with its range.
  public var summary: String
  /// The value when nothing is said.
  public var standard: String

  /// A setting with its meaning and standard value.
  public init(name: String, summary: String, standard: String) {
    self.name = name
    self.summary = summary
    self.standard = standard
  }
}

/// Why a game cannot be set up or a move cannot be read.
public enum RulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The game knows no setting of this name; the second value lists those it knows.
  case unknownParameter(String, known: [String])
  /// The setting's value is outside what the game takes; the last value says what it takes.
  case badParameter(name: String, value: String, expected: String)
  /// No rules of this name (and version) are known here.
  case unknownGame(String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unknownParameter(let name, let known):
      known.isEmpty
        ? "the game has no setting “\(name)”; it has no settings at all"
        : "the game has no setting “\(name)”; it has: \(known.joined(separator: ", "))"
    case .badParameter(let name, let value, let expected):
      "the setting \(name) cannot be “\(value)”: \(expected)"
    case .unknownGame(let name):
      "no game “\(name)” is known here; `parlor games` lists them"
    }
  }
}
