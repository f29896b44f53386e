import EventLog
import Events

/// Which offered rooms name whom, and which are games of which tournament, by their numbers in the directory: what
/// somebody wants is found without a look at all rooms.
struct RoomIndex: Sendable {
  /// By the first eight bytes of a key.
  private var naming: [UInt64: [UInt32]] = [:]
  private var games: [RoomID: [UInt32]] = [:]
  /// The games that can be joined.
  var openGames = OpenGames()

  /// Notes that a room names a peer: it has written there, is invited, or is the referee.
  mutating func add(_ room: Int, naming peer: UInt64) {
    naming[peer, default: []].appendSparingly(UInt32(room))
  }

  mutating func add(_ room: Int, of tournament: RoomID) {
    games[tournament, default: []].appendSparingly(UInt32(room))
  }

  func rooms(naming peer: UInt64) -> [UInt32] { naming[peer] ?? [] }

  func games(of tournament: RoomID) -> [UInt32] { games[tournament] ?? [] }

  /// Gives rooms their new numbers.
  /// - Parameter numbers: by the old number; `nil` for those that are gone.
  mutating func renumber(_ numbers: [Int?]) {
    func moved(_ list: [UInt32]) -> [UInt32]? {
      let left = list.compactMap { numbers[Int($0)].map { UInt32($0) } }
      return left.isEmpty ? nil : left
    }
    naming = naming.compactMapValues(moved)
    games = games.compactMapValues(moved)
  }
}

/// Games that can be joined: in rooms that are open, by their creators, in the order in which they came.
struct OpenGames: Sendable {
  private var rooms: [PeerID: [RoomID]] = [:]

  mutating func add(_ room: RoomID, by creator: PeerID) {
    if rooms[creator]?.contains(room) != true { rooms[creator, default: []].append(room) }
  }

  mutating func remove(_ room: RoomID, by creator: PeerID) {
    guard var left = rooms[creator] else { return }
    left.removeAll { $0 == room }
    rooms[creator] = left.isEmpty ? nil : left
  }

  func rooms(by creator: PeerID) -> [RoomID] { rooms[creator] ?? [] }

  /// The first ones of each creator, in no order.
  func first(_ limit: Int) -> [RoomID] {
    // tidy: order does not matter because the rooms become a set
    limit == 0 ? [] : rooms.values.flatMap { $0.prefix(limit) }
  }
}
