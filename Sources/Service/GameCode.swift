package import Events

/// The short name of a room that people read out and type: its id's first six hexadecimal digits, each as one of
/// sixteen letters that are neither such digits nor easily taken for something else (Docs/PROTOCOL.md §1.7).
package enum GameCode {
  /// The letter of each hexadecimal digit.
  package static let letters = Array("GHJKMNPQRSTVWXYZ".utf8)
  package static let count = 6

  /// A room's code.
  package static func of(_ room: RoomID) -> String {
    let digits = room.description.utf8.prefix(count).map { Int($0 < 0x3A ? $0 - 0x30 : $0 - 0x61 + 10) }
    return String(decoding: digits.map { letters[$0] }, as: UTF8.self)
  }

  /// The first digits of the id that a code stands for, in either case; `nil` for what is no code.
  package static func digits(of code: String) -> String? {
    let upper = code.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    let digits = upper.compactMap { letters.firstIndex(of: $0) }
    guard upper.count == count, digits.count == count else { return nil }
    return digits.map { String($0, radix: 16) }.joined()
  }
}
