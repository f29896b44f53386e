import Events
import Projection
import Rules
import Testing

@Suite("Draws that seats agree on")
struct DrawTests {
  private let series = RoomScript.Room(games: 2, allowsUndo: true)

  @Test("An offer that the other seat takes ends the game without a winner, and the series goes on")
  func agreed() throws {
    var (script, start) = try RoomScript.started(series)
    let place = try script.play([0, 4], from: start)
    let offer = try script.write(.alice, .drawOffer(node: place.node))
    #expect(script.state.drawOffers.map(\.id) == [offer.id] && script.state.drawOffers[0].seat == Seat(0))
    #expect(script.verdict(offer) == .unanswered)
    let wrong = try [TestPeer.alice, .carol].map {
      try script.write($0, .drawAccept(node: place.node, offer: offer.id))
    }
    #expect(wrong.map { script.verdict($0) } == [.superseded, .notEntitled])
    let accept = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.verdict(accept) == .effective)
    #expect(script.verdict(offer) == .effective)
    #expect(script.state.games[0].ending?.cause == .drawAgreed)
    #expect(script.state.games[0].ending?.node == accept.id)
    #expect(script.state.games[0].ending?.outcome == .drawn(of: 2))
    #expect(script.state.drawOffers.isEmpty)
    let next = try script.move(.bob, 0, at: Place(node: accept.id, game: 1))
    #expect(script.state.tip == next.id)
    try script.agree(game: 0, accept.id, [0, 0])
    #expect(script.state.games[0].isAgreed)
  }

  @Test("An offer stands while its author moves, and lapses when the other seat does, for good")
  func lapses() throws {
    var (script, start) = try RoomScript.started(series)
    let offer = try script.write(.alice, .drawOffer(node: start.node))
    var place = try script.play([0], from: start)
    #expect(script.state.drawOffers.map(\.id) == [offer.id])
    let before = script
    try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.state.games[0].ending?.cause == .drawAgreed)
    #expect(script.state.games[0].plies.count == 1)

    script = before
    place = place.after(try script.move(.bob, 4, at: place))
    #expect(script.state.drawOffers.isEmpty)
    let late = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.verdict(late) == .superseded)
    // What its author does then brings it back no more.
    place = place.after(try script.move(.alice, 1, at: place))
    #expect(script.state.drawOffers.isEmpty)
    let later = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.verdict(later) == .superseded)
    #expect(script.state.games[0].ending == nil)
  }

  @Test("An offer made in one game draws no other: not after a winning move, not after a take-back")
  func isOfItsPlace() throws {
    var (script, start) = try RoomScript.started(series)
    let place = try script.play([0, 3, 1, 4], from: start)
    let offer = try script.write(.alice, .drawOffer(node: place.node))
    let quiet = script
    let won = try script.move(.alice, 2, at: place)
    #expect(script.state.games[0].ending?.cause == .rules)
    #expect(script.state.drawOffers.isEmpty)
    let next = try script.write(.bob, .drawAccept(node: won.id, offer: offer.id))
    #expect(script.verdict(next) == .superseded)
    #expect(script.state.games[1].ending == nil)

    script = quiet
    let asked = try script.write(.bob, .undoRequest(node: place.node, ply: 3))
    let back = try script.write(.alice, .undoAccept(request: asked.id))
    let after = try script.write(.bob, .drawAccept(node: back.id, offer: offer.id))
    #expect(script.verdict(after) == .superseded)
    #expect(script.state.drawOffers.isEmpty)
  }

  @Test("Who has declined cannot accept that offer; a new one it can")
  func declined() throws {
    var (script, start) = try RoomScript.started()
    let place = try script.play([0], from: start)
    let offer = try script.write(.alice, .drawOffer(node: place.node))
    let own = try script.write(.alice, .drawDecline(offer: offer.id))
    #expect(script.verdict(own) == .superseded)
    #expect(script.state.drawOffers.count == 1)
    let decline = try script.write(.bob, .drawDecline(offer: offer.id))
    #expect(script.verdict(decline) == .effective)
    #expect(script.state.drawOffers.isEmpty)
    let accept = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.verdict(accept) == .superseded)
    let again = try script.write(.alice, .drawOffer(node: place.node))
    #expect(script.state.drawOffers.map(\.id) == [again.id])
    try script.write(.bob, .drawAccept(node: place.node, offer: again.id))
    #expect(script.state.games[0].ending?.cause == .drawAgreed)
  }

  @Test("An accept needs the offer in its past, and is late after a move that it knew")
  func needsItsPast() throws {
    var (script, start) = try RoomScript.started()
    let place = try script.play([0], from: start)
    let offer = try script.write(.alice, .drawOffer(node: place.node), seeing: .nothing)
    let blind = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id), seeing: .nothing)
    #expect(script.verdict(blind) == .offLine)
    #expect(script.state.games[0].ending == nil)
    try script.move(.bob, 4, at: place)
    let stale = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    #expect(script.verdict(stale) == .superseded)
    #expect(script.state.games[0].plies.count == 2)
  }

  @Test("No draw where the rules know none")
  func noDraw() throws {
    var (script, place) = try RoomScript.started(.dilemma(rounds: 3))
    let offer = try script.write(.alice, .drawOffer(node: place.node))
    let accept = try script.write(.bob, .drawAccept(node: place.node, offer: offer.id))
    let decline = try script.write(.bob, .drawDecline(offer: offer.id))
    for event in [offer, accept, decline] { #expect(script.verdict(event) == .notEntitled) }
    #expect(script.state.drawOffers.isEmpty && !script.state.allowsDraws)
    place = try script.round((0, 0), at: place)
    #expect(script.state.games[0].plies.count == 1)
  }

  @Test("A claim is open against a seat that owes a step, until the step comes")
  func openClaims() throws {
    var (script, start) = try RoomScript.started(RoomScript.Room(referee: TestPeer.rita.id))
    let place = try script.play([0], from: start)
    try script.write(.alice, .claim(node: place.node, seat: 0))
    try script.write(.carol, .claim(node: place.node, seat: 1))
    try script.write(.alice, .claim(node: place.node, seat: 7))
    #expect(script.state.claims.isEmpty)
    #expect(script.state.owing == [Seat(1)])
    let claim = try script.write(.alice, .claim(node: place.node, seat: 1))
    #expect(script.state.claims.map(\.id) == [claim.id])
    #expect(
      script.state.claims.map(\.claimant) == [Seat(0)] && script.state.claims.map(\.silent) == [Seat(1)])
    try script.move(.bob, 4, at: place)
    #expect(script.state.claims.isEmpty)
  }

  @Test("A referee's second key that holds a seat is nobody's referee, and who holds a seat is none")
  func refereeOfAState() throws {
    #expect(
      try RoomScript.started(RoomScript.Room(referee: TestPeer.rita.id)).0.state.referee == TestPeer.rita.id)
    for seated in [TestPeer.alice, .bob] {
      #expect(try RoomScript.started(RoomScript.Room(referee: seated.id)).0.state.referee == nil)
    }
    let waiting = try RoomScript(RoomScript.Room(referee: TestPeer.rita.id)).state
    #expect(!waiting.mayRequest(TestPeer.rita.id) && waiting.mayRequest(TestPeer.bob.id))
  }
}
