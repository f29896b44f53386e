package import Events
internal import LMDB
internal import Platform
internal import Synchronization

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
    /// Whether the key of this writer came from elsewhere.
    var isImported = false
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
    let boot = CurrentProcess.bootName
    do throws(SystemError) {
      picture = try self.picture(in: try OpenFile(path, .folder), boot)
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
    let folder = try OpenFile(path, .folder)
    if let unsharedFrom { try Self.write(sharedBefore: unsharedFrom, in: folder) }
    if let allowed, picture.doubt == nil || !picture.fits { try Self.write(doubt: allowed, in: folder) }
    if allowed == nil, picture.doubt != nil { try folder.remove("doubt") }
    try folder.remove("running")
    let running = try OpenFile("running", in: folder, [.updating, .new])
    try running.replaceContent(Array(FolderPicture.runningText(picture.store, boot: boot).utf8))
    try folder.remove("closed")
    try folder.sync()
    store = try OpenFile(Self.storePath, in: folder).status().number
    own = try folder.status().number
    (self.path, self.boot) = (path, boot)
    self.folder = folder
    self.running = running
    state = Mutex(State(allowed: allowed))
  }

  /// The rooms that can be written to without asking others; `nil` for all.
  package var allowed: Set<RoomID>? { state.withLock { $0.allowed } }

  /// Notes whose key this writer writes with. One that was imported may have been used elsewhere, whatever else the
  /// marks say: then the store is in doubt, but for the rooms that a mark of doubt leaves out.
  package func noteKey(_ peer: PeerID) throws(LogError) {
    let isImported: Bool
    do throws(SystemError) {
      let text = try folder.text("imported", limit: Self.limitMarkBytes)
      isImported = text == FolderPicture.importedText(peer)
    } catch { throw LogError(error) }
    guard isImported else { return }
    state.withLock { $0.isImported = true }
    if allowed == nil { try noteDoubt() }
  }

  /// Whether the key of this writer came from elsewhere, as `noteKey` found.
  package var isImported: Bool { state.withLock { $0.isImported } }

  // MARK: - While the process runs

  /// Whether the folder and its store are still those that were opened, at the path that was named.
  package var isInPlace: Bool {
    FileStatus(at: path)?.number == own
      && FileStatus(at: path + "/" + Self.storePath)?.number == store
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
      let status = try OpenFile(Self.storePath, in: folder).status()
      try running.replaceContent(Array(FolderPicture.runningText(.init(status), boot: boot).utf8))
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
        let file = try OpenFile("doubt", in: folder, [.appending, .creating])
        try file.write(Array(new.map(FolderPicture.doubtLine).joined().utf8))
        state.allowed?.formUnion(new)
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
      let file = try OpenFile(Self.storePath, in: folder)
      // A file that was put there since is another writer's.
      guard try file.status().number == store else { return }
      if isShared { try Self.write(sharedBefore: next, in: folder) }
      if allowed != nil { try OpenFile("doubt", in: folder, .writing).sync() }
      try folder.replace("closed", with: Array(FolderPicture.closedText(.init(try file.status())).utf8))
      try folder.remove("running")
      try folder.sync()
    } catch { throw LogError(error) }
  }

  /// Marks a folder in which a key is about to be made: nothing that it signs has left this machine.
  package static func noteBirth(_ path: String) throws(LogError) {
    do throws(SystemError) {
      let folder = try OpenFile(path, .folder)
      guard folder.status(of: Identity.fileName) == nil else { return }
      try write(sharedBefore: 0, in: folder)
    } catch { throw LogError(error) }
  }

  /// Marks a folder into which a key is about to come that may have been used elsewhere. The mark names the key, so
  /// that it says nothing of another one, and no writer takes it away.
  static func noteImport(of peer: PeerID, _ path: String) throws(LogError) {
    do throws(SystemError) {
      let folder = try OpenFile(path, .folder)
      // What it says of a new key may have stayed when that key went.
      try folder.remove("shared.seal")
      try folder.replace("imported", with: Array(FolderPicture.importedText(peer).utf8))
      try folder.sync()
    } catch { throw LogError(error) }
  }

  /// Marks that the rooms of a folder leave this machine in a file, beside whoever writes its store.
  package static func noteExport(_ path: String) throws(LogError) {
    do throws(SystemError) {
      // Nothing can be marked, and nothing written, where nothing may be.
      do throws(SystemError) { try OpenFile(path, .folder).remove("shared.seal") } catch {
        guard error.kind == .readOnly || error.kind == .noPermission else { throw error }
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
    let status = try OpenFile(storePath, in: folder).status()
    var picture = FolderPicture(
      store: .init(status), boot: boot, hasIdentity: folder.status(of: Identity.fileName) != nil)
    picture.closed = try folder.text("closed", limit: limitMarkBytes)
    picture.running = try folder.text("running", limit: limitMarkBytes)
    picture.seal = try folder.text("shared.seal", limit: limitMarkBytes)
    picture.doubt = try folder.text("doubt", limit: limitDoubtBytes)
    picture.shared = try folder.text("shared", limit: limitMarkBytes)
    if picture.shared != nil { picture.sharedState = .init(try OpenFile("shared", in: folder).status()) }
    return picture
  }

  private static func write(sharedBefore number: UInt64?, in folder: borrowing OpenFile) throws(SystemError) {
    try folder.remove("shared")
    let file = try OpenFile("shared", in: folder, [.writing, .new])
    try file.write(Array(FolderPicture.sharedText(before: number).utf8))
    try file.sync()
    try folder.replace("shared.seal", with: Array(FolderPicture.sealText(.init(try file.status())).utf8))
    try folder.sync()
  }

  private static func write(doubt allowed: Set<RoomID>, in folder: borrowing OpenFile) throws(SystemError) {
    let lines = allowed.sorted().map(FolderPicture.doubtLine)
    try folder.replace("doubt", with: Array((FolderPicture.doubtHead + lines.joined()).utf8))
    try folder.sync()
  }
}

extension FolderPicture.FileState {
  fileprivate init(_ status: FileStatus) {
    self.init(
      inode: status.number.inode, bytes: status.bytes, seconds: status.changed.seconds,
      nanoseconds: status.changed.nanoseconds)
  }
}

extension LogError {
  /// What kept a mark from being read or written; no space is said as for the store itself.
  fileprivate init(_ error: SystemError) {
    self = error.kind == .noSpace ? LogError(StoreError(error)) : .store(error.description)
  }
}

extension OpenFile {
  /// The text of a file of this folder; `nil` when there is none.
  fileprivate borrowing func text(_ name: String, limit: Int) throws(SystemError) -> String? {
    do throws(SystemError) {
      return String(decoding: try OpenFile(name, in: self).readAll(limit: limit), as: UTF8.self)
    } catch {
      // What is no plain file is no mark.
      guard error.kind == .missing || error.kind == .otherKind else { throw error }
      return nil
    }
  }
}
