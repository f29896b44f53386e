package import Events
internal import Gossip
package import Network
internal import Peer
package import Projection

// Guests: people behind sockets, each a peer of its own whose key this process keeps.

extension PeerService {
  /// The loop that this peer lives on.
  package nonisolated var loop: EventLoop { networkPeer.loop }

  /// The owner's key, from which those of guests are derived.
  package nonisolated var ownerKey: SigningKey { signer }

  /// Takes in a guest, whose key acts from now on.
  /// - Parameters:
  ///   - isPerson: whether it decides about take-backs and draws itself; else it does as bots do.
  ///   - address: where its client is, in numbers.
  package func admit(_ key: SigningKey, isPerson: Bool = false, from address: String? = nil) async {
    let source = address.flatMap { Address(host: $0, port: 0).sourceElsewhere }
    guests.admit(key.peer, isPerson: isPerson, from: source)
    await networkPeer.admit(key)
  }

  /// Lets go of a guest, after what it wrote is durable.
  package func dismiss(_ guest: PeerID) async throws(ServiceError) {
    do throws(PeerError) { try await networkPeer.flush() } catch { throw .peer(error) }
    guests.dismiss(guest)
    await networkPeer.dismiss(guest)
  }

  /// What the rooms amount to that are under way, ascending by id.
  package func roomsUnderWay() async -> [RoomState] {
    await networkPeer.read { core in
      core.openRooms.sorted().compactMap { core.state(of: $0) }.filter { Steward.isUnderWay($0) }
    }
  }

  /// Whether a room that is under way was created by a guest, or has a seat or a place in a row for one.
  package func isNeeded(_ guest: PeerID) async -> Bool {
    await networkPeer.read { core in
      core.openRooms.contains { room in
        core.state(of: room).map { Steward.isUnderWay($0) && $0.concerns(guest) } ?? false
      }
    }
  }

  /// What the rooms of the owner amount to that are under way and where it keeps no seat itself.
  package func roomsForGuests() async -> [RoomState] {
    await networkPeer.read { core in
      core.openRooms.compactMap { room in
        guard let state = core.state(of: room), state.creator == core.id, state.isForGuests else {
          return nil
        }
        return Steward.isUnderWay(state) ? state : nil
      }
    }
  }

  /// What a room amounts to, and how many events it has, where all of them are durable; `nil` while they are not. A
  /// room that is not in memory is over, and has no number.
  package func durableState(
    of room: RoomID
  ) async throws(ServiceError) -> (state: RoomState, events: Int?)? {
    let found = await networkPeer.read { core -> (state: RoomState?, events: Int)? in
      guard core.log(of: room) != nil else { return nil }
      return (core.isDurable(room) ? core.state(of: room) : nil, core.gossip.durable(room))
    }
    if let found { return found.state.map { ($0, found.events) } }
    return try await state(of: room).map { ($0, nil) }
  }

  /// How many events of each room are here, where all of them are durable; `nil` for a room that is not in memory, or
  /// not durable as it is.
  package func durableEvents(of rooms: [RoomID]) async -> [Int?] {
    await networkPeer.read { core in
      rooms.map { core.isDurable($0) ? core.gossip.durable($0) : nil }
    }
  }
}

extension RoomState {
  /// Whether a peer has created the room, has a seat in it or asks for one, or is invited.
  package func concerns(_ peer: PeerID) -> Bool {
    creator == peer || seat(of: peer) != nil || openRequests.contains { $0.peer == peer }
      || invited.contains(peer) || hosted?.player(peer) != nil
      || hosted.map { $0.requests.contains { $0.peer == peer } } ?? false
  }

  /// Whether the creator leaves all seats to others, as in the rooms of guests.
  fileprivate var isForGuests: Bool {
    guard isCasual, case .games = create.purpose else { return false }
    return create.creatorSeat == Create.noSeat
  }
}
