import BotKit
import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Rules
import SearchBots
import TestKit
import Testing
import Tournaments

@testable import Service

/// Tournaments whose entrants are peers of their own, with stores on disk, over TCP in one process.
@Suite(.serialized) struct TournamentServiceTests {
  /// The organizer, and one peer for each entrant; its bot plays there while that runs.
  private final class Party {
    let folders: [ServiceFolder]
    var services: [PeerService] = []
    private var playing: [Task<Void, any Error>?] = []
    private let bots: [any Bot]
    private let rules: any GameRules
    var room = RoomID.none

    init(bots names: [String]) throws {
      rules = try #require(Games.catalog.newest("tic-tac-toe")).rules(Parameters())
      let catalog = BotCatalog(SearchBots.families)
      let rules = rules
      bots = try names.map { try catalog.bot($0, for: rules) }
      folders = try (0...names.count).map { _ in try ServiceFolder() }
    }

    var organizer: PeerService { services[0] }

    /// Opens all peers, connected each with each, and creates a tournament.
    func begin(
      _ format: TournamentFormat, games: UInt16 = 1, options: UInt8 = 0, places: UInt16 = 8,
      starter: Create.Starter = .firstSeat
    ) async throws {
      for number in folders.indices { services.append(try await open(number)) }
      playing = services.map { _ in nil }
      for number in services.indices { try await connect(number) }
      let (me, definition) = (organizer.peer, rules.definition)
      let create = Create(
        rules: definition.name, rulesVersion: definition.version, parameters: rules.parameters.encoded,
        seats: places, games: games, nonce: [UInt8](repeating: 3, count: 16),
        profile: Profile(name: "organizer"), starter: starter, referee: me,
        purpose: .tournament(format: format.rawValue, options: options, seed: 1, title: "party"))
      room = try await organizer.networkPeer.write { core throws(PeerError) in try core.create(create) }
    }

    private func open(_ number: Int) async throws -> PeerService {
      try await folders[number].open(
        UInt8(number + 1), listens: true, policy: number == 0 ? .person : .bot)
    }

    /// Has a peer find all others.
    func connect(_ number: Int) async throws {
      for other in services where other.peer != services[number].peer {
        guard await !other.isClosed else { continue }
        await services[number].found(try #require(await other.address))
      }
    }

    /// Has an entrant's bot enter, and play.
    func enter(_ number: Int) {
      let keeper = BotKeeper(
        services[number], bot: bots[number - 1], rules: rules, name: "bot \(number)", scope: .local,
        seed: UInt64(number), limitThinking: 2, tournament: room.description
      ) { _ in }
      playing[number] = Task { () throws in try await keeper.run() }
    }

    /// All entrants have come, one after the other, but for the last ones where some are left out.
    func enterAll(but last: Int = 0) async throws {
      for number in services.indices.dropFirst().dropLast(last) {
        enter(number)
        let seated = { [services, room] in
          try await services[0].state(of: room)?.seats.count { $0 != nil } == number
        }
        try await organizer.wait(for: "entrant \(number)", until: seated)
      }
    }

    func start() async throws { _ = try await organizer.perform(.act(room, .start)) }

    /// A process ends.
    func stop(_ number: Int) async throws {
      await services[number].close()
      try await playing[number]?.value
      playing[number] = nil
    }

    /// A process is begun again on its folder.
    func restart(_ number: Int) async throws {
      services[number] = try await open(number)
      try await connect(number)
      if number > 0 { enter(number) }
    }

    /// Waits until all of these peers see the same end.
    func waitForEnd(at numbers: some Sequence<Int>) async throws -> TournamentRoom {
      var ends: [TournamentRoom] = []
      for number in numbers {
        let (service, room, memory) = (services[number], room, PairingRoomMemory())
        try await service.wait(for: "the end at peer \(number)") {
          try service.tournament(room, memory)?.state.isComplete == true
        }
        ends.append(try #require(try service.tournament(room)))
      }
      let digests = try ends.map { try $0.standingsDigest() }
      #expect(Set(digests).count == 1)
      return try #require(ends.first)
    }

    func close() async throws { for number in services.indices { try await stop(number) } }
  }

  /// While one of the first round is away two others ask to come in.
  @Test(arguments: [TournamentFormat.swiss, .ladder])
  func whoComesLatePlaysFromTheNextRoundOn(_ format: TournamentFormat) async throws {
    let party = try Party(bots: ["greedy", "random", "lookahead:2", "random", "greedy", "random"])
    try await party.begin(format, options: 3, places: 5)
    try await party.enterAll(but: 2)
    try await party.stop(1)
    try await party.start()
    let room = party.room
    for number in 5...6 { party.enter(number) }
    try await party.organizer.wait(for: "both requests") {
      try await party.organizer.state(of: room)?.openRequests.count == 2
    }
    let late = party.services[5].peer
    await #expect(throws: ServiceError.self) { _ = try await party.services[2].perform(.admit(room, late)) }
    await #expect(throws: ServiceError.self) {
      _ = try await party.organizer.perform(.admit(room, party.services[4].peer))
    }
    _ = try await party.organizer.perform(.admit(room, late))
    // That was the last place.
    await #expect(throws: ServiceError.self) {
      _ = try await party.organizer.perform(.admit(room, party.services[6].peer))
    }
    #expect(try await party.organizer.state(of: room)?.seats.count == 5)
    try await party.restart(1)
    let end = try await party.waitForEnd(at: 0...5)
    #expect(end.entrants.map(\.peer).last == late && end.findings.allSatisfy { $0.kind == .holds })
    let played = end.state.known.filter { $0.pairing.entrants.contains(EntrantIndex(4)) }
    #expect(!played.isEmpty && played.allSatisfy { $0.pairing.round > 0 })
    try await party.close()
  }

  /// The first time all are there; the second time one is away, and the organizer goes on without it.
  @Test(arguments: [false, true]) func seedsAreDrawnByAll(oneIsAway: Bool) async throws {
    let party = try Party(bots: ["greedy", "random", "lookahead:2", "random"])
    try await party.begin(.singleElimination, starter: .jointDraw)
    try await party.enterAll()
    if oneIsAway { try await party.stop(4) }
    try await party.start()
    let room = party.room
    if oneIsAway {
      try await party.organizer.wait(for: "three of four") {
        try await party.organizer.state(of: room)?.seeding?.answered.count == 3
      }
      try await party.start()
    }
    let end = try await party.waitForEnd(at: oneIsAway ? 0...3 : 0...4)
    let all = Set(party.services.dropFirst().map(\.peer))
    let away = Set(oneIsAway ? [party.services[4].peer] : [])
    #expect(
      Set(end.entrants.map(\.peer)) == all.subtracting(away) && end.findings.allSatisfy { $0.kind == .holds })
    try await party.close()
  }

  /// With fewer entrants than its rounds need a tournament would have no pairings: then the organizer opens nothing.
  @Test func tooFewToDrawWait() async throws {
    let party = try Party(bots: ["greedy", "random", "greedy", "random"])
    try await party.begin(.swiss, options: 3, starter: .jointDraw)
    try await party.enterAll()
    for number in 3...4 { try await party.stop(number) }
    try await party.start()
    let room = party.room
    try await party.organizer.wait(for: "two of four") {
      try await party.organizer.state(of: room)?.seeding?.answered.count == 2
    }
    await #expect(throws: ServiceError.self) { try await party.start() }
    for number in 3...4 { try await party.restart(number) }
    let end = try await party.waitForEnd(at: 0...4)
    #expect(end.entrants.count == 4)
    try await party.close()
  }

  /// Three rounds, two deciders for a level pairing, or two groups of which two go on each.
  private static func options(of format: TournamentFormat) -> UInt8 {
    switch format {
    case .swiss, .ladder: 3
    case .singleElimination, .doubleElimination: 2
    case .groups: 0x11
    default: 0
    }
  }

  @Test(arguments: Effort.cases(TournamentFormat.allCases, quick: 3))
  func everyFormatIsPlayedByTheEntrantsThemselves(_ format: TournamentFormat) async throws {
    let party = try Party(bots: ["greedy", "random", "lookahead:2", "random", "greedy"])
    try await party.begin(format, games: Effort.isQuick ? 1 : 2, options: Self.options(of: format))
    try await party.enterAll()
    try await party.start()
    let end = try await party.waitForEnd(at: party.services.indices)
    #expect(end.entrants.count == 5)
    #expect(end.findings.allSatisfy { $0.kind == .holds })
    // No room but tables was made, and each attempt that was played has one.
    for counted in end.rooms where counted.room.isSome {
      let state = try #require(try await party.organizer.state(of: counted.room))
      #expect(state.isPlayersTable)
      #expect(state.create.referee == party.organizer.peer)
    }
    // The organizer has a word on everything, sooner or later.
    try await party.organizer.wait(for: "all words") {
      let state = try #require(try await party.organizer.state(of: party.room))
      return end.attemptsWithoutWord(state.tournamentWords).isEmpty
    }
    try await party.close()
  }

  /// A tournament whose organizer stops as soon as all entrants know that it has started.
  private func leftAlone(_ format: TournamentFormat) async throws -> Party {
    let party = try Party(bots: ["greedy", "random", "lookahead:2", "random"])
    try await party.begin(format, options: Self.options(of: format))
    try await party.enterAll()
    try await party.start()
    for service in party.services.dropFirst() {
      try await service.wait(for: "the start") { try await service.state(of: party.room)?.start != nil }
    }
    try await party.stop(0)
    return party
  }

  /// Of a fixed schedule nothing waits for the organizer, who finds everything decided when it comes back.
  @Test(arguments: [TournamentFormat.singleElimination, .doubleElimination, .roundRobin])
  func itEndsWithoutItsOrganizer(_ format: TournamentFormat) async throws {
    let party = try await leftAlone(format)
    let alone = try await party.waitForEnd(at: party.services.indices.dropFirst())
    try await party.restart(0)
    let end = try await party.waitForEnd(at: party.services.indices)
    #expect(try end.standingsDigest() == alone.standingsDigest())
    #expect(end.findings.allSatisfy { $0.kind == .holds })
    try await party.close()
  }

  /// Rounds that follow from words wait for the organizer, and go on when it comes back.
  @Test(arguments: [TournamentFormat.swiss, .ladder, .groups])
  func aRoundWaitsForItsOrganizer(_ format: TournamentFormat) async throws {
    let party = try await leftAlone(format)
    // It may have said all before it was stopped.
    for service in party.services.dropFirst() {
      try await service.wait(for: "where it waits, or the end") {
        try service.tournament(party.room).map { $0.waitsForOrganizer || $0.state.isComplete } ?? false
      }
    }
    try await party.restart(0)
    let end = try await party.waitForEnd(at: party.services.indices)
    #expect(!end.waitsForOrganizer)
    #expect(end.findings.allSatisfy { $0.kind == .holds })
    try await party.close()
  }

  /// Peers are killed and begun again at any moment, the organizer too: what has counted stays, and all see one end.
  @Test(arguments: 0..<Effort.size(4, quick: 1))
  func whoeverDiesNothingThatCountedIsUndone(seed: Int) async throws {
    var random = SeededGenerator(state: UInt64(seed) &+ 77)
    let format = TournamentFormat.allCases[seed % TournamentFormat.allCases.count]
    let party = try Party(bots: ["greedy", "random", "lookahead:2", "random"])
    try await party.begin(
      format, games: UInt16.random(in: 1...3, using: &random), options: Self.options(of: format))
    try await party.enterAll()
    try await party.start()
    var counted: [TournamentRoom.CountedRoom] = []
    func check() throws {
      for service in party.services {
        guard let now = try service.tournament(party.room) else { continue }
        for room in counted {
          let same = now.rooms.first { ($0.pairing, $0.attempt) == (room.pairing, room.attempt) }
          #expect(same == nil || same == room)
        }
        counted += now.rooms.filter { !counted.contains($0) }
      }
    }
    for _ in 0..<6 {
      let number = Int.random(in: 0..<party.services.count, using: &random)
      try await party.stop(number)
      for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
      try await party.restart(number)
      try check()
    }
    let end = try await party.waitForEnd(at: party.services.indices)
    try check()
    #expect(end.findings.allSatisfy { $0.kind == .holds })
    try await party.close()
  }

  @Test func aStartIsRefusedThatWouldMakeNoTournament() async throws {
    let party = try Party(bots: ["greedy", "random"])
    try await party.begin(.swiss, options: 5)
    func refusal(of service: PeerService) async -> String {
      do throws(ServiceError) {
        _ = try await service.perform(.act(party.room, .start))
        return "nothing"
      } catch { return error.description }
    }
    #expect(await refusal(of: party.organizer).contains("2"))
    try await party.enterAll()
    let bot = party.services[1]
    try await bot.wait(for: "the tournament") { try await bot.state(of: party.room) != nil }
    #expect(await refusal(of: bot).contains("the peer that created the tournament"))
    // Five rounds are too many for two.
    #expect(await refusal(of: party.organizer).contains("rounds"))
    #expect(try await party.organizer.state(of: party.room)?.start == nil)
    try await party.close()
  }

  /// A tournament of some people, who have seats, and their organizer, who comes first.
  private func people(
    _ count: UInt16 = 3, _ format: TournamentFormat = .roundRobin, options: UInt8 = 0
  ) async throws -> (services: [PeerService], room: RoomID) {
    let folders = try (0...count).map { _ in try ServiceFolder() }
    var services: [PeerService] = []
    for (number, folder) in folders.enumerated() {
      services.append(try await folder.open(UInt8(number + 1), listens: true))
    }
    for guest in services.dropFirst() { try await connect(guest, to: services[0]) }
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: count,
      nonce: [UInt8](repeating: 3, count: 16),
      profile: Profile(name: "organizer"), referee: services[0].peer,
      purpose: .tournament(format: format.rawValue, options: options, seed: 1, title: ""))
    let organizer = services[0]
    let room = try await organizer.networkPeer.write { core throws(PeerError) in try core.create(create) }
    for (number, guest) in services.enumerated().dropFirst() {
      _ = try await guest.perform(.want(name: room.description))
      try await guest.wait(for: "the tournament") { try await guest.state(of: room) != nil }
      _ = try await guest.perform(
        .join(room, seat: Create.noSeat, Profile(name: "guest"), terms: Terms(create)))
      try await organizer.wait(for: "guest \(number)") {
        try await organizer.state(of: room)?.seats.count { $0 != nil } == number
      }
    }
    return (services, room)
  }

  /// The organizer says how a pairing ended that is still being played, and with that the tournament is over. What both
  /// then sign counts, and it is level: whoever still waits in the tournament comes to the decider.
  @Test func aFalseWordThatEndsATournamentEndsNothing() async throws {
    let (services, room) = try await people(2, .singleElimination, options: 1)
    let organizer = services[0]
    _ = try await organizer.perform(.act(room, .start))
    for guest in services.dropFirst() {
      try await guest.wait(for: "the start") { try await guest.state(of: room)?.start != nil }
      try await guest.attend(room)
    }
    let started = try #require(try organizer.tournament(room))
    let first = started.state.ready[0]
    try await organizer.wait(for: "the table") { try organizer.table(of: first, in: started) != nil }
    let table = try #require(try organizer.table(of: first, in: started))
    let players = first.entrants.map { entrant in
      services.first { $0.peer == started.entrants[entrant.index].peer }
    }.compactMap(\.self)
    for player in players {
      try await player.wait(for: "play") { try await player.state(of: table)?.phase == .playing }
    }
    let lie = Action.PairingResult(
      pairing: first.pairing.number.rawValue, attempt: 0, room: .none, heads: [], walkover: .played,
      games: [[1, 0]])
    _ = try await organizer.networkPeer.write { core throws(PeerError) in
      _ = try core.write(.pairingResult(lie), in: room)
      return room
    }
    for player in players {
      try await player.wait(for: "the false end") { try player.tournament(room)?.state.isComplete == true }
    }
    for (ply, cell) in ["1", "2", "3", "5", "4", "6", "8", "7", "9"].enumerated() {
      let player = players[ply % 2]
      try await player.wait(for: "the turn") {
        try await player.state(of: table)?.seatToChoose(of: player.peer) != nil
      }
      try await player.play(cell, in: table)
    }
    for player in players {
      try await player.wait(for: "the decider") {
        guard let told = try player.tournament(room), let decider = told.state.ready.first,
          let next = try player.table(of: decider, in: told)
        else { return false }
        return try await player.state(of: next)?.phase == .playing
      }
    }
    for service in services { await service.close() }
  }

  /// A person comes to the tables of one round, and only while somebody sits there for it.
  @Test func aPersonComesToOneRoundAtATime() async throws {
    let (services, room) = try await people()
    let organizer = services[0]
    _ = try await organizer.perform(.act(room, .start))
    for guest in services.dropFirst() {
      try await guest.wait(for: "the start") { try await guest.state(of: room)?.start != nil }
      await guest.settle()
      #expect(try guest.store.rooms(of: room).isEmpty)
    }
    for guest in services.dropFirst() { try await guest.attend(room) }
    // Of three one has a bye in each round, so that one table is played at.
    let tournament = try #require(try organizer.tournament(room))
    let first = tournament.state.ready[0]
    try await organizer.wait(for: "the first table") {
      guard let table = try organizer.table(of: first, in: tournament) else { return false }
      return try await organizer.state(of: table)?.phase == .playing
    }
    // Who has the bye may sit at its table of the next round already.
    for service in services {
      await service.settle()
      #expect(try service.store.rooms(of: room).count <= 2)
    }
    let table = try #require(try organizer.table(of: first, in: tournament))
    let players = try #require(try await organizer.state(of: table)).seats.compactMap { $0?.peer }
    // Whoever leaves in the middle of its game loses it, by the organizer's word; the next round begins.
    let leaver = try #require(services.first { $0.peer == players[1] })
    let other = try #require(services.first { $0.peer == players[0] })
    try await other.wait(for: "play") { try await other.state(of: table)?.phase == .playing }
    try await other.play("5", in: table)
    try await leaver.wait(for: "the move") { try await leaver.state(of: table)?.plyCount == 1 }
    _ = try await leaver.perform(.act(table, .leave))
    try await organizer.wait(for: "the word") {
      try organizer.tournament(room)?.state.record(first.pairing.number)?.decision?.winner
        == first.entrants[0]
    }
    let later = tournament.state.ready.filter { $0.pairing.round > 0 }
    #expect(later.count == 2)
    try await organizer.wait(for: "the second table") {
      try organizer.table(of: later[0], in: tournament) != nil
    }
    for service in services { await service.close() }
  }
}
