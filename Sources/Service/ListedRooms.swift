internal import Events
internal import Peer
internal import Projection

/// What the rooms amount to at which this peer sits, or may: what lists and lobbies show.
struct ListedRooms {
  /// What a room's events do not say of this peer's part in it.
  struct Standing {
    /// Whether this peer has declined to come.
    let hasDeclined: Bool
    /// Whether this peer has nothing to do with the room's creator.
    let isBlocked: Bool
    /// Whether somebody waits for this peer there.
    let isWanted: Bool
  }

  /// Rooms with a free seat that this peer could tell of, or take.
  private(set) var withSeats: Set<RoomID> = []
  /// Rooms in which this peer has a seat and a game is on, waiting for its choice or not.
  private var played: [RoomID: Bool] = [:]
  /// Own rooms that wait for others.
  private(set) var hosted: Set<RoomID> = []
  /// Rooms to which this peer is invited and where it may still come.
  private var invitations: Set<RoomID> = []
  /// Rematches that have not begun, and the games before them, which say who may have a seat.
  private var rematches: [(room: RoomID, before: RoomID)] = []

  /// Takes note of what a room amounts to.
  /// - Parameters:
  ///   - state: `nil` for a room that is not in memory, or is left to a command.
  ///   - me: the owner's key.
  mutating func note(_ room: RoomID, _ state: RoomState?, of me: PeerID, _ standing: Standing) {
    let mayTake = state?.hasFreeSeat(for: me) == true
    Self.set(&withSeats, room, mayTake && !standing.hasDeclined && !standing.isBlocked)
    Self.set(&hosted, room, state?.creator == me && state?.phase == .waiting && state?.isCasual == true)
    rematches.removeAll { $0.room == room }
    if let before = state?.create.rematchOf, before.isSome, state?.phase == .waiting {
      rematches.append((room, before))
    }
    var mayCome = false
    if let state, standing.isWanted, !standing.isBlocked, state.mayRequest(me) {
      mayCome = !standing.hasDeclined && !state.openRequests.contains { $0.peer == me }
    }
    Self.set(&invitations, room, mayCome)
    let isTable = state.map { $0.isCasual || $0.isPlayersTable } ?? false
    let isOn = isTable && state?.turn != nil && state?.seat(of: me) != nil
    played[room] = isOn ? state?.seatToChoose(of: me) != nil : nil
  }

  private static func set(_ rooms: inout Set<RoomID>, _ room: RoomID, _ isIn: Bool) {
    if isIn { rooms.insert(room) } else { rooms.remove(room) }
  }

  /// Where this peer sits, and may sit.
  var list: TableList {
    // tidy: order does not matter because both are sorted
    TableList(
      toChoose: played.filter(\.value).keys.sorted(), others: played.filter { !$0.value }.keys.sorted(),
      hosted: hosted.sorted(), invitations: invitations.sorted())
  }

  /// Whether any rematch has not begun.
  var hasRematches: Bool { !rematches.isEmpty }

  /// The rematches of a room that have not begun.
  func rematches(of room: RoomID) -> [RoomID] { rematches.filter { $0.before == room }.map(\.room) }
}
