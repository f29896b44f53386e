/// A published protocol of engines that Parlor speaks too, as it stands before a command: `gtp:gtp-rhino`.
package enum EngineProtocol: String, CaseIterable, Sendable {
  /// The Go Text Protocol, which engines of Othello speak too.
  case gtp
  /// That of the Othello program NBoard.
  case nboard
  /// That of the gomoku tournament Gomocup.
  case gomocup

  /// The protocol that a bot's specification begins with, and the rest after the colon; `nil` for none.
  package static func parse(_ specification: some StringProtocol) -> (name: EngineProtocol, rest: String)? {
    for name in allCases where specification.hasPrefix(name.rawValue + ":") {
      return (name, String(specification.dropFirst(name.rawValue.count + 1)))
    }
    return nil
  }
}
