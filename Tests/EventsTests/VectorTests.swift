import EventLog
import Events
import TestKit
import Testing

private let hasher = EventHasher(network: .standard)
private let keys = (0..<4).map { SigningKey(seed: .init(repeating: UInt8($0 + 1), count: 32)) }

@Suite("Vectors in Tests/Fixtures")
struct VectorTests {
  @Test("Valid events")
  func events() throws {
    var file = VectorFile(
      "events",
      [
        "Valid events of every kind. id = BLAKE2b-256(\"parlor-event-2\" + network + body);",
        "signature = Ed25519(key of seed, \"parlor-signature-1\" + id). See Docs/PROTOCOL.md.",
      ])
    var random = SeededGenerator(state: 2_026)
    for kind in Kind.allCases {
      for number in 0..<4 {
        let key = keys[number]
        let network: NetworkID = number < 2 ? .standard : random.identifier()
        let drawn = try random.event(kind, hasher: hasher)
        let event = try Event.author(
          drawn.action, room: drawn.room, author: key.peer, sequence: drawn.sequence,
          previous: drawn.previous, parents: drawn.parents, wallTime: drawn.wallTime,
          hasher: EventHasher(network: network))
        file.records.append([
          ("kind", kind.name), ("network", "\(network)"),
          ("seed", String(repeating: "0\(number + 1)", count: 32)),
          ("author", "\(event.author)"), ("room", "\(event.room)"), ("sequence", "\(event.sequence)"),
          ("previous", "\(event.previous)"), ("wall-time", "\(event.wallTime)"),
          ("parents", event.parents.map(\.description).joined(separator: " ")), ("body", event.body.hex),
          ("id", "\(event.id)"), ("signature", key.sign(event.id).bytes.hex),
        ])
      }
    }
    try file.check()
    for record in try file.stored() {
      let network = try #require(NetworkID(hex: record["network"] ?? ""))
      let body = try #require([UInt8](hex: record["body"] ?? ""))
      let event = try Event(body: body, hasher: EventHasher(network: network))
      #expect(event.id.description == record["id"] && event.kindName == record["kind"])
      let signature = try #require(Signature([UInt8](hex: record["signature"] ?? "") ?? []))
      #expect(Ed25519().isValid(signature, of: event.id, by: event.author))
    }
  }

  @Test("Invalid events, each for its one reason")
  func invalidEvents() throws {
    var file = VectorFile(
      "events-invalid",
      ["Bodies that must be refused, the rule that each breaks, and the reason that Parlor gives."])
    for example in InvalidBodies.refused {
      do throws(FormatError) {
        _ = try Event(body: example.body, hasher: hasher)
        Issue.record("\(example.rule) was taken")
      } catch {
        file.records.append([
          ("rule", example.rule), ("reason", error.description), ("body", example.body.hex),
        ])
      }
    }
    try file.check()
    #expect(Set(InvalidBodies.all.map(\.rule)).count == InvalidBodies.all.count)
    // What the examples are made from is valid: it is the one change that makes them invalid.
    for valid in [
      InvalidBodies.body(),
      InvalidBodies.body(
        kind: .create, room: .init(repeating: 0, count: 32), sequence: 1,
        previous: .init(repeating: 0, count: 32), payload: InvalidBodies.createPayload()),
    ] { _ = try Event(body: valid, hasher: hasher) }
  }

  @Test("Events that are kept and without effect: of unknown kinds, or with payloads that cannot be read")
  func unreadableEvents() throws {
    var file = VectorFile(
      "events-unreadable",
      ["Bodies that must be kept and have no effect, the rule that each breaks, its kind and its id."])
    for example in InvalidBodies.unreadable {
      let event = try Event(body: example.body, hasher: hasher)
      guard case .unreadable(let code, let payload) = event.action else {
        Issue.record("\(example.rule) was read")
        continue
      }
      #expect(event.kind == nil && event.code == code && example.body.suffix(payload.count) == payload[...])
      file.records.append([
        ("rule", example.rule), ("kind", "\(code)"), ("id", "\(event.id)"), ("body", example.body.hex),
      ])
    }
    for example in InvalidBodies.unreadableRooms {
      let event = try Event(body: example.body, hasher: hasher)
      guard case .create(let create) = event.action, !create.isReadable else {
        Issue.record("the content of \(example.rule) was read")
        continue
      }
      file.records.append([
        ("rule", example.rule), ("kind", "1"), ("id", "\(event.id)"), ("body", example.body.hex),
      ])
    }
    try file.check()
  }

  @Test("Commitments, the joint draw, rosters, salts and clocks")
  func commitments() throws {
    var file = VectorFile(
      "commitments",
      [
        "Hashes of Docs/PROTOCOL.md sections 1.5 and 5. Lists are separated by spaces; a roster's are author/grant,",
        "a clock's author/sequence/fork mark/head.",
      ])
    var random = SeededGenerator(state: 7)
    for _ in 0..<6 {
      let (room, salt, author): (RoomID, Digest, PeerID) = (
        random.identifier(), random.identifier(), random.identifier()
      )
      let (game, round, seat, choice): (UInt16, UInt16, UInt16, UInt32) = (
        random.number(), random.number(), random.number(), random.number()
      )
      let commitment = Commitments.choice(
        choice, salt: salt, room: room, game: game, round: round, seat: seat, author: author)
      file.records.append([
        ("type", "choice"), ("room", "\(room)"), ("game", "\(game)"), ("round", "\(round)"),
        ("seat", "\(seat)"),
        ("author", "\(author)"), ("choice", "\(choice)"), ("salt", "\(salt)"), ("hash", "\(commitment)"),
      ])
      let (roster, nonce): (Digest, Digest) = (random.identifier(), random.identifier())
      let draw = Commitments.draw(nonce: nonce, room: room, roster: roster, seat: seat, author: author)
      file.records.append([
        ("type", "draw"), ("room", "\(room)"), ("roster", "\(roster)"), ("seat", "\(seat)"),
        ("author", "\(author)"), ("nonce", "\(nonce)"), ("hash", "\(draw)"),
      ])
    }
    for seats in [1, 2, 3, 5, 64] { appendSeats(seats, &random, to: &file) }
    for entrants in [2, 3, 17] {
      let (room, author): (RoomID, PeerID) = (random.identifier(), random.identifier())
      let nonces: [Digest] = (0...entrants).map { _ in random.identifier() }
      file.records.append([
        ("type", "seed"), ("room", "\(room)"), ("author", "\(author)"),
        ("nonces", nonces.map(\.description).joined(separator: " ")),
        ("hash", "\(Commitments.seed(of: author, room: room, nonces: nonces))"),
      ])
    }
    try file.check()
  }

  private func appendSeats(_ count: Int, _ random: inout SeededGenerator, to file: inout VectorFile) {
    let room: RoomID = random.identifier()
    let nonces: [Digest] = (0..<count).map { _ in random.identifier() }
    file.records.append([
      ("type", "starter"), ("room", "\(room)"), ("nonces", nonces.map(\.description).joined(separator: " ")),
      ("seat", "\(Commitments.starter(room: room, nonces: nonces))"),
    ])
    let (game, round): (UInt16, UInt16) = (UInt16(count), UInt16(3 * count))
    file.records.append([
      ("type", "chance"), ("game", "\(game)"), ("round", "\(round)"),
      ("salts", nonces.map(\.description).joined(separator: " ")),
      ("seed", "\(Commitments.chance(game: game, round: round, salts: nonces))"),
    ])
    let seats: [(author: PeerID, grant: EventID)] = (0..<count).map { _ in
      (random.identifier(), random.identifier())
    }
    file.records.append([
      ("type", "roster"), ("room", "\(room)"),
      ("seats", seats.map { "\($0.author)/\($0.grant)" }.joined(separator: " ")),
      ("hash", "\(Commitments.roster(room: room, seats: seats))"),
    ])
    let clock = VectorClock(
      (0..<count).map { number in
        let isForked = number % 3 == 2
        return .init(
          author: random.identifier(), sequence: random.number(),
          head: isForked ? .none : random.identifier(),
          isForked: isForked)
      })
    let entries = clock.entries.map { "\($0.author)/\($0.sequence)/\($0.isForked ? 1 : 0)/\($0.head)" }
    file.records.append([
      ("type", "clock"), ("room", "\(room)"), ("entries", entries.joined(separator: " ")),
      ("hash", "\(clock.digest(room: room))"),
    ])
    #expect(clock.entries.map(\.author) == clock.entries.map(\.author).sorted())
    for entry in clock.entries { #expect(clock[entry.author] == entry) }
    #expect(clock[random.identifier()] == nil)
  }

  @Test("Records of a room's events")
  func records() throws {
    var file = VectorFile(
      "records",
      [
        "The events of one room in a causal order, with forks: body and record. See Docs/PROTOCOL.md, §6.1.",
        "A record rests on those before it.",
      ])
    let sequence = try RecordSequence(seed: 2, events: 30)
    for (event, record) in zip(sequence.events, sequence.records) {
      file.records.append([("kind", event.kindName), ("body", event.body.hex), ("record", record.hex)])
    }
    #expect(!sequence.graph.forks.isEmpty)
    try file.check()
  }

  @Test("Bundles, valid and invalid")
  func bundles() throws {
    var file = VectorFile(
      "bundles",
      [
        "A valid bundle of a room with a fork, and bundles that must be refused, with the reason that Parlor gives."
      ])
    let valid = try forkedBundle()
    #expect(refusal(of: valid) == nil)
    file.records.append([("name", "valid"), ("bundle", valid.hex)])
    func add(_ name: String, _ change: (inout [UInt8]) -> Void) {
      var bytes = valid
      change(&bytes)
      guard let error = refusal(of: bytes) else {
        Issue.record("a bundle with \(name) was taken")
        return
      }
      file.records.append([("name", name), ("reason", error.description), ("bundle", bytes.hex)])
    }
    add("another magic") { $0[7] = 0x31 }
    add("another network") { $0[8] ^= 1 }
    add("another room") { $0[40] ^= 1 }
    add("a head more than there are") { $0[75] += 1 }
    add("an event more than there are") { $0[83] += 1 }
    add("a signature more than there are") { $0[91] += 1 }
    add("another head") { $0[100] ^= 1 }
    add("a changed event") { $0[$0.count - 100] ^= 1 }
    add("a reference to an event that is not there") { $0[$0.count - 96 - 22] = 9 }
    add("a changed signature") { $0[$0.count - 40] ^= 1 }
    add("a changed digest") { $0[$0.count - 1] ^= 1 }
    add("its last byte missing") { $0.removeLast() }
    add("a byte after the end") { $0.append(0) }
    try file.check()
  }

  private func refusal(of bytes: [UInt8]) -> BundleError? {
    var rest = bytes
    do throws(BundleError) {
      var reader = try BundleReader(network: .standard) { () throws(BundleError) in
        defer { rest = [] }
        return rest
      }
      while try reader.next() != nil {}
      return nil
    } catch { return error }
  }

  /// A room in which the second author forked, as a bundle.
  private func forkedBundle() throws -> [UInt8] {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: .init(repeating: 1, count: 16),
      profile: Profile(name: "Ada", emoji: "🦊"), creatorSeat: 0)
    func event(_ author: Int, _ action: Action, _ room: RoomID, _ previous: Event?, _ parents: [EventID] = [])
      throws
      -> Event
    {
      try Event.author(
        action, room: room, author: keys[author].peer, sequence: (previous?.sequence ?? 0) + 1,
        previous: previous?.id ?? .none, parents: parents, wallTime: 1_700_000_000_000, hasher: hasher)
    }
    let first = try event(0, .create(create), .none, nil)
    let room = first.id
    let request = try event(1, .request(seat: 1, Profile(name: "Bob")), room, nil)
    let grant = try event(0, .grant(request: request.id, seat: 1), room, first, [request.id])
    let one = try event(1, .chat("one story"), room, request, [grant.id])
    let two = try event(1, .chat("another story"), room, request, [grant.id])
    var log = RoomLog(room: room)
    for run in [
      Run(events: [first], signature: keys[0].sign(first.id)),
      Run(events: [request, one], signature: keys[1].sign(one.id)),
      Run(events: [grant], signature: keys[0].sign(grant.id)),
      Run(events: [request, two], signature: keys[1].sign(two.id)),
    ] { _ = try log.receive(run, scheme: Ed25519()) }
    #expect(log.forkProofs.count == 1 && log.events.count == 5)
    var bytes: [UInt8] = []
    try BundleWriter(log, network: .standard).write { (piece) throws(BundleError) in bytes += piece }
    return bytes
  }
}
