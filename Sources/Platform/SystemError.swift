import Glibc

/// A call to the operating system that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the system refused, as far as callers tell such answers apart.
  package enum Kind: Hashable, Sendable {
    /// There is nothing of this name.
    case missing
    /// There is something of this name already, or something in it.
    case exists
    /// This user may not do that.
    case noPermission
    /// The file system is mounted read-only.
    case readOnly
    /// The disk, a quota or a file size limit is used up.
    case noSpace
    /// What is there is a link, a folder, a pipe or a socket, and something else was wanted, or a folder was.
    case otherKind
    /// Anything else.
    case other
  }

  /// The call's name.
  package let call: String
  /// The system's error number.
  package let code: Int32
  /// What the call was about, if it was about something with a name.
  package let path: String?

  package init(_ call: String, _ code: Int32, path: String? = nil) {
    self.call = call
    self.code = code
    self.path = path
  }

  package var kind: Kind {
    switch code {
    case ENOENT: .missing
    case EEXIST, ENOTEMPTY: .exists
    case EACCES, EPERM: .noPermission
    case EROFS: .readOnly
    case ENOSPC, EDQUOT, EFBIG: .noSpace
    case ELOOP, EISDIR, ENOTDIR, ENXIO: .otherKind
    default: .other
    }
  }

  /// What the system says of the error.
  package var reason: String { Self.reason(of: code) }

  /// What the system says of an error's number.
  package static func reason(of code: Int32) -> String {
    // SAFETY: the system's text ends in a zero byte and is copied at once; glibc's is per thread.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// The path, or the call where there is none, and what the system says.
  package var description: String { "\(path ?? call): \(reason)" }

  /// The same, and what to do where this process or its user has too little of something.
  package var words: String {
    switch (call, code) {
    case (_, EMFILE): "\(self). Allow this process more open files (`ulimit -n`)."
    case (_, ENFILE): "\(self). The whole system has too many files open: end some programs."
    case ("pthread_create", EAGAIN), ("uv_thread_create", EAGAIN):
      "\(self). It needs more threads than it may have: allow this user more processes (`ulimit -u`), or end some."
    default: description
    }
  }

  /// The result of a call that leaves its error in `errno`, made again when a signal came between.
  static func check<Number: SignedInteger>(
    _ name: String, path: String? = nil, _ call: () -> Number
  ) throws(SystemError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      guard code == EINTR else { throw SystemError(name, code, path: path) }
    }
  }
}
