import BotKit
import Events
import Games
import Projection
import Testing

/// Rooms in which very many ask for a seat, and take it back, or say something.
@Suite struct ManyRequestsTests {
  private static let hasher = EventHasher(network: .standard)

  /// However the keys are ordered in which they come, and however often the room is read meanwhile, all requests that
  /// stand are told, in the order of their authors.
  @Test(arguments: 0..<6) func allThatStandAreTold(seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed))
    let create = try Self.create()
    let peers = (0..<300).map { Self.peer($0) }
    var events: [Event] = []
    var standing: [PeerID: Set<EventID>] = [:]
    for peer in seed == 0 ? peers : seed == 1 ? peers.reversed() : Self.mixed(peers, &random) {
      var (last, asked) = (Event?.none, 0)
      // Some ask several times, and some of those more often than one piece of a list has room for.
      for _ in 0..<(random.below(100) == 0 ? 100 : Int(random.below(3)) + 1) {
        let leaves = last != nil && random.below(3) == 0
        let action = leaves ? Action.leave(node: .none) : .request(seat: 1, Profile(name: "x"))
        let event = try Event.author(
          action, room: create.id, author: peer, sequence: (last?.sequence ?? 0) + 1,
          previous: last?.id ?? .none, parents: last == nil ? [create.id] : [], wallTime: 0,
          hasher: Self.hasher)
        if leaves {
          standing[peer] = []
        } else {
          asked += 1
          // So many of one author count.
          if asked <= 64 { standing[peer, default: []].insert(event.id) }
        }
        last = event
        events.append(event)
      }
    }
    var room = try #require(RoomProjection(create: create, catalog: Games.catalog))
    for event in events {
      room.apply(event)
      if random.below(8) == 0 { _ = room.state }
    }
    let told = room.state.openRequests
    #expect(told.map(\.id).count == Set(told.map(\.id)).count)
    let sorted = told.sorted { ($0.peer, $0.id) < ($1.peer, $1.id) }
    #expect(told == sorted)
    // tidy: order does not matter because it becomes a set
    #expect(Set(told.map(\.id)) == standing.values.reduce(into: []) { $0.formUnion($1) })
    var once = try #require(RoomProjection(create: create, catalog: Games.catalog))
    for event in events { once.apply(event) }
    #expect(once.state.openRequests == told && once.digest() == room.digest())
  }

  /// However often a room is read while very many talk in it, it tells the lines that it tells when it is read once.
  /// The creator has the lowest key, so that it is never one of those whose lines are told for their keys.
  @Test(arguments: 0..<4) func theLastLinesAreTold(seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed))
    let create = try Self.create(by: Self.peer(0))
    let hosts = Self.peer(0)
    let strangers = (1...300).map { Self.peer($0) }
    var last: [PeerID: Event] = [hosts: create]
    var room = try #require(RoomProjection(create: create, catalog: Games.catalog))
    var events: [Event] = []
    for number in 0..<700 {
      let author = number % 50 == 49 ? hosts : strangers[Int(random.below(300))]
      let before = last[author]
      let event = try Event.author(
        .chat("\(number)"), room: create.id, author: author, sequence: (before?.sequence ?? 0) + 1,
        previous: before?.id ?? .none, parents: before == nil ? [create.id] : [], wallTime: 0,
        hasher: Self.hasher)
      last[author] = event
      events.append(event)
      room.apply(event)
      guard number % 50 == 49 || random.below(8) == 0 else { continue }
      let told = room.state.chat
      var once = try #require(RoomProjection(create: create, catalog: Games.catalog))
      for event in events { once.apply(event) }
      #expect(told == once.state.chat)
      let own = told.count { $0.author == hosts }
      #expect(own == (number + 1) / 50 && told.count - own <= RoomState.limitOnlookersLines)
    }
  }

  private static func create(by creator: PeerID = peer(1_000)) throws -> Event {
    try Event.author(
      .create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: 1,
          nonce: [UInt8](repeating: 0, count: 16), profile: Profile(name: "Anna"), creatorSeat: 0)),
      room: .none, author: creator, sequence: 1, previous: .none, parents: [], wallTime: 0, hasher: hasher
    )
  }

  private static func mixed(_ peers: [PeerID], _ random: inout RandomStream) -> [PeerID] {
    var (left, mixed) = (peers, [PeerID]())
    while !left.isEmpty { mixed.append(left.remove(at: Int(random.below(UInt64(left.count))))) }
    return mixed
  }

  private static func peer(_ number: Int) -> PeerID {
    var bytes = [UInt8](repeating: 1, count: 24)
    bytes.append(bigEndian: UInt64(number))
    return PeerID(Bytes32(bytes, at: 0))
  }
}
