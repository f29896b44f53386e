import CFloor
import EventLog
import Events
import Games
import Network
import Platform
import Service
import Terminal

/// What this program does as another process of a benchmark.
struct Role {
  /// What there is to do; the words on the command line.
  enum Name: String {
    /// A peer that waits for connections: a store's folder.
    case serve = "serve"
    /// A peer that connects once and takes what there is: a store's folder, a port, how many events.
    case sync = "sync"
    /// A peer that plays with another one: a store's folder, a port or 0.
    case play = "play"
    /// A peer that opens its store, then connects: a store's folder, a port.
    case meet = "meet"
    /// Passes one connection on and counts its bytes: a port.
    case relay = "relay"
    /// Many peers that connect: a port, how many.
    case crowd = "crowd"
    /// Addresses that open connections and leave them: a port, how many addresses, connections a second, seconds, what
    /// they say.
    case flood = "flood"
    /// Peers that connect one after the other and must be heard in time: a port, how many, milliseconds between two.
    case knock = "knock"
    /// Players of a quiz: a folder for their stores, a port, the number of the first, how many.
    case quiz = "quiz"
    /// Starts the real program as a server of sockets: a folder for its data.
    case web = "web"
    /// A line bot that plays the first legal move.
    case lineBot = "line-bot"
    /// The floor of `serve` and `sync`: the same arguments.
    case floorServe = "floor-serve"
    case floorSync = "floor-sync"
  }

  /// Stands before the role on a command line.
  static let word = "as-other-process"

  private let arguments: [String]
  private let console: Console
  private let orders: AsyncStream<String>

  /// Plays the role that the words name.
  static func play(_ words: [String], _ console: Console) async throws -> ExitStatus {
    guard let name = words.first.flatMap(Name.init) else {
      throw BenchFailure(.usage, "there is no such role")
    }
    if name == .lineBot {
      try FloorError.check(floor_line_bot())
      return .ok
    }
    let role = Role(arguments: Array(words.dropFirst()), console: console, orders: try Self.readOrders())
    switch name {
    case .serve: try await role.serve()
    case .sync: try await role.sync()
    case .play: try await role.play()
    case .meet: try await role.meet()
    case .relay: try await role.relay()
    case .crowd: try await role.connectCrowd()
    case .flood: try await role.flood()
    case .knock: try await role.knock()
    case .quiz: try await role.playQuiz()
    case .web: try await role.serveSockets()
    case .lineBot: preconditionFailure("a line bot reads its input itself")
    case .floorServe: try await role.serveFloor()
    case .floorSync: try await role.syncFloor()
    }
    return .ok
  }

  /// The lines of the input, read by a thread of their own.
  private static func readOrders() throws(SystemError) -> AsyncStream<String> {
    let (orders, reading) = AsyncStream.makeStream(of: String.self)
    try Background.start {
      var reader = LineReader(.input)
      do throws(LineReaderError) {
        while case .line(let line) = try reader.next() { reading.yield(line) }
      } catch {}
      reading.finish()
    }
    return orders
  }

  // MARK: - What roles share

  /// The argument at a place.
  func text(_ at: Int) throws -> String {
    guard at < arguments.count else { throw BenchFailure(.usage, "argument \(at) is missing") }
    return arguments[at]
  }

  /// The argument at a place, which is a number.
  func number(_ at: Int) throws -> Int {
    guard let number = Int(try text(at)) else { throw BenchFailure(.usage, "argument \(at) is no number") }
    return number
  }

  /// Answers.
  func answer(_ words: String) throws(ConsoleError) { try console.line(words) }

  /// Calls `body` with each order until there are no more.
  func forEachOrder(_ body: (String) async throws -> Void) async throws {
    for await order in orders { try await body(order) }
  }

  /// Waits for the next order; `false` when there are no more.
  func nextOrder() async -> Bool {
    for await _ in orders { return true }
    return false
  }

  /// The peer of a store, whose key the folder's name decides.
  func peer(of folder: String, listens: Bool) async throws -> PeerService {
    var seed = Blake2b(domain: "bench-peer")
    seed.update(Array(folder.utf8))
    var settings = ServiceSettings(
      signer: SigningKey(seed: seed.digest().bytes),
      log: try LMDBEventLog(folder: folder, access: .writing, network: .standard), games: Games.catalog,
      listen: listens ? Address(host: "127.0.0.1", port: 0) : nil, now: { WallClock.milliseconds() })
    settings.wantsEverything = true
    return try await PeerService.open(settings)
  }
}
