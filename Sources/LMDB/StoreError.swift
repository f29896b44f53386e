/// Why the store could not do what was asked.
///
/// Each case says what happened; `description` says it in words and names what to do.
package enum StoreError: Error, Hashable, Sendable {
  // Opening.

  /// There is no store at this path, or its parent folder is absent.
  case missing(path: String)
  /// The store lacks this named database; only a writer creates it.
  case missingDatabase(name: String)
  /// The operating system refuses this user access to the path.
  case permission(path: String)
  /// The path lies on a file system that is mounted read-only.
  case readOnly(path: String)
  /// The path lies on a network or user-space file system, where LMDB's locks and map do not hold.
  case networkFileSystem(path: String)
  /// Another process, or another part of this one, is the writer.
  case locked(path: String, by: WriterLock.Holder)
  /// This process already has the environment open; LMDB forbids a second opening.
  case alreadyOpen(path: String)
  /// The file is no LMDB data file, or not one that this program made.
  case notADatabase(path: String, reason: String)
  /// The file has another version of LMDB's format.
  case wrongVersion(path: String, found: UInt32)
  /// The data file is shorter than its newest meta page says, both in bytes.
  case truncated(path: String, bytes: UInt64, expected: UInt64)

  // Space and limits.

  /// The map's size is used up; the transaction was aborted and the store stays usable.
  case mapFull
  /// The disk, a quota or a file size limit is used up; the transaction was aborted.
  case diskFull(errno: Int32)
  /// One transaction changed more pages than LMDB can track.
  case transactionFull
  /// All reader slots are taken.
  case readersFull
  /// Another process's writer has grown the file beyond this process's map.
  case mapResized
  /// Keys have 1 to 511 bytes; this one has `bytes`.
  case keyLength(bytes: Int)
  /// Values have at most 4,294,967,295 bytes; this one has `bytes`.
  case valueTooLong(bytes: Int)

  // Use.

  /// `.insert` found the key present; nothing was changed.
  case keyExists
  /// `.append` was given a key that is not above the last one; nothing was changed.
  case outOfOrder
  /// A write was asked of an environment that was opened for reading.
  case openedForReading
  /// `write` was called inside `write` of the same environment, which would wait for itself.
  case nestedWrite
  /// The `Database` belongs to another environment.
  case wrongEnvironment

  // Faults.

  /// LMDB found the file's structure broken; the code is LMDB's.
  case corrupted(code: Int32)
  /// The operating system reported an error on the path.
  case inputOutput(errno: Int32, path: String)
  /// A commit failed for a reason other than space: what is on disk is unknown until the store is reopened.
  case commitFailed(code: Int32)
  /// An earlier commit failed; this environment writes no more.
  case poisoned
}

/// An error that can carry a `StoreError`, so that a transaction's closure throws one type.
///
/// A module above conforms its own error enum and wraps the store's error in one case.
package protocol StoreFailure: Error {
  init(_ error: StoreError)
}

extension StoreError: StoreFailure {
  package init(_ error: StoreError) { self = error }
}
