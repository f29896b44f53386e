import BotKit
import Events
import Network
import Peer
import Projection
import Rules
import Testing

@testable import Service

@Suite struct ServiceFrameTests {
  private static let room = RoomID(Bytes32([UInt8](0..<32), at: 0))
  private static let peer = PeerID(Bytes32([UInt8](32..<64), at: 0))

  static var frames: [ServiceFrame] {
    var new = Intent.NewRoom(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [1, 2], seats: 2, games: 5, target: 3,
        nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "é", emoji: "🐱"), creatorSeat: 1,
        starter: .jointDraw, scope: .invited, allowsUndo: true,
        moveLimitMilliseconds: 1, clockMilliseconds: 2, incrementMilliseconds: 3, referee: peer,
        rematchOf: room), invited: [peer, peer])
    var branch = new
    (branch.openings, branch.branchOf) = ([[3, 65_535], [0]], Create.Branch(room: room, game: 1, ply: 2))
    new.profile.bot = BotEntry(specification: "greedy", version: 2, nodeBudget: 3, seed: .max)
    let intents: [Intent] = [
      .create(new), .create(branch),
      .join(room, seat: Create.noSeat, Profile(name: "guest"), terms: new.terms),
      .act(
        room,
        .choose(
          BotChoice(MoveCode(3), note: MoveNote(value: -4, isProven: true, nodes: 5)), game: 1, ply: 2)),
      .act(room, .choose(BotChoice(MoveCode(3)), game: 1, ply: 2)), .act(room, .say("words")),
      .act(room, .resign),
      .act(room, .requestUndo), .act(room, .agreeToUndo), .act(room, .leave), .invite(room, peer),
      .decline(room), .admit(room, peer),
      .act(room, .start), .act(room, .claim), .act(room, .offerDraw), .act(room, .agreeToDraw),
      .act(room, .declineDraw),
      .connect(Address(host: "::1", port: 4141)), .want(name: "KTQWXZ"),
      .block(peer, isBlocked: true), .block(peer, isBlocked: false),
    ]
    let errors: [ServiceError] = [
      .peer(.unknownRoom(room)), .peer(.recovering), .peer(.alone), .peer(.doubled),
      .peer(.notWhole(room, 7)),
      .peer(.unconfirmed(room, [])), .peer(.unconfirmed(room, [.none])), .peer(.notAllowed("a")),
      .peer(.log("b")), .peer(.full("g")),
      .peer(.unplayable("c")), .refused("d"), .network("e"), .gone("f"), .system("h"), .busy("i"),
      .peer(.busy("j")),
    ]
    let neighbours = [
      NeighbourStatus(peer: peer, address: Address(host: "10.0.0.1", port: 1), state: .connected),
      NeighbourStatus(
        peer: nil, address: Address(host: "host", port: 2), state: .notConnected, reason: "it sleeps"),
    ]
    return [
      .hello, .welcome(peer), .askNeighbours(number: 1), .askOpenGames(number: 2), .done(number: 3, room),
      .neighbours(number: 4, isLast: true, neighbours), .neighbours(number: 4, isLast: false, []),
      .openGames(number: 5, isLast: false, [room, room]), .changed,
      .take(number: 8, isLast: true, [1, 2, 3]), .take(number: 9, isLast: false, []),
      .reserve(number: 10, room), .askTable(number: 11, room), .table(number: 12, isLast: false, [123]),
      .table(number: 13, isLast: true, []), .attend(number: 14, room), .askLeftTables(number: 15),
      .forget(number: 16, .strangers, [room, room]), .forget(number: 17, .unplayed, []),
    ] + intents.map { .perform(number: 6, $0) } + errors.map { .failed(number: 7, $0) }
  }

  /// Openings up to the limit of a room are read; longer ones, an empty one, and the place of no branch are not.
  @Test func openingsOfOtherProgramsAreBounded() throws {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 0, count: 16),
      profile: Profile(name: ""))
    func read(_ openings: [[UInt16]], _ branch: Create.Branch? = nil) throws -> ServiceFrame {
      var new = Intent.NewRoom(create, invited: [])
      (new.openings, new.branchOf) = (openings, branch)
      let bytes = ServiceFrame.perform(number: 1, .create(new)).encoded()
      return try ServiceFrame(decoding: Array(bytes.dropFirst(4)))
    }
    let most = Array(repeating: UInt16(7), count: Create.limitOpenings - 1)
    guard case .perform(_, .create(let new)) = try read([most]) else { throw Damage() }
    #expect(new.openings == [most] && new.create(nonce: create.nonce).openings == [most])
    for openings in [[most + [7]], [most, [7]], [[]], [[7], []]] {
      #expect(throws: FormatError.self) { try read(openings) }
    }
    #expect(throws: FormatError.self) { try read([], Create.Branch(room: .none, game: 0, ply: 1)) }
    #expect(throws: FormatError.self) { try read([], Create.Branch(room: .none, game: 1, ply: 0)) }
  }

  private struct Damage: Error {}

  @Test func framesSurviveInAnyPortions() throws {
    let bytes = Self.frames.flatMap { $0.encoded() }
    for portion in [1, 3, 64, bytes.count] {
      var assembler = FrameAssembler()
      var found: [ServiceFrame] = []
      for start in stride(from: 0, to: bytes.count, by: portion) {
        found += try assembler.take(Array(bytes[start..<min(start + portion, bytes.count)]))
      }
      #expect(found == Self.frames)
    }
  }

  /// Every frame cut anywhere, lengthened or changed anywhere is refused or read as another frame; nothing traps.
  @Test func damagedFramesAreRefusedOrReadAgain() {
    for frame in Self.frames {
      let body = Array(frame.encoded().dropFirst(4))
      for count in 0..<body.count {
        #expect(throws: FormatError.self) { try ServiceFrame(decoding: Array(body.prefix(count))) }
      }
      #expect(throws: FormatError.self) { try ServiceFrame(decoding: body + [0]) }
      for index in body.indices {
        for change in [0x01, 0x80, 0xFF] as [UInt8] {
          var changed = body
          changed[index] ^= change
          do {
            let read = try ServiceFrame(decoding: changed)
            #expect(Array(read.encoded().dropFirst(4)) == changed)
          } catch { continue }
        }
      }
    }
  }

  @Test func answersOfAnyLengthAreWhole() throws {
    let status = NeighbourStatus(
      peer: Self.peer, address: Address(host: String(repeating: "h", count: 255), port: 1),
      state: .notConnected, reason: String(repeating: "é", count: 400))
    // One more than fits, and none at all.
    for (count, parts) in [(0, 1), (1, 1), (100, 1), (101, 2), (1_024, 11), (2_049, 21)] {
      let neighbours = [NeighbourStatus](repeating: status, count: count)
      let rooms = (0..<count).map { number in
        RoomID(Bytes32([UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0, count: 30), at: 0))
      }
      var assembler = FrameAssembler()
      let frames = try assembler.take(ServiceFrame.answer(1, neighbours).flatMap { $0.encoded() })
      #expect(frames.count == parts)
      var told = 0
      for case .neighbours(1, let isLast, let some) in frames {
        told += some.count
        #expect(isLast == (told == count))
      }
      #expect(told == count)
      let others = try assembler.take(ServiceFrame.answer(2, rooms).flatMap { $0.encoded() })
      var found: [RoomID] = []
      for case .openGames(2, let isLast, let some) in others {
        found += some
        #expect(isLast == (found.count == count))
      }
      #expect(found == rooms)
    }
  }
}
