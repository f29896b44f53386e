internal import Gossip
internal import Peer

// Messages that come: short ones are read on the loop, the others by another thread.

extension NetworkPeer {
  /// Takes in a message at once, or when it was read.
  func take(_ message: [UInt8], of connection: Connection, _ neighbour: Neighbour) {
    if connections.reception.isReadAtOnce(message.count, of: connection, turn: loop.turns) {
      durable.commits.noteReceived(message.count)
      return durable.core.receive(message, from: neighbour, at: tick)
    }
    connections.reception.add(message, of: connection)
    connections.regulate(connection, at: now)
  }

  /// Has what waits be read, unless too much came that is not durable.
  func readWhatWaits() {
    guard failure == nil, !durable.commits.isBehind, let batch = connections.reception.nextBatch() else {
      return
    }
    let read = durable.core.reader
    Task {
      let messages = await Reception.read(batch, with: read)
      // One batch each time that the loop goes round, however quickly they are read.
      loop.nextTurn { self.takeIn(messages) }
    }
  }

  /// Takes in what was read, while the next batch is being read.
  private func takeIn(_ messages: [(message: ReadMessage, bytes: Int)]) {
    let senders = connections.reception.endBatch()
    for (_, bytes) in messages { durable.commits.noteReceived(bytes) }
    readWhatWaits()
    for (connection, (message, _)) in zip(senders, messages) {
      guard !connection.isDropped, let neighbour = connection.neighbour else { continue }
      durable.core.receive(message, from: neighbour, at: tick)
      connections.regulate(connection, at: now)
    }
    pumpSoon()
  }
}
