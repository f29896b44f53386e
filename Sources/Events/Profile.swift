/// How somebody wants to be shown, and for a bot what it is.
public struct Profile: Hashable, Sendable {
  /// The longest name, in bytes of UTF-8.
  public static let limitNameBytes = 64
  /// The longest emoji, in bytes of UTF-8.
  public static let limitEmojiBytes = 32

  /// A name; anybody may take any name, so the key is shown beside it.
  public var name: String
  /// The wanted piece; empty for none.
  public var emoji: String
  /// What a bot declares.
  public var bot: BotEntry?

  /// A profile of these values. Texts over their limits are cut at a Unicode scalar.
  public init(name: String, emoji: String = "", bot: BotEntry? = nil) {
    self.name = name.prefix(utf8Bytes: Self.limitNameBytes)
    self.emoji = emoji.prefix(utf8Bytes: Self.limitEmojiBytes)
    self.bot = bot
  }

  func encode(to body: inout BodyWriter) {
    body.append(text8: name)
    body.append(text8: emoji)
    body.append(bot == nil ? 0 : 1)
    guard let bot else { return }
    body.append(text8: bot.specification)
    body.append(bigEndian: bot.version)
    body.append(bigEndian: bot.nodeBudget)
    body.append(bigEndian: bot.seed)
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    name = try reader.text8(0...Self.limitNameBytes)
    emoji = try reader.text8(0...Self.limitEmojiBytes)
    guard try reader.flag() else { return }
    bot = BotEntry(
      specification: try reader.text8(1...BotEntry.limitSpecificationBytes), version: try reader.integer(),
      nodeBudget: try reader.integer(), seed: try reader.integer())
  }
}

/// What a bot says of itself, so that anybody can play its moves again.
public struct BotEntry: Hashable, Sendable {
  /// The longest specification, in bytes of UTF-8.
  public static let limitSpecificationBytes = 64

  /// Name and argument as on the command line: `lookahead:4`.
  public var specification: String
  /// The bot's version.
  public var version: UInt16
  /// The most positions it visits for a move; 0 for no limit.
  public var nodeBudget: UInt64
  /// The seed of its random numbers.
  public var seed: UInt64

  /// An entry of these values. A specification over the limit is cut.
  public init(specification: String, version: UInt16, nodeBudget: UInt64, seed: UInt64) {
    self.specification = specification.prefix(utf8Bytes: Self.limitSpecificationBytes)
    self.version = version
    self.nodeBudget = nodeBudget
    self.seed = seed
  }
}

extension String {
  /// The longest prefix of whole Unicode scalars that has at most `limit` bytes of UTF-8.
  package func prefix(utf8Bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= limit else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}
