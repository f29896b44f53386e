internal import EventLog
package import Events
package import Peer

// Rooms that are forgotten.

extension NetworkPeer {
  /// Which rooms are forgotten, of those that are named.
  package enum Forgetting: Sendable {
    /// All of them.
    case all
    /// Those into which nobody on this machine has written.
    case strangers
  }

  /// How many rooms are taken out of memory and store together.
  private static let limitForgetting = 256

  /// Forgets rooms: nothing of them is stored or offered any more when it returns, and they are not taken in again
  /// until somebody here asks for them. Rooms that are not here are passed over.
  /// - Returns: those that were forgotten.
  @discardableResult
  package func forget(
    _ rooms: [RoomID], _ which: Forgetting = .all
  ) async throws(PeerError) -> [RoomID] {
    var gone: [RoomID] = []
    for start in stride(from: 0, to: rooms.count, by: Self.limitForgetting) {
      gone += try await forgetSome(Array(rooms[start...].prefix(Self.limitForgetting)), which)
    }
    return gone
  }

  private func forgetSome(_ rooms: [RoomID], _ which: Forgetting) async throws(PeerError) -> [RoomID] {
    if let failure { throw failure }
    guard !isStopped else { return [] }
    hold(rooms)
    defer { letGo(rooms) }
    for room in rooms {
      do throws(LogError) { try await open(room) } catch {
        switch (error, which) {
        case (.unknownRoom, _): break
        // It stays, and is counted no more: the others would stay for it.
        case (.corrupt, .strangers): break
        default: throw .log(error.description)
        }
      }
    }
    // A commit that is under way would find the room gone.
    while rooms.contains(where: {
      durable.commits.holds($0) || !durable.core.isDurable($0) && durable.core.log(of: $0) != nil
    }) {
      if let failure { throw failure }
      guard !isStopped else { return [] }
      try await awaitCommit(since: durable.commits.reversions)
    }
    var (forgotten, logs): ([ForgottenRoom], [RoomLog]) = ([], [])
    for room in rooms where !forgotten.contains(where: { $0.room == room }) {
      if case .strangers = which, !durable.core.isOfStrangers(room) { continue }
      guard let log = durable.core.log(of: room), let room = durable.core.forgotten(room) else { continue }
      forgotten.append(room)
      logs.append(log)
    }
    guard !forgotten.isEmpty else { return [] }
    durable.core.forget(forgotten, at: tick)
    for room in forgotten { durable.touched.add(room.room) }
    do throws(LogError) { try await committer.forget(forgotten) } catch {
      throw keep(logs, error)
    }
    for room in forgotten { durable.strangers.remove(room.room) }
    pump()
    return forgotten.map(\.room)
  }

  /// The store did not forget what was to be forgotten: without space for that, all of it is here as before.
  /// - Returns: what whoever wanted that is told.
  private func keep(_ logs: [RoomLog], _ error: LogError) -> PeerError {
    guard case .full(let words) = error else {
      fail(.log(error.description), [])
      return .log(error.description)
    }
    durable.pauseWriting(words, at: now)
    durable.takeBackForgetting(logs, at: tick)
    pump()
    return .full(words)
  }
}
