import EventLog
import Synchronization

/// Leaves the marks of the stores that this process writes when it ends in order (`FolderMarks`).
final class StoreClosing: Sendable {
  private let stores = Mutex<[(marks: FolderMarks, log: LMDBEventLog)]>([])

  /// Takes the marks of a store whose lock this process has.
  func take(_ log: LMDBEventLog, in folder: String) throws(LogError) -> FolderMarks {
    let marks = try log.takeMarks(of: folder)
    stores.withLock { $0.append((marks, log)) }
    return marks
  }

  /// Leaves the marks: nothing is written any more.
  func leave() throws(LogError) {
    let stores = stores.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for (marks, log) in stores { try marks.leave { () throws(LogError) in try log.nextRoom() } }
  }
}
