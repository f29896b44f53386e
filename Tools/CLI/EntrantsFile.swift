import BotKit
import Events
import LineBots
import Platform
import Terminal
import Tournaments

/// The entrants of a tournament as a file has them (Docs/ENTRANTS.md).
struct EntrantsFile: Hashable, Sendable {
  /// The largest file, in bytes.
  static let limitBytes = 1 << 20
  /// What ratings may be.
  static let ratings: ClosedRange<Int64> = -10_000...10_000
  /// The longest command, in bytes.
  static let limitBotBytes = 4_096
  /// The most entrants that any format takes.
  static let mostEntrants = TournamentFormat.allCases.map(\.mostEntrants).max() ?? 0

  /// An entrant.
  struct Entry: Hashable, Sendable {
    /// A bot, as on the command line.
    var bot = ""
    /// What it plays under; `nil` for what it gets by itself.
    var label: String?
    var rating: Int?
    /// Its place in the seeding, from 1.
    var seed: Int?
    /// What it may have, if it is a command.
    var settings = LineBotSettings()
  }

  /// In the file's order.
  let entries: [Entry]
  private let places: JSONPlaces

  /// Reads a file.
  /// - Throws: what is wrong, where, and of which entrant.
  init(reading text: [UInt8]) throws(EntrantsFileError) {
    guard text.count <= Self.limitBytes else {
      throw EntrantsFileError("the file is larger than \(Self.limitBytes) bytes")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
      throw EntrantsFileError(line: error.line, column: error.column, reason: error.reason)
    }
    guard let values = value.array else {
      throw EntrantsFileError("it is no list in brackets, of an object in braces for each entrant")
    }
    guard values.count <= Self.mostEntrants else {
      throw EntrantsFileError(
        "it has \(values.count) entrants, and no tournament takes more than \(Self.mostEntrants)")
    }
    places = JSONPlaces(text)
    var entries: [Entry] = []
    var seeds: [Int: Int] = [:]
    for (index, value) in values.enumerated() {
      do throws(Fault) {
        let entry = try Entry(value, of: values.count)
        if let seed = entry.seed, let other = seeds.updateValue(index, forKey: seed) {
          throw Fault("it has the seed of entrant \(other + 1)")
        }
        entries.append(entry)
      } catch {
        let place = error.member.flatMap { [places] in places.place(index, $0) } ?? places.place(index)
        throw EntrantsFileError(error.reason, at: place, entrant: index)
      }
    }
    self.entries = entries
  }

  /// What is wrong with an entrant, by its place in the file from 0.
  func error(_ reason: String, entrant index: Int) -> EntrantsFileError {
    EntrantsFileError(reason, at: places.place(index), entrant: index)
  }
}

/// What is wrong with a file of entrants.
struct EntrantsFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, both from 1; `nil` where no place is to blame.
  let line: Int?
  let column: Int?
  /// What is wrong, and of which entrant.
  let reason: String

  /// The place and the reason.
  var description: String {
    guard let line, let column else { return reason }
    return "line \(line), column \(column): \(reason)"
  }
}

extension EntrantsFileError {
  fileprivate init(_ reason: String, at place: JSONPlaces.Place? = nil, entrant: Int? = nil) {
    let whose = entrant.map { "entrant \($0 + 1): " } ?? ""
    self.init(line: place?.line, column: place?.column, reason: whose + reason)
  }
}

// MARK: - An entrant

/// What is wrong with an entrant, and with which of its members.
private struct Fault: Error {
  let reason: String
  var member: Int?

  init(_ reason: String) { self.reason = reason }
}

/// The members of an entrant.
private enum Field: String, CaseIterable {
  case bot, label, rating, seed
  case moveTime, memory, processes, folder, env
  case address

  /// Whether it says what a bot may have that is a command.
  var isSetting: Bool { [.moveTime, .memory, .processes, .folder, .env].contains(self) }

  /// Other words for members, which are no misspellings.
  private static let others: [String: Field] = [
    "name": .label, "command": .bot, "elo": .rating, "seat": .seed, "move-time": .moveTime,
    "bot-memory": .memory, "bot-processes": .processes, "bot-folder": .folder, "bot-env": .env,
    "environment": .env,
  ]

  /// What is said of a member that there is not.
  static func unknown(_ name: String) -> String {
    let names = allCases.filter { $0 != .address }.map(\.rawValue)
    let near = others[name].map { [$0.rawValue] } ?? Spelling.near(name, among: allCases.map(\.rawValue))
    let hint =
      near.isEmpty
      ? "there is \(names.joined(separator: ", "))" : "did you mean \(near.joined(separator: " or "))?"
    return "“\(SafeText(name, limitColumns: 40).text)” is unknown here; \(hint)"
  }
}

extension EntrantsFile.Entry {
  /// - Parameter count: how many entrants there are.
  fileprivate init(_ value: JSONValue, of count: Int) throws(Fault) {
    self.init()
    guard case .object(let members) = value else { throw Fault("it is no object in braces") }
    for (index, member) in members.enumerated() {
      do throws(Fault) { try take(member, of: count) } catch {
        var fault = error
        fault.member = index
        throw fault
      }
    }
    guard !bot.isEmpty else { throw Fault("it has no “bot”") }
    let setting = members.firstIndex { Field(rawValue: $0.name)?.isSetting == true }
    if let setting, !BotCatalog.isCommand(bot) {
      let name = SafeText(bot, limitColumns: 40).text
      var fault = Fault("“\(members[setting].name)” is for bots that are commands, and \(name) is none")
      fault.member = setting
      throw fault
    }
  }

  private mutating func take(_ member: JSONMember, of count: Int) throws(Fault) {
    let value = Member(member)
    switch Field(rawValue: member.name) {
    case .bot: bot = try value.text(limitBytes: EntrantsFile.limitBotBytes)
    case .label: label = try Self.label(value)
    case .rating: rating = Int(try value.integer(in: EntrantsFile.ratings))
    case .seed: seed = Int(try value.integer(in: 1...Int64(count)))
    case .moveTime:
      let limits = LineBotSettings.moveTimes
      settings.moveMilliseconds = Int(
        try value.integer(in: Int64(limits.lowerBound)...Int64(limits.upperBound)))
    case .memory: settings.memoryBytes = try Self.memoryBytes(value)
    case .processes:
      let limits = LineBotSettings.processCounts
      settings.processes = UInt64(
        try value.integer(in: Int64(limits.lowerBound)...Int64(limits.upperBound)))
    case .folder:
      let folder = try value.text(limitBytes: EntrantsFile.limitBotBytes)
      guard FileSystem.isFolder(folder) else {
        throw Fault("“folder”: there is no folder \(SafeText(folder, limitColumns: 60).text)")
      }
      settings.folder = folder
    case .env: settings.variables = try Self.variables(value)
    case .address:
      throw Fault(
        "“address”: entrants on other machines are not there yet; leave it out, and the bot runs here")
    case nil: throw Fault(Field.unknown(member.name))
    }
  }

  /// A label that others can read, and tell from themselves.
  private static func label(_ value: Member) throws(Fault) -> String {
    let label = try value.text(limitBytes: Profile.limitNameBytes)
    let shown = SafeText(label).text
    guard !shown.contains("\u{FFFD}") else { throw Fault("“label” has characters that cannot be shown") }
    guard shown.contains(where: { $0 != " " }) else { throw Fault("“label” is blank") }
    guard !ProfileWish.isYou(label) else {
      throw Fault("“label”: on every screen that word means whoever looks at it")
    }
    return label
  }

  private static func memoryBytes(_ value: Member) throws(Fault) -> UInt64 {
    let bytes: Int? =
      switch value.value {
      case .integer(let number): Int(exactly: number)
      case .string(let text): SizeText.bytes(text)
      default: nil
      }
    guard let bytes, bytes >= LineBotSettings.leastMemoryBytes else {
      throw Fault("“memory” must be a number of bytes, or a text such as \"500M\", and at least 1M")
    }
    return UInt64(bytes)
  }

  private static func variables(_ value: Member) throws(Fault) -> [String] {
    guard case .object(let members) = value.value else {
      throw Fault("“env” must be an object of names and texts, such as {\"THREADS\": \"1\"}")
    }
    var variables: [String] = []
    for member in members {
      let shown = SafeText(member.name, limitColumns: 40).text
      guard let text = member.value.string else {
        throw Fault("“env”: “\(shown)” must be a text in quotation marks")
      }
      guard let variable = LineBotSettings.variable(member.name, text) else {
        throw Fault("“env”: “\(shown)” is no name for a variable")
      }
      variables.append(variable)
    }
    return variables
  }
}

/// A member of an entrant, to be read as what it must be.
private struct Member {
  let name: String
  let value: JSONValue

  init(_ member: JSONMember) { (name, value) = (member.name, member.value) }

  func text(limitBytes: Int) throws(Fault) -> String {
    guard let text = value.string else { throw Fault("“\(name)” must be a text in quotation marks") }
    guard (1...limitBytes).contains(text.utf8.count) else {
      throw Fault("“\(name)” has \(text.utf8.count) bytes, and takes 1 to \(limitBytes)")
    }
    return text
  }

  func integer(in limits: ClosedRange<Int64>) throws(Fault) -> Int64 {
    guard case .integer(let number) = value, limits.contains(number) else {
      throw Fault("“\(name)” must be a whole number from \(limits.lowerBound) to \(limits.upperBound)")
    }
    return number
  }
}
