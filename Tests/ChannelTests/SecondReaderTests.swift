import Foundation
import TestKit
import Testing

/// The vectors of channels are what a program makes of them that shares no code with ours.
@Suite(.blocking) struct SecondReaderTests {
  private static let python = "/usr/bin/python3"

  private static func run(_ arguments: [String]) throws -> (status: Int32, words: String) {
    let pipe = Pipe()
    let process = try ChildProcess([python] + arguments, output: .pipe(pipe), errors: .pipe(pipe))
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// Whether there is a Python with Debian's `python3-nacl`.
  static let isThere: Bool = {
    guard FileManager.default.isExecutableFile(atPath: python) else { return false }
    do { return try run(["-c", "import nacl.bindings"]).status == 0 } catch { return false }
  }()

  private static func read(_ file: String) throws -> (status: Int32, words: String) {
    try run([PackageFolder.file("Tests/ChannelTests/Reader/converse.py").path, file])
  }

  private static let vectors = PackageFolder.file("Tests/Fixtures/vectors/channel.txt")

  @Test(.enabled(if: isThere, "there is no Python with the module nacl (Tools/setup --tests installs it)"))
  func bothProgramsSendTheSame() throws {
    let reading = try Self.read(Self.vectors.path)
    #expect(reading.words == "21\n" && reading.status == 0)
  }

  /// A changed digit is told.
  @Test(.enabled(if: isThere, "there is no Python with the module nacl (Tools/setup --tests installs it)"))
  func aChangedDigitIsNoticed() throws {
    var text = try String(contentsOf: Self.vectors, encoding: .utf8)
    let frame = try #require(text.firstRange(of: "last-frame: 0012"))
    let digit = text[frame.upperBound]
    text.replaceSubrange(frame.upperBound...frame.upperBound, with: digit == "0" ? "1" : "0")
    let file = FileManager.default.temporaryDirectory.appending(path: "channel-\(UUID().uuidString).txt")
    try Data(text.utf8).write(to: file)
    defer {
      do { try FileManager.default.removeItem(at: file) } catch { Issue.record("\(error)") }
    }
    #expect(try Self.read(file.path).status == 1)
  }
}
