import Events
import Testing

@testable import Gossip

/// What is kept of one neighbour.
@Suite struct LinkTests {
  private func link() -> Link {
    Link(
      Neighbour(1), circles: .init(peer: PeerID(.zero), isNearby: true), begins: true,
      budget: GossipSettings.standard.budget, at: .start)
  }

  /// Exchanges that lead to nothing end what was believed to be equal; becoming equal begins anew.
  @Test func fruitlessExchangesEndTheBaseline() {
    var link = link()
    for _ in 0..<2 {
      link.agree(on: ShortHash(high: 7, low: 7))
      for _ in 0..<3 { link.baseline.noteExchange() }
      #expect(link.baseline.root == 7)
    }
    link.baseline.noteExchange()
    #expect(link.baseline.root == nil)
  }

  /// What was equal under a limit says nothing of what either holds besides.
  @Test func nothingIsRememberedOfALimitedInterest() {
    var link = link()
    link.agree(on: ShortHash(high: 7, low: 7))
    #expect(link.memory?.root == 7)
    link.shared = SharedRooms()
    #expect(link.memory == nil)
  }
}
