import Foundation
import TestKit
import Testing

/// Tap races that the real program hosted and two of its bots played: `Tools/read-log.py` reads from the bundle what
/// the host told.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderTapRaceTests {
  @Test(arguments: [["--taps", "15"], ["--seconds", "3"]])
  func itFindsTheScoresThatTheHostTold(aim: [String]) throws {
    let home = try TemporaryFolder()
    let host = try NetworkRun(
      ["host", "tap-race", "--start-at", "2", "--pause", "0", "--races", "2"] + aim, data: "a", home: home)
    let code = try host.text("join", of: "rounds")
    let players = try ["b", "c"].map { data in
      try NetworkRun(["join", code, "--guess"], data: data, home: home, connect: [host])
    }
    let told = try host.run.finish()
    try #require(told.status == 0, "\(told.errors)")
    for player in players { #expect(try player.run.finish().status == 0) }
    let path = home.file("race.parlor")
    let export = try Program.run("log", "export", "last", "--data", "a", "--output", path, home: home)
    try #require(export.status == 0, "\(export.errors)")
    let read = try LogReader.readings(of: [path], home: home)
    try #require(read.count == 1)
    let (reading, verdict) = read[0]
    #expect(reading.good && verdict.valid, "\(reading.reason ?? verdict.reason ?? "")")
    #expect(reading.rules == "tap-race" && reading.moves == "checked" && reading.notChecked.isEmpty)
    let rounds = reading.rounds.filter { $0.phase == "settled" }
    #expect(rounds.map(\.round) == [1, 2] && reading.faults.isEmpty)
    #expect(rounds.allSatisfy { !$0.entries.isEmpty && $0.solution == nil })
    let scores = LogReader.scores(try told.objects())
    #expect(scores.count == 2 && scores.values.contains { $0 >= 25 })
    for player in reading.players { #expect(player.score == scores[player.peer], "\(player.peer)") }
    let text = try LogReader.run([LogReader.script, path], home: home).output
    #expect(text.contains("round 2: settled, closed after ") && text.contains("rank 1: player "), "\(text)")
  }
}
