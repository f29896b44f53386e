internal import BotKit
package import Events
internal import JSON
package import Peer
internal import Rules
package import Service

/// What a client of the sub-protocol `parlor.1` wants (Docs/SOCKET.md).
package struct TableRequest: Equatable {
  /// What the client calls the request, by which it knows the answer.
  package enum Tag: Hashable {
    case text(String)
    case number(Int64)
  }

  /// What is wanted. A room is named as people name it: by its id, its first digits or its code.
  package enum Wish: Equatable {
    /// Who the client is.
    case hello(Credential, name: String, emoji: String)
    /// Which games there are.
    case games
    /// Which tables there are, now and, to follow them, whenever that changes.
    case list(follows: Bool)
    case host(NewTable)
    /// A seat, in a game whose referee and limits the client agrees to; among the players of hosted rounds with the
    /// join code.
    case join(room: String, code: String?, Terms)
    case watch(room: String)
    case unwatch(room: String)
    /// Earlier positions of a game of the room, of the last one where no number is given, from a ply on.
    case positions(room: String, number: Int?, ply: Int)
    /// What each move of a game of the room was worth, of the last one where no number is given.
    case analyze(room: String, number: Int?)
    /// The room as a file that anybody can check, from a byte of it on.
    case export(room: String, from: Int)
    /// A text as a code that cameras read.
    case code(text: String)
    case choose(room: String, Choice, number: UInt16?, plies: UInt16?)
    case act(room: String, TableAct)
    /// The next game between the same seats.
    case rematch(room: String)
    /// An answer in the hosted round that is on.
    case enter(room: String, text: String)
    case invite(room: String, PeerID)
    case decline(room: String)
    /// What a key is shown with.
    case challenge
    /// Shows that the client has a key of its own.
    case prove(PeerID, Signature)
    /// The events of a table, and the table as the client's own key sees it, from now on.
    case follow(room: String)
    /// An event that the client has written and signed with its own key.
    case write(room: String, event: [UInt8], Signature)
    /// A room whose first event the client has written and signed with its own key, and the bot that is to come there.
    case create(event: [UInt8], Signature, bot: String?)
  }

  /// By what a client is known.
  package enum Credential: Equatable {
    case none
    /// It acts as the owner.
    case token(String)
    /// It was here before.
    case secret(String)
  }

  /// A move.
  package enum Choice: Equatable {
    case text(String)
    case code(UInt32)
  }

  /// What a game is hosted from: a name and settings, or a position of a game.
  package struct NewTable: Equatable {
    package var game = ""
    package var settings: [Setting] = []
    /// The position from which it goes on; then `game` and `settings` are empty.
    package var position: Position?
    /// `nil` for a draw, or in a game from a position for the side that is to move there.
    package var order: Order?
    package var scope: Scope?
    package var allowsUndo = true
    /// How many games the series has, and how many of them somebody must win for it to be over before.
    package var games: Int?
    package var target: Int?
    /// The bot that sits opposite, as on the command line; `nil` for whoever comes.
    package var bot: String?
  }

  /// A position of a game of a room; of the last one where no number is given, which is from 1.
  package struct Position: Equatable {
    package var room: String
    package var number: Int?
    package var ply: Int
  }

  package struct Setting: Equatable {
    package var name: String
    package var value: String
  }

  /// Where the client sits.
  package enum Order: String, CaseIterable, Sendable {
    case first
    case second
    case random
  }

  /// Why a message means nothing, in words, and what the client calls it where that can be read.
  package struct Refusal: Error, Equatable {
    package let tag: Tag?
    package let words: String
  }

  package let tag: Tag
  package let wish: Wish

  /// Reads what a client sends.
  package init(_ text: [UInt8]) throws(Refusal) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
      throw Refusal(tag: nil, words: "this is no JSON: \(error)")
    }
    guard case .object(let members) = value else {
      throw Refusal(tag: nil, words: "a message is an object")
    }
    guard let tag = Self.tag(value["id"]) else {
      throw Refusal(
        tag: nil, words: "a request has an id: a whole number, or a text of 1 to \(Self.limitTagBytes) bytes")
    }
    self.tag = tag
    do throws(Fields.Fault) {
      var fields = Fields(members)
      wish = try Wish(&fields)
      try fields.checkAllRead()
    } catch { throw Refusal(tag: tag, words: error.words) }
  }

  init(tag: Tag, wish: Wish) {
    self.tag = tag
    self.wish = wish
  }

  /// The longest id, in bytes.
  static let limitTagBytes = 64
  /// The longest event that a message takes, in bytes.
  static let limitEventBytes = 1_792

  private static func tag(_ value: JSONValue?) -> Tag? {
    switch value {
    case .integer(let number): .number(number)
    case .string(let text) where (1...limitTagBytes).contains(text.utf8.count): .text(text)
    default: nil
    }
  }
}

extension TableRequest.Wish {
  fileprivate init(_ fields: inout Fields) throws(Fields.Fault) {
    let type = try fields.text("type", limit: 32)
    switch type {
    case "hello":
      let (token, secret) = (try fields.text(optional: "token"), try fields.text(optional: "secret"))
      guard token == nil || secret == nil else { throw .init("hello has a token or a secret, not both") }
      self = .hello(
        token.map { .token($0) } ?? secret.map { .secret($0) } ?? .none,
        name: try fields.text(optional: "name", limit: GuestName.limitChosenBytes) ?? "",
        emoji: try fields.text(optional: "emoji", limit: Profile.limitEmojiBytes) ?? "")
    case "games": self = .games
    case "list": self = .list(follows: try fields.flag("follow") ?? false)
    case "host": self = .host(try TableRequest.NewTable(&fields))
    case "branch": self = .host(try TableRequest.NewTable(from: &fields))
    case "join":
      self = .join(
        room: try fields.room(), code: try fields.text(optional: "join-code"), try Terms(&fields))
    case "watch": self = .watch(room: try fields.room())
    case "unwatch": self = .unwatch(room: try fields.room())
    case "positions":
      self = .positions(
        room: try fields.room(), number: try fields.gameNumber(),
        ply: try fields.ply() ?? 0)
    case "analyze": self = .analyze(room: try fields.room(), number: try fields.gameNumber())
    case "export":
      let from = try fields.number("from", 0...Int64(UInt32.max))
      self = .export(room: try fields.room(), from: Int(from ?? 0))
    case "qr": self = .code(text: try fields.text("text", limit: QRCode.limitBytes))
    case "choose": self = try Self.choose(&fields)
    case "say":
      self = .act(room: try fields.room(), .say(try fields.text("text", limit: Action.limitChatBytes)))
    case "rematch": self = .rematch(room: try fields.room())
    case "enter": self = .enter(room: try fields.room(), text: try fields.text("text"))
    case "invite":
      self = .invite(room: try fields.room(), try fields.peer("peer"))
    case "decline": self = .decline(room: try fields.room())
    case "challenge": self = .challenge
    case "prove": self = .prove(try fields.peer("peer"), try fields.signature())
    case "follow": self = .follow(room: try fields.room())
    case "write":
      self = .write(
        room: try fields.room(), event: try fields.bytes("event", limit: TableRequest.limitEventBytes),
        try fields.signature())
    case "create":
      self = .create(
        event: try fields.bytes("event", limit: TableRequest.limitEventBytes), try fields.signature(),
        bot: try fields.text(optional: "bot", limit: BotEntry.limitSpecificationBytes))
    default:
      guard let act = Self.acts.first(where: { $0.name == type })?.act else {
        throw .init("there is no request of this type; Docs/SOCKET.md lists them")
      }
      self = .act(room: try fields.room(), act)
    }
  }

  /// What needs no more than its name, by the names that tables use.
  private static let acts: [(name: String, act: TableAct)] = [
    ("resign", .resign), ("undo", .requestUndo), ("agree", .agreeToUndo), ("claim", .claim),
    ("offer-draw", .offerDraw), ("agree-draw", .agreeToDraw), ("decline-draw", .declineDraw),
    ("leave", .leave), ("start", .start),
  ]

  private static func choose(_ fields: inout Fields) throws(Fields.Fault) -> Self {
    let room = try fields.room()
    let (text, code) = (try fields.text(optional: "move"), try fields.number("code", 0...Int64(UInt32.max)))
    let choice: TableRequest.Choice
    switch (text, code) {
    case (let text?, nil): choice = .text(text)
    case (nil, let code?): choice = .code(UInt32(clamping: code))
    default: throw .init("choose has a move, which is a text, or a code, which is a number")
    }
    let limits = Int64(0)...Int64(UInt16.max)
    return .choose(
      room: room, choice, number: try fields.number("number", limits).map { UInt16(clamping: $0) },
      plies: try fields.number("plies", limits).map { UInt16(clamping: $0) })
  }
}

extension Fields {
  /// The number of a room's game, from 1; `nil` for the last one.
  fileprivate mutating func gameNumber() throws(Fault) -> Int? {
    try number("number", 0...Int64(UInt16.max)).map { Int($0) }
  }

  /// How many plies a game has had.
  fileprivate mutating func ply() throws(Fault) -> Int? {
    try number("ply", 0...Int64(UInt16.max)).map { Int($0) }
  }
}

extension TableRequest.NewTable {
  fileprivate init(_ fields: inout Fields) throws(Fields.Fault) {
    game = try fields.text("game", limit: 32)
    settings = try fields.settings("settings")
    try readTerms(&fields)
  }

  /// A game from a position of another one.
  fileprivate init(from fields: inout Fields) throws(Fields.Fault) {
    let (room, number) = (try fields.room(), try fields.gameNumber())
    guard let ply = try fields.ply() else { throw .init("ply is missing") }
    position = TableRequest.Position(room: room, number: number, ply: ply)
    try readTerms(&fields)
  }

  private mutating func readTerms(_ fields: inout Fields) throws(Fields.Fault) {
    if let seat = try fields.text(optional: "seat") {
      guard let order = TableRequest.Order(rawValue: seat) else {
        throw .init("seat is first, second or random")
      }
      self.order = order
    }
    switch try fields.text(optional: "scope") {
    case nil: break
    case "local": scope = .local
    case "invited": scope = .invited
    case "public": scope = .open
    default: throw .init("scope is local, invited or public")
    }
    allowsUndo = try fields.flag("undo") ?? true
    let limits = 1...Int64(Create.limitGames)
    games = try fields.number("games", limits).map { Int($0) }
    target = try fields.number("target", limits).map { Int($0) }
    bot = try fields.text(optional: "bot", limit: BotEntry.limitSpecificationBytes)
  }
}

extension Terms {
  fileprivate init(_ fields: inout Fields) throws(Fields.Fault) {
    self.init()
    if let text = try fields.text(optional: "referee") {
      guard let peer = PeerID(hex: text) else { throw .init("referee is a key of 64 hexadecimal digits") }
      referee = peer
    }
    let limits = Int64(0)...Int64(UInt32.max)
    moveLimitMilliseconds = UInt32(clamping: try fields.number("move-limit", limits) ?? 0)
    clockMilliseconds = UInt32(clamping: try fields.number("clock", limits) ?? 0)
    incrementMilliseconds = UInt32(clamping: try fields.number("increment", limits) ?? 0)
  }
}
