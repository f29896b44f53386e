package import EventLog
package import Events

/// A room of two feeds that is being written: the creator has seat 0, a guest seat 1.
package struct SyntheticRoom {
  package let keys: [SigningKey]
  package let hasher: EventHasher
  private let wallTime: UInt64
  private let limitUnsigned: Int
  private var room = EventID.none
  package private(set) var events: [Event] = []
  /// The index in `events` of each feed's last event.
  private var heads: [Int?] = [nil, nil]
  /// What each feed has named of the other's.
  private var cited: [UInt64] = [0, 0]
  private var signatures: [Int: Signature] = [:]
  private var unsigned = 0

  package init(keys: [SigningKey], hasher: EventHasher, wallTime: UInt64, limitUnsigned: Int) {
    self.keys = keys
    self.hasher = hasher
    self.wallTime = wallTime
    self.limitUnsigned = limitUnsigned
  }

  /// Everything before play.
  /// - Returns: the start event.
  package mutating func begin(_ create: Create) throws(FormatError) -> EventID {
    let roster = try fill(create)
    let ready = Action.ready(roster: roster.digest, commitment: .none)
    _ = try write(ready, by: 0)
    // The first event of a member names the grant.
    _ = try write(ready, by: 1, naming: roster.grant)
    return try write(.start(roster: roster.digest), by: 0)
  }

  /// The room's beginning, until both seats are taken.
  package mutating func fill(_ create: Create) throws(FormatError) -> (digest: Digest, grant: EventID) {
    room = try write(.create(create), by: 0)
    let profile = Profile(
      name: "random", bot: BotEntry(specification: "random", version: 1, nodeBudget: 0, seed: 1))
    let request = try write(.request(seat: 1, profile), by: 1)
    let grant = try write(.grant(request: request, seat: 1), by: 0)
    let roster = Commitments.roster(
      room: room, seats: [(author: keys[0].peer, grant: room), (author: keys[1].peer, grant: grant)])
    return (roster, grant)
  }

  /// Writes an event, naming what its author has newly seen.
  package mutating func write(
    _ action: Action, by author: Int, naming required: EventID? = nil
  ) throws(FormatError) -> EventID {
    let last = heads[author].map { events[$0] }
    let seen = heads[1 - author].map { events[$0] }
    var parents = required.map { [$0] } ?? []
    if let seen, seen.sequence > cited[author] {
      parents.append(seen.id)
      cited[author] = seen.sequence
    }
    let event = try Event.author(
      action, room: room, author: keys[author].peer, sequence: (last?.sequence ?? 0) + 1,
      previous: last?.id ?? .none, parents: parents, wallTime: wallTime, hasher: hasher)
    heads[author] = events.count
    events.append(event)
    unsigned += 1
    if unsigned >= limitUnsigned { sign() }
    return event.id
  }

  /// Signs both feeds at one moment.
  private mutating func sign() {
    for (key, head) in zip(keys, heads) {
      if let head, signatures[head] == nil { signatures[head] = key.sign(events[head].id) }
    }
    unsigned = 0
  }

  /// The whole room, signed.
  package mutating func change() -> RoomChange {
    sign()
    let entries = events.enumerated().map { RoomLog.Entry(event: $1, signature: signatures[$0]) }
    return RoomChange(RoomLog(room: room, restoring: entries), from: 0)
  }
}
