import BotKit
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
    /// The person hosts a quiz of so many rounds, and all others answer.
    case quiz(rounds: Int)
  }

  /// What goes wrong.
  let faults: Set<Fault>
  /// How many peers there are. The first is a person's, and the organizer's; each other one has a bot.
  let peers: Int
  let play: Play
  /// How many games a pairing has, or the person plays.
  let games: Int
  /// The bots of all peers but the first.
  let bots: [String]
  /// How long bytes are under way, and how long a disk takes while there are faults, and after that, in microseconds.
  let network: ClosedRange<Int>
  let disk: ClosedRange<Int>
  static let soundDisk = 100...4_000
  /// When faults end.
  let safetyMilliseconds: UInt64

  /// The plan of a seed.
  init(_ options: SimulationOptions) {
    var random = RandomStream(seed: options.seed, for: .services)
    var faults: Set<Fault> = []
    for fault in Scenario.services.faults {
      if random.oneIn(2), !options.without.contains(fault) { faults.insert(fault) }
    }
    self.faults = faults
    let usual = random.draw(SimulationOptions.leastServices...6)
    peers = options.peers ?? usual
    let formats = TournamentFormat.allCases
    let place = random.below(formats.count + formats.count / 2)
    var quizzes = RandomStream(seed: options.seed, for: .hostedRooms)
    if quizzes.oneIn(5), !options.without.contains(.hostedRooms) {
      play = .quiz(rounds: quizzes.draw(1...3))
    } else {
      play = formats.indices.contains(place) ? Self.tournament(formats[place], peers: peers) : .openGames
    }
    games = random.draw(1...2)
    bots = (1..<peers).map { _ in random.pick(["greedy", "random", "lookahead:2"]) ?? "random" }
    let least = random.draw(200...20_000)
    network = least...(least + random.draw(200...60_000))
    let slow = random.draw(100_000...800_000)
    disk = faults.contains(.slowDisks) ? 100...slow : Self.soundDisk
    let safety = random.time(3_000...12_000)
    safetyMilliseconds = options.untilMilliseconds ?? safety
  }

  private static func tournament(_ format: TournamentFormat, peers: Int) -> Play {
    switch format {
    // Two entrants have one round of a Swiss tournament.
    case .swiss, .ladder: .tournament(format, options: peers > 3 ? 2 : 1)
    case .singleElimination, .doubleElimination: .tournament(format, options: 1)
    default: .tournament(format, options: 0)
    }
  }
}
