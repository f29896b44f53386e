import Platform

/// LMDB's `lock.mdb`: its mutexes and the table of readers, which every process maps and writes to.
///
/// LMDB makes it a sparse file. When the disk is full, the first write to a page of it that has no block ends
/// the process with SIGBUS, so all its blocks are taken before it is mapped.
enum LockFile {
  /// The bytes of a file for so many readers in LMDB 0.9: two cache lines of 64 and one for each reader.
  static func byteCount(readers: UInt32) -> Int { 128 + 64 * Int(readers) }

  /// Takes the file's blocks, making it first when it is absent; what it holds stays.
  ///
  /// The caller has no LMDB environment of this folder open: closing a descriptor drops the record locks that
  /// the process has on the file.
  /// - Throws: `.diskFull` when there is no space for it.
  static func reserve(_ folder: Folder, _ configuration: Environment.Configuration) throws(StoreError) {
    do throws(SystemError) {
      let file = try OpenFile(folder.lockFile, [.updating, .creating])
      let status = try file.status()
      // A file that is there keeps its length, which tells other processes how many readers there can be.
      let wanted = status.bytes > 0 ? Int(status.bytes) : byteCount(readers: configuration.maximumReaders)
      guard Int(status.reservedBytes) < wanted else { return }
      // Other processes may be at work in it. Where glibc has to write to take blocks, it writes zeros over
      // the zeros that end blocks, and those bytes are padding of LMDB's slots of 64 bytes.
      try file.reserve(wanted)
    } catch {
      // LMDB reads without locks on a file system mounted read-only.
      guard error.kind == .readOnly, configuration.access == .reading else { throw StoreError(error) }
    }
  }
}
