import EventLog
import Events
import Games
import Projection
import Rules

/// A room as five peers write it, choice by choice: mostly what the state asks for, sometimes anything.
///
/// The first peer creates the room, the second and third play, the fourth is the referee, the fifth a stranger.
struct WrittenRoom {
  /// The most events of a room.
  static let limitEvents = 48
  static let keys = (1...5).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
  private static let hasher = EventHasher(network: .standard)

  /// What was not chosen yet.
  var choices: ByteChoices
  /// The events, in the order in which they were written.
  private(set) var events: [Event] = []
  private var state: RoomState
  private var projection: RoomProjection
  /// The same events, which say whom the next one may name.
  private var log: RoomLog
  /// The last event of each peer.
  private var heads: [Event?]

  init(_ choices: ByteChoices) {
    self.choices = choices
    let create = Self.create(&self.choices)
    guard let event = Self.author(.create(create), 0, nil, [], room: .none, time: 0),
      let projection = RoomProjection(create: event, catalog: Games.catalog)
    else { Fuzz.fail("a room of settings within their limits cannot be created: \(create)") }
    self.projection = projection
    state = self.projection.state
    events = [event]
    log = RoomLog(room: event.id)
    heads = [event] + [Event?](repeating: nil, count: Self.keys.count - 1)
    _ = take(event)
    if !self.choices.oneIn(4) { fillLobby() }
    while !self.choices.isEmpty, events.count < Self.limitEvents { turn() }
  }

  private static func create(_ choices: inout ByteChoices) -> Create {
    let kind = choices.below(6)
    if kind == 4 { return hosted("quiz", "curve=linear\ngrace=3000\n", &choices) }
    if kind == 5 { return hosted("tap-race", choices.oneIn(2) ? "taps=3\n" : "seconds=3\n", &choices) }
    let rules = ["tic-tac-toe", "connect-four", "prisoners-dilemma", "tic-tac-toe"][kind]
    let rounds = 1 + choices.below(3)
    let chance = rounds == 3 ? "ending=200\nnoise=300" : "ending=0\nnoise=0"
    let parameters = kind == 2 ? Array("\(chance)\npayoffs=3,2,0,-1\nrounds=\(rounds)\n".utf8) : []
    let tournament = Create.Purpose.tournament(
      format: 1 + UInt8(choices.below(6)), options: UInt8(choices.below(40)), seed: 0, title: "")
    return Create(
      rules: rules, rulesVersion: choices.oneIn(64) ? 9 : 1, parameters: parameters,
      seats: kind == 3 ? 2 + UInt16(choices.below(3)) : 2, games: 1 + UInt16(choices.below(3)),
      nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "0"),
      creatorSeat: choices.oneIn(4) || kind == 3 ? Create.noSeat : 0,
      starter: choices.oneIn(3) ? .jointDraw : .firstSeat,
      scope: choices.oneIn(4) ? .invited : .local, allowsUndo: choices.oneIn(2),
      hasOpenRounds: choices.oneIn(3),
      referee: keys[3].peer,
      openings: choices.oneIn(4) ? [[0], [4, UInt16(choices.below(9))]] : [],
      purpose: kind == 3 ? tournament : .games(tournament: .none, pairing: 0, attempt: 0))
  }

  private static func hosted(
    _ rules: String, _ parameters: String, _ choices: inout ByteChoices
  ) -> Create {
    Create(
      rules: rules, rulesVersion: 1, parameters: Array(parameters.utf8), seats: 3,
      games: 1 + UInt16(choices.below(3)), nonce: [UInt8](repeating: 0, count: 16),
      profile: Profile(name: "0"),
      scope: choices.oneIn(4) ? .invited : .local,
      rematchOf: choices.oneIn(4) ? RoomID(keys[0].peer.bytes) : .none,
      purpose: .hosted(entries: 1 + UInt16(choices.below(2)), needsCode: false, title: ""))
  }

  private static func author(
    _ action: Action, _ peer: Int, _ previous: Event?, _ parents: Set<EventID>, room: RoomID, time: Int
  ) -> Event? {
    do throws(FormatError) {
      return try Event.author(
        action, room: room, author: keys[peer].peer, sequence: (previous?.sequence ?? 0) + 1,
        previous: previous?.id ?? .none, parents: parents.sorted(), wallTime: UInt64(time), hasher: hasher)
    } catch { return nil }
  }

  // MARK: - Writing

  /// Takes seats and gets ready as honest peers do.
  private mutating func fillLobby() {
    for _ in 0..<4 {
      for peer in 0..<3 where state.start == nil {
        if let action = PeerChoice(peer, state, events).lobby(&choices) {
          write(action, by: peer, seeing: 0xFF)
        }
      }
    }
  }

  private mutating func turn() {
    let peer = choices.below(4) == 0 ? choices.below(Self.keys.count) : choices.below(3)
    var choice = PeerChoice(peer, state, events)
    let action = choices.below(3) == 0 ? choice.anything(&choices) : choice.sensible(&choices)
    guard let action else { return }
    write(action, by: peer, seeing: choices.below(3) == 0 ? choices.byte() : 0xFF)
  }

  /// Whether the log takes an event: not when it names what its author may not name.
  private mutating func take(_ event: Event) -> Bool {
    do throws(LogError) {
      try log.adopt(.init(event: event, signature: nil))
      return true
    } catch .misnamed { return false } catch { Fuzz.fail("a log refuses an event that links: \(error)") }
  }

  /// Writes an event that names what an honest peer would, as far as it is of the peers in a set of bits; now and then
  /// it forks the feed.
  private mutating func write(_ action: Action, by peer: Int, seeing: UInt8) {
    var previous = heads[peer]
    if seeing != 0xFF, choices.oneIn(8) {
      previous = choices.pick(events.filter { $0.author == Self.keys[peer].peer }) ?? previous
    }
    var granted: [EventID] = []
    if case .grant(let request, _) = action { granted = [request] }
    var named: [UInt64] = []
    let unseen = heads.enumerated().filter { seeing & 1 << UInt8($0.offset) == 0 }.compactMap(\.element?.id)
    let parents = Set(log.newlySeen(by: Self.keys[peer].peer, required: granted, named: &named))
      .subtracting(unseen)
    guard
      let event = Self.author(action, peer, previous, parents, room: events[0].id, time: events.count),
      !events.contains(event), take(event)
    else { return }
    events.append(event)
    heads[peer] = event
    projection.apply(event)
    state = projection.state
  }

  // MARK: - Signing

  /// The room's log, every branch signed at its end and some events before.
  mutating func signed() -> RoomLog {
    let followed = Set(events.map(\.previous))
    var log = RoomLog(room: events[0].id)
    for event in events {
      let key = Self.keys.first { $0.peer == event.author }
      let isSigned = !followed.contains(event.id) || choices.oneIn(4)
      do throws(LogError) {
        try log.adopt(.init(event: event, signature: isSigned ? key?.sign(event.id) : nil))
      } catch { Fuzz.fail("a log refuses an event that links: \(error)") }
    }
    return log
  }
}
