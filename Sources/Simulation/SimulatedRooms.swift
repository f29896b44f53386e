import EventLog
import Events
import Projection

/// A room of the simulation: what is planned, and the id once its creator has it safe.
struct SimulatedRoom: Sendable {
  let plan: RoomPlan
  /// The room's id, once its creation was acknowledged.
  fileprivate(set) var id: RoomID?
  /// In which life its creator tried to create it last, and the id that it would have.
  fileprivate(set) var attempt: (life: Int, id: RoomID)?
  /// When its creation was acknowledged.
  fileprivate(set) var createdAt: UInt64 = 0

  /// Whether a peer has to create it in one of its lives, again when a crash took it.
  func isDue(by peer: Int, in life: Int, at time: UInt64) -> Bool {
    plan.creator == peer && id == nil && plan.opensAt <= time && attempt?.life != life
  }
}

/// The rooms of a run: which are planned, which there are, and who may have them.
///
/// A room has an id once its creation is on its creator's disk, and whoever is invited may have it once that is.
struct SimulatedRooms: Sendable {
  private var rooms: [SimulatedRoom]
  /// Rooms that nobody planned: those of floods.
  private var strays: [RoomID] = []
  private var privacy = PrivacyCheck()
  /// The peers that keep to the protocol.
  private let honest: [Int]
  /// By peer: where it is; rooms of local scope do not travel between places.
  private let sites: [Int]

  init(_ plan: Plan) {
    rooms = plan.rooms.map { SimulatedRoom(plan: $0) }
    honest = plan.honest
    sites = plan.sites
  }

  var indices: Range<Int> { rooms.indices }
  var count: Int { rooms.count }
  /// The rooms that there are.
  var ids: [RoomID] { rooms.compactMap(\.id) }

  subscript(number: Int) -> SimulatedRoom { rooms[number] }

  /// The number of a room that has an id.
  func number(of room: RoomID) -> Int? { rooms.firstIndex { $0.id == room } }

  /// The number of a room that its creator has begun to create, safe or not.
  func number(ofAttempt room: RoomID, by creator: Int) -> Int? {
    rooms.firstIndex { $0.plan.creator == creator && $0.attempt?.id == room }
  }

  /// The number of the room of an attempt at a pairing.
  func number(ofAttempt attempt: UInt8, at pairing: UInt32, of tournament: RoomID) -> Int? {
    rooms.firstIndex { $0.plan.isAttempt(attempt, at: pairing, of: tournament) }
  }

  /// The number of the tournament whose pairing is played in a room of its organizer's.
  func tournament(of number: Int, by organizer: Int) -> Int? {
    guard case .pairing(let tournament, _, _, _, _) = rooms[number].plan.game,
      rooms[number].plan.creator == organizer
    else { return nil }
    return self.number(of: tournament)
  }

  /// The rooms that there are of which a peer is not meant to be a member.
  func ids(without peer: Int) -> [RoomID] {
    rooms.filter { !$0.plan.members.contains(peer) }.compactMap(\.id)
  }

  // MARK: - Creating

  /// Plans one more room.
  /// - Returns: its number.
  mutating func add(_ plan: RoomPlan) -> Int {
    rooms.append(SimulatedRoom(plan: plan))
    return rooms.count - 1
  }

  /// Notes a room that nobody planned.
  mutating func addStray(_ room: RoomID) { strays.append(room) }

  /// Notes that a creator has written a room's `create`.
  mutating func begin(_ number: Int, _ room: RoomID, _ create: Create, by creator: PeerID, in life: Int) {
    privacy.add(room, create, by: creator)
    rooms[number].attempt = (life, room)
  }

  /// Notes that a creation is safe.
  /// - Returns: the room's number, where that is new.
  mutating func acknowledge(_ room: RoomID, by creator: Int, at time: UInt64) -> Int? {
    guard let number = number(ofAttempt: room, by: creator), rooms[number].id == nil else { return nil }
    rooms[number].id = room
    rooms[number].createdAt = time
    return number
  }

  // MARK: - Who may have what

  /// Whether two peers are at one place, so that rooms of local scope may travel between them.
  func isNear(_ a: Int, _ b: Int) -> Bool { sites[a] == sites[b] }

  /// Whoever is invited may have the room from the moment at which the creator's disk has that.
  mutating func noteInvites(_ changes: [RoomChange], by creator: Int) {
    for change in changes {
      guard let number = number(of: change.room), rooms[number].plan.creator == creator else { continue }
      for case .invite(let guest) in change.entries.map(\.event.action) {
        privacy.admit(guest, to: change.room)
      }
    }
  }

  /// Whether a creator has somebody to invite yet, for which it looks at the room now and then.
  func invitesMore(_ room: RoomID, _ creator: Int, among peers: [SimulatedPeer]) -> Bool {
    guard let number = number(of: room), rooms[number].plan.creator == creator else { return false }
    return rooms[number].plan.guests.contains { !privacy.mayHave(room, peers[$0.peer].id, isNearby: true) }
  }

  /// Whether there is a room that not everybody may have.
  var hasSecrets: Bool { privacy.isNeeded }

  /// What a message to a peer tells it of rooms that it may not have; `nil` for nothing.
  func leak(in bytes: [UInt8], from peer: Int, to other: Int, among peers: [SimulatedPeer]) -> String? {
    privacy.leak(in: bytes, to: peers[other].id, isNearby: isNear(peer, other))
  }

  /// Whether an honest peer that has a room would show it to another.
  func mayShow(_ room: RoomID, _ peer: Int, to other: Int, among peers: inout [SimulatedPeer]) -> Bool {
    guard let number = number(of: room) else { return peers[peer].wants(room) }
    guard peers[peer].wants(room) else { return false }
    switch rooms[number].plan.scope {
    case .open: return true
    case .local: return isNear(peer, other)
    case .invited:
      return peers[peer].isUp && peers[peer].state(of: room)?.mayReplicate(peers[other].id) == true
    }
  }

  // MARK: - Who must be alike

  /// The peers of a room that can have it from each other.
  func circles(_ members: [Int], in number: Int) -> [[Int]] {
    guard rooms[number].plan.scope == .local else { return [members] }
    return Set(members.map { sites[$0] }).sorted().map { place in members.filter { sites[$0] == place } }
  }

  /// The honest peers that want everything.
  func unlimited(among peers: [SimulatedPeer]) -> [Int] { honest.filter { peers[$0].subscription == nil } }

  /// The honest peers that want a room and may have it.
  func admitted(to number: Int, among peers: [SimulatedPeer]) -> [Int] {
    guard let room = rooms[number].id else { return [] }
    return honest.filter {
      peers[$0].hasTable(number) && peers[$0].wants(room)
        && privacy.mayHave(room, peers[$0].id, isNearby: true)
    }
  }

  /// The honest peers that have to end alike in a room, in groups.
  ///
  /// A dishonest creator may keep an invitation back, or tell of it on one branch of its feed alone, and one that
  /// wants other rooms tells nobody: then those who do not all count each other as invited need not be alike.
  func sharers(of number: Int, among peers: inout [SimulatedPeer]) -> [[Int]] {
    let members = admitted(to: number, among: peers)
    let plan = rooms[number].plan
    guard plan.scope == .invited, let room = rooms[number].id,
      !peers[plan.creator].isHonest || !peers[plan.creator].wants(room)
    else { return circles(members, in: number) }
    var lists: [[PeerID]] = []
    var holders: [Int] = []
    for peer in members {
      guard peers[peer].isUp, let list = peers[peer].state(of: room)?.members else { continue }
      lists.append(list)
      holders.append(peer)
    }
    let listed = members.filter { peer in lists.allSatisfy { $0.contains(peers[peer].id) } }
    return holders.allSatisfy(listed.contains) && !holders.isEmpty ? [listed] : []
  }

  /// The first room in which two honest peers that share it are not alike.
  func difference(among peers: inout [SimulatedPeer]) -> (room: Int?, words: String)? {
    for number in rooms.indices {
      guard let room = rooms[number].id else { continue }
      for circle in sharers(of: number, among: &peers) {
        if let words = PeerDifference.words(of: room, among: circle, of: &peers, honest: honest) {
          return (number, words)
        }
      }
    }
    let unlimited = unlimited(among: peers)
    for room in strays {
      guard unlimited.contains(where: { peers[$0].log(of: room)?.contains(room) == true }) else { continue }
      if let words = PeerDifference.words(of: room, among: unlimited, of: &peers, honest: honest) {
        return (nil, "room \(room.short) of a flood: \(words)")
      }
    }
    return nil
  }
}
