internal import EventLog
package import Events
internal import Network
internal import Peer

// Peers behind sockets that hold their own keys: what they write is checked like what any neighbour sends.

extension PeerService {
  /// The network whose id goes into the ids of events.
  package nonisolated var networkID: NetworkID { store.network }

  /// Why a peer that shows a key of its own over a socket is not heard, in words; `nil` where it is.
  package func refusal(ofOwnKey other: PeerID) async -> String? {
    if duties.blocked.peers.contains(other) { return "this server does not hear that peer" }
    let isHere = await networkPeer.read { $0.keys.number(of: other) != nil }
    return isHere ? "that key is one of this process's own, which nobody else may use" : nil
  }

  /// Takes an event that a peer has written and signed itself; it is durable when this returns.
  /// - Parameters:
  ///   - body: the event in its canonical bytes.
  ///   - author: whose key the socket has shown.
  /// - Returns: the event's id.
  package func take(
    _ body: [UInt8], _ signature: Signature, of author: PeerID, in room: RoomID
  ) async throws(ServiceError) -> EventID {
    guard !isClosed else { throw .gone("it stops") }
    let event: Event
    do throws(FormatError) { event = try Event(body: body, hasher: EventHasher(network: networkID)) } catch {
      throw .refused("that is no event: \(error)")
    }
    guard event.author == author else { throw .refused("that event is another peer's than this socket's") }
    guard event.room == room else { throw .refused("that event is of another room than the request") }
    try await writer.take(event, signature)
    // Whoever asks next sees what the others of this process did upon it.
    await settle()
    return event.id
  }
}
