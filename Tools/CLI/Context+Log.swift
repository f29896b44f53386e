import BotKit
import EventLog
import Events
import Games
import Peer
import Platform
import Service
import Terminal

extension Context {
  /// Opens the log for reading; a writer may be at work beside it.
  func reader() throws -> LMDBEventLog {
    let (folder, network) = (try dataFolder(), try network())
    try folder.check()
    return try LMDBEventLog(folder: folder.log, access: .reading, network: network)
  }

  /// Makes sure that there is a log: who wants to go on with what is stored must not be given an empty one.
  /// - Throws: `.noStore` when nothing was ever written.
  func requireStore() throws { _ = try reader() }

  /// Opens the log for reading; `nil` when nothing was ever written, with words on standard error if it tells.
  func readerIfAny(tells: Bool = true) throws -> LMDBEventLog? {
    do { return try reader() } catch let error as LogError {
      guard case .noStore = error else { throw error }
      if tells { console.note(error.description) }
      return nil
    }
  }

  /// Opens the log as its one writer, with the folder's marks, and creates folder and log when they are absent.
  func markedWriter() throws -> (log: LMDBEventLog, marks: FolderMarks) {
    let (folder, network) = (try dataFolder(), try network())
    try folder.create()
    let log = try LMDBEventLog(
      folder: folder.log, access: .writing, network: network, program: "parlor \(Parlor.version)")
    return (log, try closing.take(log, in: folder.path))
  }

  /// This user's key; a new one, with words on standard error, when there is none yet.
  /// - Parameter marks: those of the folder, which are told whose key writes there; `nil` where another process writes.
  func identity(_ marks: FolderMarks?) throws -> SigningKey {
    let key = try identity()
    try marks?.noteKey(key.peer)
    return key
  }

  private func identity() throws -> SigningKey {
    let folder = try dataFolder()
    try folder.create()
    let (key, isNew) = try Identity.loadOrCreate(folder: folder.path)
    if isNew {
      console.note("A new identity was created in \(SafeText(folder.path).text): peer \(key.peer.short).")
    }
    return key
  }

  /// Everything that playing needs, with the log open for writing, or written by the process that has the folder.
  func household() async throws -> Household {
    try await withStore {
      let (log, marks) = try markedWriter()
      return try household(log, marks, committer: nil)
    } through: { client, log in
      try household(log, nil, committer: client)
    }
  }

  private func household(
    _ log: LMDBEventLog, _ marks: FolderMarks?, committer: ServiceClient?
  ) throws -> Household {
    Household(
      owner: try identity(marks), log: log, committer: committer, games: games, bots: ownBots, marks: marks,
      salt: SigningKey.randomSeed(),
      now: { WallClock.milliseconds() },
      elapsed: { MonotonicClock.tickMilliseconds })
  }

  /// What standard input holds, to its end or as much as is too long.
  /// - Throws: `Failure` when somebody asked to stop before the end came.
  func standardInput(limitBytes: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limitBytes {
      guard try Descriptor.waitReadable([.input, interrupts.stop])[1] == false else {
        throw Failure(.interrupted, nil)
      }
      guard let more = try Descriptor.input.read(limitBytes: min(limitBytes - bytes.count, 1 << 16)) else {
        continue
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}
