internal import EventLog
internal import Events
internal import Gossip
internal import Network
internal import Peer

/// Writes into rooms as the peers whose keys this process has, but not where another command on the data folder is at
/// work: two that write with one key would contradict each other.
final class RoomWriter {
  private let rooms: Rooms
  private let signer: SigningKey
  private let shell: Shell
  /// Milliseconds since 1970.
  private let now: @Sendable () -> UInt64
  /// Milliseconds of a clock that only goes forward.
  private let elapsed: @Sendable () -> UInt64
  /// Rooms that are reserved for another command, by its number: this process does nothing there.
  private var reservations: [RoomID: Int] = [:]

  init(
    _ rooms: Rooms, _ signer: SigningKey, _ shell: Shell, now: @escaping @Sendable () -> UInt64,
    elapsed: @escaping @Sendable () -> UInt64
  ) {
    self.rooms = rooms
    self.signer = signer
    self.shell = shell
    self.now = now
    self.elapsed = elapsed
  }

  // MARK: - What this process writes

  /// How long a person waits for others to say how far this peer's own feeds go.
  private static let limitRecoveryMilliseconds: UInt64 = 60_000

  private static let noKey = "this process has no key for that peer"

  /// Does what somebody wants in a room, or in a new one.
  /// - Returns: the room that it was done in.
  nonisolated(nonsending) func perform(
    _ intent: Intent, as author: PeerID
  ) async throws(ServiceError) -> RoomID {
    let nonce = nonce(for: intent)
    // A room that is over is not kept in memory.
    return try await rooms.withOpen(intent.rooms) { () async throws(ServiceError) in
      if let room = intent.room {
        try checkReservation(room, by: nil)
        let refusal = await rooms.networkPeer.read { core in
          core.keys.number(of: author).map { intent.refusal(in: &core, by: $0) } ?? Self.noKey
        }
        if let refusal { throw .refused(refusal) }
      }
      return try await write(intent, nonce: nonce, as: author)
    }
  }

  nonisolated(nonsending) private func write(
    _ intent: Intent, nonce: [UInt8], as author: PeerID
  ) async throws(ServiceError) -> RoomID {
    let end = shell.loop.now + Self.limitRecoveryMilliseconds
    var pulses: Changes.AsyncIterator?
    while true {
      let now = elapsed()
      do throws(PeerError) {
        return try await rooms.networkPeer.write { core throws(PeerError) in
          guard let member = core.keys.number(of: author) else { throw .notAllowed(Self.noKey) }
          return try intent.perform(in: &core, nonce: nonce, by: member, at: now)
        }
      } catch {
        guard error == .recovering, shell.loop.now < end else { throw .peer(error) }
        if pulses == nil { pulses = await rooms.networkPeer.changes().makeAsyncIterator() }
        guard await pulses?.next(isolation: #isolation) != nil else { throw .peer(error) }
      }
    }
  }

  /// What tells a new room from all others that this peer makes: random bytes, because a clock may go back.
  private func nonce(for intent: Intent) -> [UInt8] {
    let words = intent.room == nil ? "room \(now()) \(shell.random())" : ""
    return Array(signer.derivedSeed(name: "nonce:" + words).prefix(16))
  }

  /// Takes an event that its author has signed itself; it is durable when this returns.
  nonisolated(nonsending) func take(
    _ event: Event, _ signature: Signature
  ) async throws(ServiceError) {
    let room = event.room
    try await rooms.withOpen([room]) { () async throws(ServiceError) in
      try checkReservation(room, by: nil)
      do throws(PeerError) {
        _ = try await rooms.networkPeer.write { core throws(PeerError) in
          try core.take(event, signature, ofAuthorIn: room)
          return room
        }
      } catch { throw .peer(error) }
    }
  }

  // MARK: - What commands write

  /// Whether a room is reserved for a command.
  func isReserved(_ room: RoomID) -> Bool { reservations[room] != nil }

  /// Throws where a room is reserved, but for this command.
  func checkReservation(_ room: RoomID, by command: Int?) throws(ServiceError) {
    guard let holder = reservations[room], holder != command else { return }
    throw .busy(
      "another command on this data folder is at work in the room \(room.short); try again when that has ended"
    )
  }

  /// Reserves a room for a command until that ends. What this process has written there is durable when it returns.
  nonisolated(nonsending) func reserve(_ room: RoomID, for command: Int) async throws(ServiceError) {
    try await rooms.withOpen([room]) { () async throws(ServiceError) in
      try checkReservation(room, by: command)
      if let refusal = await rooms.networkPeer.read({ $0.writingRefusal(in: room) }) { throw .peer(refusal) }
      reservations[room] = command
    }
    do throws(PeerError) { try await rooms.networkPeer.flush() } catch { throw .peer(error) }
  }

  /// The rooms that are reserved for a command, ascending.
  func rooms(reservedFor command: Int) -> [RoomID] {
    reservations.filter { $0.value == command }.keys.sorted()
  }

  /// A room is this process's again.
  func release(_ room: RoomID) { reservations[room] = nil }

  /// Takes events that a command has made, in a room that is new or reserved for it.
  /// - Parameter isLast: whether to return when everything so far is durable.
  nonisolated(nonsending) func adopt(
    _ message: RunsMessage, isLast: Bool, from command: Int
  ) async throws(ServiceError) -> RoomID {
    let (room, networkPeer) = (message.room, rooms.networkPeer)
    return try await rooms.withOpen([room]) { () async throws(ServiceError) in
      try checkReservation(room, by: command)
      let isMade = reservations[room] == nil
      if isMade {
        guard await networkPeer.read({ $0.log(of: room) == nil }) else {
          throw .refused("the room \(room.short) is not this command's")
        }
        reservations[room] = command
      }
      do throws(PeerError) {
        if isLast {
          return try await networkPeer.write { core throws(PeerError) in
            try core.adopt(message, isMade: isMade, isLast: true)
            return room
          }
        }
        try await networkPeer.update { core throws(PeerError) in
          try core.adopt(message, isMade: isMade, isLast: false)
          return [room]
        }
        return room
      } catch { throw .peer(error) }
    }
  }
}
