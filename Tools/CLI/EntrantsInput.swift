import BotKit
import Events
import LineBots
import Peer
import Platform
import Rules
import Terminal
import Tournaments

/// Who is to enter a tournament, before all are seeded.
struct Candidate: Hashable, Sendable {
  /// The bot, as the log calls it.
  let specification: String
  /// What it plays under; `nil` for what it gets by itself.
  var label: String?
  /// The rating that it is seeded by; `nil` for the one that follows from stored games.
  var rating: Int?
  /// Its place in the seeding, from 1, where that is fixed.
  var seed: Int?
}

/// A file of entrants as a command names it.
struct EntrantsInput: Sendable {
  let file: EntrantsFile
  /// As it was typed.
  private let path: String

  static let option = OptionDefinition.value(
    "entrants-file", "FILE",
    "The bots from a file, `-` for standard input, instead of --entrants (Docs/ENTRANTS.md).",
    kind: .file)

  /// The same for a tournament that goes on.
  static let optionOfResume = OptionDefinition.value(
    "entrants-file", "FILE",
    "The file that the tournament began with, `-` for standard input: where bots have settings of their own.",
    kind: .file)

  /// Reads the file that a command names; `nil` where it names none.
  init?(_ parsed: ParsedCommand, _ context: Context) throws {
    guard let path = parsed.text(Self.option.name) else { return nil }
    self.path = path
    let limit = EntrantsFile.limitBytes + 1
    let text =
      path == "-"
      ? try context.interrupts.standardInput(limitBytes: limit)
      : try OpenFile.reading(path).readAll(limit: limit)
    do throws(EntrantsFileError) { file = try EntrantsFile(reading: text) } catch {
      throw Self.failure(error, path)
    }
  }

  /// What the command that goes on is to be given.
  var optionToResume: String {
    let isNeeded = file.entries.contains { $0.settings != .init() }
    return isNeeded ? " --\(Self.option.name) \(CommandForm.quoted(path))" : ""
  }

  /// Fails where a format does not take so many entrants.
  func check(_ format: TournamentFormat) throws {
    let count = file.entries.count
    do throws(TournamentError) { _ = try TournamentSettings(format: format, entrants: count) } catch {
      guard case .entrants = error else { return }
      throw Failure(.dataError, "\(Self.shown(path)): \(error)", hint: Self.hint)
    }
  }

  /// The entrants, in the file's order, each with a label.
  /// - Throws: where one is no bot that plays this game.
  func candidates(for rules: any GameRules, _ context: Context) throws -> [Candidate] {
    try candidates { (entry) throws(Failure) in
      try context.ownBots.checked(entry.bot, entry.settings, for: rules)
    }
  }

  /// Has a tournament that goes on find its bots' settings.
  /// - Throws: where this is not the file that it began with.
  func recall(_ tournament: TournamentRoom, _ context: Context) throws {
    let candidates = try candidates { (entry) throws(Failure) in
      do throws(BotError) { return try context.ownBots.name(of: entry.bot, entry.settings) } catch {
        throw Failure(error)
      }
    }
    let here = Set(candidates.map { [$0.label ?? "", $0.specification] })
    let there = tournament.entrants.map(Organizer.PlannedEntrant.init)
    let missing = there.first { !here.contains([$0.label, $0.specification]) }
    guard here.count == there.count, missing == nil else {
      let whose = missing.map { ": it has no \(SafeText($0.label).text)" } ?? ""
      throw Failure(
        .dataError, "\(Self.shown(path)) has not the entrants of tournament \(tournament.room.short)\(whose)",
        hint: "--\(Self.option.name) names the file that it began with")
    }
  }

  /// Fails where a tournament cannot go on without its file: the log has the same command twice, the second time with a
  /// number behind it, which no program would understand.
  static func checkUnneeded(for tournament: TournamentRoom) throws {
    let names = tournament.entrants.map { Organizer.PlannedEntrant($0).specification }
    let known = Set(names)
    let numbered = names.first { name in
      guard BotCatalog.isCommand(name), let mark = name.lastIndex(of: "#") else { return false }
      return known.contains(String(name[..<mark])) && Int(name[name.index(after: mark)...]) != nil
    }
    guard let numbered else { return }
    throw Failure(
      .usage, "the log calls a bot \(SafeText(numbered).text) and does not say how to start it",
      hint: "--\(option.name) names the file that the tournament began with")
  }

  /// - Parameter name: what the log calls an entrant's bot.
  private func candidates(
    _ name: (EntrantsFile.Entry) throws(Failure) -> String
  ) throws -> [Candidate] {
    var names: [String] = []
    for (index, entry) in file.entries.enumerated() {
      do throws(Failure) { names.append(try name(entry)) } catch {
        let words = Self.failure(file.error(error.words ?? "", entrant: index), path).words
        throw Failure(error.status == .usage ? .dataError : error.status, words, hint: error.hint)
      }
    }
    var labels: [String: Int] = [:]
    var candidates: [Candidate] = []
    let unlabelled = file.entries.indices.filter { file.entries[$0].label == nil }
    var ownLabels = Organizer.labels(of: unlabelled.map { names[$0] }).makeIterator()
    for (index, entry) in file.entries.enumerated() {
      guard let label = entry.label ?? ownLabels.next() else { continue }
      // As people read it.
      if let other = labels.updateValue(index, forKey: SafeText(label).text.trimmingBlanks) {
        let reason =
          "it has the label of entrant \(other + 1), \(SafeText(label).text); give it another “label”"
        throw Self.failure(file.error(reason, entrant: index), path)
      }
      candidates.append(
        Candidate(specification: names[index], label: label, rating: entry.rating, seed: entry.seed))
    }
    return candidates
  }

  private static func failure(_ error: EntrantsFileError, _ path: String) -> Failure {
    Failure(.dataError, "\(shown(path)): \(error)", hint: hint)
  }

  private static func shown(_ path: String) -> String { path == "-" ? "standard input" : SafeText(path).text }

  private static let hint = "`parlor tournament run --help` shows such a file"
}
