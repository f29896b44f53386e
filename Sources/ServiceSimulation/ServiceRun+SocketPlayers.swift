import BotKit
import Simulation
import Web

// Clients of the sub-protocol `tictactoe`, who all come to the page of the first peer.

extension ServiceRun {
  /// Has the two of them play until each has seen enough games end.
  func playAtSockets() async throws {
    let players = (0..<plan.socketPlayers).map { SocketPlayer($0, seed: plan.seed) }
    let ends = players.map { player in Task { try await self.play(player, besides: players) } }
    for end in ends { try await end.value }
  }

  private func play(_ player: SocketPlayer, besides players: [SocketPlayer]) async throws {
    let end = max(machine.now, plan.safetyMilliseconds) + Self.patienceMilliseconds
    while !players.allSatisfy({ $0.played >= plan.games }) {
      guard machine.now < end else {
        throw ServiceRunError.never("player \(player.number) by socket comes to the end of its games")
      }
      await sleep(player.random.time(20...900))
      if player.wire == nil {
        connect(player)
      } else if isFaulty, plan.faults.contains(.lostSockets), player.random.oneIn(40) {
        record.tell("player \(player.number) by socket is gone")
        let wire = player.wire
        player.disconnect()
        if player.random.oneIn(2) { wire?.close() } else { wire?.vanish() }
      } else if !player.hasJoined {
        player.join()
      } else {
        player.play()
      }
    }
    player.wire?.close()
    player.disconnect()
  }

  private func connect(_ player: SocketPlayer) {
    guard let page = hosts[0].life?.page else { return }
    player.wire = SimulatedWire(to: page, .ticTacToe, source: "10.3.0.\(player.number + 1)") { news in
      switch news {
      case .ended(let words):
        self.record.tell("the socket of player \(player.number) has ended\(words.map { ": \($0)" } ?? "")")
        player.disconnect()
      case .received(let message):
        let text = String(decoding: message, as: UTF8.self)
        self.record.tell("player \(player.number) by socket is sent \(text)")
        guard let fault = player.hear(message) else { return }
        self.record.violate(.finality, peer: 0, "player \(player.number) by socket is sent \(fault): \(text)")
      }
    }
  }
}
