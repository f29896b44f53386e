package import BotKit
package import Events
package import Projection
package import Rules

/// A room that is played inside this process by several of its peers: the host, who holds the room, and guests.
///
/// A value, and nothing in it depends on timing.
package struct Session: Sendable {
  /// One peer at the table.
  package struct Player: Sendable {
    package let signer: any Signer
    package let conduct: PeerCore.Conduct
    /// Chooses for the peer's seat; `nil` for a person, or an organizer without a seat.
    package let bot: (any Bot)?
    /// Whether there is a bot; to look at it would copy it.
    let hasBot: Bool

    package init(signer: any Signer, conduct: PeerCore.Conduct, bot: (any Bot)? = nil) {
      self.signer = signer
      self.conduct = conduct
      self.bot = bot
      hasBot = bot != nil
    }
  }

  /// What the room waits for.
  package enum Wait: Sendable {
    /// A bot's choice: the player's index and the decision.
    case bot(Int, BotTurn)
    /// A person's choice: the player's index and seat.
    case person(Int, Seat)
    /// Nothing: the series is over, or was abandoned.
    case over
    /// Something from outside this session.
    case others
  }

  /// The most events of a feed that wait for a signature: below a run's limit by more than a move brings.
  package static let limitUnsignedEvents = Run.limitEvents - 8

  package let room: RoomID
  package let place: Place
  /// The peers; the host is the first. They are the core's members, in this order.
  package let players: [Player]
  /// What the players hold and write.
  package internal(set) var core: PeerCore

  /// A session of a room that the host holds.
  /// - Parameter core: the host's, without other members.
  package init(
    room: RoomID, core: PeerCore, conduct: PeerCore.Conduct, guests: [Player], place: Place
  ) throws(PeerError) {
    self.room = room
    self.core = core
    self.place = place
    players = [Player(signer: core.keys.signers[0], conduct: conduct)] + guests
    guard core.log(of: room) != nil else { throw .unknownRoom(room) }
    if place.fixesSalts { self.core.saltNames[room] = place.saltName }
    for guest in guests { _ = self.core.admit(guest.signer) }
    try settle()
  }

  /// The room as it stands.
  package var state: RoomState {
    mutating get {
      guard let state = core.state(of: room) else {
        preconditionFailure("the host of a session lost its room \(room)")
      }
      return state
    }
  }

  /// Lets every peer do its duties until nobody owes anything.
  /// - Throws: `.unplayable` when they would go on for ever, because what they write has no effect: then the log
  ///   does not say what it said when it was written.
  private mutating func settle() throws(PeerError) {
    var written = 0
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for player in players.indices {
        guard try core.doDuties(in: room, players.span[player].conduct, by: player) else { continue }
        if isMidGame { return }
        isQuiet = false
        written += 1
        guard written <= 8 * players.count + 16 else { throw damaged }
      }
    }
  }

  /// Whether a game is on in which nobody owes anything but the seat to move.
  package var isMidGame: Bool { mutating get { core.state(of: room)?.isMidGame ?? false } }

  private var damaged: PeerError {
    .unplayable("the log of room \(room.short) is damaged; `parlor log verify` tells how")
  }

  /// What the room waits for now. Of several seats that must choose, bots come first.
  package mutating func wait() -> Wait {
    let state = state
    guard let turn = state.turn else { return state.phase == .waiting ? .others : .over }
    if case .seat(let seat) = turn { return wait(for: seat, state) }
    var person: Wait?
    for index in players.indices {
      guard let seat = state.seatToChoose(of: core.keys.ids[index]) else { continue }
      if players.span[index].hasBot { return .bot(index, self.turn(of: seat, state)) }
      person = person ?? .person(index, seat)
    }
    return person ?? .others
  }

  private func wait(for seat: Seat, _ state: RoomState) -> Wait {
    let peer = state.seats[seat.index]?.peer
    guard let peer, let index = core.keys.number(of: peer) else { return .others }
    return players.span[index].hasBot ? .bot(index, self.turn(of: seat, state)) : .person(index, seat)
  }

  /// What a bot is asked that has to choose for a seat. A session keeps no clocks: its rooms have no time limits.
  package func turn(of seat: Seat, _ state: RoomState) -> BotTurn { BotTurn(state, for: seat, at: place) }

  /// Tells the bots that a game is over.
  package func conclude(_ game: GameRecord) {
    for player in players {
      guard player.hasBot, let seat = player.conduct.wantedSeat else { continue }
      let source = RandomSource(
        seed: place.seed, round: place.round, pairing: place.pairing,
        game: UInt32(truncatingIfNeeded: game.number), seat: Seat(seat), ply: 0)
      player.bot?.conclude(BotEnding(randomness: source, outcome: game.ending?.outcome))
    }
  }

  /// Plays a choice of one player, and lets the others hear of it.
  /// - Returns: whether the game goes on with a move that nothing else came with.
  @discardableResult
  package mutating func play(_ choice: BotChoice, by player: Int) throws(PeerError) -> Bool {
    try core.choose(choice.code, note: choice.note, in: room, by: player)
    if isMidGame { return true }
    try settle()
    return false
  }

  /// Lets one player do something at the table, and the others hear of it.
  package mutating func perform(_ act: TableAct, by player: Int) throws(PeerError) {
    if case .choose(let choice, let game, let ply) = act {
      try state.checkPlace(game, ply)
      try play(choice, by: player)
      return
    }
    try core.perform(act, in: room, by: player)
    try settle()
  }

  /// Signs every feed, before one of them would have to sign alone.
  package mutating func signRuns() throws(PeerError) {
    if core.unsignedEvents(in: room) >= Self.limitUnsignedEvents { try core.sign(room) }
  }
}
