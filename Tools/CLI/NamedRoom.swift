import EventLog
import Events
import Platform
import Terminal

/// A room that was named on the command line.
struct NamedRoom {
  /// The room.
  let room: Room
  /// The log that it lies in; `nil` for a file.
  let store: LMDBEventLog?

  /// The room that a name or a bundle file means; a file's events are all checked.
  init(_ name: String, _ context: Context) throws {
    let name = RoomName(name)
    if let path = try name.bundlePath() {
      room = try Room(try Self.bundle(path, context.store), in: nil, games: context.games)
      store = nil
      return
    }
    let log = try context.store.reader()
    room = try Room(try name.id(in: log), in: log, games: context.games)
    store = log
  }

  /// The room of a bundle file, `-` for standard input, checked to its end.
  private static func bundle(_ path: String, _ store: UserStore) throws -> RoomLog {
    let memory = MemoryEventLog(network: try store.network())
    switch try LogFile(path, store) {
    case .bundle(let reader): return try memory.load(try memory.take(reader).room, verify: false)
    case .tournament:
      throw Failure(
        .dataError, "\(SafeText(path).text) holds a tournament with the rooms of its games",
        hint: "`parlor log import` takes it; then each room is named by its id")
    }
  }
}

extension LogFile {
  /// A file of one room or of a tournament, or standard input for `-`; its heading is read.
  init(_ path: String, _ store: UserStore) throws {
    let input = try InputFile(path)
    self = try LogFile(network: store.network(), source: input.source)
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
