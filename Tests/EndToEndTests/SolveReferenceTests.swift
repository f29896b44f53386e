import Foundation
import TestKit
import Testing

/// The published sets of Connect Four positions, solved whole by the program.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: ReferenceData.has("connect4"), "\(ReferenceData.absence)"))
struct SolveReferenceTests {
  /// Every position has the value that the set gives it; a set whose value is changed is told apart.
  @Test(arguments: ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"])
  func theEasierSetsAgree(_ set: String) throws {
    let home = try TemporaryFolder()
    let file = ReferenceData.path("connect4/\(set)")
    let run = try Program.run("solve", "connect-four", "--file", file, "--json", home: home)
    #expect(run.status == 0, "\(run.errors)")
    let solved = try run.objects().filter { $0["type"] as? String == "solved" }
    let lines = try ReferenceData.lines("connect4/\(set)")
    try #require(solved.count == lines.count && lines.count >= 500)
    for (object, line) in zip(solved, lines) {
      let parts = line.split(separator: " ")
      #expect(object["position"] as? String == String(parts[0]))
      #expect(object["value"] as? Int == Int(parts[1]), "\(line)")
    }
    try home.write("wrong", Data("\(lines[0].split(separator: " ")[0]) 21\n".utf8))
    #expect(try Program.run("solve", "connect-four", "--file", home.file("wrong"), home: home).status == 1)
  }
}
