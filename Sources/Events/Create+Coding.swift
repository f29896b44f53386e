extension Create {
  func encode(to body: inout BodyWriter) {
    body.append(bigEndian: edition)
    body.append(purpose.code)
    body.append(scope.rawValue)
    body.append(contentsOf: nonce)
    body.append(bigEndian: seats)
    body.append(bigEndian: creatorSeat)
    body.append(referee)
    if let unread { body.append(contentsOf: unread) } else { encodeContent(to: &body) }
  }

  private func encodeContent(to body: inout BodyWriter) {
    body.append(text8: rules)
    body.append(bigEndian: rulesVersion)
    body.append(bigEndian: UInt16(truncatingIfNeeded: parameters.count))
    body.append(contentsOf: parameters)
    body.append(bigEndian: games)
    body.append(bigEndian: target)
    body.append(starter.rawValue)
    body.append((allowsUndo ? 1 : 0) + (hasOpenRounds ? 2 : 0))
    body.append(bots.admission.rawValue)
    body.append(bots.isRecomputableOnly ? 1 : 0)
    body.append(bigEndian: bots.nodeLimit)
    body.append(bigEndian: moveLimitMilliseconds)
    body.append(bigEndian: clockMilliseconds)
    body.append(bigEndian: incrementMilliseconds)
    body.append(rematchOf)
    profile.encode(to: &body)
    switch purpose {
    case .games(let tournament, let pairing, let attempt):
      body.append(tournament)
      body.append(bigEndian: pairing)
      body.append(attempt)
      encodeOpenings(to: &body)
      body.append(branchOf?.room ?? .none)
      body.append(bigEndian: branchOf?.game ?? 0)
      body.append(bigEndian: branchOf?.ply ?? 0)
    case .tournament(let format, let options, let seed, let title):
      body.append(format)
      body.append(options)
      body.append(bigEndian: seed)
      body.append(text8: title)
      encodeOpenings(to: &body)
    case .hosted(let entries, let needsCode, let title):
      body.append(bigEndian: entries)
      body.append(needsCode ? 1 : 0)
      body.append(text8: title)
    }
  }

  private func encodeOpenings(to body: inout BodyWriter) {
    body.append(bigEndian: UInt16(truncatingIfNeeded: openings.count))
    for opening in openings {
      body.append(bigEndian: UInt16(truncatingIfNeeded: opening.count))
      for code in opening { body.append(bigEndian: code) }
    }
  }

  /// Reads a room's values, to the end of the payload.
  /// - Throws: where the fields that all editions have are not in their one form. Content that cannot be read is kept.
  init(_ reader: inout ByteReader) throws(FormatError) {
    let start = reader.offset
    let edition: UInt16 = try reader.integer()
    let purpose = try Self.purpose(&reader)
    guard let scope = Scope(rawValue: try reader.integer()) else { throw .badField("scope", at: start + 3) }
    let nonce = try reader.take(16)
    let seats: UInt16 = try reader.integer()
    let limit = purpose.code == 1 ? Self.limitPlayers : Self.limitEntrants
    guard (1...limit).contains(seats) else { throw .badField("\(seats) seats", at: reader.offset - 2) }
    let creatorSeat: UInt16 = try reader.integer()
    guard creatorSeat < seats || creatorSeat == Self.noSeat else {
      throw .badField("creator's seat \(creatorSeat)", at: reader.offset - 2)
    }
    self.init(
      rules: "", rulesVersion: 0, parameters: [], seats: seats, nonce: nonce, profile: Profile(name: ""),
      creatorSeat: creatorSeat, scope: scope, referee: try reader.identifier(), purpose: purpose)
    self.edition = edition
    try readContent(&reader)
  }

  /// What the room is for, with plain values for all that is in the content.
  private static func purpose(_ reader: inout ByteReader) throws(FormatError) -> Purpose {
    let code: UInt8 = try reader.integer()
    guard let purpose = Purpose.plain(code: code) else {
      throw .badField("room kind \(code)", at: reader.offset - 1)
    }
    return purpose
  }

  private mutating func readContent(_ reader: inout ByteReader) throws(FormatError) {
    var ahead = reader
    do throws(FormatError) {
      guard edition == Self.edition else { throw .badField("edition \(edition)", at: 0) }
      var read = self
      try read.readSettings(&ahead)
      try read.readPurpose(&ahead)
      try ahead.end()
      self = read
      reader = ahead
    } catch {
      unread = try reader.take(reader.remaining)
    }
  }

  private mutating func readSettings(_ reader: inout ByteReader) throws(FormatError) {
    rules = try Self.ruleName(&reader)
    rulesVersion = try reader.integer()
    parameters = try Self.parameters(&reader)
    games = try reader.integer()
    guard (1...Self.limitGames).contains(games) else {
      throw .badField("\(games) games", at: reader.offset - 2)
    }
    target = try reader.integer()
    guard let starter = Starter(rawValue: try reader.integer()) else {
      throw .badField("starter", at: reader.offset - 1)
    }
    self.starter = starter
    let flags: UInt8 = try reader.integer()
    guard flags <= 3 else { throw .badField("flags \(flags)", at: reader.offset - 1) }
    (allowsUndo, hasOpenRounds) = (flags & 1 == 1, flags & 2 == 2)
    guard let admission = BotPolicy.Admission(rawValue: try reader.integer()) else {
      throw .badField("policy of bots", at: reader.offset - 1)
    }
    bots = BotPolicy(
      admission: admission, isRecomputableOnly: try reader.flag(), nodeLimit: try reader.integer())
    moveLimitMilliseconds = try reader.integer()
    clockMilliseconds = try reader.integer()
    incrementMilliseconds = try reader.integer()
    rematchOf = try reader.identifier()
    profile = try Profile(&reader)
  }

  private mutating func readPurpose(_ reader: inout ByteReader) throws(FormatError) {
    switch purpose {
    case .games:
      purpose = try Self.pairing(&reader)
      openings = try Self.openings(&reader)
      branchOf = try Self.branch(&reader)
    case .tournament:
      purpose = try Self.tournament(&reader)
      openings = try Self.openings(&reader)
    case .hosted:
      purpose = .hosted(
        entries: try reader.integer(), needsCode: try reader.flag(),
        title: try reader.text8(0...Self.limitTitleBytes))
    }
  }

  private static func ruleName(_ reader: inout ByteReader) throws(FormatError) -> String {
    let start = reader.offset
    let name = try reader.text8(1...32)
    guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }) else {
      throw .badField("rules name", at: start)
    }
    return name
  }

  private static func parameters(_ reader: inout ByteReader) throws(FormatError) -> [UInt8] {
    let start = reader.offset
    let count: UInt16 = try reader.integer()
    guard count <= limitParameterBytes else { throw .badField("\(count) bytes of parameters", at: start) }
    return Array(try reader.text(Int(count)).utf8)
  }

  private static func pairing(_ reader: inout ByteReader) throws(FormatError) -> Purpose {
    let start = reader.offset
    let tournament: RoomID = try reader.identifier()
    let pairing: UInt32 = try reader.integer()
    let attempt: UInt8 = try reader.integer()
    guard tournament.isSome || (pairing == 0 && attempt == 0) else {
      throw .badField("a pairing without a tournament", at: start)
    }
    return .games(tournament: tournament, pairing: pairing, attempt: attempt)
  }

  /// Reads openings as `create` has them: each of some moves, and together within the limit.
  package static func openings(_ reader: inout ByteReader) throws(FormatError) -> [[UInt16]] {
    let count: UInt16 = try reader.integer()
    var openings: [[UInt16]] = []
    var left = limitOpenings
    for _ in 0..<count {
      let start = reader.offset
      let moves: UInt16 = try reader.integer()
      guard moves > 0 else { throw .badField("an opening of no move", at: start) }
      left -= Int(moves) + 1
      guard left >= 0 else { throw .badField("openings of more than \(limitOpenings) moves", at: start) }
      var opening: [UInt16] = []
      for _ in 0..<moves { opening.append(try reader.integer()) }
      openings.append(opening)
    }
    return openings
  }

  /// Reads the position from which a room goes on as `create` has it; without a room there is none.
  package static func branch(_ reader: inout ByteReader) throws(FormatError) -> Branch? {
    let start = reader.offset
    let branch = Branch(
      room: try reader.identifier(), game: try reader.integer(), ply: try reader.integer())
    guard !branch.room.isSome else { return branch }
    guard branch.game == 0, branch.ply == 0 else { throw .badField("a branch of no room", at: start) }
    return nil
  }

  private static func tournament(_ reader: inout ByteReader) throws(FormatError) -> Purpose {
    let start = reader.offset
    let format: UInt8 = try reader.integer()
    guard format > 0 else { throw .badField("tournament format 0", at: start) }
    return .tournament(
      format: format, options: try reader.integer(), seed: try reader.integer(),
      title: try reader.text8(0...limitTitleBytes))
  }
}
