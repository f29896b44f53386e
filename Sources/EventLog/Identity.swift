package import Events
internal import LMDB
internal import Platform

/// Why an identity cannot be read or created.
public enum IdentityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no identity at this path.
  case missing(String)
  /// There is one already, which nothing overwrites.
  case exists(String)
  /// Other users may come at this path.
  case exposed(path: String, mode: UInt16, wanted: UInt16)
  /// The path belongs to another user, or is no ordinary file or folder.
  case notOurs(String)
  /// The file is not as this program wrote it.
  case damaged(path: String, reason: String)
  /// Another process writes into the data folder at this path; its name.
  case busy(String, String)
  /// The system refused; its words.
  case system(String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .missing(let path): "there is no identity at \(path); `parlor identity create` makes one"
    case .exists(let path): "there is an identity at \(path) already, and it is never overwritten"
    case .exposed(let path, let mode, let wanted):
      "other users may access \(path) (mode 0\(String(mode, radix: 8))), so it is not used: "
        + "`chmod \(String(wanted, radix: 8)) \(path)`, and make a new identity if somebody may have read it"
    case .notOurs(let path): "\(path) is not a file or folder of this user's own, so it is not used"
    case .damaged(let path, let reason):
      "\(path) is damaged (\(reason)): restore it from a copy, or move it away and make a new identity"
    case .busy(let path, let holder): "\(holder) uses the data folder \(path) now: end it first"
    case .system(let words): words
    }
  }
}

/// The file that holds a peer's secret: mode 0600 in a folder of mode 0700 that holds nothing for others.
///
/// ```
/// parlor-identity-1
/// seed 64 hexadecimal digits
/// peer 64 hexadecimal digits: the public key, so that a changed seed is noticed
/// ```
package enum Identity {
  /// The file's name in its folder.
  package static let fileName = "identity.key"
  private static let firstLine = "parlor-identity-1"
  private static let fileBytes = 18 + 2 * 70

  /// Reads the identity in a folder.
  package static func load(folder: String) throws(IdentityError) -> SigningKey {
    let path = "\(folder)/\(fileName)"
    try checkFolder(folder, absent: path)
    let bytes = try inSystem(absent: path) { () throws(SystemError) -> Result<[UInt8], IdentityError> in
      let file = try OpenFile(path, .noLink)
      guard let fault = fault(try file.status(), .file, path, wanted: 0o600) else {
        return .success(try file.readAll(limit: fileBytes + 1))
      }
      return .failure(fault)
    }
    return try key(try bytes.get(), path)
  }

  /// Reads the identity of a data folder that exists and that this process may write to; without one it creates one.
  package static func loadOrCreate(
    folder: String
  ) throws(IdentityError) -> (key: SigningKey, isNew: Bool) {
    do throws(IdentityError) {
      let key = try load(folder: folder)
      try removeDrafts(folder: folder)
      return (key, false)
    } catch {
      guard case .missing = error else { throw error }
    }
    do throws(LogError) { try FolderMarks.noteBirth(folder) } catch { throw .system(error.description) }
    return (try create(folder: folder), true)
  }

  /// Creates an identity, and the folder when it is absent; either is whole afterwards, or absent.
  /// - Parameter seed: 32 bytes; random ones unless a test hands in others.
  package static func create(
    folder: String, seed: [UInt8] = SigningKey.randomSeed()
  ) throws(IdentityError) -> SigningKey {
    try prepare(folder)
    let key = SigningKey(seed: seed)
    let text = "\(firstLine)\nseed \(seed.hex)\npeer \(key.peer)\n"
    try removeDrafts(folder: folder)
    try inSystem { () throws(SystemError) in try IdentityFile.create(Array(text.utf8), in: folder) }
    do throws(SystemError) { try FileSystem.syncNames(in: folder) } catch {
      throw .system(StoreError(error).description)
    }
    return key
  }

  /// Makes the folder when it is absent, and refuses one that is not for this user alone.
  static func prepare(_ folder: String) throws(IdentityError) {
    try inSystem { () throws(SystemError) in try makeFolder(folder) }
    try checkFolder(folder)
  }

  /// Removes what is left of identities whose creation was killed; it may hold secrets.
  package static func removeDrafts(folder: String) throws(IdentityError) {
    try IdentityFile.removeDrafts(in: folder)
  }

  /// Makes a folder for this user alone, unless it is there.
  private static func makeFolder(_ folder: String) throws(SystemError) {
    do throws(SystemError) { try FileSystem.makeFolder(folder) } catch {
      if error.kind == .exists { return }
      throw error
    }
    // Under a strict umask the system may have given less than was asked for.
    try FileSystem.setMode(0o700, of: folder)
  }

  private static func checkFolder(_ folder: String, absent: String? = nil) throws(IdentityError) {
    let status = try inSystem(absent: absent) { () throws(SystemError) in
      try OpenFile(folder, .folder).status()
    }
    if let fault = fault(status, .folder, folder, wanted: 0o700) { throw fault }
  }

  /// Why a file or folder is not to be trusted with a secret.
  private static func fault(
    _ status: FileStatus, _ kind: FileStatus.Kind, _ path: String, wanted: UInt16
  ) -> IdentityError? {
    guard status.kind == kind, status.isOurs else { return .notOurs(path) }
    return status.mode & 0o077 == 0 ? nil : .exposed(path: path, mode: status.mode, wanted: wanted)
  }

  private static func key(_ bytes: [UInt8], _ path: String) throws(IdentityError) -> SigningKey {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.first.map({ $0.elementsEqual(firstLine.utf8) }) ?? false else {
      throw .damaged(path: path, reason: "its first line is not “\(firstLine)”")
    }
    guard bytes.count == fileBytes, lines.count == 4, let seed = field("seed ", lines[1]),
      let peer = field("peer ", lines[2])
    else { throw .damaged(path: path, reason: "it does not hold a seed and a key") }
    let key = SigningKey(seed: seed)
    guard key.peer.bytes.bytes == peer else {
      throw .damaged(path: path, reason: "the seed and the key in it do not belong together")
    }
    return key
  }

  private static func field(_ name: String, _ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.starts(with: name.utf8) else { return nil }
    let bytes = [UInt8](hex: String(decoding: line.dropFirst(name.utf8.count), as: UTF8.self))
    return bytes?.count == 32 ? bytes : nil
  }

  /// Calls `body` and turns what the system refused into this module's error.
  private static func inSystem<Value>(
    absent: String? = nil, _ body: () throws(SystemError) -> Value
  ) throws(IdentityError) -> Value {
    do throws(SystemError) { return try body() } catch {
      switch (error.kind, error.path ?? error.call) {
      case (.missing, let path) where absent != nil: throw .missing(absent ?? path)
      case (.exists, let path): throw .exists(path)
      case (.otherKind, let path): throw .notOurs(path)
      default: throw .system(error.description)
      }
    }
  }
}
