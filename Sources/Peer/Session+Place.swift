package import EventLog
package import Events
package import Projection
package import Tournaments

extension Session {
  /// Where the bots' random numbers come from, apart from game, seat and ply.
  package struct Place: Hashable, Sendable {
    package var seed: UInt64
    package var round: UInt32
    package var pairing: UInt32
    /// Whether the salts of choices follow from this place instead of from the room, so that the same seed gives the
    /// same chance, and the same games: for rooms that one owner's bots play among themselves.
    package var fixesSalts: Bool

    package init(seed: UInt64, round: UInt32 = 0, pairing: UInt32 = 0, fixesSalts: Bool = false) {
      self.seed = seed
      self.round = round
      self.pairing = pairing
      self.fixesSalts = fixesSalts
    }

    /// What stands for the room where salts are derived.
    var saltName: RoomID {
      var hash = Blake2b(domain: "parlor-place-1")
      hash.update(bigEndian: seed)
      hash.update(bigEndian: round)
      hash.update(bigEndian: pairing)
      return RoomID(hash.digest())
    }
  }

  /// What a room's games are played for. It decides the place of its bots, when they play and when they are audited.
  package enum Occasion: Hashable, Sendable {
    /// A table of its own: a person's game against bots, or bots that are peers of their own.
    case table
    /// A match of bots: the room's number in it, from 0.
    case match(room: Int)
    /// An attempt at a pairing of a tournament.
    case pairing(PairingAttempt)

    /// Where the random numbers of a bot come from that plays with this seed.
    package func place(seed: UInt64) -> Place {
      switch self {
      case .table: Place(seed: seed)
      case .match(let room): Place(seed: seed, pairing: UInt32(truncatingIfNeeded: room), fixesSalts: true)
      case .pairing(let attempt):
        Place(
          seed: seed, round: UInt32(truncatingIfNeeded: attempt.pairing.round),
          pairing: UInt32(truncatingIfNeeded: attempt.pairing.position * 256 + Int(attempt.attempt)),
          fixesSalts: true)
      }
    }
  }
}

extension Session.Occasion {
  /// Why a room does not tell what its games are played for.
  package enum Unknown: Error, Hashable, Sendable {
    /// It is of a tournament that is not here, or has no such pairing.
    case tournament
    /// Nobody but bots of its host plays in it, and the host does not say which room of a match it is.
    case match
  }

  /// What a stored room's games are played for.
  /// - Parameter tournament: finds a tournament by its room; `nil` where it is not here.
  package static func read(
    _ log: RoomLog, _ state: RoomState, tournament: (RoomID) throws(LogError) -> TournamentRoom?
  ) throws(LogError) -> Result<Session.Occasion, Unknown> {
    guard case .games(let id, let number, let attempt) = state.create.purpose else { return .success(.table) }
    if id.isSome {
      guard let tournament = try tournament(id) else { return .failure(.tournament) }
      let pairing = tournament.state.record(PairingNumber(number))?.pairing
      guard let attempt = pairing?.attempt(Int(attempt)) else { return .failure(.tournament) }
      // Anybody may name a tournament; only its organizer's rooms and its players' tables have its place.
      let isOfIt =
        tournament.organizer == state.creator
        || tournament.isTable(state.create, by: state.creator, at: state.createdAt, of: attempt)
      return .success(isOfIt ? .pairing(attempt) : .table)
    }
    guard state.create.creatorSeat == Create.noSeat else { return .success(.table) }
    guard state.create.referee == state.creator else { return .success(.table) }
    return MatchWord(firstIn: log).map { .success(.match(room: $0.room)) } ?? .failure(.match)
  }
}
