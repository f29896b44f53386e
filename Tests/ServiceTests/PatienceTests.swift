import Events
import Network
import Testing

@testable import Service

/// How long commands wait for others who may never answer, on simulated time.
@Suite(.serialized) struct PatienceTests {
  private static let address = Address(host: "127.0.0.1", port: 1)
  private static let peer = SigningKey(seed: [UInt8](repeating: 1, count: 32)).peer

  private static func status(
    _ state: NeighbourStatus.State, _ peer: PeerID? = peer, reason: String? = nil
  ) -> NeighbourStatus {
    NeighbourStatus(peer: peer, address: address, state: state, reason: reason)
  }

  // MARK: - The first answers

  @Test func answersCountWhenNearbyPeersHaveHadTheirMoment() {
    for (looks, begin) in [(false, 1_000), (true, 4_000)] as [(Bool, UInt64)] {
      let answers = FirstAnswers(looksNearby: looks, atMilliseconds: 1_000)
      #expect(answers.beginMilliseconds == begin && answers.endMilliseconds == begin + 15_000)
      if looks { #expect(answers.standing([], equal: [], atMilliseconds: begin - 1) == .waiting) }
      #expect(answers.standing([], equal: [], atMilliseconds: begin) == .complete)
      // Where all that are nearby are known before, nothing more is waited for but their answers.
      let found = [Self.status(.connecting, nil)]
      for (neighbours, standing) in [([], FirstAnswers.Standing.complete), (found, .waiting)] {
        #expect(
          answers.standing(neighbours, equal: [], hasLookedAround: true, atMilliseconds: 1_000) == standing)
      }
    }
  }

  @Test func everybodyWhoIsTriedAnswersOrFails() {
    let answers = FirstAnswers(looksNearby: false, atMilliseconds: 0)
    let cases: [([NeighbourStatus], Set<PeerID>, FirstAnswers.Standing)] = [
      ([Self.status(.notConnected, nil)], [], .waiting),
      ([Self.status(.connecting, nil)], [Self.peer], .waiting),
      ([Self.status(.notConnected, nil, reason: "nobody listens")], [], .complete),
      ([Self.status(.connected)], [], .waiting),
      ([Self.status(.connected)], [Self.peer], .complete),
      ([Self.status(.connected), Self.status(.connecting, nil)], [Self.peer], .waiting),
      ([Self.status(.connected), Self.status(.connecting, nil, reason: "busy")], [Self.peer], .complete),
    ]
    for (neighbours, equal, standing) in cases {
      #expect(answers.standing(neighbours, equal: equal, atMilliseconds: 14_999) == standing)
    }
  }

  @Test func whoSaysNothingHoldsNobodyUp() {
    let answers = FirstAnswers(looksNearby: false, atMilliseconds: 0)
    let silent = [Self.status(.connected)]
    #expect(answers.standing(silent, equal: [], atMilliseconds: 14_999) == .waiting)
    #expect(answers.standing(silent, equal: [], atMilliseconds: 15_000) == .late)
  }

  // MARK: - An exchange

  /// One look at the exchange's peer.
  private static func look(
    _ exchange: inout Exchange, _ status: NeighbourStatus = status(.connected), refusal: String? = nil,
    isEqual: Bool = false, came: Int = 0, went: Int = 0, at now: UInt64
  ) -> Exchange.Standing {
    exchange.note(status, refusal: refusal, isEqual: isEqual, came: came, went: went, atMilliseconds: now)
  }

  @Test func anExchangeEndsWhenBothHoldTheSame() {
    var exchange = Exchange()
    #expect(Self.look(&exchange, Self.status(.connecting, nil), at: 0) == .connecting)
    #expect(Self.look(&exchange, at: 100_000) == .underWay)
    #expect(Self.look(&exchange, isEqual: true, came: 7, at: 100_010) == .complete(Self.peer))
  }

  @Test func anExchangeEndsWhenNothingHasGoneOnForAWhile() {
    var exchange = Exchange()
    #expect(Self.look(&exchange, at: 1_000) == .underWay)
    #expect(Self.look(&exchange, at: 30_999) == .underWay)
    #expect(Self.look(&exchange, came: 1, at: 30_999) == .underWay)
    #expect(Self.look(&exchange, came: 1, went: 1, at: 60_998) == .underWay)
    #expect(Self.look(&exchange, came: 1, went: 1, at: 90_997) == .underWay)
    #expect(Self.look(&exchange, came: 1, went: 1, at: 90_998) == .idle(Self.peer))
  }

  @Test func anExchangeEndsWithItsConnection() {
    var exchange = Exchange()
    let refused = Self.status(.notConnected, nil, reason: "nobody listens")
    #expect(Self.look(&exchange, refused, at: 0) == .unreachable(reason: "nobody listens"))
    #expect(Self.look(&exchange, at: 1) == .underWay)
    #expect(
      Self.look(&exchange, refused, at: 2) == .ended(Self.peer, reason: "nobody listens"))
    #expect(Self.look(&exchange, Self.status(.notConnected), at: 3) == .ended(Self.peer, reason: nil))
    // It opened and ended between two looks.
    var quick = Exchange()
    let gone = Self.status(.notConnected, reason: "it leaves")
    #expect(Self.look(&quick, gone, at: 0) == .ended(Self.peer, reason: "it leaves"))
  }

  /// What was refused is told, though a new connection may stand already.
  @Test func anExchangeEndsWithWhatIsRefused() {
    for state in NeighbourStatus.State.allCases {
      var exchange = Exchange()
      let standing = Self.look(&exchange, Self.status(state), refusal: "it lies", at: 0)
      #expect(standing == .refused(Self.peer, reason: "it lies"))
    }
  }
}
