package import Events

/// What a writer finds in a data folder beside its store, and what follows from it: the rules of the marks, without
/// input and output (`FolderMarks` reads and writes them).
///
/// ```
/// closed       the store as its last writer left it in order                     inode, size, time of change
/// running      the store after the last commit of a writer that has not ended    the same, and the system's boot
/// shared       rooms with a lower number may be elsewhere                        a number, or all
/// shared.seal  the file `shared` as it was written                               inode, size, time of change
/// doubt        the store may be old, but for these rooms                         a room in each line
/// imported     this key may have been used elsewhere before it came here         a public key
/// ```
///
/// The system sets the time of change and nobody else can, and a copy has another inode: what is put in the place
/// of a file, whole or in place, does not fit what a mark says of it.
package struct FolderPicture: Sendable {
  /// What the system says of a file.
  package struct FileState: Hashable, Sendable {
    package var inode: UInt64
    package var bytes: Int64
    /// When it was changed last: seconds since 1970, and nanoseconds.
    package var seconds: Int64
    package var nanoseconds: Int64

    package init(inode: UInt64, bytes: Int64, seconds: Int64, nanoseconds: Int64) {
      self.inode = inode
      self.bytes = bytes
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }

    fileprivate var line: String { "\(inode) \(bytes) \(seconds) \(nanoseconds)" }
  }

  /// The store's file.
  package var store: FileState
  /// What the system calls the time since it was started; another one after a restart.
  package var boot: String
  package var closed: String?
  package var running: String?
  package var shared: String?
  package var sharedState: FileState?
  package var seal: String?
  package var doubt: String?
  /// Whether there was a key before this writer came.
  package var hasIdentity: Bool

  package init(store: FileState, boot: String, hasIdentity: Bool) {
    self.store = store
    self.boot = boot
    self.hasIdentity = hasIdentity
  }

  // MARK: - Texts

  package static func closedText(_ store: FileState) -> String { "parlor-closed-1\n\(store.line)\n" }

  package static func runningText(_ store: FileState, boot: String) -> String {
    "parlor-running-1\n\(store.line)\n\(boot)\n"
  }

  /// - Parameter number: rooms from this number on have never left this machine; `nil` while all may leave it.
  package static func sharedText(before number: UInt64?) -> String {
    "parlor-shared-1\n\(number.map(String.init) ?? "all")\n"
  }

  package static func sealText(_ shared: FileState) -> String { "parlor-seal-1\n\(shared.line)\n" }

  package static func importedText(_ peer: PeerID) -> String { "parlor-imported-1\n\(peer)\n" }

  package static let doubtHead = "parlor-doubt-1\n"
  package static func doubtLine(_ room: RoomID) -> String { "\(room)\n" }

  // MARK: - What follows

  /// Whether the store is as its last writer left it, in order or not.
  package var fits: Bool {
    closed == Self.closedText(store) || running == Self.runningText(store, boot: boot)
  }

  /// From which room on nothing has left this machine; `nil` where that is not known.
  ///
  /// The mark counts only as it was written: a copy of it may be older than what was shared since.
  package var unsharedFrom: UInt64? {
    guard let shared, let sharedState, seal == Self.sealText(sharedState) else { return nil }
    let lines = shared.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0] == "parlor-shared-1", lines[2].isEmpty else { return nil }
    return UInt64(String(lines[1]))
  }

  /// How sure this writer may be that it knows all that it has written into rooms that others may have.
  package var standing: FolderStanding {
    if fits { return doubt.map { .doubtful(but: Self.rooms($0), from: nil) } ?? .certain }
    if !hasIdentity || unsharedFrom == 0 { return .certain }
    return .doubtful(but: [], from: unsharedFrom)
  }

  /// The rooms that a mark of doubt leaves out; what is no line of it is passed over.
  private static func rooms(_ text: String) -> [RoomID] {
    text.split(separator: "\n").compactMap { line in Bytes32(hex: String(line)).map { RoomID($0) } }
  }
}

/// How sure a writer may be that its store holds all that its peer has written.
package enum FolderStanding: Hashable, Sendable {
  /// It does, as far as this machine can tell.
  case certain
  /// It may be older, but for these rooms, and for those from a number on.
  case doubtful(but: [RoomID], from: UInt64?)
}
