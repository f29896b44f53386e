// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: Swift 6 mode, warnings are errors, unsafe code is marked.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Settings of targets that lend bytes where they lie.
let lending = strict + [.enableExperimentalFeature("Lifetimes")]

func library(
  _ name: String, _ dependencies: [String], exclude: [String] = [], path: String? = nil,
  _ settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path ?? "Sources/\(name)",
    exclude: exclude, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [String], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/\(name)",
    exclude: exclude, resources: resources, swiftSettings: strict)
}

/// Whether the fuzz targets are built too; `Tools/fuzz` asks for them, with sanitizers and a folder of their own.
let isFuzzing = Context.environment["PARLOR_FUZZ"] != nil

/// Which modules are built with the thread sanitizer, in a folder of their own: `all` that know threads, or the
/// `stores` alone, with the threads that write them. `Tools/test` asks so.
let threads = Context.environment["PARLOR_THREADS"]

/// Tests of modules that know no threads of their own and of whole programs, and the programs that those alone start.
let threadless: Set = [
  "BenchTests", "BotsTests", "ChannelTests", "CommandLineTests", "EndToEndTests", "EventsTests",
  "EvolutionTests", "GamesTests", "GossipTests", "LineBotsTests", "PeerTests", "PicturesTests",
  "ProjectionTests", "RatingsTests", "SimulationTests", "TidyTests", "TournamentsTests", "ExampleBotC",
  "ExampleBotSwift", "parlor-bench", "parlor-simulate",
]

/// The modules of stores, what they import, and their tests.
let stores: Set = [
  "CLinux", "CLMDB", "CSodium", "CSpawn", "Platform", "LMDB", "Events", "EventLog", "Rules", "BotKit",
  "TestKit",
  "PlatformTests", "LMDBTests", "EventLogTests",
]

/// Whether modules that compute are optimized in debug builds too: `Tools/test` asks so, because tests compute in them
/// for minutes of processor time without. Checks at run time and `@testable` stay.
let isOptimized = Context.environment["PARLOR_OPTIMIZE"] != nil

/// The modules in which tests spend their time.
let computing: Set = [
  "Events", "EventLog", "Ratings", "Rules", "Evolution", "Games", "Projection", "Tournaments", "Gossip",
  "BotKit", "SearchBots", "PrisonersDilemmaBots", "MemoryMatchBots", "Peer", "Simulation",
]

/// Whether release builds of programs have Swift's libraries inside, so that they start sooner and run on machines
/// without a toolchain. The tests' bundle cannot have them, and tests link some programs too: so the variable is set
/// where a program alone is built (`compile` in Tools/lib.sh), and all else that is compiled is the same in both.
let isStatic = Context.environment["PARLOR_STATIC"] != nil

// A module imports only from modules named above it. ARCHITECTURE.md says what each one owns.
let package = Package(
  name: "parlor",
  products: threads == "stores"
    ? []
    : [
      .executable(name: "parlor", targets: ["parlor"]),
      .library(name: "Parlor", targets: ["Parlor"]),
    ],
  targets: [
    .systemLibrary(
      name: "CLMDB", path: "Sources/System/CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(
      name: "CSodium", path: "Sources/System/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CLibuv", path: "Sources/System/CLibuv", pkgConfig: "libuv",
      providers: [.apt(["libuv1-dev"])]),
    // Without pkgConfig, whose flags of threads make every build warn.
    .systemLibrary(
      name: "CAvahi", path: "Sources/System/CAvahi", providers: [.apt(["libavahi-core-dev"])]),
    .systemLibrary(
      name: "CJansson", path: "Sources/System/CJansson", pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
      name: "CWebSockets", path: "Sources/System/CWebSockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(
      name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CQREncode", path: "Sources/System/CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // The files of the page, which lie in Sources/Web/Page.
    .target(name: "CPage", path: "Sources/System/CPage"),
    // Where Swift's runtime gives jobs to its pool of tasks; for the simulator.
    .target(name: "CTasks", path: "Sources/System/CTasks"),
    // libnats, which is looked for when it is wanted.
    .target(name: "CNATS", path: "Sources/System/CNATS"),
    // What the module of the C library leaves out.
    .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
    library("Platform", ["CLinux"]),
    library("JSON", ["CJansson"]),
    library("NATS", ["CNATS", "Platform"]),
    library("LMDB", ["CLMDB", "Platform"], lending),
    library("Events", ["CSodium"], lending),
    library("EventLog", ["Platform", "LMDB", "Events"], lending),
    library("Ratings", []),
    library("Rules", []),
    library("Evolution", ["Rules"]),
    library("Games", ["JSON", "Rules"]),
    library("Projection", ["Events", "Rules"]),
    library("Tournaments", ["Events", "Rules", "Projection"]),
    library("Gossip", ["Events", "EventLog", "Rules", "Projection"]),
    library("Channel", ["CSodium", "Events"]),
    library("BotKit", ["Rules"]),
    library("SearchBots", ["Rules", "Games", "BotKit"], path: "Bots/Search"),
    library("PrisonersDilemmaBots", ["Rules", "Games", "BotKit"], path: "Bots/PrisonersDilemma"),
    library("MemoryMatchBots", ["Rules", "Games", "BotKit"], path: "Bots/MemoryMatch"),
    library("TapRaceBots", ["Rules", "BotKit"], path: "Bots/TapRace"),
    library(
      "Peer",
      [
        "Events", "EventLog", "Ratings", "Rules", "Games", "Projection", "Tournaments", "Gossip", "BotKit",
      ]),
    library(
      "Network",
      ["CLibuv", "Platform", "Events", "EventLog", "Gossip", "Channel", "BotKit", "Projection", "Peer"]),
    library("Discovery", ["CAvahi", "Platform", "Events", "Channel", "Network"]),
    library("Relay", ["NATS", "Platform", "Events", "Channel", "Network"]),
    library(
      "Service",
      [
        "Platform", "Events", "EventLog", "Rules", "Projection", "Tournaments", "Gossip", "Channel", "BotKit",
        "Peer", "Network", "Relay",
      ]),
    library("Queue", ["JSON", "NATS", "Platform", "Events", "Peer"]),
    library("LineBots", ["JSON", "Platform", "Events", "Rules", "BotKit", "Service"]),
    library(
      "Web",
      [
        "CWebSockets", "COpenSSL", "CPage", "CQREncode", "CZlib", "Platform", "JSON", "Events", "Rules",
        "Projection", "Tournaments", "BotKit", "SearchBots", "Peer", "Network", "Service",
      ], exclude: ["Page"]),
    library(
      "Parlor",
      [
        "Platform", "Events", "EventLog", "Rules", "Games", "Projection", "BotKit", "SearchBots",
        "PrisonersDilemmaBots", "MemoryMatchBots", "Peer", "Network", "Service",
      ]),
    library(
      "Simulation",
      [
        "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "Gossip", "BotKit", "Peer",
      ]),
    library(
      "ServiceSimulation",
      [
        "CTasks", "Platform", "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "BotKit",
        "SearchBots", "Gossip", "JSON", "Peer", "Channel", "Network", "Service", "Simulation", "Web",
      ]),
    library("Terminal", ["JSON", "Platform", "Rules"]),
    library("Pictures", ["Rules", "Tournaments", "Terminal"]),
    .executableTarget(
      name: "parlor",
      dependencies: [
        "Platform", "LMDB", "Events", "EventLog", "Ratings", "Rules", "Evolution", "Games",
        "Projection", "Tournaments", "BotKit", "SearchBots", "PrisonersDilemmaBots", "MemoryMatchBots",
        "TapRaceBots", "Peer", "NATS", "Network", "Relay", "Service", "Queue", "LineBots", "Web", "Discovery",
        "Terminal", "Pictures",
      ],
      path: "Tools/CLI", swiftSettings: strict),
    .executableTarget(name: "ExampleBotC", path: "Bots/Examples/C"),
    .executableTarget(
      name: "ExampleBotSwift", dependencies: ["Parlor"], path: "Bots/Examples/Swift", swiftSettings: strict),
    .target(name: "CFloor", dependencies: ["CLMDB", "CSodium"], path: "Tools/Bench/Floor"),
    .executableTarget(
      name: "parlor-bench",
      dependencies: [
        "Platform", "Events", "EventLog", "Gossip", "Rules", "Games", "Projection", "BotKit", "SearchBots",
        "PrisonersDilemmaBots", "Tournaments", "Peer", "Channel", "Network", "Service", "LineBots",
        "Simulation", "Terminal", "CFloor",
      ],
      path: "Tools/Bench", exclude: ["Floor", "redis"], swiftSettings: strict),
    .executableTarget(
      name: "parlor-simulate",
      dependencies: ["Platform", "Events", "Simulation", "ServiceSimulation", "Terminal"],
      path: "Tools/Simulate",
      swiftSettings: strict),
    .target(name: "CSpawn", path: "Tests/TestKit/Spawn"),
    .target(
      name: "TestKit", dependencies: ["Rules", "BotKit", "CSpawn"], path: "Tests/TestKit",
      exclude: ["Spawn"], swiftSettings: strict),
    tests(
      "BenchTests",
      [
        "Events", "EventLog", "Rules", "Games", "Projection", "BotKit", "SearchBots", "Peer", "CFloor",
        "TestKit",
      ]),
    tests("RatingsTests", ["Ratings", "TestKit"]),
    tests("EvolutionTests", ["Rules", "Evolution"]),
    tests("GamesTests", ["Rules", "Games", "BotKit", "TestKit"]),
    tests(
      "BotsTests",
      [
        "Rules", "Games", "BotKit", "SearchBots", "PrisonersDilemmaBots", "MemoryMatchBots", "TapRaceBots",
        "TestKit",
      ]),
    tests("PlatformTests", ["Platform"]),
    tests("LMDBTests", ["LMDB", "TestKit"]),
    tests("EventsTests", ["CSodium", "Events", "EventLog", "TestKit"]),
    tests("EventLogTests", ["LMDB", "Events", "EventLog", "TestKit"]),
    tests("GossipTests", ["Events", "EventLog", "Gossip", "BotKit", "TestKit"]),
    tests(
      "ChannelTests", ["Events", "Gossip", "Channel", "BotKit", "TestKit"],
      exclude: ["Reader", "Vectors"]),
    tests(
      "PeerTests",
      [
        "Platform", "Events", "EventLog", "Ratings", "Rules", "Games", "Gossip", "Projection", "Tournaments",
        "BotKit",
        "SearchBots",
        "PrisonersDilemmaBots", "MemoryMatchBots", "Peer", "TestKit",
      ]),
    tests(
      "NetworkTests",
      [
        "Platform", "Events", "EventLog", "Games", "Projection", "Gossip", "Channel", "BotKit", "Peer",
        "Network", "Relay",
        "TestKit",
      ]),
    .executableTarget(
      name: "DiscoveryProbe", dependencies: ["Platform", "Events", "Network", "Discovery", "Terminal"],
      path: "Tests/DiscoveryProbe", swiftSettings: strict),
    tests(
      "DiscoveryTests", ["Events", "Network", "Discovery", "DiscoveryProbe", "TestKit"],
      exclude: ["Hostile"]),
    tests(
      "ServiceTests",
      [
        "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "BotKit", "SearchBots", "Peer",
        "Network", "Service", "TestKit",
      ]),
    tests(
      "WebTests",
      ["Platform", "Events", "JSON", "BotKit", "Peer", "Network", "Service", "Web", "TestKit"]),
    tests(
      "LineBotsTests",
      [
        "Platform", "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "BotKit",
        "SearchBots", "Peer", "LineBots", "ExampleBotC", "ExampleBotSwift", "TestKit",
      ], exclude: ["Bots"]),
    tests("ParlorTests", ["Parlor", "TestKit"]),
    tests(
      "ProjectionTests",
      ["Platform", "Events", "EventLog", "Rules", "Games", "BotKit", "Projection", "Tournaments", "TestKit"]),
    tests(
      "SimulationTests",
      [
        "Platform", "BotKit", "Events", "EventLog", "Games", "Projection", "Rules", "Tournaments",
        "Simulation",
        "ServiceSimulation", "TestKit",
      ]),
    tests("TidyTests", ["TestKit"]),
    tests("TournamentsTests", ["Rules", "Tournaments", "TestKit"]),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Platform", "Terminal"], path: "Tests/TerminalProbe",
      swiftSettings: strict),
    tests("PicturesTests", ["Rules", "Tournaments", "Terminal", "Pictures", "TestKit"]),
    tests("TerminalTests", ["JSON", "Platform", "Rules", "Terminal", "TerminalProbe", "TestKit"]),
    tests(
      "CommandLineTests",
      [
        "BotKit", "Events", "Games", "LineBots", "Peer", "Rules", "SearchBots", "Service", "Terminal",
        "TestKit", "parlor",
      ]),
    // The program as its users run it: nothing of it is imported.
    tests(
      "EndToEndTests",
      [
        "JSON", "Platform", "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "Gossip",
        "Channel",
        "BotKit",
        "SearchBots", "PrisonersDilemmaBots", "Peer", "NATS", "Network", "Relay", "Service", "Queue",
        "LineBots", "Parlor", "Simulation", "ServiceSimulation", "Terminal", "TestKit",
      ],
      exclude: [
        "Web/sockets.py", "Web/transcripts.py", "Web/crowd.py", "Web/browser.py", "Web/chromium.py",
        "Web/page.py", "Web/pipeline.py", "Web/report.py", "Web/requests.py", "Hosts/flip.py",
        "Hosts/lossy.py", "Hosts/hostile.py", "Reader/frauds.py", "Reader/runs.py", "Reader/strange.py",
        "Reader/tamper.py", "Reader/strange_four.py", "Reader/signatures.py", "Reader/checks.mjs",
        "Reader/swiss.py", "Reader/false_pairings.py",
        "Web/verify.py", "Web/page_checks.py", "Web/cup.py", "Web/qr.py", "Web/own_key.py", "Web/seat.py",
        "Web/seat.mjs", "Web/liar.py", "Queue/credentials.mjs", "Queue/refusing.py", "Reader/strange_cup.py",
        "Web/asks.py", "Reader/strange_dilemma.py",
        "Web/key_player.py",
        "Web/own_quiz.py", "Web/own_host.py", "Web/host.py", "Web/quiz.py", "Web/hosted_player.mjs",
        "Web/rounds.py", "Web/claims.py", "Web/quiz_crowd.py",
        "Web/tls.py", "Web/secure.py",
      ]),
    .systemLibrary(name: "CFuzzer", path: "Tools/FuzzTargets/System"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "Events", "EventLog", "Rules", "Games", "Projection", "Tournaments", "BotKit", "Gossip",
        "Channel", "Peer", "Network", "Discovery", "Service", "JSON", "Web", "Terminal", "LineBots",
      ],
      path: "Tools/FuzzTargets", exclude: ["System"], swiftSettings: strict),
  ].filter { target in
    switch threads {
    case "stores": stores.contains(target.name)
    case "all" where threadless.contains(target.name): false
    default: isFuzzing || !["Fuzz", "CFuzzer"].contains(target.name)
    }
  }
)

for target in package.targets where isOptimized && computing.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

for target in package.targets
where isStatic && ["parlor", "parlor-bench", "parlor-simulate"].contains(target.name) {
  target.linkerSettings = [
    .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
  ]
}

// Optimizing tests would take longer than they run; and where one file changes, it alone is compiled again. The
// compiler says that it then takes no number of threads, which the package manager gives it.
for target in package.targets where target.type == .test {
  let flags = ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"]
  target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
}
