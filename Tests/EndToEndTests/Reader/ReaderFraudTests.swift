import Foundation
import TestKit
import Testing

/// Rooms of memory match in each of which one player cheats once, with events that it signed itself and that link as
/// they should: both programs come to what Docs/PROTOCOL.md §1 says of it, and the fraud gains nothing.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderFraudTests {
  /// A room as `frauds.py` played it.
  private struct Fraud: Decodable {
    struct Ending: Decodable {
      let cause: String
      let seat: Int?
      /// `nil` where the fork of a seat decides, from what was played when it came.
      let scores: [Int]?
    }
    let path: String
    let isTried: Bool
    /// What must have no effect.
    let idle: [String]
    let endings: [Ending]
    /// What completes a false statement of all seats.
    let `false`: String?
  }

  /// How many rooms of each fraud: of two, three and four seats, with a referee and without.
  private static let rooms = Effort.size(6, quick: 3, variable: "PARLOR_FRAUD_ROOMS")

  @Test(arguments: [
    "wrong opening", "wrong opening alone", "copied commitment", "withheld share", "opens for another",
    "other round", "choice of the referee",
    "early reveal", "two commits",
  ]) func noShareIsChosenAfterOthersWereSeen(fraud: String) throws { try check(fraud) }

  /// No event has a place for what is under a card. A choice in a round is the nearest to it, and an offence.
  @Test func aStackedDeckCannotBeSaid() throws { try check("stacked by choice") }

  @Test(arguments: [
    "two moves", "forked move", "out of turn", "gone card", "same card", "no card", "move for a draw",
    "draw for a move",
  ]) func noCardIsTurnedUpThatMayNotBe(fraud: String) throws { try check(fraud) }

  @Test(arguments: ["ruling of a player", "false scores", "late offence", "offence of before"])
  func noEndingIsMadeByOneSeat(fraud: String) throws { try check(fraud) }

  @Test func whatAllSeatsSignedFalselyIsNamed() throws { try check("false scores of all") }

  private func check(_ fraud: String) throws {
    let home = try TemporaryFolder()
    let made = try LogReader.tool("frauds.py", [home.path, fraud, "\(Self.rooms)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let frauds = try LogReader.objects(Fraud.self, in: made)
    #expect(frauds.count == Self.rooms && frauds.contains(where: \.isTried))
    let readings = try LogReader.readings(of: frauds.map(\.path), home: home)
    try ScriptReader.checkSame(as: readings.map(\.0), home: home)
    for (fraud, (reading, verdict)) in zip(frauds, readings) {
      #expect(reading.good == verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
      #expect(reading.event?.id == fraud.false && verdict.event == fraud.false, "\(reading.path)")
      guard fraud.false == nil else { continue }
      #expect(
        reading.moves == "checked" && reading.notChecked.isEmpty, "\(reading.path): \(reading.notChecked)")
      #expect(Set(reading.withoutEffect.map(\.id)).isSuperset(of: fraud.idle), "\(reading.path)")
      try StrangeRoomTests().compareEffects(reading, home)
      try StrangeRoomTests().compareGames(reading, home)
      let games = reading.games.prefix(fraud.endings.count)
      #expect(
        games.count == fraud.endings.count || fraud.endings.last?.cause == "not over", "\(reading.path)")
      for (game, ending) in zip(games, fraud.endings) {
        #expect(game.cause == ending.cause && game.seat == ending.seat, "\(reading.path)")
        if let scores = ending.scores { #expect(game.scores == scores, "\(reading.path)") }
      }
    }
  }
}
