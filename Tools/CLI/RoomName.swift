import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal
import Tournaments

/// What a person names a room by: its code, the first digits of its id, `last`, or a file.
struct RoomName {
  /// What `ROOM` means in help.
  static let argument = ArgumentDefinition(
    "room", "The first digits of a room's id, or `last` for the newest.", kind: .stored(.rooms))

  /// What `ROOM` means in help where games may be somewhere else.
  static let gameArgument = ArgumentDefinition(
    "room", "The game's code, its id, the id's first digits, or `last` for the newest here.",
    kind: .stored(.codes))

  /// What `ID` of a tournament means in help.
  static let tournamentArgument = ArgumentDefinition(
    "id", "The tournament: first digits of its id, or `last`.", isOptional: true, kind: .stored(.tournaments))

  let text: String

  init(_ text: String) { self.text = text }

  /// Whether it is a room's code, or can be the first digits of an id.
  var isCodeOrDigits: Bool {
    let isPrefix = (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    return isPrefix || GameCode.digits(of: text) != nil
  }

  /// The room of a log that is meant.
  func id(in log: any EventLog) throws -> RoomID {
    guard text == "last" else { return try stored(in: log) }
    guard let newest = try log.rooms(limit: 1).first else {
      throw Failure(.noInput, "there are no rooms yet", hint: "`parlor play tic-tac-toe` makes one")
    }
    return newest.room
  }

  private func stored(in log: any EventLog) throws -> RoomID {
    do throws(LogError) { return try log.room(prefix: GameCode.digits(of: text) ?? text) } catch {
      guard case .unknownRoom = error, FileSystem.exists(text) else { throw error }
      throw Failure(.noInput, error.description, hint: "the file of this name is meant by `./\(text)`")
    }
  }

  /// The tournament of a log that is meant.
  func tournament(in log: any EventLog, _ games: GameCatalog) throws -> TournamentRoom {
    let digits = GameCode.digits(of: text) ?? text
    let room = text == "last" ? try Self.newestTournament(in: log) : try log.room(prefix: digits)
    guard let tournament = try log.tournament(room, games) else {
      guard try log.outline(of: room, games).state.isTournament else {
        throw Failure(
          .noInput, "the room \(room.short) is not a tournament", hint: "`parlor tournament list` lists them")
      }
      throw Failure(
        .noInput, "the tournament \(room.short) has not started",
        hint: "`parlor tournament open \(room.short)` lets entrants come; `parlor tournament start` starts it"
      )
    }
    return tournament
  }

  private static func newestTournament(in log: any EventLog) throws -> RoomID {
    guard let newest = try log.tournaments().first else {
      throw Failure(
        .noInput, "there is no tournament yet", hint: "`parlor tournament run --help` shows how to make one")
    }
    return newest.room
  }

  /// The path that is meant; `nil` when it is a room of the log.
  ///
  /// `last` and hexadecimal digits mean a room, `-` standard input, anything else a file. A file whose
  /// name is of hexadecimal digits is meant by `./NAME`.
  func bundlePath() throws(Failure) -> String? {
    if text == "-" { return text }
    let isHexadecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
    }
    if text == "last" || isHexadecimal { return nil }
    if GameCode.digits(of: text) != nil, !FileSystem.exists(text) { return nil }
    guard FileSystem.exists(text) else {
      throw Failure(
        .noInput, "no room and no file is named \(SafeText(text, limitColumns: 60).text)",
        hint: "a room is named by the first digits of its id, or `last`; `parlor log list` shows them")
    }
    return text
  }
}

// MARK: - Arguments that name rooms which may be elsewhere

extension RoomName {
  /// The room that the argument `room` names, and the join code behind it.
  static func gameAndCode(_ parsed: ParsedCommand, _ store: UserStore) throws -> (name: String, code: String?)
  {
    let argument = parsed.argument("room") ?? ""
    guard let hyphen = argument.firstIndex(of: "-") else { return (try game(parsed, store), nil) }
    guard let code = JoinCode.read(argument[argument.index(after: hyphen)...]) else {
      throw parsed.badArgument(
        "room", "what stands behind the hyphen is no join code of \(JoinCode.count) letters and digits")
    }
    return (try RoomName(String(argument[..<hyphen])).elsewhere(parsed, store), code)
  }

  /// The game that the argument `room` names. The log is read for it: to be asked before this process opens the folder
  /// for a peer, which a process does once.
  static func game(_ parsed: ParsedCommand, _ store: UserStore) throws -> String {
    try RoomName(parsed.argument("room") ?? "").elsewhere(parsed, store)
  }

  /// The tournament that the argument `room` names, as ``game(_:_:)`` reads a game.
  static func tournament(_ parsed: ParsedCommand, _ store: UserStore) throws -> String {
    guard parsed.argument("room") == "last" else { return try game(parsed, store) }
    return try newestTournament(in: try store.reader()).description
  }

  /// The same as peers elsewhere know it.
  private func elsewhere(_ parsed: ParsedCommand, _ store: UserStore) throws -> String {
    if text == "last" { return try id(in: try store.reader()).description }
    guard isCodeOrDigits else {
      let letters = String(decoding: GameCode.letters, as: UTF8.self)
      throw parsed.badArgument(
        "room",
        "it is no code of \(GameCode.count) letters from \(letters), not the first hexadecimal digits of an id, and not"
          + " `last`"
      )
    }
    return text
  }
}
