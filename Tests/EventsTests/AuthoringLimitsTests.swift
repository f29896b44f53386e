import Events
import Testing

/// What is too long for the format is refused with an error, never written in part and never a trap.
@Suite struct AuthoringLimitsTests {
  private func author(_ action: Action) throws -> Event {
    let key = SigningKey(seed: [UInt8](repeating: 3, count: 32))
    let isCreate = action.kind == .create
    let room = RoomID(Bytes32(Array(1...32)) ?? .zero)
    return try Event.author(
      action, room: isCreate ? .none : room, author: key.peer, sequence: 1, previous: .none, parents: [],
      wallTime: 0, hasher: EventHasher(network: .standard))
  }

  @Test(arguments: [4_097, 4_184, 65_535, 65_536, 65_537, 66_048, 200_000])
  func longChatIsRefused(_ count: Int) {
    #expect(throws: FormatError.self) { try author(.chat(String(repeating: "a", count: count))) }
  }

  @Test(arguments: [33, 255, 256, 257, 288, 600])
  func longRulesNamesAreRefused(_ count: Int) {
    let create = Create(
      rules: String(repeating: "a", count: count), rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "x"))
    #expect(throws: FormatError.self) { try author(.create(create)) }
  }

  @Test(arguments: [0, 15, 17, 300])
  func aNonceOfAnotherLengthIsRefused(_ count: Int) {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 0, count: count), profile: Profile(name: "x"))
    #expect(throws: FormatError.self) { try author(.create(create)) }
  }

  @Test func whatFitsIsWritten() throws {
    #expect(try author(.chat(String(repeating: "a", count: 4_096))).kind == .chat)
  }
}
