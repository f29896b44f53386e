package import Events
internal import LMDB
internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The marks of a data folder, which its one writer reads at its start and keeps until its end (`FolderPicture` says
/// what they mean).
///
/// All files are reached through the folder that was opened: when another one is put in its place, that one's marks
/// are left alone.
package final class FolderMarks: Sendable {
  private struct State {
    /// The rooms that the store may have forgotten nothing of; `nil` while it is certain of all.
    var allowed: Set<RoomID>?
    /// Whether it is marked that every room may leave this machine.
    var isShared = false
    var hasLeft = false
  }

  private let path: String
  private let folder: OpenFile
  private let running: OpenFile
  private let boot: String
  /// The store's file, and the folder itself.
  private let store: FileNumber
  private let own: FileNumber
  private let state: Mutex<State>

  /// Reads the marks of a folder, takes `closed` away and marks that a process runs. Who calls this has the store's
  /// lock, and may write when it returns.
  /// - Parameters:
  ///   - nextRoom: the number that the next room of the store would have.
  ///   - rooms: the rooms of the store from a number on.
  package static func take(
    _ path: String, nextRoom: () throws(LogError) -> UInt64, rooms: (UInt64) throws(LogError) -> [RoomID]
  ) throws(LogError) -> FolderMarks {
    let picture: FolderPicture
    let boot = bootName()
    do throws(SystemError) {
      picture = try self.picture(in: try OpenFile(path, O_RDONLY | O_DIRECTORY), boot)
    } catch {
      throw LogError(error)
    }
    var allowed: Set<RoomID>?
    if case .doubtful(let known, let number) = picture.standing {
      allowed = Set(known)
      if let number { allowed?.formUnion(try rooms(number)) }
    }
    // A writer that was killed has left that all rooms may be elsewhere. Those that are made from now on are not, until
    // this writer says so. None at all is said of a new key alone.
    let unshared = picture.unsharedFrom == nil ? max(1, try nextRoom()) : nil
    do throws(SystemError) {
      return try FolderMarks(path, boot, picture, allowed, unsharedFrom: unshared)
    } catch {
      throw LogError(error)
    }
  }

  private init(
    _ path: String, _ boot: String, _ picture: FolderPicture, _ allowed: Set<RoomID>?, unsharedFrom: UInt64?
  ) throws(SystemError) {
    let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
    if let unsharedFrom { try Self.write(sharedBefore: unsharedFrom, in: folder) }
    if let allowed, picture.doubt == nil || !picture.fits { try Self.write(doubt: allowed, in: folder) }
    if allowed == nil, picture.doubt != nil { try folder.remove("doubt") }
    try folder.remove("running")
    let running = try folder.open("running", O_RDWR | O_CREAT | O_EXCL)
    try running.replace(FolderPicture.runningText(picture.store, boot: boot))
    try folder.remove("closed")
    try folder.sync()
    store = FileNumber(try folder.open(Self.storePath, O_RDONLY).status())
    own = FileNumber(try folder.status())
    (self.path, self.boot) = (path, boot)
    self.folder = folder
    self.running = running
    state = Mutex(State(allowed: allowed))
  }

  /// The rooms that can be written to without asking others; `nil` for all.
  package var allowed: Set<RoomID>? { state.withLock { $0.allowed } }

  // MARK: - While the process runs

  /// Whether the folder and its store are still those that were opened, at the path that was named.
  package var isInPlace: Bool {
    FileNumber(at: path) == own && FileNumber(at: path + "/" + Self.storePath) == store
  }

  /// Refuses when the folder was moved, or another one is in its place.
  package func checkPlace() throws(LogError) {
    guard isInPlace else {
      throw .stopped(
        "\(path): the data folder was moved, removed or replaced while this process used it. It writes nothing more."
      )
    }
  }

  /// Notes the store as it is after a commit; it need not outlive the system's running.
  func noteCommit() {
    do throws(SystemError) {
      let status = try folder.open(Self.storePath, O_RDONLY).status()
      try running.replace(FolderPicture.runningText(.init(status), boot: boot))
    } catch {
      // What was committed is durable. A mark that does not fit has the next start ask others.
    }
  }

  /// Marks, before the first byte leaves, that every room may be elsewhere from now on.
  package func noteSharing() throws(LogError) {
    do throws(SystemError) {
      try state.withLock { (state) throws(SystemError) in
        guard !state.isShared else { return }
        try Self.write(sharedBefore: nil, in: folder)
        state.isShared = true
      }
    } catch { throw LogError(error) }
  }

  /// Notes rooms that are certain though the store is in doubt: they were made since, or others have shown them.
  package func noteAllowed(_ rooms: [RoomID]) throws(LogError) {
    do throws(SystemError) {
      try state.withLock { (state) throws(SystemError) in
        guard let allowed = state.allowed else { return }
        let new = rooms.filter { !allowed.contains($0) }
        guard !new.isEmpty else { return }
        state.allowed?.formUnion(new)
        let file = try folder.open("doubt", O_WRONLY | O_CREAT | O_APPEND)
        try file.write(Array(new.map(FolderPicture.doubtLine).joined().utf8))
      }
    } catch { throw LogError(error) }
  }

  /// Marks that the store may be older than what others hold: another process has written with this key.
  package func noteDoubt() throws(LogError) {
    do throws(SystemError) {
      try state.withLock { (state) throws(SystemError) in
        state.allowed = []
        try Self.write(doubt: [], in: folder)
      }
    } catch { throw LogError(error) }
  }

  // MARK: - The end

  /// Leaves the marks of an end in order: nothing is written any more. The store keeps its lock until the process
  /// ends.
  /// - Parameter nextRoom: the number that the next room would have.
  package func leave(nextRoom: () throws(LogError) -> UInt64) throws(LogError) {
    let isShared = state.withLock { state in
      defer { state.hasLeft = true }
      return state.hasLeft ? nil : state.isShared
    }
    guard let isShared else { return }
    let next = isShared ? max(1, try nextRoom()) : 0
    do throws(SystemError) {
      let file = try folder.open(Self.storePath, O_RDONLY)
      // A file that was put there since is another writer's.
      guard try FileNumber(file.status()) == store else { return }
      if isShared { try Self.write(sharedBefore: next, in: folder) }
      if allowed != nil { try folder.open("doubt", O_WRONLY).sync() }
      try folder.replace("closed", with: FolderPicture.closedText(.init(try file.status())))
      try folder.remove("running")
      try folder.sync()
    } catch { throw LogError(error) }
  }

  /// Marks a folder in which a key is about to be made: nothing that it signs has left this machine.
  package static func noteBirth(_ path: String) throws(LogError) {
    do throws(SystemError) {
      let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
      guard !folder.has(Identity.fileName) else { return }
      try write(sharedBefore: 0, in: folder)
    } catch { throw LogError(error) }
  }

  /// Marks that the rooms of a folder leave this machine in a file, beside whoever writes its store.
  package static func noteExport(_ path: String) throws(LogError) {
    do throws(SystemError) {
      // Nothing can be marked, and nothing written, where nothing may be.
      do throws(SystemError) { try OpenFile(path, O_RDONLY | O_DIRECTORY).remove("shared.seal") } catch {
        guard error.code == EROFS || error.code == EACCES || error.code == EPERM else { throw error }
      }
    } catch { throw LogError(error) }
  }

  // MARK: - Files

  private static let storePath = "log/data.mdb"
  private static let limitMarkBytes = 4_096
  private static let limitDoubtBytes = 64 << 20

  private static func picture(
    in folder: borrowing OpenFile, _ boot: String
  ) throws(SystemError) -> FolderPicture {
    let status = try folder.open(storePath, O_RDONLY).status()
    var picture = FolderPicture(
      store: .init(status), boot: boot, hasIdentity: folder.has(Identity.fileName))
    picture.closed = try folder.text("closed", limit: limitMarkBytes)
    picture.running = try folder.text("running", limit: limitMarkBytes)
    picture.seal = try folder.text("shared.seal", limit: limitMarkBytes)
    picture.doubt = try folder.text("doubt", limit: limitDoubtBytes)
    picture.shared = try folder.text("shared", limit: limitMarkBytes)
    if picture.shared != nil { picture.sharedState = .init(try folder.open("shared", O_RDONLY).status()) }
    return picture
  }

  private static func write(sharedBefore number: UInt64?, in folder: borrowing OpenFile) throws(SystemError) {
    try folder.remove("shared")
    let file = try folder.open("shared", O_WRONLY | O_CREAT | O_EXCL)
    try file.write(Array(FolderPicture.sharedText(before: number).utf8))
    try file.sync()
    try folder.replace("shared.seal", with: FolderPicture.sealText(.init(try file.status())))
    try folder.sync()
  }

  private static func write(doubt allowed: Set<RoomID>, in folder: borrowing OpenFile) throws(SystemError) {
    let lines = allowed.sorted().map(FolderPicture.doubtLine)
    try folder.replace("doubt", with: FolderPicture.doubtHead + lines.joined())
    try folder.sync()
  }

  /// What the system calls the time since it was started; never the same again.
  private static func bootName() -> String {
    #if canImport(Darwin)
      var bytes = [CChar](repeating: 0, count: 64)
      var count = bytes.count
      // SAFETY: the system fills at most as many bytes as it is told that there are, terminated.
      let code = unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0)
      return code == 0
        ? String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    #else
      do throws(SystemError) {
        let bytes = try OpenFile("/proc/sys/kernel/random/boot_id", O_RDONLY).readAll(limit: 64)
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
      } catch { return "" }
    #endif
  }
}

/// Which file it is.
private struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }

  /// What lies at a path; `nil` when that cannot be said.
  init?(at path: String) {
    var status = stat()
    // SAFETY: stat reads the terminated string and fills the structure during the call only.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension FolderPicture.FileState {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    self.init(
      inode: UInt64(status.st_ino), bytes: Int64(status.st_size), seconds: Int64(changed.tv_sec),
      nanoseconds: Int64(changed.tv_nsec))
  }
}

extension LogError {
  /// What kept a mark from being read or written; no space is said as for the store itself.
  fileprivate init(_ error: SystemError) {
    switch error.code {
    case ENOSPC, EDQUOT, EFBIG: self.init(StoreError.diskFull(errno: error.code))
    default: self = .store(error.words)
    }
  }
}

extension OpenFile {
  /// Opens a file of this folder.
  fileprivate borrowing func open(_ name: String, _ flags: Int32) throws(SystemError) -> OpenFile {
    try OpenFile(name, in: self, flags | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Whether there is something of this name in this folder.
  fileprivate borrowing func has(_ name: String) -> Bool {
    // SAFETY: faccessat reads the terminated string during the call only.
    unsafe faccessat(descriptor, name, F_OK, 0) == 0
  }

  /// The text of a file of this folder; `nil` when there is none.
  fileprivate borrowing func text(_ name: String, limit: Int) throws(SystemError) -> String? {
    do throws(SystemError) {
      let bytes = try open(name, O_RDONLY).readAll(limit: limit)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      // What is no plain file is no mark.
      guard error.code == ENOENT || error.code == ELOOP || error.code == EISDIR || error.code == ENXIO else {
        throw error
      }
      return nil
    }
  }

  /// Puts a new durable file in the place of one of this folder; the folder is synced by the caller.
  fileprivate borrowing func replace(_ name: String, with text: String) throws(SystemError) {
    let draft = name + ".new"
    try remove(draft)
    let file = try open(draft, O_WRONLY | O_CREAT | O_EXCL)
    try file.write(Array(text.utf8))
    try file.sync()
    // SAFETY: renameat reads the two terminated strings during the call only.
    guard unsafe renameat(descriptor, draft, descriptor, name) == 0 else { throw .last("\(path)/\(name)") }
  }

  /// Writes another text into this file, in place and not durably.
  fileprivate borrowing func replace(_ text: String) throws(SystemError) {
    let bytes = Array(text.utf8)
    // SAFETY: pwrite reads the array's bytes, during the call only.
    let wrote = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    guard wrote < 0 || wrote == bytes.count else { throw SystemError(code: ENOSPC, path: path) }
    guard wrote == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw .last(path) }
  }

  /// Removes a file of this folder, if there is one.
  fileprivate borrowing func remove(_ name: String) throws(SystemError) {
    // SAFETY: unlinkat reads the terminated string during the call only.
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .last("\(path)/\(name)") }
  }
}
