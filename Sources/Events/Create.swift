/// How far a room's events may travel. The sender enforces it.
public enum Scope: UInt8, CaseIterable, Sendable {
  /// Nearby peers only.
  case local = 1
  /// The creator, the referee, the seats and invited peers only.
  case invited = 2
  /// Relays too.
  case open = 3
}

/// Everything that is fixed when a room is created.
public struct Create: Hashable, Sendable {
  /// The seat number that says “none”.
  public static let noSeat: UInt8 = 255
  /// The most games of a room.
  public static let limitGames: UInt16 = 256
  /// The most seats of a room.
  public static let limitSeats: UInt8 = 64
  /// The most peers whom a creator may invite.
  public static let limitInvited = 64

  /// What the room is for.
  public enum Purpose: Hashable, Sendable {
    /// A series of games; in a tournament, the games of one attempt at a pairing.
    case games(tournament: RoomID, pairing: UInt32, attempt: UInt8)
    /// A tournament between the seats.
    case tournament(format: UInt8, deciders: UInt8, seed: UInt64, title: String)
  }

  /// Who moves first in the first game.
  public enum Starter: UInt8, Sendable {
    /// Seat 0.
    case firstSeat = 0
    /// The seat that a joint draw of all seats names.
    case jointDraw = 1
  }

  public var scope: Scope
  /// Sixteen bytes that tell two rooms of the same moment apart.
  public var nonce: [UInt8]
  public var rules: String
  public var rulesVersion: UInt16
  /// The rules' settings in their canonical bytes.
  public var parameters: [UInt8]
  /// Games of the series; in a tournament, of each pairing.
  public var games: UInt16
  public var seats: UInt8
  public var starter: Starter
  public var allowsUndo: Bool
  /// Milliseconds a seat may take for a move before a claim is fair; 0 for no limit.
  public var moveLimitMilliseconds: UInt32
  public var referee: PeerID
  public var rematchOf: RoomID
  /// The creator's own seat, or `noSeat`.
  public var creatorSeat: UInt8
  public var profile: Profile
  public var purpose: Purpose

  /// A room of these values; what is not given has its plainest value.
  public init(
    rules: String, rulesVersion: UInt16, parameters: [UInt8], seats: UInt8, games: UInt16 = 1,
    nonce: [UInt8], profile: Profile, creatorSeat: UInt8 = Create.noSeat, starter: Starter = .firstSeat,
    scope: Scope = .local, allowsUndo: Bool = false, moveLimitMilliseconds: UInt32 = 0,
    referee: PeerID = .none,
    rematchOf: RoomID = .none, purpose: Purpose = .games(tournament: .none, pairing: 0, attempt: 0)
  ) {
    self.scope = scope
    self.nonce = nonce
    self.rules = rules
    self.rulesVersion = rulesVersion
    self.parameters = parameters
    self.games = games
    self.seats = seats
    self.starter = starter
    self.allowsUndo = allowsUndo
    self.moveLimitMilliseconds = moveLimitMilliseconds
    self.referee = referee
    self.rematchOf = rematchOf
    self.creatorSeat = creatorSeat
    self.profile = profile
    self.purpose = purpose
  }

  /// Whether the room is a tournament.
  public var isTournament: Bool {
    if case .tournament = purpose { true } else { false }
  }

  func encode(to body: inout BodyWriter) {
    body.append(isTournament ? 2 : 1)
    body.append(scope.rawValue)
    body.append(contentsOf: nonce)
    body.append(text8: rules)
    body.append(bigEndian: rulesVersion)
    body.append(bigEndian: UInt16(truncatingIfNeeded: parameters.count))
    body.append(contentsOf: parameters)
    body.append(bigEndian: games)
    body.append(seats)
    body.append(starter.rawValue)
    body.append(allowsUndo ? 1 : 0)
    body.append(bigEndian: moveLimitMilliseconds)
    body.append(referee)
    body.append(rematchOf)
    body.append(creatorSeat)
    profile.encode(to: &body)
    switch purpose {
    case .games(let tournament, let pairing, let attempt):
      body.append(tournament)
      body.append(bigEndian: pairing)
      body.append(attempt)
    case .tournament(let format, let deciders, let seed, let title):
      body.append(format)
      body.append(deciders)
      body.append(bigEndian: seed)
      body.append(text8: title)
    }
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let start = reader.offset
    let isTournament: Bool
    switch try reader.integer(UInt8.self) {
    case 1: isTournament = false
    case 2: isTournament = true
    case let other: throw .badField("room kind \(other)", at: start)
    }
    guard let scope = Scope(rawValue: try reader.integer()) else { throw .badField("scope", at: start + 1) }
    self.scope = scope
    nonce = try reader.take(16)
    rules = try Self.ruleName(&reader)
    rulesVersion = try reader.integer()
    parameters = try Self.parameters(&reader)
    games = try reader.integer()
    guard (1...Self.limitGames).contains(games) else {
      throw .badField("\(games) games", at: reader.offset - 2)
    }
    seats = try reader.integer()
    guard (1...Self.limitSeats).contains(seats) else {
      throw .badField("\(seats) seats", at: reader.offset - 1)
    }
    guard let starter = Starter(rawValue: try reader.integer()) else {
      throw .badField("starter", at: reader.offset - 1)
    }
    self.starter = starter
    allowsUndo = try reader.flag()
    moveLimitMilliseconds = try reader.integer()
    referee = try reader.identifier()
    rematchOf = try reader.identifier()
    creatorSeat = try reader.integer()
    guard creatorSeat < seats || creatorSeat == Self.noSeat else {
      throw .badField("creator's seat \(creatorSeat)", at: reader.offset - 1)
    }
    profile = try Profile(&reader)
    purpose = isTournament ? try Self.tournament(&reader) : try Self.pairing(&reader)
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
    guard count <= 512 else { throw .badField("\(count) bytes of parameters", at: start) }
    return try reader.take(Int(count))
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

  private static func tournament(_ reader: inout ByteReader) throws(FormatError) -> Purpose {
    let start = reader.offset
    let format: UInt8 = try reader.integer()
    guard (1...2).contains(format) else { throw .badField("tournament format \(format)", at: start) }
    let deciders: UInt8 = try reader.integer()
    guard deciders <= 16 else { throw .badField("\(deciders) decider games", at: start + 1) }
    return .tournament(
      format: format, deciders: deciders, seed: try reader.integer(), title: try reader.text8(0...64))
  }
}
