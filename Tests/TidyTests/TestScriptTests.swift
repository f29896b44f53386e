import TestKit
import Testing

@Suite("Tools/test", .blocking)
struct TestScriptTests {
  /// A toolchain whose tests say what they were called with and fail when told to.
  private static let preparation = #"""
    mkdir "$root/Tests" && printf '@Test\n  @Test(1)\n@Test\n' >"$root/Tests/A.swift"
    plain() { sed 's/--experimental[^ ]* [0-9]*/WIDTH/; s/-c release .*-enable-testing/RELEASE/'; }
    export real_sleep=$(command -v sleep)
    fake swift <<'END'
    case $1 in
      --version) echo "Swift version 6.3.1 (pretended)" ;;
      build)
        if [[ -n ${broken:-} ]]; then echo "A.swift:1: error: broken" && exit 1; fi
        mkdir -p .build/release
        for name in parlor parlor-bench parlor-simulate; do
          printf '#!/usr/bin/env bash\necho "%s $*"\n' "$name" >".build/release/$name"
        done
        chmod +x .build/release/* ;;
      test)
        tested=${PARLOR_THREADS:-$PARLOR_PROGRAM}
        echo "$PARLOR_EFFORT ${tested##*/.build/}" >>"$log"
        for number in 1 2 3; do
          echo "◇ Test $number started."
          echo "✔ Test $number passed after 0.1 seconds."
        done
        [[ -z ${hangs:-} ]] || {
          echo "◇ Test 4 started."
          echo "◇ Test five(_:) started." && echo "◇ Test case passing 1 argument x → 1 to five(_:) started."
          echo "✔ Test five(_:) with 1 test case passed after 0.1 seconds." && "$real_sleep" 1000
        }
        until [[ -z ${said:-} ]] || grep -q '3 of about 3 tests' "$said"; do "$real_sleep" 0.05; done
        until [[ -z ${meets:-} ]] || (($(grep -c '^swift test' "$log") >= 2 + meets)); do "$real_sleep" 0.05; done
        count=$(grep -c '^swift test' "$log")
        if [[ ${fails_at:-} == "$count" ]]; then
          echo "✘ Test 3 recorded an issue" && echo "✘ Test run with 3 tests failed." && exit 1
        fi
        echo "✔ Test run with 3 tests in 1 suite passed after 0.1 seconds." ;;
    esac
    END

    """#

  private func world(_ scenario: String) throws -> ScriptWorld {
    try ScriptWorld(Self.preparation + scenario)
  }

  @Test(
    "It runs the tests at their quick size on the debug program, in plain lines, and ends with their summary")
  func quick() throws {
    let world = try world(
      #"run "$root/Tools/test" 2>&1; grep -A 1 "^swift test" "$log" | plain"#
    )
    #expect(world.output.contains("== format lint: "))
    #expect(world.output.contains("== build: "))
    #expect(
      world.output.contains(
        """
         s
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        swift test --skip-build --disable-xctest WIDTH
        quick debug/parlor

        """))
    #expect(world.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 })
  }

  @Test(
    "Everything: tests at full size, the stores' under the sanitizer, and what else")
  func full() throws {
    let world = try world(
      #"""
      printf '#!/usr/bin/env bash\necho "fuzz $*" >>"$log"\n' >"$root/Tools/fuzz"
      run "$root/Tools/test" --full 2>&1 | sed 's/: [0-9]* s$//'
      grep -E "^(swift (build|test)|full|quick|fuzz)" "$log" >"$world/calls"
      plain <"$world/calls" | sed 's/ --scratch-path.*//' | cut -c 1-66 | LC_ALL=C sort
      """#)
    #expect(
      world.output == """
        == format lint
        == build
        == link of the program
        == link of the benchmark and the simulator
        == build of the fuzz targets
        == benchmark, quick
        parlor-bench --quick
        == simulation of 2,000 seeds
        == fuzzing (Tools/fuzz)
        == build with the thread sanitizer
        == tests under the thread sanitizer
        == all tests
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        full release/parlor
        fuzz --plain --build-only
        fuzz --plain --skip-build --seconds 12 --only event --only bundle
        fuzz --plain --skip-build --seconds 4 --only room --only message -
        quick stores
        swift build --build-tests --sanitize=thread
        swift build RELEASE --build-tests --explicit-target-dependency-imp
        swift build RELEASE --product parlor
        swift build RELEASE --product parlor-bench
        swift build RELEASE --product parlor-simulate
        swift test --skip-build --disable-xctest WIDTH --sanitize=thread
        swift test RELEASE --skip-build --disable-xctest WIDTH

        """)
  }

  @Test("With the thread sanitizer: all modules that know threads, and a program that is built with it")
  func threads() throws {
    let world = try world(
      #"""
      run "$root/Tools/test" --threads 2>&1 | sed 's/: [0-9]* s$//'
      grep -E "^(swift (build|test)|full|quick)" "$log" | plain | sed 's/ --scratch-path.*//'
      run "$root/Tools/test" --threads --full 2>&1; echo "$?"
      """#)
    #expect(
      world.output == """
        == format lint
        == build with the thread sanitizer
        == build
        == smoke tests with the sanitized program
        == all tests
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        swift build --build-tests --sanitize=thread
        swift build --build-tests --explicit-target-dependency-import-check error
        swift test --skip-build --disable-xctest WIDTH --filter EndToEndTests\\.SmokeTests
        quick thread/debug/parlor
        swift test --skip-build --disable-xctest WIDTH --sanitize=thread
        quick all
        test: --threads takes neither --full nor --repeat; Tools/test --help shows how
        64

        """)
  }

  @Test("A choice of tests at full size runs the release program")
  func choice() throws {
    let world = try world(
      #"run "$root/Tools/test" --full --filter A.B --skip=C >/dev/null 2>&1; grep -A 1 "^swift test" "$log" | plain"#
    )
    #expect(
      world.output
        == "swift test RELEASE --skip-build --disable-xctest WIDTH --filter A.B --skip C\nfull release/parlor\n"
    )
  }

  @Test("Tools/run builds a program that stands beside Parlor, and runs it with the arguments")
  func otherPrograms() throws {
    let world = try world(
      #"""
      run "$root/Tools/run" parlor-bench --only "a b"; grep "^swift build" "$log" | plain
      broken=1 run "$root/Tools/run" parlor-simulate; echo "$?"
      run "$root/Tools/run" parlor; echo "$?"
      """#)
    #expect(
      world.output == """
        run: building parlor-bench; the first time takes a minute or more
        parlor-bench --only a b
        swift build RELEASE --product parlor-bench
        A.swift:1: error: broken
        run: the build failed; the compiler's words are above
        70
        run: unknown program parlor; Tools/run --help lists what there is
        64

        """)
  }

  @Test("While a stage lasts it says now and then how far it is and how long all takes")
  func progress() throws {
    // Looks that take no time, so that there are many.
    let world = try world(
      #"""
      rm "$bin/sleep"; fake sleep </dev/null
      export said="$world/said"; run "$root/Tools/test" >"$said" 2>&1; cat "$said"
      """#)
    #expect(
      world.output.contains(#/   all tests: \d+ s, 3 of about 3 tests, about \d min left\n/#),
      "\(world.output)")
  }

  @Test("What failed is shown, and it ends with 1")
  func failures() throws {
    let failed = try world(#"fails_at=1 run "$root/Tools/test" 2>&1; echo "$?""#)
    #expect(failed.output.contains("== what failed\n✘ Test 3 recorded an issue\n"))
    #expect(failed.output.hasSuffix("✘ Test run with 3 tests failed.\n1\n"))
    let broken = try world(#"broken=1 run "$root/Tools/test" 2>&1; echo "$?"; grep -c "^swift test" "$log""#)
    #expect(broken.output.contains("A.swift:1: error: broken\n"))
    #expect(
      broken.output.hasSuffix("test: stage \"build\" failed with status 1; its words are above\n1\n0\n")
    )
  }

  @Test("What the shell has forgotten of a child that ended long ago changes no verdict")
  func statuses() throws {
    // As when another child has had the same number since.
    let forgetful = #"wait() { builtin wait "$@"; return 127; }; export -f wait; "#
    let passed = try world(forgetful + #"run "$root/Tools/test" 2>&1; echo "$?""#)
    #expect(passed.output.hasSuffix("✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.\n0\n"))
    let failed = try world(
      forgetful + #"fails_at=1 run "$root/Tools/test" 2>&1; echo "$?"; ls "$root/.build""#)
    #expect(failed.output.contains("✘ Test run with 3 tests failed.\n1\n"))
    #expect(!failed.output.contains("status"))
  }

  @Test("Tests that do not go on are named and ended")
  func silence() throws {
    let world = try world(
      // Long enough for a busy machine to begin the tests.
      #"PARLOR_TEST_PATIENCE=15 hangs=1 run "$root/Tools/test" 2>&1; echo "$?""#)
    #expect(
      world.output.contains(
        #/== all tests: no test has begun or ended for \d+ s\. These have begun and not ended:\n4\n== their programs/#
      ),
      "\(world.output)")
    #expect(world.output.hasSuffix(".build/tests.log\n1\n"), "\(world.output)")
  }

  @Test("Repetitions go on after a failure, and several run at once")
  func repetitions() throws {
    let world = try world(
      #"""
      fails_at=1 run "$root/Tools/test" --repeat 2 --filter A >"$world/said" 2>&1; echo "$?"
      sed -n 's/^== repetition \(.\) of 2: .* s, //p; /^== [0-9]/p; /recorded/p' "$world/said"
      ls "$root/.build" | grep repetition
      # Each of these waits for the other.
      meets=2 run "$root/Tools/test" --repeat 2 --busy --filter A >"$world/said" 2>&1; echo "$?"
      tail -n 1 "$world/said"
      """#)
    #expect(
      world.output == """
        1
        ✘ Test run with 3 tests failed.
        ✘ Test 3 recorded an issue
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        == 1 of 2 repetitions failed
        repetition-1.log
        0
        == 0 of 2 repetitions failed

        """)
  }

  @Test(
    "Wrong arguments are refused before anything is built",
    arguments: ["--filter", "--repeat", "--repeat 0", "--repeat x", "--busy", "again"])
  func wrongArguments(_ arguments: String) throws {
    let world = try world("run \"$root/Tools/test\" \(arguments); echo \"$?\"; grep -c . \"$log\"")
    #expect(world.output.hasPrefix("test: ") && world.output.hasSuffix("\n64\n0\n"), "\(world.output)")
  }
}
