import Events
import Foundation
import Projection
import Rules
import Testing

/// Rooms of many games, applied event by event and read after each: the quick ways against one derivation.
@Suite("Long rooms")
struct LongRoomTests {
  /// Games of a room; PARLOR_LONG_GAMES=256 for the longest one.
  static let games = Int(ProcessInfo.processInfo.environment["PARLOR_LONG_GAMES"] ?? "") ?? 24

  private func check(_ script: RoomScript, _ name: String) {
    let clock = ContinuousClock()
    var projection = script.projection([])
    let live = clock.measure { for event in script.events { projection.apply(event) } }
    let state = projection.state
    #expect(state.games.count == Self.games)
    #expect(state.games.count { $0.isAgreed } == Self.games)
    #expect(state.phase == .finished)
    var reading = script.projection([])
    let read = clock.measure {
      for event in script.events {
        reading.apply(event)
        _ = reading.state.phase
      }
    }
    #expect(reading.digest() == projection.digest())
    if ProcessInfo.processInfo.environment["PARLOR_LONG_GAMES"] != nil {
      let words = "\(name): \(script.events.count) events, applied \(live), read after each \(read)\n"
      FileHandle.standardError.write(Data(words.utf8))
    }
  }

  @Test("Moves in turn, results after each game or at the end", arguments: [true, false])
  func inTurn(signsEach: Bool) throws {
    var (script, place) = try RoomScript.started(RoomScript.Room(games: Self.games))
    var endings: [(node: EventID, scores: [Int32])] = []
    for game in 0..<Self.games {
      place = try script.play([0, 1, 2, 4, 3, 5, 7, 6, 8], from: place, first: game % 2)
      endings.append((place.node, [0, 0]))
      if signsEach { try script.agree(game: game, place.node, [0, 0]) }
      place = Place(node: place.node, game: game + 1)
    }
    if !signsEach {
      for (game, ending) in endings.enumerated() { try script.agree(game: game, ending.node, ending.scores) }
    }
    check(script, "in turn, results \(signsEach ? "after each game" : "at the end")")
  }

  @Test("Rounds of choices")
  func rounds() throws {
    var (script, place) = try RoomScript.started(.dilemma(rounds: 10, games: Self.games))
    for game in 0..<Self.games {
      for _ in 0..<10 { place = try script.round((0, 1), at: place) }
      try script.agree(game: game, place.node, [-10, 30])
      place = Place(node: place.node, game: game + 1)
    }
    check(script, "rounds")
  }
}
