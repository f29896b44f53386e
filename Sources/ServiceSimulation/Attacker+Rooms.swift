import EventLog
import Events
import Gossip
import Simulation

// What an attacker has others store, and work at.

extension Attacker {
  private static let limitRooms = 80
  /// How many games of one key are taken, and how many each opens.
  private static let roomsTaken = 8
  private static let roomsOfEach = 4...10
  private static let limitRequests = 40
  private static let bombEvents = 20...150
  private static let limitInventions = 6

  /// Opens many small games of keys that nobody knows.
  func floodRooms(_ victim: Int) throws(FormatError) -> String {
    let (count, line) = (random.draw(10...Self.limitRooms), line(to: victim))
    var (author, opened, wanted) = (newKey(), 0, random.draw(Self.roomsOfEach))
    for _ in 0..<count {
      if opened == wanted { (author, opened, wanted) = (newKey(), 0, random.draw(Self.roomsOfEach)) }
      opened += 1
      if opened > Self.roomsTaken { greedy.insert(author.peer) }
      let create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: random.bytes(16),
        profile: Profile(name: "flood"), creatorSeat: 0, scope: random.oneIn(2) ? .local : .open)
      let event = try Event.author(
        .create(create), room: .none, author: author.peer, sequence: 1, previous: .none, parents: [],
        wallTime: 0, hasher: hasher)
      var events = [event]
      if random.oneIn(3) { events.append(try word(of: newKey(), .chat("flood"), naming: event)) }
      send(events, in: event.id, over: line)
    }
    return "\(count) rooms"
  }

  /// Has many keys ask for a seat in a room, or say something there.
  func floodRequests(_ victim: Int, _ create: Event) throws(FormatError) -> String {
    let (count, line, asks) = (random.draw(5...Self.limitRequests), line(to: victim), random.oneIn(2))
    let action = asks ? Action.request(seat: Create.noSeat, Profile(name: "flood")) : .chat("flood")
    let events = try (0..<count).map { _ throws(FormatError) in
      try word(of: newKey(), action, naming: create)
    }
    send(events, in: create.id, over: line)
    return "\(count) \(asks ? "requests" : "words") in \(create.id.short)"
  }

  private func word(of key: SigningKey, _ action: Action, naming event: Event) throws(FormatError) -> Event {
    try Event.author(
      action, room: event.id, author: key.peer, sequence: 1, previous: .none, parents: [event.id],
      wallTime: 0, hasher: hasher)
  }

  /// Fills a room of its own with events that lead nowhere.
  /// - Parameter guest: somebody who is invited there, now and then.
  func bomb(_ victim: Int, _ guest: PeerID) throws(FormatError) -> String {
    guard let bomb = random.pick(Bomb.all) else { return "nothing" }
    let (count, line) = (random.draw(Self.bombEvents), line(to: victim))
    let keys = [newKey(), newKey()]
    var strangers: [Int: PeerID] = [:]
    let events = try bomb.events(count, keys: keys, inviting: random.oneIn(2) ? guest : nil) { number in
      let peer = strangers[number] ?? newKey().peer
      strangers[number] = peer
      return peer
    }
    send(events, in: events[0].id, over: line)
    return "a bomb of \(count) \(bomb.name) in \(events[0].id.short)"
  }

  /// Has somebody sign in a room what nobody honest would.
  func defraud(
    _ victim: Int, among peers: Int, _ log: RoomLog, by fraudster: inout Fraudster
  ) throws(FormatError) -> String {
    guard let played = try fraudster.play(in: log, &random) else { return "no fraud" }
    for delivery in played.deliveries {
      let message = Message.runs(RunsMessage(room: log.room, runs: [delivery.run])).encoded()
      if let neighbour = delivery.neighbour {
        line(to: (victim + neighbour) % peers).send(message)
      } else {
        for other in 0..<peers { line(to: other).send(message) }
      }
    }
    return "\(played.trick) in \(log.room.short)"
  }

  /// Says what is not so.
  func invent(_ victim: Int, rooms: [RoomID], peers: [PeerID], _ seen: [Event]) throws(FormatError) -> String
  {
    let line = line(to: victim)
    var inventor = Inventor(
      signer: line.signer, hasher: hasher, rooms: rooms, peers: peers, seen: seen, random: random)
    defer { random = inventor.random }
    let count = inventor.random.draw(1...Self.limitInventions)
    for _ in 0..<count { line.send(try inventor.message().encoded()) }
    return "\(count) inventions"
  }

  // MARK: - What is done when

  /// Does something to a peer.
  /// - Parameters:
  ///   - peers: how many there are.
  ///   - hosts: all that keep rooms.
  /// - Returns: what, in words.
  func attack(_ victim: Int, of peers: Int, by mischief: Fault, _ hosts: [ServiceHost]) throws -> String {
    let disk = hosts[victim].disk
    switch mischief {
    case .connectionFloods: return floodConnections(victim)
    case .forgery: return breakRules(victim)
    case .bombs: return try bomb(victim, hosts[victim].peer)
    case .floods:
      if random.oneIn(3), let log = try room(on: disk, isPlaying: true) {
        return try floodRequests(victim, log.graph.events[0])
      }
      return try floodRooms(victim)
    case .frauds:
      guard let log = try room(on: disk, isPlaying: false) else { return "no room" }
      return try defraud(victim, among: peers, log, by: &fraudster)
    case .inventions:
      let log = try room(on: disk, isPlaying: false)
      return try invent(
        victim, rooms: try disk.rooms(limit: nil).map(\.room), peers: hosts.map(\.peer),
        log?.graph.events.suffix(16) ?? [])
    default: return "nothing"
    }
  }

  /// Some room of a peer, the newest sooner, in which something was said.
  /// - Parameter isPlaying: whether it must be one in which nobody may be granted a seat any more.
  private func room(on disk: MemoryEventLog, isPlaying: Bool) throws(LogError) -> RoomLog? {
    let listings = try disk.rooms(limit: isPlaying ? nil : 24)
    let rooms = listings.filter { !isPlaying || !isOwn($0.create.author) }.map(\.room)
    guard let room = random.pick(rooms) else { return nil }
    let log = try disk.load(room, verify: false)
    let hasStarted = log.graph.events.contains { $0.kind == .start }
    return isPlaying && !hasStarted ? nil : log
  }
}
