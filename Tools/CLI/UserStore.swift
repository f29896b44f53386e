import EventLog
import Events
import Games
import Peer
import Platform
import Service
import Terminal

/// This user's log and identity: which data folder and which network are meant, and how the log is opened there.
///
/// Nothing is looked up before it is asked for: a command that needs no folder runs where there is none.
struct UserStore: Sendable {
  /// How long a process that has the data folder may take from its lock to its socket.
  private static let startMilliseconds = 2_000

  /// The marks of folders, which this process has taken away and puts back at its end.
  let closing = StoreClosing()
  private let console: Console
  private let dataOption: String?
  private let networkOption: String?
  /// The folders that lead from the data folder to the one that is meant.
  private var inner: [String] = []
  private let environment: @Sendable (String) throws(Failure) -> String?

  /// - Parameter environment: looks up a variable, and refuses one that cannot be read.
  init(
    _ parsed: ParsedCommand, console: Console,
    environment: @escaping @Sendable (String) throws(Failure) -> String?
  ) {
    self.console = console
    self.environment = environment
    dataOption = parsed.text("data")
    networkOption = parsed.text("network")
  }

  /// A variable of the environment, unless it is empty.
  /// - Throws: when it is not UTF-8: a place or a network that is not the one that was meant must not be taken.
  private func variable(_ name: String) throws(Failure) -> String? {
    let value = try environment(name)
    return value?.isEmpty == false ? value : nil
  }

  /// The folder of this user's log and identity.
  func folder() throws(Failure) -> DataFolder {
    try DataFolder(option: dataOption, environment: environment).inside(inner)
  }

  /// The network that this command keeps to: that of `--network`, else of `PARLOR_NETWORK`, else everybody's.
  func network() throws(Failure) -> NetworkID {
    let named = if let networkOption { networkOption as String? } else { try variable("PARLOR_NETWORK") }
    guard let name = named else { return .standard }
    guard let network = NetworkID(name: name) else {
      let place = networkOption == nil ? "PARLOR_NETWORK" : "--network"
      throw Failure(
        networkOption == nil ? .configuration : .usage,
        "\(place): “\(SafeText(name, limitColumns: 40).text)” is no name for a network",
        hint:
          "a name has 1 to \(NetworkID.limitNameBytes) bytes, and neither control characters nor spaces around it"
      )
    }
    return network
  }

  /// A command that somebody else may paste, who has another data folder and may have set no network.
  func forOthers(_ command: String) throws(Failure) -> String {
    let name = if let networkOption { networkOption as String? } else { try variable("PARLOR_NETWORK") }
    return "parlor \(command)" + (name.map { " --network \(CommandForm.quoted($0))" } ?? "")
  }

  /// The same for a folder inside this one, with a log and an identity of its own.
  ///
  /// - Parameter name: anything; it is made into a name of letters, digits, points and hyphens.
  func inside(_ folder: String, named name: String) -> UserStore {
    let safe = name.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
      return isPlain ? byte : UInt8(ascii: "-")
    }
    var store = self
    store.inner = [folder, String(decoding: safe, as: UTF8.self)]
    return store
  }

  /// Opens the log for reading; a writer may be at work beside it.
  func reader() throws -> LMDBEventLog {
    let (folder, network) = (try self.folder(), try self.network())
    try folder.check()
    return try LMDBEventLog(folder: folder.log, access: .reading, network: network)
  }

  /// Makes sure that there is a log: who wants to go on with what is stored must not be given an empty one.
  /// - Throws: `.noStore` when nothing was ever written.
  func require() throws { _ = try reader() }

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
    let (folder, network) = (try self.folder(), try self.network())
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
    let folder = try self.folder()
    try folder.create()
    let (key, isNew) = try Identity.loadOrCreate(folder: folder.path)
    if isNew {
      console.note("A new identity was created in \(SafeText(folder.path).text): peer \(key.peer.short).")
    }
    return key
  }

  /// Does something with the folder's store open for writing, or through the process that has it already.
  func writing<Result>(
    _ own: () async throws -> Result, through: (ServiceClient, LMDBEventLog) async throws -> Result
  ) async throws -> Result {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Self.startMilliseconds)
    while true {
      do { return try await own() } catch let error as LogError {
        guard case .locked = error else { throw error }
        if let (client, log) = try await client() {
          do { return try await through(client, log) } catch {
            await client.close()
            throw error
          }
        }
        // Whoever writes a log alone, as a match does, listens to nobody; others may be about to.
        guard clock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// The peer in the process that has the folder, and the store to be read beside it; `nil` when that does not
  /// listen.
  private func client() async throws -> (ServiceClient, LMDBEventLog)? {
    let log: LMDBEventLog
    do { log = try reader() } catch let error as LogError {
      guard case .noStore = error else { throw error }
      return nil
    }
    return try await ServiceClient.connect(folder: try folder().path, log: log, games: Games.catalog)
      .map { ($0, log) }
  }
}
