#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The place of an environment: an absolute path without links in its parent, present or not.
struct Folder: Hashable, Sendable {
  let parent: String
  let name: String

  var path: String { parent == "/" ? "/\(name)" : "\(parent)/\(name)" }
  var dataFile: String { "\(path)/data.mdb" }
  var lockFile: String { "\(path)/lock.mdb" }
  var writerLock: String { "\(path)/writer.lock" }

  init(parent: String, name: String) {
    self.parent = parent
    self.name = name
  }

  /// Resolves a path as the caller wrote it; its parent must exist.
  init(resolving path: String) throws(StoreError) {
    if let existing = Self.resolved(path) {
      self.init(absolute: existing)
      return
    }
    guard errno == ENOENT else { throw StoreError(errno: errno, path: path) }
    var trimmed = Substring(path)
    while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
    let slash = trimmed.lastIndex(of: "/")
    let name = slash.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed
    let parent = slash.map { $0 == trimmed.startIndex ? "/" : String(trimmed[..<$0]) } ?? "."
    // A name that only points elsewhere (a dangling link, "..") is nothing that could be created.
    guard !name.isEmpty, name != ".", name != "..", !Self.isLink(path) else { throw .missing(path: path) }
    guard let parent = Self.resolved(parent) else { throw StoreError(errno: errno, path: parent) }
    self.init(parent: parent, name: String(name))
  }

  /// Takes a path from realpath(3) apart; that of the root has an empty name.
  init(absolute path: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    parent = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[slash...].dropFirst())
  }

  private static func resolved(_ path: String) -> String? {
    // SAFETY: realpath reads the terminated string and returns a terminated one that is ours to free.
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: lstat fills the structure that it is lent, during the call only.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The names in the folder, without `.` and `..`, or `nil` when the folder is absent.
  func names() throws(StoreError) -> [String]? {
    do throws(StoreError) { return try Self.names(in: path) } catch .missing { return nil }
  }

  /// The names in any folder, without `.` and `..`.
  static func names(in path: String) throws(StoreError) -> [String] {
    // SAFETY: opendir reads the terminated string; the handle is closed on every way out.
    guard let handle = unsafe opendir(path) else { throw StoreError(errno: errno, path: path) }
    defer { _ = unsafe closedir(handle) }
    var names: [String] = []
    errno = 0
    // SAFETY: readdir's entry holds a terminated name and stays valid until the next call.
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw StoreError(errno: errno, path: path) }
    return names
  }
}
