import Events
import Gossip
import Rules

/// The secrets of one member in one room. Each follows from its key and from where it is used, so that a crash loses
/// none, and no two places share one.
struct RoomSecrets: Sendable {
  let signer: any Signer
  let room: RoomID
  /// What salts of choices are derived from: the room's id, or what stands for it (`Session.Place.fixesSalts`).
  let name: RoomID

  /// - Parameter name: what salts of choices are derived from, where that is not the room.
  init(of signer: any Signer, in room: RoomID, name: RoomID? = nil) {
    self.signer = signer
    self.room = room
    self.name = name ?? room
  }

  /// The salt of a choice in a round.
  /// - Parameter sequence: of the commit.
  func choice(_ step: Action.Step, seat: Seat, sequence: UInt64) -> Digest {
    Digest(
      signer.salt(
        room: name, game: step.game, round: step.ply, seat: seat.rawValue, sequence: sequence))
  }

  /// The salts with which a choice may have been made before this start: as now, or as editions before this one.
  func choices(_ step: Action.Step, seat: Seat, sequence: UInt64) -> [Digest] {
    let earlier = (signer as? RoomSigner)?.earlierSalt(
      room: name, game: step.game, round: step.ply, seat: seat.rawValue, sequence: sequence)
    return [choice(step, seat: seat, sequence: sequence)] + (earlier.map { [Digest($0)] } ?? [])
  }

  /// A commitment to a choice, or to a share of the chance of a round in which the seat does not choose, and what opens
  /// it.
  /// - Parameter sequence: of the commit.
  func commitment(
    to code: MoveCode, _ step: Action.Step, seat: Seat, sequence: UInt64
  ) -> (Action, Room.OwnFeed.Opening) {
    let salt = choice(step, seat: seat, sequence: sequence)
    let commitment = Commitments.choice(
      code.rawValue, salt: salt, room: room, game: step.game, round: step.ply, seat: seat.rawValue,
      author: signer.peer)
    return (.commit(step, commitment: commitment), Room.OwnFeed.Opening(choice: code, salt: salt))
  }

  /// The part of a joint draw.
  var draw: Digest { salt(game: .max, round: .max, seat: Create.noSeat, sequence: 0) }

  /// The salt with which the host commits to a solution.
  /// - Parameter sequence: of the opening.
  func solution(round: UInt16, sequence: UInt64) -> Digest {
    salt(game: 1, round: round, seat: Create.noSeat, sequence: sequence)
  }

  /// The salt of an entry in a hosted round.
  /// - Parameter sequence: of the entry.
  func entry(round: Int, player: UInt16, sequence: UInt64) -> Digest {
    salt(game: 0, round: UInt16(truncatingIfNeeded: round), seat: player, sequence: sequence)
  }

  /// The secret of the box that shows the host the join code.
  /// - Parameter sequence: of the event that has it.
  func joinProof(sequence: UInt64) -> Digest {
    salt(game: 0, round: .max, seat: Create.noSeat, sequence: sequence)
  }

  private func salt(game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Digest {
    Digest(signer.salt(room: room, game: game, round: round, seat: seat, sequence: sequence))
  }
}
