import Foundation
import TestKit
import Testing

/// `parlor log verify` and `Tools/read-log.py`, which share no code, say the same of the same bundles.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderAgreementTests {
  /// One file that `tamper.py` wrote.
  struct Tampering: Decodable {
    let path: String
    let bundle: String
    let game: Int
    let kind: String
    let variant: String
  }

  /// `PARLOR_READER_GAMES` sets how many games, 1,000 without it.
  @Test func theyAgreeOnHonestGamesAndFindEveryTampering() throws {
    let games = Effort.size(300, quick: 30, variable: "PARLOR_READER_GAMES")
    let played = try PlayedBundles(games: games)
    let honest = try LogReader.readings(of: played.paths, home: played.folder)
    for (reading, verdict) in honest {
      #expect(reading.good && verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
      #expect(reading.withoutEffect.isEmpty, "\(reading.path)")
    }
    let rooms = honest.filter { $0.0.moves == "checked" }.map(\.0)
    #expect(honest.count - rooms.count == (games * 4 / 5 + 827) / 828, "all but tournaments are games")
    let ended = rooms.flatMap(\.games)
    #expect(ended.count >= games)
    #expect(ended.allSatisfy { $0.cause == "rules" && $0.level == "agreed" })
    checkMatch(played, rooms)
    checkDraws(played, rooms)
    try tamper(with: played, games: ended.count)
  }

  /// The moves and scores that the reader finds are those that the match printed.
  private func checkMatch(_ played: PlayedBundles, _ rooms: [LogReader.Reading]) {
    let byRoom = Dictionary(uniqueKeysWithValues: rooms.map { ($0.room ?? "", $0) })
    for (number, game) in played.matched.enumerated() {
      let found = byRoom[game.room ?? ""]?.games.dropFirst(number % 256).first
      #expect(found?.moves == game.moves?.compactMap { Int($0) }, "game \(number)")
      #expect(found?.scores == game.scores, "game \(number)")
    }
  }

  /// Who starts is who the program said, and both seats do.
  private func checkDraws(_ played: PlayedBundles, _ rooms: [LogReader.Reading]) {
    var firsts: Set<Int> = []
    for room in rooms {
      let first = played.drawn[room.room ?? ""]
      #expect(room.draw?.first == first, "\(room.path)")
      if let first {
        #expect(room.draw?.combined?.count == 64)
        firsts.insert(first)
      }
    }
    #expect(firsts == [1, 2])
  }

  /// Six kinds of tampering with each game: both programs find it, and name one event where both name one.
  private func tamper(with played: PlayedBundles, games: Int) throws {
    let kinds = ["flip", "drop", "swap", "duplicate", "splice", "re-sign"]
    var found: [String: Int] = [:]
    var variants: Set<String> = []
    // What is checked is thrown away before more is written.
    for start in stride(from: 0, to: played.paths.count, by: 100) {
      let some = played.paths[start..<min(played.paths.count, start + 100)]
      let folder = try TemporaryFolder()
      let run = try LogReader.tool("tamper.py", [folder.path, "\(start)"] + some, home: folder)
      try #require(run.status == 0, "\(run.errors)")
      let tamperings = try LogReader.objects(Tampering.self, in: run)
      let pairs = try LogReader.readings(of: tamperings.map(\.path), home: folder)
      for (tampering, (reading, verdict)) in zip(tamperings, pairs) {
        let what: Comment = "\(tampering): \(reading.reason ?? "good"); \(verdict.reason ?? "valid")"
        #expect(!reading.good && !verdict.valid, what)
        #expect(Self.nameOneEvent(reading, verdict), what)
        found[tampering.kind, default: 0] += 1
        variants.insert("\(tampering.kind), \(tampering.variant)")
      }
    }
    // Each game, and each tournament's own room.
    for kind in kinds { #expect((found[kind] ?? 0) >= games, "\(kind)") }
    #expect(found.count == kinds.count)
    // Which ones occur depends on the games' keys, so few games may have none of one or two of them.
    let count = variants.subtracting(["swap, neighbours"]).count
    #expect(Effort.isQuick ? count >= 12 : count == 16, "\(variants.sorted())")
  }

  /// Whether both name the same first bad event, or one of them names none for a reason that is known: Parlor
  /// names bytes that are no event by their number, and no event at all where there are fewer or more signatures than
  /// the bundle says, or where feeds end in other events than the heads say (Docs/PROTOCOL.md §6.2).
  static func nameOneEvent(_ reading: LogReader.Reading, _ verdict: LogReader.Verdict) -> Bool {
    if let event = verdict.event { return reading.event?.id == event }
    guard let event = reading.event else { return true }
    let reason = verdict.reason ?? ""
    return reason.hasPrefix("event number \(event.position) of the bundle: ")
      || reason == "there are not as many signatures as the bundle says"
      || reason == "the feeds do not end where the bundle's heads say"
  }
}
