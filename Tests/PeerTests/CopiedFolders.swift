import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Testing

/// A file system with what matters of it: every file has a number, and a time of change that only the system sets.
struct SimulatedFiles {
  private var last: UInt64 = 0

  /// The state of a file that is made now.
  mutating func made() -> FolderPicture.FileState {
    last += 1
    return .init(inode: last, bytes: 1, seconds: 0, nanoseconds: Int64(last))
  }

  /// The state of a file that is written to now.
  mutating func touch(_ file: inout FolderPicture.FileState) {
    last += 1
    file.nanoseconds = Int64(last)
  }
}

/// A data folder of one user: its store, and its marks.
struct SimulatedFolder {
  var store: FolderPicture.FileState
  /// The rooms, in the order of their numbers.
  var rooms: [RoomID] = []
  var events: [RoomID: [RoomLog.Entry]] = [:]
  var closed: String?
  var running: String?
  var shared: (text: String, state: FolderPicture.FileState)?
  var seal: String?
  var doubt: String?
  /// Whether nobody but its own processes has ever written to its files, and those were here when it was made.
  var isUntouched = true
  /// What a writer in doubt may go by: whom it and those before it have met since the doubt began, and what they made.
  var met: Set<Int> = []
  var made: Set<RoomID> = []
  /// Rooms of which a writer of this folder, or of the one that it is a copy of, has let a byte leave.
  var offered: Set<RoomID> = []

  init(_ files: inout SimulatedFiles) {
    store = files.made()
    mark(sharedBefore: 0, &files)
  }

  /// The same files somewhere else, or in the place of others.
  func copied(_ files: inout SimulatedFiles) -> SimulatedFolder {
    var copy = self
    copy.store = files.made()
    copy.shared?.state = files.made()
    copy.isUntouched = false
    return copy
  }

  /// Takes what a copy has into its own files, whose numbers stay.
  mutating func overwrite(with copy: SimulatedFolder, _ files: inout SimulatedFiles) {
    var (store, mark) = (store, shared?.state ?? files.made())
    files.touch(&store)
    files.touch(&mark)
    self = copy
    self.store = store
    shared?.state = mark
    isUntouched = false
  }

  mutating func mark(sharedBefore number: UInt64?, _ files: inout SimulatedFiles) {
    let state = files.made()
    shared = (FolderPicture.sharedText(before: number), state)
    seal = FolderPicture.sealText(state)
  }

  func picture(boot: Int) -> FolderPicture {
    var picture = FolderPicture(store: store, boot: "\(boot)", hasIdentity: true)
    (picture.closed, picture.running, picture.seal, picture.doubt) = (closed, running, seal, doubt)
    (picture.shared, picture.sharedState) = (shared?.text, shared?.state)
    return picture
  }

  /// What a writer takes when it starts, as `FolderMarks` does.
  mutating func take(boot: Int, _ files: inout SimulatedFiles) -> Set<RoomID>? {
    let picture = picture(boot: boot)
    if picture.unsharedFrom == nil { mark(sharedBefore: max(1, UInt64(rooms.count)), &files) }
    var allowed: Set<RoomID>?
    if case .doubtful(let known, let number) = picture.standing {
      allowed = Set(known)
      if let number { allowed?.formUnion(rooms.dropFirst(Int(number))) }
    }
    if let allowed, doubt == nil || !picture.fits { write(doubt: allowed) }
    if !picture.fits { (met, made) = ([], []) }
    if allowed == nil { doubt = nil }
    closed = nil
    running = FolderPicture.runningText(store, boot: "\(boot)")
    return allowed
  }

  mutating func write(doubt allowed: Set<RoomID>) {
    doubt = FolderPicture.doubtHead + allowed.sorted().map(FolderPicture.doubtLine).joined()
  }

  mutating func write(_ change: RoomChange, boot: Int, _ files: inout SimulatedFiles) {
    if events[change.room] == nil { rooms.append(change.room) }
    events[change.room, default: []] += change.entries
    files.touch(&store)
    running = FolderPicture.runningText(store, boot: "\(boot)")
  }
}
