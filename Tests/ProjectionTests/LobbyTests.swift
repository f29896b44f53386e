import BotKit
import Events
import Projection
import Rules
import Testing

@Suite("Seats, readies, draws and the start")
struct LobbyTests {
  @Test("Two ask at once: one seat, the other request stays open")
  func twoJoiners() throws {
    var script = try RoomScript()
    let first = try script.request(.bob, seeing: .nothing)
    let second = try script.request(.carol, seeing: .nothing)
    #expect(Set(script.state.openRequests.map(\.id)) == [first.id, second.id])
    let grant = try script.grant(second, seat: 1)
    let late = try script.grant(first, seat: 1)
    #expect(script.state.seats[1]?.peer == TestPeer.carol.id)
    #expect(script.state.openRequests.map(\.id) == [first.id])
    #expect(script.verdict(grant) == .effective)
    #expect(script.verdict(late) == .lobbyWithoutEffect)
  }

  @Test("Only the creator grants, a free seat below the last, as wished, to a peer without a seat")
  func grants() throws {
    var script = try RoomScript()
    let wish = try script.request(.bob, seat: 0)
    let any = try script.request(.carol)
    let own = try script.request(.alice)
    #expect(script.verdict(own) == .notEntitled)
    let foreign = try script.grant(any, seat: 1, by: .bob)
    #expect(script.verdict(foreign) == .notEntitled)
    for wrong in [
      try script.grant(wish, seat: 1), try script.grant(any, seat: 0), try script.grant(any, seat: 2),
      try script.grant(own, seat: 1), try script.write(.alice, .grant(request: script.room, seat: 1)),
    ] {
      #expect(script.verdict(wrong) == .lobbyWithoutEffect)
    }
    #expect(script.state.seats[1] == nil)
    try script.grant(any, seat: 1)
    #expect(script.state.seat(of: TestPeer.carol.id) == Seat(1))
    #expect(script.state.seat(of: TestPeer.alice.id) == Seat(0))
  }

  @Test("A peer holds one seat")
  func oneSeat() throws {
    var script = try RoomScript(RoomScript.Room(creatorSeat: Int(Create.noSeat)))
    let request = try script.request(.bob)
    try script.grant(request, seat: 0)
    let double = try script.grant(request, seat: 1)
    #expect(script.verdict(double) == .lobbyWithoutEffect)
    #expect(script.state.seats[1] == nil)
  }

  /// A room for four in which Alice has seat 0, Bob seat 3 and Carol seat 1.
  private func threeOfFour(_ starter: Create.Starter = .firstSeat) throws -> RoomScript {
    var room = RoomScript.Room.memory(seats: 4)
    room.starter = starter
    var script = try RoomScript(room)
    try script.grant(try script.request(.bob), seat: 3)
    try script.grant(try script.request(.carol), seat: 1)
    return script
  }

  /// The hash of a roster of these peers, who sit by grants of the script; the creator by `create`.
  private func roster(_ peers: [TestPeer], _ script: RoomScript) -> Digest {
    let seats = script.state.seats.compactMap(\.self)
    return Commitments.roster(
      room: script.room,
      seats: peers.map { peer in
        (peer.id, seats.first { $0.peer == peer.id }?.grant ?? .none)
      })
  }

  private func ready(_ peer: TestPeer, _ roster: Digest) -> Action {
    .ready(roster: roster, commitment: .none)
  }

  @Test("A creator that plays starts with those that sit: their seats are numbered anew, in their order")
  func startOfFewer() throws {
    var script = try threeOfFour()
    let roster = roster([.alice, .carol, .bob], script)
    // Before the creator says so, another's word changes nothing.
    let eager = try script.write(.carol, ready(.carol, roster))
    #expect(script.state.seats.count == 4 && script.verdict(eager) == .lobbyWithoutEffect)
    try script.write(.alice, ready(.alice, roster))
    #expect(script.state.seats.map { $0?.peer } == [TestPeer.alice, .carol, .bob].map(\.id))
    #expect(script.state.seats.map { $0?.isReady } == [true, true, false])
    let early = try script.write(.alice, .start(roster: roster))
    #expect(script.verdict(early) == .lobbyWithoutEffect)
    try script.write(.bob, ready(.bob, roster))
    let start = try script.write(.alice, .start(roster: roster))
    let state = script.state
    #expect(state.start == start.id && state.phase == .playing && state.position?.seats == 3)
    #expect(state.create.seats == 3 && Parameters(encoded: state.create.parameters)?["players"] == "3")
    let digest = script.digest
    var random = RandomStream(seed: 4)
    for _ in 0..<50 {
      var projection = script.projection(Deliveries(script.events).order(&random))
      #expect(projection.digest() == digest)
    }
  }

  @Test("A start of fewer names all that sit, and two at least")
  func startsOfTooFew() throws {
    var script = try threeOfFour()
    for peers in [[TestPeer.alice, .bob], [.alice, .bob, .carol], [.alice]] {
      let roster = roster(peers, script)
      for peer in peers { try script.write(peer, ready(peer, roster)) }
      try script.write(.alice, .start(roster: roster))
      #expect(script.state.start == nil && script.state.seats.count == 4)
    }
  }

  @Test("A seat that is given after the creator's word opens the room again")
  func seatAfterTheCall() throws {
    var script = try threeOfFour()
    let roster = roster([.alice, .carol, .bob], script)
    try script.write(.alice, ready(.alice, roster))
    #expect(script.state.seats.count == 3)
    try script.grant(try script.request(.rita), seat: 2)
    #expect(script.state.seats.compactMap(\.self).count == 4 && script.state.create.seats == 4)
    for (seat, peer) in [TestPeer.alice, .carol, .rita, .bob].enumerated() {
      try script.ready(peer, seat: seat)
    }
    try script.write(.alice, .start(roster: script.roster()))
    #expect(script.state.phase == .playing && script.state.position?.seats == 4)
  }

  @Test("A grant cites its request")
  func grantWithoutRequest() throws {
    var script = try RoomScript()
    let request = try script.request(.bob)
    let grant = try script.write(.alice, .grant(request: request.id, seat: 1), seeing: .nothing)
    #expect(script.verdict(grant) == .lobbyWithoutEffect)
  }

  @Test("Who leaves takes back the request, and may ask again")
  func leavingAndAskingAgain() throws {
    var script = try RoomScript()
    let first = try script.request(.bob)
    try script.write(.bob, .leave(node: .none))
    #expect(script.state.openRequests.isEmpty)
    let late = try script.grant(first, seat: 1)
    #expect(script.verdict(late) == .lobbyWithoutEffect)
    let second = try script.request(.bob)
    #expect(script.state.openRequests.map(\.id) == [second.id])
    try script.grant(second, seat: 1)
    #expect(script.state.seats[1]?.peer == TestPeer.bob.id)
    #expect(script.state.phase == .waiting)
  }

  @Test("A seat or the creator that leaves closes the room; a stranger cannot")
  func closing() throws {
    for peer in TestPeer.players {
      var script = try RoomScript.seated()
      try script.write(peer, .leave(node: .none))
      #expect(script.state.phase == .closed(peer.id))
      try script.ready(.alice, seat: 0)
      try script.ready(.bob, seat: 1)
      let start = try script.write(.alice, .start(roster: script.roster()))
      #expect(script.verdict(start) == .lobbyWithoutEffect)
    }
    var script = try RoomScript.seated()
    let stranger = try script.write(.carol, .leave(node: .none))
    #expect(script.verdict(stranger) == .notEntitled)
    let named = try script.write(.bob, .leave(node: script.room))
    #expect(script.verdict(named) == .offLine)
    #expect(script.state.phase == .waiting)
  }

  @Test("A leaving and a grant that do not know of each other: seated, and closed")
  func leavingBesideGrant() throws {
    var script = try RoomScript()
    let request = try script.request(.bob)
    let grant = try script.grant(request, seat: 1)
    try script.write(.bob, .leave(node: .none), seeing: .nothing)
    #expect(script.verdict(grant) == .effective)
    #expect(script.state.phase == .closed(TestPeer.bob.id))
  }

  @Test("A start needs the roster and every ready in its past; the first one stands")
  func starts() throws {
    var script = try RoomScript.seated()
    let none = try script.write(.alice, .start(roster: script.roster()))
    try script.ready(.alice, seat: 0)
    let half = try script.write(.alice, .start(roster: script.roster()))
    try script.ready(.bob, seat: 1)
    let blind = try script.write(.alice, .start(roster: script.roster()), seeing: .nothing)
    let foreign = try script.write(.bob, .start(roster: script.roster()))
    let wrong = try script.write(.alice, .start(roster: .none))
    for event in [none, half, blind, wrong] { #expect(script.verdict(event) == .lobbyWithoutEffect) }
    #expect(script.verdict(foreign) == .notEntitled)
    #expect(script.state.phase == .waiting)
    let start = try script.write(.alice, .start(roster: script.roster()))
    let second = try script.write(.alice, .start(roster: script.roster()))
    #expect(script.state.start == start.id)
    #expect(script.verdict(start) == .effective)
    #expect(script.verdict(second) == .lobbyWithoutEffect)
    let late = try script.request(.carol)
    #expect(script.verdict(late) == .lobbyWithoutEffect)
    #expect(script.state.openRequests.isEmpty)
  }

  @Test("A ready is the first over the full roster, by a seat")
  func readies() throws {
    var script = try RoomScript.seated()
    let wrong = try script.write(.bob, .ready(roster: .none, commitment: .none))
    #expect(script.verdict(wrong) == .lobbyWithoutEffect)
    let first = try script.ready(.bob, seat: 1)
    let second = try script.ready(.bob, seat: 1)
    let foreign = try script.ready(.carol, seat: 1)
    #expect(script.verdict(first) == .effective)
    #expect(script.verdict(second) == .lobbyWithoutEffect)
    #expect(script.verdict(foreign) == .notEntitled)
    #expect(script.state.seats.map { $0?.isReady } == [false, true])
  }

  // MARK: - Joint draw

  private let drawRoom = RoomScript.Room(starter: .jointDraw, referee: TestPeer.rita.id)

  @Test("The joint draw is what the nonces give, and anybody can derive it")
  func jointDraw() throws {
    let (script, _) = try RoomScript.started(drawRoom)
    let nonces = TestPeer.players.map { script.nonce($0) }
    #expect(
      script.state.first?.rawValue == Commitments.starter(room: script.room, nonces: nonces))
  }

  @Test("Without every draw nothing starts: an early, a wrong and a missing one do not count")
  func badDraws() throws {
    var script = try RoomScript.seated(drawRoom)
    try script.ready(.alice, seat: 0)
    let early = try script.draw(.alice)
    try script.ready(.bob, seat: 1)
    let wrong = try script.write(.bob, .draw(nonce: script.nonce(.carol)))
    try script.draw(.alice)
    for event in [early, wrong] { #expect(script.verdict(event) == .lobbyWithoutEffect) }
    let start = try script.write(.alice, .start(roster: script.roster()))
    #expect(script.verdict(start) == .lobbyWithoutEffect)
    #expect(script.state.phase == .waiting)
  }

  @Test("Who refuses to open lets the other start, by the referee's ruling alone")
  func refusedDraw() throws {
    for (silent, peer) in TestPeer.players.enumerated() {
      var script = try RoomScript.seated(drawRoom)
      let readies = [try script.ready(.alice, seat: 0), try script.ready(.bob, seat: 1)]
      let other = TestPeer.players[1 - silent]
      try script.draw(other)
      let claim = try script.write(other, .claim(node: readies[silent].id, seat: UInt16(silent)))
      let foreign = try script.write(.carol, .ruling(claim: claim.id))
      let early = try script.write(.alice, .start(roster: script.roster()))
      #expect(script.verdict(early) == .lobbyWithoutEffect)
      let ruling = try script.write(.rita, .ruling(claim: claim.id))
      try script.write(.alice, .start(roster: script.roster()))
      #expect(script.state.phase == .playing)
      #expect(script.state.first == Seat(UInt16(1 - silent)), "\(peer.name) is silent")
      #expect(script.verdict(claim) == .effective)
      #expect(script.verdict(ruling) == .effective)
      #expect(script.verdict(foreign) != .effective)
    }
  }

  @Test("A draw that is there is not overruled")
  func ruledAgainstADraw() throws {
    var script = try RoomScript.seated(drawRoom)
    let ready = try script.ready(.alice, seat: 0)
    try script.ready(.bob, seat: 1)
    try script.draw(.alice)
    try script.draw(.bob)
    let claim = try script.write(.bob, .claim(node: ready.id, seat: 0))
    try script.write(.rita, .ruling(claim: claim.id))
    try script.write(.alice, .start(roster: script.roster()))
    let nonces = TestPeer.players.map { script.nonce($0) }
    #expect(script.state.first?.rawValue == Commitments.starter(room: script.room, nonces: nonces))
  }

  @Test("A rematch names the old room; unknown rules are kept, not played")
  func rematchAndUnknownRules() throws {
    let old = try RoomScript().room
    let again = try RoomScript.started(RoomScript.Room(rematchOf: old)).0
    #expect(again.state.create.rematchOf == old)
    for room in [
      RoomScript.Room(version: 7), RoomScript.Room(rules: "go"),
      RoomScript.Room(parameters: Array("a=b\n".utf8)),
      RoomScript.Room(parameters: [1, 2, 3]),
    ] {
      var (script, start) = try RoomScript.started(room)
      let move = try script.move(.alice, 0, at: start)
      #expect(script.state.phase == .unknownRules)
      #expect(script.verdict(move) == .wrongRoom)
    }
  }
}
