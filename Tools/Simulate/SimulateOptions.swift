import Platform
import Simulation
import Terminal

/// What the simulator was asked for.
struct SimulateOptions: Sendable {
  /// How many seeds.
  let seeds: UInt64
  /// The first one.
  let first: UInt64
  /// How many are run at once.
  let jobs: Int
  let isJSON: Bool
  /// Whether all that happens is told, of one seed.
  let isTraced: Bool
  /// Where the files of tournaments go; `nil` for nowhere.
  let files: String?
  /// Whether scenarios, faults and mistakes are named and nothing is run.
  let isListing: Bool
  private let scenario: Scenario
  private let peers: Int?
  private let until: UInt64?
  private let without: Set<Fault>
  private let usesRealKeys: Bool
  private let planted: PlantedMistake?

  init(_ parsed: ParsedCommand) throws(UsageError) {
    seeds = try parsed.integer("seeds", in: 1...1_000_000_000) ?? 1
    let first = try parsed.integer("first", in: 0...UInt64.max) ?? 1
    guard first <= UInt64.max - seeds else {
      throw parsed.badValue("first", "the last seed would be too large")
    }
    self.first = first
    jobs = try parsed.integer("jobs", in: 1...1_024) ?? CurrentProcess.processors
    isJSON = parsed.has("json")
    isTraced = parsed.has("trace")
    isListing = parsed.has("list")
    files = parsed.text("files")
    guard !isTraced || seeds == 1, !isTraced || !isJSON else {
      throw parsed.badValue("seeds", "`--trace` tells of one seed, in words")
    }
    scenario = parsed.text("scenario").flatMap(Scenario.init(rawValue:)) ?? .mixed
    peers = try parsed.integer("peers", in: SimulationOptions.peerLimits)
    until = try parsed.integer("until", in: SimulationOptions.untilLimits)
    without = Set(parsed.texts("without").compactMap(Fault.init(rawValue:)))
    usesRealKeys = parsed.has("real-keys")
    planted = parsed.text("plant").flatMap(PlantedMistake.init(rawValue:))
    if files != nil, isTraced { throw parsed.badValue("files", "they are written without `--trace`") }
    guard scenario.hasWholePeers else {
      if files != nil {
        throw parsed.badValue("files", "the peers of \(scenario.rawValue) play no tournaments")
      }
      return
    }
    if planted != nil {
      throw parsed.badValue("plant", "whole peers make no mistakes on purpose: `Tools/plant` plants them")
    }
    if let peers, peers < SimulationOptions.leastServices {
      throw parsed.badValue(
        "peers",
        "the scenario \(scenario.rawValue) takes an organizer and two others, so"
          + " \(SimulationOptions.leastServices) at the least"
      )
    }
  }

  /// How one of the seeds is run.
  func simulation(_ seed: UInt64) -> SimulationOptions {
    var simulation = SimulationOptions(
      seed: seed, scenario: scenario, peers: peers, untilMilliseconds: until, without: without,
      usesRealKeys: usesRealKeys ? true : nil, planted: planted)
    simulation.keepsFiles = files != nil
    return simulation
  }

  /// The words that stand for the simulator on a command line, behind how it is run.
  static let path = ["parlor-simulate"]

  /// What `--list` prints.
  static var list: [String] {
    Scenario.allCases.map { "scenario\t\($0.rawValue)\t\($0.summary)" }
      + Fault.allCases.map { "fault\t\($0.rawValue)\t\($0.summary)" }
      + PlantedMistake.allCases.map { "mistake\t\($0.rawValue)\t\($0.summary)" }
  }

  private static let definition = CommandDefinition(
    "parlor-simulate", group: "",
    summary: "Run peers through simulated faults and frauds, and check what must hold.",
    text: [
      "Each seed decides a whole run: how many peers there are, how they are connected, what they play, which faults"
        + " befall network, disks and clocks, and which peers are dishonest; half of the seeds have some. Peers"
        + " are the product's own code. A seed with the same options repeats to the byte.",
      "Each violation is printed with the peer, the room and the time, and with the options that run it again.",
    ],
    options: [
      .value("seeds", "N", "How many seeds.", standard: "1"),
      .value("first", "SEED", "The first seed.", standard: "1"),
      .value(
        "scenario", "NAME", "What may go wrong.", standard: "mixed",
        kind: .choice(Scenario.allCases.map(\.rawValue))),
      .value("jobs", "N", "How many seeds are run at once; one for each processor when not given."),
      .value("peers", "N", "This many peers, whatever the seed says."),
      .value("until", "MS", "Faults end after so many simulated milliseconds."),
      .value(
        "without", "FAULT", "Without this fault.", repeats: true,
        kind: .choice(Fault.allCases.map(\.rawValue))),
      .flag("real-keys", "Ed25519 for all seeds; by itself every hundredth uses it, the others a stand-in."),
      .flag("json", "One JSON object for each seed, and one at the end."),
      .flag("trace", "Tell all that happens; of one seed."),
      .value(
        "files", "FOLDER",
        "Write the tournament of each seed, as each honest peer has it at the end, for `parlor tournament verify`."
      ),
      .flag("list", "Name the scenarios, faults and mistakes, and run nothing."),
      .value(
        "plant", "MISTAKE", "Make a mistake on purpose, to see it noticed.",
        kind: .choice(PlantedMistake.allCases.map(\.rawValue))),
    ],
    examples: [
      .init("parlor-simulate --seeds 2000", "Two thousand seeds."),
      .init("parlor-simulate --seeds 100 --scenario crashes", "Crashes, slow disks and clocks that jump."),
      .init("parlor-simulate --seeds 200 --scenario tournaments", "Tournaments while the network is split."),
      .init("parlor-simulate --seeds 50 --scenario attacks", "Whole peers, and dishonest keys at them."),
      .init(
        "parlor-simulate --seeds 50 --scenario pages", "Whole peers, and people with browsers at their pages."
      ),
      .init("parlor-simulate --first 227 --trace", "All that happens in one seed."),
      .init(
        "parlor-simulate --first 227 --without loss --until 9000",
        "The same seed with one fault less, and a shorter time for the others."),
    ],
    exitStatuses: [
      .init(.ok, "Everything held."),
      .init(.negative, "Something that must hold did not."),
      .init(.usage, "The arguments are wrong."),
      .init(.interrupted, "Interrupted; the last words say with which seed to go on."),
    ],
    objects: [
      .init(
        "seed", "For each seed, in order.",
        [
          "seed": "the seed", "digest": "a hash over all that was delivered, and the final states",
          "violations": "what must not happen and did: `promise`, `time_ms`, `peer`, `room`, `words`",
          "again": "the options that run it again",
        ]),
      .init(
        "finished", "At the end.",
        [
          "seeds": "how many were run", "failed": "in how many something did not hold",
          "seeds_per_second": "by the clock, all jobs together", "events": "own events of honest peers",
          "messages": "messages sent", "agreed_games": "games that all seats have signed",
          "pairings": "results of pairings that organizers wrote",
          "draws": "draws of chance in games", "settled_rounds": "rounds that a host has settled",
          "crashes": "programs that died", "restores": "starts from old copies of disks",
          "partitions": "how often the network of a tournament was split",
          "rulings": "how often its organizer ruled, or an entrant withdrew",
          "overruled": "results that all had signed, and that a ruling made without them overruled",
          "departures": "how often its organizer went on elsewhere, or was gone for good",
          "convictions": "feeds proven forked",
          "attacks": "how often somebody dishonest did something to a whole peer",
          "visited_games": "games that people with browsers came to the end of",
          "shown_events": "moves and lines of chat that pages showed them",
          "round_frauds": "how often each fraud in rounds was tried, by its name",
          "slowest_convergence_ms": "the longest time to be alike",
        ]),
    ])

  /// The table of one command, run as examples show it.
  static let table = CommandTable(
    program: "Tools/run", summary: definition.summary, commands: [definition], globals: [])
}
