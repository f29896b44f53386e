import Foundation
import TestKit
import Testing

/// What `Tools/package` and `Tools/pictures` make of the program under test, which has to be the release build: else
/// they would build it. `Tools/package --try` also installs the package in a fresh Debian root, over the network.
@Suite(.blocking, .onlyAtFullSize, .enabled(if: Debian.isThere, Debian.missing)) struct PackageTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs a program with the environment of the tests.
  private func run(_ words: String...) throws -> String {
    let process = try ChildProcess(
      words, in: home.path, output: .file(home.written("out")), errors: .file(home.written("err")))
    let errors = String(decoding: try home.bytes("err"), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(words): \(errors.suffix(1_000))")
    return String(decoding: try home.bytes("out"), as: UTF8.self)
  }

  /// Both hold the program, a page for each command and the completions; neither needs the toolchain's libraries.
  @Test func packageAndArchiveHoldAllThatIsNeeded() throws {
    _ = try run("\(PackageFolder.url.path)/Tools/package", home.file("made"))
    let made = try home.tree().map(\.path).filter { $0.hasPrefix("made/") }
    let package = try #require(made.first { $0.hasSuffix(".deb") }, "\(made)")
    let archive = try #require(made.first { $0.hasSuffix(".tar.gz") }, "\(made)")
    let depends = try run(Debian.path, "-f", home.file(package), "Depends")
    #expect(
      depends.contains("libc6") && depends.contains("liblmdb0") && !depends.contains("swift"), "\(depends)")

    _ = try run(Debian.path, "-x", home.file(package), home.file("deb"))
    _ = try run("/bin/tar", "-C", home.path, "-xf", home.file(archive))
    let top = try #require(archive.split(separator: "/").last?.replacing(".tar.gz", with: ""))
    let pages = try DescribedCommand.all().map { (["parlor"] + $0.path).joined(separator: "-") } + ["parlor"]
    let files =
      ["bin/parlor", "share/doc/parlor/copyright", "share/doc/parlor/README.md"]
      + [
        "bash-completion/completions/parlor", "zsh/vendor-completions/_parlor",
        "fish/vendor_completions.d/parlor.fish",
      ]
      .map { "share/\($0)" } + pages.map { "share/man/man1/\($0).1.gz" }
    let there = Set(try home.tree().map(\.path))
    for place in ["deb/usr", String(top)] {
      let missing = files.filter { !there.contains("\(place)/\($0)") }
      #expect(missing.isEmpty, "\(place): \(missing)")
      let program = home.file("\(place)/bin/parlor")
      let libraries = try run("/usr/bin/ldd", program)
      #expect(!libraries.contains("swift"), "\(libraries)")
      let match = try Dialogue(
        ["match", "tic-tac-toe", "--players", "solver,random", "--data", "data"], home: home, program: program
      )
      #expect(try match.finish().status == 0)
    }
  }

  /// The README's pictures are what the script makes of the games that it plays, but for ids.
  @Test func picturesAreMadeOfRealGames() throws {
    let script = try PackageFolder.text("Tools/pictures")
    let readme = try PackageFolder.text("README.md")
    let shown = readme.matches(of: #/\(Docs/pictures/([a-z-]+)\.svg\)/#).map { String($0.1) }
    #expect(!shown.isEmpty)
    func plain(_ text: String) -> String {
      text.replacing(#/room [0-9a-f]{10}/#, with: "room").replacing(#/\([0-9a-f]{6}\)/#, with: "()")
    }
    for name in shown {
      let words = try #require(
        script.split(separator: "\n").first { $0.contains(" \(name) ") && !$0.hasPrefix(" ") },
        "\(name) is not made")
      let parts = words.split(separator: " ").map(String.init)
      let isBracket = parts[0] == "bracket"
      let played =
        isBracket
        ? try Program.run(
          "tournament", "run", "--game", "tic-tac-toe", "--format", "double-elimination", "--title",
          "Tic-tac-toe in two brackets", "--entrants", parts[2], "--seed", parts[3], "--data", name,
          home: home)
        : try Program.run(
          "match", name, "--players", parts[2], "--seed", parts[3], "--data", name, home: home)
      #expect(played.status == 0, "\(played.errors)")
      let draw = isBracket ? ["tournament", "bracket"] : ["replay"]
      let made = try Program.start(
        draw + ["last", "--format", "svg", "--data", name], home: home
      ).finish().output
      let kept = try PackageFolder.text("Docs/pictures/\(name).svg")
      #expect(plain(made) == plain(kept), "Tools/pictures makes another \(name).svg")
    }
  }
}

/// Debian's tool for packages, and a program that can be packed without being built.
enum Debian {
  static let path = "/usr/bin/dpkg-deb"
  static var isThere: Bool {
    FileManager.default.isExecutableFile(atPath: path) && Program.path?.contains("/release/") == true
  }
  static let missing: Comment = "packages are made on Debian, of the release build (PARLOR_PROGRAM)"
}
