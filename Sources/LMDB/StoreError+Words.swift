import CLMDB
import Glibc
import Platform

extension StoreError: CustomStringConvertible {
  /// What happened and what to do, in one or two sentences.
  package var description: String { openingWords ?? limitWords ?? useOrFaultWords }

  private var openingWords: String? {
    switch self {
    case .missing(let path): "There is no store at \(path). Check the path, or create the store by writing."
    case .missingDatabase(let name):
      "The store has no database named \(name). Open it once for writing, which creates it."
    case .permission(let path): "This user may not access \(path). Change its owner or its permissions."
    case .readOnly(let path):
      "\(path) is on a file system mounted read-only. Open the store for reading, or use another folder."
    case .networkFileSystem(let path):
      "\(path) is on a network or user-space file system, where the store is not safe. Use a local disk."
    case .locked(let path, let holder):
      "\(path) is being written by \(holder). Stop that program first; reading still works."
    case .alreadyOpen(let path): "This process already has \(path) open. Use the open environment."
    case .notADatabase(let path, let reason):
      "\(path) is not a store: \(reason). \(Self.restoring)"
    case .wrongVersion(let path, let found):
      "\(path) has version \(found) of the file format and 1 is needed. Use the program that made it."
    case .truncated(let path, let bytes, let expected):
      "\(path) has \(bytes) bytes and needs \(expected): its end is lost. \(Self.restoring)"
    default: nil
    }
  }

  private var limitWords: String? {
    switch self {
    case .mapFull: "The store has reached its largest size. Nothing of this write was stored."
    case .diskFull(let errno):
      "No space is left for the store (\(Self.words(errno: errno))). Nothing was stored; free space and repeat."
    case .transactionFull: "One write was too large. Nothing of it was stored; write less at a time."
    case .readersFull: "Too many readers are open. End some, or remove dead ones with a reader check."
    case .mapResized: "The store has outgrown this process's map. Reopen it with the writer's map size."
    case .keyLength(let bytes): "A key of \(bytes) bytes was refused; keys have 1 to 511 bytes."
    case .valueTooLong(let bytes): "A value of \(bytes) bytes was refused; values stay below 4 GiB."
    default: nil
    }
  }

  private var useOrFaultWords: String {
    switch self {
    case .keyExists: "The key is already present. Nothing was changed."
    case .outOfOrder: "The key is not above the last key, as appending requires. Nothing was changed."
    case .openedForReading: "The store was opened for reading. Open it for writing to change it."
    case .nestedWrite: "A write was begun inside a write of the same store. Use the outer transaction."
    case .wrongEnvironment: "The database belongs to another store. Ask this store for its own."
    case .corrupted(let code):
      "The store's structure is broken (\(Self.words(code: code))). \(Self.restoring)"
    case .inputOutput(let errno, let path):
      "\(path): \(Self.words(errno: errno)). \(Self.advice(errno: errno))"
    case .commitFailed(let code):
      "A write could not be made durable (\(Self.words(code: code))). Stop the program and check the disk."
    case .poisoned: "An earlier write could not be made durable. Stop the program and check the disk."
    default: "The store failed."
    }
  }

  /// What to do about a store that is lost: exports hold one room each.
  private static let restoring =
    "Use another data folder; `parlor log import` brings exported rooms back there, one by one."

  /// What to do about an error that the operating system reported.
  private static func advice(errno: Int32) -> String {
    switch errno {
    case ENOMEM:
      "The store is mapped whole: allow this process more address space (`ulimit -v unlimited`)."
    case EMFILE: "Allow this process more open files (`ulimit -n`)."
    case ENFILE: "The whole system has too many files open: end some programs."
    case EAGAIN, EBUSY, EINTR: "Try again."
    case ENAMETOOLONG, ELOOP: "Choose another folder."
    default: "Check the disk."
    }
  }

  private static func words(errno: Int32) -> String { SystemError.reason(of: errno) }

  private static func words(code: Int32) -> String {
    // SAFETY: mdb_strerror returns a terminated string, static or from strerror, that is copied at once.
    unsafe String(cString: mdb_strerror(code))
  }
}
