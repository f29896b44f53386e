import Platform

/// The folders of all environments open in this process.
///
/// This state is global. It cannot be handed in: LMDB's rule, that a process opens an
/// environment once, is about the whole process (closing one of two drops the record locks of both).
private let openFolders = Guarded<Set<Folder>>([])

/// The right of one environment to be open in this process, given back at the end of its life.
struct OpenFolder: ~Copyable, Sendable {
  let folder: Folder

  init(_ folder: Folder) throws(StoreError) {
    guard openFolders.withLock({ $0.insert(folder).inserted }) else { throw .alreadyOpen(path: folder.path) }
    self.folder = folder
  }

  deinit { openFolders.withLock { _ = $0.remove(folder) } }
}
