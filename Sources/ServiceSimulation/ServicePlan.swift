import BotKit
import Games
import Network
import Service
import Simulation
import Tournaments

/// What a seed decides about a run of whole peers before anything happens.
struct ServicePlan: Sendable {
  /// What is played.
  enum Play: Sendable {
    /// A tournament of the bots.
    case tournament(TournamentFormat, options: UInt8)
    /// Bots keep games open, and the person comes to them.
    case openGames
    /// The person hosts so many rounds of a quiz, a tap race or a drawing game, and all others take part.
    case rounds(HostedGame, Int)
    /// People with browsers come to the peers' pages, and play with each other.
    case visits
  }

  let scenario: Scenario
  let seed: UInt64
  /// What goes wrong.
  private(set) var faults: Set<Fault>
  /// How many peers there are. The first is a person's, and the organizer's; each other one has a bot.
  let peers: Int
  let play: Play
  /// What is played in rounds that somebody hosts.
  enum HostedGame {
    case quiz, tapRace, drawing
  }

  /// Which game is played where nobody hosts rounds.
  private(set) var game = "tic-tac-toe"
  /// How many games a pairing has, or the person plays.
  let games: Int
  /// The bots of all peers but the first.
  private(set) var bots: [String]
  /// How long bytes are under way, and how long a disk takes while there are faults, and after that, in microseconds.
  let network: ClosedRange<Int>
  let disk: ClosedRange<Int>
  static let soundDisk = 100...4_000
  /// How long a bot thinks, in microseconds.
  private(set) var thinking: ClosedRange<Int>
  /// When faults end.
  let safetyMilliseconds: UInt64
  /// What rooms of strangers may count for on a disk, and in memory; `nil` for as much as usual.
  var limitStrangersBytes: Int?
  var limitOpenBytes: Int?
  /// Who takes part and is dishonest, by number.
  private(set) var insiders: [Int] = []
  /// How long a seat has for each step in games of a tournament; 0 for as long as it likes.
  private(set) var moveLimitMilliseconds: UInt32 = 0

  /// Whether the last bot asks to come into the tournament only after its start.
  private(set) var hasLateEntrant = false

  /// Whether the tournament's seeds are drawn by all.
  private(set) var drawsSeeds = false

  /// How many people come with browsers.
  private(set) var visitors = 0
  /// How many clients of the sub-protocol `tictactoe` come to the first peer.
  private(set) var socketPlayers = 0

  /// How many machines there are: an organizer that goes on elsewhere has two.
  var machines: Int { peers + (faults.contains(.organizerMoves) ? 1 : 0) }

  func isHonest(_ number: Int) -> Bool { !insiders.contains(number) }

  /// Whether what is played may wait for somebody who does not go on.
  var hasDishonestHost: Bool { !isHonest(0) }

  /// One of the streams of what befalls tournaments.
  func random(_ number: Int) -> RandomStream { RandomStream(seed: seed, for: .tournaments, number) }

  /// The plan of a seed.
  init(_ options: SimulationOptions) {
    switch options.scenario {
    case .tournaments: self.init(tournament: options)
    case .attacks: self.init(attacks: options)
    case .pages: self.init(pages: options)
    default: self.init(services: options)
    }
  }

  private init(services options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .services)
    var faults: Set<Fault> = []
    for fault in Scenario.services.faults {
      if random.oneIn(2), !options.without.contains(fault) { faults.insert(fault) }
    }
    // What befalls those that are attacked is drawn elsewhere.
    self.faults = options.scenario == .services ? faults : Self.attacks(options)
    (seed, scenario) = (options.seed, options.scenario)
    thinking = 20...3_000
    let usual = random.draw(SimulationOptions.leastServices...6)
    peers = options.peers ?? usual
    let formats = Self.formats(options.seed)
    let place = random.below(formats.count + formats.count / 2)
    var hosted = RandomStream(seed: options.seed, for: .hostedRooms)
    if hosted.oneIn(5), !options.without.contains(.hostedRooms) {
      // The seed itself says which, so that the seeds beside it keep what they always had.
      let games: [HostedGame] = [.tapRace, .drawing, .quiz]
      play = .rounds(games[Int(options.seed % 3)], hosted.draw(1...3))
    } else {
      play = formats.indices.contains(place) ? Self.tournament(formats[place], peers: peers) : .openGames
    }
    games = random.draw(1...2)
    bots = Self.bots(peers, &random)
    (network, disk) = Self.delays(slowest: 100_000...800_000, self.faults, &random)
    let safety = random.time(3_000...12_000)
    safetyMilliseconds = options.untilMilliseconds ?? safety
  }

  /// How long bytes are under way, and how long a disk takes.
  /// - Parameter slowest: what the longest time of a slow disk is drawn from.
  private static func delays(
    slowest: ClosedRange<Int>, _ faults: Set<Fault>, _ random: inout RandomStream
  ) -> (network: ClosedRange<Int>, disk: ClosedRange<Int>) {
    let least = random.draw(200...20_000)
    let network = least...(least + random.draw(200...60_000))
    let slow = random.draw(slowest)
    return (network, faults.contains(.slowDisks) ? 100...slow : soundDisk)
  }

  private static func bots(_ peers: Int, _ random: inout RandomStream) -> [String] {
    (1..<peers).map { _ in random.pick(["greedy", "random", "lookahead:2"]) ?? "random" }
  }

  /// What a seed chooses from: every seventh has groups alone, so that the seeds beside it keep what they always had.
  private static func formats(_ seed: UInt64) -> [TournamentFormat] {
    let others = TournamentFormat.allCases.filter { $0 != .groups }
    return seed.isMultiple(of: 7) ? others.map { _ in .groups } : others
  }

  private static func tournament(_ format: TournamentFormat, peers: Int) -> Play {
    switch format {
    // One group, or two of which two go on each.
    case .groups: .tournament(format, options: peers > 4 ? 0x11 : 0x10)
    // Two entrants have one round of a Swiss tournament.
    case .swiss, .ladder: .tournament(format, options: peers > 3 ? 2 : 1)
    case .singleElimination, .doubleElimination: .tournament(format, options: 1)
    default: .tournament(format, options: 0)
    }
  }
}

// MARK: - Tournaments

extension ServicePlan {
  /// A tournament that lasts as long as its faults: bots take their time, and each format comes in turn.
  private init(tournament options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .tournaments)
    (seed, scenario) = (options.seed, .tournaments)
    let usual = random.draw(4...7)
    peers = options.peers ?? usual
    let formats = Self.formats(options.seed)
    let format = formats[Int(options.seed % UInt64(formats.count))]
    play = .tournament(format, options: Self.options(of: format, entrants: peers - 1, &random))
    // Three others are enough for all rounds that are drawn.
    let takesLate = format.mostLateEntrants > 0 && peers > 4
    let turn = options.seed / UInt64(formats.count)
    drawsSeeds = turn % 3 == 1
    hasLateEntrant = takesLate && (format.followsWords ? turn.isMultiple(of: 2) : turn % 4 == 2)
    faults = Self.faults(of: options, peers: peers, &random)
    games = random.draw(1...3)
    bots = Self.bots(peers, &random)
    let slowest = random.draw(100_000...2_000_000)
    thinking = 1_000...slowest
    (network, disk) = Self.delays(slowest: 50_000...400_000, faults, &random)
    let safety = random.time(15_000...50_000)
    safetyMilliseconds = options.untilMilliseconds ?? safety
  }

  /// The network is split always, and all else happens in one run out of two, three or four.
  private static func faults(
    of options: SimulationOptions, peers: Int, _ random: inout RandomStream
  ) -> Set<Fault> {
    var faults: Set<Fault> = [.partitions]
    for fault in [Fault.crashes, .slowDisks, .fullDisks, .flapping, .rulings] where random.oneIn(2) {
      faults.insert(fault)
    }
    switch random.below(4) {
    case 0: faults.insert(.organizerMoves)
    case 1: faults.insert(.organizerGone)
    default: break
    }
    // Whoever stays needs somebody to play with, and somebody who calls the lost one absent.
    if random.oneIn(3), peers > 4, !faults.contains(.organizerGone) { faults.insert(.lostMachines) }
    return faults.subtracting(options.without)
  }

  private static func options(
    of format: TournamentFormat, entrants: Int, _ random: inout RandomStream
  ) -> UInt8 {
    switch format {
    case .swiss: UInt8(random.draw(1...min(3, entrants - 1)))
    case .ladder: UInt8(random.draw(1...4))
    case .singleElimination: UInt8(random.draw(0...2)) | (random.oneIn(2) ? 1 << 5 : 0)
    case .doubleElimination: UInt8(random.draw(0...2))
    case .groups:
      UInt8(random.draw(0...(entrants < 4 ? 0 : 1))) | UInt8(random.draw(0...1)) << 4
        | (random.oneIn(2) ? 1 << 7 : 0)
    default: UInt8(random.draw(0...1))
    }
  }
}

// MARK: - Pages

extension ServicePlan {
  /// One to three peers serve their pages, to which people come.
  private init(pages options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .visits)
    (seed, scenario, play, bots) = (options.seed, .pages, .visits, [])
    let usual = random.draw(1...3)
    peers = options.peers ?? usual
    faults = Set(options.scenario.faults.filter { _ in random.oneIn(2) }).subtracting(options.without)
    visitors = random.draw(2...5)
    socketPlayers = random.oneIn(2) ? 2 : 0
    games = random.draw(1...3)
    thinking = 20...3_000
    (network, disk) = Self.delays(slowest: 50_000...400_000, faults, &random)
    let safety = random.time(5_000...40_000)
    safetyMilliseconds = options.untilMilliseconds ?? safety
  }
}

// MARK: - Attacks

extension ServicePlan {
  /// What whole peers play while dishonest keys attack them: little, with quotas that are soon used up.
  private init(attacks options: SimulationOptions) {
    self.init(services: options)
    var random = RandomStream(seed: options.seed, for: .attacks, 1)
    limitStrangersBytes = random.draw(384...512) << 10
    limitOpenBytes = random.draw(128...192) << 10
    addInsiders(options)
  }

  /// In three runs out of four somebody who takes part is dishonest: the organizer or host, or one of the others. In
  /// some of these two are.
  private mutating func addInsiders(_ options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .attacks, 3)
    let (happens, hasOffice, other) = (random.oneIn(2), random.oneIn(2), random.draw(1...(peers - 1)))
    let office: Fault?
    switch play {
    case .tournament: office = .falseWords
    case .rounds: office = .roundFrauds
    case .openGames, .visits: office = nil
    }
    var number = hasOffice && office != nil ? 0 : other
    var frauds = Set(random.mixed([Fault.cheating, .forks, .restores]).prefix(random.draw(1...2)))
    let (isTimed, limit) = (random.oneIn(2), random.draw(1_500...8_000))
    let (isAlone, slowest) = (random.oneIn(2), random.draw(20_000...600_000))
    if let office, number == 0 || office == .roundFrauds, !random.oneIn(3) { frauds.insert(office) }
    let happensInOffice = !happens && random.oneIn(2)
    if happensInOffice, let office { (number, frauds) = (0, frauds.union([office])) }
    frauds.subtract(options.without)
    guard happens || happensInOffice, !frauds.isEmpty else { return }
    if isAlone { faults = faults.filter { !$0.isDishonest } }
    (insiders, faults) = ([number], faults.union(frauds))
    addSecond(options)
    // What is played lasts as long as what is done to it.
    thinking = 1_000...slowest
    if number == 0, isTimed { moveLimitMilliseconds = UInt32(limit) }
    playRounds(options)
  }

  /// One of the others is dishonest as well, where at least two are left that are not.
  private mutating func addSecond(_ options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .attacks, 8)
    guard options.seed % 6 >= 4, peers > 3,
      let second = random.pick((1..<peers).filter { !insiders.contains($0) })
    else { return }
    insiders.append(second)
    faults.formUnion(Set([Fault.cheating, .forks]).subtracting(options.without))
  }

  /// Some play a game whose rounds are worth a fraud: both choose at once.
  private mutating func playRounds(_ options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .attacks, 7)
    if case .rounds = play { return }
    guard random.oneIn(4), !options.without.contains(.roundFrauds) else { return }
    game = PrisonersDilemma.name
    bots = bots.map { _ in "random" }
    faults.insert(.roundFrauds)
  }

  /// One to three mischiefs, and what else goes wrong.
  private static func attacks(_ options: SimulationOptions) -> Set<Fault> {
    var random = RandomStream(seed: options.seed, for: .attacks, 2)
    let all = options.scenario.faults.filter { !Fault.ofInsiders.contains($0) }
    var faults = Set(random.mixed(all.filter(\.isDishonest)).prefix(random.draw(1...3)))
    for fault in all where !fault.isDishonest && random.oneIn(3) { faults.insert(fault) }
    return faults.subtracting(options.without)
  }
}

// MARK: - Limits

extension ServicePlan {
  /// So few that a place which is not given back is missed: five for strangers, and eleven for peers.
  static let descriptors = 80
  /// What is in memory for strangers is looked at after so much of the limit has come, and a room comes whole.
  private static let openSlack = 16
  private static let largestRoomBytes = 96 << 10
  /// What may come while what is too much is forgotten, whatever the limit: it depends on the disk, which is slow here.
  private static let comingBytes = 1 << 20

  /// What of a burden is more than a peer means to keep.
  func excesses(of burden: Burden, isFaulty: Bool) -> [String] {
    // What cannot be closed yet, or is being forgotten, is there besides while others go on.
    let share = isFaulty ? 4 : 1
    var network = NetworkSettings.standard
    network.fit(descriptors: Self.descriptors)
    let open = limitOpenBytes ?? network.limitOpenBytes
    let stored = limitStrangersBytes ?? network.limitStrangersBytes
    let limits = [
      ("connections", burden.connections, network.limitConnections),
      // Those that it makes itself are not limited so.
      ("connections are unproven", burden.greetings, network.limitGreetings + network.limitTold + machines),
      (
        "bytes of strangers' rooms are stored", burden.strangersBytes,
        share * stored + (share > 1 ? Self.comingBytes : 0)
      ),
      (
        "bytes of strangers' rooms are in memory", burden.openStrangersBytes,
        share * (open + open / Self.openSlack + Self.largestRoomBytes)
      ),
    ]
    return LoadCheck.excesses(burden.gossip)
      + limits.filter { $0.1 > $0.2 }.map { "\($0.1) \($0.0), more than \($0.2)" }
  }
}
