import BotKit
import Events
import Projection
import Rules
import TestKit
import Testing

/// A game of turns with as many seats as there may be.
@Suite("Sixteen seats")
struct SixteenSeatsTests {
  private let peers = TestPeer.table

  /// All of some seats choose and open, and the referee with them.
  private func round(
    _ choice: (Int) -> UInt32?, of seats: [Int], _ script: inout RoomScript, at place: Place
  ) throws -> Place {
    let commits = try seats.map { try script.commit(peers[$0], seat: $0, choice($0) ?? 0, at: place) }
    let share = try script.commitReferee(at: place)
    let reveals = try zip(seats, commits).map {
      try script.reveal(peers[$0], seat: $0, choice($0) ?? 0, of: $1, at: place)
    }
    try script.revealReferee(share, at: place)
    return place.after(reveals[0])
  }

  @Test("All sixteen choose and draw; they drop out for every cause, and the others go on to the next game")
  func wholeSeries() throws {
    var (script, place) = try RoomScript.started(
      .oddOneOut(seats: 16, turns: 5, games: 2, referee: TestPeer.rita.id))
    #expect(script.state.seats.compactMap { $0?.peer } == peers.map(\.id))
    place = place.after(try script.move(.alice, 1, at: place))
    // Only the last chooses as nobody else does.
    place = try round({ $0 == 15 ? 2 : UInt32($0 % 2) }, of: Array(0..<16), &script, at: place)
    #expect(script.state.plyCount == 2)
    let choices = script.state.games[0].plies[1].choices
    #expect(choices.count == 16 && choices[15] == MoveCode(2))

    // One leaves, one resigns, one is forked and one is silent, all where a draw waits for them.
    try script.write(peers[15], .leave(node: place.node))
    try script.write(peers[7], .resign(node: place.node))
    let head = try #require(script.head(of: peers[9]))
    try script.write(peers[9], .chat("one"), seeing: .nothing)
    try script.write(peers[9], .chat("two"), seeing: .nothing, after: head)
    let claim = try script.write(.alice, .claim(node: place.node, seat: 11))
    try script.write(.rita, .ruling(claim: claim.id))
    let stay = (0..<16).filter { ![7, 9, 11, 15].contains($0) }
    place = try round({ _ in nil }, of: stay, &script, at: place)
    #expect(script.state.plyCount == 3)
    #expect(
      script.state.games[0].dropOuts.map(\.cause).sorted { "\($0)" < "\($1)" } == [
        .forked(Seat(9)), .left(Seat(15)), .resigned(Seat(7)), .ruled(Seat(11)),
      ])
    // The third seat from the first is due; all draw.
    place = try round({ $0 == 3 ? 1 : nil }, of: stay, &script, at: place)
    place = place.after(try script.move(peers[4], 0, at: place))
    let ending = try #require(script.state.games[0].ending)
    #expect(ending.cause == .rules && ending.outcome?.scores.count == 16)
    #expect([7, 9, 11, 15].allSatisfy { ending.outcome?.scores[$0] == -1 })

    // Who resigned or was ruled out is back, who left or forked is not; another seat begins.
    place = Place(node: place.node, game: 1, ply: 0)
    #expect(script.state.turn == .seat(Seat(1)))
    place = place.after(try script.move(.bob, 2, at: place))
    #expect(script.state.games[1].playing.map(\.index) == (0..<16).filter { $0 != 9 && $0 != 15 })

    try checkOrders(script)
  }

  @Test("Fifteen leave, two at every turn of whatever kind: the last one has won")
  func lastOne() throws {
    var (script, place) = try RoomScript.started(.oddOneOut(seats: 16, turns: 12, referee: TestPeer.rita.id))
    for last in stride(from: 15, to: 1, by: -2) {
      for leaving in [last, last - 1] { try script.write(peers[leaving], .leave(node: place.node)) }
      let here = Array(0..<last - 1)
      switch try #require(script.state.turn) {
      case .seat(let seat): place = place.after(try script.move(peers[seat.index], 1, at: place))
      case .round(let choosing):
        place = try round({ choosing.contains(Seat(UInt16($0))) ? 1 : nil }, of: here, &script, at: place)
      case .over: Issue.record("the game is over with \(here.count) seats")
      }
    }
    try script.write(.bob, .leave(node: place.node))
    let ending = try #require(script.state.games[0].ending)
    #expect(ending.outcome?.winner == Seat(0) && script.state.phase == .abandoned(Seat(1)))
    #expect(script.state.games[0].dropOuts.count == 15 && script.state.plyCount == 7)
    try checkOrders(script)
  }

  /// Any order of arrival leads to one digest.
  private func checkOrders(_ script: RoomScript) throws {
    var once = script.projection()
    let digest = once.digest()
    let deliveries = Deliveries(script.events)
    var random = RandomStream(seed: 16)
    for order in 0..<8 {
      var projection = script.projection([])
      for event in deliveries.order(&random) { projection.apply(event) }
      #expect(projection.digest() == digest, "order \(order)")
    }
  }
}
