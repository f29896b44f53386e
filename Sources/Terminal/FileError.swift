import Glibc
package import Platform

/// Why a file or folder that a person named cannot be used.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done with it.
  package enum Purpose: Hashable, Sendable {
    /// To read what is there.
    case reading
    /// To create or replace it.
    case creating
  }

  private let purpose: Purpose
  private let error: SystemError

  package init(_ purpose: Purpose, _ error: SystemError) {
    self.purpose = purpose
    self.error = error
  }

  /// The status to end with.
  package var exitStatus: ExitStatus {
    switch error.kind {
    case .noPermission, .readOnly: .noPermission
    case .noSpace: .inputOutput
    default: error.code == EIO ? .inputOutput : purpose == .reading ? .noInput : .cannotCreate
    }
  }

  /// Whether something is at the path already, and stays.
  package var isTaken: Bool { error.kind == .exists }

  /// What happened, in one line that is safe to print.
  package var description: String {
    "cannot \(purpose == .reading ? "read" : "create") \(SafeText(error.path ?? error.call).text): \(error.reason)"
  }
}

extension OpenFile {
  /// Opens a file that a person named, for reading; a pipe is waited for.
  package static func reading(_ path: String) throws(FileError) -> OpenFile {
    do throws(SystemError) {
      let file = try OpenFile(path, .waiting)
      guard try file.status().kind != .folder else { throw SystemError("open", EISDIR, path: path) }
      return file
    } catch { throw FileError(.reading, error) }
  }
}
