import Events
import Foundation
import Games
import Peer
import Rules
import ServiceSimulation
import Simulation
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// `parlor tournament verify` and `Tools/read-log.py`, which share no code, say the same of the same files.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct TournamentReaderTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// What either program says of one file.
  private struct Said: Equatable {
    /// One thing that was found; reasons are in each program's own words.
    struct Finding: Decodable, Hashable {
      let finding: String
      let pairing: String?
      let attempt: Int?
      let room: String?
    }
    /// Where an entrant stands.
    struct Line: Decodable, Equatable {
      let rank: Int
      let entrant: String
    }
    var findings: Set<Finding>
    /// Of words, which are named by their events.
    var events: Set<String>
    var isGood: Bool?
    var standings: [Line]
    var digest: String?
    var decided: Int
    /// Whether all is decided and nothing follows.
    var isComplete: Bool
    /// Whether the rules of all games are known.
    var isWhole: Bool

    init(_ objects: [[String: Any]], _ last: [String: Any], verdict: String) throws {
      let data = try JSONSerialization.data(withJSONObject: objects)
      findings = Set(try JSONDecoder().decode([Finding].self, from: data))
      let words = objects.filter { $0["attempt"] is Int && $0["finding"] as? String != "fork" }
      events = Set(words.compactMap { $0["event"] as? String })
      isGood = last[verdict] as? Bool
      let lines = try JSONSerialization.data(withJSONObject: last["standings"] as? [Any] ?? [])
      standings = try JSONDecoder().decode([Line].self, from: lines)
      digest = last["standingsDigest"] as? String
      decided = last["decided"] as? Int ?? 0
      isComplete = last["complete"] as? Bool ?? false
      isWhole =
        (last["notChecked"] as? [String] ?? []).isEmpty
        && !objects.contains { ($0["reason"] as? String)?.contains("are not known here") == true }
    }
  }

  /// What both say of these files.
  private func said(of paths: [String]) throws -> [(parlor: Said, reader: Said)] {
    let read = try LogReader.run([LogReader.script, "--json"] + paths, home: home)
    let objects = try read.objects()
    try #require(objects.count == paths.count, "\(read.errors)")
    return try zip(paths, objects).map { path, object in
      let run = try Program.run("tournament", "verify", path, "--json", home: home)
      let last = try #require(try run.objects().last, "\(run.errors)")
      let parlor = try Said(try run.objects().dropLast(), last, verdict: "valid")
      #expect(run.status == (parlor.isGood.map { $0 ? 0 : 1 } ?? 69))
      let found = object["findings"] as? [[String: Any]] ?? []
      return (parlor, try Said(found, object, verdict: "good"))
    }
  }

  /// The formats whose pairings the script makes again.
  private static let formats: [TournamentFormat] = [
    .roundRobin, .gauntlet, .singleElimination, .doubleElimination, .ladder, .swiss, .groups,
  ]

  /// One of each way in which a format pairs.
  private static let waysToPair: [TournamentFormat] = [
    .swiss, .doubleElimination, .roundRobin, .ladder, .groups,
  ]

  @Test(arguments: formats)
  func theyAgreeOnHonestTournaments(_ format: TournamentFormat) async throws {
    let samples = try Samples(home.file("data"))
    var paths: [String] = []
    for count in 2..<Effort.size(12, quick: 6) {
      let entrants = (0..<count).map { ["greedy", "random", "lookahead:2"][$0 % 3] }
      let room = try await samples.tournament(entrants, format: format)
      paths.append(home.file("cup\(count)"))
      try Data(TournamentParts(room, in: samples.log).bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
    }
    for (path, (parlor, reader)) in zip(paths, try said(of: paths)) {
      #expect(parlor == reader && parlor.isGood == true && parlor.digest != nil, "\(path)")
      #expect(parlor.findings.isEmpty && parlor.decided > 0)
    }
  }

  /// The rules of every game whose results are moves.
  @Test(arguments: [
    ("connect-four", ["greedy", "random"]), ("gomoku", ["greedy", "random"]),
    ("k-in-a-row", ["random", "greedy"]),
    ("ultimate-tic-tac-toe", ["greedy", "random"]), ("othello", ["greedy", "random"]),
    ("prisoners-dilemma", ["tit-for-tat", "random", "alternator"]), ("memory-match", ["random"]),
  ]) func theyAgreeOnEveryGame(game: String, entrants: [String]) async throws {
    let samples = try Samples(home.file("data"))
    let names = (0..<Effort.size(5, quick: 3)).map { entrants[$0 % entrants.count] }
    let room = try await samples.tournament(names, of: game)
    let path = home.file("cup")
    try Data(TournamentParts(room, in: samples.log).bytes).write(to: URL(fileURLWithPath: path))
    let (parlor, reader) = try #require(try said(of: [path]).first)
    #expect(parlor == reader && parlor.isGood == true && parlor.digest != nil && reader.isWhole)
    #expect(parlor.findings.isEmpty && parlor.decided == names.count * (names.count - 1) / 2)
  }

  /// Double eliminations in which the final is won by either side of it.
  @Test func theyAgreeOnTheReset() async throws {
    let samples = try Samples(home.file("data"))
    var paths: [String] = []
    for count in 2...3 {
      for seed in UInt64(0)..<12 {
        let entrants = [String](repeating: "random", count: count)
        let room = try await samples.tournament(entrants, format: .doubleElimination, seed: seed)
        if seed.isMultiple(of: 2) {
          // A reset that is not to be played would be lost by this.
          let organizer = Organizer(samples.household)
          _ = try await organizer.open(room)
          _ = try await organizer.disqualify(EntrantIndex(rawValue: 1), reason: "late", in: room)
        }
        paths.append(home.file("cup\(count)\(seed)"))
        try Data(TournamentParts(room, in: samples.log).bytes).write(
          to: URL(fileURLWithPath: paths.last ?? ""))
      }
    }
    var decided: Set<Int> = []
    for (path, (parlor, reader)) in zip(paths, try said(of: paths)) {
      #expect(parlor == reader && parlor.isGood == true && parlor.digest != nil, "\(path)")
      decided.insert(parlor.decided)
    }
    // Two entrants meet twice, or three times; three meet four times, or five.
    #expect(decided == [2, 3, 4, 5])
  }

  /// Tournaments that another program has paired by FIDE's Dutch system.
  @Test func itPairsSwissRoundsAsOthersDo() throws {
    let file = PackageFolder.file("Tests/Fixtures/swiss-dutch.txt").path
    let run = try LogReader.tool("swiss.py", [file], home: home)
    let objects = try run.objects()
    let differing = objects.filter { ($0["differing"] as? [Int])?.isEmpty != true }
    #expect(objects.count == 179 && differing.isEmpty && run.status == 0, "\(differing) \(run.errors)")
  }

  /// An organizer of a Swiss tournament that gives an entrant another opponent, the bye of another, or the other seat.
  @Test func theyNameFalsePairings() async throws {
    let samples = try Samples(home.file("data"))
    let entrants = [String](repeating: "random", count: Effort.size(9, quick: 5))
    let room = try await samples.tournament(entrants, format: .swiss, games: 1)
    let path = home.file("cup")
    try Data(TournamentParts(room, in: samples.log).bytes).write(to: URL(fileURLWithPath: path))
    let objects = try LogReader.tool("false_pairings.py", [home.path, path], home: home).objects()
    #expect(Set(objects.compactMap { $0["what"] as? String }) == ["honest", "seats", "bye", "opponents"])
    let paths = objects.compactMap { $0["path"] as? String }
    for (object, (parlor, reader)) in zip(objects, try said(of: paths)) {
      let named = reader.findings.filter { $0.finding == "false" }.compactMap(\.pairing)
      #expect(parlor == reader && Set(named) == Set(object["pairings"] as? [String] ?? ["none"]), "\(object)")
    }
  }

  /// Entrants that are absent, withdraw and are disqualified, some before a game is played and some at the end.
  @Test(arguments: Effort.cases(formats, quick: 4), [true, false])
  func theyAgreeOnRulings(_ format: TournamentFormat, bothAreAbsent: Bool) async throws {
    let samples = try Samples(home.file("data"))
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let options =
      switch format {
      case .singleElimination: ["third-place": 1, "deciders": 1]
      case .doubleElimination: ["deciders": 1]
      case .ladder: ["rounds": 7]
      case .swiss: ["rounds": 3]
      case .groups: ["groups": 2, "advance": 2, "third-place": 1]
      default: ["cycles": 2]
      }
    let settings = try TournamentSettings(format: format, entrants: 6, options: options)
    let entrants = ["greedy", "random", "greedy", "random", "random", "greedy"]
    let room = try await Organizer(samples.household).create(
      .init(rules: rules, settings: settings, entrants: entrants, seed: 3, title: ""))
    // Each goes by what the one before has stored.
    func organizer() async throws -> (Organizer, TournamentRoom) {
      let organizer = Organizer(samples.household)
      return (organizer, try await organizer.open(room))
    }
    let (first, tournament) = try await organizer()
    let absent = try #require(tournament.state.ready.first).entrants
    let called = Set(bothAreAbsent ? absent : Array(absent.prefix(1)))
    _ = try await first.callAbsent([absent[1]], in: PairingNumber(0), of: room)
    _ = try await organizer().0.reopen(PairingNumber(0), of: room)
    _ = try await organizer().0.callAbsent(called, in: PairingNumber(0), of: room)
    _ = try await organizer().0.withdraw(EntrantIndex(rawValue: 4), from: room)
    _ = try await organizer().0.disqualify(EntrantIndex(rawValue: 5), reason: "early", in: room)
    _ = try await organizer().0.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    _ = try await organizer().0.disqualify(EntrantIndex(rawValue: 1), reason: "wrong", in: room)
    _ = try await organizer().0.reinstate(EntrantIndex(rawValue: 1), in: room)
    _ = try await organizer().0.disqualify(EntrantIndex(rawValue: 1), reason: "late", in: room)
    // Taken back at the end: where pairings follow from results these rest on it.
    let log = try samples.log.load(room, verify: true)
    let words = log.entries.map(\.event).filter { $0.kind == .pairingResult }
    var core = samples.household.core(samples.household.owner)
    core.open(log, isDurable: true)
    _ = try core.write(.revoke(word: words[1].id), in: room)
    try samples.log.write([try #require(try core.prepareCommit(room))])
    let path = home.file("cup")
    try Data(TournamentParts(room, in: samples.log).bytes).write(to: URL(fileURLWithPath: path))
    let (parlor, reader) = try #require(try said(of: [path]).first)
    #expect(parlor == reader && parlor.isGood == true && parlor.digest != nil)
    // Who is disqualified, what was taken back, and the walkover where it was not. In their group one of the two is out
    // as well.
    let isFree = [.roundRobin, .gauntlet, .groups].contains(format)
    #expect(parlor.findings.count { $0.finding == "decision" } == (isFree ? 2 : 3))
  }

  /// What honest peers hold of tournaments at which dishonest organizers, entrants and strangers were.
  @Test func theyAgreeOnAttackedTournaments() async throws {
    var paths: [String] = []
    // In the first one a table's creator has given the other seat to somebody else after the organizer's word.
    let seeds = [42_333] + (0..<UInt64(Effort.size(24, quick: 2))).map { 50_000 + $0 }
    for seed in seeds {
      var options = SimulationOptions(seed: seed, scenario: .attacks)
      options.keepsFiles = true
      for (peer, bytes) in await Simulator.report(of: options).files.sorted(by: { $0.key < $1.key }) {
        paths.append(home.file("\(seed)-\(peer).cup"))
        try Data(bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
      }
    }
    var found: [String: Int] = [:]
    for (path, (parlor, reader)) in zip(paths, try said(of: paths)) {
      // Of games that it does not know the reader says that it does not check them.
      guard reader.isWhole else { continue }
      #expect(parlor == reader, "\(path)")
      for finding in parlor.findings { found[finding.finding, default: 0] += 1 }
    }
    let kinds = Effort.isQuick ? ["decision"] : ["fork", "false", "decision"]
    #expect(kinds.allSatisfy { found[$0] != nil }, "\(found)")
  }

  /// Entrants who come in while it goes on, and one of them leaves.
  @Test(arguments: [TournamentFormat.swiss, .ladder, .roundRobin, .gauntlet], 0..<Effort.size(4, quick: 1))
  func theyAgreeOnLateEntrants(_ format: TournamentFormat, seed: Int) async throws {
    let samples = try Samples(home.file("data"))
    let (room, entrants) = try await samples.lateEntrants(format, seed: seed)
    let path = home.file("cup")
    try Data(TournamentParts(room, in: samples.log).bytes).write(to: URL(fileURLWithPath: path))
    let (parlor, reader) = try #require(try said(of: [path]).first)
    #expect(parlor == reader && parlor.isGood == true && parlor.digest != nil && parlor.isComplete)
    #expect(parlor.standings.count == entrants && parlor.findings.isEmpty)
  }

  /// An organizer that says two things at one place of its feed.
  @Test func theyAgreeOnAnOrganizerThatForks() async throws {
    let honest = try Samples(home.file("honest"))
    let room = try await honest.tournament(["greedy", "random", "random"])
    var paths: [String] = []
    for place in 0..<3 {
      let samples = try Samples(home.file("data\(place)"))
      var whole = try honest.log.load(room, verify: true)
      let words = whole.entries.indices.filter { whole.entries[$0].event.kind == .pairingResult }
      var before = RoomLog(room: room)
      for entry in whole.entries[..<words[place]] { before.restore(entry.event, signature: entry.signature) }
      var core = samples.household.core(samples.household.owner)
      core.open(before, isDurable: true)
      let event = try core.write(
        .pairingResult(
          .init(pairing: UInt32(place), attempt: 0, room: .none, heads: [], walkover: .bothAbsent, games: [])),
        in: room)
      let signature = samples.household.owner.sign(event.id)
      _ = try whole.receive(Run(events: [event], signature: signature), scheme: Ed25519())
      let games = try honest.log.rooms(of: room).map { try honest.log.load($0.room, verify: true) }
      try samples.log.write(([whole] + games).map { RoomChange($0, from: 0) })
      paths.append(home.file("cup\(place)"))
      let bytes = try TournamentParts(room, in: samples.log).bytes
      try Data(bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
    }
    for (path, (parlor, reader)) in zip(paths, try said(of: paths)) {
      #expect(parlor == reader && parlor.findings.contains { $0.finding == "fork" }, "\(path)")
    }
  }

  @Test(arguments: Effort.cases(waysToPair, quick: 2))
  func theyNameTheSameTamperings(_ format: TournamentFormat) async throws {
    let samples = try Samples(home.file("data"))
    let entrants = [String](repeating: "random", count: Effort.size(6, quick: 3))
    let tournament = try await samples.tournament(entrants, format: format, games: 1)
    let other = try TournamentParts(
      try await samples.tournament(entrants, format: format, games: 1), in: samples.log)
    let parts = try TournamentParts(tournament, in: samples.log)
    var paths: [String] = []
    var names: [String] = []
    for number in 1..<parts.rooms.count {
      let told = try samples.retold(tournament, of: parts.rooms[number]).bundle
      for kind in TournamentParts.Tampering.allCases {
        paths.append(home.file("\(kind)\(number)"))
        names.append("\(kind) at \(number)")
        let bytes = parts.tampered(kind, at: number, other: other, told: told).bytes
        try Data(bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
      }
    }
    for (name, (parlor, reader)) in zip(names, try said(of: paths)) {
      #expect(parlor.isGood != true && !parlor.findings.isEmpty, "\(name)")
      #expect(parlor.findings == reader.findings && parlor.isGood == reader.isGood, "\(name)")
      #expect(parlor.digest == reader.digest && parlor.standings == reader.standings, "\(name)")
    }
  }

  /// Every kind of lie that a word can be, with the rooms there and without one of them.
  @Test(arguments: Effort.cases(waysToPair, quick: 2), [nil, [0, 2]])
  func theyAgreeOnAnOrganizerThatLies(_ format: TournamentFormat, rooms: [Int]?) async throws {
    let honest = try Samples(home.file("honest"))
    let entrants = ["greedy", "random", "random"] + (format == .swiss || format == .groups ? ["random"] : [])
    let room = try await honest.tournament(entrants, format: format)
    let lies: [(inout [Action.PairingResult], [RoomLog]) throws -> Void] = [
      { words, _ in (words[0].walkover, words[0].games) = (.firstAbsent, []) },
      { words, _ in
        (words[0].walkover, words[0].games, words[0].room, words[0].heads) = (.secondAbsent, [], .none, [])
      },
      { words, _ in (words[1].room, words[1].heads) = (words[0].room, words[0].heads) },
      { words, _ in words[0].heads[0].event = EventID(Blake2b(domain: "nothing").digest()) },
      { words, _ in words[0].heads[0].sequence += 1 },
      { words, _ in (words[0].room, words[0].heads) = (.none, []) },
      { words, rooms in try Self.tellEarly(&words[0], rooms[0], flips: true) },
      { words, rooms in try Self.tellEarly(&words[0], rooms[0], flips: false) },
      { words, _ in words.removeLast() },
      { words, _ in words.swapAt(0, 2) },
      { words, _ in words[1].pairing = 0 },
      { words, _ in words[1].games.removeLast() },
    ]
    var paths: [String] = []
    for (number, lie) in lies.enumerated() {
      let samples = try Samples(home.file("data\(number)"))
      try samples.retell(room, from: honest, rooms: rooms, lie)
      paths.append(home.file("cup\(number)"))
      let bytes = try TournamentParts(room, in: samples.log).bytes
      try Data(bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
    }
    var verdicts: Set<Bool?> = []
    for (path, (parlor, read)) in zip(paths, try said(of: paths)) {
      var reader = read
      // These wait for their last words, also where all have signed; numbers of pairings do not show it.
      if format.followsWords { reader.isComplete = parlor.isComplete }
      #expect(parlor == reader, "\(path)")
      verdicts.insert(parlor.isGood)
    }
    #expect(verdicts.isSuperset(of: rooms == nil ? [true, false] : [nil, false]))
  }

  /// Has a word rest on the first three moves of its room.
  private static func tellEarly(_ word: inout Action.PairingResult, _ room: RoomLog, flips: Bool) throws {
    var early = RoomLog(room: room.room)
    let moves = room.entries.indices.filter { room.entries[$0].event.kind == .move }
    for entry in room.entries[...moves[2]] { early.restore(entry.event, signature: entry.signature) }
    word.heads = early.heads(of: early.feeds.map(\.author)).sorted()
    word.games = flips ? word.games.map { [$0[1], $0[0]] } : []
    if !flips { word.walkover = .firstAbsent }
  }
}
