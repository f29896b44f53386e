import BotKit
import Gossip

/// Which peers want a connection with each other, which connections there are, and when one is tried again.
struct Wiring: Sendable {
  /// How long after a refusal the next connection is tried at first, in milliseconds.
  private static let pauseMilliseconds: UInt64 = 500

  private let peers: Int
  /// By pair of peers (the lower first): whether they want a connection.
  private var links: [Bool]
  /// By pair of peers: the connection that is open, if any.
  private var open: [Int?]
  /// By pair of peers: before when no new connection is tried, and how often one was refused.
  private var pauses: [(until: UInt64, refusals: Int)]
  /// All connections that there were, by number.
  var connections: [Connection] = []
  /// By peer: the connections of its program's life, by the number that its core has for the neighbour.
  private var lives: [[Int]]

  init(peers: Int) {
    self.peers = peers
    links = [Bool](repeating: false, count: peers * peers)
    open = [Int?](repeating: nil, count: peers * peers)
    pauses = [(until: UInt64, refusals: Int)](repeating: (0, 0), count: peers * peers)
    lives = [[Int]](repeating: [], count: peers)
  }

  private func pair(_ a: Int, _ b: Int) -> Int { min(a, b) * peers + max(a, b) }

  // MARK: - Links

  /// Whether two peers want a connection.
  func isLinked(_ a: Int, _ b: Int) -> Bool { links[pair(a, b)] }

  /// Has two peers want a connection, or not any more.
  mutating func link(_ a: Int, _ b: Int, _ isWanted: Bool = true) { links[pair(a, b)] = isWanted }

  /// A random tree and some more links.
  mutating func wireAtFirst(_ random: inout RandomStream) {
    let order = random.mixed(Array(0..<peers))
    for place in order.indices.dropFirst() { link(order[place], order[random.below(place)]) }
    for _ in 0..<random.below(peers + 1) { linkSomebody(&random) }
  }

  private mutating func linkSomebody(_ random: inout RandomStream) {
    let (a, b) = (random.below(peers), random.below(peers))
    if a != b { link(a, b) }
  }

  /// Two peers that want a connection, the lower first; `nil` when there are none.
  func someLink(_ random: inout RandomStream) -> (Int, Int)? {
    random.pick(links.indices.filter { links[$0] }).map { ($0 / peers, $0 % peers) }
  }

  /// Takes a link out and puts others in, until the peers are connected somehow.
  mutating func replace(_ gone: (Int, Int), _ random: inout RandomStream) {
    link(gone.0, gone.1, false)
    while !isOnePiece(Array(0..<peers)) { linkSomebody(&random) }
  }

  /// Whether links join all of these peers without help of others.
  func isOnePiece(_ members: [Int]) -> Bool {
    guard let first = members.first else { return true }
    var reached = [first]
    var next = 0
    while next < reached.count {
      for peer in members where !reached.contains(peer) && isLinked(peer, reached[next]) {
        reached.append(peer)
      }
      next += 1
    }
    return reached.count == members.count
  }

  /// Adds links until these peers need nobody else.
  mutating func join(_ members: [Int], _ random: inout RandomStream) {
    let order = random.mixed(members)
    for place in order.indices.dropFirst() where !isOnePiece(Array(order.prefix(place + 1))) {
      link(order[place], order[random.below(place)])
    }
  }

  // MARK: - Connections

  /// The connection of two peers that is open.
  func connection(_ a: Int, _ b: Int) -> Int? { open[pair(a, b)] }

  /// An open connection, and whose it is, the lower peer first; `nil` when there is none.
  func someConnection(_ random: inout RandomStream) -> (number: Int, peers: (Int, Int))? {
    guard let pair = random.pick(open.indices.filter { open[$0] != nil }), let number = open[pair] else {
      return nil
    }
    return (number, (pair / peers, pair % peers))
  }

  /// Whether two peers may connect: they are not connected, and no refusal is too fresh.
  func mayConnect(_ a: Int, _ b: Int, at time: UInt64) -> Bool {
    open[pair(a, b)] == nil && pauses[pair(a, b)].until <= time
  }

  /// A peer's program begins a life, in which it has no connection yet.
  mutating func begin(_ peer: Int) { lives[peer] = [] }

  /// The number for the neighbour at the next connection of a peer's.
  func nextNeighbour(of peer: Int) -> Neighbour { Neighbour(UInt32(lives[peer].count)) }

  /// Adds an open connection.
  mutating func add(_ connection: Connection) {
    open[pair(connection.ends[0].peer, connection.ends[1].peer)] = connections.count
    for end in connection.ends { lives[end.peer].append(connections.count) }
    connections.append(connection)
  }

  /// A peer's end of each connection of its life, open or not.
  func ends(of peer: Int) -> [(connection: Int, end: Int)] {
    lives[peer].compactMap { connection in end(of: peer, connection).map { (connection, $0) } }
  }

  /// A peer's end of the connection with a neighbour.
  func end(of peer: Int, to neighbour: Neighbour) -> (connection: Int, end: Int)? {
    guard lives[peer].indices.contains(Int(neighbour.number)) else { return nil }
    let connection = lives[peer][Int(neighbour.number)]
    return end(of: peer, connection).map { (connection, $0) }
  }

  private func end(of peer: Int, _ connection: Int) -> Int? {
    connections[connection].ends.firstIndex { $0.peer == peer }
  }

  /// The peer at the other end of a connection.
  func receiver(of neighbour: Neighbour, by peer: Int) -> Int? {
    end(of: peer, to: neighbour).map { connections[$0.connection].ends[1 - $0.end].peer }
  }

  /// The neighbours with which a peer has an open connection.
  func openNeighbours(of peer: Int) -> [Neighbour] {
    ends(of: peer).compactMap { place in
      let end = connections[place.connection].ends[place.end]
      return end.isOpen ? end.neighbour : nil
    }
  }

  /// Notes that a connection is open at one end at most, so that another one may be opened.
  mutating func noteClosed(_ connection: Int) {
    let pair = pair(connections[connection].ends[0].peer, connections[connection].ends[1].peer)
    if open[pair] == connection { open[pair] = nil }
  }

  // MARK: - Pauses

  /// One peer has refused another: the next connection is tried later, and later and later while faults last.
  mutating func noteRefusal(_ a: Int, _ b: Int, at time: UInt64, isSafe: Bool) {
    let pair = pair(a, b)
    pauses[pair].refusals += 1
    let pause = Self.pauseMilliseconds << UInt64(min(pauses[pair].refusals, 5))
    pauses[pair].until = time + (isSafe ? pause : Self.pauseMilliseconds)
  }

  /// A connection of two peers is tried at once.
  mutating func endPause(_ a: Int, _ b: Int) { pauses[pair(a, b)].until = 0 }

  /// All connections are tried at once, whatever was refused.
  mutating func endPauses() { pauses = pauses.map { _ in (until: 0, refusals: 0) } }
}
