import BotKit
import Dispatch
import Events
import Games
import Peer
import Projection
import Rules
import Synchronization
import Testing

@testable import Service

/// What a bot at a table chooses belongs to what was played when it was asked.
@Suite(.serialized) struct BotChoiceTests {
  /// Answers the middle with a corner and anything else with the cell beside that; thinks once for as long as it is
  /// kept.
  private final class KeptBot: Bot {
    let declaration = BotDeclaration(specification: "kept", version: 1, nodeBudget: 0)
    let isThinking = Mutex(false)
    let release = DispatchSemaphore(value: 0)

    func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
      let isMiddle = turn.history.first?.choices == [MoveCode(4)]
      guard isMiddle else { return BotChoice(MoveCode(1)) }
      isThinking.withLock { $0 = true }
      release.wait()
      return BotChoice(MoveCode(8))
    }
  }

  @Test func aMoveThatWasTakenBackIsNotAnswered() async throws {
    let (a, b) = (try ServiceFolder(), try ServiceFolder())
    let host = try await a.open(1, listens: true)
    let guest = try await b.open(2, policy: .bot)
    let bot = KeptBot()
    let room = try await host.host()
    try await connect(guest, to: host)
    try await guest.wait(for: "the game") { await guest.openGames() == [room] }
    let profile = Profile(name: "kept", bot: BotEntry(bot.declaration, seed: 1))
    _ = try await guest.perform(.join(room, seat: Create.noSeat, profile, terms: Terms()))
    try await host.wait(for: "play") { try await host.state(of: room)?.phase == .playing }
    try await host.play("5", in: room)
    try await guest.wait(for: "the turn") {
      try await guest.state(of: room)?.seatToChoose(of: guest.peer) != nil
    }
    async let chosen: Void = guest.choose(bot, in: room)
    // Also where the test ends before its time.
    defer { bot.release.signal() }
    try await guest.wait(for: "a thought") { bot.isThinking.withLock(\.self) }
    _ = try await host.perform(.act(room, .requestUndo))
    try await host.wait(for: "the take-back") { try await host.state(of: room)?.plyCount == 0 }
    try await host.play("1", in: room)
    try await guest.wait(for: "the other move") {
      try await guest.state(of: room)?.currentGame?.plies.first?.code == MoveCode(0)
    }
    bot.release.signal()
    try await chosen
    #expect(try await guest.state(of: room)?.plyCount == 1)
    try await guest.choose(bot, in: room)
    #expect(try await guest.state(of: room)?.currentGame?.plies.map(\.code) == [MoveCode(0), MoveCode(1)])
    await host.close()
    await guest.close()
  }
}
