import Foundation
import TestKit
import Testing

/// A quiz that the real program hosted and two of its bots played: `Tools/read-log.py` reads from the bundle what the
/// host told.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderQuizTests {
  @Test(arguments: ["linear", "classic"]) func itFindsTheScoresThatTheHostTold(curve: String) throws {
    let home = try TemporaryFolder()
    let host = try NetworkRun(
      ["host", "quiz", "--start-at", "2", "--pause", "0", "--set", "curve=\(curve)"], data: "a", home: home)
    let code = try host.text("join", of: "rounds")
    let players = try ["b", "c"].map { data in
      try NetworkRun(["join", code, "--guess"], data: data, home: home, connect: [host])
    }
    let told = try host.run.finish()
    try #require(told.status == 0, "\(told.errors)")
    for player in players { #expect(try player.run.finish().status == 0) }
    let path = home.file("quiz.parlor")
    let export = try Program.run("log", "export", "last", "--data", "a", "--output", path, home: home)
    try #require(export.status == 0, "\(export.errors)")
    let read = try LogReader.readings(of: [path], home: home)
    try #require(read.count == 1)
    let (reading, verdict) = read[0]
    #expect(reading.good && verdict.valid, "\(reading.reason ?? verdict.reason ?? "")")
    #expect(reading.rules == "quiz" && reading.moves == "checked" && reading.notChecked.isEmpty)
    let rounds = reading.rounds.filter { $0.phase == "settled" }
    #expect(rounds.map(\.round) == Array(1...10) && reading.faults.isEmpty)
    let scores = LogReader.scores(try told.objects())
    #expect(scores.count == 2)
    for player in reading.players {
      #expect(player.score == scores[player.peer], "\(player.peer)")
      let points = rounds.flatMap(\.entries).filter { $0.player == player.number }.compactMap(\.points)
      #expect(player.score == points.reduce(0, +) && points.count <= 10)
    }
    #expect(reading.players.first?.rank == 1)
    let text = try LogReader.run([LogReader.script, path], home: home).output
    for part in ["Ten questions", "rank 1: player ", "round 10: settled, closed after "] {
      #expect(text.contains(part), "\(text)")
    }
  }
}
