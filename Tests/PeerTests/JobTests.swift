import BotKit
import EventLog
import Events
import Games
import MemoryMatchBots
import PrisonersDilemmaBots
import Projection
import Rules
import SearchBots
import Synchronization
import Testing
import Tournaments

@testable import Peer

/// Tournaments whose games are played by others, without a queue between.
@Suite struct JobTests {
  private static let families = BotCatalog(
    SearchBots.families + PrisonersDilemmaBots.families + MemoryMatchBots.families)
  private static let bots = BotCatalog(families) { (_, rules) throws(BotError) in
    Command(bot: try families.bot("random", for: rules))
  }

  /// A bot like one that is a program: its moves are taken on a worker's word.
  private struct Command: Bot {
    let bot: any Bot
    var declaration: BotDeclaration {
      var declaration = bot.declaration
      declaration.specification = "./command"
      declaration.nodeBudget = 0
      return declaration
    }
    func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try bot.choose(turn) }
  }

  /// A household whose clock stands, so that two of them write the same events.
  private func home() -> Household {
    Household(
      owner: SigningKey(seed: [UInt8](repeating: 1, count: 32)), log: MemoryEventLog(network: .standard),
      games: Games.catalog, bots: Self.bots, now: { 1_000 }, elapsed: { 0 })
  }

  private func run(
    _ home: Household, _ game: String, _ entrants: [String], _ elsewhere: Elsewhere?,
    _ report: @escaping @Sendable (Organizer.Report) -> Void = { _ in }
  ) async throws -> TournamentRoom {
    let words = game.split(separator: " ").map(String.init)
    var parameters = Parameters()
    for word in words.dropFirst() {
      let parts = word.split(separator: "=").map(String.init)
      parameters[parts[0]] = parts[1]
    }
    let rules = try #require(Games.catalog.newest(words[0])).rules(parameters)
    let settings = try TournamentSettings(format: .roundRobin, entrants: entrants.count)
    let organizer = Organizer(home)
    let room = try await organizer.create(
      .init(rules: rules, settings: settings, entrants: entrants, seed: 7, title: "test"))
    return try await organizer.run(
      room, concurrency: 1, elsewhere: elsewhere, isCancelled: { false }, report: report)
  }

  /// The ids of all events of all rooms but the tournament's own, which says in which order results came.
  private func events(_ home: Household, _ tournament: TournamentRoom) throws -> [RoomID: Set<EventID>] {
    var found: [RoomID: Set<EventID>] = [:]
    for listing in try home.log.rooms(of: tournament.room) {
      found[listing.room] = Set(try home.log.load(listing.room, verify: true).events.map(\.id))
    }
    return found
  }

  /// Somebody who plays jobs as they are written.
  private func elsewhere(
    _ change: @escaping @Sendable (Job, JobRoom, [UInt8], _ number: Int) async throws -> [UInt8] = {
      _, _, honest, _ in honest
    }
  ) -> Elsewhere {
    Elsewhere(window: 4, elapsed: { 0 }) { (job, room, number) async throws(PeerError) in
      do {
        let read = try Job(encoded: job.encoded)
        let jobRoom = try JobRoom(read, Games.catalog)
        let log = try #require(try await read.play(jobRoom, Games.catalog, Self.bots) { false })
        let bundle = try await change(read, jobRoom, try log.bundle(of: .standard), number)
        let answer = JobAnswer(room: room, worker: "test", .played(bundle: bundle))
        return .init(try JobAnswer(encoded: answer.encoded)) {}
      } catch { throw .notAllowed("\(error)") }
    }
  }

  @Test(arguments: [
    ("connect-four", ["greedy", "random", "lookahead:2"]),
    ("prisoners-dilemma", ["tit-for-tat", "joss", "grudger"]),
    ("prisoners-dilemma noise=150 ending=20", ["tit-for-tat", "joss", "grudger"]),
    ("memory-match", ["memory:4", "level:3", "random"]),
  ])
  func roomsThatOthersPlayAreThoseOfOneProcess(_ game: String, _ entrants: [String]) async throws {
    let (here, there) = (home(), home())
    let alone = try await run(here, game, entrants, nil)
    let accepted = Mutex(0)
    let shared = try await run(there, game, entrants, elsewhere()) { report in
      if case .elsewhere(_, .accepted(_, onWord: [])) = report { accepted.withLock { $0 += 1 } }
    }
    #expect(try alone.standingsDigest() == shared.standingsDigest())
    #expect(try events(here, alone) == events(there, shared))
    #expect(accepted.withLock { $0 } == 3)
  }

  enum Lie: CaseIterable { case resigns, otherMoves, illegal, otherSignature, otherRoom, unplayed, noise }

  /// What a liar gives back, who has all that a job gives.
  private static func lie(_ lie: Lie, _ job: Job, _ room: JobRoom, _ honest: [UInt8]) throws -> [UInt8] {
    switch lie {
    case .unplayed: return job.bundle
    case .noise: return Array(honest.prefix(honest.count / 2)) + [UInt8](repeating: 7, count: 64)
    case .illegal: return try illegal(job, room)
    case .otherSignature:
      var log = RoomLog(room: room.room)
      for entry in try BundleContent(reader(honest)).entries {
        let signature = entry.signature.map { _ in
          SigningKey(seed: [UInt8](repeating: 9, count: 32)).sign(entry.event.id)
        }
        log.restore(entry.event, signature: signature)
      }
      return try log.bundle(of: .standard)
    case .otherRoom:
      var core = PeerCore(
        signer: RoomSigner(job.seats[0].key, salts: job.seats[0].salts), network: .standard,
        catalog: Games.catalog, scheme: Ed25519()
      ) { 1_000 }
      let made = try core.create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: 1,
          nonce: .init(repeating: 0, count: 16), profile: Profile(name: "x")))
      try core.sign(made)
      return try #require(core.log(of: made)).bundle(of: .standard)
    case .resigns, .otherMoves: return try playOtherwise(job, room, resigns: lie == .resigns)
    }
  }

  /// Games that are signed and legal, and are not those of the bots.
  private static func playOtherwise(_ job: Job, _ room: JobRoom, resigns: Bool) throws -> [UInt8] {
    var host = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 9, count: 32)), network: .standard,
      catalog: Games.catalog, scheme: Ed25519()
    ) { 1_000 }
    host.open(room.log, isDurable: true)
    let guests = job.seats.enumerated().map { seat, lent in
      Session.Player(
        signer: RoomSigner(lent.key, salts: lent.salts),
        conduct: .init(profile: Profile(name: ""), wantedSeat: UInt16(seat), signsEachGame: false))
    }
    var session = try Session(
      room: room.room, core: host, conduct: .init(profile: Profile(name: "")), guests: guests,
      place: .init(seed: 7))
    while case .person(let player, let seat) = session.wait() {
      let last = session.state.currentGame?.state.legalMoves(of: seat).last
      if resigns {
        try session.perform(.resign, by: player)
      } else {
        try session.play(BotChoice(try #require(last)), by: player)
      }
    }
    try session.core.sign(room.room)
    return try #require(session.core.log(of: room.room)).bundle(of: .standard)
  }

  /// A first move that the rules do not know, signed by the seat that is to move.
  private static func illegal(_ job: Job, _ room: JobRoom) throws -> [UInt8] {
    var log = room.log
    let start = try #require(log.events.last)
    guard case .seat(let seat)? = room.state.turn else { throw LogError.wrongRoom(start.id) }
    let lent = job.seats[Int(seat.rawValue)]
    let signer = RoomSigner(lent.key, salts: lent.salts)
    let own = try #require(log.events.last { $0.author == signer.peer })
    let move = try Event.author(
      .move(.init(game: 0, ply: 0, node: start.id), code: 9_999, nil), room: log.room, author: signer.peer,
      sequence: own.sequence + 1, previous: own.id, parents: [start.id], wallTime: 1_000,
      hasher: EventHasher(network: .standard))
    try log.append(move, signature: signer.sign(move.id))
    return try log.bundle(of: .standard)
  }

  private static func reader(_ bytes: [UInt8]) throws -> BundleReader {
    var rest: [UInt8]? = bytes
    return try BundleReader(network: nil) {
      defer { rest = nil }
      return rest ?? []
    }
  }

  @Test(arguments: Lie.allCases, [1, 3])
  func whatALiarGivesBackDoesNotCount(_ lie: Lie, times: Int) async throws {
    let entrants = ["greedy", "random", "lookahead:2"]
    let (here, there) = (home(), home())
    let alone = try await run(here, "connect-four", entrants, nil)
    let refused = Mutex<[String]>([])
    let playedHere = Mutex(0)
    let elsewhere = elsewhere { job, room, honest, number in
      number < times ? try Self.lie(lie, job, room, honest) : honest
    }
    let shared = try await run(there, "connect-four", entrants, elsewhere) { report in
      if case .elsewhere(_, .refused(_, let reason)) = report { refused.withLock { $0.append(reason) } }
      if case .elsewhere(_, .playedHere) = report { playedHere.withLock { $0 += 1 } }
    }
    let reasons = refused.withLock { $0 }
    #expect(reasons.count == 3 * times)
    if lie == .illegal {
      #expect(reasons.allSatisfy { $0.contains("it has no effect: illegal") }, "\(reasons)")
    }
    #expect(playedHere.withLock { $0 } == (times == Elsewhere.limitTries ? 3 : 0))
    #expect(try alone.standingsDigest() == shared.standingsDigest())
    #expect(try events(here, alone) == events(there, shared))
  }

  /// A referee, as rooms of editions before this one have it, has a share in each draw: nobody else plays there.
  @Test func aRoomOfChanceWithARefereeIsPlayedHere() async throws {
    let home = home()
    let rules = try #require(Games.catalog.newest("memory-match")).rules()
    let organizer = Organizer(home)
    let tournament = try await organizer.create(
      .init(
        rules: rules, settings: try TournamentSettings(format: .roundRobin, entrants: 3),
        entrants: ["memory:4", "level:3", "random"], seed: 7, title: "test"))
    var core = home.core(home.owner)
    let room = try core.create(
      Create(
        rules: "memory-match", rulesVersion: rules.definition.version, parameters: rules.parameters.encoded,
        seats: 2, games: 2, nonce: home.nonce("old"), profile: Profile(name: "organizer"), referee: core.id,
        purpose: .games(tournament: tournament, pairing: 0, attempt: 0)))
    try home.log.write([try #require(try core.prepareCommit(room))])
    let accepted = Mutex(0)
    let played = try await organizer.run(
      tournament, concurrency: 1, elsewhere: elsewhere(), isCancelled: { false }
    ) { report in
      if case .elsewhere(_, .accepted) = report { accepted.withLock { $0 += 1 } }
    }
    #expect(played.state.isComplete && accepted.withLock { $0 } == 2)
    #expect(try home.log.load(room, verify: true).events.contains { $0.kind == .reveal })
  }

  /// Where moves are taken on a worker's word, it could still choose among draws if it could choose its salts.
  @Test(arguments: [false, true]) func aWorkerDoesNotChooseItsSalts(_ takesOtherPlace: Bool) async throws {
    let refused = Mutex<[String]>([])
    let accepted = Mutex(0)
    let elsewhere = elsewhere { job, room, honest, number in
      guard number == 0 else { return honest }
      let seats = job.seats.map { seat in
        takesOtherPlace
          ? seat : Job.Seat(key: seat.key, salts: Bytes32([UInt8](repeating: 5, count: 32), at: 0))
      }
      let other = Job(
        round: job.round, pairing: takesOtherPlace ? job.pairing ^ 1 : job.pairing, seats: seats,
        bundle: job.bundle)
      let log = try #require(try await other.play(room, Games.catalog, Self.bots) { false })
      return try log.bundle(of: .standard)
    }
    _ = try await run(home(), "memory-match", ["./one", "./two", "random"], elsewhere) { report in
      guard case .elsewhere(_, let news) = report else { return }
      if case .refused(_, let reason) = news { refused.withLock { $0.append(reason) } }
      if case .accepted(_, onWord: let labels) = news, !labels.isEmpty { accepted.withLock { $0 += 1 } }
    }
    let reasons = refused.withLock { $0 }
    #expect(reasons.count == 3 && reasons.allSatisfy { $0.contains("its salt") }, "\(reasons)")
    #expect(accepted.withLock { $0 } == 3)
  }

  @Test func jobsAndAnswersOfAnyBytesAreRefusedOrReadInTheirOneForm() async throws {
    let first = Mutex<[UInt8]>([])
    let answered = Mutex<[UInt8]>([])
    _ = try await run(
      home(), "tic-tac-toe", ["random", "greedy"],
      elsewhere { job, room, honest, _ in
        first.withLock { $0 = job.encoded }
        answered.withLock { $0 = JobAnswer(room: room.room, worker: "Ada", .played(bundle: honest)).encoded }
        return honest
      })
    let whole = first.withLock { $0 }
    for at in whole.indices {
      var bytes = whole
      bytes[at] ^= UInt8(truncatingIfNeeded: at | 1)
      for text in [bytes, Array(whole.prefix(at))] {
        do {
          let job = try Job(encoded: text)
          #expect(job.encoded == text)
          _ = try JobRoom(job, Games.catalog)
          // The place, what nonces are made from, and the salts stand in no room, and hold whatever they are.
          #expect([8..<16, 48..<112, 144..<208].contains { $0.contains(at) })
        } catch is FormatError {} catch is JobFault {}
      }
    }
    let answer = answered.withLock { $0 }
    for at in answer.indices {
      var bytes = answer
      bytes[at] ^= UInt8(truncatingIfNeeded: at | 1)
      for text in [bytes, Array(answer.prefix(at)), bytes + [0]] {
        do throws(FormatError) {
          let read = try JobAnswer(encoded: text)
          #expect(read.encoded == text)
        } catch {
          continue
        }
      }
    }
  }

  @Test func aLentKeySignsAsTheWholeOneAndHasNoSaltsOfOtherRooms() {
    for number in UInt8(0)..<20 {
      let key = SigningKey(seed: [UInt8](repeating: number, count: 32))
      let room = RoomID(Bytes32([UInt8](repeating: number, count: 32), at: 0))
      let other = RoomID(Bytes32([UInt8](repeating: 99, count: 32), at: 0))
      let id = EventID(Bytes32([UInt8](repeating: 3, count: 32), at: 0))
      let (own, lent) = (RoomSigner(key, in: room), RoomSigner(key.lent, salts: key.saltSecret(of: room)))
      #expect(lent.peer == key.peer)
      #expect(lent.sign(id) == key.sign(id))
      func salt(_ signer: RoomSigner, _ room: RoomID) -> Bytes32 {
        signer.salt(room: room, game: 1, round: 2, seat: 0, sequence: 3)
      }
      #expect(salt(own, room) == salt(lent, room))
      #expect(salt(RoomSigner(key, in: other), other) != salt(lent, other))
      #expect(lent.earlierSalt(room: room, game: 1, round: 2, seat: 0, sequence: 3) == nil)
    }
  }
}
