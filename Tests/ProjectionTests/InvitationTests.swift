import BotKit
import Events
import Projection
import Rules
import Testing

@Suite("Scopes and invitations")
struct InvitationTests {
  private let room = RoomScript.Room(scope: .invited, referee: TestPeer.rita.id)

  /// A key that nobody uses.
  private func stranger(_ number: Int) -> PeerID {
    PeerID(Bytes32([UInt8](repeating: UInt8(number), count: 32), at: 0))
  }

  @Test("Whoever was invited may be given a seat, and nobody else")
  func requests() throws {
    var script = try RoomScript(room)
    let invite = try script.invite(.bob)
    let asked = try script.request(.bob)
    #expect(script.verdict(invite) == .effective)
    #expect(script.verdict(asked) == .effective)
    for peer in [TestPeer.carol, .rita] {
      let uninvited = try script.request(peer)
      let grant = try script.grant(uninvited, seat: 1)
      #expect(script.verdict(uninvited) == .effective)
      #expect(script.verdict(grant) == .notInvited)
    }
    #expect(script.state.openRequests.map(\.id) == [asked.id])
    #expect(script.state.seats[1] == nil)
    try script.grant(asked, seat: 1)
    #expect(script.state.seats[1]?.peer == TestPeer.bob.id)
  }

  @Test("Nobody but the creator invites")
  func notTheCreator() throws {
    for scope in Scope.allCases {
      var script = try RoomScript.seated(RoomScript.Room(scope: scope, referee: TestPeer.rita.id))
      let before = script.state.invited
      for peer in [TestPeer.bob, .carol, .rita, .sybil] {
        let invite = try script.invite(.carol, by: peer)
        #expect(script.verdict(invite) == .notEntitled)
      }
      #expect(script.state.invited == before)
    }
  }

  @Test("A request beside its invite counts, whichever comes first, and so does a grant behind the invite")
  func concurrentRequest() throws {
    var script = try RoomScript(room)
    let invite = try script.invite(.bob)
    let early = try script.request(.bob, seeing: .only([script.create]))
    let grant = try script.grant(early, seat: 1)
    var other = script.projection([script.create, early, invite, grant])
    #expect(other.digest() == script.digest)
    #expect(script.verdict(invite) == .effective)
    #expect(script.verdict(early) == .effective)
    #expect(script.verdict(grant) == .effective)
    #expect(script.state.seats[1]?.peer == TestPeer.bob.id)
  }

  @Test("A grant before the invite of its peer seats nobody; one behind it does")
  func grantBeforeInvite() throws {
    var script = try RoomScript(room)
    let asked = try script.request(.bob)
    let early = try script.grant(asked, seat: 1)
    try script.invite(.bob)
    #expect(script.verdict(early) == .notInvited)
    #expect(script.state.openRequests.map(\.id) == [asked.id])
    try script.grant(asked, seat: 1)
    #expect(script.state.seats[1]?.peer == TestPeer.bob.id)
  }

  @Test("The list has the order of the creator's feed and each key once")
  func listed() throws {
    var script = try RoomScript()
    for peer in [TestPeer.sybil, .bob, .carol] { try script.invite(peer) }
    let again = try script.invite(.bob)
    #expect(script.state.invited == [TestPeer.sybil, .bob, .carol].map(\.id))
    #expect(script.verdict(again) == .superseded)
  }

  @Test("Sixty-four peers are invited and no more; who comes later cannot ask")
  func limit() throws {
    var script = try RoomScript(room)
    for number in 1..<Create.limitInvited {
      try script.write(.alice, .invite(stranger(number)))
      try script.write(.alice, .invite(stranger(number)))
    }
    #expect(script.state.invited.count == Create.limitInvited - 1)
    let last = try script.invite(.bob)
    let late = try script.invite(.carol)
    let repeated = try script.invite(.bob)
    #expect(script.verdict(last) == .effective)
    #expect(script.verdict(late) == .overLimit)
    #expect(script.verdict(repeated) == .superseded)
    #expect(script.state.invited == (1..<Create.limitInvited).map(stranger) + [TestPeer.bob.id])
    let asked = try script.request(.bob)
    let uninvited = try script.request(.carol)
    let grant = try script.grant(uninvited, seat: 1)
    #expect(script.verdict(asked) == .effective)
    #expect(script.verdict(grant) == .notInvited)
    #expect(script.state.openRequests.map(\.id) == [asked.id])
    #expect(!script.state.mayReplicate(TestPeer.carol.id))
  }

  @Test("In the other scopes an invitation is shown, and changes nothing else")
  func otherScopes() throws {
    for scope in [Scope.local, .open] {
      var (script, start) = try RoomScript.started(RoomScript.Room(scope: scope))
      _ = try script.play([4], from: start)
      let before = script.state
      let invite = try script.invite(.carol)
      let after = script.state
      #expect(script.verdict(invite) == .effective)
      #expect(after.invited == [TestPeer.carol.id])
      #expect((after.tip, after.phase, after.seats) == (before.tip, before.phase, before.seats))
      #expect(after.games.map(\.plies) == before.games.map(\.plies))
      #expect(after.mayReplicate(TestPeer.sybil.id))
    }
  }

  @Test("Who may replicate a room for invited peers: creator, referee, seats, and whom the creator invites")
  func replication() throws {
    var (script, start) = try RoomScript.started(room)
    let members = [TestPeer.alice, .bob, .rita]
    #expect(members.allSatisfy { script.state.mayReplicate($0.id) })
    #expect(![TestPeer.carol, .sybil].contains { script.state.mayReplicate($0.id) })
    // After the start there are only spectators to invite.
    _ = try script.play([4], from: start)
    let invite = try script.invite(.carol)
    let late = try script.request(.carol)
    #expect(script.verdict(invite) == .effective)
    #expect(script.verdict(late) == .lobbyWithoutEffect)
    #expect(script.state.mayReplicate(TestPeer.carol.id))
    #expect(!script.state.mayRequest(TestPeer.carol.id))
    #expect(!script.state.mayReplicate(TestPeer.sybil.id))
    #expect(script.state.members == (members + [.carol]).map(\.id).sorted())
    #expect(script.state.phase == .playing)
    for scope in [Scope.local, .open] {
      let other = try RoomScript(RoomScript.Room(scope: scope))
      #expect(other.state.mayReplicate(TestPeer.sybil.id))
      #expect(other.state.members == nil)
    }
  }

  @Test("Entrants of a tournament for invited peers are invited as well")
  func tournament() throws {
    var room = room
    room.creatorSeat = Int(Create.noSeat)
    room.purpose = .tournament(format: 2, options: 0, seed: 1, title: "cup")
    var script = try RoomScript(room)
    try script.invite(.bob)
    let asked = try script.request(.bob)
    let uninvited = try script.request(.carol)
    try script.grant(asked, seat: 0)
    let grant = try script.grant(uninvited, seat: 1)
    #expect(script.verdict(grant) == .notInvited)
    #expect(script.state.seats.map { $0?.peer } == [TestPeer.bob.id, nil])
  }

  @Test("A forked creator: what nobody rests on invites nobody, and each branch counts for itself")
  func forkedCreator() throws {
    var (script, start) = try RoomScript.started(room)
    let root = script.head(of: .alice)
    let base = script.events.count
    let carol = try script.invite(.carol)
    let dave = try script.invite(.dave, after: root)
    let again = try script.invite(.carol, after: dave)
    #expect(script.state.invited == [TestPeer.bob.id])
    #expect(script.verdict(carol) == .forkedFeed)
    // Bob went on from the second branch.
    _ = try script.write(.bob, .chat("seen"), seeing: .only([again]))
    #expect(script.state.invited == [TestPeer.bob, .dave, .carol].map(\.id))
    #expect([carol, dave, again].map { script.verdict($0) } == [.forkedFeed, .effective, .effective])
    #expect(script.state.start == start.node)
    var swapped = script.events
    swapped.swapAt(base, base + 1)
    var other = script.projection(swapped)
    #expect(other.digest() == script.digest)
  }

  @Test("Before the start nothing behind the creator's fork invites, whoever cites it")
  func forkBeforeTheStart() throws {
    var script = try RoomScript(room)
    try script.invite(.bob)
    let root = script.head(of: .alice)
    let carol = try script.invite(.carol)
    let dave = try script.invite(.dave, after: root)
    let asked = try [(TestPeer.bob, carol), (.carol, carol), (.dave, dave)].map { peer, invite in
      try script.request(peer, seeing: .only([invite]))
    }
    #expect(asked.map { script.verdict($0) } == [.effective, .effective, .effective])
    #expect([carol, dave].map { script.verdict($0) } == [.forkedFeed, .forkedFeed])
    #expect(script.state.invited == [TestPeer.bob.id])
    #expect(script.state.openRequests.map(\.id) == [asked[0].id])
  }

  @Test("A start stands on its own branch's invite, when a seat goes on from it")
  func startBeyondTheFork() throws {
    var script = try RoomScript(room)
    let root = script.create
    try script.invite(.bob)
    let own = try script.invite(.dave)
    let asked = try script.request(.bob)
    try script.grant(asked, seat: 1)
    try script.ready(.alice, seat: 0)
    try script.ready(.bob, seat: 1)
    let start = try script.write(.alice, .start(roster: script.roster()))
    try script.write(.bob, .chat("go"))
    let foreign = try script.invite(.carol, seeing: .nothing, after: root)
    // They had not seen the start.
    let open = try script.request(.dave, seeing: .only([own]))
    let hidden = try script.request(.carol, seeing: .only([foreign]))
    #expect(script.verdict(open) == .effective)
    #expect(script.verdict(hidden) == .effective)
    #expect(script.state.openRequests.map(\.id) == [open.id])
    let state = script.state
    #expect(state.forked == [TestPeer.alice.id])
    #expect(state.start == start.id)
    #expect(state.seats[1]?.peer == TestPeer.bob.id)
    #expect(state.invited == [TestPeer.bob, .dave].map(\.id))
    #expect(state.mayReplicate(TestPeer.bob.id))
  }

  @Test("Any order of arrival, read at any time, gives one digest")
  func orders() throws {
    var script = try RoomScript(room)
    let guests = [TestPeer.bob, .carol, .dave, .sybil]
    for guest in guests { try script.request(guest, seeing: .only([script.create])) }
    for guest in [TestPeer.carol, .bob, .carol] { try script.invite(guest, seeing: .nothing) }
    for guest in guests { try script.request(guest) }
    try script.invite(.dave, by: .sybil)
    try script.invite(.sybil)
    let digest = script.digest
    let deliveries = Deliveries(script.events)
    var random = RandomStream(seed: 1)
    for _ in 0..<300 {
      var projection = script.projection([])
      for event in deliveries.order(&random) {
        projection.apply(event)
        _ = projection.state
      }
      #expect(projection.digest() == digest)
    }
    #expect(script.state.invited == [TestPeer.carol, .bob, .sybil].map(\.id))
    #expect(
      Set(script.state.openRequests.map(\.peer)) == [TestPeer.carol.id, TestPeer.bob.id, TestPeer.sybil.id])
  }
}
