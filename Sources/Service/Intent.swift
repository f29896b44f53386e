package import Events
package import Network
package import Peer
package import Projection
package import Rules

/// Something that a person, or a bot, wants to be done.
package enum Intent: Hashable, Sendable {
  /// Create a room.
  case create(NewRoom)
  /// Ask for a seat, `Create.noSeat` for any, in a game with this referee and these limits, to which the person agrees.
  case join(RoomID, seat: UInt16, Profile, terms: Terms)
  /// Do something at the table of a room.
  case act(RoomID, TableAct)
  case invite(RoomID, PeerID)
  /// As the organizer, let a peer that asks for it into a tournament that has started.
  case admit(RoomID, PeerID)
  /// Tell who has invited this peer that it does not come.
  case decline(RoomID)
  /// Stay connected to an address.
  case connect(Address)
  /// Take in the room that a code, an id or its first digits mean, whatever its edition.
  case want(name: String)
  /// Have nothing to do with a peer, or again.
  case block(PeerID, isBlocked: Bool)
  /// Open a room of hosted rounds.
  case host(NewHostedRoom)
  /// Do something in a room of hosted rounds.
  case rounds(RoomID, HostedAct)

  /// What a room is created from.
  package struct NewRoom: Hashable, Sendable {
    package var rules: String
    package var rulesVersion: UInt16
    /// The rules' settings in their canonical bytes.
    package var parameters: [UInt8]
    package var seats: UInt16
    /// How many games the series has, and how many of them a seat must win for it to be over before; 0 where all are
    /// played.
    package var games: UInt16 = 1
    package var target: UInt32 = 0
    /// The creator's seat.
    package var seat: UInt16
    package var starter: Create.Starter
    package var scope: Scope
    package var allowsUndo: Bool
    package var terms = Terms()
    package var rematchOf: RoomID
    /// The moves from which its games begin, and the position from which it goes on (`Create`).
    package var openings: [[UInt16]] = []
    package var branchOf: Create.Branch?
    package var profile: Profile
    /// Who is invited from the beginning.
    package var invited: [PeerID]

    package init(
      rules: any GameRules, seat: UInt16, starter: Create.Starter, scope: Scope, profile: Profile,
      allowsUndo: Bool = true, rematchOf: RoomID = .none, invited: [PeerID] = []
    ) {
      let definition = rules.definition
      self.rules = definition.name
      rulesVersion = definition.version
      parameters = rules.parameters.encoded
      seats = UInt16(clamping: rules.seats)
      self.seat = seat
      self.starter = starter
      self.scope = scope
      self.allowsUndo = allowsUndo
      self.rematchOf = rematchOf
      self.profile = profile
      self.invited = invited
    }

    /// The next game between the same seats; a joint draw says who starts.
    /// - Parameter peer: who wants it, and has a seat; `nil` for the creator of the game before.
    package init(rematchOf state: RoomState, by peer: PeerID? = nil, _ profile: Profile) {
      self.init(state.create, invited: [])
      let creator = peer ?? state.creator
      if let own = state.seat(of: creator) { seat = own.rawValue }
      rematchOf = state.room
      starter = .jointDraw
      self.profile = profile
      if scope == .invited { invited = state.seats.compactMap { $0?.peer }.filter { $0 != creator } }
    }

    /// Makes it a series.
    /// - Parameters:
    ///   - games: how many games it has; `nil` for one, or with `wins` for as many as a room may have.
    ///   - wins: how many of them somebody must win for it to be over before; `nil` where all are played.
    package mutating func setSeries(games: Int?, wins: Int?) throws(ServiceError) {
      let limits = 1...Int(Create.limitGames)
      let games = games ?? (wins == nil ? 1 : limits.upperBound)
      guard limits.contains(games) else {
        throw .refused("a series has 1 to \(limits.upperBound) games, and not \(games)")
      }
      if let wins, wins < 1 {
        throw .refused("a series ends with 1 won game at the least, and not with \(wins)")
      }
      if let wins, wins > games {
        throw .refused("nobody can win \(wins) of \(games == 1 ? "1 game" : "\(games) games")")
      }
      self.games = UInt16(clamping: games)
      target = UInt32(clamping: wins ?? 0)
    }

    init(_ create: Create, invited: [PeerID]) {
      rules = create.rules
      rulesVersion = create.rulesVersion
      parameters = create.parameters
      seats = create.seats
      games = create.games
      target = create.target
      seat = create.creatorSeat
      starter = create.starter
      scope = create.scope
      allowsUndo = create.allowsUndo
      terms = Terms(create)
      rematchOf = create.rematchOf
      profile = create.profile
      self.invited = invited
    }

    /// The payload of the event that creates the room.
    /// - Parameter nonce: sixteen bytes that tell two rooms of the same moment apart.
    func create(nonce: [UInt8]) -> Create {
      Create(
        rules: rules, rulesVersion: rulesVersion, parameters: parameters, seats: seats, games: games,
        target: target, nonce: nonce,
        profile: profile, creatorSeat: seat, starter: starter, scope: scope, allowsUndo: allowsUndo,
        moveLimitMilliseconds: terms.moveLimitMilliseconds, clockMilliseconds: terms.clockMilliseconds,
        incrementMilliseconds: terms.incrementMilliseconds, referee: terms.referee, rematchOf: rematchOf,
        openings: openings, branchOf: branchOf)
    }
  }
}
