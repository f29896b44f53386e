/// Five emoji of one theme; the first is the team's piece.
///
/// Only emoji that every terminal draws two columns wide are in a team: one scalar each, shown as emoji
/// without a variation selector, no joiner, no flag, no skin tone.
public struct EmojiTeam: Hashable, Sendable {
  /// The team's name for people.
  public let name: String
  /// The team's emoji.
  public let emoji: [String]

  /// The emoji that the team plays with when no other is wished for.
  public var piece: String { emoji[0] }

  /// All teams, in the order of lists.
  public static let all = [
    EmojiTeam(name: "Cats", emoji: ["🐱", "😺", "😸", "😻", "🐈"]),
    EmojiTeam(name: "Dogs", emoji: ["🐶", "🐕", "🐩", "🐺", "🐾"]),
    EmojiTeam(name: "Ocean", emoji: ["🐳", "🐬", "🐙", "🐠", "🐡"]),
    EmojiTeam(name: "Space", emoji: ["🚀", "🌟", "🌙", "🌍", "👾"]),
    EmojiTeam(name: "Fruits", emoji: ["🍎", "🍌", "🍇", "🍓", "🍊"]),
  ]

  /// Whether an emoji may be a piece: whether a team has it, byte for byte.
  public static func isAllowed(_ emoji: String) -> Bool { place(of: emoji) != nil }

  /// The emoji that a person means by an emoji or by a team's name in any case, `nil` when it is neither.
  public static func emoji(wish: String) -> String? {
    if isAllowed(wish) { return wish }
    guard wish.utf8.count <= 16 else { return nil }
    return all.first { $0.name.lowercased() == wish.lowercased() }?.piece
  }

  /// The piece of each seat, all different up to 25 seats.
  ///
  /// Wishes are served first, by seat. Who wishes for an emoji that a seat before has gets the piece of the
  /// next team whose piece is free. Seats without a wish, or whose wish is no team's emoji, then get the
  /// first team's piece that is free.
  /// - Parameter wanted: one wish per seat: an emoji, a team's name, or an empty text for none.
  public static func pieces(wanted: [String]) -> [String] {
    let wishes = wanted.map { emoji(wish: $0) }
    var pieces = wishes.map { _ in "" }
    for (seat, wish) in wishes.enumerated() {
      guard let wish else { continue }
      pieces[seat] = pieces.contains(wish) ? free(from: (place(of: wish) ?? 0) + 1, taken: pieces) : wish
    }
    for (seat, wish) in wishes.enumerated() where wish == nil {
      pieces[seat] = free(from: 0, taken: pieces)
    }
    return pieces
  }

  /// The first free emoji: the pieces of all teams from one on, in a circle, then their second emoji, and so
  /// on.
  private static func free(from start: Int, taken: [String]) -> String {
    let order = (0..<5).flatMap { column in all.indices.map { all[(start + $0) % all.count].emoji[column] } }
    return order.first { !taken.contains($0) } ?? order[0]
  }

  private static func place(of emoji: String) -> Int? {
    all.firstIndex { team in team.emoji.contains { $0.utf8.elementsEqual(emoji.utf8) } }
  }
}
