import BotKit
import Events

/// What a seed decides before anything happens.
struct Plan: Sendable {
  /// How bad the network is while faults last.
  struct Network: Sendable {
    var lossPerMille = 0
    var duplicationPerMille = 0
    var corruptionPerMille = 0
    var reorders = false
    /// How long a message is under way, in milliseconds.
    var delay: ClosedRange<UInt64> = 5...60
  }

  /// What goes wrong.
  let faults: Set<Fault>
  /// By peer: how it is dishonest; an honest one is not.
  let mischief: [Set<Fault>]
  let network: Network
  /// How long a commit takes, in milliseconds.
  let commit: ClosedRange<UInt64>
  let rooms: [RoomPlan]
  /// By peer: where it is; those of one place are near each other.
  let sites: [Int]
  /// When faults end.
  let safetyMilliseconds: UInt64

  /// The plan of a seed.
  init(_ options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .plan)
    let drawn = Self.faults(options, &random)
    let usual = random.draw(3...8)
    let peers = options.peers ?? usual
    faults = drawn.union(Self.separateFaults(options))
    var mischief = Self.mischief(peers: peers, drawn, &random)
    for (fault, purpose) in [(Fault.inventions, DrawPurpose.inventors), (.frauds, .fraudsters)]
    where faults.contains(fault) {
      Self.choose(fault, &mischief, RandomStream(seed: options.seed, for: purpose))
    }
    network = Self.network(faults, &random)
    let slow = random.time(200...2_000)
    commit = faults.contains(.slowDisks) ? 1...slow : 1...20
    let safety = random.time(8_000...24_000)
    safetyMilliseconds = options.untilMilliseconds ?? safety
    let count = random.draw(1...4)
    var rooms = (0..<count).map { RoomPlan(number: $0, peers: peers, &random) }
    for (fault, purpose) in [(Fault.chanceRooms, DrawPurpose.chanceRooms), (.hostedRooms, .hostedRooms)]
    where faults.contains(fault) {
      Self.replace(
        &rooms, by: fault, peers: peers, isDrawing: options.seed % 6 == 2,
        RandomStream(seed: options.seed, for: purpose))
    }
    if faults.contains(.invitedRooms) {
      var random = RandomStream(seed: options.seed, for: .scopes)
      for room in rooms.indices where random.oneIn(2) {
        rooms[room].closeToStrangers(peers: peers, until: safetyMilliseconds, &random)
      }
    }
    if faults.contains(.roundFrauds) {
      let random = RandomStream(seed: options.seed, for: .roundFrauds)
      Self.choose(.roundFrauds, &mischief, among: rooms.flatMap(\.peopleInRounds), random)
    }
    self.mischief = mischief
    self.rooms = rooms
    sites = Self.sites(peers: peers, isSpread: faults.contains(.farPeers), seed: options.seed)
  }

  /// The peers that keep to the protocol.
  var honest: [Int] { mischief.indices.filter { mischief[$0].isEmpty } }
  /// The peers that sign what nobody honest would.
  var fraudulent: [Int] { mischief.indices.filter { mischief[$0].contains(.frauds) } }

  /// What is planned, for traces.
  var words: String {
    let wrong = Fault.allCases.filter(faults.contains).map(\.rawValue)
    let dishonest = mischief.indices.filter { !mischief[$0].isEmpty }.map { peer in
      let ways = Fault.allCases.filter(mischief[peer].contains).map(\.rawValue)
      return "peer \(peer) \(ways.joined(separator: " and "))"
    }
    let invited = rooms.filter { $0.scope == .invited }.map { String($0.number) }
    return "\(mischief.count) peers, \(rooms.count) rooms; faults: "
      + (wrong.isEmpty ? "none" : wrong.joined(separator: ", "))
      + (dishonest.isEmpty ? "" : "; dishonest: " + dishonest.joined(separator: ", "))
      + (invited.isEmpty ? "" : "; rooms of the invited: " + invited.joined(separator: ", "))
      + (faults.contains(.farPeers) ? "; places: " + sites.map(String.init).joined(separator: " ") : "")
  }

  /// Every fault is drawn, also those that cannot be: what is left out changes nothing else.
  private static func faults(_ options: SimulationOptions, _ random: inout RandomStream) -> Set<Fault> {
    let isDishonest = !options.scenario.isByChance || options.seed % 2 == 1
    var faults: Set<Fault> = []
    for fault in Fault.allCases where !Fault.separate.contains(fault) {
      let happens = random.oneIn(fault.isDishonest ? 2 : 3) || !options.scenario.isByChance
      guard happens, options.scenario.faults.contains(fault), !options.without.contains(fault) else {
        continue
      }
      if fault.isDishonest && !isDishonest { continue }
      faults.insert(fault)
    }
    // A seed that is meant to have dishonest peers has some.
    let fallback = random.pick(Fault.dishonest.filter { !Fault.separate.contains($0) }) ?? .forks
    if isDishonest, options.scenario.isByChance, !Fault.dishonest.contains(where: faults.contains),
      !options.without.contains(fallback)
    {
      faults.insert(fallback)
    }
    return faults
  }

  /// The faults that are drawn each from a stream of its own.
  private static func separateFaults(_ options: SimulationOptions) -> [Fault] {
    let isDishonest = !options.scenario.isByChance || options.seed % 2 == 1
    return Fault.separate.enumerated().compactMap { number, fault in
      var random = RandomStream(seed: options.seed, for: .separateFaults, number)
      let happens = random.oneIn(fault.isDishonest ? 2 : 3) || !options.scenario.isByChance
      guard happens, options.scenario.faults.contains(fault), !options.without.contains(fault),
        isDishonest || !fault.isDishonest
      else { return nil }
      return fault
    }
  }

  /// Half of the dishonest peers have this fault too, at least one of them; where there is none, somebody becomes it.
  /// - Parameter others: of whom somebody becomes it; those who stand there twice sooner. Nobody: anybody.
  private static func choose(
    _ fault: Fault, _ mischief: inout [Set<Fault>], among others: [Int] = [], _ random: RandomStream
  ) {
    var random = random
    let dishonest = mischief.indices.filter { !mischief[$0].isEmpty }
    let anybody = others.isEmpty ? Array(mischief.indices) : others
    let candidates = dishonest.isEmpty && mischief.count > 2 ? anybody : dishonest
    let chosen = random.mixed(candidates)
    for (place, peer) in chosen.enumerated() where place == 0 || (!dishonest.isEmpty && random.oneIn(2)) {
      mischief[peer].insert(fault)
    }
    // Some frauds take two.
    guard dishonest.isEmpty, !others.isEmpty, mischief.count > 3, random.oneIn(2),
      let second = chosen.first(where: { mischief[$0].isEmpty })
    else { return }
    mischief[second].insert(fault)
  }

  /// Some of the rooms, one at least, are played otherwise.
  /// - Parameter isDrawing: whether words are drawn in place of the questions of a quiz: in some seeds, so that the
  ///   others keep what they always had.
  private static func replace(
    _ rooms: inout [RoomPlan], by fault: Fault, peers: Int, isDrawing: Bool, _ random: RandomStream
  ) {
    var random = random
    let chosen = random.below(rooms.count)
    for room in rooms.indices where room == chosen || random.oneIn(6) {
      if fault == .hostedRooms {
        rooms[room].becomeHosted(peers: peers, isDrawing: isDrawing, &random)
      } else {
        rooms[room].becomeMemoryMatch(peers: peers, &random)
      }
    }
  }

  /// Everybody at one place, or each at one of two.
  private static func sites(peers: Int, isSpread: Bool, seed: UInt64) -> [Int] {
    var random = RandomStream(seed: seed, for: .places)
    return (0..<peers).map { _ in isSpread ? random.below(2) : 0 }
  }

  /// Up to a third of the peers are dishonest, each in one to three ways; two at least are honest.
  private static func mischief(
    peers: Int, _ faults: Set<Fault>, _ random: inout RandomStream
  ) -> [Set<Fault>] {
    let ways = Fault.dishonest.filter(faults.contains)
    var mischief = [Set<Fault>](repeating: [], count: peers)
    guard !ways.isEmpty, peers > 2 else { return mischief }
    let count = min(random.draw(1...max(1, peers / 3)), peers - 2)
    for peer in random.mixed(Array(0..<peers)).prefix(count) {
      mischief[peer] = Set(random.mixed(ways).prefix(random.draw(1...3)))
    }
    return mischief
  }

  private static func network(_ faults: Set<Fault>, _ random: inout RandomStream) -> Network {
    let loss = random.draw(10...300)
    let duplication = random.draw(10...200)
    let corruption = random.draw(1...20)
    let least = random.time(1...80)
    let most = least + random.time(1...300)
    var network = Network()
    if faults.contains(.loss) { network.lossPerMille = loss }
    if faults.contains(.duplication) { network.duplicationPerMille = duplication }
    if faults.contains(.corruption) { network.corruptionPerMille = corruption }
    network.reorders = faults.contains(.reordering)
    network.delay = least...most
    return network
  }
}

/// A room that is to be created and played in.
struct RoomPlan: Sendable {
  /// What is played.
  enum Game: Sendable {
    case ticTacToe
    case dilemma(rounds: Int)
    /// A round robin of tic-tac-toe; its game rooms are created by the organizer.
    case tournament
    /// One attempt at a pairing of a tournament, between these two.
    case pairing(tournament: RoomID, pairing: UInt32, attempt: UInt8, games: Int, seats: [PeerID])
    case memoryMatch(seats: Int)
    /// Rounds of a quiz, a tap race or a drawing game, for so many players.
    case quiz(players: Int)
    case tapRace(players: Int)
    case drawing(players: Int)
  }

  /// Its place in the order of rooms.
  let number: Int
  private(set) var game: Game
  let creator: Int
  /// Whether the creator has seat 0; the others ask for what is free.
  private(set) var creatorPlays: Bool
  /// Who asks for a seat; often more than there are seats.
  private(set) var joiners: [Int]
  /// Who else has the room.
  private(set) var watchers: [Int]
  private(set) var referee: Int?
  private(set) var games: Int
  private(set) var drawsStarter: Bool
  let allowsUndo: Bool
  private(set) var scope: Scope
  /// Who is invited, where only the invited may have it.
  private(set) var guests: [Guest] = []
  /// Who hears of an invited room and is never invited.
  private(set) var strangers: [Int] = []
  /// When the creator means to create it, in milliseconds.
  let opensAt: UInt64

  /// Somebody whom the creator invites.
  struct Guest: Sendable {
    let peer: Int
    /// How long after the room's creation, in milliseconds.
    let after: UInt64
  }

  /// Everybody who has the room, the creator first.
  var members: [Int] { [creator] + joiners + watchers }

  /// Whether its rounds are a host's.
  var isHosted: Bool {
    switch game {
    case .quiz, .tapRace, .drawing: true
    default: false
    }
  }

  /// A room drawn at random.
  init(number: Int, peers: Int, _ random: inout RandomStream) {
    self.number = number
    let order = random.mixed(Array(0..<peers))
    let kind = random.below(8)
    let rounds = random.draw(1...4)
    let wantsToPlay = random.oneIn(2)
    let extra = random.below(3)
    let watchers = random.below(peers)
    let referee = random.pick(order)
    let hasReferee = random.oneIn(3)
    creator = order[0]
    let others = Array(order.dropFirst())
    if kind == 0, others.count >= 2 {
      game = .tournament
      creatorPlays = false
      joiners = Array(others.prefix(random.draw(2...3)))
    } else {
      game = kind <= 3 ? .dilemma(rounds: rounds) : .ticTacToe
      creatorPlays = wantsToPlay || others.count < 2
      joiners = Array(others.prefix((creatorPlays ? 1 : 2) + extra))
    }
    let joined = joiners.count
    self.watchers = Array(others.dropFirst(joined).prefix(watchers))
    let members = [order[0]] + others.prefix(joined + watchers)
    self.referee = hasReferee ? referee.flatMap { members.contains($0) ? $0 : nil } : nil
    games = random.draw(1...3)
    drawsStarter = random.oneIn(3)
    allowsUndo = random.oneIn(2)
    scope = random.oneIn(3) ? .local : .open
    opensAt = random.time(0...4_000)
  }

  /// The room of one attempt at a pairing; everybody of the tournament has it.
  init(number: Int, attempt game: Game, of tournament: RoomPlan, games: Int, at time: UInt64) {
    self.number = number
    self.game = game
    self.games = games
    creator = tournament.creator
    creatorPlays = false
    joiners = tournament.joiners
    watchers = tournament.watchers
    referee = tournament.creator
    drawsStarter = false
    allowsUndo = false
    scope = tournament.scope
    opensAt = time
    if scope == .invited { guests = members.dropFirst().map { Guest(peer: $0, after: 0) } }
  }

  /// Who opens rounds, or has a part in them, where it is a room of these.
  fileprivate var peopleInRounds: [Int] {
    switch game {
    case .quiz, .tapRace, .drawing: [creator, creator] + joiners
    case .memoryMatch: (creatorPlays ? [creator] : []) + joiners
    default: []
    }
  }

  /// Makes it a table of memory match, of as many seats as there are people for.
  fileprivate mutating func becomeMemoryMatch(peers: Int, _ random: inout RandomStream) {
    let seats = min(random.draw(2...4), peers)
    game = .memoryMatch(seats: seats)
    creatorPlays = peers == seats || random.oneIn(2)
    let wanted = seats - (creatorPlays ? 1 : 0)
    drawPeople(joiners: wanted + random.below(2), peers: peers, &random)
    games = 1
  }

  /// Makes it a room of hosted rounds, sometimes for fewer players than want to play.
  fileprivate mutating func becomeHosted(peers: Int, isDrawing: Bool, _ random: inout RandomStream) {
    creatorPlays = false
    drawPeople(joiners: random.draw(1...5), peers: peers, &random)
    let players = max(2, joiners.count - random.below(2))
    game = random.oneIn(3) ? .tapRace(players: players) : .quiz(players: players)
    if isDrawing, case .quiz = game { game = .drawing(players: players) }
    games = random.draw(1...4)
    (referee, drawsStarter) = (nil, false)
  }

  /// Draws anew who wants to play; some of the others watch. A referee that does not have the room any more is none.
  private mutating func drawPeople(joiners count: Int, peers: Int, _ random: inout RandomStream) {
    let others = random.mixed((0..<peers).filter { $0 != creator })
    joiners = Array(others.prefix(count))
    watchers = others.dropFirst(count).filter { _ in random.oneIn(2) }
    if let named = referee, !members.contains(named) { referee = nil }
  }

  /// Makes it a room of the invited. Most players are invited soon, others at any time.
  fileprivate mutating func closeToStrangers(
    peers: Int, until end: UInt64, _ random: inout RandomStream
  ) {
    scope = .invited
    let members = self.members
    guests = members.dropFirst().map { peer in
      let late = random.time(0...end)
      let soon = random.time(0...2_000)
      return Guest(peer: peer, after: random.oneIn(3) ? late : soon)
    }
    strangers = (0..<peers).filter { !members.contains($0) && random.oneIn(2) }
  }
}
