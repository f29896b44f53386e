internal import Events
package import Platform

/// The secret with which a socket acts as the owner of a data folder: 128 random bits in a file of the folder, which
/// only the owner reads.
package struct OwnerToken: Sendable {
  /// 32 hexadecimal digits.
  package let text: String

  /// The file's name in the data folder.
  package static let fileName = "web-token"
  private static let digits = 32

  /// Why there is no token.
  package enum Failure: Error, CustomStringConvertible {
    case system(SystemError)
    /// The file holds something else; its path.
    case content(String)

    /// What happened and what to do.
    package var description: String {
      switch self {
      case .system(let error): error.description
      case .content(let path): "\(path) is no token of this program: remove it, and a new one is made"
      }
    }
  }

  /// A token of random bytes.
  package init(_ random: [UInt8]) { text = Self.text(random) }

  private static func text(_ random: [UInt8]) -> String { Array(random.prefix(digits / 2)).hex }

  /// The token of a data folder, which is made when there is none.
  package init(folder: String) throws(Failure) {
    let path = "\(folder)/\(Self.fileName)"
    let bytes: [UInt8]
    do throws(SystemError) {
      if let known = try Self.read(path) { bytes = known } else { bytes = try Self.make(path) }
    } catch { throw .system(error) }
    guard let text = Self.token(bytes) else { throw .content(path) }
    self.text = text
  }

  /// What the file holds, which is only the owner's from now on; `nil` when there is none.
  private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try OpenFile(path, .noLink)
      try file.setMode(0o600)
      return try file.readAll(limit: limitBytes)
    } catch {
      guard error.kind == .missing else { throw error }
      return nil
    }
  }

  private static func make(_ path: String) throws(SystemError) -> [UInt8] {
    let bytes = Array((text(SigningKey.randomSeed()) + "\n").utf8)
    let file = try NewFile(path, replaces: false, mode: 0o600)
    try file.descriptor.write(bytes, path: path)
    try file.keep()
    return bytes
  }

  private static let limitBytes = 64

  private static func token(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count == digits + 1, text.hasSuffix("\n") else { return nil }
    let token = text.dropLast()
    return token.allSatisfy { $0.isASCII && $0.isHexDigit } ? String(token) : nil
  }

  /// Whether this is the token.
  func isEqual(to text: String) -> Bool { Self.isEqual(text, self.text) }

  /// Compares a secret in a time that does not depend on where it differs.
  package static func isEqual(_ text: String, _ secret: String) -> Bool {
    let (given, wanted) = (Array(text.utf8), Array(secret.utf8))
    guard given.count == wanted.count else { return false }
    return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
