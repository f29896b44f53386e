import CFloor
import Events

/// What the C floor says when it fails.
struct FloorError: Error {
  let words: String

  /// Throws the floor's words unless the code is 0.
  static func check(_ code: Int32) throws(FloorError) {
    // SAFETY: the text is the thread's own and is copied at once.
    guard code == 0 else { throw unsafe FloorError(words: String(cString: floor_message())) }
  }
}

/// A key of the floor's.
struct FloorKey: Sendable {
  var key = floor_key()

  init(seed: [UInt8]) throws(FloorError) {
    // SAFETY: the call fills the key and reads the 32 bytes of the seed.
    try unsafe FloorError.check(floor_key_make(&key, seed))
  }
}

/// A store that the floor has open. LMDB allows one opening of a store in a process, so Parlor's is closed before.
@safe
final class Floor {
  // SAFETY: set in `init`, used by one thread at a time, closed once.
  private let store: OpaquePointer
  private let network: [UInt8]

  /// Whether the floor was compiled with optimization.
  static var isOptimized: Bool { floor_is_optimized() != 0 }

  /// Opens a store; a writer's folder may be empty.
  init(folder: String, isWriter: Bool, network: NetworkID = .standard) throws(FloorError) {
    var opened: OpaquePointer?
    self.network = network.bytes.bytes
    // SAFETY: the call fills the pointer that it is lent, and reads the path and 32 bytes.
    let code = unsafe floor_open(&opened, folder, isWriter ? 1 : 0, self.network)
    try FloorError.check(code)
    guard let store = unsafe opened else { throw FloorError(words: "no store was opened") }
    unsafe self.store = store
  }

  // SAFETY: the store was opened in `init` and is closed once.
  deinit { unsafe floor_close(store) }

  /// The bytes of pages in use.
  func usedBytes() throws(FloorError) -> Int {
    var bytes: UInt64 = 0
    // SAFETY: the store is open, and the call fills the number that it is lent.
    try unsafe FloorError.check(floor_used_bytes(store, &bytes))
    return Int(bytes)
  }

  /// Appends a room of one feed in one transaction.
  /// - Returns: the last event's id and signature.
  func appendBatch(_ plan: FeedPlan, events: Int, key: FloorKey) throws(FloorError) -> FeedHead {
    var key = key
    var head = [UInt8](repeating: 0, count: 32)
    var signature = [UInt8](repeating: 0, count: 64)
    // SAFETY: the pointers in `feed` are valid inside these closures, which the calls do not outlive; head and
    // signature have 32 and 64 bytes.
    let code = unsafe withUnsafePointer(to: &key.key) { key in
      unsafe plan.payload.withUnsafeBufferPointer { create in
        unsafe network.withUnsafeBufferPointer { network in
          var feed = unsafe floor_feed(
            network: network.baseAddress, key: key, create: create.baseAddress, create_bytes: create.count,
            wall_time: plan.wallTime)
          return unsafe floor_append_batch(
            store, &feed, UInt32(events), UInt32(Run.limitEvents), &head, &signature)
        }
      }
    }
    try FloorError.check(code)
    return FeedHead(id: head, signature: signature)
  }

  /// Appends events to a room for each plan, each by a thread of its own that waits for every one.
  func appendConcurrently(
    _ plans: [FeedPlan], events: Int, keys: [FloorKey]
  ) throws(FloorError) -> Commits {
    var commits = floor_commits()
    let (keys, payloads) = (keys.map(\.key), plans.flatMap(\.payload))
    // SAFETY: all pointers are valid inside these closures, which the call does not outlive; the payload of each
    // plan lies behind those of the plans before it.
    let code = unsafe keys.withUnsafeBufferPointer { keys in
      unsafe payloads.withUnsafeBufferPointer { payloads in
        unsafe network.withUnsafeBufferPointer { network in
          var feeds = unsafe [floor_feed]()
          var offset = 0
          for (index, plan) in plans.enumerated() {
            unsafe feeds.append(
              floor_feed(
                network: network.baseAddress, key: keys.baseAddress.map { unsafe $0 + index },
                create: payloads.baseAddress.map { unsafe $0 + offset }, create_bytes: plan.payload.count,
                wall_time: plan.wallTime))
            offset += plan.payload.count
          }
          return unsafe floor_append_concurrent(store, feeds, UInt32(plans.count), UInt32(events), &commits)
        }
      }
    }
    try FloorError.check(code)
    return Commits(events: Int(commits.events), flushes: Int(commits.flushes))
  }

  /// Makes pages appended to a file durable, one after the other.
  static func flush(_ path: String, times: Int) throws(FloorError) {
    // SAFETY: the call reads the terminated path.
    try unsafe FloorError.check(floor_flush(path, UInt32(times)))
  }

  /// Sends the events of the first room to one who connects.
  func serve(_ listener: FloorListener) throws(FloorError) {
    // SAFETY: the store is open, and so is the socket.
    try unsafe FloorError.check(floor_sync_serve(store, listener.number))
  }

  /// Takes a room of one feed from a floor that serves it.
  /// - Returns: how many events there are.
  func sync(from port: UInt16) throws(FloorError) -> Int {
    var events: UInt64 = 0
    // SAFETY: the store is open, the network has 32 bytes, and the call fills the number.
    try unsafe FloorError.check(floor_sync_receive(store, network, port, &events))
    return Int(events)
  }

  /// Checks every signature with one thread.
  /// - Returns: how many there are, and the seconds of processor time that checking took.
  func checkSignatures() throws(FloorError) -> (count: Int, seconds: Double) {
    var count: UInt64 = 0
    var seconds = 0.0
    // SAFETY: the store is open, and the call fills both numbers.
    try unsafe FloorError.check(floor_check_signatures(store, &count, &seconds))
    return (Int(count), seconds)
  }

  /// Replays every room.
  func replay(verify: Bool) throws(FloorError) -> Tally {
    var tally = floor_tally()
    // SAFETY: the store is open, the network has 32 bytes, and the call fills the tally.
    try unsafe FloorError.check(floor_replay(store, network, verify ? 1 : 0, &tally))
    return Tally(tally)
  }

  /// Plays rooms of a match.
  func play(_ match: FloorMatch, rooms: Range<Int>) throws(FloorError) -> Tally {
    var tally = floor_tally()
    let code = unsafe match.withTable(network: network) { table in
      // SAFETY: the table and all it points to live during the call, which fills the tally.
      unsafe floor_match(store, table, UInt32(rooms.lowerBound), UInt32(rooms.count), &tally)
    }
    try FloorError.check(code)
    return Tally(tally)
  }
}

/// A socket that waits for connections from this machine until the process ends.
struct FloorListener {
  let number: Int32
  private(set) var port: UInt16 = 0

  init() throws(FloorError) {
    // SAFETY: the call fills the port.
    number = unsafe floor_listen(&port)
    try FloorError.check(min(number, 0))
  }

  /// Passes one connection on to a port until it ends.
  /// - Returns: the bytes that went there and back.
  func relay(to port: UInt16) throws(FloorError) -> (sent: UInt64, received: UInt64) {
    var bytes: [UInt64] = [0, 0]
    // SAFETY: the socket is open, and the call fills both numbers.
    try unsafe FloorError.check(floor_relay(number, port, &bytes))
    return (bytes[0], bytes[1])
  }
}

/// How a feed ends.
struct FeedHead: Equatable {
  let id: [UInt8]
  let signature: [UInt8]
}

/// A match as the floor plays it: payloads as Parlor wrote them in a room of its own.
struct FloorMatch: Sendable {
  var host: FloorKey
  var players: [FloorKey]
  /// The payload of the create.
  var create: [UInt8]
  /// The payloads of the requests, by seat.
  var requests: [[UInt8]]
  var seed: UInt64
  var games: Int
  var runEvents: Int

  /// Calls `body` with the floor's form of this.
  @unsafe func withTable(network: [UInt8], _ body: (UnsafePointer<floor_table>) -> Int32) -> Int32 {
    var host = host.key
    let players = players.map(\.key)
    // SAFETY: all pointers are valid inside these closures, and `body` ends before them.
    return unsafe withUnsafePointer(to: &host) { host in
      unsafe players.withUnsafeBufferPointer { players in
        unsafe network.withUnsafeBufferPointer { network in
          unsafe create.withUnsafeBufferPointer { create in
            unsafe requests[0].withUnsafeBufferPointer { first in
              unsafe requests[1].withUnsafeBufferPointer { second in
                var table = unsafe floor_table()
                unsafe table.network = network.baseAddress
                unsafe table.host = host
                unsafe table.players = players.baseAddress
                unsafe table.create = create.baseAddress
                unsafe table.create_bytes = create.count
                unsafe table.requests = (first.baseAddress, second.baseAddress)
                unsafe table.request_bytes = (first.count, second.count)
                unsafe table.seed = seed
                unsafe table.games = UInt32(games)
                unsafe table.run_events = UInt32(runEvents)
                return unsafe body(&table)
              }
            }
          }
        }
      }
    }
  }
}
