internal import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer
package import Projection
internal import Rules

// Rooms: what they amount to, and what is done in them.

extension PeerService {
  package func state(of room: RoomID) async throws(ServiceError) -> RoomState? {
    try await rooms.state(of: room)
  }

  package func openGames() async -> [RoomID] {
    let connected = watched.neighbourhood.peers
    let here = Set(connected + [peer]).union(presence.guests.people)
    let keepers = Set(connected.map(\.short))
    let listed = listed.withSeats.sorted()
    return await networkPeer.read { core in
      listed.filter { room in
        guard let state = core.state(of: room) else { return false }
        return here.contains(state.creator)
          || GuestName(state.create.profile.name).map { keepers.contains($0.keeper) } ?? false
      }
    }
  }

  package func perform(_ intent: Intent) async throws(ServiceError) -> RoomID {
    try await perform(intent, of: HostAttendance.process)
  }

  /// Does something for a command; whoever opens a table sits at it.
  func perform(_ intent: Intent, of command: Int) async throws(ServiceError) -> RoomID {
    let room = try await perform(intent, as: peer)
    switch intent {
    case .create, .host: try await attend(room, for: command)
    default: break
    }
    return room
  }

  /// Does something as one of the peers whose keys this process has.
  package func perform(_ intent: Intent, as author: PeerID) async throws(ServiceError) -> RoomID {
    guard !isClosed else { throw .gone("it stops") }
    if case .connect(let address) = intent {
      await found(address)
      return .none
    }
    if case .want(let name) = intent {
      guard let prefix = RoomPrefix(GameCode.digits(of: name) ?? name) else {
        throw .refused("no room is named \(name)")
      }
      await networkPeer.ask(for: prefix)
      return .none
    }
    if case .block(let other, let isBlocked) = intent {
      try await block(other, isBlocked)
      return .none
    }
    let words = nonceWords(intent)
    let nonce = Array(signer.derivedSeed(name: "nonce:" + words).prefix(16))
    // A room that is over is not kept in memory.
    let room = try await rooms.withOpen(intent.rooms) { () async throws(ServiceError) in
      if let room = intent.room {
        try checkReservation(room, by: nil)
        let refusal = await networkPeer.read { core in
          core.member(author).map { core.refusal(of: intent, by: $0) } ?? Self.noKey
        }
        if let refusal { throw .refused(refusal) }
      }
      return try await write(intent, nonce: nonce, as: author)
    }
    // Whoever asks next sees what was done.
    await settle()
    return room
  }

  /// How long a person waits for others to say how far this peer's own feeds go.
  private static let limitRecoveryMilliseconds: UInt64 = 60_000

  private static let noKey = "this process has no key for that peer"

  private func write(
    _ intent: Intent, nonce: [UInt8], as author: PeerID
  ) async throws(ServiceError) -> RoomID {
    let end = loop.now + Self.limitRecoveryMilliseconds
    var pulses: Changes.AsyncIterator?
    while true {
      let now = elapsed()
      do throws(PeerError) {
        return try await networkPeer.write { core throws(PeerError) in
          guard let member = core.member(author) else { throw .notAllowed(Self.noKey) }
          return try core.perform(intent, nonce: nonce, by: member, at: now)
        }
      } catch {
        guard error == .recovering, loop.now < end else { throw .peer(error) }
        if pulses == nil { pulses = await networkPeer.changes().makeAsyncIterator() }
        guard await pulses?.next(isolation: #isolation) != nil else { throw .peer(error) }
      }
    }
  }

  /// What tells a new room from all others that this peer makes: random bytes, because a clock may go back.
  private func nonceWords(_ intent: Intent) -> String {
    guard intent.room == nil else { return "" }
    return "room \(now()) \(shell.random())"
  }
}
