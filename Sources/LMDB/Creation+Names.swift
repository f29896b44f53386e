#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Creation {
  /// Makes the names durable that lead to a store in which nothing was committed since its creation.
  ///
  /// Whoever created it may have died before its rename was durable, and whoever made the folders above may not
  /// have synced them. A writer commits only after this, so any later commit shows that it was done.
  ///
  /// - Parameter transaction: the number of the store's newest commit; its creation is number 1.
  static func settle(_ folder: Folder, newest transaction: UInt64) throws(StoreError) {
    guard transaction <= 1 else { return }
    try FolderNames.sync(inside: folder.parent)
  }
}

/// The names of folders on disk.
package enum FolderNames {
  /// The names in a folder, without `.` and `..`, in no order.
  package static func list(_ path: String) throws(StoreError) -> [String] { try Folder.names(in: path) }

  /// Makes durable what a folder's names are, and the names that lead to it as far as this user can have made
  /// them.
  ///
  /// Who made a folder may have died before it synced the one above; so this is done by who relies on the names.
  package static func sync(inside path: String) throws(StoreError) {
    try Descriptor(path, O_RDONLY | O_DIRECTORY).sync()
    var place = try Folder(resolving: path)
    while !place.name.isEmpty, try settleName(of: place) { place = Folder(absolute: place.parent) }
  }

  /// Syncs the folder that holds a folder's name; false where the name cannot be one that this user made.
  private static func settleName(of folder: Folder) throws(StoreError) -> Bool {
    do throws(StoreError) {
      let own = try Descriptor(folder.path, O_RDONLY | O_DIRECTORY).status()
      let above = try Descriptor(folder.parent, O_RDONLY | O_DIRECTORY)
      // Somebody else's folder, or the place of a mount.
      guard own.st_uid == geteuid(), try above.status().st_dev == own.st_dev else { return false }
      try above.sync()
      return true
    } catch {
      switch error {
      case .permission, .readOnly, .inputOutput(errno: EINVAL, path: _): return false
      default: throw error
      }
    }
  }
}
