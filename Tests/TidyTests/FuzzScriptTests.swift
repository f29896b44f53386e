import TestKit
import Testing

@Suite("Tools/fuzz", .blocking)
struct FuzzScriptTests {
  /// A toolchain whose fuzzer says what it was called with, and finds something in one target when told to.
  private static let preparation = #"""
    mkdir -p "$root/Tests/Fixtures/vectors"
    for name in events events-invalid bundles messages channel peers; do
      printf 'body: 0041\nbundle: 42\nbytes: 43\n' >"$root/Tests/Fixtures/vectors/$name.txt"
    done
    fake swift <<'END'
    if [[ $1 == --version ]]; then echo "Swift version 6.3.1 (pretended)" && exit; fi
    if [[ -n ${broken:-} ]]; then echo "error: broken" && exit 1; fi
    folder=.build/release
    [[ $* != *--scratch-path* ]] || folder=.build/fuzz/release
    mkdir -p "$folder"
    cat >"$folder/Fuzz" <<'FUZZ'
    #!/usr/bin/env bash
    echo "fuzz $PARLOR_FUZZ $*" >>"$log"
    echo "stat::number_of_executed_units: 7"
    if [[ $PARLOR_FUZZ != "${finds_in:-}" ]]; then exit; fi
    echo "broken promise: it holds"
    for option in "$@"; do [[ $option != -artifact_prefix=* ]] || prefix=${option#*=}; done
    echo "artifact_prefix='$prefix'; Test unit written to ${prefix}crash-1"
    exit 77
    FUZZ
    chmod +x "$folder/Fuzz"
    END
    fake swiftc <<'END'
    echo '    "runtimeResourcePath": "/toolchain/lib/swift"'
    END
    fake parlor <<'END'
    if [[ $* == *"log list"* ]]; then echo '{"id":"0123456789abcdef"}'; fi
    END
    export PARLOR_PROGRAM="$bin/parlor"

    """#

  private func world(_ scenario: String) throws -> ScriptWorld {
    try ScriptWorld(Self.preparation + scenario)
  }

  @Test("Every target runs, with its seeds, and its inputs are counted")
  func plain() throws {
    let world = try world(
      #"run "$root/Tools/fuzz" --seconds 3 2>&1; echo "$?"; grep ^fuzz "$log" | sed 's/ .*time/ /'"#)
    let targets = [
      "event", "bundle", "room", "message", "channel", "peers", "packet", "frame", "words", "reply",
    ]
    for target in targets {
      #expect(world.output.contains("\(target)\(String(repeating: " ", count: 8 - target.count))7 inputs"))
    }
    #expect(world.output.contains("nothing found\n0\n"))
    #expect(world.output.split(separator: "\n").count { $0.hasPrefix("fuzz =3 ") } == targets.count)
  }

  @Test("Plain targets are built as the program is, keep what they begin with, and are run again so")
  func blind() throws {
    let world = try world(
      #"finds_in=room run "$root/Tools/fuzz" --plain --only room 2>&1; grep -E '^(swift build|fuzz) ' "$log""#
    )
    #expect(
      world.output.contains("again: Tools/fuzz --plain --only room --input .build/fuzz/found/room-crash-1"))
    #expect(world.output.contains("swift build -c release") && !world.output.contains("-sanitize"))
    #expect(world.output.contains("-Xlinker /toolchain/lib/swift/clang/lib/linux/libclang_rt.fuzzer_no_main"))
    #expect(world.output.contains(" -keep_seed=1 "))
  }

  @Test("What is found is shown with the way to run it again")
  func find() throws {
    let world = try world(#"finds_in=room run "$root/Tools/fuzz" --only event --only room 2>&1"#)
    #expect(world.status == 1)
    #expect(world.output.contains("broken promise: it holds"))
    #expect(world.output.contains("room    found: .build/fuzz/found/room-crash-1"))
    #expect(world.output.contains("again: Tools/fuzz --only room --input .build/fuzz/found/room-crash-1"))
    #expect(world.output.contains("event   7 inputs"))
  }

  @Test("One input is run alone, and its end is the script's")
  func oneInput() throws {
    let world = try world(
      #"""
      echo x >"$world/x"
      run "$root/Tools/fuzz" --only event --input "$world/x" >/dev/null 2>&1; echo "$?"
      finds_in=event run "$root/Tools/fuzz" --only event --input "$world/x" >/dev/null 2>&1; echo "$?"
      """#)
    #expect(world.output == "0\n1\n")
  }

  @Test(
    "Wrong arguments are refused before anything is built",
    arguments: ["--seconds", "--seconds 0", "--seconds x", "--only nothing", "--input /", "again"])
  func wrongArguments(_ arguments: String) throws {
    let world = try world("run \"$root/Tools/fuzz\" \(arguments); echo \"$?\"; grep -c build \"$log\"")
    #expect(world.output.hasPrefix("fuzz: ") && world.output.hasSuffix("\n64\n0\n"), "\(world.output)")
  }

  @Test("They can be built first and run later, so that what is built beside them waits for nobody")
  func apart() throws {
    let world = try world(
      #"""
      run "$root/Tools/fuzz" --plain --skip-build --only room 2>&1; echo "$?"
      run "$root/Tools/fuzz" --plain --build-only >/dev/null 2>&1; echo "$?"
      run "$root/Tools/fuzz" --plain --skip-build --only room 2>&1; echo "$?"
      grep -c "^swift build" "$log"
      """#)
    #expect(
      world.output.hasPrefix(
        "fuzz: the fuzz targets were not built; run the same without --skip-build\n69\n0\n"))
    #expect(world.output.contains("nothing found\n0\n1\n"))
  }

  @Test("A failed build is told")
  func failedBuild() throws {
    let world = try world(#"broken=1 run "$root/Tools/fuzz" 2>&1"#)
    #expect(world.status == 70)
    #expect(world.output.contains("fuzz: the fuzz targets do not build"))
  }
}
