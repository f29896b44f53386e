#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why a file or folder cannot be used.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done with it.
  package enum Purpose: Hashable, Sendable {
    /// To read what is there.
    case reading
    /// To create or replace it.
    case creating
  }

  /// The path as it was given.
  package let path: String
  /// What was to be done.
  package let purpose: Purpose
  let code: Int32
  private let reason: String?

  init(_ path: String, _ purpose: Purpose, code: Int32, reason: String? = nil) {
    self.path = path
    self.purpose = purpose
    self.code = code
    self.reason = reason
  }

  /// The status to end with.
  package var exitStatus: ExitStatus {
    switch code {
    case EACCES, EPERM, EROFS: .noPermission
    case ENOSPC, EDQUOT, EFBIG, EIO: .inputOutput
    default: purpose == .reading ? .noInput : .cannotCreate
    }
  }

  /// Whether something is at the path already, and stays.
  package var isTaken: Bool { code == EEXIST }

  /// What happened, in one line that is safe to print.
  package var description: String {
    "cannot \(purpose == .reading ? "read" : "create") \(SafeText(path).text): \(reason ?? words)"
  }

  private var words: String {
    // SAFETY: the system's text ends in a zero byte and is copied at once.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
