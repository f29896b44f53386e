#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that appears at its path whole, or not at all.
///
/// What is written goes to a draft beside it; `keep` makes the draft durable and gives it its name. A file
/// that is let go of without `keep` leaves nothing.
package struct NewFile: ~Copyable {
  /// Where to write.
  package let descriptor: Descriptor
  /// The path that it will have.
  package let path: String
  private let draft: String
  private let replaces: Bool
  private var isKept = false

  /// Begins a file.
  ///
  /// - Parameter replaces: whether an ordinary file that is there may be replaced.
  package init(_ path: String, replaces: Bool) throws(FileError) {
    if FileSystem.exists(path) {
      guard replaces else { throw FileError(path, .creating, code: EEXIST) }
      guard FileSystem.isFile(path) else {
        throw FileError(path, .creating, code: EEXIST, reason: "it is no ordinary file")
      }
    }
    let draft = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max)).draft"
    let descriptor: Descriptor
    do throws(FileError) { descriptor = try Descriptor.create(draft, mode: 0o666) } catch {
      // The draft's name is nobody's business.
      throw FileError(path, .creating, code: error.code)
    }
    self.init(descriptor: descriptor, path: path, draft: draft, replaces: replaces)
  }

  private init(descriptor: Descriptor, path: String, draft: String, replaces: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.draft = draft
    self.replaces = replaces
  }

  deinit {
    descriptor.forget()
    // SAFETY: the call reads the terminated string only while it runs.
    if !isKept { unsafe _ = unlink(draft) }
  }

  /// Makes what was written durable and gives the file its name.
  package consuming func keep() throws(FileError) {
    guard fsync(descriptor.number) == 0 else { throw FileError(path, .creating, code: errno) }
    // Unlike rename(2), link(2) never replaces what somebody else has just put there.
    // SAFETY: the calls read the terminated strings only while they run.
    let code = unsafe replaces ? rename(draft, path) : link(draft, path)
    guard code == 0 else { throw FileError(path, .creating, code: errno) }
    isKept = replaces
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let opened = try Descriptor.open(folder: String(folder))
    defer { opened.forget() }
    guard fsync(opened.number) == 0 else { throw FileError(path, .creating, code: errno) }
  }
}
