internal import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mark of a store that was closed in order, and not touched since: the file `closed` beside the folder `log`.
///
/// ```
/// parlor-closed-1
/// inode, size, and time of the last change (seconds and nanoseconds) of log/data.mdb
/// ```
///
/// The system sets the time of the last change and nobody else can, and a copy has another inode: a copy that is put
/// in the place of a store, whole or file by file, does not fit its mark. Where there is no mark that fits, the store
/// may be older than what others hold of its peer's feeds (Docs/PROTOCOL.md §7.7).
package enum ClosedMark {
  /// The mark's name in the data folder.
  package static let fileName = "closed"
  private static let firstLine = "parlor-closed-1"

  /// Takes the mark away; who calls this has the store's lock, and may write when it returns.
  /// - Returns: whether there was one that fits.
  package static func take(folder: String) throws(LogError) -> Bool {
    do throws(SystemError) {
      let path = "\(folder)/\(fileName)"
      let found: [UInt8]
      do throws(SystemError) {
        found = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readAll(limit: 256)
      } catch {
        guard error.code == ENOENT else { throw error }
        return false
      }
      let fits = try found == content(folder)
      // SAFETY: unlink reads the terminated string during the call only.
      guard unsafe unlink(path) == 0 else { throw .last(path) }
      try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
      return fits
    } catch { throw .store(error.words) }
  }

  /// Marks a store that nobody writes to any more; it keeps its lock until the process ends.
  package static func leave(folder: String) throws(LogError) {
    do throws(SystemError) {
      let path = "\(folder)/\(fileName)"
      let draft = path + ".new"
      // SAFETY: unlink reads the terminated string during the call only.
      _ = unsafe unlink(draft)
      let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      try file.write(try content(folder))
      try file.sync()
      // SAFETY: rename reads the two terminated strings during the call only.
      guard unsafe rename(draft, path) == 0 else { throw .last(path) }
      try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
    } catch { throw .store(error.words) }
  }

  private static func content(_ folder: String) throws(SystemError) -> [UInt8] {
    let status = try OpenFile("\(folder)/log/data.mdb", O_RDONLY | O_NOFOLLOW).status()
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    let line = "\(status.st_ino) \(status.st_size) \(changed.tv_sec) \(changed.tv_nsec)"
    return Array("\(firstLine)\n\(line)\n".utf8)
  }
}
