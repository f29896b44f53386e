#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folders of all environments open in this process.
///
/// This state is global. It cannot be handed in: LMDB's rule, that a process opens an
/// environment once, is about the whole process (closing one of two drops the record locks of both).
private let openFolders = OpenFolders()

/// A set of folders behind a POSIX mutex.
///
/// `Synchronization.Mutex` would do, but when threads contend on Linux the kernel hands it over unseen by the
/// thread sanitizer, which then reports races that are none.
@safe
private final class OpenFolders: Sendable {
  // SAFETY: allocated for the whole process, because the only instance is global.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // SAFETY: touched only between lock and unlock.
  nonisolated(unsafe) private var folders: Set<Folder> = []

  init() {
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "a mutex without attributes cannot fail to be made, but gave \(code)")
  }

  /// Adds the folder and returns whether it was absent.
  func insert(_ folder: Folder) -> Bool { locked { unsafe folders.insert(folder).inserted } }

  func remove(_ folder: Folder) { locked { _ = unsafe folders.remove(folder) } }

  private func locked<Result>(_ body: () -> Result) -> Result {
    // SAFETY: the mutex is initialized and unlocked by the thread that locked it.
    let code = unsafe pthread_mutex_lock(mutex)
    precondition(code == 0, "a mutex that no thread locks twice cannot refuse, but gave \(code)")
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// The right of one environment to be open in this process, given back at the end of its life.
struct OpenFolder: ~Copyable, Sendable {
  let folder: Folder

  init(_ folder: Folder) throws(StoreError) {
    guard openFolders.insert(folder) else { throw .alreadyOpen(path: folder.path) }
    self.folder = folder
  }

  deinit { openFolders.remove(folder) }
}
