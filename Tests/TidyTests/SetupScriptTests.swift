import TestKit
import Testing

@Suite("Tools/setup", .blocking)
struct SetupScriptTests {
  @Test("With everything there it installs nothing and remembers the toolchain")
  func nothingToDo() throws {
    let world = try ScriptWorld(
      #"""
      run "$root/Tools/setup" --tests --quiet && run "$root/Tools/setup" --quiet && grep -v ^dpkg-query "$log"
      """#)
    #expect(world.output == "swift --version\n")
    #expect(world.status == 0)
  }

  @Test("What only tests at their full size need is installed when they ask for it")
  func fullSize() throws {
    let quick = try ScriptWorld(
      #"rm "$installed/chromium"; run "$root/Tools/setup" --tests --quiet; grep ^apt-get "$log""#)
    #expect(quick.output == "")
    let full = try ScriptWorld(
      #"rm "$installed/chromium"; run "$root/Tools/setup" --full --quiet >/dev/null 2>&1; grep install "$log""#
    )
    #expect(full.output.hasSuffix(" install -y --no-install-recommends chromium\n"), "\(full.output)")
  }

  @Test("A queue for tournaments is installed when it is asked for")
  func queue() throws {
    let full = try ScriptWorld(
      #"rm "$installed/nats-server"; run "$root/Tools/setup" --full --quiet; grep ^apt-get "$log""#)
    #expect(full.output == "")
    let asked = try ScriptWorld(
      #"rm "$installed/nats-server"; run "$root/Tools/setup" --nats --quiet >/dev/null 2>&1; grep install "$log""#
    )
    #expect(asked.output.hasSuffix(" install -y --no-install-recommends nats-server\n"), "\(asked.output)")
  }

  @Test("It installs what is missing and nothing else")
  func installs() throws {
    let world = try ScriptWorld(
      #"""
      rm "$installed/libsodium-dev"
      run "$root/Tools/setup" 2>&1 && grep ^apt-get "$log"
      """#)
    #expect(world.output.contains("setup: installing libsodium-dev with apt-get"))
    let calls = world.output.split(separator: "\n").filter { $0.hasPrefix("apt-get") }
    #expect(calls.count == 2)
    #expect(calls.first?.hasSuffix(" update") ?? false)
    #expect(calls.last?.hasSuffix(" install -y --no-install-recommends libsodium-dev") ?? false)
    #expect(world.status == 0)
  }

  @Test("A failed installation is told")
  func failedInstallation() throws {
    let world = try ScriptWorld(#"rm "$installed"/*; offline=1 run "$root/Tools/setup""#)
    let all =
      "liblmdb-dev libsodium-dev libuv1-dev libavahi-core-dev libwebsockets-dev libssl-dev libjansson-dev "
      + "libqrencode-dev zlib1g-dev"
    #expect(world.output.contains("setup: apt-get could not install \(all)"))
    #expect(world.status == 69)
  }

  @Test("Without a toolchain it says what to do")
  func noToolchain() throws {
    let world = try ScriptWorld(#"rm "$bin/swift"; run "$root/Tools/setup""#)
    #expect(world.output.hasPrefix("setup: there is no Swift toolchain: get Swift 6.3 or newer"))
    #expect(world.status == 69)
  }

  @Test("Toolchains that are too old", arguments: ["6.2.9", "5.10", "what"])
  func oldToolchain(_ version: String) throws {
    let world = try ScriptWorld("swift_version=\(version) run \"$root/Tools/setup\"")
    #expect(world.output.contains("get Swift 6.3 or newer"))
    #expect(world.status == 69)
  }

  @Test("Toolchains that are new enough", arguments: ["6.3", "6.10.1", "7.0-dev"])
  func newToolchain(_ version: String) throws {
    let world = try ScriptWorld("swift_version=\(version) run \"$root/Tools/setup\" --quiet")
    #expect(world.output == "")
    #expect(world.status == 0)
  }

  @Test("Without apt-get it names the libraries that pkg-config does not find")
  func otherSystem() throws {
    let world = try ScriptWorld(
      #"""
      rm "$bin/apt-get"
      fake pkg-config <<<'[[ $2 != libsodium ]]'
      run "$root/Tools/setup"
      """#)
    #expect(world.output.contains("pkg-config does not find: libsodium."))
    #expect(world.output.contains("Install these libraries with their headers, and pkg-config"))
    #expect(world.status == 69)
  }

  @Test("Wrong arguments and help")
  func usage() throws {
    let wrong = try ScriptWorld(#"run "$root/Tools/setup" --wrong"#)
    #expect(wrong.output.contains("unknown argument --wrong"))
    #expect(wrong.status == 64)
    let help = try ScriptWorld(#"run "$root/Tools/setup" --help"#)
    #expect(help.output.hasPrefix("Usage: Tools/setup"))
    #expect(help.status == 0)
  }
}
