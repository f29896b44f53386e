import CFloor
import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import TestKit
import Testing

/// The C floor does the job that it is compared by, no less.
@Suite("The benchmark's C floor", .blocking)
struct FloorTests {
  @Test("It replays what Parlor wrote to the outcomes that Parlor gives", arguments: [false, true])
  func replays(verify: Bool) async throws {
    let (folder, room) = try await StoreFolder.match(games: 60)
    let answer = try folder.floorReplay(verify: verify)
    #expect(answer.code == 0, "\(answer.words)")
    let winners = room.games.map { $0.ending?.outcome?.winner?.index }
    #expect(answer.tally.games == 60)
    #expect(answer.tally.agreed == 60)
    #expect(answer.tally.moves == UInt64(room.games.reduce(0) { $0 + $1.plies.count }))
    #expect(answer.tally.wins.0 == UInt64(winners.count { $0 == 0 }))
    #expect(answer.tally.wins.1 == UInt64(winners.count { $0 == 1 }))
    #expect(answer.tally.draws == UInt64(winners.count { $0 == nil }))
    #expect(answer.tally.events == UInt64(try folder.log().load(room.room, verify: false).entries.count))
    #expect((answer.tally.signatures > 0) == verify)
  }

  @Test("Its match is Parlor's: the same games and sizes, and Parlor takes it for genuine")
  func plays() async throws {
    let (folder, room) = try await StoreFolder.match(games: 60)
    let written = try folder.log().load(room.room, verify: true)
    let own = try StoreFolder()
    let answer = try own.floorMatch(like: written, games: 60, runEvents: Session.limitUnsignedEvents)
    #expect(answer.code == 0, "\(answer.words)")
    let log = try own.log()
    let stored = try log.load(try #require(try log.roomIDs().rooms.first), verify: true)
    #expect(try RoomCheck(stored, in: nil, Games.catalog).fault == nil)
    var projection = try stored.projection(Games.catalog)
    #expect(
      projection.state.games.map { $0.plies.map(\.codes) } == room.games.map { $0.plies.map(\.codes) })
    #expect(projection.state.games.allSatisfy { $0.isAgreed })
    #expect(stored.entries.map(\.event.body.count) == written.entries.map(\.event.body.count))
    #expect(stored.entries.map(\.event.kind) == written.entries.map(\.event.kind))
  }

  /// Bytes whose change only a check of hashes or signatures can notice.
  @Test("With checking it notices a changed time and a changed signature; without, it need not")
  func notices() async throws {
    for part in [StoreFolder.Part.time, .signature] {
      let (folder, room) = try await StoreFolder.match(games: 120)
      let log = try folder.log().load(room.room, verify: false)
      let signed = try #require(log.entries.firstIndex { $0.signature != nil && $0.event.kind == .move })
      try folder.flip(part, at: signed, of: log)
      let answer = try folder.floorReplay(verify: true)
      #expect(answer.code != 0, "a flipped bit of the \(part) was not noticed")
      #expect(try !folder.log().verify(room.room).isValid)
      #expect(try folder.floorReplay(verify: false).code == 0)
    }
  }

  @Test("What it takes over TCP is the feed that Parlor wrote, byte for byte")
  func syncs() throws {
    let source = try StoreFolder.feed(events: 700, signedEvery: 256)
    let room = try #require(try source.log().roomIDs().rooms.first)
    let (folder, events, answer) = try source.floorSync()
    #expect(answer.code == 0, "\(answer.words)")
    #expect(events == 700)
    let (sent, taken) = (try source.log().load(room, verify: true), try folder.log().load(room, verify: true))
    #expect(taken.entries.map(\.event.id) == sent.entries.map(\.event.id))
    #expect(taken.entries.map(\.signature) == sent.entries.map(\.signature))
    #expect(try folder.floorSignatures() == 3)
  }

  @Test("Over TCP it refuses an event with a changed time, and one with a changed signature")
  func refusesOverTCP() throws {
    for part in [StoreFolder.Part.time, .signature] {
      let source = try StoreFolder.feed(events: 40, signedEvery: 8)
      let room = try #require(try source.log().roomIDs().rooms.first)
      try source.flip(part, at: 15, of: try source.log().load(room, verify: false))
      let (folder, _, answer) = try source.floorSync()
      #expect(answer.code != 0, "a flipped bit of the \(part) was not noticed")
      #expect(try folder.log().roomIDs().rooms.isEmpty)
      #expect(try source.floorSignatures() == nil)
    }
  }

  @Test(
    "Without checking it still follows the rules: a move onto another cell is illegal or changes the game")
  func followsRules() async throws {
    let (folder, room) = try await StoreFolder.match(games: 120)
    let honest = try folder.floorReplay(verify: false)
    let log = try folder.log().load(room.room, verify: false)
    let move = try #require(log.entries.lastIndex { $0.event.kind == .move && $0.signature != nil })
    try folder.flip(.move, at: move, of: log)
    let answer = try folder.floorReplay(verify: false)
    let isOther =
      answer.code != 0 || answer.tally.moves != honest.tally.moves || answer.tally.wins != honest.tally.wins
    #expect(isOther)
  }
}
