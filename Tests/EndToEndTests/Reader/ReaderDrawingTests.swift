import Foundation
import TestKit
import Testing

/// Drawing games in which all do whatever they like: the program, `Tools/read-log.py` and the page's modules agree.
@Suite(.blocking, .enabled(if: ScriptReader.isThere, ScriptReader.missing)) struct ReaderDrawingTests {
  @Test func theyAgreeOnDrawingGamesOfFrauds() throws {
    let home = try TemporaryFolder()
    let count = Effort.size(100, quick: 60, variable: "PARLOR_STRANGE_ROOMS")
    let made = try LogReader.tool("strange.py", [home.path, "1", "\(count)", "drawing"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1...count).map { home.file("strange-\($0).parlor") }
    let strange = StrangeRoomTests()
    var (phases, faults): ([String: Int], [String: Int]) = ([:], [:])
    let pairs = zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    for ((reading, verdict), script) in pairs {
      #expect(ScriptReader.differences(reading, script) == [], "\(reading.path)")
      #expect(reading.good == verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
      #expect(reading.event?.id == verdict.event, "\(reading.path)")
      guard reading.good else { continue }
      try strange.compareRounds(reading, home)
      try strange.compareEffects(reading, home)
      try compareFaults(reading, home)
      for round in reading.rounds { phases[round.phase, default: 0] += 1 }
      for fault in reading.faults { faults[fault.fault, default: 0] += 1 }
    }
    #expect(phases["settled"] ?? 0 > 10 && phases["void"] ?? 0 > 0, "\(phases)")
    #expect(faults.keys.sorted().contains("wrong-mark") && faults["told-another"] ?? 0 > 0, "\(faults)")
  }

  /// What the host can be shown to have done, as `log verify` says it.
  private func compareFaults(_ reading: LogReader.Reading, _ home: TemporaryFolder) throws {
    let run = try Program.run("log", "verify", reading.path, "--json", home: home)
    let said = try run.objects().first?["faults"] as? [[String: Any]] ?? []
    let found = said.map { "\($0["fault"] ?? "") \($0["event"] ?? "")" }
    #expect(Set(found) == Set(reading.faults.map { "\($0.fault) \($0.event)" }), "\(reading.path)")
  }
}
