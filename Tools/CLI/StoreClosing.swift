import EventLog
import Synchronization

/// Puts a store's mark back when the process that took it away ends in order (`ClosedMark`).
final class StoreClosing: Sendable {
  private let folders = Mutex<[String]>([])

  /// Takes the mark of a store whose lock this process has.
  func take(folder: String) throws(LogError) {
    if try ClosedMark.take(folder: folder) { note(folder: folder) }
  }

  /// Whether the mark is to be left at the end.
  func holds(folder: String) -> Bool { folders.withLock { $0.contains(folder) } }

  /// Has the mark be left at the end, though there was none.
  func note(folder: String) { folders.withLock { if !$0.contains(folder) { $0.append(folder) } } }

  /// Leaves the marks: nothing is written any more.
  func leave() throws(LogError) {
    let marked = folders.withLock { folders in
      defer { folders = [] }
      return folders
    }
    for folder in marked { try ClosedMark.leave(folder: folder) }
  }
}
