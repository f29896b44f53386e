import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Rules
import Testing

/// Two people play, and somebody who has no part in it writes into their room while they cannot reach each other.
@Suite struct StrangerTests {
  private static let hasher = EventHasher(network: .standard)
  private static let stranger = SigningKey(seed: [UInt8](repeating: 3, count: 32))

  private func word(
    _ text: String, in room: RoomID, by key: SigningKey = Self.stranger, naming parents: [EventID]
  ) throws -> [UInt8] {
    let event = try Event.author(
      .chat(text), room: room, author: key.peer, sequence: 1, previous: .none, parents: parents, wallTime: 0,
      hasher: Self.hasher)
    return Message.runs(
      RunsMessage(room: room, runs: [Run(events: [event], signature: key.sign(event.id))])
    ).encoded()
  }

  private func play(_ net: inout ReplicationTests.Net, _ peer: Int, in room: RoomID) throws {
    var player = net.peers[peer]
    let now = player.state(of: room)
    let state = try #require(now)
    let me = player.id
    let seat = try #require(state.seatToChoose(of: me))
    let code = try #require(state.currentGame?.state.legalMoves(of: seat).first)
    try net.peers[peer].choose(code, in: room)
    net.commit(peer, room)
  }

  /// How many moves each player sees.
  private func plies(_ net: ReplicationTests.Net, in room: RoomID) -> [Int?] {
    var players = Array(net.peers.prefix(2))
    return players.indices.map { players[$0].state(of: room)?.currentGame?.plies.count }
  }

  /// Ten words under one number, nine to one seat and one to the other; before them, or not, an event that names what
  /// nobody has. The next move reaches the other seat all the same.
  @Test(arguments: [false, true]) func branchesPartNobody(_ isBlocked: Bool) throws {
    var net = ReplicationTests.Net(count: 3, seed: 71)
    net.connect(0, 1)
    let room = try net.peers[0].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"), creatorSeat: 0,
        starter: .firstSeat, scope: .open))
    for _ in 0..<6 {
      for peer in [1, 0] {
        let conduct = PeerCore.Conduct(profile: Profile(name: "\(peer)"), wantedSeat: Create.noSeat)
        while try net.peers[peer].doDuties(in: room, conduct) {}
        net.commit(peer, room)
        net.settle(seconds: 1)
      }
    }
    try play(&net, 0, in: room)
    net.settle()
    net.part(0, 1)
    // The stranger is not the program: it sends what it likes, and answers nothing.
    for peer in 0..<2 {
      net.peers[peer].connect(Neighbour(2), as: Self.stranger.peer, isNearby: true, at: net.now)
    }
    func send(_ bytes: [UInt8], to peer: Int) {
      net.peers[peer].receive(bytes, from: Neighbour(2), at: net.now)
      net.settle(seconds: 1)
    }
    if isBlocked {
      let never = (0..<32).map { number in
        var hash = Blake2b(domain: "nobody has it")
        hash.update(bigEndian: UInt8(number))
        return EventID(hash.digest())
      }
      let blocker = SigningKey(seed: [UInt8](repeating: 4, count: 32))
      for peer in 0..<2 { send(try word("x", in: room, by: blocker, naming: never), to: peer) }
    }
    for number in 0..<9 { send(try word("\(number)", in: room, naming: [room]), to: 0) }
    send(try word("9", in: room, naming: [room]), to: 1)
    try play(&net, 1, in: room)
    for number in 10..<12 { send(try word("\(number)", in: room, naming: [room]), to: 1) }
    for peer in 0..<2 { net.peers[peer].disconnect(Neighbour(2), at: net.now) }
    net.connect(0, 1)
    net.settle()
    #expect(plies(net, in: room) == [2, 2], "the guest's move has come")
    try play(&net, 0, in: room)
    net.settle()
    #expect(plies(net, in: room) == [3, 3])
    var players = Array(net.peers.prefix(2))
    let states = players.indices.map { players[$0].state(of: room)?.encoded }
    #expect(states[0] != nil && states[0] == states[1])
    #expect(net.peers[0].log(of: room)?.forkProofs.map(\.author) == [Self.stranger.peer])
    #expect(net.refused.isEmpty)
  }
}
