import Glibc
import Platform

/// Creates an environment so that it is either absent or whole, whenever the power fails.
///
/// It is made in `tmp-NAME-` and 16 hexadecimal digits beside its place, with its databases committed,
/// synced, and renamed; before the first commit after that, the names that lead to it are synced. The creator
/// holds the writer's lock in it all the while, so that a folder whose lock is free is known to be left by a
/// dead creation.
enum Creation {
  /// Creates the environment and returns its writer's lock, or `nil` when somebody else created it first.
  static func create(_ folder: Folder, _ configuration: Environment.Configuration) throws(StoreError)
    -> WriterLock?
  {
    // A cleaning writer can take a folder away between its creation and its lock; then another is made.
    for _ in 0..<16 {
      let draft = Folder(parent: folder.parent, name: prefix(of: folder) + randomSuffix())
      guard let lock = try lockedFolder(draft, configuration.program) else { continue }
      do throws(StoreError) {
        try fill(draft, configuration)
        guard try move(draft, to: folder) else {
          try remove(draft)
          return nil
        }
        return lock
      } catch {
        // The first error is the one to report; a draft that cannot be removed now is removed at an opening.
        do throws(StoreError) { try remove(draft) } catch {}
        throw error
      }
    }
    throw .inputOutput(errno: EAGAIN, path: folder.path)
  }

  /// Removes the drafts of this folder whose creators died.
  static func removeLeftovers(of folder: Folder) throws(StoreError) {
    for name in try inStore(FileSystem.names(in: folder.parent)) where isDraft(name, of: folder) {
      let draft = Folder(parent: folder.parent, name: name)
      do throws(StoreError) {
        guard let lock = try WriterLock(abandoned: draft) else { continue }
        try remove(draft)
        _ = consume lock
      } catch .missing {
        // It died before it made a lock file, or another writer is removing it, or the power failed.
        try inStore(FileSystem.removeEmptyFolder(draft.path))
        try removeUnlocked(draft)
      }
    }
  }

  /// Removes a draft that has files and no lock file; none of a draft's names is durable before all are, so a
  /// power cut can leave any of them without the others.
  private static func removeUnlocked(_ draft: Folder) throws(StoreError) {
    // A creator makes the lock before the other files, and who removes a draft takes it away after them.
    guard let names = try draft.names(), names.contains("data.mdb") || names.contains("lock.mdb") else {
      return
    }
    do throws(StoreError) {
      guard let lock = try WriterLock(abandoned: draft, creating: true) else { return }
      try remove(draft)
      _ = consume lock
    } catch .missing { return }
  }

  /// More than the pages of an empty store, in bytes.
  private static let firstBytes = 64 << 10

  private static func prefix(of folder: Folder) -> String { "tmp-\(folder.name)-" }

  private static func randomSuffix() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func isDraft(_ name: String, of folder: Folder) -> Bool {
    guard name.hasPrefix(prefix(of: folder)) else { return false }
    let suffix = name.utf8.dropFirst(prefix(of: folder).utf8.count)
    return suffix.count == 16
      && suffix.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Makes the draft's folder and takes its lock; `nil` when a cleaning writer came between.
  private static func lockedFolder(_ draft: Folder, _ program: String) throws(StoreError) -> WriterLock? {
    do throws(SystemError) { try FileSystem.makeFolder(draft.path) } catch {
      // The draft's name is nobody's business.
      throw StoreError(SystemError(error.call, error.code, path: draft.parent))
    }
    do throws(StoreError) {
      let lock = try WriterLock(draft, program: program)
      guard try lock.isOf(draft) else { return nil }
      return lock
    } catch .missing {
      return nil
    } catch .locked {
      return nil
    } catch {
      // Whatever it was, nobody else has reason to look after this draft.
      do throws(StoreError) { try remove(draft) } catch {}
      throw error
    }
  }

  /// Commits the empty databases and makes the file and its folder durable.
  private static func fill(_ draft: Folder, _ configuration: Environment.Configuration) throws(StoreError) {
    try LockFile.reserve(draft, configuration)
    // LMDB takes an empty file for a new one; a disk that is full now is told from one that fails.
    try inStore(OpenFile(draft.dataFile, [.updating, .creating]).probeSpace(firstBytes))
    do {
      let mapping = try Mapping.open(draft, configuration)
      _ = try mapping.openDatabases(configuration.databases, creating: true)
    }
    try inStore(OpenFile(draft.dataFile).sync())
    try inStore(OpenFile(draft.path, .folder).sync())
  }

  /// Moves the draft to its place, which `settle` makes durable; false when a folder with content is there.
  private static func move(_ draft: Folder, to folder: Folder) throws(StoreError) -> Bool {
    do throws(SystemError) { try FileSystem.move(draft.path, to: folder.path) } catch {
      guard error.kind == .exists else { throw StoreError(error) }
      return false
    }
    return true
  }

  private static func remove(_ draft: Folder) throws(StoreError) {
    // The lock goes last: while it is there, another cleaning writer leaves the draft alone.
    for name in ["data.mdb", "lock.mdb", "writer.lock"] {
      try inStore(FileSystem.remove("\(draft.path)/\(name)"))
    }
    try inStore(FileSystem.removeEmptyFolder(draft.path))
  }

  /// Makes the names durable that lead to a store in which nothing was committed since its creation.
  ///
  /// Whoever created it may have died before its rename was durable, and whoever made the folders above may not
  /// have synced them. A writer commits only after this, so any later commit shows that it was done.
  ///
  /// - Parameter transaction: the number of the store's newest commit; its creation is number 1.
  static func settle(_ folder: Folder, newest transaction: UInt64) throws(StoreError) {
    if transaction <= 1 { try inStore(FileSystem.syncNames(in: folder.parent)) }
  }
}
