import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing
import Tournaments

/// A tournament of five places whose entrants draw their seeds, before its start; Alice organizes it.
private struct DrawnCup {
  static let all: [TestPeer] = [.bob, .carol, .dave, .rita]

  var script: RoomScript
  var entrants: [TestPeer]

  init(_ entrants: [TestPeer] = all, organizerPlays: Bool = false) throws {
    var room = RoomScript.Room(
      creatorSeat: organizerPlays ? 0 : Int(Create.noSeat), starter: .jointDraw,
      purpose: .tournament(format: 2, options: 0, seed: 1, title: "cup"))
    room.seats = 5
    script = try RoomScript(room)
    self.entrants = (organizerPlays ? [.alice] : []) + entrants
    for (seat, peer) in self.entrants.enumerated() where peer != .alice {
      try script.grant(try script.request(peer), seat: seat)
    }
  }

  /// The hash of the roster of some, in this order.
  func roster(of peers: [TestPeer]) -> Digest {
    let grants = script.state.seats.compactMap { $0 }
    return Commitments.roster(
      room: script.room,
      seats: peers.compactMap { peer in grants.first { $0.peer == peer.id }.map { ($0.peer, $0.grant) } })
  }

  func ready(_ peer: TestPeer, seat: Int, roster: Digest) -> Action {
    .ready(
      roster: roster,
      commitment: Commitments.draw(
        nonce: script.nonce(peer), room: script.room, roster: roster, seat: UInt16(seat), author: peer.id))
  }

  @discardableResult
  mutating func call() throws -> Event {
    try script.write(.alice, ready(.alice, seat: Int(Create.noSeat), roster: roster(of: entrants)))
  }

  @discardableResult
  mutating func answer(_ peer: TestPeer, seeing: RoomScript.Sight = .everything) throws -> Event {
    let seat = entrants.firstIndex(of: peer) ?? 0
    return try script.write(peer, ready(peer, seat: seat, roster: roster(of: entrants)), seeing: seeing)
  }

  @discardableResult
  mutating func start(_ peers: [TestPeer]) throws -> Event {
    try script.write(.alice, .start(roster: roster(of: peers)))
  }

  /// Some by their seeds, as PROTOCOL §1.5 has it; they are in the order of their seats.
  func drawn(_ peers: [TestPeer]) -> [TestPeer] {
    let nonces = peers.filter { $0 != .alice }.map(script.nonce) + [script.nonce(.alice)]
    return peers.sorted {
      Commitments.seed(of: $0.id, room: script.room, nonces: nonces)
        < Commitments.seed(of: $1.id, room: script.room, nonces: nonces)
    }
  }

  var seated: [PeerID?] { script.state.seats.map { $0?.peer } }
}

@Suite("Seeds by a draw of all entrants") struct SeedingDrawTests {
  @Test("All answer, the organizer opens, all open, and it starts by the seeds", arguments: [false, true])
  func wholeDraw(organizerPlays: Bool) throws {
    var cup = try DrawnCup(organizerPlays: organizerPlays)
    #expect(cup.script.state.seeding == nil)
    var used = [try cup.call()]
    for peer in DrawnCup.all.reversed() { used.append(try cup.answer(peer)) }
    #expect(cup.script.state.seeding?.answered.count == cup.entrants.count)
    #expect(cup.script.state.seeding?.isOpened == false)
    used.append(try cup.script.draw(.alice))
    for peer in DrawnCup.all { used.append(try cup.script.draw(peer)) }
    let draw = try #require(cup.script.state.seeding)
    #expect(draw.isOpened && draw.drawn == cup.entrants.map(\.id))
    let order = cup.drawn(cup.entrants)
    #expect(draw.result == cup.roster(of: order))
    let byEntry = try cup.start(cup.entrants)
    #expect(cup.script.verdict(byEntry) == (order == cup.entrants ? .effective : .lobbyWithoutEffect))
    used.append(try cup.start(order))
    for event in used { #expect(cup.script.verdict(event) == .effective) }
    #expect(cup.seated == order.map(\.id) && cup.script.state.seeding == nil)
    #expect(try TournamentRoom(cup.script.state, Games.catalog)?.entrants.map(\.peer) == order.map(\.id))
  }

  @Test("Who does not answer, and who does not open its part, stays out")
  func silent() throws {
    var cup = try DrawnCup()
    try cup.call()
    for peer: TestPeer in [.bob, .carol, .rita] { try cup.answer(peer) }
    try cup.script.draw(.alice)
    // Too late to be bound.
    let late = try cup.answer(.dave)
    let lateDraw = try cup.script.draw(.dave)
    try cup.script.draw(.bob)
    #expect(cup.script.state.seeding?.result == nil)
    try cup.script.draw(.rita)
    let start = try cup.start(cup.drawn([.bob, .rita]))
    #expect(cup.script.verdict(start) == .effective)
    #expect([late, lateDraw].map(cup.script.verdict) == [.notEntitled, .notEntitled])
    #expect(Set(cup.seated) == [TestPeer.bob.id, TestPeer.rita.id] && cup.script.state.create.seats == 2)
    // What comes after the start changes nothing.
    let after = try cup.script.draw(.carol)
    #expect(cup.script.verdict(after) != .effective && cup.seated.count == 2)
  }

  /// What an organizer or an entrant does that does not count.
  enum Fraud: CaseIterable {
    case nobodyCalled, partNotCommitted, startBeforeOpening, openedBeforeTheOrganizer, otherSeat, secondCall
  }

  @Test(arguments: Fraud.allCases) func fraud(_ fraud: Fraud) throws {
    var cup = try DrawnCup([.bob, .carol])
    if fraud == .nobodyCalled {
      for peer in cup.entrants { try cup.answer(peer) }
      try cup.script.draw(.alice)
      for peer in cup.entrants { try cup.script.draw(peer) }
      let start = try cup.start(cup.drawn(cup.entrants))
      return #expect(cup.script.verdict(start) == .lobbyWithoutEffect)
    }
    try cup.call()
    if fraud == .otherSeat {
      try cup.answer(.bob)
      try cup.script.write(.carol, cup.ready(.carol, seat: 0, roster: cup.roster(of: cup.entrants)))
    } else {
      for peer in cup.entrants { try cup.answer(peer) }
    }
    if fraud == .openedBeforeTheOrganizer { try cup.script.draw(.bob) }
    if fraud != .startBeforeOpening {
      try cup.script.write(
        .alice, .draw(nonce: fraud == .partNotCommitted ? .none : cup.script.nonce(.alice)))
    }
    if fraud == .secondCall {
      // The first draw does not please the organizer.
      for peer in cup.entrants { try cup.script.draw(peer) }
      try cup.script.grant(try cup.script.request(.dave), seat: 2)
      cup.entrants.append(.dave)
      try cup.call()
      for peer in cup.entrants { try cup.answer(peer) }
      try cup.script.draw(.alice)
    }
    for peer in cup.entrants where fraud != .openedBeforeTheOrganizer || peer != .bob {
      try cup.script.draw(peer)
    }
    let start = try cup.start(cup.drawn(cup.entrants))
    #expect(cup.script.verdict(start) == .lobbyWithoutEffect && cup.script.state.start == nil)
    guard fraud == .secondCall else { return }
    try cup.start(cup.drawn([.bob, .carol]))
    #expect(cup.script.state.start != nil)
  }

  @Test("Who comes between calls is in the last one")
  func calledAgain() throws {
    var cup = try DrawnCup([.bob, .carol])
    try cup.call()
    try cup.answer(.bob)
    try cup.script.grant(try cup.script.request(.dave), seat: 2)
    cup.entrants.append(.dave)
    #expect(cup.script.state.seeding?.called.count == 2)
    try cup.call()
    #expect(cup.script.state.seeding?.answered == [])
    for peer in cup.entrants { try cup.answer(peer) }
    try cup.script.draw(.alice)
    for peer in cup.entrants { try cup.script.draw(peer) }
    try cup.start(cup.drawn(cup.entrants))
    #expect(cup.seated.count == 3)
  }

  @Test("Any order of arrival, read at any time: one state", arguments: 0..<Effort.size(300, quick: 40))
  func anyOrder(_ seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed))
    var cup = try DrawnCup([.bob, .carol, .dave], organizerPlays: seed.isMultiple(of: 5))
    for step in 0..<Int.random(in: 8...24, using: &random) {
      let seen: RoomScript.Sight = random.below(6) > 0 ? .everything : .nothing
      let peer = try #require(cup.entrants.randomElement(using: &random))
      switch step < 2 ? 0 : random.below(9) {
      case 0: try cup.call()
      case 1, 2, 3: try cup.answer(peer, seeing: seen)
      case 4: try cup.script.draw(.alice)
      case 5, 6: try cup.script.draw(peer, seeing: seen)
      case 7:
        let drawn = cup.script.state.seeding?.drawn ?? []
        try cup.start(cup.drawn(cup.entrants.filter { drawn.contains($0.id) }))
      default:
        let forked = random.below(6) == 0 ? TestPeer.alice : peer
        let feed = cup.script.events.filter { $0.author == forked.id }
        guard feed.count > 1, random.below(3) == 0, let before = feed.dropLast().randomElement(using: &random)
        else { continue }
        try cup.script.write(forked, .draw(nonce: cup.script.nonce(forked)), after: before)
      }
    }
    cup.script.checkAnyOrder(&random)
  }
}
