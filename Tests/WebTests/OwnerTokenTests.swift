import Foundation
import Platform
import Testing

@testable import Web

@Suite struct OwnerTokenTests {
  /// Calls `body` with a folder of its own.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("token-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) } }
    try body(folder)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func oneIsMadeAndStays() throws {
    try inFolder { folder in
      let token = try OwnerToken(folder: folder)
      #expect(token.text.utf8.count == 32 && token.text.allSatisfy { $0.isHexDigit })
      let path = "\(folder)/\(OwnerToken.fileName)"
      #expect(try mode(path) == 0o600)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(try OwnerToken(folder: folder).text == token.text)
      #expect(try mode(path) == 0o600)
      try FileManager.default.removeItem(atPath: path)
      #expect(try OwnerToken(folder: folder).text != token.text)
    }
  }

  @Test(
    "What is no token is left as it is", arguments: ["", "x\n", String(repeating: "g", count: 32) + "\n"])
  func otherContent(_ content: String) throws {
    try inFolder { folder in
      let path = "\(folder)/\(OwnerToken.fileName)"
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: OwnerToken.Failure.self) { try OwnerToken(folder: folder) }
      #expect(error?.description.contains("remove it") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content.utf8))
    }
  }

  /// A link could have the mode of a file elsewhere changed.
  @Test func aLinkIsRefused() throws {
    try inFolder { folder in
      let (path, other) = ("\(folder)/\(OwnerToken.fileName)", "\(folder)/other")
      try Data((String(repeating: "0", count: 32) + "\n").utf8).write(to: URL(fileURLWithPath: other))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
      #expect(throws: OwnerToken.Failure.self) { try OwnerToken(folder: folder) }
      #expect(try mode(other) == 0o644)
    }
  }

  @Test func everyDifferentByteIsSeen() {
    let secret = "0123456789abcdef"
    #expect(OwnerToken.isEqual(secret, secret))
    for index in secret.indices {
      var other = secret
      other.replaceSubrange(index...index, with: "x")
      #expect(!OwnerToken.isEqual(other, secret))
    }
    for other in ["", String(secret.dropLast()), secret + "0"] { #expect(!OwnerToken.isEqual(other, secret)) }
  }
}
