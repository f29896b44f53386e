import Events
import Gossip

/// Who may have which room, as somebody knows who sees everything (Docs/PROTOCOL.md §1.6): what honest peers say is
/// held against it.
struct PrivacyCheck: Sendable {
  /// A room that not everybody may have.
  private struct Room: Sendable {
    let id: RoomID
    let scope: Scope
    /// Of an invited room: who may have it.
    var admitted: Set<PeerID>
  }

  private var rooms: [Room] = []

  /// Whether there is anything to keep from anybody.
  var isNeeded: Bool { !rooms.isEmpty }

  /// Notes a room that is created.
  mutating func add(_ room: RoomID, _ create: Create, by creator: PeerID) {
    guard create.scope != .open else { return }
    rooms.append(Room(id: room, scope: create.scope, admitted: [creator, create.referee]))
  }

  /// Notes that the creator has invited somebody.
  mutating func admit(_ peer: PeerID, to room: RoomID) {
    guard let at = rooms.firstIndex(where: { $0.id == room }) else { return }
    rooms[at].admitted.insert(peer)
  }

  /// Whether a peer may have a room, from somebody near or far.
  func mayHave(_ room: RoomID, _ peer: PeerID, isNearby: Bool) -> Bool {
    guard let room = rooms.first(where: { $0.id == room }) else { return true }
    return mayHave(room, peer, isNearby: isNearby)
  }

  private func mayHave(_ room: Room, _ peer: PeerID, isNearby: Bool) -> Bool {
    room.scope == .invited ? room.admitted.contains(peer) : isNearby
  }

  /// What a message tells its receiver of a room that it may not have; `nil` for nothing. Requests tell nothing: they
  /// name what the other has named. Who wants some rooms alone names them, and cannot know who may have those that it
  /// does not have yet.
  func leak(in bytes: [UInt8], to peer: PeerID, isNearby: Bool) -> String? {
    let secret = rooms.filter { !mayHave($0, peer, isNearby: isNearby) }
    guard !secret.isEmpty, let told = Told(bytes) else { return nil }
    for room in secret {
      if told.rooms.contains(room.id) {
        return "\(told.kind) of room \(room.id.short)"
      }
      // The first half of a key is the room's.
      if told.keys.contains(where: { $0 >> 32 == room.id.bytes.prefix64 >> 32 }) {
        return "the key of a feed of room \(room.id.short), in \(told.kind)"
      }
    }
    return nil
  }
}

/// Which rooms and feeds a message names.
private struct Told {
  var kind = ""
  var rooms: [RoomID] = []
  var keys: [UInt64] = []

  /// The first byte of a message of events, behind which the room stands (Docs/PROTOCOL.md §7.3).
  private static let runs: UInt8 = 6

  /// Reads what is needed of a message: of events only which room they are of.
  init?(_ bytes: [UInt8]) {
    if bytes.first == Self.runs, bytes.count > 32 {
      kind = "events"
      rooms = [RoomID(Bytes32(bytes, at: 1))]
      return
    }
    do throws(FormatError) {
      read(try Message(decoding: bytes, hasher: EventHasher(network: .standard)))
    } catch {
      return nil
    }
  }

  private mutating func read(_ message: Message) {
    switch message {
    case .have(let announcement):
      kind = "an announcement"
      keys = announcement.entries.map(\.key)
    case .parts(_, let contents):
      kind = "an answer"
      for case .feeds(let entries) in contents { keys += entries.map(\.key) }
    case .runs(let message): rooms = [message.room]
    case .next(let next):
      kind = "an event"
      keys = [next.key]
    case .digest, .ask, .want, .fetch, .push, .interest: break
    }
  }
}
