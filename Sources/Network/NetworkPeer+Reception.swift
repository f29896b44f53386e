internal import Gossip
internal import Peer

// Messages that come: short ones are read on the loop, the others by another thread.

extension NetworkPeer {
  /// Takes in a message at once, or when it was read.
  func take(_ message: [UInt8], of connection: Connection, _ neighbour: Neighbour) {
    if reception.isReadAtOnce(message.count, of: connection, turn: loop.turns) {
      commits.noteReceived(message.count)
      return core.receive(message, from: neighbour, at: tick)
    }
    reception.add(message, of: connection)
    regulate(connection)
  }

  /// Reads from a connection, unless as much of it waits as may.
  private func regulate(_ connection: Connection) {
    let isSated = reception.isSated(connection, of: connections.all.count)
    connections.setSated(isSated, connection, at: now)
  }

  /// Has what waits be read, unless too much came that is not durable.
  func readWhatWaits() {
    guard failure == nil, !commits.isBehind, let batch = reception.nextBatch() else { return }
    let read = core.reader
    Task {
      let messages = await Self.read(batch, with: read)
      // One batch each time that the loop goes round, however quickly they are read.
      loop.nextTurn { self.takeIn(messages) }
    }
  }

  @concurrent private static func read(
    _ batch: [[UInt8]], with read: @Sendable ([UInt8]) -> ReadMessage
  ) async -> [(message: ReadMessage, bytes: Int)] {
    batch.map { (read($0), $0.count) }
  }

  /// Takes in what was read, while the next batch is being read.
  private func takeIn(_ messages: [(message: ReadMessage, bytes: Int)]) {
    let senders = reception.endBatch()
    for (_, bytes) in messages { commits.noteReceived(bytes) }
    readWhatWaits()
    for (connection, (message, _)) in zip(senders, messages) {
      guard !connection.isDropped, let neighbour = connection.neighbour else { continue }
      core.receive(message, from: neighbour, at: tick)
      regulate(connection)
    }
    pumpSoon()
  }
}
