import CLMDB
import Glibc
import Platform
import Synchronization

/// An LMDB environment: one memory-mapped file of named, ordered databases with one writer and many readers.
///
/// It is opened with LMDB's default durability: when `write` returns, its changes outlast a power cut. An
/// environment closes when its last reference goes.
package final class Environment: Sendable {
  private let configuration: Configuration
  private let numbers: [UInt32]
  private let mapping: Mapping
  /// The thread inside `write`, or 0.
  private let writingThread = Atomic<UInt>(0)
  private let isPoisoned = Atomic<Bool>(false)

  /// The folder's resolved path.
  package var path: String { mapping.folder.path }

  /// Opens the environment; a writer first creates it when its folder is absent or empty.
  ///
  /// Throws `.missing`, `.permission`, `.readOnly`, `.networkFileSystem`, `.locked`, `.alreadyOpen`,
  /// `.notADatabase`, `.wrongVersion`, `.truncated`, `.missingDatabase`, `.diskFull`, `.mapFull` or
  /// `.inputOutput`. A file that fails the checks is left as it is.
  package init(_ configuration: Configuration) throws(StoreError) {
    let mapping = try Mapping.open(configuration)
    let creating = configuration.access == .writing
    numbers = try mapping.openDatabases(configuration.databases, creating: creating)
    _ = try mapping.checkReaders()
    self.mapping = mapping
    self.configuration = configuration
  }

  /// The database of that name, which is one of those given at opening.
  package func database(_ name: String) throws(StoreError) -> Database {
    for (index, candidate) in configuration.databases.enumerated()
    where candidate.utf8.elementsEqual(name.utf8) {
      return Database(number: numbers[index], owner: ObjectIdentifier(self))
    }
    throw .missingDatabase(name: name)
  }

  /// Frees the reader slots of processes that died inside a read transaction, and returns how many.
  ///
  /// Until then such a slot keeps every page alive that was freed since. Call it about once a minute, and
  /// before reporting that the store is full.
  package func checkReaders() throws(StoreError) -> Int { try mapping.checkReaders() }

  /// Begins a read transaction; the caller ends it while `self` is alive.
  func beginReading() throws(StoreError) -> RawTransaction {
    try begin(flags: UInt32(MDB_RDONLY))
  }

  /// Begins the write transaction, waiting for another thread's to end.
  func beginWriting() throws(StoreError) -> RawTransaction {
    guard configuration.access == .writing else { throw .openedForReading }
    guard !isPoisoned.load(ordering: .acquiring) else { throw .poisoned }
    let thread = CurrentProcess.thread
    guard writingThread.load(ordering: .relaxed) != thread else { throw .nestedWrite }
    let transaction = try begin(flags: 0)
    // The wait may have been for the commit that failed.
    guard !isPoisoned.load(ordering: .acquiring) else {
      transaction.abort()
      throw .poisoned
    }
    writingThread.store(thread, ordering: .relaxed)
    return transaction
  }

  private func begin(flags: UInt32) throws(StoreError) -> RawTransaction {
    var begun: OpaquePointer?
    // SAFETY: the handle is live and LMDB fills the pointer that it is lent.
    try unsafe check(mdb_txn_begin(mapping.handle, nil, flags, &begun), path)
    guard let handle = unsafe begun else { throw .corrupted(code: MDB_PANIC) }
    // Until the transaction ends.
    StoreCrash.enter()
    return unsafe RawTransaction(handle: handle, owner: ObjectIdentifier(self))
  }

  /// Ends the write transaction without effect.
  func abortWriting(_ transaction: RawTransaction) {
    writingThread.store(0, ordering: .relaxed)
    transaction.abort()
  }

  /// Commits the write transaction; a failure for anything but space poisons the environment.
  ///
  /// `changed` is about how many bytes the transaction wrote.
  func commitWriting(_ transaction: RawTransaction, changed: Int) throws(StoreError) {
    writingThread.store(0, ordering: .relaxed)
    let code = transaction.commit()
    guard code != MDB_SUCCESS else { return }
    switch commitError(code, changed) {
    case .mapFull: throw .mapFull
    case .diskFull(let errno): throw .diskFull(errno: errno)
    default:
      isPoisoned.store(true, ordering: .releasing)
      throw .commitFailed(code: code)
    }
  }

  /// The error for a code that a commit returned, which has ended the transaction.
  private func commitError(_ code: CInt, _ changed: Int) -> StoreError {
    guard code == EIO else { return StoreError(code: code, path: path) }
    do throws(StoreError) {
      // Another transaction keeps other writers away from the probe.
      let transaction = try begin(flags: 0)
      defer { transaction.abort() }
      return changeError(code, changed)
    } catch { return StoreError(code: code, path: path) }
  }

  /// The error for a code that a change returned whose transaction is still open.
  ///
  /// When the space left lets only a part of a write through, LMDB says EIO, as it does for a failing disk.
  /// It was space when the file cannot take that much more and no write-back has failed since the environment
  /// was opened, which Linux tells each descriptor once.
  func changeError(_ code: CInt, _ changed: Int) -> StoreError {
    let error = StoreError(code: code, path: path)
    guard code == EIO else { return error }
    do throws(StoreError) {
      try mapping.probe(max(1 << 20, 2 * changed))
    } catch {
      if case .diskFull = error { return error }
    }
    return error
  }

  /// LMDB's figures of the whole environment as of the newest commit.
  func figures() throws(StoreError) -> MDB_envinfo {
    var figures = unsafe MDB_envinfo()
    // SAFETY: the handle is live and LMDB fills the structure that it is lent.
    try unsafe check(mdb_env_info(mapping.handle, &figures), path)
    return unsafe figures
  }
}
