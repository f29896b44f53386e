package import Events
internal import LMDB

extension Identity {
  /// Makes the identity of a key that may have been used on another machine, in a folder that has none.
  ///
  /// The folder is marked first: whoever writes with this key there is in doubt, as in a copy of a data folder. No
  /// process writes there meanwhile, so none can go on with what it found before.
  /// - Parameter seed: 32 bytes.
  package static func adopt(_ seed: [UInt8], folder: String) throws(IdentityError) -> SigningKey {
    try prepare(folder)
    let peer = SigningKey(seed: seed).peer
    let lock: WriterLock?
    do throws(StoreError) {
      lock = try WriterLock(ifPresentAt: folder + "/log", program: "parlor identity import")
    } catch {
      if case .locked(_, let holder) = error { throw .busy(folder, holder.description) }
      throw .system(error.description)
    }
    do throws(LogError) { try FolderMarks.noteImport(of: peer, folder) } catch {
      throw .system(error.description)
    }
    let key = try create(folder: folder, seed: seed)
    _ = consume lock
    return key
  }
}
