#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Descriptor {
  /// Opens a file for reading; whoever asked closes it.
  package static func open(_ path: String) throws(FileError) -> Descriptor {
    let number = openFile(path, O_RDONLY | O_CLOEXEC, mode: 0)
    guard number >= 0 else { throw FileError(path, .reading, code: errno) }
    let descriptor = Descriptor(number)
    guard descriptor.fileType != S_IFDIR else {
      descriptor.forget()
      throw FileError(path, .reading, code: EISDIR)
    }
    return descriptor
  }

  /// Opens `/dev/null` in place of each standard descriptor that is closed; call it before anything is opened.
  ///
  /// Else the next file or pipe that the program opens would be taken for its standard input or output. Input
  /// then is at its end, writing a result is an error, and words on standard error are lost.
  package static func openStandard() throws(FileError) {
    for standard in [input, output, errors] where fcntl(standard.number, F_GETFD) < 0 && errno == EBADF {
      // The system gives the least number that is free, which is this one. Output is opened for reading, so
      // that writing fails.
      let number = openFile("/dev/null", standard == errors ? O_WRONLY : O_RDONLY, mode: 0)
      guard number >= 0 else { throw FileError("/dev/null", .reading, code: errno) }
    }
  }

  /// Opens a folder, so that what was made in it can be made durable.
  static func open(folder: String) throws(FileError) -> Descriptor {
    let number = openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
    guard number >= 0 else { throw FileError(folder, .creating, code: errno) }
    return Descriptor(number)
  }

  /// Creates a file that was not there.
  static func create(_ path: String, mode: mode_t) throws(FileError) -> Descriptor {
    let number = openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode)
    guard number >= 0 else { throw FileError(path, .creating, code: errno) }
    return Descriptor(number)
  }

  /// Whether this is an ordinary file, which can be read more than once and has an end.
  package var isOrdinaryFile: Bool { fileType == S_IFREG }

  /// What kind of file this is, as in `st_mode`; 0 when the system does not say.
  var fileType: mode_t {
    var status = stat()
    // SAFETY: the call fills the structure that it is lent.
    guard unsafe fstat(number, &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }

  /// Closes a descriptor to which nothing was written, so that nothing can be lost.
  package func forget() {
    do throws(SystemError) { try close() } catch { return }
  }
}

/// What is at a path.
package enum FileSystem {
  /// Whether anything is there that this user can see.
  package static func exists(_ path: String) -> Bool { type(path) != nil }

  /// Whether a folder is there, which this user may or may not enter.
  package static func isFolder(_ path: String) -> Bool { type(path) == S_IFDIR }

  /// Whether an ordinary file is there.
  static func isFile(_ path: String) -> Bool { type(path) == S_IFREG }

  /// Makes a folder for this user alone (mode 0700), and the folders above it that are missing.
  package static func makePrivateFolder(_ path: String) throws(FileError) {
    var part = ""
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      part += index == 0 ? String(name) : "/\(name)"
      guard !name.isEmpty, name != ".", name != ".." else { continue }
      // SAFETY: the call reads the terminated string only while it runs.
      guard unsafe mkdir(part, 0o700) != 0 else { continue }
      let code = errno
      // A folder above may refuse us and yet let us pass.
      guard type(part) != S_IFDIR else { continue }
      throw FileError(part, .creating, code: code == EEXIST ? ENOTDIR : code)
    }
  }

  private static func type(_ path: String) -> mode_t? {
    var status = stat()
    // SAFETY: the call reads the terminated string and fills the structure only while it runs.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}

private func openFile(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
  while true {
    // SAFETY: the call reads the terminated string only while it runs.
    let number = unsafe open(path, flags, mode)
    if number >= 0 || errno != EINTR { return number }
  }
}
