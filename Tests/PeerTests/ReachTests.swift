import EventLog
import Events
import Games
import Gossip
import Peer
import Testing

/// What becomes visible late, and what was said of an interest and lost.
@Suite struct ReachTests {
  private func room(_ net: inout ReplicationTests.Net, _ number: UInt8, _ scope: Scope) throws -> RoomID {
    let room = try net.peers[0].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "host"), scope: scope))
    net.commit(0, room)
    return room
  }

  /// What both believed to be equal before the invitation does not hide what was in the room by then.
  @Test func whoIsInvitedLateGetsWhatWasThere() throws {
    var net = ReplicationTests.Net(count: 2, seed: 21)
    _ = try room(&net, 1, .open)
    net.connect(0, 1)
    net.settle()
    let secret = try room(&net, 2, .invited)
    net.settle()
    #expect(net.peers[1].log(of: secret) == nil)
    _ = try net.peers[0].write(.invite(net.peers[1].id), in: secret)
    net.commit(0, secret)
    net.settle()
    #expect(net.peers[1].log(of: secret)?.entries.count == 2)
  }

  /// An invitation that is not durable shows the room to nobody: a crash may take it back.
  @Test func anInvitationCountsOnceItIsDurable() throws {
    var net = ReplicationTests.Net(count: 2, seed: 22)
    net.connect(0, 1)
    let secret = try net.peers[0].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 3, count: 16), profile: Profile(name: "host"), scope: .invited))
    let creation = try #require(try net.peers[0].prepareCommit(secret))
    _ = try net.peers[0].write(.invite(net.peers[1].id), in: secret)
    net.peers[0].markDurable(creation, at: net.now)
    net.settle()
    #expect(net.peers[1].log(of: secret) == nil)
    net.commit(0, secret)
    net.settle()
    #expect(net.peers[1].log(of: secret)?.entries.count == 2)
  }

  /// A room that is read from the store is shown to its guests at once.
  @Test func aStoredRoomIsShownToTheInvited() throws {
    var net = ReplicationTests.Net(count: 2, seed: 23)
    let secret = try room(&net, 4, .invited)
    _ = try net.peers[0].write(.invite(net.peers[1].id), in: secret)
    net.commit(0, secret)
    let stored = try #require(net.peers[0].log(of: secret))
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 5,
      now: { 0 })
    net.peers[0].open(stored, isDurable: true, at: net.now)
    net.connect(0, 1)
    net.settle()
    #expect(net.peers[1].log(of: secret)?.entries.count == 2)
  }

  /// An interest that is lost on the way is said again as soon as both differ.
  @Test func anInterestThatWasLostIsSaidAgain() throws {
    var net = ReplicationTests.Net(count: 2, seed: 24)
    let rooms = try [5, 6].map { try room(&net, $0, .open) }
    net.peers[1].subscribe(to: Interest(in: [rooms[0]]), at: net.now)
    net.connect(0, 1)
    net.settle()
    #expect(net.peers[1].log(of: rooms[1]) == nil)
    net.peers[1].subscribe(to: nil, at: net.now)
    _ = net.peers[1].takeOutbox(at: net.now)
    net.settle()
    #expect(net.peers[1].log(of: rooms[1])?.entries.count == 1)
  }

  /// The same where both want only some rooms, and all that they compare is the same on both sides.
  @Test func interestsThatDoNotMeetAreSaidAgain() throws {
    var net = ReplicationTests.Net(count: 2, seed: 26)
    let rooms = try [9, 10].map { try room(&net, $0, .open) }
    net.peers[0].subscribe(to: Interest(in: [rooms[0]]), at: net.now)
    net.peers[1].subscribe(to: Interest(in: [rooms[1]]), at: net.now)
    net.connect(0, 1)
    net.settle()
    net.peers[1].subscribe(to: Interest(in: [rooms[0]]), at: net.now)
    _ = net.peers[1].takeOutbox(at: net.now)
    net.settle()
    #expect(net.peers[1].log(of: rooms[0])?.entries.count == 1)
    #expect(net.peers[1].log(of: rooms[1])?.entries.count == 1)
  }

  /// Who may have forgotten events asks about all its rooms, whatever it wants otherwise.
  @Test func recoveryLooksBeyondTheInterest() throws {
    var net = ReplicationTests.Net(count: 2, seed: 25)
    let rooms = try [7, 8].map { try room(&net, $0, .open) }
    let old = try rooms.map { try #require(net.peers[0].log(of: $0)) }
    net.connect(0, 1)
    for room in rooms {
      _ = try net.peers[0].write(.chat("forgotten"), in: room)
      net.commit(0, room)
    }
    net.settle()
    net.peers[1].disconnect(Neighbour(0), at: net.now)
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 6,
      now: { 0 })
    for log in old { net.peers[0].open(log, isDurable: true, at: net.now) }
    net.peers[0].subscribe(to: Interest(in: [rooms[0]]), at: net.now)
    net.peers[0].beginDoubt(at: net.now)
    net.connect(0, 1)
    net.settle()
    #expect(net.peers[0].recovery == .none)
    #expect(net.peers[0].log(of: rooms[1])?.entries.count == 2)
  }

  /// Who shows a room to somebody who shows it to others only sends its events once: they are not asked for again
  /// with every comparison.
  @Test(arguments: [Scope.local, .invited]) func whatOnlyOneShowsIsSentOnce(_ scope: Scope) throws {
    var net = ReplicationTests.Net(count: 2, seed: 27)
    // The second has the room from elsewhere; it holds the first to be far away, and nobody has invited the first.
    let secret = try room(&net, 11, scope)
    let known = try #require(net.peers[0].log(of: secret))
    if scope == .invited { _ = try net.peers[0].write(.invite(net.peers[1].id), in: secret) }
    _ = try net.peers[0].write(.chat("hello"), in: secret)
    net.commit(0, secret)
    net.peers[1].open(known, isDurable: true, at: net.now)
    net.peers[0].connect(Neighbour(1), as: net.peers[1].id, isNearby: true, at: net.now)
    net.peers[1].connect(
      Neighbour(0), as: scope == .invited ? Self.stranger : net.peers[0].id, isNearby: false, at: net.now)
    net.settle()
    let sent = net.peers[0].effects.sentEvents
    #expect(sent == (scope == .invited ? 2 : 1))
    #expect(net.peers[1].log(of: secret)?.entries.count == net.peers[0].log(of: secret)?.entries.count)
    net.settle(seconds: 60)
    #expect(net.peers[0].effects.sentEvents == sent)
    // What is new in the room is taken.
    _ = try net.peers[0].write(.chat("news"), in: secret)
    net.commit(0, secret)
    net.settle()
    #expect(net.peers[0].effects.sentEvents == sent + 1)
    #expect(net.refused.isEmpty)
  }

  /// Who is shown a room that it keeps from the other side tells nothing of it, though it holds more.
  @Test func whatIsHiddenIsNotTold() throws {
    var net = ReplicationTests.Net(count: 2, seed: 28)
    let secret = try room(&net, 12, .local)
    var logs: [RoomLog] = []
    for words in ["for both", "for one"] {
      _ = try net.peers[0].write(.chat(words), in: secret)
      net.commit(0, secret)
      logs.append(try #require(net.peers[0].log(of: secret)))
    }
    net = ReplicationTests.Net(count: 3, seed: 28)
    for number in 0..<2 { net.peers[1 + number].open(logs[number], isDurable: true, at: net.now) }
    net.peers[1].connect(Neighbour(2), as: net.peers[2].id, isNearby: true, at: net.now)
    net.peers[2].connect(Neighbour(1), as: net.peers[1].id, isNearby: false, at: net.now)
    let hasher = EventHasher(network: .standard)
    var questions = 0
    repeat {
      net.collect()
      for bytes in net.links[2][1] {
        switch try Message(decoding: bytes, hasher: hasher) {
        case .have(let announcement): #expect(announcement.entries.isEmpty)
        case .runs, .next: Issue.record("events of a room that is not shown")
        case .ask: questions += 1
        default: continue
        }
      }
    } while net.step(until: net.now + 30_000) && net.now < Tick(milliseconds: 60_000)
    #expect(questions > 0)
    #expect([1, 2].map { net.peers[$0].log(of: secret)?.entries.count } == [2, 3])
    #expect(net.peers[1].effects.sentEvents == 0 && net.peers[2].effects.sentEvents == 0)
  }

  /// A name under which nobody is invited.
  private static let stranger = SigningKey(seed: [UInt8](repeating: 200, count: 32)).peer
}
