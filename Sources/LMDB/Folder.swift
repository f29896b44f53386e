import Platform

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
    do throws(SystemError) {
      self.init(absolute: try FileSystem.resolve(path))
      return
    } catch {
      guard error.kind == .missing else { throw StoreError(error) }
    }
    var trimmed = Substring(path)
    while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
    let slash = trimmed.lastIndex(of: "/")
    let name = slash.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed
    let parent = slash.map { $0 == trimmed.startIndex ? "/" : String(trimmed[..<$0]) } ?? "."
    // A name that only points elsewhere (a dangling link, "..") is nothing that could be created.
    guard !name.isEmpty, name != ".", name != "..", !FileSystem.isLink(path) else {
      throw .missing(path: path)
    }
    self.init(parent: try inStore(FileSystem.resolve(parent)), name: String(name))
  }

  /// Takes an absolute path apart; that of the root has an empty name.
  private init(absolute path: String) {
    parent = FileSystem.parent(of: path)
    name = String(path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst())
  }

  /// The names in the folder, without `.` and `..`, or `nil` when the folder is absent.
  func names() throws(StoreError) -> [String]? {
    do throws(SystemError) { return try FileSystem.names(in: path) } catch {
      guard error.kind == .missing else { throw StoreError(error) }
      return nil
    }
  }
}
