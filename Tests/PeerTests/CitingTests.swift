import Events
import Games
import Peer
import Testing

/// What a peer's event names of others' events.
@Suite struct CitingTests {
  /// An event that could not be written takes nothing along with it.
  @Test func whatOneEventCouldNotNameTheNextOneNames() throws {
    let keys = [1, 2].map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
    var peer = PeerCore(
      signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
    let other = peer.admit(keys[1])
    let room = try peer.create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host")))
    let stranger = try peer.write(.chat("of a stranger"), in: room, by: other)
    #expect(stranger.parents == [room])
    #expect(try peer.write(.chat("not named"), in: room).parents.isEmpty)
    let request = try peer.write(.request(seat: Create.noSeat, Profile(name: "guest")), in: room, by: other)
    #expect(request.parents.isEmpty)
    let grant = try peer.write(.grant(request: request.id, seat: 1), in: room, citing: [request.id])
    #expect(grant.parents == [request.id])
    let word = try peer.write(.chat("a word"), in: room, by: other)
    #expect(word.parents == [grant.id])
    let tooLong = String(repeating: "x", count: Action.limitChatBytes + 1)
    #expect(throws: PeerError.self) { try peer.write(.chat(tooLong), in: room) }
    let next = try peer.write(.chat("heard"), in: room)
    #expect(next.parents == [word.id])
    #expect(try peer.write(.chat("and again"), in: room).parents.isEmpty)
  }
}
