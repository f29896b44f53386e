internal import Gossip

/// Messages that came and are read away from the loop: those that are long, those that are more than the loop reads
/// itself each time that it goes round, and what came behind them.
///
/// Connections are served in turns, in messages, and one batch is read at a time: whoever sends much keeps itself
/// waiting, and never more than one thread at work.
struct Reception {
  private struct Queue {
    let connection: Connection
    /// Those at the front are taken without moving the others.
    var messages: ArraySlice<[UInt8]> = []
    /// What they count for.
    var bytes = 0
  }

  /// What is longer is not read on the loop.
  static let limitShortBytes = 1_024
  /// How much is read on the loop each time that it goes round.
  static let limitTurnBytes = 16_384
  /// How much is read together: a message more than so many bytes, and no more than so many messages.
  static let limitBatch = (messages: 64, bytes: 131_072)
  /// How many bytes of all connections may wait before those that have their share of them are not read from.
  private static let limitBytes = 32 << 20
  /// What a message counts for besides its bytes.
  private static let messageBytes = 64
  private static let limitShares = (lowest: 16_384, highest: 262_144)

  private var queues: [UInt64: Queue] = [:]
  /// The connections of which something waits, the next one first.
  private var turns: [UInt64] = []
  /// Whose messages are being read.
  private var batch: [Connection]?
  /// What was read on the loop since it went round last.
  private var turn = (number: 0, bytes: 0)

  /// Whether something of a connection is not taken in yet.
  func holds(_ connection: Connection) -> Bool {
    queues[connection.number] != nil || batch?.contains { $0 === connection } ?? false
  }

  /// Whether the loop reads a message itself.
  mutating func isReadAtOnce(_ bytes: Int, of connection: Connection, turn number: Int) -> Bool {
    if turn.number != number { turn = (number, 0) }
    guard bytes <= Self.limitShortBytes, turn.bytes + bytes <= Self.limitTurnBytes, !holds(connection) else {
      return false
    }
    turn.bytes += bytes
    return true
  }

  /// Lets a message wait.
  mutating func add(_ message: [UInt8], of connection: Connection) {
    if queues[connection.number] == nil {
      queues[connection.number] = Queue(connection: connection)
      turns.append(connection.number)
    }
    queues[connection.number]?.messages.append(message)
    queues[connection.number]?.bytes += message.count + Self.messageBytes
  }

  /// Whether a connection has its share of what may wait.
  /// - Parameter connections: how many there are.
  func isSated(_ connection: Connection, of connections: Int) -> Bool {
    let share = Self.limitBytes / max(connections, 1)
    let limit = min(max(share, Self.limitShares.lowest), Self.limitShares.highest)
    return queues[connection.number]?.bytes ?? 0 >= limit
  }

  /// Nothing of a connection is wanted any more.
  mutating func forget(_ connection: Connection) {
    guard queues.removeValue(forKey: connection.number) != nil else { return }
    turns.removeAll { $0 == connection.number }
  }

  /// Takes what is to be read next; `nil` while a batch is being read, and where nothing waits.
  mutating func nextBatch() -> [[UInt8]]? {
    guard batch == nil, !turns.isEmpty else { return nil }
    var (messages, connections, bytes) = ([[UInt8]](), [Connection](), 0)
    while let number = turns.first, messages.count < Self.limitBatch.messages, bytes < Self.limitBatch.bytes {
      turns.removeFirst()
      guard var queue = queues.removeValue(forKey: number) else { continue }
      let message = queue.messages.removeFirst()
      queue.bytes -= message.count + Self.messageBytes
      bytes += message.count
      messages.append(message)
      connections.append(queue.connection)
      guard !queue.messages.isEmpty else { continue }
      queues[number] = queue
      turns.append(number)
    }
    batch = connections
    return messages
  }

  /// Reads a batch on another thread.
  @concurrent static func read(
    _ batch: [[UInt8]], with read: @Sendable ([UInt8]) -> ReadMessage
  ) async -> [(message: ReadMessage, bytes: Int)] {
    batch.map { (read($0), $0.count) }
  }

  /// The batch was read.
  /// - Returns: whose messages they were, in that order.
  mutating func endBatch() -> [Connection] {
    defer { batch = nil }
    return batch ?? []
  }
}
