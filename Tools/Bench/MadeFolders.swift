import Synchronization

/// The folders of this run, for whoever ends the process.
final class MadeFolders: Sendable {
  private let folders = Mutex<[BenchFolder]>([])
  private let stop = Mutex(false)

  /// Whether Ctrl-C came: then the folders are being removed.
  var isInterrupted: Bool { stop.withLock { $0 } }

  func note(_ made: BenchFolder) { folders.withLock { $0.append(made) } }

  func interrupt() { stop.withLock { $0 = true } }

  func remove() { folders.withLock { $0 }.forEach { $0.remove() } }
}
