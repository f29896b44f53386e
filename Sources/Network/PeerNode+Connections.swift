internal import Channel
package import Events
package import Gossip
internal import Peer

// Streams and channels: how they come, open and end.

/// A connection as lists show it.
package struct ConnectionStatus: Hashable, Sendable {
  package let peer: PeerID
  package let remote: Address
  /// Whether this end made it.
  package let isOutgoing: Bool
}

/// An address that a node stays connected to, as lists show it.
package struct DialStatus: Hashable, Sendable {
  package let address: Address
  /// Who answered there last.
  package let peer: PeerID?
  package let isConnected: Bool
  /// Whether a connection is being made, or its other end is proving who it is.
  package let isConnecting: Bool
  /// Why it is not, in words.
  package let failure: String?
}

extension PeerNode {
  /// The peers that this one is connected with, in the order in which they came.
  package var peers: [ConnectionStatus] {
    connections.compactMap { connection in
      connection.peer.map {
        ConnectionStatus(
          peer: $0, remote: connection.stream.remote, isOutgoing: connection.role == .initiator)
      }
    }
  }

  /// Both of the above, of one moment.
  package var neighbourhood: (peers: [ConnectionStatus], addresses: [DialStatus]) { (peers, addresses) }

  /// Whether a peer that is connected was last found to hold all that both may share.
  package func isEqual(with peer: PeerID) -> Bool {
    guard let neighbour = connections.first(where: { $0.peer == peer })?.neighbour else { return false }
    return core.isEqual(with: neighbour)
  }

  /// How many connections there are whose other end has not proven who it is.
  package var greetings: Int { connections.count { $0.peer == nil } }

  /// The addresses that this one connects to.
  package var addresses: [DialStatus] {
    dials.map { dial in
      let isConnected = dial.peer != nil && connections.contains { $0.peer == dial.peer }
      let isGreeting = connections.contains { $0.dial === dial && $0.peer == nil }
      return DialStatus(
        address: dial.address, peer: dial.peer, isConnected: isConnected,
        isConnecting: !isConnected && (dial.attempt != nil || isGreeting),
        failure: isConnected ? nil : dial.failure)
    }
  }

  /// Why this end refused last what came from an address that it connects to.
  package func refusal(at address: Address) -> Refusal? {
    dials.first { $0.address == address }?.refusal
  }

  // MARK: - Coming

  /// Takes a connection that somebody made.
  func accept(_ stream: any ByteStream) {
    makeRoomForGreeting()
    begin(stream, .responder, nil)
  }

  /// Where too many have not proven who they are, ends the oldest one of the host that has most of them: a host
  /// that opens many crowds out its own.
  private func makeRoomForGreeting() {
    let waiting = connections.filter { $0.peer == nil && $0.role == .responder }
    guard waiting.count >= settings.limitGreetings else { return }
    var counts: [String: Int] = [:]
    for connection in waiting { counts[connection.stream.remote.host, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    if let victim = waiting.first(where: { counts[$0.stream.remote.host] == most }) { drop(victim) }
  }

  private func begin(_ stream: any ByteStream, _ role: Role, _ dial: Dial?) {
    guard !isStopped, failure == nil else { return stream.close(afterWriting: false) }
    let channel = Channel(role, credentials, wanted: dial?.wanted, settings: settings.channel, at: now)
    let connection = Connection(stream, role, dial, channel, at: now)
    connections.append(connection)
    noteDeadline(of: connection)
    stream.start { [weak connection] event in
      if let connection, !connection.isDropped { self.take(event, connection) }
    }
    if !isReading { setReading(false, connection) }
    pump()
  }

  private func take(_ event: StreamEvent, _ connection: Connection) {
    switch event {
    case .received(let bytes): receive(bytes, connection)
    case .drained: break
    case .ended:
      connection.channel.endOfStream()
      drop(connection)
    }
    pump()
  }

  private func receive(_ bytes: [UInt8], _ connection: Connection) {
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try connection.channel.receive(bytes, at: now) } catch {}
    if connection.rival != nil, connection.channel.closing == nil { endRivalry(connection, isAlive: true) }
    if case .ended(.twin, byOther: true) = connection.channel.closing { noteTwin(by: connection) }
    let messages = connection.channel.takeInbox()
    if case .open(let peer) = connection.channel.state, connection.peer == nil, connection.claimed == nil {
      open(connection, peer)
    }
    if connection.neighbour != nil { takeTold(by: connection) }
    if let neighbour = connection.neighbour {
      for message in messages {
        uncommittedBytes += message.count
        core.receive(message, from: neighbour, at: tick)
      }
    }
    if connection.channel.closing != nil { drop(connection) } else { noteDeadline(of: connection) }
    readOrWait()
  }

  // MARK: - Opening

  /// The other end has proven who it is.
  private func open(_ connection: Connection, _ peer: PeerID) {
    guard peer != self.peer else { return meetTwin(connection) }
    connection.dial?.peer = peer
    if let older = connections.first(where: { $0.peer == peer }) {
      guard older.channel.otherKey == connection.channel.otherKey else {
        return begin(rivalry: older, with: connection, peer)
      }
      guard replaces(connection, older, peer) else { return connection.channel.end(.doubled) }
      older.channel.end(.doubled)
      drop(older)
    }
    guard neighbours.count < settings.limitConnections, lastNumber < .max else {
      return connection.channel.end(.busy)
    }
    guard mayShare() else { return connection.channel.end(.leaving) }
    lastNumber += 1
    let neighbour = Neighbour(lastNumber)
    neighbours[neighbour] = connection
    connection.neighbour = neighbour
    connection.peer = peer
    connection.dial?.isConnected = true
    connection.dial?.failure = nil
    connection.dial?.failures = 0
    core.connect(neighbour, as: peer, isNearby: connection.stream.remote.isNearby, at: tick)
    tellOfPeers(connection)
  }

  /// Which of two connections with one peer stays; both ends decide alike. Who made both knows that the older one
  /// is lost; where each made one, that of the lower key stays.
  private func replaces(_ newer: Connection, _ older: Connection, _ peer: PeerID) -> Bool {
    if newer.role == older.role { return true }
    return (newer.role == .initiator) == (credentials.signer.peer < peer)
  }

  // MARK: - Processes of one key

  /// The other end is another process with this peer's key: both are told.
  private func meetTwin(_ connection: Connection) {
    core.noteTwin(by: peer, at: tick)
    connection.channel.end(.twin)
  }

  /// A peer has heard of another process with this one's key.
  private func noteTwin(by connection: Connection) {
    // The word may come with the end of the handshake.
    guard let teller = connection.channel.otherPeer else { return }
    core.noteTwin(by: teller, at: tick)
  }

  /// Another process of a peer comes while one is connected: the older one may be gone, so it is asked first. A
  /// peer of which two were here before is kept as it is.
  private func begin(rivalry older: Connection, with newer: Connection, _ peer: PeerID) {
    newer.claimed = peer
    guard !twins.contains(peer), older.rival == nil else { return newer.channel.end(.twin) }
    older.rival = newer
    older.rivalDeadline = now + settings.rivalMilliseconds
    older.channel.probe(at: now)
  }

  /// The process that was connected first has answered, or has not in time.
  func endRivalry(_ older: Connection, isAlive: Bool) {
    guard let newer = older.rival, let peer = older.peer else { return }
    older.rival = nil
    older.rivalDeadline = .max
    guard !newer.isDropped, newer.channel.closing == nil else { return }
    guard isAlive else {
      drop(older)
      return open(newer, peer)
    }
    if twins.count >= settings.limitConnections { twins.removeAll() }
    twins.insert(peer)
    for connection in [older, newer] {
      connection.channel.end(.twin)
      drop(connection)
    }
  }

  // MARK: - Ending

  /// Forgets a connection; what its channel has to say goes out if it can.
  func drop(_ connection: Connection) {
    guard !connection.isDropped else { return }
    connection.isDropped = true
    connections.removeAll { $0 === connection }
    connection.channel.endOfStream()
    if let neighbour = connection.neighbour {
      neighbours[neighbour] = nil
      core.disconnect(neighbour, at: tick)
    }
    let last = connection.channel.takeOutbox()
    let stream = connection.stream
    if !last.isEmpty { stream.write(last) }
    stream.close(afterWriting: true)
    if stream.queuedBytes > 0 { lingering.append((stream, now + settings.lingerMilliseconds)) }
    if let dial = connection.dial { retry(dial, after: connection) }
    if let rival = connection.rival, let peer = connection.peer {
      connection.rival = nil
      if !rival.isDropped, rival.channel.closing == nil { open(rival, peer) }
    }
    // Who waited because of this connection tries again itself.
    for dial in dials where dial.expected == connection.peer && dial.expected != nil && dial.due == nil {
      if dial.attempt == nil, !dial.isConnected { dial.due = now + dial.backoff.pause(&random) }
    }
  }

  // MARK: - Backpressure

  /// Reads no more while too much of what came is not durable.
  func readOrWait() {
    let isOver = uncommittedBytes > settings.limitUncommittedBytes && (isCommitting || !dirty.isEmpty)
    guard isOver == isReading else { return }
    isReading = !isOver
    for connection in connections { setReading(isReading, connection) }
  }

  private func setReading(_ isReading: Bool, _ connection: Connection) {
    connection.stream.setReading(isReading)
    connection.channel.setReading(isReading, at: now)
    noteDeadline(of: connection)
  }

  // MARK: - Dialing

  func advance(_ dial: Dial, at now: UInt64) {
    if let attempt = dial.attempt, now >= dial.attemptDeadline {
      attempt.cancel()
      dial.attempt = nil
      fail(dial, NetworkError.noAnswer(dial.address).description)
    }
    guard let due = dial.due, due <= now else { return }
    dial.due = nil
    // Somebody who is connected otherwise needs no second connection; `drop` brings this back.
    if let peer = dial.expected, connections.contains(where: { $0.peer == peer }) { return }
    dial.attemptDeadline = now + settings.connectMilliseconds
    dial.attempt = transport(for: dial.address).connect(to: dial.address) { result in
      self.connected(dial, result)
    }
  }

  private func connected(_ dial: Dial, _ result: Result<any ByteStream, NetworkError>) {
    dial.attempt = nil
    switch result {
    case .success(let stream): begin(stream, .initiator, dial)
    case .failure(let error):
      fail(dial, error.description)
      pump()
    }
  }

  private func fail(_ dial: Dial, _ words: String) {
    dial.failure = words
    guard failure == nil else { return }
    dial.failures += 1
    if dial.isTold, dial.failures >= settings.limitToldFailures { return dials.removeAll { $0 === dial } }
    dial.due = now + dial.backoff.pause(&random)
  }

  /// Tries again later, soon where the connection had held.
  private func retry(_ dial: Dial, after connection: Connection) {
    dial.isConnected = false
    guard !isStopped, failure == nil else { return }
    let reason = connection.channel.closing
    if connection.peer != nil, now >= connection.began + settings.steadyMilliseconds { dial.backoff.reset() }
    switch reason {
    case .oneself:
      // There is nothing to be had at this address.
      dial.failure = reason?.description
      if dial.isTold { dials.removeAll { $0 === dial } }
      return
    case .version, .otherNetwork, .keyedAlone, .otherPeer, .notParlor, .ended(.twin, _):
      dial.backoff.slowDown()
    case .ended(.refused, byOther: false): return fail(dial, dial.failure ?? "it was refused")
    default: break
    }
    fail(dial, reason?.description ?? "the connection ended")
  }
}
