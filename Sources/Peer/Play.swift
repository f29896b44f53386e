public import BotKit
import EventLog
public import Events
import Gossip
public import Projection
public import Rules

/// What a seat chooses to do.
extension PeerCore {
  /// Plays a move, or commits to a choice.
  package mutating func choose(
    _ code: MoveCode, note: MoveNote? = nil, in room: RoomID, by member: Int = 0
  ) throws(PeerError) {
    let (action, opening) = try chosen(code, note, in: room, by: member)
    _ = try write(action, in: room, opening: opening, by: member)
  }

  /// What is written for a choice, and what opens it, where it is a commit. Where the member stands is let go before
  /// anything is written, or its games would be copied.
  private mutating func chosen(
    _ code: MoveCode, _ note: MoveNote?, in room: RoomID, by member: Int
  ) throws(PeerError) -> (Action, Room.OwnFeed.Opening?) {
    guard let standing = standing(of: member, in: room) else { throw .unknownRoom(room) }
    let (step, seat, isSecret) = try standing.place(for: code)
    if isSecret {
      return standing.secrets.commitment(to: code, step, seat: seat, sequence: standing.nextSequence)
    }
    let note = note.map { Action.Note(value: $0.value, isProven: $0.isProven, nodes: $0.nodes) }
    return (.move(step, code: code.rawValue, note), nil)
  }

  /// Does something at a table.
  package mutating func perform(
    _ act: TableAct, in room: RoomID, by member: Int = 0
  ) throws(PeerError) {
    if case .choose(let choice, let game, let ply) = act {
      guard try state(of: room)?.checkPlace(game, ply) != nil else { throw .unknownRoom(room) }
      return try choose(choice.code, note: choice.note, in: room, by: member)
    }
    guard let (action, citing) = try standing(of: member, in: room)?.action(for: act) else {
      throw .unknownRoom(room)
    }
    guard let action else { return }
    _ = try write(action, in: room, citing: citing, by: member)
  }

  /// Writes what a timekeeper says, where it is still so.
  /// - Returns: whether it was written.
  package mutating func perform(
    _ act: Timekeeper.Act, in room: RoomID, by member: Int = 0
  ) throws(PeerError) -> Bool {
    guard let (action, citing) = standing(of: member, in: room)?.action(for: act) else { return false }
    _ = try write(action, in: room, citing: citing, by: member)
    return true
  }
}

extension RoomState {
  /// Refuses what was meant for another place.
  func checkPlace(_ game: UInt16, _ ply: UInt16) throws(PeerError) {
    guard let current = currentGame, current.number == Int(game), current.plies.count == Int(ply)
    else { throw .notAllowed("the game has gone on meanwhile; look at the position again") }
  }

  /// The seat of a peer that has to choose now: a move, or in a round a choice to which it has not committed.
  public func seatToChoose(of peer: PeerID) -> Seat? {
    guard let turn, let seat = seat(of: peer) else { return nil }
    switch turn {
    case .seat(seat): return seat
    case .round(let choosing) where choosing.contains(seat): return round.commit(of: seat) == nil ? seat : nil
    default: return nil
    }
  }
}

extension BotEntry {
  /// What a bot says of itself where it takes a seat.
  /// - Parameter seed: where its random numbers come from.
  public init(_ declaration: BotDeclaration, seed: UInt64) {
    self.init(
      specification: declaration.specification, version: declaration.version,
      nodeBudget: declaration.nodeBudget, seed: seed)
  }
}
