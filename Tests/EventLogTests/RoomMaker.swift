import EventLog
import Events
import Foundation
import TestKit
import Testing

let hasher = EventHasher(network: .standard)
let scheme = Ed25519()
/// Keys of the players in tests; their public keys are in no particular order.
let testKeys = (0..<8).map { SigningKey(seed: .init(repeating: UInt8($0 + 1), count: 32)) }

/// Writes the events of one room. The first key creates it, the second is its referee; both are members.
struct RoomMaker {
  let room: RoomID
  private(set) var feeds: [[Event]]
  /// The grants that their authors have not named yet.
  private var grants: [Int: EventID] = [:]
  private let keys: [SigningKey]

  /// A room that the first key creates.
  init(
    _ keys: [SigningKey] = testKeys, nonce: UInt8 = 0, tournament: RoomID = .none,
    hasher: EventHasher = hasher
  ) throws {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: .init(repeating: nonce, count: 16), profile: Profile(name: "a"), creatorSeat: 0,
      referee: keys.count > 1 ? keys[1].peer : .none,
      purpose: .games(tournament: tournament, pairing: 0, attempt: 0))
    let event = try Event.author(
      .create(create), room: .none, author: keys[0].peer, sequence: 1, previous: .none, parents: [],
      wallTime: 1, hasher: hasher)
    self.keys = keys
    room = event.id
    feeds = .init(repeating: [], count: keys.count)
    feeds[0] = [event]
  }

  var create: Event { feeds[0][0] }

  /// The next event of a feed; chat unless told otherwise.
  mutating func write(
    _ author: Int, _ action: Action = .chat("hello"), parents: [EventID] = []
  ) throws -> Event {
    let grant = grants.removeValue(forKey: author).map { parents.contains($0) ? [] : [$0] } ?? []
    let event = try make(
      author, action, sequence: UInt64(feeds[author].count) + 1, previous: feeds[author].last?.id ?? .none,
      parents: parents + grant)
    feeds[author].append(event)
    return event
  }

  /// Has an author ask for a seat and be granted it; its next event names the grant.
  /// - Returns: the runs of the room so far.
  mutating func seat(_ author: Int) throws -> [Run] {
    let request = try write(author, .request(seat: Create.noSeat, Profile(name: "guest")), parents: [room])
    let grant = try write(0, .grant(request: request.id, seat: 1), parents: [request.id])
    grants[author] = grant.id
    return [try run([create]), try run([request]), try run([grant])]
  }

  /// A log of the room in which authors have seats.
  mutating func log(seating authors: Int...) throws -> RoomLog {
    var log = RoomLog(room: room)
    for author in authors { for run in try seat(author) { _ = try log.receive(run) } }
    return log
  }

  /// Keeps events that were made elsewhere at the end of their feed.
  mutating func keep(_ events: [Event]) {
    guard let author = keys.firstIndex(where: { $0.peer == events.first?.author }) else { return }
    feeds[author] += events
  }

  /// An event anywhere; it is not kept.
  func make(
    _ author: Int, _ action: Action = .chat("other"), sequence: UInt64, previous: EventID,
    parents: [EventID] = []
  ) throws -> Event {
    try Event.author(
      action, room: room, author: keys[author].peer, sequence: sequence, previous: previous,
      parents: parents, wallTime: 7, hasher: hasher)
  }

  func sign(_ event: Event) -> Signature {
    keys.first { $0.peer == event.author }?.sign(event.id) ?? keys[0].sign(event.id)
  }

  func run(_ events: [Event]) throws -> Run {
    Run(events: events, signature: sign(try #require(events.last)))
  }

  /// A stretch of a feed, by sequences from 1, as a run.
  func run(_ author: Int, _ sequences: ClosedRange<Int>) throws -> Run {
    try run(Array(feeds[author][(sequences.lowerBound - 1)..<sequences.upperBound]))
  }

  /// The chat text of an event.
  static func text(_ event: Event) -> String? { if case .chat(let text) = event.action { text } else { nil } }
}

extension RoomLog {
  mutating func receive(_ run: Run) throws(LogError) -> [Event] { try receive(run, scheme: scheme) }

  /// Everything here as one change for an empty store.
  var change: RoomChange { RoomChange(self, from: 0) }

  /// Everything here as changes of one event each, as when each is committed for itself.
  var changesOfOne: [RoomChange] {
    (1...entries.count).map { RoomChange(RoomLog(room: room, restoring: entries.prefix($0)), from: $0 - 1) }
  }

  func ids(of events: [Event]) -> [EventID] { events.map(\.id) }
}

/// A room of seeded random events: several authors who cite each other, in signed runs of random lengths.
struct RandomRoom {
  var maker: RoomMaker
  var runs: [Run] = []

  init(maker: RoomMaker, runs: [Run]) {
    self.maker = maker
    self.runs = runs
  }

  init(seed: UInt64, authors: Int = 3, events: Int = 60, longestRun: Int = 9) throws {
    var random = SeededGenerator(state: seed)
    maker = try RoomMaker(Array(testKeys.prefix(authors)), nonce: UInt8(truncatingIfNeeded: seed))
    for author in 2..<max(2, authors) { _ = try maker.seat(author) }
    // Requests are no members' events.
    var all = maker.feeds[0]
    for number in 0..<events {
      let author = Int.random(in: 0..<authors, using: &random)
      let others = all.suffix(12).filter { $0.author != testKeys[author].peer }
      let parents = Set(others.shuffled(using: &random).prefix(.random(in: 0...3, using: &random)).map(\.id))
      all.append(try maker.write(author, .chat("text \(number)"), parents: Array(parents)))
    }
    for feed in maker.feeds {
      var rest = feed[...]
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...longestRun, using: &random))
        runs.append(try maker.run(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
      }
    }
  }

  /// The log after the runs in some order, each asked for again until it is taken.
  func log(_ order: [Run]) throws -> RoomLog {
    var log = RoomLog(room: maker.room)
    var left = order
    while !left.isEmpty {
      var refused: [Run] = []
      for run in left {
        do throws(LogError) { _ = try log.receive(run) } catch {
          // Of a forked feed not every branch is kept.
          if case .notNeeded = error { continue }
          guard case .missing = error else { throw error }
          refused.append(run)
        }
      }
      if refused.count == left.count { throw LogError.missing(refused[0].events[0].previous) }
      left = refused
    }
    return log
  }
}

/// Calls `body` with the path of a fresh folder and removes it afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
  let url = FileManager.default.temporaryDirectory.appending(path: "log-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(
    at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  do { try await body(url.path) } catch {
    try FileManager.default.removeItem(at: url)
    throw error
  }
  try FileManager.default.removeItem(at: url)
}

/// The error that `body` throws; `nil` when it throws none.
func logError(_ body: () throws(LogError) -> Void) -> LogError? {
  do throws(LogError) {
    try body()
    return nil
  } catch { return error }
}
