internal import Channel
package import Events
internal import Gossip

/// A connection as lists show it.
package struct ConnectionStatus: Hashable, Sendable {
  package let peer: PeerID
  package let remote: Address
  /// Whether this end made it.
  package let isOutgoing: Bool
}

/// A link, and what the peer knows of it.
final class Connection {
  let link: any MessageLink
  /// The number of the dial that made it, where this end did.
  let dial: Int?
  let began: UInt64
  /// Its number in the order in which they came, from 1.
  let number: UInt64
  /// The host or the network that it comes from, for limits.
  let source: String
  /// What the core calls the peer, from when it knows of the connection.
  fileprivate(set) var neighbour: Neighbour?
  /// Where the peer waits for connections, as far as it is known.
  var listening: Address?
  /// Another process of the peer, which waits to hear whether this one is there still, and until when; `nil` when that
  /// has passed, and what came over this connection is still to be read.
  fileprivate var rival: (connection: Connection, deadline: UInt64?)?
  /// Whether it came as such a rival.
  fileprivate var isRival = false
  /// Whether so much of it waits to be taken in that nothing is read from it.
  fileprivate var isSated = false
  /// Whether the peer has done with it.
  fileprivate(set) var isDropped = false

  fileprivate init(_ link: any MessageLink, _ dial: Int?, _ number: UInt64, at now: UInt64) {
    self.link = link
    self.dial = dial
    self.number = number
    source = link.remote.source
    began = now
  }

  /// The peer, from when the core knows of it.
  var peer: PeerID? { neighbour == nil ? nil : link.peer }

  /// Whether its other end has proven who it is, and nothing came of that yet.
  var isNew: Bool { neighbour == nil && !isRival && isThere && link.peer != nil }

  /// Where the peer is to be found, as far as others may be told.
  var acquaintance: Acquaintance? {
    guard let peer, let listening, listening.numbers != nil else { return nil }
    return Acquaintance(peer: peer, address: listening)
  }

  fileprivate var isThere: Bool { !isDropped && link.ending == nil }
}

/// The connections of a peer: which there may be, and which of two stays.
struct ConnectionTable {
  /// What is found when the other end of a connection has proven who it is.
  enum Finding {
    /// The peer is not connected otherwise.
    case only
    /// The peer is connected, and this one stays; both ends decide alike.
    case replaces(Connection)
    /// Another process of the peer is connected, and is asked whether it is there still.
    case rivals
    /// This one goes, for this reason.
    case leaves(Farewell)
  }

  /// In the order in which they came.
  private(set) var all: [Connection] = []
  private(set) var lastNumber: UInt32 = 0
  /// Whether what comes is read.
  private(set) var isReading = true
  let settings: NetworkSettings
  /// Those that the core knows, by its numbers; a number is never used again.
  private var neighbours: [Neighbour: Connection] = [:]
  /// Closed links that may still send their last bytes, and until when.
  private var lingering: [(link: any MessageLink, deadline: UInt64)] = []
  /// Peers of which two processes were connected at one time.
  private var twins: Set<PeerID> = []
  /// Peers to which there are no connections.
  var blocked: Set<PeerID> = []
  /// Those that came and have not proven who they are.
  var anteroom = Anteroom()
  /// What came over them and is read elsewhere.
  var reception = Reception()
  private var added: UInt64 = 0

  init(_ settings: NetworkSettings) { self.settings = settings }

  subscript(_ neighbour: Neighbour) -> Connection? { neighbours[neighbour] }
  /// The connection with a peer, as long as that is there.
  subscript(_ peer: PeerID) -> Connection? { all.first { $0.peer == peer && $0.isThere } }

  /// Whether a peer is connected in a way that is no worse than by an address: one behind a relay is worse than others.
  func reaches(_ peer: PeerID, by address: Address) -> Bool {
    self[peer].map { !$0.link.remote.isRelayed || address.isRelayed } ?? false
  }

  /// How many there are whose other end has not proven who it is.
  var greetings: Int { all.count { $0.peer == nil } }

  /// Those of peers.
  var statuses: [ConnectionStatus] {
    all.compactMap { connection in
      connection.peer.map {
        ConnectionStatus(
          peer: $0, remote: connection.link.remote, isOutgoing: connection.link.role == .initiator)
      }
    }
  }

  // MARK: - Coming and going

  /// Where too many that came have not proven who they are, the one that goes.
  var crowdedOut: Connection? { anteroom.count >= settings.limitGreetings ? anteroom.crowded : nil }

  mutating func add(_ link: any MessageLink, dial: Int?, at now: UInt64) -> Connection {
    added += 1
    let connection = Connection(link, dial, added, at: now)
    all.append(connection)
    if link.role == .responder { anteroom.add(connection) }
    return connection
  }

  /// Forgets a connection and closes its link; what that has to say goes out if it can.
  /// - Returns: the rival that waited because of it; `nil` when there is none.
  mutating func remove(_ connection: Connection, at now: UInt64) -> Connection? {
    reception.forget(connection)
    connection.isDropped = true
    all.removeAll { $0 === connection }
    anteroom.remove(connection)
    if let neighbour = connection.neighbour { neighbours[neighbour] = nil }
    connection.link.close(afterSending: true)
    if connection.link.queuedBytes > 0 {
      lingering.append((connection.link, now + settings.lingerMilliseconds))
    }
    return endRivalry(connection)
  }

  /// How many bytes may wait to be sent to a peer before more of what it asked for is added: its share of what all may
  /// have, and room for a message in any case.
  var limitAskedBytes: Int {
    let share = settings.limitAllQueuedBytes / 2 / max(neighbours.count, 1)
    return min(settings.limitQueuedBytes, max(share, 1))
  }

  /// Where more waits to be sent than may, the connection with most of it: its other end does not read.
  var mostUnread: Connection? {
    var (all, most) = (0, 0)
    var found: Connection?
    for connection in self.all {
      let bytes = connection.link.queuedBytes
      all += bytes
      if bytes > most { (most, found) = (bytes, connection) }
    }
    return all > settings.limitAllQueuedBytes ? found : nil
  }

  /// Whether there are as many with peers as may be.
  var isFull: Bool { neighbours.count >= settings.limitConnections || lastNumber == .max }

  /// Who makes way for one more peer where there are as many as may be: the newest that came of the host that has
  /// most, unless the new one's host has as many. What this end has connected to stays, and what it connects to comes.
  func makingWay(for newer: Connection) -> Connection? {
    let came = all.filter { $0.peer != nil && $0.link.role == .responder }
    var counts: [String: Int] = [:]
    for connection in came { counts[connection.source, default: 0] += 1 }
    let isOutgoing = newer.link.role == .initiator
    let own = counts[newer.source] ?? 0
    guard let most = counts.values.max(), isOutgoing || own + 1 < most else { return nil }
    return came.last { counts[$0.source] == most }
  }

  /// Gives a connection the number by which the core knows it.
  mutating func admit(_ connection: Connection) -> Neighbour {
    lastNumber += 1
    let neighbour = Neighbour(lastNumber)
    neighbours[neighbour] = connection
    connection.neighbour = neighbour
    anteroom.remove(connection)
    return neighbour
  }

  mutating func setReading(_ isReading: Bool, at now: UInt64) {
    guard isReading != self.isReading else { return }
    self.isReading = isReading
    for connection in all where !connection.isSated { connection.link.setReading(isReading, at: now) }
  }

  /// Reads from a connection, unless as much of it waits to be taken in as may.
  mutating func regulate(_ connection: Connection, at now: UInt64) {
    setSated(reception.isSated(connection, of: all.count), connection, at: now)
  }

  /// Notes whether so much of a connection waits to be taken in that nothing is read from it.
  mutating func setSated(_ isSated: Bool, _ connection: Connection, at now: UInt64) {
    guard isSated != connection.isSated else { return }
    connection.isSated = isSated
    if isReading { connection.link.setReading(!isSated, at: now) }
  }

  // MARK: - Several of one peer

  /// Looks whether a peer is connected already, now that it is at the other end of one more connection.
  /// - Parameter isLower: whether this peer's key is the lower one of both.
  mutating func find(_ peer: PeerID, besides newer: Connection, isLower: Bool, at now: UInt64) -> Finding {
    guard let older = self[peer] else { return .only }
    if older.link.process == newer.link.process {
      // Rooms that must not cross a relay, and all else at less cost, go by the way without one.
      let isRelayed = newer.link.remote.isRelayed
      if isRelayed != older.link.remote.isRelayed { return isRelayed ? .leaves(.doubled) : .replaces(older) }
      // Who made both knows that the older one is lost; where each made one, that of the lower key stays.
      let isSame = newer.link.role == older.link.role
      return isSame || (newer.link.role == .initiator) == isLower ? .replaces(older) : .leaves(.doubled)
    }
    newer.isRival = true
    // A peer of which two were here before is kept as it is.
    guard !twins.contains(peer), older.rival == nil else { return .leaves(.twin) }
    // The older one may be gone, so it is asked first.
    older.rival = (newer, now + settings.rivalMilliseconds)
    older.link.probe(at: now)
    return .rivals
  }

  /// The process that was connected first answers.
  /// - Returns: its rival, where that is there still: both are twins.
  mutating func noteAnswer(of older: Connection) -> Connection? {
    guard older.rival != nil, older.isThere, older.link.hasAnswered, let peer = older.peer,
      let newer = endRivalry(older)
    else { return nil }
    if twins.count >= settings.limitConnections { twins.removeAll() }
    twins.insert(peer)
    return newer
  }

  private func endRivalry(_ older: Connection) -> Connection? {
    defer { older.rival = nil }
    return older.rival.flatMap { $0.connection.isThere ? $0.connection : nil }
  }

  // MARK: - Time

  /// When `advance` has something to do; `nil` for never.
  var deadline: UInt64? {
    func earlier(_ a: UInt64?, _ b: UInt64?) -> UInt64? { a.map { min($0, b ?? $0) } ?? b }
    return all.reduce(lingering.map(\.deadline).min()) {
      earlier($0, earlier($1.link.deadline, $1.rival?.deadline))
    }
  }

  /// Time has passed.
  /// - Returns: those that are over: their links have ended, or they have not answered while a rival waits.
  mutating func advance(to now: UInt64) -> [Connection] {
    for item in lingering where item.deadline <= now { item.link.close(afterSending: false) }
    lingering.removeAll { $0.deadline <= now || $0.link.queuedBytes == 0 }
    return all.filter { connection in
      if let due = connection.link.deadline, due <= now { connection.link.advance(to: now) }
      if connection.link.ending != nil { return true }
      guard let rival = connection.rival, rival.deadline ?? now <= now else { return false }
      connection.rival = rival.connection.isThere ? (rival.connection, nil) : nil
      return rival.connection.isThere
    }
  }
}
