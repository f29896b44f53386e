import Events

/// Event bodies that break a rule of Docs/PROTOCOL.md §3 or §4: for each rule at least one that breaks it and nothing
/// else. Where the envelope breaks it the body is refused, where the content does it is kept and without effect.
enum InvalidBodies {
  struct Example {
    let rule: String
    let body: [UInt8]
  }

  private static let room = RoomID(Bytes32([UInt8](repeating: 0x11, count: 32), at: 0))
  private static let author = PeerID(Bytes32([UInt8](repeating: 0x22, count: 32), at: 0))
  private static let previous = [UInt8](repeating: 0x33, count: 32)
  private static let zero = [UInt8](repeating: 0, count: 32)

  /// A body of these fields, however wrong.
  static func body(
    version: UInt8 = 2, kind: Kind = .draw, code: UInt8? = nil, room: [UInt8] = room.bytes.bytes,
    sequence: UInt64 = 2, previous: [UInt8] = previous, parents: [[UInt8]] = [], parentCount: UInt8? = nil,
    payload: [UInt8] = .init(repeating: 0x44, count: 32), length: Int? = nil
  ) -> [UInt8] {
    var body = [version, code ?? kind.rawValue] + room + author.bytes.bytes
    body.append(bigEndian: sequence)
    body += previous
    body.append(bigEndian: UInt64(1_700_000_000_000))
    body.append(parentCount ?? UInt8(parents.count))
    for parent in parents { body += parent }
    body.append(bigEndian: UInt16(length ?? payload.count))
    return body + payload
  }

  private static func create(_ payload: [UInt8]) -> [UInt8] {
    body(kind: .create, room: zero, sequence: 1, previous: zero, payload: payload)
  }

  /// Bodies that are refused.
  static var refused: [Example] { header + parents + lengths + rooms }

  /// Bodies that are taken, with a payload that has no meaning.
  static var unreadable: [Example] { payloads + texts + play }

  /// Bodies of rooms that are taken, with content that has no meaning.
  static var unreadableRooms: [Example] { contents + tournaments }

  static var all: [Example] { refused + unreadable + unreadableRooms }

  private static var header: [Example] {
    [
      .init(rule: "version 0", body: body(version: 0)),
      .init(rule: "version 1", body: body(version: 1)),
      .init(rule: "version 3", body: body(version: 3)),
      .init(rule: "sequence 0", body: body(sequence: 0, previous: zero)),
      .init(rule: "sequence above 2^63-1", body: body(sequence: 1 << 63)),
      .init(rule: "no previous at sequence 2", body: body(previous: zero)),
      .init(rule: "a previous at sequence 1", body: body(sequence: 1)),
      .init(rule: "no room", body: body(room: zero)),
      .init(
        rule: "a room on a create",
        body: body(kind: .create, sequence: 1, previous: zero, payload: createPayload())),
      .init(
        rule: "a create at sequence 2",
        body: body(kind: .create, room: zero, payload: createPayload())),
      .init(
        rule: "a create with a parent",
        body: body(
          kind: .create, room: zero, sequence: 1, previous: zero, parents: [previous],
          payload: createPayload())),
    ]
  }

  private static var parents: [Example] {
    let (low, high) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let many = (1...33).map { [UInt8](repeating: UInt8($0), count: 32) }
    return [
      .init(rule: "parents out of order", body: body(parents: [high, low])),
      .init(rule: "a doubled parent", body: body(parents: [low, low])),
      .init(rule: "a zero parent", body: body(parents: [zero, low])),
      .init(rule: "a parent that is the previous", body: body(parents: [low, previous])),
      .init(
        rule: "33 parents", body: body(parents: many)),
      .init(rule: "fewer parents than counted", body: body(parents: [low], parentCount: 2)),
      .init(rule: "more parents than counted", body: body(parents: [low, high], parentCount: 1)),
    ]
  }

  private static var lengths: [Example] {
    [
      .init(rule: "nothing", body: []),
      .init(rule: "a header and no payload length", body: Array(body().prefix(115))),
      .init(rule: "a payload shorter than its length", body: body(length: 33)),
      .init(rule: "a payload longer than its length", body: body(length: 31)),
      .init(rule: "8193 bytes", body: body(payload: .init(repeating: 4, count: 8_193 - 117))),
    ]
  }

  private static var payloads: [Example] {
    [
      .init(rule: "kind 0", body: body(code: 0)),
      .init(rule: "kind 23", body: body(code: 23)),
      .init(rule: "kind 255", body: body(code: 255, payload: [])),
      .init(rule: "a payload with a byte too many", body: body(payload: .init(repeating: 4, count: 33))),
      .init(rule: "a payload with a byte too few", body: body(payload: .init(repeating: 4, count: 31))),
      .init(rule: "no payload", body: body(payload: [])),
    ]
  }

  private static var texts: [Example] {
    func chat(_ bytes: [UInt8], length: Int? = nil) -> [UInt8] {
      let length = length ?? bytes.count
      return body(kind: .chat, payload: [UInt8(length >> 8), UInt8(length & 255)] + bytes)
    }
    return [
      .init(rule: "an empty chat", body: chat([])),
      .init(rule: "a chat of 4097 bytes", body: chat(.init(repeating: 0x61, count: 4_097))),
      .init(rule: "a chat shorter than its length", body: chat([0x61], length: 2)),
      .init(rule: "a chat longer than its length", body: chat([0x61, 0x62], length: 1)),
      .init(rule: "a lone continuation byte", body: chat([0x80])),
      .init(rule: "an overlong form of /", body: chat([0xC0, 0xAF])),
      .init(rule: "a surrogate", body: chat([0xED, 0xA0, 0x80])),
      .init(rule: "a scalar above U+10FFFF", body: chat([0xF4, 0x90, 0x80, 0x80])),
      .init(rule: "a scalar that ends too early", body: chat([0xF0, 0x9F, 0x99])),
    ]
  }

  /// The payload of a plain game room, with one part replaced.
  static func createPayload(
    edition: UInt16 = 1, kind: UInt8 = 1, scope: UInt8 = 1, rules: [UInt8] = [3] + Array("a-b".utf8),
    parameters: [UInt8] = [0, 0], games: UInt16 = 1, seats: UInt16 = 2, starter: UInt8 = 0, undo: UInt8 = 0,
    bots: [UInt8] = [0, 0], creatorSeat: UInt16 = 0, profile: [UInt8] = [0, 0, 0],
    purpose: [UInt8] = .init(repeating: 0, count: 75)
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: edition)
    bytes += [kind, scope] + [UInt8](repeating: 5, count: 16)
    bytes.append(bigEndian: seats)
    bytes.append(bigEndian: creatorSeat)
    bytes += zero + rules + [0, 1] + parameters
    bytes.append(bigEndian: games)
    // The target; behind the policy of bots its limit of nodes, the move limit, the clock and its increment.
    bytes += [0, 0, 0, 0, starter, undo] + bots + [UInt8](repeating: 0, count: 20) + zero + profile + purpose
    return bytes
  }

  private static var rooms: [Example] {
    func room(_ rule: String, _ payload: [UInt8]) -> Example { .init(rule: rule, body: create(payload)) }
    return [
      room("room kind 0", createPayload(kind: 0)),
      room("room kind 4", createPayload(kind: 4)),
      room("scope 0", createPayload(scope: 0)),
      room("scope 4", createPayload(scope: 4)),
      room("0 seats", createPayload(seats: 0, creatorSeat: .max)),
      room("17 seats of games", createPayload(seats: 17)),
      room("4097 entrants", createPayload(kind: 2, seats: 4_097)),
      room("the creator on a seat that is not there", createPayload(creatorSeat: 2)),
      room("the creator on seat 65534", createPayload(creatorSeat: 65_534)),
      room("a create that ends in its referee", Array(createPayload().prefix(50))),
    ]
  }

  private static var contents: [Example] {
    func room(_ rule: String, _ payload: [UInt8]) -> Example { .init(rule: rule, body: create(payload)) }
    let longName: [UInt8] = [33] + [UInt8](repeating: 0x61, count: 33)
    let pairing = zero + [0, 0, 0, 1, 0]
    let (noPairing, noBranch) = ([UInt8](repeating: 0, count: 37), [UInt8](repeating: 0, count: 36))
    let longOpening: [UInt8] = [0, 1, 8, 0] + .init(repeating: 0, count: 4_096)
    return [
      room("edition 0", createPayload(edition: 0)),
      room("edition 2", createPayload(edition: 2)),
      room("no content", Array(createPayload().prefix(56))),
      room("a byte behind the content", createPayload() + [0]),
      room("hosted rounds without a number of entries", createPayload(kind: 3, purpose: [0])),
      room("rules without a name", createPayload(rules: [0])),
      room("a rules name of 33 bytes", createPayload(rules: longName)),
      room("a capital in the rules name", createPayload(rules: [1, 0x41])),
      room("a digit in the rules name", createPayload(rules: [1, 0x31])),
      room(
        "4097 bytes of parameters",
        createPayload(parameters: [16, 1] + .init(repeating: 0x61, count: 4_097))),
      room("0 games", createPayload(games: 0)),
      room("257 games", createPayload(games: 257)),
      room("starter 2", createPayload(starter: 2)),
      room("flags 4", createPayload(undo: 4)),
      room("policy of bots 3", createPayload(bots: [3, 0])),
      room("a flag of recomputable bots of 2", createPayload(bots: [0, 2])),
      room("a name of 65 bytes", createPayload(profile: [65] + .init(repeating: 0x61, count: 65) + [0, 0])),
      room(
        "an emoji of 33 bytes", createPayload(profile: [0, 33] + .init(repeating: 0x61, count: 33) + [0])),
      room("a bot flag of 2", createPayload(profile: [0, 0, 2])),
      room(
        "a bot without a specification",
        createPayload(profile: [0, 0, 1, 0] + .init(repeating: 0, count: 18))),
      room("a name that is not UTF-8", createPayload(profile: [1, 0xFF, 0, 0])),
      room("a pairing without a tournament", createPayload(purpose: pairing + [0, 0] + noBranch)),
      room(
        "an attempt without a tournament", createPayload(purpose: zero + [0, 0, 0, 0, 1, 0, 0] + noBranch)),
      room("an opening of no move", createPayload(purpose: noPairing + [0, 1, 0, 0] + noBranch)),
      room("an opening of 2048 moves", createPayload(purpose: noPairing + longOpening + noBranch)),
      room(
        "fewer openings than counted", createPayload(purpose: noPairing + [0, 30, 0, 1, 0, 0] + noBranch)),
      room("a game of no branch", createPayload(purpose: noPairing + [0, 0] + zero + [0, 1, 0, 0])),
      room("a ply of no branch", createPayload(purpose: noPairing + [0, 0] + zero + [0, 0, 0, 1])),
    ]
  }

  private static var tournaments: [Example] {
    func tournament(_ rule: String, _ purpose: [UInt8]) -> Example {
      .init(rule: rule, body: create(createPayload(kind: 2, purpose: purpose)))
    }
    let seed: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7]
    return [
      tournament("tournament format 0", [0, 0] + seed + [0, 0, 0]),
      tournament("a title of 65 bytes", [1, 0] + seed + [65] + .init(repeating: 0x61, count: 65) + [0, 0]),
    ]
  }

  private static var heads: [Example] {
    func pairing(_ rule: String, room: [UInt8] = previous, _ heads: [[UInt8]]) -> Example {
      let start: [UInt8] = [0, 0, 0, 0, 0] + room + [UInt8(heads.count)]
      return .init(
        rule: rule, body: body(kind: .pairingResult, payload: start + heads.joined() + [0, 0, 0]))
    }
    func head(_ author: UInt8, sequence: UInt8 = 1, top: UInt8 = 0, _ event: UInt8) -> [UInt8] {
      .init(repeating: author, count: 32) + [top, 0, 0, 0, 0, 0, 0, sequence]
        + .init(repeating: event, count: 32)
    }
    return [
      pairing("33 heads of a pairing's room", (0..<33).map { head($0, $0) }),
      pairing("heads of no room", room: zero, [head(1, 1)]),
      pairing("a head of sequence 0", [head(1, sequence: 0, 1)]),
      pairing("a head of a sequence above 2^63 - 1", [head(1, top: 0x80, 1)]),
      pairing("one head twice", [head(1, 1), head(1, 1)]),
      pairing("heads in the order of their ids", [head(2, 1), head(1, 2)]),
    ]
  }

  private static var play: [Example] {
    let step: [UInt8] = [0, 0, 0, 0] + previous
    let move = step + [0, 0, 0, 4]
    let pairing: [UInt8] = [0, 0, 0, 0, 0] + previous + [0]
    return heads + [
      .init(rule: "a note flag of 2", body: body(kind: .move, payload: move + [2])),
      .init(
        rule: "a proven flag of 2",
        body: body(kind: .move, payload: move + [1, 0, 0, 0, 0, 2] + .init(repeating: 0, count: 8))),
      .init(rule: "a note that is cut", body: body(kind: .move, payload: move + [1, 0, 0, 0])),
      .init(rule: "a result of no seat", body: body(kind: .result, payload: [0, 0] + previous + [0])),
      .init(
        rule: "a result of 17 seats",
        body: body(kind: .result, payload: [0, 0] + previous + [17] + .init(repeating: 0, count: 68))),
      .init(
        rule: "a result with fewer scores than seats",
        body: body(kind: .result, payload: [0, 0] + previous + [2, 0, 0, 0, 1])),
      .init(rule: "an invite of half a key", body: body(kind: .invite, payload: Array(previous.prefix(16)))),
      .init(rule: "an invite of two keys", body: body(kind: .invite, payload: previous + zero)),
      .init(
        rule: "a disqualification without a reason", body: body(kind: .disqualify, payload: [0, 0, 0, 0])),
      .init(
        rule: "a reason of 257 bytes",
        body: body(kind: .disqualify, payload: [0, 0, 1, 1] + .init(repeating: 0x61, count: 257))),
      .init(
        rule: "a revocation of half an event", body: body(kind: .revoke, payload: Array(zero.prefix(16)))),
      .init(rule: "walkover 4", body: body(kind: .pairingResult, payload: pairing + [4, 0, 0])),
      .init(
        rule: "a pairing of 257 games",
        body: body(kind: .pairingResult, payload: pairing + [0, 1, 1] + .init(repeating: 0, count: 257 * 8))),
    ]
  }
}
