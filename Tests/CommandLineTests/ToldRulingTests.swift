import Events
import Games
import Peer
import Rules
import Service
import Testing

@testable import parlor

/// What `parlor serve` says of rulings.
@Suite struct ToldRulingTests {
  @Test func aRulingIsToldInWords() throws {
    var core = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 7, count: 32)), network: .standard, catalog: Games.catalog,
      scheme: Ed25519(), now: { 0 })
    let room = try core.create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "Carol"), creatorSeat: 0,
        moveLimitMilliseconds: 90_000))
    let state = core.state(of: room)
    for (limit, reason) in [
      (SeatClocks.Limit.move, "no move within 1:30"), (.clock, "the clock has run out"),
    ] {
      let ruling = ToldRuling(room: room, seat: Seat(0), limit: limit)
      #expect(
        ruling.words(try #require(state)) == "Game \(room.short): ruled against Carol, seat 1: \(reason).")
    }
  }
}
