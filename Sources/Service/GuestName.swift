package import Events

/// The name by which others see somebody behind a socket: `Guest MARK (CHOSEN)@KEEPER`.
///
/// The mark is that from which the owner of the server makes the guest's key. The keeper is the peer that has that key,
/// by the first digits of its own: others find the guest's games in their lobbies while they are connected with it. It
/// is what the guest's create says, and proves nothing: a false one lists a game that nobody goes on with.
package struct GuestName {
  package let mark: String
  package let keeper: String
  /// The whole name.
  package let text: String

  private static let title = "Guest "
  /// The hexadecimal digits of a mark.
  package static let markDigits = 12
  /// The longest name of its choice, in bytes of UTF-8.
  package static let limitChosenBytes = 32

  /// - Parameter chosen: the name of the guest's choice; empty for none.
  package init(mark: String, chosen: String, keeper: PeerID) {
    self.mark = mark
    self.keeper = keeper.short
    let shown = chosen.isEmpty ? "" : " (\(chosen.prefix(utf8Bytes: Self.limitChosenBytes)))"
    text = Self.title + mark + shown + "@" + self.keeper
  }

  /// Reads a name; `nil` for one that is no guest's, or does not say who keeps the key.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.title), let at = text.lastIndex(of: "@") else { return nil }
    mark = String(text.dropFirst(Self.title.count).prefix(Self.markDigits))
    keeper = String(text[text.index(after: at)...])
    guard mark.utf8.count == Self.markDigits, keeper.utf8.count == PeerID.none.short.utf8.count else {
      return nil
    }
    self.text = text
  }
}
