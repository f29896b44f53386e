package import BotKit
package import EventLog
package import Events
import Gossip

/// Writes events that are well-formed and signed and that no honest program writes: on branches of its own feed, and
/// with keys that nobody has heard of.
///
/// Each trick is one of the ways in which a room of the first edition could be broken (Docs/THREATS.md, “Who may hold
/// up a room”).
package struct Fraudster: Sendable {
  /// How many keys it has besides its own: one that talks, some that are granted seats, and some that sit at a table
  /// of their own.
  package static let strangers = 1 + granted.count + seated.count
  private static let talker = 1
  private static let granted = 2...4
  private static let seated = 5...6
  private static let limitBranches = 12
  private static let limitText = 4_000
  private static let limitEarly = 20
  /// So many runs are more than may wait of one giver.
  private static let flood = 240

  /// What is sent to a neighbour, or to all.
  package struct Delivery {
    package let run: Run
    /// Which of the neighbours, counted around; `nil` for each.
    package let neighbour: Int?
  }

  /// A way to break a room.
  package enum Trick: CaseIterable {
    /// A stranger, who may be this peer itself, says something else to each neighbour.
    case strangersBranches
    /// A member says something else to each neighbour, on branches that begin anywhere.
    case ownBranches
    /// A member names what nobody has, and strangers' feeds begin in the middle.
    case inventedNames
    /// A member names whatever somebody said, on branches too.
    case namesAnybody
    /// A member leaves and goes on writing.
    case writesAfterLeaving
    /// A request names what another key says, and is granted where this peer may grant.
    case junkRequests
    /// The creator grants another stranger on each branch, and each stranger writes as a member.
    case grantsOnBranches
    /// The creator starts once more, with keys of its own.
    case secondStart

    /// Those that anybody can play, and those of a room's creator.
    static func all(isCreator: Bool) -> [Trick] {
      allCases.filter { isCreator || ![.grantsOnBranches, .secondStart].contains($0) }
    }
  }

  /// Its keys, its own first.
  package let signers: [any Signer]
  private let hasher = EventHasher(network: .standard)
  /// By room, in the order of their writing: so little that it is searched.
  private var written: [(room: RoomID, event: Event)] = []
  private var words = 0

  package init(signers: [any Signer]) { self.signers = signers }

  /// The keys that nobody has heard of.
  var strangers: [PeerID] { signers.dropFirst().map(\.peer) }

  /// Plays a trick in a room.
  /// - Returns: which it was, and what it sends.
  package mutating func play(
    in log: RoomLog, _ random: inout RandomStream
  ) throws(FormatError) -> (trick: Trick, deliveries: [Delivery])? {
    guard let create = log.graph.events.first else { return nil }
    var scene = Scene(log: log, create: create)
    let isCreator = create.author == signers[0].peer
    guard let trick = random.pick(Trick.all(isCreator: isCreator)) else { return nil }
    switch trick {
    case .strangersBranches: try tellEach(random.oneIn(2) ? 0 : Self.talker, &scene, &random)
    case .ownBranches: try tellEach(0, &scene, &random)
    case .inventedNames: try inventNames(&scene, &random)
    case .namesAnybody: try nameAnybody(&scene, &random)
    case .junkRequests: try askWithJunk(isCreator, &scene, &random)
    case .grantsOnBranches: try grantOnBranches(&scene, &random)
    case .secondStart: try startAgain(&scene, &random)
    case .writesAfterLeaving:
      let last = any(of: 0, scene, &random)
      let leaving = try write(.leave(node: .none), 0, after: last, scene)
      let after = try write(say(), 0, after: leaving, scene)
      send(after, 0, to: nil, &scene)
    }
    return (trick, scene.deliveries)
  }

  // MARK: - Tricks

  private mutating func tellEach(
    _ key: Int, _ scene: inout Scene, _ random: inout RandomStream
  ) throws(FormatError) {
    for neighbour in 0..<random.draw(2...Self.limitBranches) {
      var last = random.oneIn(4) ? nil : any(of: key, scene, &random)
      for _ in 0...random.below(3) { last = try write(say(), key, after: last, scene) }
      if let last { send(last, key, to: neighbour, &scene) }
    }
  }

  private mutating func inventNames(_ scene: inout Scene, _ random: inout RandomStream) throws(FormatError) {
    for _ in 0..<(random.oneIn(6) ? Self.flood : random.draw(1...Self.limitEarly)) {
      let names = (0..<Event.limitParents).map { _ in EventID(Bytes32(random.bytes(32), at: 0)) }
      let last = any(of: 0, scene, &random)
      let event = try write(say(Self.limitText), 0, after: last, scene, naming: names)
      send(event, 0, to: nil, &scene)
      let early = try Event.author(
        say(Self.limitText), room: scene.log.room, author: signers[Self.talker].peer,
        sequence: UInt64(random.draw(2...200)), previous: names[0], parents: [], wallTime: 0, hasher: hasher)
      scene.deliver([early], signers[Self.talker], to: nil)
    }
  }

  private mutating func nameAnybody(_ scene: inout Scene, _ random: inout RandomStream) throws(FormatError) {
    for neighbour in 0...random.below(3) {
      let last = any(of: 0, scene, &random)
      let others =
        (scene.log.graph.events + written.filter { $0.room == scene.log.room }.map(\.event))
        .filter { $0.author != signers[0].peer }
      let names = random.mixed(others).prefix(random.draw(1...4)).map(\.id)
      let event = try write(say(), 0, after: last, scene, naming: names)
      send(event, 0, to: random.oneIn(2) ? nil : neighbour, &scene)
    }
  }

  private mutating func askWithJunk(
    _ isCreator: Bool, _ scene: inout Scene, _ random: inout RandomStream
  ) throws(FormatError) {
    let (talker, asker) = (Self.talker, Self.granted.lowerBound)
    let junk = try write(say(), talker, after: nil, scene)
    let request = try write(
      .request(seat: Create.noSeat, Self.profile), asker, after: nil, scene, naming: [junk.id])
    if random.oneIn(2) { send(junk, talker, to: 0, &scene) }
    send(request, asker, to: nil, &scene)
    guard isCreator else { return }
    let grant = try write(
      .grant(request: request.id, seat: UInt16(random.below(2))), 0, after: any(of: 0, scene, &random),
      scene,
      naming: [request.id])
    send(grant, 0, to: nil, &scene)
  }

  private mutating func grantOnBranches(
    _ scene: inout Scene, _ random: inout RandomStream
  ) throws(FormatError) {
    for (branch, key) in random.mixed(Array(Self.granted)).prefix(random.draw(1...3)).enumerated() {
      let request = try request(of: key, scene)
      let grant = try write(
        .grant(request: request.id, seat: UInt16(random.below(2))), 0, after: any(of: 0, scene, &random),
        scene, naming: [request.id])
      let word = try write(say(), key, after: request, scene, naming: [grant.id])
      let target = random.oneIn(3) ? nil : branch
      send(request, key, to: target, &scene)
      send(grant, 0, to: target, &scene)
      send(word, key, to: target, &scene)
      if random.oneIn(2) {
        let end = try write(say(), 0, after: grant, scene, naming: [word.id])
        send(end, 0, to: target, &scene)
      }
    }
  }

  /// A start that is valid on its branch: every seat is one of its keys', each is ready, and goes on from there.
  private mutating func startAgain(_ scene: inout Scene, _ random: inout RandomStream) throws(FormatError) {
    guard case .create(let create) = scene.create.action, create.isGames, create.starter == .firstSeat,
      any(of: Self.seated.lowerBound, scene, &random) == nil
    else { return }
    var last = random.oneIn(2) ? scene.create : any(of: 0, scene, &random) ?? scene.create
    var seats: [(author: PeerID, grant: EventID)] = []
    var feeds: [(key: Int, last: Event)] = []
    for (seat, key) in zip(0..<create.seats, Self.seated) {
      guard seat != create.creatorSeat else {
        seats.append((signers[0].peer, scene.create.id))
        continue
      }
      let request = try request(of: key, scene)
      last = try write(.grant(request: request.id, seat: seat), 0, after: last, scene, naming: [request.id])
      seats.append((signers[key].peer, last.id))
      feeds.append((key, request))
    }
    let ready = Action.ready(
      roster: Commitments.roster(room: scene.log.room, seats: seats), commitment: .none)
    for at in feeds.indices {
      feeds[at].last = try write(ready, feeds[at].key, after: feeds[at].last, scene, naming: [last.id])
    }
    if feeds.count < seats.count { last = try write(ready, 0, after: last, scene) }
    let start = Action.start(roster: Commitments.roster(room: scene.log.room, seats: seats))
    last = try write(start, 0, after: last, scene, naming: feeds.map(\.last.id))
    let target = random.oneIn(2) ? nil : random.below(8)
    send(last, 0, to: target, &scene)
    for feed in feeds {
      send(
        try write(say(), feed.key, after: feed.last, scene, naming: [last.id]), feed.key, to: target, &scene)
    }
  }

  // MARK: - Events

  /// A room as this peer holds it, and what is sent there.
  private struct Scene {
    let log: RoomLog
    let create: Event
    var deliveries: [Delivery] = []

    mutating func deliver(_ events: [Event], _ signer: any Signer, to neighbour: Int?) {
      guard let last = events.last else { return }
      deliveries.append(
        Delivery(run: Run(events: events, signature: signer.sign(last.id)), neighbour: neighbour))
    }
  }

  private static let profile = Profile(name: "fraud")

  private mutating func say(_ bytes: Int = 0) -> Action {
    words += 1
    return .chat("fraud \(words)" + String(repeating: ".", count: bytes))
  }

  private mutating func request(of key: Int, _ scene: Scene) throws(FormatError) -> Event {
    try write(.request(seat: Create.noSeat, Self.profile), key, after: nil, scene, naming: [scene.create.id])
  }

  /// Some event of a key's own, behind which a branch can begin.
  private func any(of key: Int, _ scene: Scene, _ random: inout RandomStream) -> Event? {
    let author = signers[key].peer
    let held = scene.log.graph.events.filter { $0.author == author }
    let kept = written.filter { $0.room == scene.log.room && $0.event.author == author }.map(\.event)
    return random.pick(held + kept)
  }

  /// Writes what no honest program would; a member names the grant that made it one.
  private mutating func write(
    _ action: Action, _ key: Int, after previous: Event?, _ scene: Scene, naming names: [EventID] = []
  ) throws(FormatError) -> Event {
    let author = signers[key].peer
    // A creator's feed begins with the room.
    let previous = previous ?? (author == scene.create.author ? scene.create : nil)
    var parents = names
    let grant = scene.log.graph.events.first { event in
      guard case .grant(let request, _) = event.action, let at = scene.log.position(of: request) else {
        return false
      }
      return scene.log.graph.events[at].author == author
    }
    if let grant, previous != nil, !parents.contains(grant.id) {
      parents = [grant.id] + parents.prefix(Event.limitParents - 1)
    }
    let event = try Event.author(
      action, room: scene.log.room, author: author, sequence: (previous?.sequence ?? 0) + 1,
      previous: previous?.id ?? .none, parents: parents, wallTime: 0, hasher: hasher)
    written.append((scene.log.room, event))
    return event
  }

  /// Sends an event with all before it on its chain that this fraudster wrote.
  private func send(_ event: Event, _ key: Int, to neighbour: Int?, _ scene: inout Scene) {
    var chain = [event]
    while chain[0].sequence > 1, chain.count < Run.limitEvents / 8,
      let previous = written.first(where: { $0.event.id == chain[0].previous })?.event
    {
      chain.insert(previous, at: 0)
    }
    scene.deliver(chain, signers[key], to: neighbour)
  }

  /// From which number on its own feed has two branches in a room; `nil` where it wrote nothing with its own key.
  func fork(in room: RoomID) -> UInt64? {
    written.filter { $0.room == room && $0.event.author == signers[0].peer }.map(\.event.sequence).min()
  }
}
