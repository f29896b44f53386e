import TestKit
import Testing

@Suite("Tools/parlor", .blocking)
struct ParlorScriptTests {
  @Test("It builds, then hands over arguments, folder and standard input; standard output is the program's")
  func firstRun() throws {
    let world = try ScriptWorld(
      #"""
      mkdir "$world/else where" && cd "$world/else where"
      echo "4 moves" | run "$root/Tools/parlor" play "" "two words" '*' 2>"$world/words"
      cat "$world/words"
      """#)
    #expect(
      world.output == """
        <play><><two words><*> in else where
        4 moves
        parlor: building the program; the first time takes a minute or more
        Compiling

        """)
    #expect(world.status == 0)
  }

  @Test("It does not build again until a source changes")
  func laterRuns() throws {
    let world = try ScriptWorld(
      #"""
      builds() { run "$root/Tools/parlor" </dev/null >/dev/null 2>&1; grep -c "^swift build" "$log"; }
      builds; builds; builds
      age_stamp; echo changed >"$root/Sources/Rules/A.swift"; builds; builds
      age_stamp; rm "$root/Sources/Rules/B.swift"; builds; builds
      rm "$root/.build/release/parlor"; builds; builds
      """#)
    #expect(world.output == "1\n1\n1\n2\n2\n3\n3\n4\n4\n")
  }

  @Test("It works through symbolic links")
  func symbolicLink() throws {
    let world = try ScriptWorld(
      #"""
      ln -s "a checkout/Tools/parlor" "$world/link" && ln -s "$world/link" "$bin/parlor"
      run parlor a </dev/null 2>/dev/null; run "$world/link" b </dev/null
      """#)
    #expect(world.output == "<a> in \(world.folder)\n<b> in \(world.folder)\n")
  }

  @Test("A failed build shows the compiler's words, and the next run builds")
  func failedBuild() throws {
    let world = try ScriptWorld(
      #"""
      broken=1 run "$root/Tools/parlor" 2>"$world/words"; echo $?; cat "$world/words"
      run "$root/Tools/parlor" a </dev/null 2>/dev/null
      """#)
    #expect(world.output.hasPrefix("70\n"))
    #expect(world.output.contains("A.swift:1: error: broken\nparlor: the build failed"))
    #expect(world.output.contains("<a> in "))
    #expect(world.status == 0)
  }

  @Test("What setup refuses is refused here")
  func failedSetup() throws {
    let world = try ScriptWorld(#"rm "$bin/swift"; run "$root/Tools/parlor""#)
    #expect(world.output.hasPrefix("setup: there is no Swift toolchain"))
    #expect(world.status == 69)
  }
}

extension ScriptWorld {
  /// The name of the scenario's folder, as the pretended program printed it last.
  var folder: Substring { output.split(separator: "\n").last?.split(separator: " ").last ?? "" }
}
