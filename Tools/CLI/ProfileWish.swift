import Events
import Games
import Platform
import Projection
import Terminal

/// How a person wants to be shown, before it is known with which key.
struct ProfileWish {
  /// What `--name` and `--emoji` mean wherever a person sits down.
  static let options: [OptionDefinition] = [
    .value("emoji", "E", "your piece: an emoji or a team (Cats, Dogs, Ocean, Space, Fruits)"),
    .value("name", "N", "how others see you; the system's name of the user when not given"),
  ]

  /// The most columns of a name that nobody has typed.
  private static let limitNameColumns = 32

  private let name: String?
  private let emoji: String

  /// What a person wants to be shown as: by `--name`, else by the name of the system's user, else by the key.
  init(_ parsed: ParsedCommand, _ console: Console) throws {
    let wish = parsed.text("emoji") ?? ""
    guard wish.isEmpty || EmojiTeam.emoji(wish: wish) != nil else {
      let teams = EmojiTeam.all.map { "\($0.name) \($0.emoji.joined())" }.joined(separator: ", ")
      throw parsed.badValue("emoji", "choose one of these, or a team's name: \(teams)")
    }
    emoji = EmojiTeam.emoji(wish: wish) ?? ""
    name = try Self.typedName(parsed, console) ?? Self.userName
  }

  /// How the person is shown who has this key.
  func profile(of peer: PeerID) -> Profile {
    Profile(name: name ?? "player-\(peer.description.prefix(4))", emoji: emoji)
  }

  /// The name of `--name`, which others can read and tell from themselves; `nil` where none was typed.
  static func typedName(_ parsed: ParsedCommand, _ console: Console) throws -> String? {
    guard let name = parsed.text("name") else { return nil }
    guard SafeText(name).text.contains(where: { $0 != " " }) else {
      throw parsed.badValue("name", "it is blank")
    }
    guard !isYou(name) else {
      throw parsed.badValue("name", "on every screen that word means whoever looks at it")
    }
    if name.utf8.count > Profile.limitNameBytes {
      console.note("The name is cut to \(Profile.limitNameBytes) bytes.")
    }
    return name
  }

  /// The name of the system's user, safe to print; `nil` where there is none that others could tell apart.
  private static var userName: String? {
    for name in [CurrentProcess.variable("USER"), CurrentProcess.userName] {
      let safe = SafeText(name ?? "", limitColumns: limitNameColumns).text.trimmingBlanks
      let hasLetter = safe.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      if hasLetter, !isYou(safe) { return safe }
    }
    return nil
  }

  /// Whether a name reads as the word that screens have for whoever looks at them.
  static func isYou(_ name: String) -> Bool {
    SafeText(name).text.trimmingBlanks.lowercased() == "you"
  }
}

extension Profile {
  /// Gives a joiner another emoji than the host's, who was first to choose, and says why.
  mutating func adaptEmoji(to state: RoomState, _ console: Console) {
    let wish = emoji
    guard !wish.isEmpty else { return }
    emoji = EmojiTeam.pieces(wanted: [state.create.profile.emoji, wish])[1]
    guard emoji != wish else { return }
    let host = state.name(of: state.creator)
    console.note(
      "\(host) chose \(wish) before you, and no two play with one piece: yours is \(emoji).")
  }
}
