import EventLog
import Events
import Games
import Projection

/// Searches all schedules of a small room: two honest members, who name by the product's own rule, and dishonest keys
/// whose few events come to either of them at any time, in any order, or never.
///
/// At any moment the dishonest may fall silent for good. Then the two honest peers tell each other what they hold, and
/// what must hold of them is looked at (Docs/PROTOCOL.md §3.2). Steps that lead to one state are followed once.
struct NamingModel {
  /// What dishonest keys have written, each event signed, and what both honest peers hold from the beginning.
  struct Script {
    let base: [Event]
    let events: [Event]
    /// The keys of the two honest members.
    let honest: [PeerID]
  }

  /// How much an honest peer writes in a schedule.
  static let limitWords = 1

  private struct Member {
    let key: PeerID
    var log: RoomLog
    var named: [UInt64] = []
    var words = 0

    /// What distinguishes two states of it.
    var content: [EventID] { log.entries.map(\.event.id) + [.none] + log.waitingRoom.entries.map(\.event.id) }
  }

  private struct World: Sendable {
    var members: [Member]
    /// Which of the script's events have come to whom.
    var given: [Int] = [0, 0]
    var honestWords: [Event] = []
  }

  private struct State: Hashable {
    let contents: [[EventID]]
    let given: [Int]
    let words: [Int]
  }

  private let script: Script
  private let hasher = EventHasher(network: .standard)
  private var seen: Set<State> = []
  /// What peers hold of which it was looked at already.
  private var checked: Set<[[EventID]]> = []
  /// How many different states were looked at.
  private(set) var states = 0
  /// What does not hold, in words.
  private(set) var faults: Set<String> = []

  init(_ script: Script) { self.script = script }

  /// Searches everything.
  mutating func search() throws {
    var logs = [RoomLog(room: script.base[0].room), RoomLog(room: script.base[0].room)]
    for event in script.base {
      for at in logs.indices { _ = try logs[at].receive(ModelKeys.run([event]), scheme: ModelKeys.scheme) }
    }
    try follow(World(members: zip(script.honest, logs).map { Member(key: $0, log: $1) }))
  }

  private mutating func follow(_ world: World) throws {
    let state = State(
      contents: world.members.map(\.content), given: world.given, words: world.members.map(\.words))
    guard seen.insert(state).inserted else { return }
    states += 1
    if checked.insert(state.contents).inserted { try check(world) }
    for member in world.members.indices {
      for number in script.events.indices where world.given[member] & 1 << number == 0 {
        var next = world
        next.given[member] |= 1 << number
        Self.deliver(script.events[number], to: &next.members[member].log)
        try follow(next)
      }
      if world.members[member].words < Self.limitWords {
        var next = world
        try write(&next, member)
        try follow(next)
      }
      var next = world
      if tell(&next, from: member, to: 1 - member) { try follow(next) }
    }
  }

  private func write(_ world: inout World, _ member: Int) throws {
    let author = world.members[member].key
    world.members[member].words += 1
    let log = world.members[member].log
    let own = log.head(of: author)
    guard !own.isForked else { return }
    let parents = log.newlySeen(by: author, required: [], named: &world.members[member].named)
    let event = try Event.author(
      .chat("a word"), room: log.room, author: author, sequence: (own.event?.sequence ?? 0) + 1,
      previous: own.event?.id ?? .none, parents: parents, wallTime: 0, hasher: hasher)
    try world.members[member].log.append(event, signature: ModelKeys.sign(event))
    world.honestWords.append(event)
  }

  /// What a dishonest key sends may be refused.
  private static func deliver(_ event: Event, to log: inout RoomLog) {
    do throws(LogError) { _ = try log.receive(ModelKeys.run([event]), scheme: ModelKeys.scheme) } catch {}
  }

  /// One peer sends another all that it holds, and what the other then asks for.
  /// - Returns: what of it was refused as a fault of the sender.
  @discardableResult
  private mutating func tell(_ world: inout World, from: Int, to: Int) -> Bool {
    let source = world.members[from].log
    var isNew = false
    func send(_ entry: RoomLog.Entry, _ faults: inout Set<String>) {
      let before = world.members[to].log.events.count + world.members[to].log.waitingRoom.count
      do throws(LogError) {
        _ = try world.members[to].log.receive(ModelKeys.run([entry.event]), scheme: ModelKeys.scheme)
      } catch {
        switch error {
        case .notNeeded, .missing: break
        default: faults.insert("an honest peer's message is refused: \(error)")
        }
      }
      let log = world.members[to].log
      if log.events.count + log.waitingRoom.count != before { isNew = true }
    }
    for entry in source.entries where !world.members[to].log.contains(entry.event.id) { send(entry, &faults) }
    for id in world.members[to].log.missing(limit: 32) {
      if let at = source.position(of: id) { send(source.entries[at], &faults) }
    }
    return isNew
  }

  /// The dishonest are gone: what the honest peers come to.
  private mutating func check(_ world: World) throws {
    var world = world
    var rounds = 0
    while rounds < 40 {
      let forth = tell(&world, from: 0, to: 1)
      let back = tell(&world, from: 1, to: 0)
      if !forth, !back { break }
      rounds += 1
    }
    if rounds == 40 { faults.insert("they never come to an end") }
    let logs = world.members.map(\.log)
    for log in logs {
      for word in world.honestWords where !log.contains(word.id) {
        faults.insert("an honest event is missing")
      }
      if log.waitingRoom.entries.contains(where: { script.honest.contains($0.event.author) }) {
        faults.insert("an honest event waits")
      }
      if log.forkProofs.contains(where: { script.honest.contains($0.author) }) {
        faults.insert("an honest peer is convicted")
      }
    }
    if logs[0].clock != logs[1].clock { faults.insert("their clocks differ") }
    if Self.state(logs[0]) != Self.state(logs[1]) { faults.insert("their states differ") }
  }

  private static func state(_ log: RoomLog) -> [UInt8]? {
    var projection = RoomProjection(log.graph, catalog: Games.catalog)
    return projection?.state.encoded
  }
}

/// Keys whose signatures cost nothing: nobody in the model forges one.
enum ModelKeys {
  struct Scheme: SignatureScheme {
    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
      signature.bytes.starts(with: id.bytes.bytes)
    }
  }

  static let scheme = Scheme()

  static func sign(_ event: Event) -> Signature? { Signature(event.id.bytes.bytes + event.id.bytes.bytes) }

  static func run(_ events: [Event]) -> Run {
    guard let last = events.last, let signature = sign(last) else { preconditionFailure("a run has events") }
    return Run(events: events, signature: signature)
  }

  static func peer(_ number: Int) -> PeerID {
    var hash = Blake2b(domain: "model")
    hash.update(bigEndian: UInt8(number))
    return PeerID(hash.digest())
  }
}
