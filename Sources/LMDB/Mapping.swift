import CLMDB
import Platform

/// LMDB's handle of one opened environment with what entitles to it, all given back at the end of its life.
@safe
struct Mapping: ~Copyable, Sendable {
  // SAFETY: set once, in init; LMDB locks internally, and every transaction keeps the mapping's owner alive.
  @safe nonisolated(unsafe) let handle: OpaquePointer
  let folder: Folder
  /// The data file, held open by a writer to learn of failed write-backs.
  private let dataFile: OpenFile?
  // Released after the handle is closed, because fields outlive the body of deinit.
  private let lock: WriterLock?
  private let registration: OpenFolder?

  /// Opens and maps the files in `folder`, which exist unless the folder is a draft being created.
  static func open(
    _ folder: Folder, _ configuration: Environment.Configuration,
    lock: consuming WriterLock? = nil, registration: consuming OpenFolder? = nil
  ) throws(StoreError) -> Mapping {
    // A draft has no data file yet, and no need to tell a full disk from a failing one.
    let isWriter = lock != nil
    let dataFile = isWriter ? try inStore(OpenFile(folder.dataFile, .updating)) : nil
    try LockFile.reserve(folder, configuration)
    let mapping = try Mapping(folder, dataFile, lock, registration)
    try mapping.open(configuration)
    return mapping
  }

  private init(
    _ folder: Folder, _ dataFile: consuming OpenFile?, _ lock: consuming WriterLock?,
    _ registration: consuming OpenFolder?
  ) throws(StoreError) {
    var created: OpaquePointer?
    // SAFETY: LMDB fills the pointer that it is lent.
    try unsafe check(mdb_env_create(&created), folder.path)
    guard let handle = unsafe created else { throw .corrupted(code: MDB_PANIC) }
    unsafe self.handle = handle
    self.folder = folder
    self.dataFile = dataFile
    self.lock = lock
    self.registration = registration
  }

  private borrowing func open(_ configuration: Environment.Configuration) throws(StoreError) {
    StoreCrash.enter()
    defer { StoreCrash.leave() }
    let readOnly = configuration.access == .reading ? MDB_RDONLY : 0
    let flags = UInt32(MDB_NOTLS | readOnly)
    let databases = UInt32(clamping: configuration.databases.count)
    try check(unsafe StoreCrash.watchAssertions(of: handle), folder.path)
    // SAFETY: the handle is live; the path is a terminated string that LMDB copies.
    try unsafe check(mdb_env_set_mapsize(handle, configuration.mapBytes), folder.path)
    try unsafe check(mdb_env_set_maxdbs(handle, databases), folder.path)
    try unsafe check(mdb_env_set_maxreaders(handle, configuration.maximumReaders), folder.path)
    try unsafe check(mdb_env_open(handle, folder.path, flags, 0o600), folder.path)
  }

  // SAFETY: transactions live only inside `Environment.read` and `write`, which keep the mapping alive.
  deinit { unsafe mdb_env_close(handle) }

  /// Opens the named databases in one transaction and returns their LMDB numbers in the same order.
  borrowing func openDatabases(_ names: [String], creating: Bool) throws(StoreError) -> [MDB_dbi] {
    StoreCrash.enter()
    defer { StoreCrash.leave() }
    var begun: OpaquePointer?
    // SAFETY: the handle is live and LMDB fills the pointer; commit and abort both free the transaction.
    try unsafe check(mdb_txn_begin(handle, nil, creating ? 0 : UInt32(MDB_RDONLY), &begun), folder.path)
    guard let transaction = unsafe begun else { throw .corrupted(code: MDB_PANIC) }
    var opened: [MDB_dbi] = []
    do throws(StoreError) {
      for name in names { opened.append(unsafe try openDatabase(name, creating, transaction)) }
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
    try unsafe check(mdb_txn_commit(transaction), folder.path)
    return opened
  }

  private borrowing func openDatabase(_ name: String, _ creating: Bool, _ transaction: OpaquePointer)
    throws(StoreError) -> MDB_dbi
  {
    var number: MDB_dbi = 0
    var flags: UInt32 = 0
    // SAFETY: the transaction is live; LMDB copies the terminated name and fills the number and the flags.
    let code = unsafe mdb_dbi_open(transaction, name, creating ? UInt32(MDB_CREATE) : 0, &number)
    if code == MDB_NOTFOUND { throw .missingDatabase(name: name) }
    if code == MDB_INCOMPATIBLE {
      throw .notADatabase(path: folder.path, reason: "\(name) is a record and not a database in it")
    }
    try check(code, folder.path)
    try unsafe check(mdb_dbi_flags(transaction, number, &flags), folder.path)
    guard flags == 0 else {
      throw .notADatabase(path: folder.path, reason: "its database \(name) has foreign settings")
    }
    return number
  }

  /// Frees the reader slots of dead processes and returns their number.
  borrowing func checkReaders() throws(StoreError) -> Int {
    var dead: CInt = 0
    // SAFETY: the handle is live and LMDB fills the number that it is lent.
    try unsafe check(mdb_reader_check(handle, &dead), folder.path)
    return Int(dead)
  }

  /// Throws `.diskFull` when the data file cannot take `byteCount` more and its write-back has not failed.
  ///
  /// The caller holds the write transaction.
  borrowing func probe(_ byteCount: Int) throws(StoreError) {
    try inStore(dataFile?.sync())
    try inStore(dataFile?.probeSpace(byteCount))
  }
}
