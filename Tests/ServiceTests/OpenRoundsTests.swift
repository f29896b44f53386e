import Events
import Games
import Network
import Peer
import Projection
import Rules
import Testing

@testable import Service

@Suite(.serialized) struct OpenRoundsTests {
  /// Whoever chose first there would show its choice to the other side.
  @Test func nobodyJoinsARoomOfOpenRounds() async throws {
    let folders = (try ServiceFolder(), try ServiceFolder())
    let host = try await folders.0.open(1, listens: true)
    let guest = try await folders.1.open(2)
    try await connect(guest, to: host)
    let definition = try #require(Games.catalog.newest("prisoners-dilemma"))
    let rules = try definition.rules(Parameters())
    for isOpen in [true, false] {
      let create = Create(
        rules: definition.name, rulesVersion: definition.version, parameters: rules.parameters.encoded,
        seats: 2, nonce: [UInt8](repeating: isOpen ? 1 : 2, count: 16), profile: Profile(name: "host"),
        creatorSeat: 0, hasOpenRounds: isOpen)
      let room = try await host.networkPeer.write { core throws(PeerError) in try core.create(create) }
      try await guest.wait(for: "the game") { try await guest.state(of: room) != nil }
      do {
        try await guest.join(room)
        #expect(!isOpen)
      } catch { #expect(isOpen && "\(error)".contains("in the open"), "\(error)") }
    }
    await guest.close()
    await host.close()
  }
}
