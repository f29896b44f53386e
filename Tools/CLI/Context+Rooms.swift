import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Service
import Terminal

/// A room that was named on the command line.
struct NamedRoom {
  /// The room.
  let room: Room
  /// The log that it lies in; `nil` for a file.
  let store: LMDBEventLog?
}

extension Context {
  /// What `ROOM` means in help.
  static let roomArgument = ArgumentDefinition(
    "room", "The first digits of a room's id, or `last` for the newest.", kind: .stored(.rooms))

  /// What `ROOM` means in help where games may be somewhere else.
  static let gameArgument = ArgumentDefinition(
    "room", "The game's code, its id, the id's first digits, or `last` for the newest here.",
    kind: .stored(.codes))

  /// What `ID` of a tournament means in help.
  static let tournamentArgument = ArgumentDefinition(
    "id", "The tournament: first digits of its id, or `last`.", isOptional: true, kind: .stored(.tournaments))

  /// The room of a log that a name means.
  func roomID(_ name: String, in log: any EventLog) throws -> RoomID {
    guard name == "last" else { return try storedRoom(name, in: log) }
    guard let newest = try log.rooms(limit: 1).first else {
      throw Failure(.noInput, "there are no rooms yet", hint: "`parlor play tic-tac-toe` makes one")
    }
    return newest.room
  }

  private func storedRoom(_ name: String, in log: any EventLog) throws -> RoomID {
    do throws(LogError) { return try log.room(prefix: GameCode.digits(of: name) ?? name) } catch {
      guard case .unknownRoom = error, FileSystem.exists(name) else { throw error }
      throw Failure(.noInput, error.description, hint: "the file of this name is meant by `./\(name)`")
    }
  }

  /// The newest game of this identity against a bot that is not over.
  func waitingGame(_ household: Household) throws -> RoomID {
    let owner = household.owner.peer
    for listing in try household.log.rooms(limit: nil) where listing.create.author == owner {
      guard case .create(let create) = listing.create.action, create.creatorSeat != Create.noSeat,
        case .games(let tournament, _, _) = create.purpose, !tournament.isSome
      else { continue }
      let state = try household.log.outline(of: listing.room, games).state
      let isOn = state.phase == .playing || state.phase == .waiting
      if isOn, household.isAgainstOwnBot(state) { return listing.room }
    }
    throw Failure(
      .noInput, "no game of yours waits to be resumed", hint: "`parlor play GAME` begins one")
  }

  /// A room of the log.
  func room(_ id: RoomID, in log: any EventLog) throws -> Room {
    try Room(try log.load(id, verify: false), in: log, games: games)
  }

  /// The room that a name or a bundle file means; a file's events are all checked.
  func namedRoom(_ name: String) throws -> NamedRoom {
    if let path = try bundlePath(name) {
      return NamedRoom(room: try Room(try bundle(path), in: nil, games: games), store: nil)
    }
    let log = try reader()
    return NamedRoom(room: try room(try roomID(name, in: log), in: log), store: log)
  }

  /// The path that a name means; `nil` when it means a room of the log.
  ///
  /// `last` and hexadecimal digits mean a room, `-` standard input, anything else a file. A file whose
  /// name is of hexadecimal digits is meant by `./NAME`.
  func bundlePath(_ name: String) throws(Failure) -> String? {
    if name == "-" { return name }
    let isHexadecimal = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
    }
    if name == "last" || isHexadecimal { return nil }
    if GameCode.digits(of: name) != nil, !FileSystem.exists(name) { return nil }
    guard FileSystem.exists(name) else {
      throw Failure(
        .noInput, "no room and no file is named \(SafeText(name, limitColumns: 60).text)",
        hint: "a room is named by the first digits of its id, or `last`; `parlor log list` shows them")
    }
    return name
  }

  /// The room of a bundle file, `-` for standard input, checked to its end.
  private func bundle(_ path: String) throws -> RoomLog {
    let memory = MemoryEventLog(network: try network())
    switch try logFile(path) {
    case .bundle(let reader): return try memory.load(try memory.take(reader).room, verify: false)
    case .tournament:
      throw Failure(
        .dataError, "\(SafeText(path).text) holds a tournament with the rooms of its games",
        hint: "`parlor log import` takes it; then each room is named by its id")
    }
  }

  /// A file of one room or of a tournament, or standard input for `-`; its heading is read.
  func logFile(_ path: String) throws -> LogFile {
    let input = try InputFile(path)
    return try LogFile(network: network(), source: input.source)
  }
}

/// A file that is read to its end, or standard input; closed when nobody reads it any more.
private final class InputFile {
  private let file: OpenFile?
  private let descriptor: Descriptor
  private let name: String

  init(_ path: String) throws {
    guard path != "-" else {
      (descriptor, name) = (.input, "standard input")
      file = nil
      return
    }
    let file = try OpenFile.reading(path)
    descriptor = file.descriptor
    self.file = consume file
    name = SafeText(path).text
  }

  /// Its pieces; whoever keeps this keeps the file open.
  var source: () throws(BundleError) -> [UInt8] {
    { [self] () throws(BundleError) in try Bundle.source(descriptor, name: name)() }
  }
}
