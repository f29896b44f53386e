internal import BotKit
internal import Events
internal import Network
internal import Peer
internal import Rules

// Intents, answers and errors as the local socket carries them.

extension [UInt8] {
  /// A length of one byte and the text, cut where it is longer.
  mutating func append(text8 text: String) {
    let bytes = Array(text.prefix(utf8Bytes: 255).utf8)
    append(UInt8(bytes.count))
    append(contentsOf: bytes)
  }

  /// A length of two bytes and the text, cut where it is longer.
  fileprivate mutating func append(text16 text: String) {
    let bytes = Array(text.prefix(utf8Bytes: 4_096).utf8)
    append(bigEndian: UInt16(bytes.count))
    append(contentsOf: bytes)
  }

  mutating func append(_ profile: Profile) {
    append(text8: profile.name)
    append(text8: profile.emoji)
    append(profile.bot == nil ? 0 : 1)
    guard let bot = profile.bot else { return }
    append(text8: bot.specification)
    append(bigEndian: bot.version)
    append(bigEndian: bot.nodeBudget)
    append(bigEndian: bot.seed)
  }

  fileprivate mutating func append(_ terms: Terms) {
    append(terms.referee)
    append(bigEndian: terms.moveLimitMilliseconds)
    append(bigEndian: terms.clockMilliseconds)
    append(bigEndian: terms.incrementMilliseconds)
  }

  fileprivate mutating func append(_ address: Address) {
    append(text8: address.host)
    append(bigEndian: address.port)
  }
}

extension ByteReader {
  mutating func profile() throws(FormatError) -> Profile {
    let name = try text8(0...Profile.limitNameBytes)
    let emoji = try text8(0...Profile.limitEmojiBytes)
    guard try flag() else { return Profile(name: name, emoji: emoji) }
    let specification = try text8(1...BotEntry.limitSpecificationBytes)
    return Profile(
      name: name, emoji: emoji,
      bot: BotEntry(
        specification: specification, version: try integer(), nodeBudget: try integer(), seed: try integer()))
  }

  fileprivate mutating func terms() throws(FormatError) -> Terms {
    var terms = Terms()
    terms.referee = try identifier()
    terms.moveLimitMilliseconds = try integer()
    terms.clockMilliseconds = try integer()
    terms.incrementMilliseconds = try integer()
    return terms
  }

  fileprivate mutating func address() throws(FormatError) -> Address {
    Address(host: try text8(1...255), port: try integer())
  }
}

extension Intent {
  func encode(to body: inout [UInt8]) {
    switch self {
    case .create(let new):
      body.append(1)
      new.encode(to: &body)
    case .join(let room, let seat, let profile, let terms):
      body.append(2)
      body.append(room)
      body.append(bigEndian: seat)
      body.append(profile)
      body.append(terms)
    case .act(let room, let act):
      body.append(3, room)
      act.encode(to: &body)
    case .invite(let room, let peer):
      body.append(9, room)
      body.append(peer)
    case .admit(let room, let peer):
      body.append(19, room)
      body.append(peer)
    case .decline(let room): body.append(10, room)
    case .connect(let address):
      body.append(11)
      body.append(address)
    case .want(let name):
      body.append(15)
      body.append(text8: name)
    case .block(let peer, let isBlocked):
      body.append(18)
      body.append(peer)
      body.append(isBlocked ? 1 : 0)
    case .host(let new):
      body.append(16)
      new.encode(to: &body)
    case .rounds(let room, let act):
      body.append(17, room)
      act.encode(to: &body)
    }
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 1: self = .create(try NewRoom(&reader))
    case 2:
      self = .join(
        try reader.identifier(), seat: try reader.integer(), try reader.profile(),
        terms: try reader.terms())
    case 3: self = .act(try reader.identifier(), try TableAct(&reader))
    case 9: self = .invite(try reader.identifier(), try reader.identifier())
    case 10: self = .decline(try reader.identifier())
    case 11: self = .connect(try reader.address())
    case 15: self = .want(name: try reader.text8(1...64))
    case 16: self = .host(try NewHostedRoom(&reader))
    case 19: self = .admit(try reader.identifier(), try reader.identifier())
    case 18: self = .block(try reader.identifier(), isBlocked: try reader.flag())
    case 17: self = .rounds(try reader.identifier(), try HostedAct(&reader))
    default: throw .badField("intent \(kind)", at: reader.offset - 1)
    }
  }
}

extension TableAct {
  fileprivate func encode(to body: inout [UInt8]) {
    switch self {
    case .choose(let choice, let game, let ply):
      body.append(1)
      body.append(bigEndian: game)
      body.append(bigEndian: ply)
      body.append(bigEndian: choice.code.rawValue)
      body.append(choice.note == nil ? 0 : 1)
      guard let note = choice.note else { return }
      body.append(bigEndian: note.value)
      body.append(note.isProven ? 1 : 0)
      body.append(bigEndian: note.nodes)
    case .resign: body.append(2)
    case .requestUndo: body.append(3)
    case .agreeToUndo: body.append(4)
    case .claim: body.append(5)
    case .offerDraw: body.append(6)
    case .agreeToDraw: body.append(7)
    case .declineDraw: body.append(8)
    case .say(let text): body.append(9, text)
    case .leave: body.append(10)
    case .start: body.append(11)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 1:
      let (game, ply): (UInt16, UInt16) = (try reader.integer(), try reader.integer())
      var choice = BotChoice(MoveCode(try reader.integer()))
      if try reader.flag() {
        choice.note = MoveNote(
          value: try reader.integer(), isProven: try reader.flag(), nodes: try reader.integer())
      }
      self = .choose(choice, game: game, ply: ply)
    case 2: self = .resign
    case 3: self = .requestUndo
    case 4: self = .agreeToUndo
    case 5: self = .claim
    case 6: self = .offerDraw
    case 7: self = .agreeToDraw
    case 8: self = .declineDraw
    case 9: self = .say(try reader.text16(0...4_096))
    case 10: self = .leave
    case 11: self = .start
    default: throw .badField("act \(kind)", at: reader.offset - 1)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ kind: UInt8, _ room: RoomID) {
    append(kind)
    append(room)
  }
}

extension Intent.NewRoom {
  fileprivate func encode(to body: inout [UInt8]) {
    body.append(text8: rules)
    body.append(bigEndian: rulesVersion)
    body.append(bigEndian: UInt16(truncatingIfNeeded: parameters.count))
    body.append(contentsOf: parameters)
    body.append(bigEndian: seats)
    body.append(bigEndian: games)
    body.append(bigEndian: target)
    body.append(bigEndian: seat)
    body.append(starter.rawValue)
    body.append(scope.rawValue)
    body.append(allowsUndo ? 1 : 0)
    body.append(terms)
    body.append(rematchOf)
    body.append(bigEndian: UInt16(truncatingIfNeeded: openings.count))
    for opening in openings {
      body.append(bigEndian: UInt16(truncatingIfNeeded: opening.count))
      for code in opening { body.append(bigEndian: code) }
    }
    body.append(branchOf?.room ?? .none)
    body.append(bigEndian: branchOf?.game ?? 0)
    body.append(bigEndian: branchOf?.ply ?? 0)
    body.append(profile)
    body.append(UInt8(Swift.min(invited.count, Create.limitInvited)))
    for peer in invited.prefix(Create.limitInvited) { body.append(peer) }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    rules = try reader.text8(1...32)
    rulesVersion = try reader.integer()
    let count: UInt16 = try reader.integer()
    guard count <= Create.limitParameterBytes else {
      throw .tooLong(Int(count), limit: Create.limitParameterBytes)
    }
    parameters = try reader.take(Int(count))
    seats = try reader.integer()
    games = try reader.integer()
    guard (1...Create.limitGames).contains(games) else {
      throw .badField("\(games) games", at: reader.offset)
    }
    target = try reader.integer()
    seat = try reader.integer()
    guard (1...Create.limitPlayers).contains(seats), seat < seats || seat == Create.noSeat else {
      throw .badField("seats", at: reader.offset)
    }
    guard let starter = Create.Starter(rawValue: try reader.integer()),
      let scope = Scope(rawValue: try reader.integer())
    else { throw .badField("starter or scope", at: reader.offset) }
    self.starter = starter
    self.scope = scope
    allowsUndo = try reader.flag()
    terms = try reader.terms()
    rematchOf = try reader.identifier()
    openings = try Create.openings(&reader)
    branchOf = try Create.branch(&reader)
    profile = try reader.profile()
    let invitations: UInt8 = try reader.integer()
    guard invitations <= Create.limitInvited else {
      throw .tooLong(Int(invitations), limit: Create.limitInvited)
    }
    invited = []
    for _ in 0..<invitations { invited.append(try reader.identifier()) }
  }
}

extension ServiceError {
  /// The most peers of whom it is told that they have not shown what they hold.
  private static var limitMissing: Int { 16 }

  func encode(to body: inout [UInt8]) {
    switch self {
    case .peer(.unknownRoom(let room)):
      body.append(1)
      body.append(room)
    case .peer(.recovering): body.append(2)
    case .peer(.alone): body.append(3)
    case .peer(.notAllowed(let words)): body.append(4, words)
    case .peer(.log(let words)): body.append(5, words)
    case .peer(.unplayable(let words)): body.append(6, words)
    case .refused(let words): body.append(7, words)
    case .network(let words): body.append(8, words)
    case .gone(let words): body.append(9, words)
    case .peer(.unconfirmed(let room, let peers)):
      body.append(10)
      body.append(room)
      body.append(UInt8(min(peers.count, Self.limitMissing)))
      for peer in peers.prefix(Self.limitMissing) { body.append(peer) }
    case .peer(.doubled): body.append(11)
    case .peer(.full(let words)): body.append(12, words)
    case .system(let words): body.append(13, words)
    case .busy(let words): body.append(14, words)
    case .peer(.busy(let words)): body.append(15, words)
    case .peer(.notWhole(let room, let events)):
      body.append(16)
      body.append(room)
      body.append(bigEndian: events)
    }
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 1: self = .peer(.unknownRoom(try reader.identifier()))
    case 2: self = .peer(.recovering)
    case 3: self = .peer(.alone)
    case 4: self = .peer(.notAllowed(try reader.text16(0...4_096)))
    case 5: self = .peer(.log(try reader.text16(0...4_096)))
    case 6: self = .peer(.unplayable(try reader.text16(0...4_096)))
    case 7: self = .refused(try reader.text16(0...4_096))
    case 8: self = .network(try reader.text16(0...4_096))
    case 9: self = .gone(try reader.text16(0...4_096))
    case 10:
      let room: RoomID = try reader.identifier()
      let count: UInt8 = try reader.integer()
      guard count <= Self.limitMissing else { throw .tooLong(Int(count), limit: Self.limitMissing) }
      var peers: [PeerID] = []
      for _ in 0..<count { peers.append(try reader.identifier()) }
      self = .peer(.unconfirmed(room, peers))
    case 11: self = .peer(.doubled)
    case 12: self = .peer(.full(try reader.text16(0...4_096)))
    case 13: self = .system(try reader.text16(0...4_096))
    case 14: self = .busy(try reader.text16(0...4_096))
    case 15: self = .peer(.busy(try reader.text16(0...4_096)))
    case 16: self = .peer(.notWhole(try reader.identifier(), try reader.integer()))
    default: throw .badField("error \(kind)", at: reader.offset - 1)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ kind: UInt8, _ words: String) {
    append(kind)
    append(text16: words)
  }
}

extension NeighbourStatus {
  func encode(to body: inout [UInt8]) {
    body.append(peer ?? .none)
    body.append(address)
    body.append(state.rawValue)
    body.append(text8: reason ?? "")
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let peer: PeerID = try reader.identifier()
    address = try reader.address()
    guard let state = State(rawValue: try reader.integer()) else {
      throw .badField("state", at: reader.offset - 1)
    }
    self.state = state
    let reason = try reader.text8(0...255)
    self.peer = peer.isSome ? peer : nil
    self.reason = reason.isEmpty ? nil : reason
  }
}
